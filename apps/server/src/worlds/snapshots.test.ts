/** Snapshots that are deleted while they are read, and what is left of them by a crash. */
import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { systemRandom } from '../world/random.ts';
import { UnknownSnapshotError } from './errors.ts';
import { Snapshots } from './snapshots.ts';

const WORLD = 'w0000001';

/** Snapshots of which there is one, in a directory of a few files. */
function withOne() {
  const root = temporaryDirectory();
  const facts = { id: 's0000001', world_id: WORLD, name: 'one', created_ms: 1, bytes: 2 };
  const directory = path.join(root, 'snapshots', WORLD, facts.id);
  mkdirSync(directory, { recursive: true });
  writeFileSync(path.join(directory, 'platform.db'), 'x');
  writeFileSync(path.join(directory, 'snapshot.json'), JSON.stringify(facts));
  return { root, facts, directory, snapshots: new Snapshots(root, systemRandom) };
}

/** Lets what can be done on the disk meanwhile be done. */
async function aWhile(root: string): Promise<void> {
  for (let round = 0; round < 50; round++) await stat(root);
}

test('a snapshot stays until those who read it have ended, and nobody begins to read it any more', async () => {
  const { root, facts, directory, snapshots } = withOne();
  const read = Promise.withResolvers<void>();
  const log: string[] = [];
  const reading = snapshots.read(facts, async (place) => {
    await read.promise;
    log.push(...readdirSync(place).sort());
  });
  const deleting = snapshots.delete(facts.id).then(() => log.push('deleted'));
  expect(snapshots.list(WORLD)).toEqual([]);
  await expect(snapshots.read(facts, async () => {})).rejects.toThrow(UnknownSnapshotError);
  await aWhile(root);
  expect(existsSync(directory)).toBe(true);
  read.resolve();
  await Promise.all([reading, deleting]);
  expect(log).toEqual(['platform.db', 'snapshot.json', 'deleted']);
  expect(readdirSync(path.dirname(directory))).toEqual([]);
});

test('the snapshots of a deleted world stay until those who read them have ended', async () => {
  const { root, facts, directory, snapshots } = withOne();
  const read = Promise.withResolvers<void>();
  const reading = snapshots.read(facts, () => read.promise);
  const deleting = snapshots.deleteAll(WORLD);
  await aWhile(root);
  expect(existsSync(path.join(directory, 'platform.db'))).toBe(true);
  read.resolve();
  await Promise.all([reading, deleting]);
  expect(existsSync(path.dirname(directory))).toBe(false);
});

test('a reader that fails does not keep a snapshot', async () => {
  const { facts, directory, snapshots } = withOne();
  const failing = snapshots.read(facts, () => Promise.reject(new Error('no room')));
  const deleting = snapshots.delete(facts.id);
  await expect(failing).rejects.toThrow('no room');
  await deleting;
  expect(existsSync(directory)).toBe(false);
});

test('what a crash leaves of a snapshot that was being deleted is none, and is removed', async () => {
  const { root, facts, directory } = withOne();
  renameSync(directory, path.join(path.dirname(directory), `.deleted-${facts.id}`));
  const snapshots = new Snapshots(root, systemRandom);
  expect(snapshots.list(WORLD)).toEqual([]);
  snapshots.findUnfinished(() => true);
  await snapshots.removeUnfinished();
  expect(readdirSync(path.dirname(directory))).toEqual([]);
});

test('what has been begun since the start is not taken for what an earlier process has left', async () => {
  const { root, directory } = withOne();
  const of = (...names: string[]) => path.join(root, 'snapshots', ...names);
  const left = [of('w0000002', 'origin'), of(WORLD, '.making-s0000002-1')];
  const begun = [of('w0000003', '.making-origin-1'), of(WORLD, '.making-s0000003-1'), directory];
  for (const name of left) mkdirSync(name, { recursive: true });
  const snapshots = new Snapshots(root, systemRandom);
  snapshots.findUnfinished((id) => id === WORLD);
  for (const name of begun) mkdirSync(name, { recursive: true });
  await snapshots.removeUnfinished();
  expect(left.filter((name) => existsSync(name))).toEqual([]);
  expect(begun.filter((name) => existsSync(name))).toEqual(begun);
});
