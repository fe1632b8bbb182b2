/** Failures of the disk under a store, of the way to its server, or of waiting for it: nothing was stored, and the same may work later. */
import { statfsSync } from 'node:fs';
import path from 'node:path';
import { LibsqlError } from '@libsql/client/sqlite3';
import { CommitUnknownError, StoreUnreachableError, WeakStoreError } from './errors.ts';

/** The reason where there is no space. */
export const DISK_FULL = 'the disk is full';

/** A write of some rows, with what it does to indexes and counts, takes up to some dozens of pages. */
const ROOM_BYTES = 1_048_576;

/**
 * Returns whether there is room beside a file again. A log has places that can be written anew: a write of a page can succeed on a full
 * disk where those of clients fail.
 */
export function hasRoomAt(file: string): boolean {
  try {
    const { bavail, bfree, bsize } = statfsSync(path.dirname(file));
    // What is reserved is for this user.
    const blocks = process.getuid?.() === 0 ? bfree : bavail;
    return blocks * bsize >= ROOM_BYTES;
  } catch {
    return true;
  }
}

/** Errors of the file system, for what is stored beside the databases. */
const systemErrors = new Map([
  ['ENOSPC', DISK_FULL],
  ['EDQUOT', 'the quota of the disk is used up'],
  ['EIO', 'the disk reports an error'],
  ['EROFS', 'the disk is read-only'],
]);

/**
 * Why something could not be stored or read because of the disk or of the server of a store, or of other processes that write to it, as the end of a
 * sentence; `undefined` for every other error, and for a commit that may have been stored.
 */
export function storageFailure(error: unknown): string | undefined {
  let cause = error;
  // Errors are wrapped once or twice; the bound is against a cause that is its own.
  for (let depth = 0; depth < 5 && cause instanceof Error; depth += 1) {
    if (cause instanceof CommitUnknownError) return undefined;
    if (cause instanceof WeakStoreError) return WeakStoreError.reason;
    if (cause instanceof StoreUnreachableError) return 'its server cannot be reached';
    const found = cause instanceof LibsqlError ? databaseFailure(cause) : systemErrors.get(codeOf(cause));
    if (found !== undefined) return found;
    cause = cause.cause;
  }
  return undefined;
}

/** Returns whether the database reported an error of the disk other than a lack of space. */
export function isDiskError(error: unknown): boolean {
  return error instanceof LibsqlError && error.code.startsWith('SQLITE_IOERR');
}

function databaseFailure({ code, extendedCode }: LibsqlError): string | undefined {
  if (code === 'SQLITE_FULL') return DISK_FULL;
  if (code === 'SQLITE_BUSY') return 'another process keeps its lock';
  // A libSQL server ends a transaction that has kept others waiting for five seconds, and undoes it.
  if (code.startsWith('TRANSACTION_')) return 'its server has ended the transaction, which took too long';
  return code.startsWith('SQLITE_IOERR') ? `the disk reports an error (${extendedCode ?? code})` : undefined;
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : '';
}
