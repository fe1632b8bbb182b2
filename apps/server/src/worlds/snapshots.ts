/**
 * Snapshots of worlds: copies in `snapshots/<world>/<snapshot>` of the data directory, each with a `snapshot.json`. The copy named
 * `origin` is how the world began.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { copyWorld, isUnfinishedCopy } from '../copies/copy-world.ts';
import { dataNames } from '../data-names.ts';
import { replaceFile, syncDirectory } from '../members/durable-file.ts';
import { type Random, randomText } from '../world/random.ts';
import type { World } from '../world/world.ts';
import { UnknownSnapshotError } from './errors.ts';

/** Facts of a snapshot. The time is that of the machine, in milliseconds since the epoch. */
export interface SnapshotFile {
  readonly id: string;
  readonly world_id: string;
  readonly name: string;
  readonly created_ms: number;
  readonly bytes: number;
}

const ORIGIN = 'origin';
/** A directory that is being removed is called so first: part of a snapshot is none. */
const DELETED = '.deleted-';
const ID_LENGTH = 8;
const LOWER_CASE = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** The snapshots of all worlds of a server. */
export class Snapshots {
  readonly #root: string;
  readonly #random: Random;
  #known: Map<string, SnapshotFile> | undefined;
  /** Directories that an earlier process has left. */
  #unfinished: readonly string[] = [];
  /** The world of each snapshot that is being taken, by its id. */
  readonly #taking = new Map<string, string>();
  /** Works that read the directory of a snapshot. */
  readonly #reading = new Map<string, Set<Promise<unknown>>>();

  constructor(dataDirectory: string, random: Random) {
    this.#root = path.join(dataDirectory, dataNames.snapshots);
    this.#random = random;
  }

