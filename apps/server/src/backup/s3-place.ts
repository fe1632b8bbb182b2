import { Buffer } from 'node:buffer';
import { BlobNotFoundError } from '../media/blobs/blob-store.ts';
import { S3Client, type S3Credentials } from '../media/blobs/s3-client.ts';
import type { S3Location } from '../media/blobs/s3-location.ts';
import { S3BlobStore } from '../media/blobs/s3-store.ts';
import { BackupError } from './manifest.ts';
import type { BackupPlace, BackupWriter, Bytes, PartName } from './place.ts';

const BACKUPS = 'backups/';
const MEDIA = 'media/';

/**
 * Backups in an S3-compatible store: `backups/<id>/manifest.json`, parts by their number beside it, and `media/<SHA-256>`. Objects appear whole, and
 * a backup with its manifest.
 */
export class S3Place implements BackupPlace {
  readonly label: string;
  readonly #client: S3Client;
  readonly #objects: S3BlobStore;

  constructor(label: string, location: S3Location, credentials: S3Credentials) {
    this.label = label;
    this.#client = new S3Client(location, credentials);
    this.#objects = new S3BlobStore(location, credentials);
  }

  async list(): Promise<string[]> {
    return [...(await this.#all())].flatMap(([id, keys]) => (keys.includes(manifestKey(id)) ? [id] : [])).sort();
  }

  async manifest(id: string): Promise<string | undefined> {
    try {
      const pieces: Uint8Array[] = [];
      for await (const piece of (await this.#objects.open(manifestKey(id))).body) pieces.push(piece);
      return Buffer.concat(pieces).toString('utf8');
    } catch (error) {
      if (error instanceof BlobNotFoundError) return undefined;
      throw error;
    }
  }

  async tidy(): Promise<void> {
    for (const [id, keys] of await this.#all()) {
      if (keys.includes(manifestKey(id))) continue;
      for (const key of keys) await this.#objects.delete(key);
    }
  }

  async begin(id: string): Promise<BackupWriter> {
    const written: string[] = [];
    return {
      put: async (part, bytes) => {
        written.push(partKey(id, part));
        await this.#objects.put(partKey(id, part), bytes);
      },
      finish: async (manifest) => {
        await this.#objects.put(manifestKey(id), Buffer.from(manifest));
      },
      abandon: async () => {
        for (const key of written) await this.#objects.delete(key);
      },
    };
  }

  open(id: string, part: PartName): Promise<Bytes> {
    return this.#open(partKey(id, part), `The backup ${id} lacks its part ${part.path}.`);
  }

  async remove(id: string): Promise<void> {
    await this.#objects.delete(manifestKey(id));
    for (const key of (await this.#all()).get(id) ?? []) await this.#objects.delete(key);
  }

  mediumSize(sha256: string): Promise<number | undefined> {
    return this.#objects.size(MEDIA + sha256);
  }

  async putMedium(sha256: string, bytes: Bytes): Promise<void> {
    await this.#objects.put(MEDIA + sha256, bytes);
  }

  openMedium(sha256: string): Promise<Bytes> {
    return this.#open(MEDIA + sha256, `The medium ${sha256} is missing.`);
  }

  async *listMedia(): AsyncGenerator<string> {
    for await (const { key } of this.#client.list(MEDIA)) yield key.slice(MEDIA.length);
  }

  async removeMedium(sha256: string): Promise<void> {
    await this.#objects.delete(MEDIA + sha256);
  }

  async #open(key: string, otherwise: string): Promise<Bytes> {
    try {
      return (await this.#objects.open(key)).body;
    } catch (error) {
      if (error instanceof BlobNotFoundError) throw new BackupError(otherwise);
      throw error;
    }
  }

  /** The keys of backups, whole or not, by id. */
  async #all(): Promise<Map<string, string[]>> {
    const found = new Map<string, string[]>();
    for await (const { key } of this.#client.list(BACKUPS)) {
      const [id = ''] = key.slice(BACKUPS.length).split('/');
      const keys = found.get(id) ?? [];
      found.set(id, keys);
      keys.push(key);
    }
    return found;
  }
}

function manifestKey(id: string): string {
  return `${BACKUPS}${id}/manifest.json`;
}

/** By number: paths of files have letters in upper case, which keys have not. */
function partKey(id: string, { index }: PartName): string {
  return `${BACKUPS}${id}/part-${String(index).padStart(6, '0')}`;
}
