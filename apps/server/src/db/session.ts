/** Write transactions as the queue of writes uses them, embedded or remote. */
import type { LibsqlError } from '@libsql/client/sqlite3';
import type { Writer } from './access.ts';
import type { BoundValue } from './arguments.ts';
import type { Row } from './native-connection.ts';
import type { SqlFacts } from './sql-text.ts';
import type { TouchedSlots } from './touched-slots.ts';

/** The error of a failure, be it `undefined` that was thrown. */
export interface Failure {
  readonly error: unknown;
}

/** A statement that a body has asked for. */
export interface DraftedStatement {
  readonly sql: string;
  readonly args: readonly BoundValue[];
  readonly writes: boolean;
}

/** What a body would do. */
export interface Draft {
  readonly statements: readonly DraftedStatement[];
  /** What it took from outside of the store, in its order. */
  readonly drawn: readonly (string | bigint | undefined)[];
  /** It has failed, as it may not do in the transaction. */
  readonly threw: boolean;
}

/** What a statement of a draft gave; `undefined` where it was not run, since one before it had failed. */
export type PlayedOutcome = { readonly rows: readonly Row[]; readonly changed: number } | LibsqlError | undefined;

/** A draft with what its statements gave in the transaction. */
export interface Played {
  readonly draft: Draft;
  readonly outcomes: readonly PlayedOutcome[];
  /** What it wrote is undone already, as is right where the body fails. */
  readonly isUndone: boolean;
}

/** Interface of a transaction, embedded or remote, for the drain. */
export interface Session {
  /** Runs a statement of the queue's own: SAVEPOINT and its kind. Embedded, it has run on return. */
  control(sql: string): Promise<unknown> | undefined;
  /** The handle for one body. @param touched notes what its statements write */
  writer(touched: TouchedSlots): SessionWriter;
  /** The database has ended the transaction by itself. */
  readonly ended: boolean;
  /** Rows that were to be inserted later could not be stored, and possibly only some of them. */
  readonly failure: Failure | undefined;
  /** Stores rows that were to be inserted later. @returns {@link failure} */
  flush(): Failure | undefined;
  /** Forgets such rows and their failure, because they are undone. */
  drop(): void;
  /**
   * Runs the statements of drafts, in one round trip; those of each in a savepoint, which is undone where one of them fails or the body is
   * to fail. A draft alone has none. What was played before is undone in the same round trip. Where it is missing, statements cost nothing.
   */
  play?(drafts: readonly Draft[]): Promise<Played[]>;
  commit(): Promise<void>;
  /** The same, with the mark of the store, where that has one. Missing for files. @returns the mark */
  commitMarked?(): Promise<number | undefined>;
  rollback(): Promise<void>;
}

export interface SessionWriter extends Writer {
  /** Ends the handle. Resolves when none of its statements is on the way any more. */
  end(): Promise<void> | undefined;
}

/** @throws TypeError on a statement that controls the transaction */
export function checkNoControl(facts: SqlFacts, sql: string): void {
  if (facts.kind === 'control') throw new TypeError(`a write cannot control its own transaction: ${sql.slice(0, 200)}`);
}

/** The error for a writer that outlived its write. */
export function endedError(): TypeError {
  return new TypeError('the writer was used after its write had ended');
}
