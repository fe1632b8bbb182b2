/** A write transaction of the embedded client. */
import type { Arg } from './access.ts';
import type { Row } from './native-connection.ts';
import type { NativeTransaction } from './native-transaction.ts';
import { checkNoControl, endedError, type Session, type SessionWriter } from './session.ts';
import { sqlFacts } from './sql-text.ts';

/** Statements run when they are called, so the bodies of a group run without a pause for I/O between them. */
export class NativeSession implements Session {
  readonly #transaction: NativeTransaction;

  constructor(transaction: NativeTransaction) {
    this.#transaction = transaction;
  }

  async control(sql: string): Promise<void> {
    this.#transaction.control(sql);
  }

  writer(): SessionWriter {
    return new NativeWriter(this.#transaction);
  }

  commit(): Promise<void> {
    return this.#transaction.commit();
  }

  rollback(): Promise<void> {
    return this.#transaction.rollback();
  }
}

class NativeWriter implements SessionWriter {
  readonly writer = true;
  #transaction: NativeTransaction | undefined;

  constructor(transaction: NativeTransaction) {
    this.#transaction = transaction;
  }

  async query(sql: string, args?: readonly Arg[]): Promise<readonly Row[]> {
    return this.read(sql, args);
  }

  read(sql: string, args?: readonly Arg[]): readonly Row[] {
    return this.#usable(sql).rows(sql, args);
  }

  run(sql: string, args?: readonly Arg[]): Promise<number> {
    try {
      return Promise.resolve(this.#usable(sql).run(sql, args));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #usable(sql: string): NativeTransaction {
    if (this.#transaction === undefined) throw endedError();
    checkNoControl(sqlFacts(sql), sql);
    return this.#transaction;
  }

  end(): undefined {
    this.#transaction = undefined;
  }
}
