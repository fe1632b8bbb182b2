/**
 * Makes one file of a world, which works on another machine and in later versions. It holds everything that the world consists of,
 * with the key that opens its secrets: whoever has it can sign as each of its apps and people.
 */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { summarizeStore } from '../db/store-summary.ts';
import { isShared } from '../media/blobs/shared-blobs.ts';
import { packageVersion } from '../package-file.ts';
import { fileOf } from '../world/store-locations.ts';
import { storeNames } from '../world/world-options.ts';
import {
  FORMAT_VERSION,
  isWorldPath,
  neededFiles,
  type PackAbout,
  PackError,
  type PackedFile,
  type PackManifest,
} from './pack-manifest.ts';

/** Tables whose rows are counted for the manifest. */
const COUNTED = {
  platform: ['users', 'apps', 'posts', 'media'],
  production: ['accounts', 'campaigns', 'line_items'],
  sandbox: ['accounts', 'campaigns', 'line_items'],
};

/** Fast rather than small: stores compress well at any level. */
const LEVEL = 3;
const CHUNK_BYTES = 256 << 10;

/** A packed world that is about to be sent. */
export interface Pack {
  readonly manifest: PackManifest;
  /** The bytes. They are to be read to the end, or destroyed. */
  readonly stream: Readable;
}

/**
 * Packs the directory of a world that no process has open, such as a copy made by `copyWorld`. It may not change until the stream has ended.
 * Memory does not grow with the world, but for the list of its files.
 * @param about facts for the manifest
 * @throws PackError when something is missing, or media are in an object store
 */
export async function packWorld(directory: string, about: PackAbout = {}): Promise<Pack> {
  const missing = neededFiles.find((name) => !existsSync(path.join(directory, name)));
  if (missing !== undefined) throw new PackError(`There is no world in ${directory}: it lacks ${missing}.`);
  if (isShared(path.join(directory, 'media'))) {
    throw new PackError('The media of this world are objects in an object store, which a pack does not hold.');
  }
  const counts: Record<string, number> = {};
  const schemas = { platform: '', production: '', sandbox: '' };
  for (const name of storeNames) {
    const summary = await summarizeStore(path.join(directory, fileOf(name)), COUNTED[name]);
    schemas[name] = summary.migration;
    for (const [table, count] of Object.entries(summary.counts)) counts[`${name}.${table}`] = count;
  }
  const files: PackedFile[] = [];
  for (const name of await filesOf(directory)) files.push(await described(directory, name));
  const manifest: PackManifest = {
    format: 'broadside-world',
    format_version: FORMAT_VERSION,
    product_version: packageVersion(),
    schemas,
    world: about,
    counts,
    files,
  };
  const gzip = createGzip({ level: LEVEL, chunkSize: CHUNK_BYTES });
  pipeline(Readable.from(bytesOf(directory, manifest)), gzip).catch(() => {});
  return { manifest, stream: gzip };
}

async function* bytesOf(directory: string, manifest: PackManifest): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${JSON.stringify(manifest)}\n`);
  for (const { path: name, bytes } of manifest.files) {
    let read = 0;
    for await (const chunk of contentOf(directory, name)) {
      read += chunk.length;
      yield chunk;
    }
    if (read !== bytes) throw new PackError(`The file ${name} was changed while it was packed.`);
  }
}

function contentOf(directory: string, name: string): AsyncIterable<Uint8Array> {
  return createReadStream(path.join(directory, name), { highWaterMark: CHUNK_BYTES });
}

async function described(directory: string, name: string): Promise<PackedFile> {
  const hash = createHash('sha256');
  for await (const chunk of contentOf(directory, name)) hash.update(chunk);
  const { size } = await stat(path.join(directory, name));
  return { path: name, bytes: size, sha256: hash.digest('hex') };
}

async function filesOf(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .filter(isWorldPath)
    .sort();
}
