/** drizzle's query builder without a database behind it: its queries are compiled, and run elsewhere. */
import type { Query } from 'drizzle-orm';
import {
  BaseSQLiteDatabase,
  type SelectedFieldsOrdered,
  SQLitePreparedQuery,
  SQLiteSession,
} from 'drizzle-orm/sqlite-core';
import { dialect } from './compile.ts';

interface NothingPrepared {
  readonly type: 'async';
  readonly run: never;
  readonly all: never;
  readonly get: never;
  readonly values: never;
  readonly execute: never;
}

function notRun(): never {
  throw new TypeError('queries of this builder are compiled by statement(), not run');
}

/** A query as drizzle passes it to its driver. */
export class PreparedQuery extends SQLitePreparedQuery<NothingPrepared> {
  /** The columns of its rows; `undefined` when it gives none. */
  readonly fields: SelectedFieldsOrdered | undefined;

  constructor(query: Query, fields: SelectedFieldsOrdered | undefined) {
    super('async', 'all', query);
    this.fields = fields;
  }

  override run = notRun;
  override all = notRun;
  override get = notRun;
  override values = notRun;
}

class CompilingSession extends SQLiteSession<'async', never, Record<string, never>, Record<string, never>> {
  override prepareQuery(query: Query, fields: SelectedFieldsOrdered | undefined): PreparedQuery {
    return new PreparedQuery(query, fields);
  }

  override transaction(): never {
    return notRun();
  }
}

/** Builds the queries of statements: `query.select(...)`, `query.insert(...)`, `query.update(...)`, `query.delete(...)`. */
export const query = new BaseSQLiteDatabase('async', dialect, new CompilingSession(dialect), undefined);
