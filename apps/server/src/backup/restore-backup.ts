/** Puts a backup into an empty data directory. It is there as a whole, or not at all. */
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../config/config.ts';
import { syncAll, writeWhole } from '../copies/copy-file.ts';
import { dataNames } from '../data-names.ts';
import { lockDataDirectory } from '../db/data-lock.ts';
import { passOverNumbers } from '../db/pass-over-numbers.ts';
import { checkStoreFile } from '../db/store-check.ts';
import type { BlobStore } from '../media/blobs/blob-store.ts';
import { pathOfBlob } from '../media/blobs/disk-store.ts';
import { checkMediaOf } from '../servers/agreed-places.ts';
import { movePlatform } from '../servers/moved-platform.ts';
import { makeDirectory } from '../world/data-directory.ts';
import { environments } from '../world/environment.ts';
import { passOverIds } from '../world/id-state.ts';
import { randomText, systemRandom } from '../world/random.ts';
import {
  clearReplaced,
  decideReplacement,
  finishReplacement,
  listReplacement,
  makeReplacementRoot,
  replacementPlace,
} from '../world/replacement.ts';
import {
  forgetRestoredStores,
  noteRestoredStores,
  type RestoredStores,
  restoredStores,
} from '../world/restored-stores.ts';
import { fileOf } from '../world/store-locations.ts';
import { lastMigrationOf } from '../world/store-schemas.ts';
import { storeNames } from '../world/world-options.ts';
import { settingsFor } from './backed-up-shards.ts';
import type { BackupProgress } from './create-backup.ts';
import { writeStream } from './directory-place.ts';
import {
  type BackedUpMedium,
  type BackedUpWorld,
  BackupError,
  type BackupManifest,
  bytesOf,
  isSecretPath,
  shardOfPath,
} from './manifest.ts';
import { Measure } from './measure.ts';
import type { BackupPlace, Bytes } from './place.ts';
import { RestoredServers, type RestoreTarget, targetsOf } from './restored-servers.ts';
import { openSecrets, type SecretFiles } from './sealed.ts';
import { manifestOf, partsOf, textOf } from './verify-backup.ts';

/** What {@link restoreBackup} takes. */
export interface RestoreOptions {
  readonly place: BackupPlace;
  /** Id of the backup; the latest one when left out. */
  readonly id: string | undefined;
  /** A directory without data. Made where it is missing. */
  readonly dataDirectory: string;
  /** Opens what is sealed. */
  readonly passphrase: string | undefined;
  /** Restores although the keys are sealed and there is no passphrase: they have to be put there by hand. */
  readonly withoutKeys: boolean;
  /** Where the bytes of media of the default world are to be, unless as files in the data directory. */
  readonly objects: Pick<BlobStore, 'put' | 'size'> | undefined;
  /** The settings of the server that is to have it: stores and shards that they lead to on servers are filled. */
  readonly config: Pick<Config, 'stores' | 'shards' | 'media' | 'shared' | 'acceptWeakDurability'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onProgress: (progress: BackupProgress) => void;
}

/** What was restored. */
export interface RestoredBackup {
  readonly manifest: BackupManifest;
  /** Secrets that are there, by their path in the data directory. */
  readonly secrets: readonly string[];
  /** The settings without which a server on the directory does not start, by name: where its shards are. */
  readonly settings: Readonly<Record<string, string>>;
  /** The names of the stores that were restored onto servers, such as `platform` and `production/east`. */
  readonly servers: readonly string[];
}

/** Numbers of entities that are passed over: those that servers had taken in advance, and more than were used in the time since the instant. */
const PASSED_OVER = 1n << 20n;
const PASSED_OVER_A_MS = 4n;

/** Entries of a directory that has no data: those of a lock, of a restoring that was cut off, of an empty file system, and the id of the directory. */
const NOTHING = [dataNames.lock, `${dataNames.lock}-journal`, dataNames.replacing, 'lost+found', dataNames.serverId];

