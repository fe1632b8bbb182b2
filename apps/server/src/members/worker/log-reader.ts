/** Reads the log in its order, and removes the segments that have been merged. */
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, rmSync } from 'node:fs';
import { errorCode } from '../../error-text.ts';
import { syncDirectory } from '../durable-file.ts';
import { decodeFrame, type Frame, frameKinds, frameSize } from '../log/frame.ts';
import type { LogPosition } from '../log/member-log.ts';
import { createSegment, listSegments, segmentPath } from '../log/segments.ts';

/** Bytes that are read at once when the log is only looked through. */
const SCAN_BYTES = 4 << 20;

/** The content of a log when it is opened. */
export interface Recovered {
  /** The number of the next frame. */
  readonly seq: number;
  readonly bytes: number;
}

export class LogReader {
  readonly #directory: string;
  readonly #report: (error: Error) => void;
  #position: LogPosition = { segment: 0, offset: 0 };
  #end: LogPosition = { segment: 0, offset: 0 };

  constructor(directory: string, report: (error: Error) => void) {
    this.#directory = directory;
    this.#report = report;
  }

  /**
   * Looks through the whole log and stands at its beginning then. A frame that was being written when the process ended is
   * cut off; nobody was told that it is durable.
   * @param end the end of the log, if it is being written
   */
  recover(end: LogPosition | undefined, visit: (frame: Frame) => void): Recovered {
    const segments = listSegments(this.#directory);
    const last = segments.at(-1) ?? 0;
    this.#position = { segment: segments[0] ?? 0, offset: 0 };
    let seq = Math.max(1, last);
    let bytes = 0;
    for (const segment of segments) {
      const limit = segment === end?.segment ? end.offset : undefined;
      const { valid, size } = this.#scan(segment, limit, (frame) => {
        seq = frame.seq + 1;
        visit(frame);
      });
      bytes += valid;
      if (valid < size && limit === undefined) {
        if (segment === last) this.#cut(segment, valid);
        else this.#report(new Error(`Segment ${segment} of the log of members is damaged from byte ${valid} on.`));
      }
    }
    if (!end) createSegment(this.#directory, seq);
    this.#end = end ?? { segment: seq, offset: 0 };
    return { seq, bytes };
  }

  /** The log has grown up to a place. */
  extend(end: LogPosition): void {
    this.#end = { segment: end.segment, offset: end.offset };
  }

  /** The segment that is read next. */
  get segment(): number {
    return this.#position.segment;
  }

  /** Returns whether there are frames that have not been read. */
  get hasMore(): boolean {
    const { segment, offset } = this.#position;
    return segment < this.#end.segment || offset < this.#end.offset;
  }

  /** Reads the next frames of about so many bytes; none at the end of a segment. */
  read(bytes: number): Frame[] {
    const { segment, offset } = this.#position;
    const isLast = segment === this.#end.segment;
    const frames: Frame[] = [];
    const descriptor = openIfThere(segmentPath(this.#directory, segment));
    if (descriptor !== undefined) {
      try {
        const limit = isLast ? this.#end.offset : fstatSync(descriptor).size;
        const read = readFrames(descriptor, offset, limit, bytes, (frame) => frames.push(frame));
        this.#position = { segment, offset: offset + read };
      } finally {
        closeSync(descriptor);
      }
    }
    if (frames.length === 0) {
      const next = listSegments(this.#directory).find((other) => other > segment);
      this.#position = isLast || next === undefined ? this.#end : { segment: next, offset: 0 };
    }
    return frames;
  }

  /** Removes the segments before the place that has been read up to. */
  removeRead(): void {
    const gone = listSegments(this.#directory).filter((segment) => segment < this.#position.segment);
    for (const segment of gone) rmSync(segmentPath(this.#directory, segment), { force: true });
    if (gone.length > 0) syncDirectory(this.#directory);
  }

  #scan(segment: number, limit: number | undefined, visit: (frame: Frame) => void): { valid: number; size: number } {
    const descriptor = openSync(segmentPath(this.#directory, segment), 'r');
    try {
      const size = limit ?? fstatSync(descriptor).size;
      let valid = 0;
      while (valid < size) {
        const read = readFrames(descriptor, valid, size, SCAN_BYTES, visit);
        if (read === 0) break;
        valid += read;
      }
      return { valid, size };
    } finally {
      closeSync(descriptor);
    }
  }

  #cut(segment: number, size: number): void {
    const descriptor = openSync(segmentPath(this.#directory, segment), 'r+');
    try {
      ftruncateSync(descriptor, size);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }
}

/** Returns whether a frame is a removal of its audience. */
export function isDrop(frame: Frame): boolean {
  return frame.kind === frameKinds.drop;
}

function openIfThere(file: string): number | undefined {
  try {
    return openSync(file, 'r');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Reads the next frames of about so many bytes, at least one if it is whole.
 * @param limit the end of what can be read
 * @returns the bytes of the frames
 */
function readFrames(
  descriptor: number,
  offset: number,
  limit: number,
  bytes: number,
  visit: (frame: Frame) => void,
): number {
  let chunk = readAt(descriptor, offset, Math.min(bytes, limit - offset));
  const first = frameSize(chunk, 0) ?? 0;
  if (first > chunk.length && first <= limit - offset) chunk = readAt(descriptor, offset, first);
  let at = 0;
  for (let frame = decodeFrame(chunk, at); frame; frame = decodeFrame(chunk, at)) {
    visit(frame);
    at += frame.size;
  }
  return at;
}

function readAt(descriptor: number, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length);
  let read = 0;
  while (read < length) {
    const count = readSync(descriptor, bytes, read, length - read, offset + read);
    if (count === 0) break;
    read += count;
  }
  return bytes.subarray(0, read);
}
