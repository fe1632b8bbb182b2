/** A batch of users in the compact form in which it is checked, stored and merged. */

/** Bytes of the key of an identifier: the number of its kind, and the first 15 bytes of its SHA-256. */
export const KEY_BYTES = 16;

/** One operation of a batch of users. */
export interface PackedOperation {
  readonly operation_type: 'Update' | 'Delete';
  /** In milliseconds; `undefined` when the caller left it out. */
  readonly effective_at: number | undefined;
  /** In milliseconds; `undefined` when the caller left it out. */
  readonly expires_at: number | undefined;
  /** Number of its users, which follow those of the operations before it. */
  readonly user_count: number;
}

/** The operations of a batch, with the users of all of them. */
export interface PackedUsers {
  readonly operations: readonly PackedOperation[];
  /** Number of users of all operations. */
  readonly user_count: number;
  /** For each user the number of identifiers as 16 bits, little-endian, then the key of each. */
  readonly users: Uint8Array;
}
