/**
 * Snapshots of worlds: copies in `snapshots/<world>/<snapshot>` of the data directory, each with a `snapshot.json`. The copy named
 * `origin` is how the world began.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { copyWorld, removeUnfinished } from '../copies/copy-world.ts';
import { replaceFile } from '../members/durable-file.ts';
import { type Random, randomText } from '../world/random.ts';
import type { World } from '../world/world.ts';

/** Facts of a snapshot. The time is that of the machine, in milliseconds since the epoch. */
export interface SnapshotFile {
  readonly id: string;
  readonly world_id: string;
  readonly name: string;
  readonly created_ms: number;
  readonly bytes: number;
}

const ORIGIN = 'origin';
const ID_LENGTH = 8;
const LOWER_CASE = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** The snapshots of all worlds of a server. */
export class Snapshots {
  readonly #root: string;
  readonly #random: Random;
  #known: Map<string, SnapshotFile> | undefined;

  constructor(dataDirectory: string, random: Random) {
    this.#root = path.join(dataDirectory, 'snapshots');
    this.#random = random;
  }

  /** Removes what an earlier process left unfinished. @param isWorld tells whether there still is a world of an id */
  async tidy(isWorld: (id: string) => boolean): Promise<void> {
    for (const world_id of namesIn(this.#root)) {
      if (isWorld(world_id)) await removeUnfinished(path.join(this.#root, world_id));
      else await this.deleteAll(world_id);
    }
  }

  /** Lists the snapshots of a world, the oldest first. */
  list(world_id: string): readonly SnapshotFile[] {
    return [...this.#all().values()]
      .filter((snapshot) => snapshot.world_id === world_id)
      .sort((one, other) => one.created_ms - other.created_ms || (one.id < other.id ? -1 : 1));
  }

  /** Finds a snapshot of any world. */
  get(id: string): SnapshotFile | undefined {
    return this.#all().get(id);
  }

  /** The directory of a snapshot. */
  directoryOf({ world_id, id }: Pick<SnapshotFile, 'world_id' | 'id'>): string {
    return path.join(this.#root, world_id, id);
  }

  /** The directory with how a world began. */
  originOf(world_id: string): string {
    return path.join(this.#root, world_id, ORIGIN);
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
    await copyWorld(world, this.directoryOf({ world_id, id }), {
      prepare: async (directory) => {
        taken = { id, world_id, name, created_ms, bytes: bytesIn(directory) };
        replaceFile(path.join(directory, 'snapshot.json'), `${JSON.stringify(taken, null, 2)}\n`);
      },
    });
    if (!taken) throw new TypeError('a snapshot was not prepared');
    all.set(id, taken);
    return taken;
  }

  /** Deletes a snapshot. @returns what it was; `undefined` if there is none of this id */
  async delete(id: string): Promise<SnapshotFile | undefined> {
    const snapshot = this.get(id);
    if (!snapshot) return undefined;
    this.#all().delete(id);
    await rm(this.directoryOf(snapshot), { recursive: true, force: true });
    return snapshot;
  }

  /** Deletes all snapshots of a world, and how it began. */
  async deleteAll(world_id: string): Promise<void> {
    for (const { id } of this.list(world_id)) this.#all().delete(id);
    await rm(path.join(this.#root, world_id), { recursive: true, force: true });
  }

  #newId(all: ReadonlyMap<string, SnapshotFile>): string {
    for (;;) {
      const id = `s${randomText(this.#random, ID_LENGTH - 1, LOWER_CASE)}`;
      if (!all.has(id)) return id;
    }
  }

  #all(): Map<string, SnapshotFile> {
    this.#known ??= new Map(
      namesIn(this.#root)
        .flatMap((world_id) =>
          namesIn(path.join(this.#root, world_id)).flatMap(
            (id) => readSnapshot(path.join(this.#root, world_id, id)) ?? [],
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
