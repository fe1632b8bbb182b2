/** Errors of the storage layer that callers distinguish. Each message is one line that can be shown to an operator. */
import { LibsqlError } from '@libsql/client/sqlite3';

/** A database could not be opened. The message names the path or URL and the reason. */
export class DatabaseOpenError extends Error {
  override readonly name = 'DatabaseOpenError';
  constructor(where: string, reason: string, cause?: unknown) {
    super(`The database ${where} cannot be opened: ${reason}.`, { cause });
  }
}

/** The server of a store cannot be reached, or has not answered in time. */
export class StoreUnreachableError extends Error {
  override readonly name: string = 'StoreUnreachableError';
  readonly reason: string;
  /** It has taken what was sent, or seemed to, and has not answered in time. */
  readonly isLate: boolean;

  /** @param where the address of the store @param reason the end of a sentence, without its full stop */
  constructor(where: string, reason: string, isLate: boolean, cause?: unknown) {
    super(`The store ${where} cannot be reached: ${reason}.`, { cause });
    this.reason = reason;
    this.isLate = isLate;
  }
}

/** The server of a store acknowledges commits that are not on its disk, and nobody has accepted that. Nothing is read or stored there. */
export class WeakStoreError extends StoreUnreachableError {
  override readonly name = 'WeakStoreError';
  /** The end of a sentence. */
  static readonly reason = 'its server acknowledges commits that a failure of the power can undo';

  /** @param where the address of the store */
  constructor(where: string) {
    const way = 'set durability_mode of its namespace to "strong", or accept it: BROADSIDE_ACCEPT_WEAK_DURABILITY=1';
    super(where, `${WeakStoreError.reason}; ${way}`, false);
  }
}

/** A read or write on a database that is closed or closing. */
export class DatabaseClosedError extends Error {
  override readonly name = 'DatabaseClosedError';
  constructor() {
    super('The database is closed.');
  }
}

/** `write` was called inside the body of a write to the same database, where it could never begin. */
export class WriteInWriteError extends Error {
  override readonly name = 'WriteInWriteError';
  constructor() {
    super('A write was started inside a write to the same database: use the writer that the body was given.');
  }
}

/**
 * The transaction that a write took part in was lost before its COMMIT was sent. Nothing of the write was stored, so it
 * may be tried again. `cause` is what ended the transaction.
 */
export class WriteAbortedError extends Error {
  override readonly name = 'WriteAbortedError';
  constructor(cause: unknown) {
    super(`The write was rolled back: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/**
 * The response to a COMMIT over the network did not arrive, or the disk reported an error for it. The write may be stored or
 * not: only reading can determine it. `cause` is the failure of the connection or of the disk.
 */
export class CommitUnknownError extends Error {
  override readonly name: string = 'CommitUnknownError';
  constructor(cause: unknown, message = 'The commit failed: it is unknown whether the write was stored.') {
    super(message, { cause });
  }
}

/**
 * The write is stored, and other servers that keep what they have read, or read replicas, could not be told of it, which is tried again until it is
 * done. To whoever asked for the write it is as if it were unknown whether it is stored: it must not be asked for again as one that was not.
 */
export class CommitUntoldError extends CommitUnknownError {
  override readonly name = 'CommitUntoldError';
  constructor(cause: unknown) {
    super(cause, 'The write is stored, but other servers could not be told of it.');
  }
}

/** A read was not made, because its guard has failed. */
export class SkippedReadError extends Error {
  override readonly name = 'SkippedReadError';
  constructor() {
    super('The read was left out: what guards it has failed.');
  }
}

/** Kinds of constraint that a statement can violate. */
export type ConstraintKind = 'unique' | 'foreign key' | 'not null' | 'check' | 'other';

/**
 * The constraint that a failed statement violated; undefined for all other errors. To be used instead of error codes:
 * a libSQL server reports SQLITE_CONSTRAINT without saying which one, only its message does.
 */
export function violatedConstraint(error: unknown): ConstraintKind | undefined {
  if (!(error instanceof LibsqlError) || !error.code.startsWith('SQLITE_CONSTRAINT')) return undefined;
  if (/UNIQUE constraint failed/.test(error.message)) return 'unique';
  if (/FOREIGN KEY constraint failed/.test(error.message)) return 'foreign key';
  if (/NOT NULL constraint failed/.test(error.message)) return 'not null';
  if (/CHECK constraint failed/.test(error.message)) return 'check';
  return 'other';
}
