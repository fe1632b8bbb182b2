import { closeSync, openSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { syncDirectory } from '../durable-file.ts';

/**
 * Returns the path of a segment of the log. A segment is numbered by its first frame. The last one is there even when it is
 * empty, since it says where the numbers go on.
 */
export function segmentPath(directory: string, segment: number): string {
  return path.join(directory, `${segment}.log`);
}

/** Creates an empty segment, if it is not there. Durable when it returns. */
export function createSegment(directory: string, segment: number): void {
  closeSync(openSync(segmentPath(directory, segment), 'a', 0o600));
  syncDirectory(directory);
}

/** The numbers of the segments in a directory, ascending. */
export function listSegments(directory: string): number[] {
  return readdirSync(directory)
    .flatMap((name) => /^(\d+)\.log$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}
