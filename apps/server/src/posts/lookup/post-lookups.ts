/** Data retrieval over one store, with what it keeps in memory. */
import type { LookupResult } from '@broadside/core';
import type { Awaitable } from '../../awaitable.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../world/clock.ts';
import { type Keepable, KeptRows, type KeptTable } from './kept-rows.ts';
import { type LookupRows, lookUpPosts, type PostQuery, type Viewer } from './lookup.ts';
import { lookedUpMedia, lookedUpPolls, lookedUpPosts, lookedUpUsers } from './rows.ts';

const MB = 1_000_000;
/** The most that is kept of each table, in bytes: about 15,000 posts with their texts, and those who wrote them. */
const LIMITS = { posts: 64 * MB, users: 16 * MB, media: 12 * MB, polls: 4 * MB } as const;

interface Services {
  readonly database: Database;
  readonly clock: Clock;
  /** Keep rows in memory. Only where this process is the only one that writes the store. */
  readonly cache: boolean;
}

/** Runs the queries of data retrieval. */
export class PostLookups {
  readonly #clock: Clock;
  /** The rows that are kept. */
  readonly rows: LookupRows;

  constructor({ database, clock, cache }: Services) {
    this.#clock = clock;
    const kept = <Row extends Keepable>(table: KeptTable<Row>, limit: number) =>
      new KeptRows(table, { database, limit: cache ? limit : 0 });
    this.rows = {
      database,
      posts: kept(lookedUpPosts, LIMITS.posts),
      users: kept(lookedUpUsers, LIMITS.users),
      media: kept(lookedUpMedia, LIMITS.media),
      polls: kept(lookedUpPolls, LIMITS.polls),
    };
  }

  /** Runs a query. */
  run(query: PostQuery, viewer: Viewer): Awaitable<LookupResult> {
    return lookUpPosts(this.rows, query, viewer, this.#clock.now());
  }
}
