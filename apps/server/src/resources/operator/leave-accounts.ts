/** What becomes of advertising accounts when a person is deleted: access, drafts and scheduled posts of theirs go, the accounts stay. */
import { eq } from 'drizzle-orm';
import { forgetInAccount, forgetPostsBy } from '../../audit/forget.ts';
import type { Awaitable } from '../../awaitable.ts';
import type { Actor } from '../../db/change-log.ts';
import type { Database } from '../../db/database.ts';
import { query } from '../../db/query-builder.ts';
import { statement } from '../../db/statement.ts';
import { JobPostponedError } from '../../jobs/job-queue.ts';
import { accountAccess } from '../../world/account-table.ts';
import type { AdsStore } from '../../world/ads-store.ts';
import { type Environment, environments } from '../../world/environment.ts';
import type { World } from '../../world/world.ts';
import { draftPost, listDraftsOf } from '../draft-posts/find.ts';
import { listScheduledOf, scheduledPost } from '../scheduled-posts/find.ts';

export const listAccess = statement({ user_id: accountAccess.user_id }, ({ user_id }) =>
  query
    .select({ account_id: accountAccess.account_id, permissions: accountAccess.permissions })
    .from(accountAccess)
    .where(eq(accountAccess.user_id, user_id)),
);
/** An account that would have no ACCOUNT_ADMIN without a person. */
export interface LastAdmin {
  readonly environment: Environment;
  readonly account_id: string;
}

/** Returns the accounts that a person alone administers. */
export async function lastAdminOf(world: World, user_id: string): Promise<LastAdmin[]> {
  const found: LastAdmin[] = [];
  for (const environment of environments) {
    const ads = world.ads[environment];
    for (const { account_id, permissions } of await listAccess.all(ads.database, { user_id })) {
      if (!permissions.includes('ACCOUNT_ADMIN') || (await ads.record(account_id))?.deleted !== false) continue;
      const others = (await ads.members(account_id)).filter((member) => member.user_id !== user_id);
      if (!others.some((member) => member.permissions.includes('ACCOUNT_ADMIN')))
        found.push({ environment, account_id });
    }
  }
  return found;
}

/** Reads in each store that holds accounts, and gives each entity once: one that has moved may be in two for a while. */
export async function inEach<Found extends { readonly id: string }>(
  ads: AdsStore,
  read: (store: Database) => Awaitable<readonly Found[]>,
): Promise<readonly Found[]> {
  const found = await Promise.all(ads.stores.map(({ database }) => read(database)));
  return [...new Map(found.flat().map((one) => [one.id, one])).values()];
}

/** It is done again so much later where accounts are being moved: something may have been missed. */
const MOVES_MS = 2_000;

/** Takes a person out of all accounts, with what is theirs there. May be repeated. @throws JobPostponedError while accounts are being moved */
export async function leaveAccounts(world: World, actor: Actor, user_id: string): Promise<void> {
  for (const environment of environments) await leave(world.ads[environment], actor, user_id);
}

async function leave(ads: AdsStore, actor: Actor, user_id: string): Promise<void> {
  for (const { account_id } of await listAccess.all(ads.database, { user_id })) {
    await ads.revoke(actor, account_id, user_id);
  }
  for (const { account_id, id } of await inEach(ads, (store) => listDraftsOf.all(store, { user_id }))) {
    await ads.account(account_id).write(actor, async (writer) => {
      const row = await writer.of(draftPost).get(id);
      if (row) await writer.of(draftPost).purge(row);
      await writer.run(forgetInAccount, { entity: 'DRAFT_POST', entity_id: id });
    });
  }
  for (const { account_id, id } of await inEach(ads, (store) => listScheduledOf.all(store, { user_id }))) {
    await ads.account(account_id).write(actor, async (writer) => {
      const row = await writer.of(scheduledPost).get(id);
      if (row) await writer.of(scheduledPost).purge(row);
      await writer.run(forgetInAccount, { entity: 'SCHEDULED_POST', entity_id: id });
    });
  }
  for (const { database } of ads.stores) await database.write((writer) => forgetPostsBy(writer, user_id));
  // What was being copied meanwhile may have been read before; a move is noted for longer than this takes.
  if (await ads.shards?.moves.areUnderWay()) throw new JobPostponedError('accounts are being moved', MOVES_MS);
}
