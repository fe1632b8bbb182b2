/** The worlds that a data directory has beside the default one: which there are, where each lies, and how one takes its place. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { syncAll, syncNames } from '../copies/copy-file.ts';
import { copyClosedWorld } from '../copies/copy-world.ts';
import { makeDurable } from '../copies/durable-directory.ts';
import { dataNames } from '../data-names.ts';
import { fileOf } from '../world/store-locations.ts';
import { readWorldFile, type WorldFile, writeWorldFile } from './world-file.ts';

/** Names of directories beside those of worlds: one that takes the place of a world, and what it was. */
const READY = '.ready-';
const OLD = '.old-';

/** Worlds in `worlds/<id>`, by id. */
export class WorldDirectories {
  readonly #root: string;
  readonly #known = new Map<string, WorldFile>();

  /** Finds the worlds that are there, and removes what an earlier process left of others. */
  constructor(dataDirectory: string) {
    this.#root = path.join(dataDirectory, dataNames.worlds);
    recover(this.#root);
    for (const id of namesIn(this.#root)) {
      const file = readWorldFile(this.of(id));
      // What has no file was being made, or deleted, when a process ended.
      if (file) this.#known.set(id, file);
      else rmSync(this.of(id), { recursive: true, force: true });
    }
  }

  /** The number of worlds. */
  get size(): number {
    return this.#known.size;
  }

  /** The directory of a world. */
  of(id: string): string {
    return path.join(this.#root, id);
  }

  /** Returns whether there is a world. */
  has(id: string): boolean {
    return this.#known.has(id);
  }

  /** Returns whether an id is that of a world, or was and has left something. */
  isTaken(id: string): boolean {
    return this.#known.has(id) || existsSync(this.of(id));
  }

  /** Returns what a world is; `undefined` if there is none of this id. */
  get(id: string): WorldFile | undefined {
    return this.#known.get(id);
  }

  /** Lists the worlds, the oldest first. */
  list(): readonly WorldFile[] {
    return [...this.#known.values()].sort((one, other) => one.created_ms - other.created_ms);
  }

  /** Returns whether the place in which a world lives has been made. */
  isFilled(id: string): boolean {
    return existsSync(path.join(this.of(id), fileOf('platform')));
  }

  /** Makes a world exist. Durable when it resolves. The place in which it lives is made when it is first opened. */
  async add(file: WorldFile): Promise<void> {
    const place = this.of(file.id);
    await makeDurable(this.#root);
    mkdirSync(place, { recursive: true, mode: 0o700 });
    await writeWorldFile(place, file);
    await syncAll(place);
    await syncNames(this.#root);
    this.#known.set(file.id, file);
  }

  /** Makes a world exist no more: no request finds it, nor does a start. Its files stay until {@link remove}. */
  forget(id: string): void {
    this.#known.delete(id);
    rmSync(path.join(this.of(id), 'world.json'), { force: true });
  }

  /** Removes the files of a world. */
  async remove(id: string): Promise<void> {
    // What it was first: a start takes that for the world where there is none in its place.
    await rm(path.join(this.#root, `${OLD}${id}`), { recursive: true, force: true });
    await rm(this.of(id), { recursive: true, force: true });
  }

  /**
   * Puts a copy of a closed world in the place of one that is not open. A crash leaves one or the other.
   * @param prepare works on the copy before it takes the place
   */
  async replace(file: WorldFile, source: string, prepare: (made: string) => Promise<void>): Promise<void> {
    const { id } = file;
    const place = this.of(id);
    const ready = path.join(this.#root, `${READY}${id}`);
    const old = path.join(this.#root, `${OLD}${id}`);
    for (const left of [ready, old]) await rm(left, { recursive: true, force: true });
    await copyClosedWorld(source, ready, {
      prepare: async (made) => {
        await prepare(made);
        await writeWorldFile(made, file);
      },
    });
    await rename(place, old);
    try {
      await rename(ready, place);
    } catch (error) {
      await rename(old, place);
      throw error;
    }
    await syncNames(this.#root);
    await rm(old, { recursive: true, force: true });
  }
}

/** Brings to an end what an earlier process was replacing: the world is as before, or as after. */
function recover(root: string): void {
  for (const name of namesIn(root)) {
    if (!name.startsWith('.')) continue;
    const place = path.join(root, name.slice(OLD.length));
    if (name.startsWith(OLD) && !existsSync(place)) renameSync(path.join(root, name), place);
    else rmSync(path.join(root, name), { recursive: true, force: true });
  }
}

function namesIn(directory: string): readonly string[] {
  return existsSync(directory) ? readdirSync(directory) : [];
}
