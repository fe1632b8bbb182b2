import { type Frame, operationAt } from '../log/frame.ts';
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

/** The operations of some requests on one audience, one after the other. */
export interface Batch {
  readonly operations: readonly ReplayedOperation[];
  /** The keys of all users, one after the other. */
  readonly keys: Uint32Array;
  readonly key_count: number;
  /** For each user the number of keys up to its last one. */
  readonly key_ends: Uint32Array;
}

/**
 * Reads the operations of frames.
 * @param at_s time does not go back behind this
 */
export function readBatch(frames: readonly Frame[], at_s: number): Batch {
  const users = frames.reduce((sum, { records }) => sum + records, 0);
  const most = frames.reduce((sum, frame) => sum + Math.ceil((frame.users.length - frame.records * 2) / KEY_BYTES), 0);
  const keys = new Uint32Array(most * KEY_WORDS);
  const key_ends = new Uint32Array(users);
  const operations: ReplayedOperation[] = [];
  let user = 0;
  let key = 0;
  let now_s = at_s;
  for (const frame of frames) {
    now_s = Math.max(now_s, frame.at_s);
    let user_end = user;
    for (let i = 0; i < frame.operation_count; i++) {
      const { operation_type, user_count, ...times } = operationAt(frame, i);
      user_end += user_count;
      operations.push({ ...times, isDelete: operation_type === 'Delete', now_s, user_end });
    }
    const bytes = frame.users;
    for (let at = 0; at < bytes.length && user < user_end; user++) {
      const count = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
      at += 2;
      for (let i = 0; i < count; i++, at += KEY_BYTES) readKey(bytes, at, keys, key++ * KEY_WORDS);
      key_ends[user] = key;
    }
  }
  return { operations, keys, key_count: key, key_ends };
}