  /**
   * Finds what an earlier process left unfinished. To be called before anything is made: what is being made looks the same.
   * @param isWorld tells whether there still is a world of an id
   */
  findUnfinished(isWorld: (id: string) => boolean): void {
    this.#unfinished = namesIn(this.#root).flatMap((world_id) => {
      const directory = path.join(this.#root, world_id);
      if (!isWorld(world_id)) return [directory];
      const left = namesIn(directory).filter((name) => name.startsWith(DELETED) || isUnfinishedCopy(name));
      return left.map((name) => path.join(directory, name));
    });
  }

  /** Removes what {@link findUnfinished} found. */
  async removeUnfinished(): Promise<void> {
    for (const directory of this.#unfinished) await rm(directory, { recursive: true, force: true });
    this.#unfinished = [];
  }

  /** Lists the snapshots of a world, the oldest first. */
  list(world_id: string): readonly SnapshotFile[] {
    return [...this.#all().values()]
      .filter((snapshot) => snapshot.world_id === world_id)
      .sort((one, other) => one.created_ms - other.created_ms || (one.id < other.id ? -1 : 1));
  }

  /** The number of snapshots of a world, with those that are being taken. */
  count(world_id: string): number {
    const all = this.#all();
    const begun = [...this.#taking].filter(([id, world]) => world === world_id && !all.has(id));
    return this.list(world_id).length + begun.length;
  }

  /** Finds a snapshot of any world. */
  get(id: string): SnapshotFile | undefined {
    return this.#all().get(id);
  }

  /**
   * Runs a work on the directory of a snapshot, which stays until it has ended.
   * @throws UnknownSnapshotError if there is no such snapshot any more
   */
  async read<Result>({ id, world_id }: SnapshotFile, work: (directory: string) => Promise<Result>): Promise<Result> {
    if (!this.get(id)) throw new UnknownSnapshotError(id);
    const working = work(this.#directoryOf({ id, world_id }));
    const reading = this.#reading.get(id) ?? new Set();
    this.#reading.set(id, reading.add(working));
    try {
      return await working;
    } finally {
      reading.delete(working);
      if (reading.size === 0) this.#reading.delete(id);
    }
  }

  #directoryOf({ world_id, id }: Pick<SnapshotFile, 'world_id' | 'id'>): string {
    return path.join(this.#root, world_id, id);
  }

  /** The directory with how a world began. */
  originOf(world_id: string): string {
    return path.join(this.#root, world_id, ORIGIN);
  }

  /** Returns whether it is known how a world began. */
  hasOrigin(world_id: string): boolean {
    return existsSync(this.originOf(world_id));
  }

  /** Takes a snapshot of an open world, which goes on serving. It exists once this resolves. */
  async take(
    world: World,
    facts: Pick<SnapshotFile, 'world_id' | 'created_ms'> & { name?: string | undefined },
  ): Promise<SnapshotFile> {
    const all = this.#all();
    const id = this.#newId(all);
    const { world_id, created_ms, name = id } = facts;
    let taken: SnapshotFile | undefined;
    this.#taking.set(id, world_id);
    try {
      await copyWorld(world, this.#directoryOf({ world_id, id }), {
        prepare: async (directory) => {
          taken = { id, world_id, name, created_ms, bytes: bytesIn(directory) };
          replaceFile(path.join(directory, 'snapshot.json'), `${JSON.stringify(taken, null, 2)}\n`);
        },
      });
      if (!taken) throw new TypeError('a snapshot was not prepared');
      all.set(id, taken);
      return taken;
    } finally {
      this.#taking.delete(id);
    }
  }

  /**
   * Deletes a snapshot, and waits for those who still read it. A crash leaves all of it or nothing.
   * @returns what it was; `undefined` if there is none of this id
   */
  async delete(id: string): Promise<SnapshotFile | undefined> {
    const snapshot = this.get(id);
    if (!snapshot) return undefined;
    this.#all().delete(id);
    await this.#unread(id);
    const directory = this.#directoryOf(snapshot);
    const deleted = path.join(path.dirname(directory), `${DELETED}${id}`);
    await rename(directory, deleted);
    syncDirectory(path.dirname(directory));
    await rm(deleted, { recursive: true, force: true });
    return snapshot;
  }

  /** Deletes all snapshots of a world, and how it began. */
  async deleteAll(world_id: string): Promise<void> {
    const ids = this.list(world_id).map(({ id }) => id);
    for (const id of ids) this.#all().delete(id);
    for (const id of ids) await this.#unread(id);
    await rm(path.join(this.#root, world_id), { recursive: true, force: true });
  }

  /** Waits until nobody reads a snapshot. */
  async #unread(id: string): Promise<void> {
    await Promise.allSettled(this.#reading.get(id) ?? []);
  }

  #newId(all: ReadonlyMap<string, SnapshotFile>): string {
    for (;;) {
      const id = `s${randomText(this.#random, ID_LENGTH - 1, LOWER_CASE)}`;
      if (!all.has(id) && !this.#taking.has(id)) return id;
    }
  }

  #all(): Map<string, SnapshotFile> {
    this.#known ??= new Map(
      namesIn(this.#root)
        .flatMap((world_id) =>
          namesIn(path.join(this.#root, world_id)).flatMap((id) =>
            id.startsWith('.') ? [] : (readSnapshot(path.join(this.#root, world_id, id)) ?? []),
          ),
        )
        .map((snapshot) => [snapshot.id, snapshot]),
    );
    return this.#known;
  }
}

function readSnapshot(directory: string): SnapshotFile | undefined {
  try {
    return JSON.parse(readFileSync(path.join(directory, 'snapshot.json'), 'utf8'));
  } catch {
    return undefined;
  }
}

function bytesIn(directory: string): number {
  let bytes = 0;
  for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) bytes += statSync(path.join(entry.parentPath, entry.name)).size;
  }
  return bytes;
}

function namesIn(directory: string): readonly string[] {
  return existsSync(directory) ? readdirSync(directory) : [];
}