/**
 * Restores a backup. The directory has all of it once this resolves, and so have the stores on servers; after a crash before that it has nothing of it that
 * a server would open, and the same can be done again.
 * @throws BackupError, DataDirectoryInUseError, DataDirectoryError, DatabaseOpenError, SeveralServersError, errors of the file system or of the object store
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoredBackup> {
  const { config } = options;
  const manifest = await manifestOf(options.place, options.id);
  checkVersions(manifest);
  const dataDirectory = path.resolve(options.dataDirectory);
  const settings = settingsFor(manifest, dataDirectory, config);
  const targets = targetsOf(manifest, dataDirectory, config);
  if (targets.some(isPlatform)) checkMediaOf({ serving: { shares: config.shared !== undefined }, media: config.media });
  makeDirectory(dataDirectory);
  const lock = lockDataDirectory(dataDirectory);
  try {
    // One that was decided before it was cut off is there.
    finishReplacement(dataDirectory);
    const note = restoredStores(dataDirectory);
    if (note !== undefined) return await endRestoring(options, note, dataDirectory);
    checkEmpty(dataDirectory);
    await clearReplaced(dataDirectory);
    const secrets = await secretsOf(options, manifest);
    const token = randomText(systemRandom, 22);
    const servers = await RestoredServers.open(targets, config, token);
    try {
      await servers.begin();
      makeReplacementRoot(dataDirectory);
      const made = replacementPlace(dataDirectory);
      await new Restoring(options, { manifest, made, targets, servers }).all(secrets);
      if (targets.length > 0)
        await noteRestoredStores(made, { backup: manifest.id, token, stores: targets.map(nameOf) });
      await listReplacement(made);
      await syncAll(made);
      await decideReplacement(dataDirectory, made);
      finishReplacement(dataDirectory);
      await servers.end();
    } finally {
      await servers.close();
    }
    forgetRestoredStores(dataDirectory);
    await clearReplaced(dataDirectory);
    return { manifest, secrets: Object.keys(secrets).sort(), settings, servers: targets.map(nameOf) };
  } finally {
    lock.release();
  }
}

function nameOf({ name }: RestoreTarget): string {
  return name;
}

function isPlatform({ name }: RestoreTarget): boolean {
  return name === 'platform';
}

/** Ends a restoring that was cut off when all of it was there, but for what the stores say. */
async function endRestoring(
  options: RestoreOptions,
  { backup, token, stores }: RestoredStores,
  dataDirectory: string,
): Promise<RestoredBackup> {
  if (options.id !== undefined && options.id !== backup) {
    throw new BackupError(
      `The backup ${backup} has been restored into ${dataDirectory}, but for its last step. End that by --backup ${backup}, or restore into another directory and other stores.`,
    );
  }
  const manifest = await manifestOf(options.place, backup);
  const targets = targetsOf(manifest, dataDirectory, options.config);
  const lacking = stores.filter((name) => !targets.some((target) => target.name === name));
  if (lacking.length > 0) {
    throw new BackupError(
      `The backup ${backup} has been restored onto servers, but for its last step: set where ${lacking.join(', ')} ${lacking.length === 1 ? 'is' : 'are'}, as then, and repeat the command.`,
    );
  }
  const servers = await RestoredServers.open(targets, options.config, token);
  try {
    await servers.checkPlatform(manifest.platform);
    await servers.end();
  } finally {
    await servers.close();
  }
  forgetRestoredStores(dataDirectory);
  await clearReplaced(dataDirectory);
  const secrets = readdirSync(dataDirectory).filter(isSecretPath).sort();
  const settings = settingsFor(manifest, dataDirectory, options.config);
  return { manifest, secrets, settings, servers: targets.map(nameOf) };
}

/** @throws BackupError where a store is of a newer version than this one */
function checkVersions({ id, worlds, product_version }: BackupManifest): void {
  for (const world of worlds) {
    for (const name of storeNames) {
      if (world.schemas[name] <= lastMigrationOf(name)) continue;
      throw new BackupError(
        `The backup ${id} was made by a newer version (${product_version}): its store ${name} has the schema ${world.schemas[name]}, which this version does not know.`,
      );
    }
  }
}

function checkEmpty(dataDirectory: string): void {
  const held = readdirSync(dataDirectory).find((name) => !NOTHING.includes(name));
  if (held === undefined) return;
  throw new BackupError(
    `${dataDirectory} is not empty: it holds ${held}. A backup is restored into an empty directory; nothing was changed.`,
  );
}

async function secretsOf(options: RestoreOptions, manifest: BackupManifest): Promise<SecretFiles> {
  const { sealed } = partsOf(manifest);
  if (!sealed || options.withoutKeys) return {};
  if (options.passphrase === undefined) {
    throw new BackupError(
      'The keys in the backup are sealed: set BROADSIDE_BACKUP_PASSPHRASE to their passphrase, or leave them out with --without-keys.',
    );
  }
  const text = await textOf(await options.place.open(manifest.id, sealed.name));
  return openSecrets(text, options.passphrase, manifest.id);
}

/** What is made of a backup. */
interface Restored {
  readonly manifest: BackupManifest;
  /** The directory that it is made in. */
  readonly made: string;
  readonly targets: readonly RestoreTarget[];
  readonly servers: RestoredServers;
}

class Restoring {
  readonly #options: RestoreOptions;
  readonly #manifest: BackupManifest;
  readonly #made: string;
  readonly #targets: readonly RestoreTarget[];
  readonly #servers: RestoredServers;
  readonly #total: number;
  readonly #folders = new Set<string>();
  #done = 0;

  constructor(options: RestoreOptions, { manifest, made, targets, servers }: Restored) {
    this.#options = options;
    this.#manifest = manifest;
    this.#made = made;
    this.#targets = targets;
    this.#servers = servers;
    // What goes on to a server is written and read there once more.
    this.#total = targets.reduce((sum, { file }) => sum + 2 * this.#sizeOf(file), bytesOf(manifest));
  }

