/**
 * One process at a time on a data directory. The lock is an exclusive SQLite transaction on a small file, in other words
 * a file lock of the operating system: it goes when the process goes, however it goes, so there is no stale lock.
 */
import { join } from 'node:path';
import { LibsqlError } from '@libsql/client/sqlite3';
import { dataNames } from '../data-names.ts';
import { DatabaseOpenError } from './errors.ts';
import { libsqlError, NativeConnection } from './native-connection.ts';

/** Another process, or another part of this one, uses the directory. */
export class DataDirectoryInUseError extends Error {
  override readonly name = 'DataDirectoryInUseError';
  constructor(directory: string) {
    super(`The data directory ${directory} is in use by another running server.`);
  }
}

/** A held lock. */
export interface DataLock {
  /** Gives the directory free. Does nothing the second time. */
  release(): void;
}

// Keeps open connections reachable: the garbage collector would close them, and release the lock.
const held = new Set<NativeConnection>();

/**
 * Takes the lock on an existing directory. The file `lock.db` in it must not be opened by anything else in this process:
 * closing any other descriptor of the file would drop the lock (so POSIX has it).
 * @throws DataDirectoryInUseError if it is held already; DatabaseOpenError if the directory is missing or not writable.
 */
export function lockDataDirectory(directory: string): DataLock {
  const path = join(directory, dataNames.lock);
  let connection: NativeConnection;
  try {
    // Not in WAL mode: there, "exclusive" would still let readers in and would need two more files.
    connection = new NativeConnection(path, [
      'PRAGMA busy_timeout = 0',
      'PRAGMA journal_mode = DELETE',
      'BEGIN EXCLUSIVE',
    ]);
  } catch (error) {
    const translated = libsqlError(error);
    if (translated instanceof LibsqlError && translated.code === 'SQLITE_BUSY')
      throw new DataDirectoryInUseError(directory);
    if (translated instanceof LibsqlError && translated.code === 'SQLITE_NOTADB') {
      throw new DatabaseOpenError(
        path,
        'it is not a lock, which holds nothing; while no server runs, it can be removed',
        translated,
      );
    }
    throw new DatabaseOpenError(path, 'the data directory must exist and be writable', translated);
  }
  held.add(connection);
  return {
    release: () => {
      if (held.delete(connection)) connection.close();
    },
  };
}
