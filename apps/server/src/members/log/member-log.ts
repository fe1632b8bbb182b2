/**
 * Writes the log of requests. What waits at the same moment is written together and acknowledged after one sync, by the
 * threads of the file system, so that neither the caller nor the merging of what was written before delays it.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { encodeFrame, type NewFrame, recordsOf } from './frame.ts';
import { createSegment, segmentPath } from './segments.ts';

/** Bytes after which a segment is ended. */
const SEGMENT_BYTES = 64 << 20;
/** Bytes that are written at once, about. */
const GROUP_BYTES = 8 << 20;

/** A place in the log. */
export interface LogPosition {
  readonly segment: number;
  readonly offset: number;
}

/** Frames that have become durable, up to a place. */
export interface Appended extends LogPosition {
  readonly frames: readonly { readonly audience: string; readonly seq: number; readonly records: number }[];
}

interface Waiting {
  readonly frame: NewFrame;
  readonly done: (seq: number) => void;
  readonly failed: (error: unknown) => void;
}

export class MemberLog {
  readonly #directory: string;
  readonly #onAppended: (appended: Appended) => void;
  readonly #onSegment: (segment: number) => void;
  #segment: number;
  #seq: number;
  #file: FileHandle | undefined;
  #offset = 0;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #bytes = 0;
  #endsSegment = false;

  /**
   * @param seq the number of the next frame, and of the empty segment that it goes into
   * @param onSegment called with the number of each segment that begins
   */
  constructor(
    directory: string,
    seq: number,
    onAppended: (appended: Appended) => void,
    onSegment: (segment: number) => void,
  ) {
    this.#directory = directory;
    this.#segment = seq;
    this.#seq = seq;
    this.#onAppended = onAppended;
    this.#onSegment = onSegment;
  }

  /** The end of what is durable. */
  get end(): LogPosition {
    return { segment: this.#segment, offset: this.#offset };
  }

  /** Bytes written since this log was opened. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Writes a frame. @returns its number, when it is durable */
  append(frame: NewFrame): Promise<number> {
    return new Promise((done, failed) => {
      this.#waiting.push({ frame, done, failed });
      this.#write();
    });
  }

  /** Ends the segment, so that it can be removed once it is merged. */
  async endSegment(): Promise<void> {
    this.#endsSegment = true;
    this.#write();
    while (this.#endsSegment) await this.#writing;
  }

  /** Waits for what is being written. */
  async close(): Promise<void> {
    while (this.#writing) await this.#writing;
    await this.#file?.close();
    this.#file = undefined;
  }

  #write(): void {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
      if (this.#hasWork) this.#write();
    });
  }

  async #writeAll(): Promise<void> {
    // Requests that arrive in the same turn share the first sync too.
    await Promise.resolve();
    do {
      if (this.#endsSegment || this.#offset >= SEGMENT_BYTES) await this.#nextSegment();
      const group = this.#nextGroup();
      if (group.length > 0) await this.#writeGroup(group);
    } while (this.#hasWork);
  }

  get #hasWork(): boolean {
    return this.#waiting.length > 0 || (this.#endsSegment && this.#offset > 0);
  }

  #nextGroup(): Waiting[] {
    let bytes = 0;
    const end = this.#waiting.findIndex(({ frame }) => {
      bytes += frame.batch.users.length;
      return bytes > GROUP_BYTES;
    });
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end + 1);
  }

  async #writeGroup(group: readonly Waiting[]): Promise<void> {
    const first = this.#seq;
    this.#seq += group.length;
    const frames = group.map(({ frame: { audience, batch } }, i) => ({
      audience,
      seq: first + i,
      records: recordsOf(batch),
    }));
    try {
      const bytes = Buffer.concat(group.flatMap(({ frame }, i) => encodeFrame(frame, first + i)));
      await this.#writeBytes(bytes);
    } catch (error) {
      await this.#abandonTail();
      for (const { failed } of group) failed(error);
      return;
    }
    this.#onAppended({ ...this.end, frames });
    for (const [i, { done }] of group.entries()) done(first + i);
  }

  async #writeBytes(bytes: Buffer): Promise<void> {
    this.#file ??= await open(segmentPath(this.#directory, this.#segment), 'r+');
    for (let written = 0; written < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, written, bytes.length - written, this.#offset + written);
      written += bytesWritten;
    }
    await this.#file.datasync();
    this.#offset += bytes.length;
    this.#bytes += bytes.length;
  }

  async #nextSegment(): Promise<void> {
    this.#endsSegment = false;
    if (this.#offset === 0) return;
    await this.#file?.close();
    this.#file = undefined;
    createSegment(this.#directory, this.#seq);
    this.#segment = this.#seq;
    this.#offset = 0;
    this.#onSegment(this.#segment);
    // Readers learn that the segment before is complete.
    this.#onAppended({ ...this.end, frames: [] });
  }

  /** Cuts off what a failed write may have left; what follows it goes into the next segment. */
  async #abandonTail(): Promise<void> {
    try {
      await this.#file?.truncate(this.#offset);
      await this.#file?.datasync();
    } catch {
      // A reader stops at the first frame that is damaged, and the next segment begins after it.
    }
    this.#endsSegment = true;
  }
}
