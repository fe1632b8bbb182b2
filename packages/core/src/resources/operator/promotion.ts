/** Operator operations that let an account promote something: promotable users, account media and apps, and approvals. */

import { defineOperatorOperation } from '../../operation/define.ts';
import { extended, object } from '../../wire/object.ts';
import { boolean, id, numericId, oneOf, removable, text } from '../../wire/types.ts';
import { AccountApp } from '../account-apps/entity.ts';
import { exampleAccountApp } from '../account-apps/operations.ts';
import { AccountMedia } from '../account-media/entity.ts';
import { exampleAccountMedia } from '../account-media/operations.ts';
import { approvalStatuses } from '../accounts/entity.ts';
import { PromotableUser, promotable_user_id } from '../promotable-users/entity.ts';
import { examplePromotableUser } from '../promotable-users/operations.ts';

const environment = oneOf(['production', 'sandbox']).default('production').describe('Where the account lives.');
const account_id = id().describe('The advertising account.');
const where = { environment, account_id };
const example = { account_id: '18ce54d4x5t' } as const;

const createPromotableUser = defineOperatorOperation({
  id: 'admin.promotable_users.create',
  summary: 'Let an account promote the posts of a user as reposts',
  description:
    'The user becomes promotable as REPOSTS_ONLY. Every account has exactly one FULL promotable user, from its creation on.',
  procedure: 'mutation',
  envelope: 'entity',
  params: object(() => ({ ...where, user_id: numericId().describe('The user, who has given permission.') })),
  data: PromotableUser,
  errors: ['ACCOUNT_NOT_FOUND', 'ALREADY_EXISTS', 'USER_NOT_FOUND'],
  example: { params: { ...example, user_id: examplePromotableUser.user_id }, data: examplePromotableUser },
});

const deletePromotableUser = defineOperatorOperation({
  id: 'admin.promotable_users.delete',
  summary: 'End that an account may promote the posts of a user',
  description: 'What is promoted already stays. The FULL promotable user cannot be removed.',
  procedure: 'mutation',
  envelope: 'entity',
  params: object(() => ({ ...where, promotable_user_id })),
  data: PromotableUser,
  errors: ['ACCOUNT_NOT_FOUND', 'INVALID_PARAMETER', 'PROMOTABLE_USER_NOT_FOUND'],
  example: {
    params: { ...example, promotable_user_id: examplePromotableUser.id },
    data: { ...examplePromotableUser, deleted: true },
  },
});

const createAccountMedia = defineOperatorOperation({
  id: 'admin.account_media.create',
  summary: 'Add uploaded media to an account, for media creatives',
  description:
    'The kind of creative follows from the bytes: a video is a PREROLL, an image is what has its size. Media that an account has do not lapse.',
  procedure: 'mutation',
  envelope: 'entity',
  params: object(() => ({
    ...where,
    media_key: text({ max: 64 }).describe('The uploaded media, once they are processed.'),
  })),
  data: AccountMedia,
  errors: ['ACCOUNT_NOT_FOUND', 'ALREADY_EXISTS', 'INVALID_PARAMETER', 'NOT_FOUND'],
  example: {
    params: { ...example, media_key: exampleAccountMedia.media_key },
    data: exampleAccountMedia,
  },
});

const createAccountApp = defineOperatorOperation({
  id: 'admin.account_apps.create',
  summary: 'Add a mobile app to an account',
  procedure: 'mutation',
  envelope: 'entity',
  params: object(() => ({
    ...where,
    app_store_identifier: AccountApp.shape.app_store_identifier,
    os_type: AccountApp.shape.os_type,
    conversion_tracking_enabled: AccountApp.shape.conversion_tracking_enabled.default(false),
    deep_link_pattern: AccountApp.shape.deep_link_pattern
      .unwrap()
      .optional()
      .describe('How addresses inside the app begin.'),
  })),
  data: AccountApp,
  errors: ['ACCOUNT_NOT_FOUND', 'ALREADY_EXISTS', 'INVALID_PARAMETER'],
  example: {
    params: {
      ...example,
      app_store_identifier: exampleAccountApp.app_store_identifier,
      os_type: exampleAccountApp.os_type,
      deep_link_pattern: exampleAccountApp.deep_link_pattern,
    },
    data: exampleAccountApp,
  },
});

const updateAccountApp = defineOperatorOperation({
  id: 'admin.account_apps.update',
  summary: 'Change a mobile app of an account',
  description: 'What is left out stays as it is.',
  procedure: 'mutation',
  envelope: 'entity',
  params: object(() => ({
    ...where,
    account_app_id: AccountApp.shape.id,
    conversion_tracking_enabled: boolean().optional().describe('Whether what people do in the app is counted.'),
    deep_link_pattern: removable(text({ max: 2000 }))
      .optional()
      .describe('How addresses inside the app begin; empty to remove.'),
  })),
  data: AccountApp,
  errors: ['ACCOUNT_NOT_FOUND', 'NOT_FOUND'],
  example: {
    params: { ...example, account_app_id: exampleAccountApp.id, conversion_tracking_enabled: true },
    data: { ...exampleAccountApp, conversion_tracking_enabled: true },
  },
});

const deleteAccountApp = defineOperatorOperation({
  id: 'admin.account_apps.delete',
  summary: 'Remove a mobile app from an account',
  procedure: 'mutation',
  envelope: 'entity',
  params: object(() => ({ ...where, account_app_id: AccountApp.shape.id })),
  data: AccountApp,
  errors: ['ACCOUNT_NOT_FOUND', 'NOT_FOUND'],
  example: {
    params: { ...example, account_app_id: exampleAccountApp.id },
    data: { ...exampleAccountApp, deleted: true },
  },
});

/** Kinds of entity that are reviewed before they are shown. */
const reviewed = ['PROMOTED_POST', 'PROMOTED_ACCOUNT', 'MEDIA_CREATIVE'] as const;

const Approval = object(() => ({
  account_id,
  entity: oneOf(reviewed).describe('What was reviewed.'),
  entity_id: id().describe('The promoted post, promoted account or media creative.'),
  approval_status: oneOf(approvalStatuses).describe('What the review came to.'),
}));

const setApproval = defineOperatorOperation({
  id: 'admin.approvals.set',
  summary: 'Say what the review of something promoted came to',
  description: 'Promoted posts, promoted accounts and media creatives are ACCEPTED until this says otherwise.',
  procedure: 'mutation',
  envelope: 'entity',
  params: extended(Approval, () => ({ environment })),
  data: Approval,
  errors: ['ACCOUNT_NOT_FOUND', 'NOT_FOUND'],
  example: {
    params: { ...example, entity: 'PROMOTED_POST', entity_id: '1efwlo', approval_status: 'REJECTED' },
    data: { ...example, entity: 'PROMOTED_POST', entity_id: '1efwlo', approval_status: 'REJECTED' },
  },
});

/** The operator's procedures for promotion by resource. */
export const adminPromotion = {
  promotable_users: { create: createPromotableUser, delete: deletePromotableUser },
  account_media: { create: createAccountMedia },
  account_apps: { create: createAccountApp, update: updateAccountApp, delete: deleteAccountApp },
  approvals: { set: setApproval },
};
