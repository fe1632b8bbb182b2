/** Reading from the terminal, a pipe or a file. */
import { openSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import type { Source } from './io.ts';

/** The standard input of this process. */
export function stdinSource(): Source {
  const { stdin } = process;
  return {
    isTTY: stdin.isTTY === true,
    async text() {
      const chunks: Buffer[] = [];
      for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
      return Buffer.concat(chunks).toString('utf8');
    },
    bytes: () => stdin,
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

/** Reads a paste until Ctrl-D has ended stdin; the terminal itself remains available. */
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
