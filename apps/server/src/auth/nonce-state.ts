/** The state of a nonce log that must survive a loss of power and a full disk. */
import { type ReadRecord, SlotFile } from '../db/slot-file.ts';
import type { TimeRange } from './time-ranges.ts';

/** The state of a nonce log; see `nonces.ts`. Two full sets of ranges take less than 2,000 bytes. */
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

const KIND = 'broadside-nonces-2';

// The checksum holds that this program wrote it.
const record: ReadRecord<NonceState> = (value) => (isState(value) ? value : undefined);

function isState(value: unknown): value is NonceState {
  return typeof value === 'object' && value !== null && 'reserved' in value && 'expired' in value;
}

/** Reads the state of a log: `undefined` when there is none, `damaged` when it cannot be read. */
export function readNonceState(path: string): NonceState | 'damaged' | undefined {
  return SlotFile.read(path, KIND, record);
}

/** Opens or makes the file of a state, and writes it. @throws the file system's error */
export function beginNonceState(path: string, state: NonceState): SlotFile<NonceState> {
  return SlotFile.begin(path, KIND, state);
}
