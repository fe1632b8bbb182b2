/** Copies of worlds whose process is killed. More rounds: `node --conditions=@broadside/source testing/kill-rounds.ts DIRECTORY 100`. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../db/testing/temporary.ts';

test('copies of a process that is killed are whole or not there, and the world is as it was', async () => {
  const file = fileURLToPath(new URL('testing/kill-rounds.ts', import.meta.url));
  const root = path.join(temporaryDirectory(), 'killed');
  const run = promisify(execFile)(process.execPath, ['--conditions=@broadside/source', file, root, '3']);
  expect((await run).stdout).toMatch(/^3 rounds, \d+ copies whole\n$/);
});
