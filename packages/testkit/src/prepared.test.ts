import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

/** The temporary directory of a process, which decides on the folder of kept worlds once. */
let place: string;
beforeEach(() => {
  place = mkdtempSync(path.join(tmpdir(), 'broadside-prepared-'));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

test('with a full folder, a new world takes the place of the one that was not used for longest', () => {
  const folder = path.join(place, `broadside-testkit-${userInfo().uid}`);
  mkdirSync(folder, { mode: 0o700 });
  const lately = Date.now() / 1000 - 3600;
  for (let age = 0; age < 45; age++) {
    const directory = path.join(folder, `kept-${age}`);
    mkdirSync(directory);
    utimesSync(directory, lately - age * 60, lately - age * 60);
  }
  const made = execFileSync(
    process.execPath,
    [
      '--conditions=@broadside/source',
      '--input-type=module',
      '--eval',
      `import { mkdtempSync } from 'node:fs';
       import { furnish } from ${JSON.stringify(path.join(import.meta.dirname, 'prepared.ts'))};
       let made = 0;
       for (const seed of ['one', 'one', 'two', 'one'])
         await furnish(mkdtempSync(${JSON.stringify(path.join(place, 'world-'))}), { now: 0, seed, urls: {} }, async () => void made++);
       process.stdout.write(String(made));`,
    ],
    { env: { ...process.env, TMPDIR: place }, encoding: 'utf8' },
  );
  expect(made).toBe('2');
  const left = readdirSync(folder);
  expect(left).toHaveLength(40);
  expect(existsSync(path.join(folder, 'kept-37'))).toBe(true);
  expect(existsSync(path.join(folder, 'kept-38'))).toBe(false);
});
