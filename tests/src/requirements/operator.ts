/** Procedures of the operator, which no specification describes. */
import type { OperationRows } from '../support/operation-row.ts';
import { operator, type Requirements } from '../support/requirement.ts';

export const requirements: Requirements = {
  'B-IDENTIFIERS-OPERATOR': {
    clause: 'B Audience user record',
    text: 'people have an e-mail address, telephone numbers and devices that the operator gives them, and that are shown to nobody',
    on: operator,
  },
  'C-CATALOGUE-OPERATOR': {
    clause: '5 What must work',
    text: 'the operator keeps publishers and curated categories, of users, countries and content categories that exist',
    on: operator,
  },
  'B-POLL-VOTE': {
    clause: 'B Poll cards',
    text: 'the operator votes for people: once for each person and poll, while it is open, on a post that the person may see',
    on: operator,
  },
  'C-BUSINESSES': {
    clause: '5 What must work; C Account, business_id and business_name',
    text: 'the operator creates businesses, lists them, and assigns accounts to one of them or to none',
    on: operator,
  },
  'P-OPERATOR-SUSPEND': {
    clause: 'issue: People and apps',
    text: 'the operator suspends a user with a reason: calls in their name are rejected and nobody sees their posts until they are restored',
    on: operator,
  },
  'P-OPERATOR-DELETE': {
    clause: 'issue: People and apps',
    text: 'a person who is to be deleted is hidden until the time of grace ends, then gone; the operator can cancel it before',
    on: operator,
  },
  'P-OPERATOR-EXPORT': {
    clause: 'issue: People and apps',
    text: 'the operator exports all that is held on a person as records, page by page, without passwords and secrets',
    on: operator,
  },
  'P-OPERATOR-APPS': {
    clause: 'issue: People and apps',
    text: 'an app that is suspended or to be deleted can do nothing until that ends; a deleted one and its tokens are gone',
    on: operator,
  },
  'P-MODERATION-POSTS': {
    clause: 'issue: People and apps, moderation',
    text: 'a post that the operator takes down is seen by its author only, with the reason, and what promotes it is rejected, until it is restored',
    on: operator,
  },
  'P-MODERATION-CREATIVES': {
    clause: 'issue: People and apps, moderation',
    text: 'the operator lists the creatives of all accounts that await a review, and approves and rejects them, cards too, with a reason',
    on: operator,
  },
  'P-OPERATOR-ACCOUNTS': {
    clause: 'issue: Operator features',
    text: 'the operator lists accounts by user, state, shard and name, page by page, and sees who may use one, where it is and what it has',
    on: operator,
  },
  'P-AUDIT': {
    clause: 'issue: People and apps, audit',
    text: 'the operator reads who changed what in all logs, by user, client, account, entity, kind of change and time, page by page',
    on: operator,
  },
  'C-REVIEW': {
    clause: 'C Promoted entities and creatives, approval_status',
    text: 'a review changes the approval status of what is promoted',
    on: operator,
  },
};

