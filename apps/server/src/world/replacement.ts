/**
 * Replacing the world that lives in a data directory itself, by another one that was made whole in `replacing/ready` below it. From the
 * moment that this directory has its name, the replacement is decided: whoever opens the data directory next finishes it, however
 * often that is cut off. Before that moment nothing has happened.
 *
 * A list in the directory names what the new world consists of. An entry that is listed and no longer there has been moved to its place
 * already, so what stands there is the new one. What SQLite keeps beside a store goes by the file of that store instead: it may have been removed
 * since it was listed, when a connection that had been closed was collected as garbage. What belongs to the place and not to the world stays: the
 * lock, nonces, the operator's token, other worlds and snapshots.
 */
import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { syncNames, writeWhole } from '../copies/copy-file.ts';
import { dataNames } from '../data-names.ts';
import { syncDirectory } from '../members/durable-file.ts';
import { makeDirectory } from './data-directory.ts';
import { randomText, systemRandom } from './random.ts';
import { fileOf } from './store-locations.ts';
import { storeNames } from './world-options.ts';

const READY = 'ready';
const LIST = 'replacement.json';

/** The file of each store, and what SQLite keeps beside it. */
const STORES = storeNames.map((name) => {
  const file = fileOf(name);
  return { file, beside: [`${file}-wal`, `${file}-shm`] };
});

/** Names in a data directory that belong to its world, beside its stores. */
const OTHER_NAMES: readonly string[] = [
  dataNames.storeMarks,
  dataNames.secretKey,
  dataNames.credentials,
  dataNames.unfinishedDemo,
  dataNames.idState,
  dataNames.members,
  dataNames.media,
];

const WORLD_NAMES: readonly string[] = [...STORES.flatMap(({ file, beside }) => [file, ...beside]), ...OTHER_NAMES];

/** What a restored backup has beside its world. It is replaced only by what is listed. */
const BESIDE_NAMES: readonly string[] = [
  dataNames.worlds,
  dataNames.snapshots,
  dataNames.shards,
  dataNames.operatorToken,
  dataNames.restoredStores,
];

/** What is made anew for the stores that it stands beside, so that it never comes with them. */
const NOT_TAKEN: readonly string[] = [dataNames.storeMarks];

/**
 * Finds the part of a world that cannot be put aside by renaming it, since it is a symbolic link or a file system of its own.
 * @returns its name; `undefined` where all can
 */
export function separatePart(dataDirectory: string): string | undefined {
  const { dev } = statSync(dataDirectory);
  return WORLD_NAMES.find((name) => {
    const found = lstatSync(path.join(dataDirectory, name), { throwIfNoEntry: false });
    return found !== undefined && (found.isSymbolicLink() || found.dev !== dev);
  });
}

/** A name for a directory in which a replacement is made. It is not there yet. */
export function replacementPlace(dataDirectory: string): string {
  return path.join(dataDirectory, dataNames.replacing, `next-${randomText(systemRandom, 12)}`);
}

/** Notes in the directory of a copy what it consists of, once all of it is there. It is put on disk with the rest of the copy. */
export async function listReplacement(made: string): Promise<void> {
  const taken = [...WORLD_NAMES, ...BESIDE_NAMES].filter((name) => !NOT_TAKEN.includes(name));
  const names = (await readdir(made)).filter((name) => taken.includes(name));
  await writeWhole(path.join(made, LIST), `${JSON.stringify(names)}\n`);
}

/**
 * Decides for a replacement that is on disk, with its list. Nothing may have the world open any more.
 * @throws the error of the file system: then nothing has happened
 */
export async function decideReplacement(dataDirectory: string, made: string): Promise<void> {
  const directory = path.join(dataDirectory, dataNames.replacing);
  // What is left of an earlier one, whose list is gone.
  await rm(path.join(directory, READY), { recursive: true, force: true });
  await rename(made, path.join(directory, READY));
  await syncNames(directory);
}

/**
 * Puts the world that was decided for in its place; does nothing where there is none. Durable when it returns. The world that was there is left for
 * {@link clearReplaced}.
 * @param done called after each change, for tests that cut it off there
 * @throws the error of the file system: then it is to be called again, before the world is opened
 */
export function finishReplacement(dataDirectory: string, done = (): void => {}): void {
  const ready = path.join(dataDirectory, dataNames.replacing, READY);
  const listed = namesListed(ready);
  if (listed === undefined) return;
  const old = path.join(dataDirectory, dataNames.replacing, `old-${randomText(systemRandom, 12)}`);
  mkdirSync(old, { mode: 0o700 });
  const isMoved = (name: string) => listed.includes(name) && !isThere(path.join(ready, name));
  const putAside = (name: string) => {
    const place = path.join(dataDirectory, name);
    if (!isThere(place)) return;
    renameSync(place, path.join(old, name));
    done();
  };
  const putInPlace = (name: string) => {
    if (!listed.includes(name) || isMoved(name)) return;
    renameSync(path.join(ready, name), path.join(dataDirectory, name));
    done();
  };
  for (const { file, beside } of STORES) {
    const names = [file, ...beside];
    // An old WAL beside the new file would be read as part of it, also an empty one, whose old content may come back when power is lost.
    if (!isMoved(file)) for (const name of names) putAside(name);
    for (const name of names) putInPlace(name);
  }
  for (const name of [...OTHER_NAMES, ...BESIDE_NAMES.filter((beside) => listed.includes(beside))]) {
    if (isMoved(name)) continue;
    putAside(name);
    putInPlace(name);
  }
  syncDirectory(dataDirectory);
  rmSync(path.join(ready, LIST));
  // Otherwise a loss of power could bring the list back, and with it the end of what is written from now on.
  syncDirectory(ready);
}

/** Removes what replacements have left. To be called while none is being made. */
export async function clearReplaced(dataDirectory: string): Promise<void> {
  const directory = path.join(dataDirectory, dataNames.replacing);
  if (!existsSync(directory) || namesListed(path.join(directory, READY)) !== undefined) return;
  await rm(directory, { recursive: true, force: true });
}

/** Makes the directory in which replacements are made. */
export function makeReplacementRoot(dataDirectory: string): void {
  makeDirectory(path.join(dataDirectory, dataNames.replacing));
  syncDirectory(dataDirectory);
}

function namesListed(ready: string): readonly string[] | undefined {
  const list = path.join(ready, LIST);
  if (!existsSync(list)) return undefined;
  const names: unknown = JSON.parse(readFileSync(list, 'utf8'));
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string')) {
    throw new TypeError(`${list} is not what this server writes`);
  }
  return names;
}

function isThere(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}
