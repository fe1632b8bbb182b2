/** A store on a server, as the database uses it: what its driver is made of stays with the driver. */
import type { Arg } from './access.ts';
import type { BoundValue } from './arguments.ts';
import type { Row } from './native-connection.ts';
import type { Session } from './session.ts';

/** A SELECT that fails where others are not to be made. */
export interface Guard {
  readonly sql: string;
  readonly args: readonly Arg[];
}

/** What a store on a server holds at an instant, on a connection of its own. Writes go on meanwhile. */
export interface RemoteImage {
  /** Begins: what is committed at this moment is what is read from now on. @throws StoreUnreachableError */
  begin(): Promise<void>;
  /** Runs a SELECT. @throws StoreUnreachableError, also where the transaction has ended; LibsqlError */
  read(sql: string, args?: readonly Arg[]): Promise<readonly Row[]>;
  /** Ends the transaction and the connection. */
  close(): void;
}

/** See the top of this file. Implemented by `remote/remote-client.ts`. */
export interface RemoteStore {
  /** Runs a SELECT or PRAGMA. @throws TypeError on a statement that writes; LibsqlError; StoreUnreachableError */
  read(sql: string, args?: readonly Arg[]): Promise<readonly Row[]>;
  /** The same in the round trip of a guard, unless that fails. @throws SkippedReadError where it does */
  readIf(guard: Guard, sql: string, args?: readonly Arg[]): Promise<readonly Row[]>;
  /** A write transaction, which begins with its first statement. */
  begin(): Session;
  /** Runs statements in one transaction with foreign keys off. */
  migrate(statements: readonly { readonly sql: string; readonly args: readonly BoundValue[] }[]): Promise<void>;
  /** Connects for an image of the store. @throws StoreUnreachableError */
  image(): Promise<RemoteImage>;
  close(): void;
}
