import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { copyIfThere, syncAll } from './copy-file.ts';

const ROUNDS = 200;

/** Runs a work on files in a directory while the last of them is removed, often enough for that to come at each moment of it. */
async function whileOneGoes(work: (directory: string, files: readonly string[]) => Promise<unknown>): Promise<void> {
  const root = temporaryDirectory();
  for (let round = 0; round < ROUNDS; round++) {
    const directory = path.join(root, String(round));
    mkdirSync(directory);
    const files = Array.from({ length: 4 }, (_, i) => path.join(directory, `platform.db-${i}`));
    for (const file of files) writeFileSync(file, 'x');
    await Promise.all([work(directory, files), rm(files.at(-1) ?? '')]);
  }
}

test('files are put on disk while SQLite removes one that it has beside a database', async () => {
  await whileOneGoes((directory) => syncAll(directory));
});

test('a file that is removed before it could be copied is none', async () => {
  await whileOneGoes(async (directory, files) => {
    for (const file of files) await copyIfThere(file, `${file}-copy`);
    expect(files.slice(0, -1).every((file) => existsSync(`${file}-copy`))).toBe(true);
    await syncAll(directory);
  });
});

test('what cannot be written is reported', async () => {
  const file = path.join(temporaryDirectory(), 'platform.db');
  writeFileSync(file, 'x');
  await expect(copyIfThere(file, path.join(file, '..', 'not', 'there'))).rejects.toThrow('ENOENT');
});
