/** Verifies that a backup can be restored: each part is what the manifest says, the stores are whole, and media that rows refer to are there. */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { openDatabase } from '../db/open-database.ts';
import { checkStoreFile } from '../db/store-check.ts';
import { blobKeys } from '../media/blob-keys.ts';
import { fileOf } from '../world/store-locations.ts';
import { storeNames } from '../world/world-options.ts';
import { misplacedIn } from './backed-up-shards.ts';
import type { BackupProgress } from './create-backup.ts';
import { writeStream } from './directory-place.ts';
import {
  type BackedUpWorld,
  BackupError,
  type BackupManifest,
  bytesOf,
  NoBackupError,
  readManifest,
} from './manifest.ts';
import { Measure } from './measure.ts';
import type { BackupPlace, Bytes, PartName } from './place.ts';
import { openSecrets } from './sealed.ts';

/** What {@link verifyBackup} takes. */
export interface VerifyOptions {
  readonly place: BackupPlace;
  /** Id of the backup. */
  readonly id: string;
  /** A directory for the stores, which is made and removed. */
  readonly scratch: string;
  /** Verifies that the sealed keys can be opened with it. */
  readonly passphrase: string | undefined;
  readonly onProgress: (progress: BackupProgress) => void;
}

/** What was found. */
export interface VerifiedBackup {
  readonly manifest: BackupManifest;
  /** One sentence for each thing that is wrong; none where the backup is whole. */
  readonly problems: readonly string[];
}

/** Finds the manifest of a backup. @param id of the backup; the latest one when left out @throws BackupError if there is none */
export async function manifestOf(place: BackupPlace, id?: string): Promise<BackupManifest> {
  const chosen = id ?? (await place.list()).at(-1);
  if (chosen === undefined) throw new NoBackupError(`There is no backup in ${place.label}.`);
  const text = /^[a-z0-9-]{1,60}$/.test(chosen) ? await place.manifest(chosen) : undefined;
  if (text === undefined)
    throw new NoBackupError(
      `There is no backup ${chosen} in ${place.label}. \`broadside backup list\` lists those there are.`,
    );
  return readManifest(text, chosen);
}

/** The parts of a backup, in the order of their numbers. */
export function partsOf({ worlds, sealed }: BackupManifest) {
  const files = worlds.flatMap((world) => world.files.map((file) => ({ ...file, world: world.path })));
  const parts = files.map((file, index) => ({
    ...file,
    name: { index, path: path.posix.join(file.world, file.path) },
  }));
  return { files: parts, sealed: sealed && { ...sealed, name: { index: files.length, path: 'sealed' } } };
}

/** Verifies a backup. @throws BackupError if there is none of this id, or its manifest cannot be read */
export async function verifyBackup(options: VerifyOptions): Promise<VerifiedBackup> {
  const manifest = await manifestOf(options.place, options.id);
  const verifying = new Verifying(options, manifest);
  await mkdir(options.scratch, { recursive: true, mode: 0o700 });
  try {
    await verifying.all();
  } finally {
    await rm(options.scratch, { recursive: true, force: true });
  }
  return { manifest, problems: verifying.problems };
}

class Verifying {
  readonly problems: string[] = [];
  readonly #options: VerifyOptions;
  readonly #manifest: BackupManifest;
  readonly #total: number;
  #done = 0;

  constructor(options: VerifyOptions, manifest: BackupManifest) {
    this.#options = options;
    this.#manifest = manifest;
    this.#total = bytesOf(manifest);
  }

