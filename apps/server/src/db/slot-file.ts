/**
 * A small record that is written often and must survive a loss of power and a full disk: a file of fixed size that is
 * written in place, so that no space is needed. It has two slots, written in turn, each with a checksum: a slot that was
 * being written when power was lost is not valid, and the other one holds the record before.
 */
import { hash } from 'node:crypto';
import { closeSync, fdatasyncSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { errorCode } from '../error-text.ts';

/** A page, which is what disks and file systems write at least. A record takes less as JSON. */
const SLOT_BYTES = 4096;
const SLOT = /^(\d{1,15}) ([A-Za-z0-9_-]{43}) (\{.*\}) *\n$/;

/** Makes a record of what the JSON of a valid slot holds. */
export type ReadRecord<T> = (value: unknown) => T | undefined;

/** A file of one record, open for writing. */
export class SlotFile<T> {
  readonly #kind: string;
  readonly #file: number;
  #writes: number;

  private constructor(kind: string, file: number, writes: number) {
    this.#kind = kind;
    this.#file = file;
    this.#writes = writes;
  }

  /**
   * Reads the record of a file, if there is one.
   * @param kind part of the checksum, so that files of different kinds are not taken for each other
   * @returns `undefined` when there is no file, `damaged` when no slot of it is valid
   */
  static read<T>(path: string, kind: string, record: ReadRecord<T>): T | 'damaged' | undefined {
    const text = readIfThere(path);
    if (text === undefined) return undefined;
    return record(newestSlot(text, kind)?.value) ?? 'damaged';
  }

  /** Returns the text of a file that holds a record. */
  static text<T>(kind: string, record: T): string {
    return slotText(kind, 2, record) + slotText(kind, 1, record);
  }

  /** Opens or makes the file and writes a record to it, synced. @throws the file system's error */
  static begin<T>(path: string, kind: string, record: T): SlotFile<T> {
    const present = newestSlot(readIfThere(path) ?? '', kind);
    const file = openSync(path, present === undefined ? 'w' : 'r+', 0o600);
    const opened = new SlotFile<T>(kind, file, present?.writes ?? 0);
    try {
      // A new file gets both slots, so that no later write needs space.
      if (present === undefined) opened.write(record);
      opened.write(record);
      fsyncSync(file);
    } catch (error) {
      closeSync(file);
      throw error;
    }
    return opened;
  }

  /** Writes the record to the kernel: it survives this process. @throws the file system's error */
  write(record: T): void {
    const writes = this.#writes + 1;
    const slot = slotText(this.#kind, writes, record);
    const written = writeSync(this.#file, slot, (writes % 2) * SLOT_BYTES, 'latin1');
    if (written !== slot.length) throw new ShortWriteError(written, slot.length);
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

/** A write took a part of what it was given: there was no space for more. */
export class ShortWriteError extends Error {
  readonly code = 'ENOSPC';

  constructor(written: number, length: number) {
    super(`a file took ${written} of ${length} bytes; the disk may be full`);
  }
}

function slotText(kind: string, writes: number, record: unknown): string {
  const json = JSON.stringify(record);
  const slot = `${`${writes} ${checksum(kind, writes, json)} ${json}`.padEnd(SLOT_BYTES - 1)}\n`;
  if (slot.length !== SLOT_BYTES) throw new RangeError(`a record of ${json.length} characters does not fit`);
  return slot;
}

function newestSlot(text: string, kind: string): { readonly writes: number; readonly value: unknown } | undefined {
  const slots = [0, 1].flatMap(
    (index) => readSlot(text.slice(index * SLOT_BYTES, (index + 1) * SLOT_BYTES), kind) ?? [],
  );
  return slots.toSorted((one, other) => other.writes - one.writes)[0];
}

function readSlot(slot: string, kind: string): { readonly writes: number; readonly value: unknown } | undefined {
  const [, writes = '', sum = '', json = ''] = SLOT.exec(slot) ?? [];
  if (sum === '' || checksum(kind, Number(writes), json) !== sum) return undefined;
  const value: unknown = JSON.parse(json);
  return { writes: Number(writes), value };
}

function checksum(kind: string, writes: number, json: string): string {
  return hash('sha256', `${kind} ${writes} ${json}`, 'base64url');
}

/** The text of a file, if it exists. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
