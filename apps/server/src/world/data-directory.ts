/** The data directory and what is in it, as far as that can be used. */
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { errorCode, errorText } from '../error-text.ts';

/** The data directory cannot be made, or something in it cannot be used. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError';
}

/**
 * Makes databases and keys that this process writes from now on readable for their owner only, also in a directory that someone else made. Each
 * command that writes a data directory calls it first; whoever opens a world as a library has modes of their own.
 */
export function keepFilesPrivate(): void {
  process.umask(0o077);
}

/**
 * Makes the data directory, level by level, because a recursive mkdir never returns on some file systems that reject new directories.
 * @param what it is called in errors
 * @throws DataDirectoryError
 */
export function makeDirectory(directory: string, what = 'data directory'): void {
  const status = statSync(directory, { throwIfNoEntry: false });
  if (status?.isDirectory()) return;
  if (status) throw new DataDirectoryError(`The ${what} ${directory} cannot be used: it is a file.`);
  const parent = path.dirname(directory);
  if (parent !== directory) makeDirectory(parent, what);
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    const reason = errorCode(error) ?? String(error);
    throw new DataDirectoryError(`The ${what} ${directory} cannot be created (${reason}).`, { cause: error });
  }
}

/** What a start may write before anything can be freed. */
const ROOM = 1_048_576;

/** Verifies that a data directory can be written and has room. @throws DataDirectoryError */
export function checkRoom(directory: string): void {
  const file = path.join(directory, `.room-${process.pid}`);
  try {
    writeFileSync(file, new Uint8Array(ROOM), { mode: 0o600, flush: true });
  } catch (error) {
    const reason = errorCode(error) ?? String(error);
    throw new DataDirectoryError(`The data directory ${directory} cannot be written (${reason}).`, { cause: error });
  } finally {
    rmSync(file, { force: true });
  }
}

/** Opens a part of the data directory. @throws DataDirectoryError */
export function usable<Part>(directory: string, open: (directory: string) => Part): Part {
  try {
    return open(directory);
  } catch (error) {
    const reason = errorText(error);
    throw new DataDirectoryError(`The directory ${directory} cannot be used (${reason}).`, { cause: error });
  }
}
