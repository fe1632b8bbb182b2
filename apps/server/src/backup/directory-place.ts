import { createReadStream, existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { isMissing, syncNames, writeWhole } from '../copies/copy-file.ts';
import { errorCode } from '../error-text.ts';
import { makeDirectory } from '../world/data-directory.ts';
import { BackupError } from './manifest.ts';
import type { BackupPlace, BackupWriter, Bytes, PartName } from './place.ts';

/** A backup that is being made is called so, and one that is being removed. */
const MAKING = '.making-';
const REMOVED = '.removed-';
const MEDIA = 'media';
const MANIFEST = 'manifest.json';
/** A medium that is being written. */
const INCOMING = 'incoming-';

/**
 * Backups in a directory, readable by its owner only: `<id>/manifest.json` and the files of the data directory in `<id>`, media in
 * `media/<first two digits>/<SHA-256>`.
 */
export class DirectoryPlace implements BackupPlace {
  readonly label: string;
  readonly #root: string;
  #written = 0;

  constructor(directory: string) {
    this.#root = path.resolve(directory);
    this.label = this.#root;
  }

  async list(): Promise<string[]> {
    const names = (await namesIn(this.#root)).filter((name) => !name.startsWith('.') && name !== MEDIA);
    return names.filter((name) => existsSync(path.join(this.#root, name, MANIFEST))).sort();
  }

  async manifest(id: string): Promise<string | undefined> {
    try {
      return await readFile(path.join(this.#root, id, MANIFEST), 'utf8');
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async tidy(): Promise<void> {
    for (const name of await namesIn(this.#root)) {
      if (name.startsWith(MAKING) || name.startsWith(REMOVED)) await this.#delete(name);
    }
    for (const name of await namesIn(path.join(this.#root, MEDIA))) {
      if (name.startsWith(INCOMING)) await rm(path.join(this.#root, MEDIA, name), { force: true });
    }
  }

  async begin(id: string): Promise<BackupWriter> {
    makeDirectory(this.#root, 'directory of backups');
    const making = path.join(this.#root, MAKING + id);
    await mkdir(making, { mode: 0o700 });
    const folders = new Set([making]);
    return {
      put: async ({ path: name }, bytes) => {
        const file = path.join(making, name);
        await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
        for (let one = path.dirname(file); one !== making; one = path.dirname(one)) folders.add(one);
        await writeStream(file, bytes);
      },
      finish: async (manifest) => {
        // Media first: the names of all that the manifest refers to.
        for (const folder of await foldersBelow(path.join(this.#root, MEDIA))) await syncNames(folder);
        const file = path.join(making, MANIFEST);
        await writeWhole(file, manifest);
        await syncNames(file);
        for (const folder of folders) await syncNames(folder);
        await rename(making, path.join(this.#root, id));
        await syncNames(this.#root);
      },
      abandon: () => rm(making, { recursive: true, force: true }),
    };
  }

  async open(id: string, { path: name }: PartName): Promise<Bytes> {
    return openFile(path.join(this.#root, id, name), `The backup ${id} lacks its part ${name}.`);
  }

  async remove(id: string): Promise<void> {
    await rename(path.join(this.#root, id), path.join(this.#root, REMOVED + id));
    await syncNames(this.#root);
    await this.#delete(REMOVED + id);
  }

  async mediumSize(sha256: string): Promise<number | undefined> {
    try {
      return (await stat(this.#mediumPath(sha256))).size;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async putMedium(sha256: string, bytes: Bytes): Promise<void> {
    const file = this.#mediumPath(sha256);
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    const incoming = path.join(this.#root, MEDIA, `${INCOMING}${process.pid}-${++this.#written}`);
    try {
      await writeStream(incoming, bytes);
      await rename(incoming, file);
    } finally {
      await rm(incoming, { force: true });
    }
  }

  async openMedium(sha256: string): Promise<Bytes> {
    return openFile(this.#mediumPath(sha256), `The medium ${sha256} is missing.`);
  }

  async *listMedia(): AsyncGenerator<string> {
    for (const folder of await foldersBelow(path.join(this.#root, MEDIA))) {
      for (const name of await namesIn(folder)) if (/^[0-9a-f]{64}$/.test(name)) yield name;
    }
  }

  async removeMedium(sha256: string): Promise<void> {
    await rm(this.#mediumPath(sha256), { force: true });
  }

  #mediumPath(sha256: string): string {
    return path.join(this.#root, MEDIA, sha256.slice(0, 2), sha256);
  }

  async #delete(name: string): Promise<void> {
    await rm(path.join(this.#root, name), { recursive: true, force: true });
  }
}

/** Writes a new file and puts it on disk, but for its name. */
export async function writeStream(file: string, bytes: Bytes): Promise<void> {
  const target = await open(file, 'wx', 0o600);
  try {
    for await (const piece of bytes) {
      for (let at = 0; at < piece.byteLength; ) at += (await target.write(piece, at)).bytesWritten;
    }
    await target.sync();
  } finally {
    await target.close();
  }
}

async function openFile(file: string, otherwise: string): Promise<Bytes> {
  if (!existsSync(file)) throw new BackupError(otherwise);
  return createReadStream(file, { highWaterMark: 256 << 10 });
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (isMissing(error)) return [];
    const isFile = errorCode(error) === 'ENOTDIR';
    throw isFile ? new BackupError(`${directory} is a file; backups are in a directory.`) : error;
  }
}

/** A directory and those in it, if it is there. */
async function foldersBelow(directory: string): Promise<string[]> {
  if (!existsSync(directory)) return [];
  const entries = await readdir(directory, { withFileTypes: true });
  return [directory, ...entries.filter((one) => one.isDirectory()).map(({ name }) => path.join(directory, name))];
}
