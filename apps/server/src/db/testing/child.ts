/** Child processes for tests that need a second process, or one to kill. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** A running child. */
export interface Child {
  /** Lines of its standard output, as they come. */
  readonly lines: AsyncIterableIterator<string>;
  /** Resolves when it has ended, with its exit code (null after a signal) and what it wrote to standard error. */
  readonly ended: Promise<{ code: number | null; stderr: string }>;
  /** Sends SIGKILL. */
  kill(): void;
}

/** Runs a TypeScript file beside this one with the given arguments; it is killed when the running test has finished. */
export function startChild(file: string, args: readonly string[]): Child {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child: ChildProcessByStdio<null, Readable, Readable> = spawn(
    process.execPath,
    ['--conditions=@broadside/source', '--expose-gc', path, ...args],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<{ code: number | null; stderr: string }>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stderr }));
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return {
    lines: createInterface({ input: child.stdout })[Symbol.asyncIterator](),
    ended,
    kill: () => child.kill('SIGKILL'),
  };
}
