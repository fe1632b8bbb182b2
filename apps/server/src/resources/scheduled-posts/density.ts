/** The number of scheduled posts of an account: around a time, and in all. */
import { checkQuota, type Reject } from '@broadside/core';
import { checkDensity, windowAround } from '@broadside/core/resources/scheduled-posts';
import { and, count, eq, gt, gte, lte, ne } from 'drizzle-orm';
import { query } from '../../db/query-builder.ts';
import { statement } from '../../db/statement.ts';
import type { AccountReader, AccountWriter } from '../../world/account-store.ts';
import { scheduledPosts } from './table.ts';

const { account_id, id, scheduled_at, scheduled_status } = scheduledPosts;

const countBetween = statement({ account_id, id, from: scheduled_at, to: scheduled_at }, (args) =>
  query
    .select({ others: count() })
    .from(scheduledPosts)
    .where(
      and(
        eq(account_id, args.account_id),
        gte(scheduled_at, args.from),
        lte(scheduled_at, args.to),
        ne(scheduled_status, 'FAILED'),
        ne(id, args.id),
      ),
    )
    .limit(1),
);

/**
 * Rejects a time around which the account has too many posts. Our choice: those that failed do not count, as nothing was
 * published. Exact inside a transaction.
 * @param scheduled the time of a post, and its id, which does not count itself
 */
export async function checkWindow(
  reject: Reject<'SCHEDULED_POST_LIMIT_EXCEEDED'>,
  account: AccountReader,
  scheduled: { readonly id: string; readonly scheduled_at: string },
): Promise<void> {
  const window = { ...windowAround(scheduled.scheduled_at), id: scheduled.id };
  const counted = await account.first(countBetween, window);
  reject.check(checkDensity(scheduled.scheduled_at, counted?.others ?? 0));
}

// An index of the table has them by time, so only as many are passed over as there may be.
const countToCome = statement({ account_id, now: scheduled_at }, (args) =>
  query
    .select({ held: count() })
    .from(scheduledPosts)
    .where(and(eq(account_id, args.account_id), gt(scheduled_at, args.now)))
    .limit(1),
);

/** Rejects one more scheduled post of an account that has as many to come as it may have. */
export async function checkScheduledQuota(reject: Reject<'QUOTA_EXCEEDED'>, account: AccountWriter): Promise<void> {
  const counted = await account.first(countToCome, { now: account.now });
  reject.check(checkQuota('scheduled_posts', counted?.held ?? 0, account.quotas.scheduled_posts));
}
