/** Makes a backup: a copy of each world at one instant, written to a place together with the media that are not there yet. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { dataNames } from '../data-names.ts';
import { summarizeStore } from '../db/store-summary.ts';
import { packageVersion } from '../package-file.ts';
import { randomText, systemRandom } from '../world/random.ts';
import { fileOf, nameOfStore } from '../world/store-locations.ts';
import { storeNames } from '../world/world-options.ts';
import { lackingShard, shardsIn } from './backed-up-shards.ts';
import {
  type BackedUpFile,
  type BackedUpWorld,
  BackupError,
  type BackupManifest,
  FORMAT_VERSION,
  isPlainPath,
  readManifest,
} from './manifest.ts';
import { Measure } from './measure.ts';
import { MediaBackup } from './media-backup.ts';
import type { BackupPlace, BackupWriter } from './place.ts';
import { keepLatest } from './retention.ts';
import { type SecretFiles, sealSecrets } from './sealed.ts';
import { readSecrets, type WorldSource } from './world-source.ts';

/** How far a backup has got, in bytes of what is known to be written. */
export interface BackupProgress {
  readonly done: number;
  readonly total: number;
}

/** What {@link createBackup} takes. */
export interface BackupOptions {
  readonly place: BackupPlace;
  /** The worlds, the default one first. */
  readonly sources: AsyncIterable<WorldSource> | Iterable<WorldSource>;
  /** A directory for copies, which is made and removed; best on the file system of the data directory. */
  readonly scratch: string;
  /** Seals keys and credentials; without it they are left out. */
  readonly passphrase: string | undefined;
  /** Secrets of the place, such as the operator's token. */
  readonly secrets: SecretFiles;
  /** Removes older backups beyond so many, once this one is there. */
  readonly keep: number | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onProgress: (progress: BackupProgress) => void;
}

/** A backup that is there. */
export interface MadeBackup {
  readonly manifest: BackupManifest;
  /** Media that were not at the place before, and their bytes. */
  readonly new_media: number;
  readonly new_media_bytes: number;
  /** Ids of backups that were removed. */
  readonly removed: readonly string[];
}

/** Tables whose rows are counted for the manifest. */
const COUNTED = {
  platform: ['users', 'apps', 'posts', 'media'],
  production: ['accounts', 'campaigns', 'line_items'],
  sandbox: ['accounts', 'campaigns', 'line_items'],
};

/**
 * Makes a backup. It exists once this resolves; after a crash before that, or where this rejects, it does not, and earlier ones are as they were.
 * @throws BackupError, RemoteStoreError, the error of the file system or of the object store
 */
export async function createBackup(options: BackupOptions): Promise<MadeBackup> {
  const { place, now } = options;
  await place.tidy();
  // What a process has left that ended in a copy.
  await rm(options.scratch, { recursive: true, force: true });
  const last = (await place.list()).at(-1);
  const latest = last === undefined ? undefined : await manifestIn(place, last);
  const id = idOf(now(), last);
  const writer = await place.begin(id);
  const making = new Making(options, writer, new MediaBackup(place, latest));
  let manifest: BackupManifest;
  try {
    manifest = await making.all(id, latest);
    await writer.finish(`${JSON.stringify(manifest, null, 1)}\n`);
  } catch (error) {
    // What cannot be removed now, the next backup removes.
    await writer.abandon().catch(() => {});
    throw error;
  } finally {
    await rm(options.scratch, { recursive: true, force: true });
  }
  const removed = options.keep === undefined ? [] : await keepLatest(place, options.keep, id);
  return { manifest, new_media: making.media.added.count, new_media_bytes: making.media.added.bytes, removed };
}

/** The state of one backup that is being made. */
class Making {
  readonly media: MediaBackup;
  readonly #options: BackupOptions;
  readonly #writer: BackupWriter;
  #parts = 0;
  #done = 0;
  #total = 0;
  #platform = '';

  constructor(options: BackupOptions, writer: BackupWriter, media: MediaBackup) {
    this.#options = options;
    this.#writer = writer;
    this.media = media;
  }

