/** The rows of creatives of all accounts of an environment, read for the operator. */
import type { ApprovalStatus } from '@broadside/core/resources/accounts';
import type { Creative } from '@broadside/core/resources/operator';
import { type SQL, sql } from 'drizzle-orm';
import type { Reader } from '../../db/database.ts';
import { rows, statement } from '../../db/statement.ts';
import { types } from '../../db/value-types.ts';
import type { AdsStore } from '../../world/ads-store.ts';
import { mediaCreatives } from '../media-creatives/find.ts';
import { promotedAccounts } from '../promoted-accounts/find.ts';
import { promotedPosts } from '../promoted-posts/find.ts';
import { keyOf } from './row-keys.ts';

/** Which creatives of a kind are read: those after a place, of one account or all. */
export interface CreativeScan {
  readonly account_id: string;
  readonly id: string;
  /** The only account, where there is one. */
  readonly only: string | undefined;
  readonly approval_status: ApprovalStatus;
  /** The most rows that are compared. */
  readonly most: number;
}

/** Creatives that were found. */
interface FoundCreatives {
  readonly creatives: readonly Creative[];
  /** Where further ones are. */
  readonly next: { readonly account_id: string; readonly id: string } | undefined;
}

// Accounts have ids of ASCII letters and digits, which are all before this.
const AFTER_ALL = '~';

function scanOf(table: typeof mediaCreatives | typeof promotedAccounts | typeof promotedPosts, shows: SQL) {
  const { account_id, id, line_item_id, approval_status, updated_at, deleted, parent_deleted } = table;
  const span = { account_id: types.text, id: types.text, last: types.text, most: types.int };
  const found = statement({ ...span, approval_status: types.text, count: types.int }, (args) =>
    rows(
      { account_id, entity_id: id, line_item_id, shows: shows.mapWith(types.text), updated_at },
      (columns) => sql`SELECT ${columns} FROM (
        SELECT * FROM ${table} WHERE (${account_id}, ${id}) > (${args.account_id}, ${args.id}) AND ${account_id} <= ${args.last}
        ORDER BY ${account_id}, ${id} LIMIT ${args.most}
      ) AS ${table} WHERE ${approval_status} = ${args.approval_status} AND ${deleted} = 0 AND ${parent_deleted} = 0
      ORDER BY ${account_id}, ${id} LIMIT ${args.count}`,
    ),
  );
  const end = statement(span, (args) =>
    rows(
      { account_id, id },
      (columns) => sql`SELECT ${columns} FROM ${table}
        WHERE (${account_id}, ${id}) > (${args.account_id}, ${args.id}) AND ${account_id} <= ${args.last}
        ORDER BY ${account_id}, ${id} LIMIT 1 OFFSET ${args.most} - 1`,
    ),
  );
  return { found, end };
}

const scans: Readonly<Record<Creative['entity'], ReturnType<typeof scanOf>>> = {
  MEDIA_CREATIVE: scanOf(mediaCreatives, sql`${mediaCreatives.account_media_id}`),
  PROMOTED_ACCOUNT: scanOf(promotedAccounts, sql`${promotedAccounts.user_id}`),
  PROMOTED_POST: scanOf(promotedPosts, sql`${promotedPosts.post_id}`),
};

/** Reads some creatives of a kind in all stores that hold accounts, or that of the only account, by account and id. @param count the most that are returned */
export async function creativesOf(
  ads: Pick<AdsStore, 'readStores'>,
  entity: Creative['entity'],
  scan: CreativeScan,
  count: number,
): Promise<FoundCreatives> {
  const found = await ads.readStores(scan.only, (store) => creativesIn(store, entity, scan, count));
  // A store that was not read to its end may have further ones from there on.
  const ends = found.flatMap(({ next }) => next ?? []).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const [end] = ends;
  const placed = found.flatMap(({ creatives }) =>
    creatives.map((creative) => ({
      key: keyOf({ account_id: creative.account_id, id: creative.entity_id }),
      creative,
    })),
  );
  // One of an account that moves may be in two stores for a while.
  const known = new Map(
    placed.filter(({ key }) => !end || key <= keyOf(end)).map(({ key, creative }) => [key, creative]),
  );
  const creatives = [...known].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, creative]) => creative);
  const page = creatives.slice(0, count);
  const last = page.at(-1);
  const isCut = creatives.length > count && last;
  return { creatives: page, next: isCut ? { account_id: last.account_id, id: last.entity_id } : end };
}

async function creativesIn(
  reader: Reader,
  entity: Creative['entity'],
  { account_id, id, only, approval_status, most }: CreativeScan,
  count: number,
): Promise<FoundCreatives> {
  const span = { account_id, id, last: only ?? AFTER_ALL, most };
  const [end] = await scans[entity].end.all(reader, span);
  const found = await scans[entity].found.all(reader, { ...span, approval_status, count });
  const creatives = found.map((row) => ({ ...row, entity, approval_status }));
  const last = creatives.at(-1);
  const isFull = creatives.length === count && last;
  return { creatives, next: isFull ? { account_id: last.account_id, id: last.entity_id } : end };
}
