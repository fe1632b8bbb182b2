/**
 * Copies of files, which never hold the event loop, and which share blocks or the file itself where the file system can. What is written is
 * not on disk yet: {@link syncFile}, or {@link syncAll} for several, puts it there.
 */
import { spawn } from 'node:child_process';
import { close, constants, existsSync, fsync, linkSync, open as openFile } from 'node:fs';
import { chmod, copyFile, type FileHandle, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { FilePart } from '../db/store-files.ts';
import { errorCode } from '../error-text.ts';
import { readAt } from './read-at.ts';

/** Bytes that are read and written at once. */
const SLICE_BYTES = 1 << 20;
/** Slices that are kept for the next copy: new ones cost more than what is done with them. */
const MOST_SLICES = 4;
/** So many bytes are synced at once: more would hold up whoever else syncs meanwhile. */
const SYNC_BYTES = 1 << 20;
/** A smaller file is copied at once: that takes less time than to go about it in slices, or by another process. */
const CLONE_BYTES = 4 << 20;

/**
 * Copies a file that a database of this process has open, and that stays as it is.
 * @param to is not there yet
 */
export async function copyOpenFile({ path: from, descriptor, bytes }: FilePart, to: string): Promise<void> {
  if (bytes >= CLONE_BYTES && (await cloneBeside(from, to))) return;
  await copyBytes(descriptor, bytes, to);
}

/** Copies a file that no database of this process has open. */
export async function copyWhole(from: string, to: string): Promise<void> {
  const { size, mode } = await stat(from);
  if (size < CLONE_BYTES) {
    await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    if ((mode & 0o077) !== 0) await chmod(to, 0o600);
    return;
  }
  if (await cloneHere(from, to)) return;
  const handle = await open(from, 'r');
  try {
    await copyBytes(handle.fd, size, to);
  } finally {
    await handle.close();
  }
}

/** Writes a new file, readable by its owner only. */
export async function writeWhole(file: string, text: string): Promise<void> {
  await writeFile(file, text, { flag: 'wx', mode: 0o600 });
}

/** Makes the names in a directory durable. */
export async function syncNames(directory: string): Promise<void> {
  // Windows neither opens directories nor needs it.
  if (process.platform !== 'win32') await syncFile(directory);
}

/** Gives a file that is never written again a second name. @returns false where that cannot be done, as across file systems */
export function canLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (isMissing(error)) throw error;
    return false;
  }
}

/** Returns whether a file was not there. */
export function isMissing(error: unknown): boolean {
  return errorCode(error) === 'ENOENT';
}

/** Puts a file or the names in a directory on disk. */
export async function syncFile(file: string): Promise<void> {
  const descriptor = await descriptors.open(file, 'r');
  try {
    await descriptors.fsync(descriptor);
  } finally {
    await descriptors.close(descriptor);
  }
}

/**
 * Puts the files in a directory on disk, and their names; not what is in directories below it. A file may be removed meanwhile: SQLite removes
 * what it has beside a database when the last statement of a closed connection is collected as garbage.
 */
export async function syncAll(directory: string): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => path.join(directory, name));
  // At once, so that the file system can put them into one commit of its journal.
  await Promise.all(files.map((file) => unlessRemoved(file, () => syncFile(file))));
  await syncNames(directory);
}

/** Copies a file that no database of this process has open, if it is there and stays until it is copied. */
export async function copyIfThere(from: string, to: string): Promise<void> {
  if (existsSync(from)) await unlessRemoved(from, () => copyWhole(from, to));
}

async function unlessRemoved(file: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isMissing(error) || existsSync(file)) throw error;
  }
}

/** Cheaper than file handles, of which there would be many. */
const descriptors = {
  open: promisify<string, string, number>(openFile),
  fsync: promisify(fsync),
  close: promisify(close),
};

const slices: Buffer[] = [];

/** Copies the beginning of an open file, which may go on. */
export async function copyBytes(descriptor: number, bytes: number, to: string): Promise<void> {
  const target = await open(to, 'wx', 0o600);
  const slice = slices.pop() ?? Buffer.allocUnsafeSlow(SLICE_BYTES);
  try {
    let unsynced = 0;
    for (let at = 0; at < bytes; ) {
      const length = await readAt(descriptor, slice, Math.min(slice.length, bytes - at), at);
      if (length === 0) throw new Error(`a file became shorter while it was copied to ${to}`);
      await writeAt(target, slice.subarray(0, length), at);
      at += length;
      unsynced += length;
      if (unsynced < SYNC_BYTES) continue;
      await target.datasync();
      unsynced = 0;
    }
  } finally {
    // Nobody writes into it any more, also where a step has failed: each was waited for.
    if (slices.length < MOST_SLICES) slices.push(slice);
    await target.close();
  }
}

async function writeAt(target: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    written += (await target.write(bytes, written, bytes.length - written, at + written)).bytesWritten;
  }
}

/** Has the file system share the blocks of a file. @returns false where it cannot */
async function cloneHere(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE_FORCE | constants.COPYFILE_EXCL);
    return true;
  } catch {
    await rm(to, { force: true });
    return false;
  }
}

/** The same by another process: this one would lose the locks of its database by closing the file. */
async function cloneBeside(from: string, to: string): Promise<boolean> {
  if (!(await sharesBlocks(path.dirname(to)))) return false;
  const how = process.platform === 'darwin' ? '-c' : '--reflink=always';
  const status = await new Promise<number | null>((resolve) => {
    const child = spawn('cp', [how, '--', from, to], { stdio: 'ignore' });
    child.on('error', () => resolve(null));
    child.on('close', resolve);
  });
  if (status === 0) return true;
  await rm(to, { force: true });
  return false;
}

/** Returns whether files in a directory can share blocks. */
export async function sharesBlocks(directory: string): Promise<boolean> {
  const probe = path.join(directory, 'probe');
  const clone = path.join(directory, 'probe-clone');
  try {
    await writeFile(probe, Buffer.alloc(4096));
    return await cloneHere(probe, clone);
  } finally {
    await rm(probe, { force: true });
    await rm(clone, { force: true });
  }
}
