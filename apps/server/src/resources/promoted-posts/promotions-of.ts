/** Where posts are promoted, of all accounts of a store. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Reader } from '../../db/database.ts';
import { rows, statement } from '../../db/statement.ts';
import { types } from '../../db/value-types.ts';
import { promotedPosts } from './table.ts';

/** Rows that one statement goes through. */
const SCANNED = 5_000;

/** Promotions that are given at a time. */
const PORTION = 500;

const { account_id, id, post_id, deleted, approval_status } = promotedPosts;
const from = { first: account_id, second: id, count: types.int };

// An index by post would cost each promotion for what is rarely asked: they are gone through in the order of their keys.
const scan = statement({ ...from, post_ids: types.texts }, ({ first, second, count, post_ids }) =>
  rows(
    { account_id, id },
    (columns) => sql`SELECT ${columns} FROM (
      SELECT * FROM ${promotedPosts} WHERE (${account_id}, ${id}) > (${first}, ${second})
      ORDER BY ${account_id}, ${id} LIMIT ${count}
    ) AS ${promotedPosts} WHERE ${deleted} = 0 AND ${post_id} IN (SELECT value FROM json_each(${post_ids}))`,
  ),
);
const endOfScan = statement(from, ({ first, second, count }) =>
  rows(
    { first: account_id, second: id },
    (columns) => sql`SELECT ${columns} FROM ${promotedPosts} WHERE (${account_id}, ${id}) > (${first}, ${second})
      ORDER BY ${account_id}, ${id} LIMIT 1 OFFSET ${count} - 1`,
  ),
);

const scanLive = statement(from, ({ first, second, count }) =>
  rows(
    { account_id, id, post_id },
    (columns) => sql`SELECT ${columns} FROM ${promotedPosts}
      WHERE (${account_id}, ${id}) > (${first}, ${second}) AND ${deleted} = 0 AND ${approval_status} <> 'REJECTED'
      ORDER BY ${account_id}, ${id} LIMIT ${count}`,
  ),
);

/** A promoted post of an account. */
export interface Promotion {
  readonly account_id: string;
  readonly id: string;
}

/** The promotions of some posts that are not deleted. Between two parts of the store other work is done. */
export async function* promotionsOf(reader: Reader, post_ids: readonly string[]): AsyncGenerator<Promotion> {
  for (let at: { first: string; second: string } | undefined = { first: '', second: '' }; at; ) {
    const part = { ...at, count: SCANNED };
    const end = await endOfScan.all(reader, part);
    yield* await scan.all(reader, { ...part, post_ids });
    at = end[0];
    await nextTurn();
  }
}

/** All promotions that are neither deleted nor rejected, some at a time, with their posts. Between two parts of the store other work is done. */
export async function* livePromotions(
  reader: Reader,
): AsyncGenerator<readonly (Promotion & { readonly post_id: string })[]> {
  for (let at = { first: '', second: '' }; ; ) {
    const found = await scanLive.all(reader, { ...at, count: PORTION });
    yield found;
    const last = found.at(-1);
    if (found.length < PORTION || !last) return;
    at = { first: last.account_id, second: last.id };
    await nextTurn();
  }
}
