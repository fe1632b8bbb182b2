/** Backups of a process that is killed. More rounds: `npm run drill:backup -- DIRECTORY 100`. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../db/testing/temporary.ts';

test('a process that is killed leaves whole backups with all that was acknowledged before, and loses nothing', async () => {
  const file = fileURLToPath(new URL('testing/drill.ts', import.meta.url));
  const root = path.join(temporaryDirectory(), 'drill');
  const run = promisify(execFile)(process.execPath, ['--conditions=@broadside/source', file, root, '2']);
  expect((await run).stdout).toMatch(/^2 rounds, 2 backups restored, \d+ writes acknowledged\n$/);
});
