/** The outside world of a command. `run` gets all of it as an argument, so tests run command lines in process. */
import type { Fetch } from '@broadside/client';

/** A stream that is written to. */
export interface Sink {
  /** Writes text; resolves when there is room for more. @throws OutputClosed when the reader closed the stream */
  write(text: string): Promise<void>;
  readonly isTTY: boolean;
  /** Width of the terminal. */
  readonly columns: number | undefined;
}

/** Input streams. */
export interface Source {
  readonly isTTY: boolean;
  /** All of it, as text. */
  text(): Promise<string>;
  /** All of it, as it comes. */
  bytes(): AsyncIterable<Uint8Array>;
  /** One line; `undefined` at the end. */
  line(): Promise<string | undefined>;
  /** One line typed at the terminal without being shown. */
  secret(): Promise<string>;
}

/** Variables of the environment. */
export type Env = Record<string, string | undefined>;

/** The outside. */
export interface Io {
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly stdin: Source;
  readonly env: Env;
  readonly cwd: string;
  readonly fetch: Fetch;
  /** Opens an address in the desktop's browser. Does nothing without a desktop. */
  readonly openBrowser: (url: string) => void;
  /** Callback URLs on this machine, of which the first whose port is free is used. */
  readonly callbacks: readonly string[];
  /** Calls a function when the user ends the command with ^C, in place of ending it at once. @returns undoes that */
  readonly onInterrupt: (stop: () => void) => () => void;
  /** Milliseconds since the epoch, for signatures. The client's own clock when left out. */
  readonly now?: () => number;
  /** Waits, in place of a timer: resolves when `ms` have passed. */
  readonly sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}
