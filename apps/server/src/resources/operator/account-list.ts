/** The operator's lists of accounts: which there are, where each is, and who may use it. */
import { decodeCursor, encodeCursor, type OperatorContract } from '@broadside/core';
import type { ListedAccount, ShownAccount } from '@broadside/core/resources/operator';
import { getTableName } from 'drizzle-orm';
import { StoreUnreachableError } from '../../db/database.ts';
import { foldName } from '../../db/fold-name.ts';
import { pageOf } from '../../db/page.ts';
import type { HandlersOf } from '../../pipeline/context.ts';
import type { AccountRow } from '../../world/account-directory.ts';
import type { AdsStore } from '../../world/ads-store.ts';
import { DIRECTORY } from '../../world/shards/places.ts';
import { noAccount } from '../accounts/find.ts';
import { findUser } from '../users/find.ts';
import { type AccountPlace, accountsIn, countsOfAccount } from './account-rows.ts';
import { nameOfShard, shardNamed } from './shard-names.ts';

type Handlers = Pick<HandlersOf<OperatorContract['admin']>['accounts'], 'list' | 'show'>;

const ORDER = 'admin_accounts';
/** Rows that are compared for a page. */
const MOST_READ = 20_000;
/** Before the newest account. */
const START: AccountPlace = { created_at: '~', seq: 0n };

function readCursor(text: string): AccountPlace | undefined {
  const cursor = decodeCursor(text);
  const [created_at, seq, ...more] = cursor?.order === ORDER ? cursor.after : [];
  if (typeof created_at !== 'string' || typeof seq !== 'bigint' || more.length > 0) return undefined;
  return { created_at, seq };
}

function stateOf({ deleted, suspended }: Pick<AccountRow, 'deleted' | 'suspended'>): ListedAccount['state'] {
  if (deleted) return 'DELETED';
  return suspended ? 'SUSPENDED' : 'ACTIVE';
}

/** What an account has. `null` while its shard does not respond. */
async function countsOf(ads: AdsStore, account_id: string): Promise<ShownAccount['counts']> {
  const names = new Map(ads.entities.map(({ name, table }) => [getTableName(table), name]));
  try {
    const found = await ads.account(account_id).all(countsOfAccount);
    const counts = found.flatMap(({ list, count }) => {
      const entity = names.get(list);
      return entity === undefined ? [] : [{ entity, count }];
    });
    return counts.toSorted((a, b) => (a.entity < b.entity ? -1 : 1));
  } catch (error) {
    if (error instanceof StoreUnreachableError) return null;
    throw error;
  }
}

/** Lists of accounts, and one account. */
export const accountLists: Handlers = {
  async list(context, { environment, user_id, state, shard, q, count, cursor }) {
    const { world, reject } = context;
    const ads = world.ads[environment];
    if (user_id !== undefined) await findUser(reject, world, user_id, 'user_id');
    const at = cursor === undefined ? START : readCursor(cursor);
    if (!at) return pageOf<ListedAccount>(undefined, cursor);
    const filter = {
      user_id: user_id ?? null,
      state: state ?? null,
      shard: shard === undefined ? null : shardNamed(reject, ads.shards?.names ?? [], 'shard', shard),
      q: foldName(q ?? ''),
    };
    const { created_at, seq } = at;
    const { found, next } = await accountsIn(ads.database, { created_at, seq, ...filter, most: MOST_READ }, count);
    const data = found.map(({ id, name, business_id, users, ...row }) => ({
      id,
      name,
      state: stateOf(row),
      shard: nameOfShard(row.shard),
      business_id,
      users,
      created_at: row.created_at,
    }));
    return { data, next_cursor: next ? encodeCursor({ order: ORDER, after: [next.created_at, next.seq] }) : null };
  },

  async show(context, { environment, account_id }) {
    const { world } = context;
    const ads = world.ads[environment];
    const record = await ads.record(account_id);
    if (!record) throw await noAccount(context, environment, account_id);
    const place = await ads.shards?.places.ask(account_id);
    const members = await ads.members(account_id);
    const names = await world.identity.users.screenNames(members.map(({ user_id }) => user_id));
    const { id, name, business_id, business_name, timezone, industry_type, approval_status, created_at } = record;
    return {
      id,
      name,
      state: stateOf(record),
      shard: nameOfShard(place?.shard ?? DIRECTORY),
      business_id,
      created_at,
      business_name,
      timezone,
      industry_type,
      approval_status,
      active_campaign_limit: record.active_campaign_limit,
      users: members.map((member) => ({ ...member, screen_name: names.get(member.user_id) ?? null })),
      counts: await countsOf(ads, account_id),
      updated_at: record.updated_at,
    };
  },
};
