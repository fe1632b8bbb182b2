/** Places of worlds that are replaced: what is kept of the world that was there, and what is left by an attempt that failed. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { WorldDirectories } from './world-directories.ts';
import type { WorldFile } from './world-file.ts';

const file: WorldFile = {
  id: 'w0000001',
  name: 'one',
  origin: 'DEMO',
  origin_id: null,
  seed: null,
  created_ms: 1,
  expires_ms: null,
};

/** A world in its place, and another to replace it. */
async function withOne() {
  const root = temporaryDirectory();
  const worlds = new WorldDirectories(root);
  await worlds.add(file);
  const source = path.join(root, 'source');
  const place = worlds.of(file.id);
  for (const [directory, text] of [
    [source, 'new'],
    [place, 'old'],
  ] as const) {
    mkdirSync(path.join(directory, 'media', 'blobs'), { recursive: true });
    writeFileSync(path.join(directory, 'platform.db'), text);
  }
  const stored = () => readFileSync(path.join(place, 'platform.db'), 'utf8');
  return { root, worlds, source, place, stored, parent: path.dirname(place) };
}

const unchanged = () => Promise.resolve();

test('a world is replaced where an earlier replacement has left something', async () => {
  const { worlds, source, stored, parent } = await withOne();
  for (const left of ['.old-', '.ready-']) {
    mkdirSync(path.join(parent, `${left}${file.id}`));
    writeFileSync(path.join(parent, `${left}${file.id}`, 'platform.db'), 'left');
  }
  await worlds.replace(file, source, unchanged);
  expect(stored()).toBe('new');
  expect(readdirSync(parent)).toEqual([file.id]);
});

test('a replacement that cannot be made leaves the world as it was', async () => {
  const { root, worlds, source, stored } = await withOne();
  await expect(worlds.replace(file, source, () => Promise.reject(new Error('no room')))).rejects.toThrow('no room');
  expect(stored()).toBe('old');
  expect(new WorldDirectories(root).get(file.id)).toEqual(file);
});

test('what is left of a deleted world does not come back with the next start', async () => {
  const { root, worlds, place, parent } = await withOne();
  mkdirSync(path.join(parent, `.old-${file.id}`));
  writeFileSync(path.join(parent, `.old-${file.id}`, 'world.json'), JSON.stringify(file));
  worlds.forget(file.id);
  await worlds.remove(file.id);
  expect(existsSync(place)).toBe(false);
  expect(new WorldDirectories(root).list()).toEqual([]);
});
