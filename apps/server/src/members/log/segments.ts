import { closeSync, fsyncSync, openSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** Returns the path of a segment of the log. */
export function segmentPath(directory: string, segment: number): string {
  return path.join(directory, `${segment}.log`);
}

/** The numbers of the segments in a directory, ascending. */
export function listSegments(directory: string): number[] {
  return readdirSync(directory)
    .flatMap((name) => /^(\d+)\.log$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

/** Makes the names in a directory durable. */
export function syncDirectory(directory: string): void {
  // Windows neither opens directories nor needs it.
  if (process.platform === 'win32') return;
  const descriptor = openSync(directory, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
