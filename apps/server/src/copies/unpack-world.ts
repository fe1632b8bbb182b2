/** Makes a world of a pack, which may come from anywhere: everything that it says of itself is held against what it is. */
import { createHash } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { lastMigrationOf } from '../world/store-schemas.ts';
import { storeNames } from '../world/world-options.ts';
import { syncNames } from './copy-file.ts';
import { appear, type CopyOptions } from './copy-world.ts';
import {
  FORMAT_VERSION,
  MOST_MANIFEST_BYTES,
  manifestSchema,
  neededFiles,
  PackError,
  type PackedFile,
  type PackManifest,
} from './pack-manifest.ts';

/** What a file of SQLite begins with. */
const SQLITE = 'SQLite format 3\0';

/** Options of {@link unpackWorld}. */
export interface UnpackOptions extends CopyOptions {
  /** The most bytes that all files together may have; 64 GB by default. */
  readonly most_bytes?: number | undefined;
  /** Called with what the pack says of itself, before its files are read. What it throws ends the unpacking. */
  readonly onManifest?: ((manifest: PackManifest) => void) | undefined;
}

/**
 * Makes the directory of a world from a pack. It appears as a whole, or not at all.
 * @param stream the bytes of the pack
 * @param target a directory that is not there yet
 * @throws PackError, with one sentence that says what is wrong with the pack; CopyTargetError, the error of the file system or of `prepare`
 */
export async function unpackWorld(
  stream: AsyncIterable<Uint8Array>,
  target: string,
  { most_bytes = 2 ** 36, onManifest, ...options }: UnpackOptions = {},
): Promise<PackManifest> {
  let manifest: PackManifest | undefined;
  await appear(target, options, async (directory) => {
    const source = Readable.from(stream, { objectMode: false });
    const gunzip = createGunzip();
    source.on('error', (error) => gunzip.destroy(error));
    const bytes = new ByteReader(source.pipe(gunzip));
    try {
      manifest = await readManifest(bytes, most_bytes);
      onManifest?.(manifest);
      for (const file of manifest.files) await unpackFile(bytes, directory, file);
      if (!(await bytes.isAtEnd())) throw new PackError('The pack goes on after the last file that it lists.');
      await syncFolders(directory, manifest.files);
    } catch (error) {
      throw packError(error);
    } finally {
      source.destroy();
      gunzip.destroy();
    }
  });
  if (manifest === undefined) throw new TypeError('a pack was taken without its manifest');
  return manifest;
}

async function readManifest(bytes: ByteReader, most: number): Promise<PackManifest> {
  const line = await bytes.line(MOST_MANIFEST_BYTES);
  const held = parsed(line);
  if (!isRecord(held) || held['format'] !== 'broadside-world') {
    throw new PackError('The file is not a packed world: it does not begin with a manifest.');
  }
  const { format_version, product_version } = held;
  if (typeof format_version === 'number' && format_version > FORMAT_VERSION) {
    throw new PackError(
      `The pack was made by a newer version (${String(product_version)}), in a format that this version does not know.`,
    );
  }
  const checked = manifestSchema.safeParse(held);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    throw new PackError(`The manifest of the pack is wrong at ${issue?.path.join('.')}: ${issue?.message}.`);
  }
  const manifest = checked.data;
  const names = new Set(manifest.files.map((file) => file.path));
  if (names.size < manifest.files.length) throw new PackError('The manifest of the pack lists a file twice.');
  const missing = neededFiles.find((name) => !names.has(name));
  if (missing !== undefined) throw new PackError(`The pack lacks the file ${missing}.`);
  const total = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
  if (total > most) throw new PackError(`The pack holds ${total} bytes, which is more than the ${most} allowed.`);
  for (const name of storeNames) {
    if (manifest.schemas[name] > lastMigrationOf(name)) {
      throw new PackError(
        `The pack was made by a newer version (${manifest.product_version}): its store ${name} has the schema ${manifest.schemas[name]}, which this version does not know.`,
      );
    }
  }
  return manifest;
}

async function unpackFile(bytes: ByteReader, directory: string, file: PackedFile): Promise<void> {
  const to = path.join(directory, file.path);
  await mkdir(path.dirname(to), { recursive: true, mode: 0o700 });
  const hash = createHash('sha256');
  const target = await open(to, 'wx', 0o600);
  try {
    let begin = '';
    for await (const piece of bytes.next(file.bytes)) {
      if (begin.length < SQLITE.length) begin += piece.subarray(0, SQLITE.length).toString('latin1');
      hash.update(piece);
      for (let at = 0; at < piece.length; ) at += (await target.write(piece, at)).bytesWritten;
    }
    if (file.path.endsWith('.db') && !begin.startsWith(SQLITE)) {
      throw new PackError(`The file ${file.path} of the pack is not a database.`);
    }
    if (hash.digest('hex') !== file.sha256) {
      throw new PackError(`The file ${file.path} of the pack is damaged: its checksum is another one.`);
    }
    await target.sync();
  } finally {
    await target.close();
  }
}

async function syncFolders(directory: string, files: readonly PackedFile[]): Promise<void> {
  const folders = new Set<string>();
  for (const file of files) {
    for (let one = path.dirname(file.path); one !== '.'; one = path.dirname(one)) folders.add(one);
  }
  for (const folder of folders) await syncNames(path.join(directory, folder));
}

/** Reads a stream in pieces of chosen lengths. */
class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Buffer>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  /** Reads up to the next end of a line. @param most bytes */
  async line(most: number): Promise<string> {
    const pieces: Buffer[] = [];
    let length = 0;
    for (;;) {
      const chunk = await this.#chunk();
      if (chunk === undefined) throw truncated();
      const end = chunk.indexOf('\n');
      const piece = end < 0 ? chunk : chunk.subarray(0, end);
      length += piece.length;
      if (length > most) throw new PackError(`The manifest of the pack is longer than ${most} bytes.`);
      pieces.push(piece);
      if (end < 0) continue;
      this.#rest = chunk.subarray(end + 1);
      return Buffer.concat(pieces).toString('utf8');
    }
  }

  /** The next bytes, exactly so many. */
  async *next(count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0; ) {
      const chunk = await this.#chunk();
      if (chunk === undefined) throw truncated();
      const piece = chunk.subarray(0, left);
      this.#rest = chunk.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }

  async isAtEnd(): Promise<boolean> {
    return (await this.#chunk()) === undefined;
  }

  async #chunk(): Promise<Buffer | undefined> {
    if (this.#rest.length > 0) {
      const rest = this.#rest;
      this.#rest = Buffer.alloc(0);
      return rest;
    }
    const { done, value } = await this.#chunks.next();
    return done ? undefined : value;
  }
}

function truncated(): PackError {
  return new PackError('The pack ends too early: it was cut off.');
}

function packError(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  const { code } = error;
  if (code === 'Z_BUF_ERROR') return truncated();
  if (typeof code === 'string' && code.startsWith('Z_')) {
    return new PackError('The file is not a packed world, or is damaged: it cannot be decompressed.', { cause: error });
  }
  return error;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
