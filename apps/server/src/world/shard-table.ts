/** What the directory of an environment knows of its shards. All of it is empty where there are none. See ADR 0032. */
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { flag, int } from '../db/columns.ts';

/** The shards that the directory has taken in. */
export const shards = sqliteTable('shards', {
  name: text('name').primaryKey(),
  added_at: text('added_at').notNull(),
});

/**
 * Where accounts are. The directory has a row for each that is, or was, on a shard; a shard has a row for each that is on it. A write of an
 * account reads the row of its own store in its transaction, so that none gets into a store that the account has left.
 */
export const accountShards = sqliteTable(
  'account_shards',
  {
    account_id: text('account_id').primaryKey(),
    /** Name of the shard; empty for the store of the directory. */
    shard: text('shard').notNull(),
    /** Nothing of the account is written for a moment, since it is about to be on another shard. */
    closed: flag('closed').notNull().default(false),
  },
  (table) => [index('account_shards_by_shard').on(table.shard)],
);

/** Work on an account that more than one store takes part in, from before its first write until after its last one. */
export const accountWork = sqliteTable(
  'account_work',
  {
    account_id: text('account_id').notNull(),
    kind: text('kind').$type<'CHANGE' | 'CREATE' | 'MOVE'>().notNull(),
    /** The shard that the account is on; empty for the store of the directory. */
    source: text('source').notNull(),
    /** The shard that a move leads to. */
    target: text('target').notNull(),
    state: text('state').notNull(),
    /** Who does it: another value where somebody else has taken it over. */
    token: text('token').notNull(),
    /** Until then nobody else takes it over, in seconds by the clock of the store. */
    until_s: int('until_s').notNull(),
  },
  (table) => [primaryKey({ columns: [table.account_id, table.kind] })],
);

/**
 * Rows of accounts that have changed while the account is copied to another store, in the order of the changes. Triggers that are there only
 * during the move write it.
 */
export const movedChanges = sqliteTable(
  'moved_changes',
  {
    seq: integer('seq').primaryKey({ autoIncrement: true }),
    account_id: text('account_id').notNull(),
    /** The table of the row. */
    list: text('list').notNull(),
    /** JSON array of the values of its primary key. */
    key: text('key').notNull(),
  },
  (table) => [index('moved_changes_by_account').on(table.account_id)],
);

/**
 * Accounts between which audiences may be shared: a row is written before the first grant, and stays. It says in which stores grants
 * are to be looked for, not that there are any.
 */
export const sharingAccounts = sqliteTable(
  'sharing_accounts',
  {
    granted_account_id: text('granted_account_id').notNull(),
    owner_account_id: text('owner_account_id').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.granted_account_id, table.owner_account_id] }),
    index('sharing_accounts_by_owner').on(table.owner_account_id),
  ],
);