export const operations: OperationRows = {
  'admin.users.create': {
    required: 'screen_name password',
    optional: 'name place birth_date gender languages platforms interests email phone_numbers devices',
  },
  'admin.users.update': {
    required: 'user_id',
    optional:
      'name password description location url protected verified place birth_date gender languages platforms interests email phone_numbers devices',
  },
  'admin.users.list': { optional: 'screen_name count cursor' },
  'admin.users.get': { required: 'user_id' },
  'admin.users.suspend': { required: 'user_id reason' },
  'admin.users.restore': { required: 'user_id' },
  'admin.users.delete': { required: 'user_id', optional: 'grace_days' },
  'admin.users.export': { required: 'user_id', optional: 'cursor' },
  'admin.users.cancel_deletion': { required: 'user_id' },
  'admin.audit': {
    optional: 'log user_id platform account_id entity entity_id change_type start_time end_time after count cursor',
  },
  'admin.apps.create': {
    required: 'owner_user_id name',
    optional: 'description callback_urls frame_origins sign_in_enabled oob_enabled access_level',
  },
  'admin.apps.get': { required: 'consumer_key' },
  'admin.apps.update': {
    required: 'consumer_key',
    optional: 'name description callback_urls frame_origins sign_in_enabled oob_enabled access_level',
  },
  'admin.apps.regenerate_keys': { required: 'consumer_key' },
  'admin.apps.suspend': { required: 'consumer_key reason' },
  'admin.apps.restore': { required: 'consumer_key' },
  'admin.apps.delete': { required: 'consumer_key', optional: 'grace_days' },
  'admin.apps.cancel_deletion': { required: 'consumer_key' },
  'admin.apps.export': { required: 'consumer_key', optional: 'cursor' },
  'admin.apps.list': { optional: 'count cursor' },
  'admin.tokens.create': { required: 'consumer_key user_id', optional: 'access_level' },
  'admin.tokens.revoke': { required: 'access_token' },
  'admin.posts.create': {
    required: 'user_id text',
    optional: 'replied_to_id quoted_id media_keys possibly_sensitive reply_settings nullcast lang source',
  },
  'admin.posts.repost': { required: 'user_id post_id', optional: 'source' },
  'admin.posts.delete': { required: 'post_id' },
  'admin.posts.list': { optional: 'state count cursor' },
  'admin.posts.report': { required: 'post_id reason' },
  'admin.posts.take_down': { required: 'post_id reason' },
  'admin.posts.restore': { required: 'post_id' },
  'admin.posts.like': { required: 'user_id post_id' },
  'admin.posts.unlike': { required: 'user_id post_id' },
  'admin.polls.vote': { required: 'user_id post_id choice' },
  'admin.follows.create': { required: 'user_id followed_user_id' },
  'admin.follows.approve': { required: 'user_id followed_user_id' },
  'admin.follows.delete': { required: 'user_id followed_user_id' },
  'admin.accounts.list': { optional: 'environment user_id state shard q count cursor' },
  'admin.accounts.show': { required: 'account_id', optional: 'environment' },
  'admin.accounts.create': { required: 'user_id name', optional: 'environment business_name timezone' },
  'admin.accounts.limit': { required: 'account_id active_campaigns', optional: 'environment' },
  'admin.accounts.move': { required: 'account_id to', optional: 'dry_run environment' },
  'admin.businesses.create': { required: 'name', optional: 'environment' },
  'admin.businesses.list': { optional: 'environment count cursor' },
  'admin.businesses.assign': { required: 'account_id', optional: 'environment business_id' },
  'admin.seeds.apply': { required: 'content', optional: 'directory' },
  'admin.backups.create': { optional: 'to worlds snapshots keep' },
  'admin.backups.get': { required: 'number' },
  'admin.backups.list': { optional: 'at' },
  'admin.features.add': { required: 'account_id feature_keys', optional: 'environment' },
  'admin.features.remove': { required: 'account_id feature_keys', optional: 'environment' },
  'admin.funding_instruments.create': {
    required: 'account_id type currency start_time',
    optional: 'environment description end_time credit_limit_local_micro funded_amount_local_micro',
  },
  'admin.promotable_users.create': { required: 'account_id user_id', optional: 'environment' },
  'admin.promotable_users.delete': { required: 'account_id promotable_user_id', optional: 'environment' },
  'admin.account_media.create': { required: 'account_id media_key', optional: 'environment' },
  'admin.account_apps.create': {
    required: 'account_id app_store_identifier os_type',
    optional: 'environment conversion_tracking_enabled deep_link_pattern',
  },
  'admin.account_apps.update': {
    required: 'account_id account_app_id',
    optional: 'environment conversion_tracking_enabled deep_link_pattern',
  },
  'admin.account_apps.delete': { required: 'account_id account_app_id', optional: 'environment' },
  'admin.approvals.set': { required: 'account_id entity entity_id approval_status', optional: 'environment' },
  'admin.creatives.list': { optional: 'environment account_id entity approval_status count cursor' },
  'admin.creatives.approve': { required: 'account_id entity entity_id', optional: 'environment reason' },
  'admin.creatives.reject': { required: 'account_id entity entity_id reason', optional: 'environment' },
  'admin.creatives.review': { required: 'account_id entity entity_id', optional: 'environment reason' },
  'admin.publishers.set': {
    required: 'user_id monetizable_country_codes promotion_eligible_country_codes content_category_ids',
    optional: 'environment monetization_restricted',
  },
  'admin.publishers.remove': { required: 'user_id', optional: 'environment' },
  'admin.publishers.list': { optional: 'environment count cursor' },
  'admin.curated_categories.create': {
    required: 'name description country_codes publisher_user_ids',
    optional: 'environment videos_monetized_in_last_thirty_days',
  },
  'admin.curated_categories.update': {
    required: 'curated_category_id',
    optional: 'environment name description country_codes publisher_user_ids videos_monetized_in_last_thirty_days',
  },
  'admin.curated_categories.delete': { required: 'curated_category_id', optional: 'environment' },
  'admin.access.grant': { required: 'account_id user_id permissions', optional: 'environment' },
  'admin.access.revoke': { required: 'account_id user_id', optional: 'environment' },
};
