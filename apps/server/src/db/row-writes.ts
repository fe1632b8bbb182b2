/** Writes of single rows of a table of entities. */
import { getTableName } from 'drizzle-orm';
import { getTableConfig, type SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Awaitable } from '../awaitable.ts';
import { columnArg, toArg } from './compile.ts';
import type { Arg, Touched, Writer } from './database.ts';
import type { EntityTable, StoredRow } from './entity-table.ts';
import { insertRow } from './insert-row.ts';
import { Insertion, quote } from './insertion.ts';

type Cells = Readonly<Record<string, unknown>>;

/** Columns of a table with the names of their members. */
export type Columns = readonly (readonly [name: string, column: SQLiteColumn])[];

interface Update {
  readonly columns: Columns;
  readonly text: string;
}

/** Forms of UPDATE that are kept: one for each set of columns that were changed together. */
const MOST_UPDATES = 100;

/**
 * The statements that insert, replace and remove one row.
 *
 * They say OR FAIL: SQLite verifies a row before it writes any of it, and then has nothing to undo of the statement. With the
 * default, ABORT, a statement that runs triggers would first copy every page that it changes, which takes as long as the rest.
 */
export class RowWrites {
  readonly #columns: Columns;
  /** The columns of the primary key. */
  readonly #primary: readonly string[];
  readonly #target: string;
  readonly #where: string;
  readonly #insertion: Insertion;
  /** Something besides its id distinguishes a row. */
  readonly #unique: boolean;
  readonly #deleteText: string;
  readonly #updates = new Map<string, Update>();

  constructor(table: EntityTable, columns: Columns) {
    this.#columns = columns;
    const names = columns.map(([name]) => name);
    this.#primary = names.filter((name) => name === 'account_id' || name === 'id');
    this.#target = quote(getTableName(table));
    this.#where = this.#primary.map((name) => `${quote(name)} = ?`).join(' AND ');
    this.#insertion = new Insertion(getTableName(table), names);
    this.#unique = getTableConfig(table).indexes.some(({ config }) => config.unique);
    this.#deleteText = `DELETE FROM ${this.#target} WHERE ${this.#where}`;
  }

  /** @param given whether its id was chosen by the caller, so that it may be taken */
  insert(writer: Writer, row: StoredRow & Cells, given: boolean): Awaitable<unknown> {
    const args = this.#columns.map(([name, column]) => columnArg(column, row[name]));
    // A caller may want to know at once that there is such a row.
    return this.#unique || given
      ? writer.change(this.#insertion.text(1), args, touchedBy(row))
      : insertRow(writer, this.#insertion, args, touchedBy(row));
  }

  /**
   * Replaces the row of the same primary key.
   * @param before the row that is stored; only what differs from it is written, and only the indexes on that
   */
  update(writer: Writer, row: StoredRow & Cells, before?: Cells): Awaitable<number> {
    const changed = before ? this.#columns.filter(([name]) => row[name] !== before[name]) : this.#columns;
    if (changed.length === 0) return 0;
    const { text, columns } = this.#updateOf(changed);
    const args = columns.map(([name, column]) => columnArg(column, row[name]));
    args.push(...this.#keyOf(row));
    return writer.change(text, args, touchedBy(row));
  }

  /** Removes the row of the same primary key. */
  remove(writer: Writer, row: StoredRow & Cells): Awaitable<number> {
    return writer.change(this.#deleteText, this.#keyOf(row), touchedBy(row));
  }

  #updateOf(changed: Columns): Update {
    const key = changed.map(([name]) => name).join();
    const known = this.#updates.get(key);
    if (known) return known;
    // Who changes attributes in every combination gets statements that write all of them.
    if (this.#updates.size >= MOST_UPDATES && changed !== this.#columns) return this.#updateOf(this.#columns);
    const values = changed.map(([name]) => `${quote(name)} = ?`).join(', ');
    const made = { columns: changed, text: `UPDATE OR FAIL ${this.#target} SET ${values} WHERE ${this.#where}` };
    this.#updates.set(key, made);
    return made;
  }

  #keyOf(row: Cells): Arg[] {
    return this.#primary.map((name) => toArg(row[name]));
  }
}

/** Returns the slots that a write of one row touches. */
function touchedBy({ account_id = '', id }: StoredRow): Touched {
  return { scope: account_id, id };
}
