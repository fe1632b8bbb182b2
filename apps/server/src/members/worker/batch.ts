import { type Frame, flagsOf, operationAt, operationFlags } from '../log/frame.ts';
import { KEY_BYTES, KEY_WORDS, readKey } from './keys.ts';

/** An operation as it is replayed. */
export interface ReplayedOperation {
  readonly isDelete: boolean;
  readonly effective_s: number;
  readonly expires_s: number;
  readonly default_effective: boolean;
  readonly default_expires: boolean;
  /** The time of its request. */
  readonly now_s: number;
  /** Users up to this number are those of this operation and of those before. */
  readonly user_end: number;
}

/** The operations of some requests on one audience, one after the other, in columns. */
export class Batch {
  readonly operation_count: number;
  /** The keys of all users, one after the other. */
  readonly keys: Uint32Array;
  readonly key_count: number;
  /** For each user the number of keys up to its last one. */
  readonly key_ends: Uint32Array;
  /** The time of the last request. */
  readonly now_s: number;
  readonly #flags: Uint8Array;
  /** Four words for each operation: effective, expires, now, and the users up to its last one. */
  readonly #words: Uint32Array;

  /** @param at_s time does not go back behind this */
  constructor(frames: readonly Frame[], at_s: number) {
    const most = frames.reduce(
      (sum, frame) => sum + Math.ceil((frame.users.length - frame.records * 2) / KEY_BYTES),
      0,
    );
    this.operation_count = frames.reduce((sum, { operation_count }) => sum + operation_count, 0);
    this.keys = new Uint32Array(most * KEY_WORDS);
    this.key_ends = new Uint32Array(frames.reduce((sum, { records }) => sum + records, 0));
    this.#flags = new Uint8Array(this.operation_count);
    this.#words = new Uint32Array(this.operation_count * 4);
    let user = 0;
    let key = 0;
    let index = 0;
    let now_s = at_s;
    for (const frame of frames) {
      now_s = Math.max(now_s, frame.at_s);
      let user_end = user;
      for (let i = 0; i < frame.operation_count; i++, index++) {
        const operation = operationAt(frame, i);
        user_end += operation.user_count;
        this.#flags[index] = flagsOf(operation);
        this.#words[index * 4] = operation.effective_s;
        this.#words[index * 4 + 1] = operation.expires_s;
        this.#words[index * 4 + 2] = now_s;
        this.#words[index * 4 + 3] = user_end;
      }
      const bytes = frame.users;
      for (let at = 0; at < bytes.length && user < user_end; user++) {
        const count = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
        at += 2;
        for (let i = 0; i < count; i++, at += KEY_BYTES) readKey(bytes, at, this.keys, key++ * KEY_WORDS);
        this.key_ends[user] = key;
      }
    }
    this.key_count = key;
    this.now_s = now_s;
  }

  operation(index: number): ReplayedOperation {
    const flags = this.#flags[index] ?? 0;
    const at = index * 4;
    return {
      isDelete: (flags & operationFlags.delete) !== 0,
      default_effective: (flags & operationFlags.default_effective) !== 0,
      default_expires: (flags & operationFlags.default_expires) !== 0,
      effective_s: this.#words[at] ?? 0,
      expires_s: this.#words[at + 1] ?? 0,
      now_s: this.#words[at + 2] ?? 0,
      user_end: this.#words[at + 3] ?? 0,
    };
  }
}
