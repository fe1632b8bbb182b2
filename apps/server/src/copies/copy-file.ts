/** Copies of files, which never hold the event loop, and which share blocks or the file itself where the file system can. */
import { spawn } from 'node:child_process';
import { constants, linkSync } from 'node:fs';
import { copyFile, type FileHandle, open, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FilePart } from '../db/store-files.ts';
import { readAt } from './read-at.ts';

/** Bytes that are read and written at once. */
const SLICE_BYTES = 1 << 20;
/** So many bytes are synced at once: more would hold up whoever else syncs meanwhile. */
const SYNC_BYTES = 1 << 20;
/** A smaller file is copied in less time than it takes to find out whether its blocks can be shared. */
const CLONE_BYTES = 4 << 20;

/**
 * Copies a file that a database of this process has open, and that stays as it is. The copy is on disk when it resolves, but not its name.
 * @param to is not there yet
 */
export async function copyOpenFile({ path: from, descriptor, bytes }: FilePart, to: string): Promise<void> {
  if (bytes >= CLONE_BYTES && (await cloneBeside(from, to))) return syncFile(to);
  await copyBytes(descriptor, bytes, to);
}

/** Copies a file that no database of this process has open. The copy is on disk when it resolves, but not its name. */
export async function copyWhole(from: string, to: string): Promise<void> {
  const { size } = await stat(from);
  if (size >= CLONE_BYTES && (await cloneHere(from, to))) return syncFile(to);
  const handle = await open(from, 'r');
  try {
    await copyBytes(handle.fd, size, to);
  } finally {
    await handle.close();
  }
}

/** Writes a new file, readable by its owner only. It is on disk when it resolves, but not its name. */
export async function writeWhole(file: string, text: string): Promise<void> {
  await writeFile(file, text, { flag: 'wx', mode: 0o600, flush: true });
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
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** Puts a file or the names in a directory on disk. */
export async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Copies the beginning of an open file, which may go on. The copy is on disk when it resolves, but not its name. */
export async function copyBytes(descriptor: number, bytes: number, to: string): Promise<void> {
  const target = await open(to, 'wx', 0o600);
  try {
    const slice = Buffer.allocUnsafe(Math.min(SLICE_BYTES, bytes));
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
    await target.sync();
  } finally {
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
async function sharesBlocks(directory: string): Promise<boolean> {
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
