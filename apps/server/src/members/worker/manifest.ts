import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { replaceFile } from '../durable-file.ts';
import type { Digest } from './people-table.ts';
import { entriesFile, heapFile, type RunFacts } from './run-format.ts';

/** The name of the file. */
export const MANIFEST = 'manifest.json';

/** The state of an audience on disk. It is replaced as a whole, which is when a merge takes effect. */
export interface Manifest {
  /** Counts the merges. */
  readonly version: number;
  /** Frames of the log up to this one are merged. */
  readonly applied: number;
  /** The latest time that a merge or a sweep has seen. */
  readonly at_s: number;
  /** The people of the platform that members have been matched with. */
  readonly people: Digest;
  /** The number of the next run. */
  readonly next_run: number;
  /** The oldest first. */
  readonly runs: readonly RunFacts[];
  /** The audience was dropped, and nothing comes any more. */
  readonly dropped: boolean;
}

export const emptyManifest: Manifest = {
  version: 0,
  applied: 0,
  at_s: 0,
  people: [0, 0],
  next_run: 1,
  runs: [],
  dropped: false,
};

/** Reads the manifest in a directory, if there is one, and removes files that it does not list. */
export function readManifest(directory: string): Manifest | undefined {
  const names = readdirSync(directory);
  if (!names.includes(MANIFEST)) {
    for (const name of names) rmSync(path.join(directory, name));
    return undefined;
  }
  const manifest: Manifest = JSON.parse(readFileSync(path.join(directory, MANIFEST), 'utf8'));
  const listed = new Set([MANIFEST, ...manifest.runs.flatMap(({ id }) => [entriesFile(id), heapFile(id)])]);
  for (const name of names) if (!listed.has(name)) rmSync(path.join(directory, name));
  return manifest;
}

/** The names of the files that a manifest lists. @param text its JSON */
export function runFilesOf(text: string): string[] {
  const { runs }: Manifest = JSON.parse(text);
  return runs.flatMap(({ id, heap }) => [entriesFile(id), ...(heap > 0 ? [heapFile(id)] : [])]);
}

/** Replaces the manifest in a directory. Durable when it returns. */
export function writeManifest(directory: string, manifest: Manifest): void {
  replaceFile(path.join(directory, MANIFEST), JSON.stringify(manifest));
}
