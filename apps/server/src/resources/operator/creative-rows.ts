/** The rows of creatives of all accounts of an environment, read for the operator. */
import type { ApprovalStatus } from '@broadside/core/resources/accounts';
import type { Creative } from '@broadside/core/resources/operator';
import { type SQL, sql } from 'drizzle-orm';
import type { Reader } from '../../db/database.ts';
import { rows, statement } from '../../db/statement.ts';
import { types } from '../../db/value-types.ts';
import { mediaCreatives } from '../media-creatives/find.ts';
import { promotedAccounts } from '../promoted-accounts/find.ts';
import { promotedPosts } from '../promoted-posts/find.ts';

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
  /** Rows that were compared, at most. */
  readonly read: number;
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

/** Reads some creatives of a kind, by account and id. @param count the most that are returned */
export async function creativesOf(
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
  return { creatives, read: most, next: isFull ? { account_id: last.account_id, id: last.entity_id } : end };
}
