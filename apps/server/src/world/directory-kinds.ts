/** What stands in a data directory where the server keeps something of another kind. */
import { type Dirent, readdirSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { dataNames, directoryNames, fileNames } from '../data-names.ts';
import { errorCode } from '../error-text.ts';
import { DataDirectoryError } from './data-directory.ts';
import { fileOf } from './store-locations.ts';
import { storeNames, type WorldOptions } from './world-options.ts';

type Kind = 'file' | 'directory';

/** Each entry of it is a directory too. */
const OF_WORLDS = dataNames.snapshots;

/** What SQLite keeps beside the file of a database, and the file itself. */
const OF_DATABASE = ['', '-wal', '-shm', '-journal'];

/**
 * Verifies that files are files and directories are directories, by one look at the directory; links count as what they lead to. To be called
 * before anything is opened, which would only say what it could not do, after others had been written, or wait for a pipe forever.
 * @throws DataDirectoryError
 */
export function checkKinds({ dataDirectory, stores }: Pick<WorldOptions, 'dataDirectory' | 'stores'>): void {
  // A store that is elsewhere leaves its name here to others.
  const databases = [dataNames.lock, ...storeNames.filter((name) => stores?.[name] === undefined).map(fileOf)];
  const kinds = new Map<string, Kind>([
    ...directoryNames.map((name) => [name, 'directory'] as const),
    ...[...fileNames, ...databases.flatMap((file) => OF_DATABASE.map((end) => `${file}${end}`))].map(
      (name) => [name, 'file'] as const,
    ),
  ]);
  const entries = entriesOf(dataDirectory);
  for (const entry of entries) {
    const kind = kinds.get(entry.name);
    if (kind !== undefined) checkKind(dataDirectory, entry, kind);
  }
  if (!entries.some(({ name }) => name === OF_WORLDS)) return;
  const snapshots = path.join(dataDirectory, OF_WORLDS);
  for (const world of entriesOf(snapshots)) checkKind(snapshots, world, 'directory');
}

/** The entries of a directory; none where there is no directory, which is said by what makes it. */
function entriesOf(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    const reason = errorCode(error) ?? String(error);
    if (reason === 'ENOENT' || reason === 'ENOTDIR') return [];
    throw new DataDirectoryError(`The directory ${directory} cannot be read (${reason}).`, { cause: error });
  }
}

function checkKind(directory: string, entry: Dirent, kept: Kind): void {
  const place = path.join(directory, entry.name);
  const found = entry.isSymbolicLink() ? targetOf(place) : entry;
  if (kept === 'file' ? found?.isFile() : found?.isDirectory()) return;
  throw new DataDirectoryError(
    `${place} is ${inWords(found)}, but the server keeps a ${kept} there. Move it away, or restore what was there.`,
  );
}

function targetOf(link: string): Stats | undefined {
  try {
    return statSync(link);
  } catch {
    return undefined;
  }
}

function inWords(found: Dirent | Stats | undefined): string {
  if (found === undefined) return 'a symbolic link whose target cannot be reached';
  if (found.isFile()) return 'a file';
  return found.isDirectory() ? 'a directory' : 'neither a file nor a directory';
}
