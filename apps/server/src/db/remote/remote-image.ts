/** What a store on a server holds at an instant: a read transaction on a connection of its own. */
import { LibsqlError } from '@libsql/client/sqlite3';
import type { Arg } from '../access.ts';
import { boundArguments } from '../arguments.ts';
import { StoreUnreachableError } from '../errors.ts';
import type { Row } from '../native-connection.ts';
import type { RemoteImage } from '../remote-store.ts';
import { sqlFacts } from '../sql-text.ts';
import type { Address } from './address.ts';
import { inTransaction } from './draft-script.ts';
import { type Lease, Link } from './link.ts';
import type { Step } from './steps.ts';

/** Milliseconds for a slice of rows. Nobody waits for the connection but the copy. */
const READ_MS = 60_000;

/** See {@link RemoteImage}. `sqld` ends a transaction that keeps others from writing, which one that only reads does not. */
export class ReadTransaction implements RemoteImage {
  readonly #shown: string;
  readonly #patience: number;
  readonly #lease: Lease;

  private constructor(shown: string, patience: number, link: Link) {
    this.#shown = shown;
    this.#patience = patience;
    this.#lease = { link, stream: link.openStream() };
  }

  /** Connects. @param patience milliseconds @throws StoreUnreachableError */
  static async open(address: Address, patience: number): Promise<ReadTransaction> {
    const link = await Link.open(address, patience);
    try {
      // An address can lead to another server than before.
      await link.checkPrimary(patience);
      return new ReadTransaction(address.shown, patience, link);
    } catch (error) {
      link.close();
      throw error;
    }
  }

  async begin(): Promise<void> {
    const first = { sql: 'SELECT 1 FROM sqlite_master LIMIT 1', args: [], condition: inTransaction };
    // SQLite begins it with the first statement that reads.
    await this.#run([{ sql: 'BEGIN', args: [] }, first], this.#patience);
  }

  async read(sql: string, args: readonly Arg[] = []): Promise<readonly Row[]> {
    return this.#run([{ sql, args: boundArguments(sql, sqlFacts(sql), args), condition: inTransaction }], READ_MS);
  }

  close(): void {
    this.#lease.link.close('it was closed here');
  }

  /** @returns the rows of the last statement */
  async #run(steps: readonly Step[], patience: number): Promise<readonly Row[]> {
    const { link, stream } = this.#lease;
    const outcomes = await link.run(stream, steps, patience);
    for (const outcome of outcomes) if (outcome instanceof LibsqlError) throw outcome;
    const last = outcomes.at(-1);
    if (last === undefined || last instanceof LibsqlError)
      throw new StoreUnreachableError(this.#shown, 'the server has ended the transaction that was read', false);
    return last.rows;
  }
}
