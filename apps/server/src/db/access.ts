/** Read and write access to a database of any kind. */
import type { Awaitable } from '../awaitable.ts';
import type { Insertion } from './insertion.ts';
import type { KeptRows, Touches } from './kept-rows.ts';
import type { Row } from './native-connection.ts';

/** An argument of a statement. Whole numbers and booleans are stored as INTEGER; beyond 2^53 pass a bigint. */
export type Arg = string | number | bigint | boolean | null | Uint8Array;

/**
 * The rows that a statement writes, where its caller knows more than the table: those of a scope (for account data: the
 * account), or the one with an id. What readers keep of other rows stays valid.
 */
export interface Touched {
  readonly scope: string;
  readonly id?: string;
  /** Nobody keeps rows of the table. */
  readonly isUnkept?: boolean;
}

/** Reads. */
export interface Reader {
  /** Rows that can be given without reading them again; a write, which sees its own changes, has {@link Writer.touched}. */
  readonly kept?: KeptRows | undefined;
  /**
   * Runs a SELECT (on a {@link Writer} any statement) and gives its rows, by column index; INTEGER arrives as bigint.
   * A SELECT that ends with a literal `LIMIT 1` is the cheapest.
   * Rejects with LibsqlError from the database, with TypeError or RangeError on arguments that do not fit.
   */
  query(sql: string, args?: readonly Arg[]): Promise<readonly Row[]>;
  /** The same without a promise where the database is embedded: the rows are returned, and errors thrown, at once. */
  read(sql: string, args?: readonly Arg[]): Awaitable<readonly Row[]>;
}

/** Values that a body takes from outside of the store: its second run gets those of its first, so that it does the same. */
export interface Draws {
  time(make: () => string): string;
  sequence(make: () => bigint | undefined): bigint | undefined;
}

/** Reads and writes inside one write; rejected outside the body that received it. */
export interface Writer extends Reader {
  /**
   * Runs a statement and gives the number of rows that it inserted, updated or deleted. Rejects as `query`.
   * @param touched the rows that it writes; by default all of the table
   */
  run(sql: string, args?: readonly Arg[], touched?: Touched): Promise<number>;
  /** The same without a promise where the database is embedded: the number is returned, and errors thrown, at once. */
  change(sql: string, args?: readonly Arg[], touched?: Touched): Awaitable<number>;
  /**
   * Inserts a row before the next statement that could see it, or with the end of the write, so that several share a statement. If
   * that fails, the write fails as a whole, even where its body catches the error. Missing where it would gain nothing.
   * @throws TypeError or RangeError at once on values that cannot be stored
   */
  insertSoon?(insertion: Insertion, row: readonly Arg[], touched?: Touched): void;
  /** The writes of the transaction so far, where committed rows are kept: it need not read again what it has not. */
  readonly touched?: Touches | undefined;
  /** Takes what a body has from outside of the store, where it may run twice for one result. */
  readonly draws?: Draws | undefined;
  /** Distinguishes a writer from a reader by type. */
  readonly writer: true;
}
