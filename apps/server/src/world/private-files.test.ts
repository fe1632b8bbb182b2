/** What commands write in a data directory is for its owner only, whatever the shell lets new files be. */
import { chmodSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createOffline, restore } from '../backup/index.ts';
import { check } from '../check/index.ts';
import { dataNames } from '../data-names.ts';
import { lockDataDirectory } from '../db/data-lock.ts';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { seedFile } from '../seed/index.ts';
import { looseModes } from './loose-modes.ts';

const env = { BROADSIDE_BACKUP_PASSPHRASE: 'a passphrase of tests' };
const file = { name: 'seed.json', text: '{"users":[{"screen_name":"amy","name":"Amy"}]}' };

beforeEach(() => {
  const mask = process.umask(0o022);
  onTestFinished(() => {
    process.umask(mask);
  });
});

/** The files and directories that others can do anything with, by their paths in a directory. */
function open(directory: string): string[] {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => (statSync(path.join(directory, name)).mode & 0o077) !== 0);
}

test('seeds, backups, what is restored and what is repaired are for the owner only', async () => {
  const root = temporaryDirectory();
  const [dataDirectory, elsewhere, at] = ['data', 'elsewhere', 'backups'].map((name) => path.join(root, name));
  if (!dataDirectory || !elsewhere || !at) throw new TypeError('three names are three paths');
  const commands = [
    () => seedFile({ env, dataDirectory }, file),
    () =>
      createOffline(
        { env, dataDirectory, at, onProgress: () => {} },
        { worlds: false, snapshots: false, keep: undefined },
      ),
    () => restore({ env, dataDirectory: elsewhere, at, onProgress: () => {} }, { id: undefined, withoutKeys: false }),
    () => check({ env, dataDirectory: elsewhere, repair: true, isServed: false }),
  ];
  for (const command of commands) {
    process.umask(0o022);
    await command();
    expect(open(root)).toEqual([]);
  }
  expect(readdirSync(elsewhere)).toContain('platform.db');
});

test('a lock that others can read, as earlier versions made it, is no danger, and one that they can write is', () => {
  const directory = temporaryDirectory();
  lockDataDirectory(directory).release();
  const lock = path.join(directory, dataNames.lock);
  expect(statSync(lock).mode & 0o777).toBe(0o644);
  expect(looseModes(directory)).toEqual([]);
  chmodSync(lock, 0o666);
  expect(looseModes(directory)).toEqual([expect.objectContaining({ path: lock, mode: '666' })]);
});
