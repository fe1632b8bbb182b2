/**
 * What a nonce log has to know of itself that must survive a loss of power and a full disk: a file of fixed size that is
 * written in place, so that no space is needed. It has two slots, written in turn, each with a checksum: a slot that was
 * being written when power was lost is not valid, and the other one holds the state before.
 */
import { hash } from 'node:crypto';
import { closeSync, fdatasyncSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { TimeRange } from './time-ranges.ts';

/** The state of a nonce log; see `nonces.ts`. */
export interface NonceState {
  /** Boot of the kernel in which the log was last opened. */
  readonly boot: string;
  /** Closed in an orderly way, with everything synced. */
  readonly closed: boolean;
  /** Each accepted nonce is in the log; false while the log cannot be written. */
  readonly complete: boolean;
  /** Number of the newer of the two log files. */
  readonly sequence: number;
  /** Timestamps that may have been accepted since the log was begun. */
  readonly reserved: readonly TimeRange[];
  /** Timestamps that are rejected, because nonces of theirs are no longer known. */
  readonly expired: readonly TimeRange[];
}

const HEADER = 'broadside-nonces-2';
/** A page, which is what disks and file systems write at least. Two full sets of ranges take less than 2,000 bytes. */
const SLOT_BYTES = 4096;
const SLOT = /^(\d{1,15}) ([A-Za-z0-9_-]{43}) (\{.*\}) *\n$/;

/** The file, open for writing. */
export class NonceStateFile {
  readonly #file: number;
  #writes: number;

  private constructor(file: number, writes: number) {
    this.#file = file;
    this.#writes = writes;
  }

  /**
   * Reads the state of the file, if there is one.
   * @returns `undefined` when there is no file, `damaged` when no slot of it is valid
   */
  static read(path: string): NonceState | 'damaged' | undefined {
    const text = readIfThere(path);
    if (text === undefined) return undefined;
    return newestSlot(text)?.state ?? 'damaged';
  }

  /** Opens or makes the file and writes a state to it, synced. @throws the file system's error */
  static begin(path: string, state: NonceState): NonceStateFile {
    const present = newestSlot(readIfThere(path) ?? '');
    const file = openSync(path, present === undefined ? 'w' : 'r+', 0o600);
    const opened = new NonceStateFile(file, present?.writes ?? 0);
    try {
      // A new file gets both slots, so that no later write needs space.
      if (present === undefined) opened.write(state);
      opened.write(state);
      fsyncSync(file);
    } catch (error) {
      closeSync(file);
      throw error;
    }
    return opened;
  }

  /** Writes the state to the kernel: it survives this process. @throws the file system's error */
  write(state: NonceState): void {
    const writes = this.#writes + 1;
    const json = JSON.stringify(state);
    const text = `${writes} ${checksum(writes, json)} ${json}`;
    const slot = `${text.padEnd(SLOT_BYTES - 1)}\n`;
    const written = writeSync(this.#file, slot, (writes % 2) * SLOT_BYTES, 'latin1');
    if (written !== slot.length) throw new Error(`The state of the nonce log took ${written} bytes: is the disk full?`);
    this.#writes = writes;
  }

  /** Syncs what was written to the disk. @throws the file system's error */
  sync(): void {
    fdatasyncSync(this.#file);
  }

  close(): void {
    closeSync(this.#file);
  }
}

function newestSlot(text: string): { readonly writes: number; readonly state: NonceState } | undefined {
  const slots = [0, 1].flatMap((index) => readSlot(text.slice(index * SLOT_BYTES, (index + 1) * SLOT_BYTES)) ?? []);
  return slots.toSorted((one, other) => other.writes - one.writes)[0];
}

function readSlot(slot: string): { readonly writes: number; readonly state: NonceState } | undefined {
  const [, writes = '', sum = '', json = ''] = SLOT.exec(slot) ?? [];
  if (sum === '' || checksum(Number(writes), json) !== sum) return undefined;
  const state: NonceState = JSON.parse(json);
  return { writes: Number(writes), state };
}

function checksum(writes: number, json: string): string {
  return hash('sha256', `${HEADER} ${writes} ${json}`, 'base64url');
}

/** The text of a file, if it exists. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
