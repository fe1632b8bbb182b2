/** Finds files of a data directory that others than their owner can read or replace. */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { dataNames } from '../data-names.ts';

/** A file or directory and its mode. */
export interface LooseMode {
  readonly path: string;
  /** In octal. */
  readonly mode: string;
  /** One sentence: the danger, and the command that ends it. */
  readonly advice: string;
}

/** They hold nothing that could be read: versions that went by the mode of the shell have made them readable. */
const EMPTY = [dataNames.lock, `${dataNames.lock}-journal`];

/**
 * The directory itself when others can write to it, and the files in it that others can read: databases, keys and
 * credentials. Where modes mean nothing (Windows), nothing is found.
 */
export function looseModes(directory: string): LooseMode[] {
  if (process.platform === 'win32') return [];
  const found: LooseMode[] = [];
  const own = statSync(directory).mode & 0o777;
  if ((own & 0o022) !== 0) {
    found.push({
      path: directory,
      mode: own.toString(8),
      advice: `Others can replace the data and the keys: chmod 700 ${directory}`,
    });
  }
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(directory, entry.name);
    const mode = (statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o777;
    if ((mode & (EMPTY.includes(entry.name) ? 0o022 : 0o077)) === 0) continue;
    found.push({ path: file, mode: mode.toString(8), advice: `Others can read or change it: chmod 600 ${file}` });
  }
  return found;
}