  async all(): Promise<void> {
    const { files, sealed } = partsOf(this.#manifest);
    for (const world of this.#manifest.worlds) {
      for (const { path: name } of storeNames.map((store) => ({ path: fileOf(store) }))) {
        if (!world.files.some((file) => file.path === name))
          this.problems.push(`The world ${shown(world)} has no ${name}.`);
      }
    }
    for (const part of files) {
      const isStore = part.path.endsWith('.db');
      await this.#part(
        part.name,
        part,
        isStore ? path.join(this.#options.scratch, `${part.name.index}.db`) : undefined,
      );
    }
    if (sealed) await this.#sealed(sealed);
    await this.#media();
    for (const world of this.#manifest.worlds) await this.#stores(world);
  }

  async #part(name: PartName, said: { bytes: number; sha256: string }, copy: string | undefined): Promise<void> {
    try {
      const read = await this.#measured(await this.#options.place.open(this.#manifest.id, name), copy);
      if (read.sha256 !== said.sha256 || read.length !== said.bytes) {
        this.problems.push(`The part ${name.path} is damaged: its checksum is another one.`);
      }
    } catch (error) {
      this.#note(error);
    }
  }

  async #sealed(sealed: { name: PartName; bytes: number; sha256: string }): Promise<void> {
    const { place, passphrase } = this.#options;
    await this.#part(sealed.name, sealed, undefined);
    if (passphrase === undefined) return;
    try {
      await openSecrets(await textOf(await place.open(this.#manifest.id, sealed.name)), passphrase, this.#manifest.id);
    } catch (error) {
      this.#note(error);
    }
  }

  async #media(): Promise<void> {
    const seen = new Set<string>();
    for (const world of this.#manifest.worlds) {
      for (const { key, sha256 } of world.media) {
        if (seen.has(sha256)) continue;
        seen.add(sha256);
        try {
          const read = await this.#measured(await this.#options.place.openMedium(sha256), undefined);
          if (read.sha256 !== sha256)
            this.problems.push(`The medium ${key} (${sha256}) is damaged: its checksum is another one.`);
        } catch (error) {
          this.#note(error, `: ${key} of ${shown(world)}`);
        }
      }
    }
  }

  /** Opens the stores of a world, of which copies have been made. */
  async #stores(world: BackedUpWorld): Promise<void> {
    const { files } = partsOf(this.#manifest);
    let isDamaged = false;
    for (const part of files) {
      if (part.world !== world.path || !part.path.endsWith('.db')) continue;
      const file = path.join(this.#options.scratch, `${part.name.index}.db`);
      const { damage, foreign } = await checkStoreFile(file);
      for (const what of damage) this.problems.push(`The store ${part.name.path} is damaged: ${what}`);
      for (const { table, row, parent } of foreign) {
        this.problems.push(`The store ${part.name.path} has a row ${row} of ${table} without its ${parent}.`);
      }
      if (damage.length === 0 && part.path === fileOf('platform')) await this.#references(world, file);
      if (damage.length > 0) isDamaged = true;
    }
    if (!isDamaged) this.problems.push(...(await this.#accounts(world)));
  }

  /** Verifies that each account is whole in one store. */
  async #accounts(world: BackedUpWorld): Promise<readonly string[]> {
    const { files } = partsOf(this.#manifest);
    const stores = files.filter((part) => part.world === world.path && part.path.endsWith('.db'));
    const fileAt = new Map(
      stores.map(({ path: name, name: { index } }) => [name, path.join(this.#options.scratch, `${index}.db`)]),
    );
    return misplacedIn(fileAt);
  }

  async #references(world: BackedUpWorld, file: string): Promise<void> {
    const held = new Set(world.media.map(({ key }) => key));
    const database = await openDatabase(file);
    const keys = await blobKeys(database).finally(() => database.close());
    for (const [key, id] of keys) {
      if (!held.has(key))
        this.problems.push(`The bytes ${key} of the medium ${id} of ${shown(world)} are not in the backup.`);
    }
  }

  async #measured(bytes: Bytes, copy: string | undefined): Promise<Measure> {
    const { onProgress } = this.#options;
    const measure = new Measure(bytes, (length) => {
      this.#done += length;
      onProgress({ done: Math.min(this.#done, this.#total), total: this.#total });
    });
    if (copy !== undefined) await writeStream(copy, measure.bytes());
    else for await (const _ of measure.bytes());
    return measure;
  }

  #note(error: unknown, more = ''): void {
    if (!(error instanceof BackupError)) throw error;
    this.problems.push(more === '' ? error.message : `${error.message.replace(/\.$/, '')}${more}.`);
  }
}

/** A world for people. */
function shown(world: BackedUpWorld): string {
  return world.path === '' ? 'the default world' : world.path;
}

/** All of some bytes as text. */
export async function textOf(bytes: Bytes): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of bytes) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}