  async all(secrets: SecretFiles): Promise<void> {
    const { place } = this.#options;
    await mkdir(this.#made, { recursive: true, mode: 0o700 });
    for (const part of partsOf(this.#manifest).files) {
      const bytes = await place.open(this.#manifest.id, part.name);
      await this.#write(await this.#place(part.name.path), bytes, part.sha256, part.name.path);
    }
    for (const world of this.#manifest.worlds) await this.#stores(world);
    for (const world of this.#manifest.worlds) for (const medium of world.media) await this.#medium(world, medium);
    for (const [name, text] of Object.entries(secrets)) await writeWhole(await this.#place(name), text);
    await this.#passOverNumbers();
    // Ids that were handed out after the instant of the backup are not handed out again, as far as that can be known.
    await passOverIds(this.#made);
    await this.#onServers();
    for (const folder of this.#folders) await syncAll(folder);
  }

  /** Moves stores from the directory to servers. */
  async #onServers(): Promise<void> {
    if (this.#targets.some(isPlatform)) {
      const { dataDirectory, config } = this.#options;
      await movePlatform(path.join(this.#made, fileOf('platform')), { dataDirectory, media: config.media });
    }
    await this.#servers.fill(this.#made, ({ file }, part) => this.#count(part * this.#sizeOf(file)));
    for (const { file } of this.#targets)
      for (const end of ['', '-wal', '-shm']) await rm(path.join(this.#made, `${file}${end}`), { force: true });
    // Of shards none may be left.
    for (const folder of [...this.#folders].toSorted((a, b) => b.length - a.length)) {
      if (readdirSync(folder).length > 0) continue;
      await rm(folder, { recursive: true });
      this.#folders.delete(folder);
    }
  }

  #sizeOf(file: string): number {
    const [world] = this.#manifest.worlds.filter((one) => one.path === '');
    return world?.files.find((one) => one.path === file)?.bytes ?? 0;
  }

  /** The path of a file, whose directory is made. */
  async #place(name: string): Promise<string> {
    const file = path.join(this.#made, name);
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    for (let one = path.dirname(file); one !== this.#made; one = path.dirname(one)) this.#folders.add(one);
    return file;
  }

  async #stores(world: BackedUpWorld): Promise<void> {
    for (const name of storeNames) {
      const file = path.join(this.#made, world.path, fileOf(name));
      if (!existsSync(file))
        throw new BackupError(`The backup has no store ${fileOf(name)} of ${world.path || 'the default world'}.`);
      const { damage } = await checkStoreFile(file);
      if (damage.length > 0) throw new BackupError(`The store ${fileOf(name)} in the backup is damaged: ${damage[0]}`);
      for (const end of ['-wal', '-shm']) await rm(`${file}${end}`, { force: true });
    }
    for (const { path: name } of world.files.filter((one) => shardOfPath(one.path) !== undefined)) {
      const file = path.join(this.#made, world.path, name);
      const { damage } = await checkStoreFile(file);
      if (damage.length > 0) throw new BackupError(`The store ${name} in the backup is damaged: ${damage[0]}`);
      for (const end of ['-wal', '-shm']) await rm(`${file}${end}`, { force: true });
    }
  }

  /** Ids of entities that were handed out after the instant, on whichever shard, are not handed out again. */
  async #passOverNumbers(): Promise<void> {
    const elapsed_ms = Math.max(0, this.#options.now() - this.#manifest.instant_ms);
    const count = PASSED_OVER + BigInt(Math.ceil(elapsed_ms)) * PASSED_OVER_A_MS;
    for (const environment of environments) {
      const file = path.join(this.#made, fileOf(environment));
      await passOverNumbers(file, count);
      for (const end of ['-wal', '-shm']) await rm(`${file}${end}`, { force: true });
    }
  }

  async #medium({ path: world, files }: BackedUpWorld, { key, sha256, bytes }: BackedUpMedium): Promise<void> {
    const { place, objects } = this.#options;
    const isElsewhere = world === '' || files.some((file) => file.path === 'media/shared');
    if (!objects || !isElsewhere) {
      const file = await this.#place(path.posix.join(world, 'media', 'blobs', pathOfBlob(key)));
      await this.#write(file, await place.openMedium(sha256), sha256, key);
      return;
    }
    if ((await objects.size(key)) === bytes) return;
    const measure = this.#measure(await place.openMedium(sha256));
    await objects.put(key, measure.bytes());
    checkSum(measure, sha256, key);
  }

  async #write(file: string, bytes: Bytes, sha256: string, what: string): Promise<void> {
    const measure = this.#measure(bytes);
    await writeStream(file, measure.bytes());
    checkSum(measure, sha256, what);
  }

  #measure(bytes: Bytes): Measure {
    return new Measure(bytes, (length) => this.#count(length));
  }

  #count(bytes: number): void {
    this.#done += bytes;
    this.#options.onProgress({ done: Math.min(this.#done, this.#total), total: this.#total });
  }
}

function checkSum(measure: Measure, sha256: string, what: string): void {
  if (measure.sha256 === sha256) return;
  throw new BackupError(
    `${what} in the backup is damaged: its checksum is another one. Nothing was restored; try an earlier backup.`,
  );
}
