/**
 * The files of an open database, for copies of it. SQLite keeps other processes out by locks that its own process loses when it closes any
 * descriptor of the file (POSIX has it so), so each file is opened once and closed after the database.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Bytes of the header of a WAL, and of each frame before its page. */
const WAL_HEADER = 32;
const FRAME_HEADER = 24;
/** Places in the WAL index, of which SQLite documents the format (walformat.html, section 2). */
const PAGE_SIZE_AT = 14;
const FRAMES_AT = 16;
const CHECKPOINTED_AT = 96;
const INDEX_BYTES = 100;

/** A part of a file, from its beginning. */
export interface FilePart {
  readonly path: string;
  readonly descriptor: number;
  readonly bytes: number;
}

/** A database as it was at an instant: the file, and the part of the WAL that belongs to it, if it is not all in the file. */
export interface StoreParts {
  readonly main: FilePart;
  readonly wal: FilePart | undefined;
}

export class StoreFiles {
  readonly #path: string;
  readonly #open = new Map<string, number>();

  constructor(path: string) {
    this.#path = path;
  }

  /** Returns what is committed at this moment. While it is read, nothing may be checkpointed. */
  parts(): StoreParts {
    const index = new DataView(new ArrayBuffer(INDEX_BYTES));
    // The machine's byte order, which is little-endian wherever Node runs.
    const read = readSync(this.#descriptor('-shm'), index, 0, INDEX_BYTES, 0);
    if (read < INDEX_BYTES) throw new Error(`the index of the log of ${this.#path} cannot be read`);
    const frames = index.getUint32(FRAMES_AT, true);
    const stored = index.getUint16(PAGE_SIZE_AT, true);
    const pageSize = stored === 1 ? 65_536 : stored;
    // What is in the file as a whole can be overwritten in the WAL by the next write.
    const isWhole = index.getUint32(CHECKPOINTED_AT, true) >= frames;
    const bytes = WAL_HEADER + frames * (FRAME_HEADER + pageSize);
    return { main: this.#part('', undefined), wal: isWhole ? undefined : this.#part('-wal', bytes) };
  }

  /** To be called after the database is closed. */
  close(): void {
    for (const descriptor of this.#open.values()) closeSync(descriptor);
    this.#open.clear();
  }

  #part(suffix: string, bytes: number | undefined): FilePart {
    const descriptor = this.#descriptor(suffix);
    return { path: `${this.#path}${suffix}`, descriptor, bytes: bytes ?? fstatSync(descriptor).size };
  }

  #descriptor(suffix: string): number {
    const known = this.#open.get(suffix);
    if (known !== undefined) return known;
    const descriptor = openSync(`${this.#path}${suffix}`, 'r');
    this.#open.set(suffix, descriptor);
    return descriptor;
  }
}
