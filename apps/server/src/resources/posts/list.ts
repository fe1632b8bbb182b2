/** The list of the posts of a promotable user: published ones, drafts, and scheduled ones. */
import { decodeCursor, encodeCursor, type FullContract, type Page, type ParamsOf } from '@broadside/core';
import type { ListedPost, PostType } from '@broadside/core/resources/posts';
import { type Awaitable, chain, together } from '../../awaitable.ts';
import { pageOf } from '../../db/page.ts';
import type { AccountContext, Rejecting } from '../../pipeline/context.ts';
import type { UnpublishedPost } from '../../posts/v1/facts.ts';
import type { Listing, ViewV1 } from '../../posts/v1/show.ts';
import { listDrafts } from '../draft-posts/find.ts';
import { fullPromotableUser, promotableAmong } from '../promotable-users/find.ts';
import { listScheduled } from '../scheduled-posts/find.ts';
import { ADVERTISERS_SOURCE } from './publish.ts';

type Params = ParamsOf<FullContract['posts']['list']>;

/** The parameters of a list, once its user is known. */
interface Asked extends Omit<Params, 'user_id'> {
  readonly user_id: string;
  /** The account's FULL promotable user. */
  readonly full_user_id: string | null;
}

/** Lists posts. */
export function listPosts(
  context: AccountContext & Rejecting<'INVALID_USER_ID'>,
  params: Params,
): Awaitable<Page<ListedPost>> {
  const { account, reject } = context;
  return chain(fullPromotableUser(account), (full_user_id) => {
    const user_id = params.user_id ?? full_user_id;
    if (user_id === null) return { data: [], next_cursor: null };
    return chain(user_id === full_user_id ? [user_id] : promotableAmong(account, [user_id]), (promotable) => {
      if (promotable.length === 0) {
        const message = `User ${user_id} is not promotable by the account; use one of its promotable users`;
        throw reject.error({ error: 'INVALID_USER_ID', parameter: 'user_id', value: user_id, message });
      }
      const asked = { ...params, user_id, full_user_id };
      return chain(lists[params.post_type](context, asked), (page) => pageOf(page, params.cursor));
    });
  });
}

const lists: Readonly<
  Record<PostType, (context: AccountContext, asked: Asked) => Awaitable<Page<ListedPost> | undefined>>
> = {
  PUBLISHED: listPublished,
  DRAFT(context, asked) {
    const listing: Listing = { post_type: 'DRAFT', scheduled_at: null };
    return chain(listDrafts(context.account, unpublishedQuery(asked)), (page) =>
      showUnpublished(context, page, asked, () => listing),
    );
  },
  SCHEDULED: (context, asked) =>
    chain(listScheduled(context.account, unpublishedQuery(asked)), (page) =>
      showUnpublished(context, page, asked, ({ scheduled_at, scheduled_status }) => ({
        post_type: 'SCHEDULED',
        scheduled_at,
        scheduled_status,
      })),
    ),
};

/** Names the list of published posts in its cursors. */
const ORDER = 'posts';

/** @returns `undefined` when the cursor is not one of this list */
function listPublished(context: AccountContext, asked: Asked): Awaitable<Page<ListedPost> | undefined> {
  const before = asked.cursor === undefined ? undefined : lastOf(asked.cursor);
  if (asked.cursor !== undefined && before === undefined) return undefined;
  const author_id = BigInt(asked.user_id);
  const { timeline_type: timeline, include_mentions_and_replies: addressed, name, count } = asked;
  const query = { author_id, timeline, addressed, name, ids: asked.post_ids?.map(BigInt), before, count };
  const trusted = new Set(asked.full_user_id === null ? [] : [asked.full_user_id]);
  return chain(context.world.posts.listPublished(query, viewOf(context, asked), trusted), ({ data, last }) => ({
    data,
    next_cursor: last === undefined ? null : encodeCursor({ order: ORDER, after: [last] }),
  }));
}

/** The last post of the page before. */
function lastOf(cursor: string): bigint | undefined {
  const read = decodeCursor(cursor);
  const [id] = read?.after ?? [];
  return read?.order === ORDER && read.after.length === 1 && typeof id === 'bigint' ? id : undefined;
}

function unpublishedQuery({ count, cursor, name, post_ids, timeline_type, user_id }: Asked) {
  const nullcast = { ALL: undefined, NULLCAST: true, ORGANIC: false }[timeline_type];
  return { count, cursor, name, post_ids, user_id, nullcast };
}

function showUnpublished<Row extends UnpublishedPost>(
  context: AccountContext,
  { data, next_cursor }: Page<Row>,
  asked: Asked,
  listingOf: (row: Row) => Listing,
): Awaitable<Page<ListedPost>> {
  const { posts } = context.world;
  return chain(together(data.map((row) => posts.unpublished(row, ADVERTISERS_SOURCE))), (facts) =>
    chain(posts.showListed(facts, data.map(listingOf), viewOf(context, asked)), (shown) => ({
      data: shown,
      next_cursor,
    })),
  );
}

function viewOf({ user_id, baseUrl }: AccountContext, { trim_user }: Asked): ViewV1 {
  return { user_id, baseUrl, trim_user };
}
