import { existsSync } from 'node:fs';
import path from 'node:path';
import { makeDirectory } from '../world/data-directory.ts';
import { syncNames } from './copy-file.ts';

/** Directories that are being made, by path: who needs one of them waits until its name is on disk. */
const making = new Map<string, Promise<void>>();

/**
 * Makes a directory, and those above it that are missing, and puts their names on disk. Otherwise a loss of power could take a directory away with all
 * that has been synced in it.
 * @throws DataDirectoryError, the error of the file system
 */
export function makeDurable(directory: string): Promise<void> {
  const known = making.get(directory);
  if (known) return known;
  if (existsSync(directory)) return Promise.resolve();
  const made = make(directory).finally(() => making.delete(directory));
  making.set(directory, made);
  return made;
}

async function make(directory: string): Promise<void> {
  const parent = path.dirname(directory);
  if (parent !== directory) await makeDurable(parent);
  makeDirectory(directory);
  await syncNames(parent);
}
