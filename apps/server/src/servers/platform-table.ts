import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { flag, int } from '../db/columns.ts';

/**
 * The processes that have a platform open whose store is on a server, each under a number of its own. A row outlives its process: the next one
 * with the number goes on after its ids. Times of leases are those of the store's clock.
 */
export const servers = sqliteTable('servers', {
  /** 0 to 1023, part of each id that the process hands out. */
  worker: integer('worker').primaryKey(),
  /** Of the process, as long as the lease is its own. */
  id: text('id').notNull(),
  /** Of its data directory on its machine, which one process has at a time. */
  place: text('place').notNull(),
  host: text('host').notNull(),
  pid: int('pid').notNull(),
  /** By the machine of the process. */
  started_at: text('started_at').notNull(),
  /** It answers clients; otherwise it is a command such as `broadside seed`. */
  serves: flag('serves').notNull(),
  /** It has state in common with other servers. */
  shares: flag('shares').notNull(),
  lease_until_ms: int('lease_until_ms').notNull(),
  /** Its ids are of this millisecond at most, by the world's clock. */
  ids_until_ms: int('ids_until_ms').notNull(),
});

/** Work that one process does at a time, on a platform with several. */
export const leases = sqliteTable('leases', {
  name: text('name').primaryKey(),
  /** The id of the process. */
  owner: text('owner').notNull(),
  until_ms: int('until_ms').notNull(),
});

/** What all servers of a platform have to agree on. The first to write a fact decides it. */
export const platformFacts = sqliteTable('platform_facts', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
});

/** Which worker keeps the members of an audience. A row is never changed. */
export const audienceKeepers = sqliteTable(
  'audience_keepers',
  {
    /** As the store of members names it. */
    audience: text('audience').primaryKey(),
    /** See `audience-places.ts`. */
    place: text('place').notNull(),
  },
  (table) => [index('audience_keepers_place').on(table.place)],
);
