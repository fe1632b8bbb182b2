import { exampleSystemMembers } from '../../operation/entity.ts';
import { defineFamily, deleteOf, getOf, listOf } from '../../operation/family.ts';
import { account_id, ids } from '../../operation/list.ts';
import { defineAccountWrite } from '../../operation/on-account.ts';
import { object } from '../../wire/object.ts';
import { list, long } from '../../wire/types.ts';
import { line_item_id } from '../line-items/params.ts';
import { PromotedPost, promoted_post_id, promotedSortable } from './entity.ts';

export { errors } from './errors.ts';

/** Maximum number of posts that one call attaches (specification C, Limits). */
const MAX_POSTS = 50;

const example = {
  id: '1efwlo',
  line_item_id: 'bw2rq',
  post_id: '1503831318555086851',
  entity_status: 'ACTIVE',
  approval_status: 'ACCEPTED',
  ...exampleSystemMembers,
} as const;

const promotedPost = defineFamily({
  data: PromotedPost,
  key: { promoted_post_id },
  missing: 'PROMOTED_POST_NOT_FOUND',
  read: 'creatives.read',
  write: 'creatives.write',
  sortable: promotedSortable,
  example,
});

export const operations = {
  list: listOf(promotedPost, 'promoted_posts.list', '/12/accounts/:account_id/promoted_posts', {
    summary: 'List the promoted posts of an account',
    description:
      'The list refers to posts by `post_id`. What belongs to a deleted line item is shown with `with_deleted` only.',
    filters: () => ({ line_item_ids: ids('line items'), promoted_post_ids: ids('promoted posts') }),
    example: { line_item_ids: ['bw2rq'] },
  }),
  get: getOf(promotedPost, 'promoted_posts.get', '/12/accounts/:account_id/promoted_posts/:promoted_post_id', {
    summary: 'Get one promoted post',
  }),
  create: defineAccountWrite('promoted_posts.create', 'POST', '/12/accounts/:account_id/promoted_posts', {
    summary: 'Attach posts to a line item, all or none of them',
    description:
      'A post of a REPOSTS_ONLY user is promoted as a promoted-only repost of the FULL user, whose id is returned; that takes the FULL user or a caller with POST_COMPOSER. A post that the line item promotes already gives the record that is there. The answer has one record for each post, in the order given.',
    capability: 'creatives.write',
    envelope: 'values',
    beside: { total_count: true },
    params: object(() => ({
      account_id,
      line_item_id,
      post_ids: list(long({ min: 1n }), { max: MAX_POSTS }).describe(`The posts: up to ${MAX_POSTS} ids.`),
    })),
    data: PromotedPost,
    errors: ['INCOMPATIBLE_LINE_ITEM', 'INVALID_POST', 'LINE_ITEM_NOT_FOUND', 'POST_NOT_FOUND', 'QUOTA_EXCEEDED'],
    example: {
      params: { line_item_id: 'bw2rq', post_ids: [1_503_831_318_555_086_851n] },
      data: example,
    },
  }),
  delete: deleteOf(promotedPost, 'promoted_posts.delete', '/12/accounts/:account_id/promoted_posts/:promoted_post_id', {
    summary: 'Detach a post from its line item',
    description: 'Takes the id of the promoted post, not the `post_id`. The post itself stays.',
  }),
};

export const position = 70;
