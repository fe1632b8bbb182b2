import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import {
  clearReplaced,
  decideReplacement,
  finishReplacement,
  listReplacement,
  makeReplacementRoot,
  replacementPlace,
  separatePart,
} from './replacement.ts';

/** What stands in the data directory before. */
const before = {
  'platform.db': 'old',
  'platform.db-wal': 'old',
  'ads-production.db': 'old',
  'ads-production.db-wal': 'old',
  'ads-sandbox.db': 'old',
  'ads-sandbox.db-shm': 'old',
  'stores.mark': 'old',
  'secret.key': 'old',
  'credentials.json': 'old',
  'members/log': 'old',
  'media/blobs': 'old',
  'operator.token': 'stays',
  'nonces/1': 'stays',
  'worlds/w1/platform.db': 'stays',
};

/** The world that takes the place: with another WAL, without a demo and without members. */
const next = {
  'platform.db': 'new',
  'ads-production.db': 'new',
  'ads-production.db-wal': 'new',
  'ads-sandbox.db': 'new',
  'secret.key': 'new',
  'ids.state': 'new',
  'media/blobs': 'new',
  // What opening it has left.
  'stores.mark': 'of another directory',
  'lock.db': 'of another directory',
  'nonces/1': 'of another directory',
};

const after = {
  'platform.db': 'new',
  'ads-production.db': 'new',
  'ads-production.db-wal': 'new',
  'ads-sandbox.db': 'new',
  'secret.key': 'new',
  'ids.state': 'new',
  'media/blobs': 'new',
  'operator.token': 'stays',
  'nonces/1': 'stays',
  'worlds/w1/platform.db': 'stays',
};

function write(directory: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(directory, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** The files of a data directory, but for those of replacements. */
function read(directory: string): Readonly<Record<string, string>> {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !path.relative(directory, file).startsWith('replacing'));
  return Object.fromEntries(entries.map((file) => [path.relative(directory, file), readFileSync(file, 'utf8')]));
}

/** @param removed names that are removed once they are listed */
async function decided(removed: readonly string[] = []): Promise<string> {
  const directory = temporaryDirectory();
  write(directory, before);
  makeReplacementRoot(directory);
  const made = replacementPlace(directory);
  write(made, next);
  await listReplacement(made);
  for (const name of removed) rmSync(path.join(made, name));
  // Until here nothing has happened, also for a process that starts now.
  finishReplacement(directory);
  expect(read(directory)).toEqual(before);
  await decideReplacement(directory, made);
  return directory;
}

/** Finishes a replacement after each number of changes after which it can be cut off, and holds what is there against what has to be. */
async function finishWhereverCut(
  decide: () => Promise<string>,
  whole: Readonly<Record<string, string>>,
): Promise<number> {
  for (let cut = 1; ; cut++) {
    const directory = await decide();
    let changes = 0;
    let isCut = false;
    try {
      finishReplacement(directory, () => {
        if (++changes === cut) throw new Error('cut off');
      });
    } catch {
      isCut = true;
      // A crash in the next start, too.
      try {
        finishReplacement(directory, () => {
          throw new Error('cut off again');
        });
      } catch {}
      finishReplacement(directory);
    }
    expect(read(directory), `cut off after ${cut} changes`).toEqual(whole);
    // The new world is written, and has files that the replacement did not.
    const written = { 'platform.db-wal': 'later', 'stores.mark': 'later', 'credentials.json': 'later' };
    write(directory, written);
    finishReplacement(directory);
    expect(read(directory)).toEqual({ ...whole, ...written });
    await clearReplaced(directory);
    expect(existsSync(path.join(directory, 'replacing'))).toBe(false);
    if (!isCut) return cut;
  }
}

test('a replacement is finished by the next start, wherever it was cut off, and the start after that changes nothing', async () => {
  expect(await finishWhereverCut(() => decided(), after)).toBeGreaterThan(15);
});

test('where SQLite has removed the WAL of the new store since it was listed, that of the old one does not stay beside it', async () => {
  const { 'ads-production.db-wal': gone, ...rest } = after;
  expect(gone).toBe('new');
  expect(await finishWhereverCut(() => decided(['ads-production.db-wal']), rest)).toBeGreaterThan(15);
});

test('what is not decided is removed, and what is decided is not', async () => {
  const directory = await decided();
  await clearReplaced(directory);
  finishReplacement(directory);
  expect(read(directory)).toEqual(after);
  write(replacementPlace(directory), next);
  await clearReplaced(directory);
  expect(existsSync(path.join(directory, 'replacing'))).toBe(false);
});

test('a part of the world that is a link is found', () => {
  const directory = temporaryDirectory();
  write(directory, { 'platform.db': 'old' });
  expect(separatePart(directory)).toBeUndefined();
  symlinkSync(temporaryDirectory(), path.join(directory, 'media'));
  expect(separatePart(directory)).toBe('media');
});
