/** Actions by which the platform decides: reviews, suspensions, and campaigns that wait for their advertiser. */
import { id, numericId, oneOf, text } from '../../wire/types.ts';
import { operations as accountOperations } from '../accounts/operations.ts';
import { ActionOutcome, exampleWhere, where } from './actions-shared.ts';
import { inWorld } from './on-world.ts';

/** What the platform reviews. */
const reviewable = [
  'ACCOUNT',
  'CARD',
  'FUNDING_INSTRUMENT',
  'MEDIA_CREATIVE',
  'PROMOTED_ACCOUNT',
  'PROMOTED_POST',
] as const;

const reviewErrors = ['CARD_NOT_FOUND', 'INVALID_PARAMETER', 'MISSING_PARAMETER', 'NOT_FOUND'] as const;

const review = {
  envelope: 'entity',
  params: () => ({
    ...where,
    entity: oneOf(reviewable).describe('The kind of what is reviewed.'),
    entity_id: id().optional().describe('Its id. Left out for the account itself.'),
  }),
  data: ActionOutcome,
  errors: reviewErrors,
} as const;

const CARDS =
  'A card has no review of its own: the decision is that of all promoted posts of the account whose post shows it. ' +
  'A funding instrument that is not accepted cannot fund.';

const exampleAfter = { entity: 'PROMOTED_POST', id: '1efwlo' } as const;
const reviewedPost = (approval_status: string) => ({
  params: { ...exampleWhere, entity: exampleAfter.entity, entity_id: exampleAfter.id },
  data: { changed: [{ ...exampleAfter, after: { id: exampleAfter.id, approval_status } }] },
});

const approve = inWorld('control.actions.approve', 'POST', '/worlds/:world_id/actions/approve', {
  summary: 'Accept something in a review',
  description: CARDS,
  ...review,
  example: reviewedPost('ACCEPTED'),
});

const reject = inWorld('control.actions.reject', 'POST', '/worlds/:world_id/actions/reject', {
  summary: 'Reject something in a review',
  description: `${CARDS} The interface shows no reason for a rejection, so none is asked for.`,
  ...review,
  example: reviewedPost('REJECTED'),
});

const review_ = inWorld('control.actions.review', 'POST', '/worlds/:world_id/actions/review', {
  summary: 'Begin a review of something',
  description: `It is UNDER_REVIEW until it is approved or rejected. ${CARDS}`,
  ...review,
  example: reviewedPost('UNDER_REVIEW'),
});

const suspension = {
  envelope: 'entity',
  params: () => ({
    environment: where.environment,
    account_id: where.account_id.optional(),
    consumer_key: text().optional().describe('The API key of the app.'),
    user_id: numericId().optional().describe('The user.'),
  }),
  exclusive: [
    ['account_id', 'consumer_key'],
    ['account_id', 'user_id'],
    ['consumer_key', 'user_id'],
  ],
  data: ActionOutcome,
  errors: ['EXCLUSIVE_PARAMETERS', 'MISSING_PARAMETER', 'NOT_FOUND'],
} as const;

const account = accountOperations.get.example.data;
const suspendedAccount = {
  params: exampleWhere,
  data: { changed: [{ entity: 'ACCOUNT' as const, id: account.id, after: { id: account.id, name: account.name } }] },
};

const suspend = inWorld('control.actions.suspend', 'POST', '/worlds/:world_id/actions/suspend', {
  summary: 'Suspend an account, an app or a user',
  description:
    'A suspended account is shown, and nothing of it is served or can be changed. A suspended app can do nothing. A suspended user is signed out, calls in their name are rejected, and nobody sees their posts.',
  ...suspension,
  example: suspendedAccount,
});

const restore = inWorld('control.actions.restore', 'POST', '/worlds/:world_id/actions/restore', {
  summary: 'End the suspension of an account, an app or a user',
  description: 'What the account, the app or the user could do before is possible again. Sessions that ended stay so.',
  ...suspension,
  example: suspendedAccount,
});

const campaign = {
  envelope: 'entity',
  params: () => ({ ...where, campaign_id: id().describe('The campaign.') }),
  data: ActionOutcome,
  errors: ['CAMPAIGN_NOT_FOUND', 'NOT_FOUND'],
} as const;

const heldCampaign = (reasons: string[]) => ({
  params: { ...exampleWhere, campaign_id: '8wku2' },
  data: {
    changed: [{ entity: 'CAMPAIGN' as const, id: '8wku2', after: { id: '8wku2', reasons_not_servable: reasons } }],
  },
});

const hold = inWorld('control.actions.hold', 'POST', '/worlds/:world_id/actions/hold', {
  summary: 'Have a campaign wait for the approval of its advertiser',
  description: 'It has the reason AWAITING_APPROVAL_BY_ADVERTISER until `release`.',
  ...campaign,
  example: heldCampaign(['AWAITING_APPROVAL_BY_ADVERTISER']),
});

const release = inWorld('control.actions.release', 'POST', '/worlds/:world_id/actions/release', {
  summary: 'Record that the advertiser has approved a campaign',
  ...campaign,
  example: heldCampaign([]),
});

/** Decisions of the platform. */
export const decisions = { approve, reject, review: review_, suspend, restore, hold, release };
