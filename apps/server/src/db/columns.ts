/** Column types that keep wire values exact: what a field holds on the wire is what its column gives back. */
import { customType, primaryKey, type SQLiteColumn, text } from 'drizzle-orm/sqlite-core';

/** A 64-bit whole number; `bigint` in code. */
export const long = customType<{ data: bigint; driverData: bigint }>({
  dataType: () => 'integer',
});

/** A whole number that fits a double. */
export const int = customType<{ data: number; driverData: bigint }>({
  dataType: () => 'integer',
  toDriver: (value) => BigInt(value),
  fromDriver: (value) => Number(value),
});

/** A boolean, stored as 1 and 0. */
export const flag = customType<{ data: boolean; driverData: bigint }>({
  dataType: () => 'integer',
  toDriver: (value) => (value ? 1n : 0n),
  fromDriver: (value) => Number(value) === 1,
});

/** A tree or another nested value that is read as a whole, stored as JSON text. What it holds is the contract's business. */
export const json = <Value>(name: string) =>
  customType<{ data: Value; driverData: string }>({
    dataType: () => 'text',
    toDriver: (value) => JSON.stringify(value),
    fromDriver: (value) => JSON.parse(value),
  })(name);

/** A list of words, stored as JSON text. The words themselves are the contract's business. */
export const words = <Word extends string>(name: string) => json<Word[]>(name);

/**
 * The columns that every entity of an account has. The database keeps its own order of columns: nothing reads them by
 * their place.
 */
export function systemColumns() {
  return {
    account_id: text('account_id').notNull(),
    id: text('id').notNull(),
    ...sharedColumns(),
  };
}

/** Columns of a child entity: also whether it is hidden with its parent. */
export function childColumns() {
  return {
    ...systemColumns(),
    /** A parent is deleted or hidden: the entity keeps its own state and is shown only among deleted records. */
    parent_deleted: flag('parent_deleted').notNull(),
  };
}

/** Columns that every entity has besides its key, for entities that belong to no account. */
export function sharedColumns() {
  return {
    /** Orders entities by their creation. */
    seq: long('seq').notNull(),
    created_at: text('created_at').notNull(),
    updated_at: text('updated_at').notNull(),
    deleted: flag('deleted').notNull(),
  };
}

/** The name as lists order it. Empty only while a migration fills it: see `collated-names.ts`. */
export function nameCollated() {
  return text('name_collated').notNull().default('');
}

/** Columns of something with budgets: what was spent of them. See `Spent` in core. */
export function spentColumns() {
  return {
    spent_local_micro: long('spent_local_micro'),
    spent_today_local_micro: long('spent_today_local_micro'),
    spent_today_until: text('spent_today_until'),
  };
}

/** The primary key of a table of account entities. */
export function accountKey(table: { readonly account_id: SQLiteColumn; readonly id: SQLiteColumn }) {
  return primaryKey({ columns: [table.account_id, table.id] });
}
