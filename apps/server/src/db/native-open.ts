/** Opens the connections of the embedded client, and explains in one sentence why a file cannot be opened. */
import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { LibsqlError } from '@libsql/client/sqlite3';
import { errorText } from '../error-text.ts';
import { DatabaseOpenError } from './errors.ts';
import { libsqlError, NativeConnection } from './native-connection.ts';

/** Options of {@link openNativeClient}. */
export interface NativeClientOptions {
  /** The database file. It is created if it is not there; its directory must be. */
  readonly path: string;
  /** Milliseconds to wait (blocking) for another process that writes, before SQLITE_BUSY; 5,000 by default. */
  readonly busyTimeout?: number;
  /** Only reads, from a file that another thread of the process has opened for writing; false by default. */
  readonly readOnly?: boolean;
  /** Syncs each commit; true by default. Without, the caller syncs the file after it is closed. */
  readonly synced?: boolean;
  /**
   * Takes less memory: keeps fewer pages, and closes the connection that only reads when nothing has used the store for a while; false by
   * default. A connection takes more than a megabyte, most of it for the schema.
   */
  readonly frugal?: boolean;
}

// `busy_timeout` comes first: until it is set, each of the others can fail at once while another process recovers or
// writes. It applies per connection, as all of these do except the journal mode.
const pragmas = ({ busyTimeout, synced, frugal }: Omit<Required<NativeClientOptions>, 'path'>): string[] => [
  `PRAGMA busy_timeout = ${busyTimeout}`,
  'PRAGMA journal_mode = WAL',
  `PRAGMA synchronous = ${synced ? 'FULL' : 'OFF'}`, // a commit returns after its fsync
  'PRAGMA foreign_keys = ON',
  `PRAGMA cache_size = ${frugal ? -2000 : -16000}`, // 16 MB a connection
  'PRAGMA temp_store = MEMORY',
  'PRAGMA journal_size_limit = 67108864', // the WAL file shrinks back to 64 MB after a burst
  // No mmap: measured without gain on reads of this kind, and a disk error would be a SIGBUS instead of an error.
];

/**
 * Opens the connection that writes, or the one for both where only reads are allowed, so that a write fails. Reading the schema makes
 * opening one the longest part of opening a store, so the reader is opened when something reads beside a transaction.
 * @throws DatabaseOpenError
 */
export function openConnections(
  options: Required<NativeClientOptions>,
): [writer: NativeConnection, reader: NativeConnection | undefined] {
  const { path, readOnly } = options;
  if (readOnly) {
    const reader = openReader(options);
    return [reader, reader];
  }
  const obstacle = findObstacle(path);
  if (obstacle !== undefined) throw new DatabaseOpenError(path, obstacle);
  let writer: NativeConnection | undefined;
  try {
    writer = openWriter(options);
    const mode = writer.rows('PRAGMA journal_mode', undefined, true)[0]?.[0];
    if (mode !== 'wal') throw new DatabaseOpenError(path, 'its file system does not support write-ahead logging');
    checkWritable(writer);
    return [writer, undefined];
  } catch (error) {
    writer?.close();
    if (error instanceof DatabaseOpenError) throw error;
    throw new DatabaseOpenError(path, openFailure(error), error);
  }
}

/** Opens a connection that only reads. */
export function openReader(options: Required<NativeClientOptions>): NativeConnection {
  return openConnection(options.path, [...pragmas({ ...options, synced: true }), 'PRAGMA query_only = ON']);
}

/** Opens a connection that writes. */
export function openWriter(options: Required<NativeClientOptions>): NativeConnection {
  return openConnection(options.path, pragmas(options));
}

// While another process makes the switch to WAL on a new file, SQLite answers BUSY at once, whatever the timeout: of four
// processes that open a new file at the same moment, one in seven failed without this.
function openConnection(path: string, setup: readonly string[]): NativeConnection {
  for (let attempt = 1; ; attempt++) {
    try {
      return new NativeConnection(path, setup);
    } catch (error) {
      const translated = libsqlError(error);
      if (!(translated instanceof LibsqlError) || translated.code !== 'SQLITE_BUSY' || attempt === 50) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

function checkWritable(writer: NativeConnection): void {
  try {
    writer.script('BEGIN IMMEDIATE; ROLLBACK');
  } catch (error) {
    // Another process is writing right now, so it is writable.
    if (!(error instanceof LibsqlError) || error.code !== 'SQLITE_BUSY') throw error;
  }
}

/** Checks before SQLite is asked, which only reports that it cannot open the file. */
function findObstacle(path: string): string | undefined {
  const directory = dirname(path);
  const inside = statSync(directory, { throwIfNoEntry: false });
  if (inside === undefined) return `the directory ${directory} does not exist`;
  if (!inside.isDirectory()) return `${directory} is not a directory`;
  const file = statSync(path, { throwIfNoEntry: false });
  if (file?.isDirectory()) return 'it is a directory';
  // SQLite creates its -wal and -shm files next to the database, so the directory must be writable too.
  if (!allows(directory, constants.W_OK | constants.X_OK)) return `the directory ${directory} is not writable`;
  if (file !== undefined && !allows(path, constants.R_OK)) return 'it is not readable';
  if (file !== undefined && !allows(path, constants.W_OK)) return 'it is read-only';
  return undefined;
}

function allows(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

/** All of them: a store of another time does not fit the rest of its platform. */
const RESTORE = 'restore the stores from one backup';

function openFailure(error: unknown): string {
  const translated = libsqlError(error);
  if (translated instanceof LibsqlError) {
    switch (translated.code) {
      case 'SQLITE_NOTADB':
        return `it is not a database file; ${RESTORE}`;
      case 'SQLITE_READONLY':
        return 'it is read-only';
      case 'SQLITE_BUSY':
        return 'another process keeps it locked';
      case 'SQLITE_FULL':
        return 'the disk is full';
      case 'SQLITE_CORRUPT':
        return `it is damaged; ${RESTORE}`;
    }
  }
  return errorText(error);
}
