/**
 * Directories of worlds as they are after their first start. Migrating and making a demo takes ten times as long as copying them, so
 * they are made once and kept below the temporary directory of the machine, for all processes and runs with the same code.
 */
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Random, SeededRandom, wallClock } from '@broadside/server';

/** The options that decide the content of the directory. */
export interface Recipe {
  readonly now: number;
  readonly seed: string;
  /** Base URLs, which posts of the demo link to. */
  readonly urls: Readonly<Record<string, string>>;
}

/** Makes a world in a directory, and closes it. */
export type Make = (directory: string, random: Random) => Promise<void>;

/** One that nobody has used for so long is removed. */
const STALE_MS = 86_400_000;
/** Tests with any number of seeds do not fill the disk: beyond this many, the one that was not used for longest is removed. */
const MOST = 40;

/** Beside the world's own files. */
const TAKEN = 'testkit.json';

/** Not copied: what belongs to the process that had it open. */
const LEFT_OUT = /^(lock\.db|server\.json|.*-shm)$/;

/**
 * Fills a directory.
 * @returns the source of randomness as it was after that, so that a copy goes on as the original would have
 */
export async function furnish(directory: string, recipe: Recipe, make: Make): Promise<SeededRandom> {
  const kept = keptDirectory(recipe);
  if (kept !== undefined && existsSync(kept)) {
    try {
      copy(kept, directory);
      return resumed(directory, recipe.seed);
    } catch (error) {
      // Another process may have removed it as stale between the two steps.
      if (existsSync(kept)) throw error;
    }
  }
  const random = new Counted(new SeededRandom(recipe.seed));
  if (kept === undefined) {
    await make(directory, random);
    writeFileSync(path.join(directory, TAKEN), JSON.stringify({ bytes: random.taken }));
    return resumed(directory, recipe.seed);
  }
  const making = mkdtempSync(path.join(path.dirname(kept), 'making-'));
  try {
    await make(making, random);
    writeFileSync(path.join(making, TAKEN), JSON.stringify({ bytes: random.taken }));
    copy(making, directory);
    keep(making, kept);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
  return resumed(directory, recipe.seed);
}

/** Counts what is taken. */
class Counted implements Random {
  readonly #source: Random;
  taken = 0;

  constructor(source: Random) {
    this.#source = source;
  }

  bytes(length: number): Uint8Array {
    this.taken += length;
    return this.#source.bytes(length);
  }
}

function resumed(directory: string, seed: string): SeededRandom {
  const { bytes }: { bytes: number } = JSON.parse(readFileSync(path.join(directory, TAKEN), 'utf8'));
  const random = new SeededRandom(seed);
  random.bytes(bytes);
  return random;
}

function copy(from: string, to: string): void {
  cpSync(from, to, { recursive: true, filter: (file) => !LEFT_OUT.test(path.basename(file)) });
}

/** Makes a directory known to others as a whole; where another process was first, its own is as good. */
function keep(making: string, kept: string): void {
  try {
    renameSync(making, kept);
  } catch (error) {
    if (!existsSync(kept)) throw error;
  }
}

let looked: { readonly folder: string | undefined; readonly code: string } | undefined;

/** Returns the place at which the directory of a recipe is kept, or is to be; `undefined` where nothing can be. */
function keptDirectory(recipe: Recipe): string | undefined {
  looked ??= { folder: sharedFolder(), code: fingerprint() };
  const { folder, code } = looked;
  if (folder === undefined) return undefined;
  const name = createHash('sha256')
    .update(JSON.stringify([code, recipe]))
    .digest('hex')
    .slice(0, 32);
  const kept = path.join(folder, name);
  if (existsSync(kept)) {
    const now = wallClock.now() / 1000;
    utimesSync(kept, now, now);
    return kept;
  }
  removeLongestUnused(folder);
  return kept;
}

/** Makes room for one more. A process that copies from what is removed here makes its world anew. */
function removeLongestUnused(folder: string): void {
  const present = readdirSync(folder).map((name) => {
    const directory = path.join(folder, name);
    return { directory, used: statSync(directory, { throwIfNoEntry: false })?.mtimeMs ?? 0 };
  });
  const surplus = present.sort((a, b) => b.used - a.used).slice(MOST - 1);
  for (const { directory } of surplus) rmSync(directory, { recursive: true, force: true });
}

/** The folder of this user, without what has become stale. Another user could have made it, and chosen what tests start from. */
function sharedFolder(): string | undefined {
  const { uid } = userInfo();
  const folder = path.join(tmpdir(), `broadside-testkit-${uid}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const facts = lstatSync(folder);
    const isOwn = facts.isDirectory() && (uid === -1 || (facts.uid === uid && (facts.mode & 0o022) === 0));
    if (!isOwn) return undefined;
    for (const name of readdirSync(folder)) {
      const directory = path.join(folder, name);
      const used = statSync(directory, { throwIfNoEntry: false })?.mtimeMs ?? wallClock.now();
      if (wallClock.now() - used > STALE_MS) rmSync(directory, { recursive: true, force: true });
    }
    return folder;
  } catch {
    // No place to write: each world is made anew.
    return undefined;
  }
}

/** Changes with the code that makes worlds: the files of server and core, by their times and sizes. */
function fingerprint(): string {
  const hash = createHash('sha256').update(process.versions.node);
  for (const name of ['@broadside/server', '@broadside/core']) {
    const entry = fileURLToPath(import.meta.resolve(name));
    const root = path.dirname(path.dirname(entry));
    for (const folder of [path.basename(path.dirname(entry)), 'drizzle']) {
      for (const file of filesBelow(path.join(root, folder))) {
        const { size, mtimeMs } = statSync(file);
        hash.update(`${file} ${size} ${mtimeMs}\n`);
      }
    }
  }
  return hash.digest('hex');
}

/** Code and migrations; what it says to people is not read. */
function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:js|ts|sql|json)$/.test(name) && !/\.(?:test|d)\.ts$|_snapshot\.json$/.test(name))
    .sort()
    .map((name) => path.join(folder, name));
}
