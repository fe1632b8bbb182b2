/** A write transaction of the embedded client. */
import type { Arg, Touched } from './access.ts';
import type { Insertion } from './insertion.ts';
import type { Row } from './native-connection.ts';
import type { NativeTransaction } from './native-transaction.ts';
import { PendingRows } from './pending-rows.ts';
import { checkNoControl, endedError, type Failure, type Session, type SessionWriter } from './session.ts';
import { type SqlFacts, sqlFacts } from './sql-text.ts';
import type { TouchedSlots } from './touched-slots.ts';

/** Statements run when they are called, so the bodies of a group run without a pause for I/O between them. */
export class NativeSession implements Session {
  readonly #transaction: NativeTransaction;
  readonly #pending: PendingRows;

  constructor(transaction: NativeTransaction) {
    this.#transaction = transaction;
    this.#pending = new PendingRows((sql, values) => transaction.runBound(sql, values));
  }

  control(sql: string): undefined {
    this.#transaction.control(sql);
  }

  writer(touched: TouchedSlots): SessionWriter {
    return new NativeWriter(this.#transaction, this.#pending, touched);
  }

  get ended(): boolean {
    return this.#transaction.closed;
  }

  get failure(): Failure | undefined {
    return this.#pending.failure;
  }

  flush(): Failure | undefined {
    try {
      this.#pending.flush();
    } catch {
      // It is kept, since it can also have been a statement of a body that met it.
    }
    return this.#pending.failure;
  }

  drop(): void {
    this.#pending.drop();
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
  readonly touched: TouchedSlots;
  readonly #pending: PendingRows;
  #transaction: NativeTransaction | undefined;

  constructor(transaction: NativeTransaction, pending: PendingRows, touched: TouchedSlots) {
    this.#transaction = transaction;
    this.#pending = pending;
    this.touched = touched;
  }

  async query(sql: string, args?: readonly Arg[]): Promise<readonly Row[]> {
    return this.read(sql, args);
  }

  read(sql: string, args?: readonly Arg[]): readonly Row[] {
    const facts = sqlFacts(sql);
    const transaction = this.#usable(facts, sql);
    this.touched.note(facts, undefined);
    return transaction.rows(sql, args);
  }

  async run(sql: string, args?: readonly Arg[], touched?: Touched): Promise<number> {
    return this.change(sql, args, touched);
  }

  change(sql: string, args?: readonly Arg[], touched?: Touched): number {
    const facts = sqlFacts(sql);
    const transaction = this.#usable(facts, sql);
    this.touched.note(facts, touched);
    return transaction.run(sql, args);
  }

  insertSoon(insertion: Insertion, row: readonly Arg[], touched?: Touched): void {
    if (this.#transaction === undefined) throw endedError();
    this.touched.note(sqlFacts(insertion.text(1)), touched);
    this.#pending.add(insertion, row);
  }

  #usable(facts: SqlFacts, sql: string): NativeTransaction {
    if (this.#transaction === undefined) throw endedError();
    checkNoControl(facts, sql);
    this.#pending.flush(sql);
    return this.#transaction;
  }

  end(): undefined {
    this.#transaction = undefined;
  }
}
