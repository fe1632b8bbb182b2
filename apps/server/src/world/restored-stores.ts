/**
 * What a restore notes in a data directory whose stores are on servers: the directory is whole, and so are the stores, but some of them may still
 * say that they are being filled. The same restore ends that when it is repeated. See ADR 0029.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { writeWhole } from '../copies/copy-file.ts';
import { dataNames } from '../data-names.ts';

/** The note. */
export interface RestoredStores {
  /** Id of the backup. */
  readonly backup: string;
  /** By which the stores know who fills them. */
  readonly token: string;
  /** Their names. */
  readonly stores: readonly string[];
}

/** Writes the note into the directory of what is being restored. It is not on disk yet. */
export function noteRestoredStores(directory: string, note: RestoredStores): Promise<void> {
  return writeWhole(path.join(directory, dataNames.restoredStores), `${JSON.stringify(note)}\n`);
}

/** Finds the note. */
export function restoredStores(dataDirectory: string): RestoredStores | undefined {
  const file = path.join(dataDirectory, dataNames.restoredStores);
  if (!existsSync(file)) return undefined;
  const { backup, token, stores } = JSON.parse(readFileSync(file, 'utf8'));
  return { backup: String(backup), token: String(token), stores: Array.from(stores, String) };
}

/** Removes the note, once all stores are like any other. */
export function forgetRestoredStores(dataDirectory: string): void {
  rmSync(path.join(dataDirectory, dataNames.restoredStores), { force: true });
}
