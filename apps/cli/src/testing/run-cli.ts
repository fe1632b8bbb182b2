/** Runs a command line in process, with everything outside replaced. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, onTestFinished, TestRunner } from 'vitest';
import type { Io } from '../io.ts';
import { run } from '../run.ts';

/** Result of a command line. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The outside of a command line under test. */
export interface Outside {
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  readonly stdin?: string | (() => Promise<string>);
  /** Bytes of stdin, in pieces as they come. */
  readonly bytes?: Iterable<Uint8Array>;
  /** Lines that are typed where a secret is asked for; makes stdin a terminal. */
  readonly typed?: readonly string[];
  readonly fetch?: Io['fetch'];
  /** Called with the address in place of a browser. */
  readonly openBrowser?: Io['openBrowser'];
  readonly callbacks?: readonly string[];
  /** Called with all that has been written to stdout, after each write. What it throws, the write throws. */
  readonly onStdout?: (written: string) => void;
  /** Called with all that has been written to stderr, after each write. */
  readonly onStderr?: (written: string) => void;
  readonly now?: () => number;
  readonly sleep?: Io['sleep'];
  /** Called with a function that ends the command as ^C does. */
  readonly onInterrupt?: (stop: () => void) => void;
  /** Makes stdout and stderr a terminal of this width. */
  readonly columns?: number;
}

/** A directory that holds nothing, removed after the running test, or after the tests of a file that has it for all of them. */
export function emptyDirectory(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'broadside-cli-'));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  if (TestRunner.getCurrentTest()) onTestFinished(remove);
  else afterAll(remove);
  return directory;
}

const noServer: Io['fetch'] = async (url) => {
  throw new TypeError(`the test meant no request to be sent, but one went to ${url}`);
};

/** Runs a command line. Text is split at blanks; give words where a value holds one. */
export async function runCli(line: string | readonly string[], outside: Outside = {}): Promise<Outcome> {
  const argv = typeof line === 'string' ? line.split(' ').filter((word) => word !== '') : line;
  const written = { stdout: '', stderr: '' };
  const typed = [...(outside.typed ?? [])];
  const lines = typeof outside.stdin === 'string' ? outside.stdin.replace(/\n$/, '').split('\n') : [];
  const sink = (name: 'stdout' | 'stderr') => ({
    isTTY: outside.columns !== undefined,
    columns: outside.columns,
    write: async (text: string) => {
      written[name] += text;
      if (name === 'stderr') outside.onStderr?.(written.stderr);
      else outside.onStdout?.(written.stdout);
    },
  });
  const empty = emptyDirectory();
  const code = await run(argv, {
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    stdin: {
      isTTY: outside.typed !== undefined,
      text: async () => (typeof outside.stdin === 'function' ? outside.stdin() : (outside.stdin ?? '')),
      bytes: async function* () {
        yield* outside.bytes ?? [Buffer.from(typeof outside.stdin === 'string' ? outside.stdin : '')];
      },
      line: async () => (outside.typed === undefined ? lines.shift() : typed.shift()),
      secret: async () => typed.shift() ?? '',
    },
    env: { XDG_CONFIG_HOME: empty, NO_COLOR: '1', ...outside.env },
    cwd: outside.cwd ?? empty,
    fetch: outside.fetch ?? noServer,
    openBrowser: outside.openBrowser ?? (() => {}),
    // A port that is free, so that tests run side by side.
    callbacks: outside.callbacks ?? ['http://127.0.0.1:0/callback'],
    onInterrupt: (stop) => {
      outside.onInterrupt?.(stop);
      return () => {};
    },
    ...(outside.now ? { now: outside.now } : {}),
    ...(outside.sleep ? { sleep: outside.sleep } : {}),
  });
  return { code, ...written };
}
