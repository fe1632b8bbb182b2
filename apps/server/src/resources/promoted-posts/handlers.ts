import { ApiError, type Contract, refuse } from '@broadside/core';
import {
  checkPostsForAdvertiser,
  checkPromotedPosts,
  mustBeReposted,
  type PromotableAuthors,
  type PromotablePost,
  placementsWithPost,
} from '@broadside/core/rules';
import type { AccountContext, HandlersOf } from '../../pipeline/context.ts';
import { found } from '../../pipeline/found.ts';
import { pageOf } from '../../pipeline/page.ts';
import { PostRefusedError } from '../../posts/new-post.ts';
import type { AccountReader, AccountWriter } from '../../world/account-store.ts';
import { findLineItem } from '../line-items/handlers.ts';
import type { LineItemRow } from '../line-items/store.ts';
import type { PromotedPostRow } from './store.ts';

/** The client that reposts name which promotion makes. */
const SOURCE = 'Broadside Ads';

type Posts = ReadonlyMap<bigint, PromotablePost>;

/** The promoted post with an id; one whose line item is deleted counts as deleted. @throws ApiError PROMOTED_POST_NOT_FOUND */
function findPromotedPost(account: AccountReader, id: string, withDeleted: boolean) {
  return found(account.promoted_posts.get(id), withDeleted, {
    error: 'PROMOTED_POST_NOT_FOUND',
    parameter: 'promoted_post_id',
    value: id,
  });
}

/** Checks that a line item may promote posts as the account stands. @throws ApiError */
async function check(
  account: AccountReader,
  line_item_id: string,
  post_ids: readonly bigint[],
  posts: Posts,
): Promise<{ readonly lineItem: LineItemRow; readonly authors: PromotableAuthors }> {
  const lineItem = await findLineItem(account, line_item_id, false);
  const people = [...posts.values()].flatMap(({ author_id, original_author_id }) => [author_id, original_author_id]);
  const promotable = await account.promotableAmong([...new Set(people)]);
  const reposts_only = promotable.filter(({ promotable_user_type }) => promotable_user_type === 'REPOSTS_ONLY');
  const authors = {
    full: await account.fullPromotableUser(),
    reposts_only: new Set(reposts_only.map(({ user_id }) => user_id)),
  };
  refuse(checkPromotedPosts(post_ids, posts, lineItem, authors));
  return { lineItem, authors };
}

/** The reposts through which posts of others are promoted, by the ids of those. @throws ApiError */
async function repost(
  { world, actor, user_id, permissions }: AccountContext,
  posts: Posts,
  authors: PromotableAuthors,
): Promise<ReadonlyMap<bigint, string>> {
  const foreign = [...posts.values()].filter((post) => mustBeReposted(post, authors));
  if (foreign.length === 0 || authors.full === null) return new Map();
  // A repost that nobody but an audience sees is a post in the advertiser's name. The operator may all that.
  if (user_id !== null) {
    refuse(checkPostsForAdvertiser({ user_id, permissions, full_user_id: authors.full }, 'post_ids'));
  }
  const ids = foreign.map(({ id }) => id);
  try {
    return await world.posts.repostForPromotion(actor, { author_id: authors.full, post_ids: ids, source: SOURCE });
  } catch (error) {
    if (!(error instanceof PostRefusedError)) throw error;
    // The post was deleted or hidden since it was read.
    const name = error.reason === 'not_found' ? 'POST_NOT_FOUND' : 'INVALID_POST';
    throw new ApiError({ error: name, parameter: 'post_ids', message: error.message });
  }
}

/** Attaches one post, unless it is. */
async function attach(writer: AccountWriter, line_item_id: string, post_id: string): Promise<PromotedPostRow> {
  const known = await writer.promotedPostOf(line_item_id, post_id);
  if (known) return known;
  return writer.promoted_posts.insert({
    line_item_id,
    post_id,
    entity_status: 'ACTIVE',
    approval_status: 'ACCEPTED',
    paused: false,
    parent_deleted: false,
    deleted: false,
  });
}

export const promoted_posts: HandlersOf<Contract['promoted_posts']> = {
  async list({ account }, params) {
    const page = await account.promoted_posts.page(params, {
      line_item_ids: params.line_item_ids,
      promoted_post_ids: params.promoted_post_ids,
      not_deleted: params.with_deleted ? undefined : true,
    });
    return pageOf(page, params.cursor);
  },

  get({ account }, { promoted_post_id, with_deleted }) {
    return findPromotedPost(account, promoted_post_id, with_deleted);
  },

  async create(context, { line_item_id, post_ids }) {
    const { account, actor, world } = context;
    const posts = await world.posts.promotable(post_ids);
    const { authors } = await check(account, line_item_id, post_ids, posts);
    // Reposts are in another store than promoted posts, and come first. Should the second write never happen, what is left
    // is a repost in nobody's timeline, and the next call finds it: there is one for a user and a post.
    const reposts = await repost(context, posts, authors);
    return account.write(actor, async (writer) => {
      // The account may have changed meanwhile.
      const { lineItem } = await check(writer, line_item_id, post_ids, posts);
      const rows: PromotedPostRow[] = [];
      for (const id of post_ids) rows.push(await attach(writer, line_item_id, reposts.get(id) ?? `${id}`));
      await writer.reviewContent(line_item_id);
      const placements = placementsWithPost(lineItem);
      if (placements !== lineItem.placements) await writer.line_items.update(lineItem, { placements });
      return rows;
    });
  },

  delete({ account, actor }, { promoted_post_id }) {
    return account.write(actor, async (writer) => {
      const before = await findPromotedPost(writer, promoted_post_id, false);
      const row = await writer.promoted_posts.update(before, { deleted: true, paused: true });
      await writer.reviewContent(before.line_item_id);
      return row;
    });
  },
};
