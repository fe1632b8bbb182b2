/** What the command has of the outside. `run` gets all of it as an argument, so tests run command lines in process. */
import { openSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import { styleText } from 'node:util';
import type { Fetch } from '@broadside/client';
import { loopbackCallbacks } from '@broadside/core';
import { openBrowser } from './browser.ts';
import { OutputClosed, systemCode } from './errors.ts';

/** A stream that is written to. */
export interface Sink {
  /** Writes text; resolves when there is room for more. @throws OutputClosed when nobody reads any more */
  write(text: string): Promise<void>;
  readonly isTTY: boolean;
  /** Width of the terminal. */
  readonly columns: number | undefined;
}

/** Where input comes from. */
interface Source {
  readonly isTTY: boolean;
  /** All of it, as text. */
  text(): Promise<string>;
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
  /** Asks the desktop to show an address. Where there is no desktop nothing happens. */
  readonly openBrowser: (url: string) => void;
  /** Callback URLs on this machine, of which the first whose port is free is used. */
  readonly callbacks: readonly string[];
  /** Milliseconds since the epoch, for signatures. The client's own clock when left out. */
  readonly now?: () => number;
}

/** A style by what it is for. */
type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'cyan';

/** Puts a style on text where the sink shows styles. */
export type Paint = (style: Style, text: string) => string;

/** Colour is for terminals only, and not where the user does not want it (no-color.org). */
export function painter(sink: Sink, env: Env): Paint {
  const wanted = sink.isTTY && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  return wanted ? (style, text) => styleText(style, text, { validateStream: false }) : (_, text) => text;
}

/** The process that we are. */
export function processIo(): Io {
  return {
    stdout: sinkOf(process.stdout),
    stderr: sinkOf(process.stderr),
    stdin: stdinSource(),
    env: process.env,
    cwd: process.cwd(),
    fetch: (url, init) => globalThis.fetch(url, init),
    openBrowser: (url) => void openBrowser(url, process.platform, process.env),
    callbacks: loopbackCallbacks,
  };
}

function sinkOf(stream: NodeJS.WriteStream): Sink {
  let closed = false;
  // Without a listener a pipe that was closed early would end the process with a stack trace.
  stream.on('error', (error) => {
    closed = true;
    if (systemCode(error) !== 'EPIPE') throw error;
  });
  return {
    isTTY: stream.isTTY === true,
    get columns() {
      // A terminal that does not know its width says 0.
      return stream.columns || undefined;
    },
    write: (text) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new OutputClosed());
        stream.write(text, (error) => {
          if (!error) resolve();
          else reject(systemCode(error) === 'EPIPE' ? new OutputClosed() : error);
        });
      }),
  };
}

function stdinSource(): Source {
  const { stdin } = process;
  return {
    isTTY: stdin.isTTY === true,
    async text() {
      const chunks: Buffer[] = [];
      for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
      return Buffer.concat(chunks).toString('utf8');
    },
    line: lineReader(stdin),
    secret: () => (stdin.readableEnded ? secretFromTerminal() : readSecret(stdin)),
  };
}

/** Reads line by line, and leaves the stream alone in between, so that waiting for nothing keeps no process alive. */
function lineReader(stdin: NodeJS.ReadStream): () => Promise<string | undefined> {
  let held = '';
  let ended = false;
  // A pipe that its other end keeps open would hold the process. A file has neither of the two.
  const hold = (alive: boolean) => void (alive ? stdin.ref?.() : stdin.unref?.());
  const more = () =>
    new Promise<void>((resolve) => {
      const settle = () => {
        stdin.off('data', take);
        stdin.off('end', end);
        stdin.pause();
        hold(false);
        resolve();
      };
      const take = (chunk: string) => {
        held += chunk;
        settle();
      };
      const end = () => {
        ended = true;
        settle();
      };
      hold(true);
      stdin.setEncoding('utf8');
      stdin.on('data', take);
      stdin.on('end', end);
      stdin.resume();
    });
  return async () => {
    while (!held.includes('\n') && !ended && !stdin.readableEnded) await more();
    const [line = '', ...rest] = held.split('\n');
    const last = rest.length === 0;
    held = rest.join('\n');
    return last && line === '' ? undefined : line.replace(/\r$/, '');
  };
}

/** What was pasted until Ctrl-D has ended stdin; the terminal itself is still there. */
async function secretFromTerminal(): Promise<string> {
  const terminal = new ReadStream(openSync(process.platform === 'win32' ? 'CONIN$' : '/dev/tty', 'r+'));
  try {
    return await readSecret(terminal);
  } finally {
    // An open terminal would keep the process alive.
    terminal.destroy();
  }
}

const ENTER = new Set(['\r', '\n', '\u0004']);
const ERASE = new Set(['\b', '\u007f']);

/** Reads a line from the terminal in raw mode, so that nothing of it is echoed. */
function readSecret(stdin: ReadStream): Promise<string> {
  return new Promise((resolve) => {
    let typed = '';
    const finish = () => {
      stdin.off('data', take);
      stdin.setRawMode(false);
      stdin.pause();
      process.stderr.write('\n');
    };
    const take = (chunk: string) => {
      for (const key of chunk) {
        if (key === '\u0003') {
          finish();
          // As the terminal itself would have ended us, had it seen the key.
          process.kill(process.pid, 'SIGINT');
          return;
        }
        if (ENTER.has(key)) {
          finish();
          resolve(typed);
          return;
        }
        typed = ERASE.has(key) ? [...typed].slice(0, -1).join('') : typed + key;
      }
    };
    stdin.setEncoding('utf8');
    stdin.setRawMode(true);
    stdin.on('data', take);
    stdin.resume();
  });
}
