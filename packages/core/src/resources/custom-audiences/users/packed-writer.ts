import type { IdentifierKind } from '../identifiers/kinds.ts';
import { kindNumber } from '../identifiers/kinds.ts';
import { hexDigits } from './json-bytes.ts';
import { KEY_BYTES } from './packed-users.ts';

const COUNT_BYTES = 2;
const HASH_DIGITS = 64;
/** Digits of the part of a hash that is in a key. */
const KEY_DIGITS = (KEY_BYTES - 1) * 2;
const LARGEST_DIGIT = 15;

/** Writes users in packed form, into memory that grows with them. */
export class PackedWriter {
  #bytes: Uint8Array;
  #length = 0;
  #userAt = 0;
  /** Number of identifiers of the user who was begun last. */
  #count = 0;
  /** Number of users. */
  users = 0;

  /** @param expected bytes that will probably suffice */
  constructor(expected: number) {
    this.#bytes = new Uint8Array(Math.max(expected, KEY_BYTES + COUNT_BYTES));
  }

  /** Begins a user; identifiers up to {@link endUser} are theirs. */
  beginUser(): void {
    this.#reserve(COUNT_BYTES);
    this.#userAt = this.#length;
    this.#length += COUNT_BYTES;
    this.#count = 0;
  }

  endUser(): void {
    this.#bytes[this.#userAt] = this.#count & 0xff;
    this.#bytes[this.#userAt + 1] = this.#count >> 8;
    this.users++;
  }

  /**
   * Adds an identifier by its hash in hex.
   * @param at the place of its first digit in `source`
   * @returns false, and adds nothing, if the next 64 bytes are not hex digits
   */
  addHex(kind: number, source: Uint8Array, at: number): boolean {
    this.#reserve(KEY_BYTES);
    const bytes = this.#bytes;
    let target = this.#length;
    bytes[target++] = kind;
    let all = 0;
    let from = at;
    for (const end = at + KEY_DIGITS; from < end; from += 2) {
      const high = hexDigits[source[from] ?? 0] ?? 0;
      const low = hexDigits[source[from + 1] ?? 0] ?? 0;
      all |= high | low;
      bytes[target++] = (high << 4) | low;
    }
    for (const end = at + HASH_DIGITS; from < end; from++) all |= hexDigits[source[from] ?? 0] ?? 0;
    if (all > LARGEST_DIGIT) return false;
    this.#length = target;
    this.#count++;
    return true;
  }

  /** Adds an identifier by its hash in bytes. */
  addHash(kind: IdentifierKind, hash: Uint8Array): void {
    this.#reserve(KEY_BYTES);
    this.#bytes[this.#length] = kindNumber(kind);
    this.#bytes.set(hash.subarray(0, KEY_BYTES - 1), this.#length + 1);
    this.#length += KEY_BYTES;
    this.#count++;
  }

  /** The users so far, in memory of their own. */
  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #reserve(size: number): void {
    if (this.#length + size <= this.#bytes.length) return;
    const bytes = new Uint8Array(this.#bytes.length * 2);
    bytes.set(this.#bytes);
    this.#bytes = bytes;
  }
}
