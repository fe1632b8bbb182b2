/**
 * Quotas of one account and of one user. Our choice: the specification limits active campaigns and line items, and leaves
 * the rest open. The figures are far above what advertisers use; they keep one caller from filling the disk.
 */
import type { Issue } from '../wire/issues.ts';

/** Figures of all quotas. What is deleted does not count, and neither does what is hidden with its parent. */
export const quotas = {
  /** Of an account. */
  draft_posts: 10_000,
  /** Of an account, with their time to come. */
  scheduled_posts: 10_000,
  /** Of an account, as the three following kinds of cards. */
  cards: 20_000,
  poll_cards: 20_000,
  image_conversation_cards: 20_000,
  video_conversation_cards: 20_000,
  /** Of an account. */
  custom_audiences: 10_000,
  /** Permissions on audiences of an account, for all its audiences together. */
  custom_audience_permissions: 50_000,
  /** Of an account. */
  library_media: 100_000,
  media_creatives: 200_000,
  promoted_accounts: 200_000,
  promoted_posts: 500_000,
  targeting_criteria: 2_000_000,
  /** Of a user: uploads that are not finished. */
  unfinished_uploads: 100,
  /** Of a user: media that nothing uses, unfinished uploads included. */
  unused_media: 2_000,
  /** Their bytes, of unfinished uploads the announced ones. */
  unused_media_bytes: 16 * 1024 ** 3,
} as const satisfies Readonly<Record<string, number>>;

/** The name of a quota. */
export type QuotaName = keyof typeof quotas;

/** A figure for each quota. */
export type Quotas = Readonly<Record<QuotaName, number>>;

/**
 * Checks that an account has room for one more.
 * @param held how many it has
 */
export function checkQuota(name: QuotaName, held: number, most: number): Issue<'QUOTA_EXCEEDED'>[] {
  if (held < most) return [];
  const [kind, way] = kinds[name] ?? [name.replaceAll('_', ' '), 'delete some'];
  return [{ error: 'QUOTA_EXCEEDED', message: `The account has ${held} ${kind}, and may have up to ${most}; ${way}` }];
}

/** Names of kinds, and the ways to have fewer, where they do not follow from the name of the quota. */
const kinds: Partial<Record<QuotaName, readonly [kind: string, way: string]>> = {
  scheduled_posts: ['posts scheduled for a time to come', 'delete some, or wait until they are published'],
  library_media: ['media in its library', 'delete some from it'],
  custom_audience_permissions: ['permissions on its audiences', 'revoke some'],
};
