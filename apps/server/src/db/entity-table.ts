/** The columns that tables of entities have in common. */
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';

/** A table whose rows are entities: found by id, ordered by time and sequence, soft-deleted. */
export type EntityTable = SQLiteTable & {
  readonly id: SQLiteColumn;
  readonly seq: SQLiteColumn;
  readonly created_at: SQLiteColumn;
  readonly updated_at: SQLiteColumn;
  readonly deleted: SQLiteColumn;
  /** Missing where nothing is above the entity whose deletion hides it. */
  readonly parent_deleted?: SQLiteColumn;
  /** Missing where the entity belongs to no account. */
  readonly account_id?: SQLiteColumn;
  readonly $inferSelect: StoredRow;
};

/** Columns of every row of an entity table. */
export type StoredRow = {
  id: string;
  seq: bigint;
  created_at: string;
  updated_at: string;
  deleted: boolean;
  parent_deleted?: boolean;
  account_id?: string;
};
