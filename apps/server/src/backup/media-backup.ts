/** The media of a backup: blobs never change, so only those are copied that the place does not have. */
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from '../copies/copy-file.ts';
import { openDatabase } from '../db/open-database.ts';
import { blobKeys } from '../media/blob-keys.ts';
import type { BlobStore } from '../media/blobs/blob-store.ts';
import { fileOf } from '../world/store-locations.ts';
import { type BackedUpMedium, BackupError, type BackupManifest } from './manifest.ts';
import { Measure } from './measure.ts';
import type { BackupPlace, Bytes } from './place.ts';

/** Told of bytes that are to be written, and then of those that are. */
type Count = (bytes: number, isDone: boolean) => void;

interface Found {
  readonly key: string;
  readonly bytes: number;
  readonly modified_ms: number | null;
  open(): Promise<Bytes>;
}

export class MediaBackup {
  readonly #place: BackupPlace;
  /** What the latest backup says of blobs, by world and key. */
  readonly #known = new Map<string, BackedUpMedium>();
  /** SHA-256 of what the place has for certain. */
  readonly #present = new Set<string>();
  readonly added = { count: 0, bytes: 0 };

  constructor(place: BackupPlace, latest: BackupManifest | undefined) {
    this.#place = place;
    for (const world of latest?.worlds ?? []) {
      for (const medium of world.media) this.#known.set(`${world.path}\n${medium.key}`, medium);
    }
  }

  /**
   * Has the place hold all media of a world.
   * @param directory of the copy of the world
   * @param world its path in the data directory
   * @param objects where the bytes are, unless they are files of the copy
   */
  async save(
    directory: string,
    world: string,
    objects: Pick<BlobStore, 'open' | 'size'> | undefined,
    count: Count,
  ): Promise<BackedUpMedium[]> {
    const media: BackedUpMedium[] = [];
    const found = objects ? objectsOf(directory, objects) : filesOf(path.join(directory, 'media', 'blobs'));
    for await (const one of found) media.push(await this.#one(one, world, count));
    return media.sort((one, other) => (one.key < other.key ? -1 : 1));
  }

  async #one(found: Found, world: string, count: Count): Promise<BackedUpMedium> {
    const { key, bytes, modified_ms } = found;
    const known = this.#known.get(`${world}\n${key}`);
    if (known?.bytes === bytes && known.modified_ms === modified_ms && (await this.#has(known.sha256, bytes)))
      return known;
    count(bytes, false);
    const read = new Measure(await found.open());
    for await (const _ of read.bytes());
    const { sha256, length } = read;
    if (await this.#has(sha256, length)) count(bytes, true);
    else await this.#add(found, sha256, length, count);
    return { key, bytes: length, sha256, modified_ms };
  }

  async #add(found: Found, sha256: string, length: number, count: Count): Promise<void> {
    const measure = new Measure(await found.open(), (bytes) => count(bytes, true));
    await this.#place.putMedium(sha256, measure.bytes());
    if (measure.sha256 !== sha256) {
      await this.#place.removeMedium(sha256);
      throw new BackupError(
        `The medium ${found.key} was read twice with different bytes: the disk it is on may be failing.`,
      );
    }
    this.#present.add(sha256);
    this.added.count += 1;
    this.added.bytes += length;
  }

  async #has(sha256: string, bytes: number): Promise<boolean> {
    if (this.#present.has(sha256)) return true;
    if ((await this.#place.mediumSize(sha256)) !== bytes) return false;
    this.#present.add(sha256);
    return true;
  }
}

/** Blobs in a directory, as `DiskBlobStore` names them. */
async function* filesOf(directory: string): AsyncGenerator<Found> {
  for (const file of await filesBelow(directory)) {
    const { size, mtimeMs } = await stat(file);
    const key = path.basename(file).replaceAll('+', '/');
    yield {
      key,
      bytes: size,
      modified_ms: mtimeMs,
      open: async () => createReadStream(file, { highWaterMark: 256 << 10 }),
    };
  }
}

async function filesBelow(directory: string): Promise<string[]> {
  try {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Objects that the rows of a copy refer to. One that is not there is left out: `verify` and `check` name it. */
async function* objectsOf(directory: string, objects: Pick<BlobStore, 'open' | 'size'>): AsyncGenerator<Found> {
  const database = await openDatabase(path.join(directory, fileOf('platform')));
  const keys = await blobKeys(database).finally(() => database.close());
  for (const key of keys.keys()) {
    const bytes = await objects.size(key);
    if (bytes === undefined) continue;
    yield { key, bytes, modified_ms: null, open: async () => (await objects.open(key)).body };
  }
}
