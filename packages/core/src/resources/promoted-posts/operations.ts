import * as z from 'zod';
import { defineOperation } from '../../operation/define.ts';
import { account_id, ids, listExclusive, listParams, with_deleted } from '../../operation/list.ts';
import { list, long } from '../../wire/types.ts';
import { line_item_id } from '../line-items/params.ts';
import { PromotedPost, promotedSortable } from './entity.ts';

export { errors } from './errors.ts';

const promoted_post_id = PromotedPost.shape.id;

/** How many posts one call attaches (specification C, Limits). */
const MAX_POSTS = 50;

const example = {
  id: '1efwlo',
  line_item_id: 'bw2rq',
  post_id: '1503831318555086851',
  entity_status: 'ACTIVE',
  approval_status: 'ACCEPTED',
  created_at: '2026-01-15T08:00:00Z',
  updated_at: '2026-01-15T08:00:00Z',
  deleted: false,
} as const;

const listPromotedPosts = defineOperation({
  id: 'promoted_posts.list',
  summary: 'List the promoted posts of an account',
  description:
    'The list refers to posts by `post_id`. What belongs to a deleted line item is shown with `with_deleted` only.',
  http: { method: 'GET', path: '/12/accounts/:account_id/promoted_posts' },
  access: { auth: 'user', capability: 'creatives.read' },
  rateLimit: 'ads.core_read',
  envelope: 'list',
  params: z.object({
    line_item_ids: ids('line items'),
    promoted_post_ids: ids('promoted posts'),
    ...listParams(promotedSortable),
  }),
  exclusive: listExclusive,
  data: PromotedPost,
  errors: ['ACCOUNT_DELETED'],
  example: { params: { account_id: '18ce54d4x5t', line_item_ids: ['bw2rq'] }, data: example },
});

const getPromotedPost = defineOperation({
  id: 'promoted_posts.get',
  summary: 'Get one promoted post',
  http: { method: 'GET', path: '/12/accounts/:account_id/promoted_posts/:promoted_post_id' },
  access: { auth: 'user', capability: 'creatives.read' },
  rateLimit: 'ads.core_read',
  envelope: 'entity',
  params: z.object({ account_id, promoted_post_id, with_deleted }),
  data: PromotedPost,
  errors: ['ACCOUNT_DELETED', 'PROMOTED_POST_NOT_FOUND'],
  example: { params: { account_id: '18ce54d4x5t', promoted_post_id: '1efwlo' }, data: example },
});

const createPromotedPosts = defineOperation({
  id: 'promoted_posts.create',
  summary: 'Attach posts to a line item, all or none of them',
  description:
    'A post of a REPOSTS_ONLY user is promoted as a promoted-only repost of the FULL user, whose id is returned; that takes the FULL user or a caller with POST_COMPOSER. A post that the line item promotes already gives the record that is there. The answer has one record for each post, in the order given.',
  http: { method: 'POST', path: '/12/accounts/:account_id/promoted_posts' },
  access: { auth: 'user', capability: 'creatives.write' },
  rateLimit: 'ads.write',
  envelope: 'values',
  beside: { total_count: true },
  params: z.object({
    account_id,
    line_item_id,
    post_ids: list(long({ min: 1n }), { max: MAX_POSTS }).describe(`The posts: up to ${MAX_POSTS} ids.`),
  }),
  data: PromotedPost,
  errors: ['ACCOUNT_DELETED', 'INCOMPATIBLE_LINE_ITEM', 'INVALID_POST', 'LINE_ITEM_NOT_FOUND', 'POST_NOT_FOUND'],
  example: {
    params: { account_id: '18ce54d4x5t', line_item_id: 'bw2rq', post_ids: [1_503_831_318_555_086_851n] },
    data: example,
  },
});

const deletePromotedPost = defineOperation({
  id: 'promoted_posts.delete',
  summary: 'Detach a post from its line item',
  description: 'Takes the id of the promoted post, not the `post_id`. The post itself stays.',
  http: { method: 'DELETE', path: '/12/accounts/:account_id/promoted_posts/:promoted_post_id' },
  access: { auth: 'user', capability: 'creatives.write' },
  rateLimit: 'ads.write',
  envelope: 'entity',
  params: z.object({ account_id, promoted_post_id }),
  data: PromotedPost,
  errors: ['ACCOUNT_DELETED', 'PROMOTED_POST_NOT_FOUND'],
  example: {
    params: { account_id: '18ce54d4x5t', promoted_post_id: '1efwlo' },
    data: { ...example, deleted: true },
  },
});

export const operations = {
  list: listPromotedPosts,
  get: getPromotedPost,
  create: createPromotedPosts,
  delete: deletePromotedPost,
};

export const position = 70;