  async all(id: string, latest: BackupManifest | undefined): Promise<BackupManifest> {
    const { passphrase, sources, now } = this.#options;
    const worlds: BackedUpWorld[] = [];
    let instant_ms = 0;
    let secrets = this.#options.secrets;
    for await (const source of sources) {
      // Before the copy: what was acknowledged until then is in it.
      if (worlds.length === 0) instant_ms = now();
      const directory = path.join(this.#options.scratch, `world-${worlds.length}`);
      await source.copied(directory, async (objects) => {
        secrets = {
          ...(await readSecrets(directory, source.path, [dataNames.secretKey, dataNames.credentials])),
          ...secrets,
        };
        const facts = await this.#facts(directory);
        if (worlds.length === 0) this.#checkPlatform(latest);
        const files = await this.#files(directory, source.path);
        const media = await this.media.save(directory, source.path, objects, (bytes, isDone) =>
          this.#count(bytes, isDone),
        );
        worlds.push({ path: source.path, ...facts, files, media });
      });
      await rm(directory, { recursive: true, force: true });
    }
    const sealed = passphrase === undefined ? undefined : await sealSecrets(secrets, passphrase, id);
    if (sealed) await this.#writer.put(this.#next('sealed'), piecesOf(sealed));
    return {
      format: 'broadside-backup',
      format_version: FORMAT_VERSION,
      id,
      product_version: packageVersion(),
      platform: this.#platform,
      instant_ms,
      sealed: sealed ? { bytes: sealed.length, sha256: createHash('sha256').update(sealed).digest('hex') } : null,
      worlds,
    };
  }

  /** What the stores hold. Afterwards each is one file. */
  async #facts(directory: string): Promise<Pick<BackedUpWorld, 'schemas' | 'counts'>> {
    const schemas = { platform: '', production: '', sandbox: '' };
    const counts: Record<string, number> = {};
    for (const name of storeNames) {
      const summary = await summarizeStore(path.join(directory, fileOf(name)), COUNTED[name]);
      schemas[name] = summary.migration;
      if (name === 'platform' && this.#platform === '') this.#platform = summary.platform;
      for (const [table, count] of Object.entries(summary.counts)) counts[`${name}.${table}`] = count;
    }
    for (const { environment, name, file } of await shardsIn(directory)) {
      const summary = await summarizeStore(file, COUNTED[environment]);
      for (const [table, count] of Object.entries(summary.counts))
        counts[`${nameOfStore(environment, name)}.${table}`] = count;
    }
    const lacking = await lackingShard(directory);
    if (lacking !== undefined) throw new BackupError(lacking);
    return { schemas, counts };
  }

  /** @throws BackupError where the place has backups of another platform, whose media would be taken for unused */
  #checkPlatform(latest: BackupManifest | undefined): void {
    if (latest === undefined || latest.platform === this.#platform) return;
    throw new BackupError(
      `${this.#options.place.label} holds backups of another platform. Each platform needs a directory or a prefix of its own.`,
    );
  }

  async #files(directory: string, world: string): Promise<BackedUpFile[]> {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    const names = entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
      .filter(isPlainPath)
      .sort();
    const sizes = await Promise.all(names.map(async (name) => (await stat(path.join(directory, name))).size));
    this.#count(
      sizes.reduce((sum, size) => sum + size, 0),
      false,
    );
    const files: BackedUpFile[] = [];
    for (const name of names) {
      const measure = new Measure(createReadStream(path.join(directory, name), { highWaterMark: 256 << 10 }), (bytes) =>
        this.#count(bytes, true),
      );
      await this.#writer.put(this.#next(path.posix.join(world, name)), measure.bytes());
      files.push({ path: name, bytes: measure.length, sha256: measure.sha256 });
    }
    return files;
  }

  #next(name: string) {
    return { index: this.#parts++, path: name };
  }

  #count(bytes: number, isDone: boolean): void {
    if (isDone) this.#done += bytes;
    else this.#total += bytes;
    this.#options.onProgress({ done: this.#done, total: this.#total });
  }
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** The manifest of the latest backup, for what is known of media. */
async function manifestIn(place: BackupPlace, id: string): Promise<BackupManifest | undefined> {
  const text = await place.manifest(id);
  return text === undefined ? undefined : readManifest(text, id);
}

/**
 * An id by the time to the second: ids are in the order of time as text.
 * @param last the latest id at the place. The new one is later, also when the clock was set back: the latest backup is the one that was made last
 */
function idOf(ms: number, last: string | undefined): string {
  const [, day, hour, minute, second] = /^(\d{4}-\d\d-\d\d)t(\d\d)-(\d\d)-(\d\d)z-/.exec(last ?? '') ?? [];
  const last_ms = Date.parse(`${day}T${hour}:${minute}:${second}Z`);
  const later_ms = Number.isNaN(last_ms) ? ms : Math.max(ms, last_ms + 1000);
  const time = new Date(later_ms).toISOString().slice(0, 19).replaceAll(':', '-').toLowerCase();
  return `${time}z-${randomText(systemRandom, 4, 'abcdefghijklmnopqrstuvwxyz0123456789')}`;
}
