import type { Contract, Reject } from '@broadside/core';
import {
  checkPromotedPosts,
  mustBeReposted,
  type PromotableAuthors,
  type PromotablePost,
  type PromotedPostIssue,
  placementsWithPost,
  promotedCard,
} from '@broadside/core/resources/promoted-posts';
import { checkPostsForAdvertiser } from '@broadside/core/resources/user-access';
import type { AccountContext, HandlersOf, Rejecting } from '../../pipeline/context.ts';
import { readHandlers } from '../../pipeline/read-handlers.ts';
import { PostRejectedError } from '../../posts/new-post.ts';
import type { AccountReader, AccountWriter } from '../../world/account-store.ts';
import type { World } from '../../world/world.ts';
import { postedCard } from '../all-cards/find.ts';
import { contentAccepted } from '../campaigns/find.ts';
import { findLineItem, type LineItemRow, lineItem, reviewContentOf } from '../line-items/find.ts';
import { fullPromotableUser, promotableAmong } from '../promotable-users/find.ts';
import { type PromotedPostRow, promotedPost } from './entity.ts';

/** The client of reposts that promotion creates. */
const SOURCE = 'Broadside Ads';

type Posts = ReadonlyMap<bigint, PromotablePost>;

/** Checks that a line item may promote posts in the current state of the account. */
async function check(
  reject: Reject<PromotedPostIssue['error'] | 'LINE_ITEM_NOT_FOUND'>,
  account: AccountReader,
  line_item_id: string,
  post_ids: readonly bigint[],
  posts: Posts,
): Promise<{ readonly line_item: LineItemRow; readonly authors: PromotableAuthors }> {
  const line_item = await findLineItem(reject, account, line_item_id);
  const people = [...posts.values()].flatMap(({ author_id, original_author_id }) => [author_id, original_author_id]);
  const promotable = await promotableAmong(account, [...new Set(people)]);
  const reposts_only = promotable.filter(({ promotable_user_type }) => promotable_user_type === 'REPOSTS_ONLY');
  const authors = {
    full: await fullPromotableUser(account),
    reposts_only: new Set(reposts_only.map(({ user_id }) => user_id)),
  };
  reject.check(checkPromotedPosts(post_ids, posts, line_item, authors));
  return { line_item, authors };
}

/** Returns the reposts through which posts of others are promoted, by the ids of those posts. */
async function repost(
  {
    world,
    actor,
    user_id,
    permissions,
    reject,
  }: AccountContext & Rejecting<'ACTION_NOT_ALLOWED' | 'INVALID_POST' | 'POST_NOT_FOUND'>,
  posts: Posts,
  authors: PromotableAuthors,
): Promise<ReadonlyMap<bigint, string>> {
  const foreign = [...posts.values()].filter((post) => mustBeReposted(post, authors));
  if (foreign.length === 0 || authors.full === null) return new Map();
  // A repost that is shown to an audience only is a post in the advertiser's name. The operator may do all of this.
  if (user_id !== null) {
    reject.check(checkPostsForAdvertiser({ user_id, permissions, full_user_id: authors.full }, 'post_ids'));
  }
  const ids = foreign.map(({ id }) => id);
  try {
    return await world.posts.repostForPromotion(actor, { author_id: authors.full, post_ids: ids, source: SOURCE });
  } catch (error) {
    if (!(error instanceof PostRejectedError)) throw error;
    // The post was deleted or hidden since it was read.
    const name = error.reason === 'not_found' ? 'POST_NOT_FOUND' : 'INVALID_POST';
    throw reject.error({ error: name, parameter: 'post_ids', message: error.message });
  }
}

/** Reads what promotion needs of posts, and of their cards. */
async function promotable(world: World, post_ids: readonly bigint[]): Promise<Posts> {
  const posts = new Map<bigint, PromotablePost>();
  for (const [id, post] of await world.posts.promotable(post_ids)) {
    const card = post.card && (await postedCard(world, post.card));
    posts.set(id, { ...post, card: card ? promotedCard(card) : null });
  }
  return posts;
}

/** Attaches one post, unless it is attached already. */
async function attach(writer: AccountWriter, line_item_id: string, post_id: string): Promise<PromotedPostRow> {
  const known = await writer.of(promotedPost).existing({ line_item_id, post_id });
  if (known) return known;
  return writer.of(promotedPost).insert({
    line_item_id,
    post_id,
    entity_status: 'ACTIVE',
    approval_status: 'ACCEPTED',
    paused: false,
  });
}

/** One that was attached already can be rejected. */
function isAccepted({ approval_status }: PromotedPostRow): boolean {
  return approval_status === 'ACCEPTED';
}

export const handlers: HandlersOf<Contract['promoted_posts']> = {
  ...readHandlers(promotedPost, 'promoted_post_id'),

  async create(context, { line_item_id, post_ids }) {
    const { account, actor, world } = context;
    const posts = await promotable(world, post_ids);
    const { authors } = await check(context.reject, account, line_item_id, post_ids, posts);
    // Reposts are in another store than promoted posts, and come first. If the second write never happens, the only effect is
    // a repost that no timeline shows, and the next call finds it: there is one per user and post.
    const reposts = await repost(context, posts, authors);
    return account.write(actor, async (writer) => {
      // The account may have changed in the meantime.
      const { line_item } = await check(context.reject, writer, line_item_id, post_ids, posts);
      const rows: PromotedPostRow[] = [];
      for (const id of post_ids) rows.push(await attach(writer, line_item_id, reposts.get(id) ?? `${id}`));
      if (rows.some(isAccepted)) await contentAccepted(writer, line_item.campaign_id);
      const placements = placementsWithPost(line_item);
      if (placements !== line_item.placements) await writer.of(lineItem).update(line_item, { placements });
      return rows;
    });
  },

  delete({ account, actor, reject }, { promoted_post_id }) {
    return account.write(actor, async (writer) => {
      const before = await writer.of(promotedPost).find(reject, promoted_post_id);
      const row = await writer.of(promotedPost).delete(before, { paused: true });
      await reviewContentOf(writer, row.line_item_id);
      return row;
    });
  },
};
