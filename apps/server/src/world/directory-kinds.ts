/** What stands in a data directory where the server keeps something of another kind. */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { dataNames } from '../data-names.ts';
import { DataDirectoryError } from './data-directory.ts';
import { ID_STATE } from './id-state.ts';

// Stores are not among them: what opens them names them, and some are elsewhere.
const FILES: readonly string[] = [
  dataNames.secretKey,
  dataNames.storeMarks,
  dataNames.credentials,
  dataNames.operatorToken,
  dataNames.journal,
  dataNames.server,
  dataNames.lock,
  ID_STATE,
];
const DIRECTORIES: readonly string[] = [
  dataNames.media,
  dataNames.members,
  dataNames.nonces,
  dataNames.snapshots,
  dataNames.worlds,
];
/** Each entry of it is a directory too. */
const OF_WORLDS = dataNames.snapshots;

/**
 * Verifies that files are files and directories are directories. To be called before anything is opened, which would only say what
 * it could not do, after others had been written.
 * @throws DataDirectoryError
 */
export function checkKinds(directory: string): void {
  for (const name of FILES) {
    if (kindOf(directory, name) === 'directory') throw wrongKind(directory, name, 'a directory', 'a file');
  }
  for (const name of DIRECTORIES) checkDirectory(directory, name);
  if (kindOf(directory, OF_WORLDS) !== 'directory') return;
  for (const world of readdirSync(path.join(directory, OF_WORLDS)))
    checkDirectory(directory, path.join(OF_WORLDS, world));
}

function checkDirectory(directory: string, name: string): void {
  if (kindOf(directory, name) === 'file') throw wrongKind(directory, name, 'a file', 'a directory');
}

function kindOf(directory: string, name: string): 'file' | 'directory' | undefined {
  const status = statSync(path.join(directory, name), { throwIfNoEntry: false });
  return status && (status.isDirectory() ? 'directory' : 'file');
}

function wrongKind(directory: string, name: string, is: string, kept: string): DataDirectoryError {
  return new DataDirectoryError(
    `${path.join(directory, name)} is ${is}, but the server keeps ${kept} there. Move it away, or restore what was there.`,
  );
}
