/** The operator's reviews of creatives: what awaits one, and what it comes to. */

import type * as z from 'zod';
import { defineOperatorOperation } from '../../operation/define.ts';
import { count, cursor } from '../../operation/list.ts';
import { object } from '../../wire/object.ts';
import { id, oneOf, text, time } from '../../wire/types.ts';
import { approvalStatuses } from '../accounts/entity.ts';
import { environment } from './environment.ts';
import { reason } from './reason.ts';

/** The kinds of entity that have a review of their own. */
const creativeKinds = ['MEDIA_CREATIVE', 'PROMOTED_ACCOUNT', 'PROMOTED_POST'] as const;

const account_id = id().describe('The advertising account.');

/** A creative, and what its review has come to. */
const Creative = object(() => ({
  account_id,
  entity: oneOf(creativeKinds).describe('The kind of creative.'),
  entity_id: id().describe('The creative.'),
  line_item_id: id().describe('The line item that shows it.'),
  shows: text().describe('What it shows: the id of a post, a user or an account medium.'),
  approval_status: oneOf(approvalStatuses).describe('What its review has come to.'),
  updated_at: time().describe('When it last changed.'),
}));
export type Creative = z.output<typeof Creative>;

const exampleCreative: Creative = {
  account_id: '18ce54d4x5t',
  entity: 'PROMOTED_POST',
  entity_id: '1efwlo',
  line_item_id: '6zva',
  shows: '1503831318555086851',
  approval_status: 'UNDER_REVIEW',
  updated_at: '2026-01-15T08:00:00Z',
};

const list = defineOperatorOperation({
  id: 'admin.creatives.list',
  summary: 'List the creatives whose review has come to something, or that await one',
  description:
    'Promoted posts, promoted accounts and media creatives that are not deleted, by kind, account and id. A page can have fewer than fit where few of many are asked for; others follow while there is a cursor.',
  procedure: 'query',
  envelope: 'list',
  params: object(() => ({
    environment,
    account_id: account_id.optional().describe('Only those of this account; of all accounts when left out.'),
    entity: oneOf(creativeKinds).optional().describe('Only this kind.'),
    approval_status: oneOf(approvalStatuses)
      .default('UNDER_REVIEW')
      .describe('Only those whose review has come to this.'),
    count,
    cursor,
  })),
  data: Creative,
  errors: ['ACCOUNT_NOT_FOUND', 'INVALID_PARAMETER'],
  example: { params: { account_id: exampleCreative.account_id }, data: exampleCreative },
});

const CARDS =
  'A card has no review of its own: the decision is that of all promoted posts of the account whose post shows it.';

/** Definition shared by the reviews of a creative. */
const review = {
  procedure: 'mutation',
  envelope: 'values',
  data: Creative,
  errors: ['ACCOUNT_NOT_FOUND', 'CARD_NOT_FOUND', 'NOT_FOUND'],
} as const;
const params = {
  environment,
  account_id,
  entity: oneOf(['CARD', ...creativeKinds]).describe('The kind of what is reviewed.'),
  entity_id: id().describe('Its id.'),
};
const exampleParams = {
  account_id: exampleCreative.account_id,
  entity: exampleCreative.entity,
  entity_id: exampleCreative.entity_id,
} as const;

const approve = defineOperatorOperation({
  id: 'admin.creatives.approve',
  summary: 'Accept a creative',
  description: `It is served with its line item. ${CARDS}`,
  ...review,
  params: object(() => ({ ...params, reason: reason.optional().describe('Why, for the change log.') })),
  example: { params: exampleParams, data: { ...exampleCreative, approval_status: 'ACCEPTED' } },
});

const reject = defineOperatorOperation({
  id: 'admin.creatives.reject',
  summary: 'Reject a creative',
  description: `It is not served. A campaign of which nothing is accepted has a CONTENT_REVIEW_PROBLEM. Advertisers see the status; the reason is for the change log. ${CARDS}`,
  ...review,
  params: object(() => ({ ...params, reason: reason.describe('Why, for the change log.') })),
  example: {
    params: { ...exampleParams, reason: 'Shows tobacco' },
    data: { ...exampleCreative, approval_status: 'REJECTED' },
  },
});

const review_ = defineOperatorOperation({
  id: 'admin.creatives.review',
  summary: 'Begin a review of a creative',
  description: `It is UNDER_REVIEW, and not served, until it is approved or rejected. ${CARDS}`,
  ...review,
  params: object(() => ({ ...params, reason: reason.optional().describe('Why, for the change log.') })),
  example: { params: exampleParams, data: exampleCreative },
});

/** The operator's procedures for creatives. */
export const adminCreatives = { list, approve, reject, review: review_ };
