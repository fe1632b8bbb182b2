/** Operator operations on client applications and on access tokens of users for them. */

import { defineOperatorOperation } from '../../operation/define.ts';
import { count, cursor } from '../../operation/list.ts';
import { extended, object } from '../../wire/object.ts';
import { int, numericId, oneOf, text, time } from '../../wire/types.ts';
import { App, accessLevels, appSettings } from '../apps/entity.ts';
import { exportApp } from './export.ts';
import { reason } from './reason.ts';
import { exampleUser, screenName, user_id } from './users.ts';

const AppWithSecret = extended(App, () => ({ consumer_secret: text().describe('The API secret. Shown only once.') }));

/** An access token of a user for an app. Its secret is shown once, on creation. */
const AccessToken = object(() => ({
  access_token: text().describe('The token.'),
  access_token_secret: text().describe('The secret of the token. Shown only once.'),
  user_id: numericId().describe('The user that the token acts for.'),
  screen_name: screenName().describe('The name of that user.'),
  access_level: oneOf(accessLevels).describe('What the token may do.'),
}));

const exampleApp = {
  id: '1503831318555086850',
  name: 'Campaign desk',
  description: 'Plans campaigns and reports on them.',
  owner_user_id: exampleUser.id,
  callback_urls: ['https://app.example.com/callback'],
  sign_in_enabled: true,
  oob_enabled: true,
  access_level: 'write',
  frame_origins: [],
  suspended: false,
  consumer_key: 'ck_0123456789abcdef',
  created_at: '2026-01-15T08:00:00Z',
  updated_at: '2026-01-15T08:00:00Z',
} as const;

const consumer_key = text().describe('The API key of the app.');

const AppStanding = extended(App, () => ({
  suspended: App.shape.suspended.describe('Whether the app can do nothing: it is suspended, or to be deleted.'),
  suspended_reason: text().nullable().describe('The reason that the operator gave.'),
  delete_at: time().nullable().describe('When the app is deleted; null for never.'),
}));

const decision = {
  procedure: 'mutation',
  envelope: 'entity',
  params: object(() => ({ consumer_key })),
  data: AppStanding,
  errors: ['NOT_FOUND'],
} as const;

const byKey = { consumer_key: exampleApp.consumer_key };
const usual = { ...exampleApp, suspended_reason: null, delete_at: null };

const suspendApp = defineOperatorOperation({
  id: 'admin.apps.suspend',
  summary: 'Suspend a client application',
  description:
    'All of its tokens are rejected, and nobody can authorize it. They are kept, and valid again after a restore. Suspending again replaces the reason.',
  ...decision,
  params: object(() => ({ consumer_key, reason: reason.describe('Why, for the change log.') })),
  example: {
    params: { ...byKey, reason: 'Posts what nobody asked for' },
    data: { ...usual, suspended: true, suspended_reason: 'Posts what nobody asked for' },
  },
});

const restoreApp = defineOperatorOperation({
  id: 'admin.apps.restore',
  summary: 'End the suspension of a client application',
  description: 'Its tokens are valid as before.',
  ...decision,
  example: { params: byKey, data: usual },
});

const deleteApp = defineOperatorOperation({
  id: 'admin.apps.delete',
  summary: 'Delete a client application, after a time of grace',
  description:
    'Until then it can do nothing, as if suspended, and `admin.apps.cancel_deletion` takes it back. Then the app is deleted with its access tokens, request tokens and bearer token. Its owner, and what was made with it, stay.',
  ...decision,
  params: object(() => ({
    consumer_key,
    grace_days: int({ min: 0, max: 365 })
      .default(30)
      .describe('The time of grace, in days by the clock of the world; 0 for at once.'),
  })),
  example: { params: byKey, data: { ...usual, suspended: true, delete_at: '2026-02-14T08:00:00Z' } },
});

const cancelDeletion = defineOperatorOperation({
  id: 'admin.apps.cancel_deletion',
  summary: 'Keep a client application that was to be deleted',
  description: 'It stands as before: suspended if it was.',
  ...decision,
  example: { params: byKey, data: usual },
});

const createApp = defineOperatorOperation({
  id: 'admin.apps.create',
  summary: 'Create a client application',
  procedure: 'mutation',
  envelope: 'entity',
  params: object(() => ({
    owner_user_id: numericId().describe('The user who owns the app.'),
    name: appSettings.shape.name,
    description: appSettings.shape.description.default(''),
    callback_urls: appSettings.shape.callback_urls.default([]),
    sign_in_enabled: appSettings.shape.sign_in_enabled.default(false),
    oob_enabled: appSettings.shape.oob_enabled.default(true),
    access_level: appSettings.shape.access_level.default('write'),
    frame_origins: appSettings.shape.frame_origins.default([]),
  })),
  data: AppWithSecret,
  errors: ['ALREADY_EXISTS', 'INVALID_PARAMETER', 'USER_NOT_FOUND'],
  example: {
    params: { name: 'Campaign desk', owner_user_id: exampleUser.id },
    data: { ...exampleApp, consumer_secret: 'cs_secret/Value' },
  },
});

const listApps = defineOperatorOperation({
  id: 'admin.apps.list',
  summary: 'List client applications, the newest first',
  procedure: 'query',
  envelope: 'list',
  params: object(() => ({ count, cursor })),
  data: App,
  errors: ['INVALID_PARAMETER'],
  example: { params: {}, data: exampleApp },
});

const getApp = defineOperatorOperation({
  id: 'admin.apps.get',
  summary: 'Get a client application',
  procedure: 'query',
  envelope: 'entity',
  params: object(() => ({ consumer_key })),
  data: App,
  errors: ['NOT_FOUND'],
  example: { params: { consumer_key: exampleApp.consumer_key }, data: exampleApp },
});

const updateApp = defineOperatorOperation({
  id: 'admin.apps.update',
  summary: 'Change the settings of a client application',
  description: 'What is left out stays as it is. A list replaces the list before.',
  procedure: 'mutation',
  envelope: 'entity',
  params: object(() => ({
    consumer_key,
    name: appSettings.shape.name.optional(),
    description: appSettings.shape.description.optional(),
    callback_urls: appSettings.shape.callback_urls.optional(),
    sign_in_enabled: appSettings.shape.sign_in_enabled.optional(),
    oob_enabled: appSettings.shape.oob_enabled.optional(),
    access_level: appSettings.shape.access_level.optional(),
    frame_origins: appSettings.shape.frame_origins.optional(),
  })),
  data: App,
  errors: ['ALREADY_EXISTS', 'INVALID_PARAMETER', 'NOT_FOUND'],
  example: {
    params: { consumer_key: exampleApp.consumer_key, callback_urls: [...exampleApp.callback_urls] },
    data: exampleApp,
  },
});

const regenerateKeys = defineOperatorOperation({
  id: 'admin.apps.regenerate_keys',
  summary: 'Give a client application a new key and secret',
  description:
    'The old ones stop at once, and so does the bearer token. Access tokens stay valid; requests with them are signed with the new secret from then on.',
  procedure: 'mutation',
  envelope: 'entity',
  params: object(() => ({ consumer_key })),
  data: AppWithSecret,
  errors: ['NOT_FOUND'],
  example: {
    params: { consumer_key: 'ck_before' },
    data: { ...exampleApp, consumer_secret: 'cs_secret/Value' },
  },
});

const createToken = defineOperatorOperation({
  id: 'admin.tokens.create',
  summary: 'Create an access token of a user for an app',
  procedure: 'mutation',
  envelope: 'entity',
  params: object(() => ({
    consumer_key,
    user_id,
    access_level: oneOf(accessLevels)
      .optional()
      .describe("What the token may do; the app's level when left out, and never more than that."),
  })),
  data: AccessToken,
  errors: ['NOT_FOUND', 'USER_NOT_FOUND'],
  example: {
    params: { consumer_key: exampleApp.consumer_key, user_id: exampleUser.id },
    data: {
      access_token: '1503831318555086849-AccessTokenValue',
      access_token_secret: 'ts_secret&Value',
      user_id: exampleUser.id,
      screen_name: exampleUser.screen_name,
      access_level: 'write',
    },
  },
});

const revokeToken = defineOperatorOperation({
  id: 'admin.tokens.revoke',
  summary: 'Revoke an access token',
  procedure: 'mutation',
  envelope: 'entity',
  params: object(() => ({ access_token: text().describe('The token to revoke.') })),
  data: object(() => ({ access_token: text().describe('The token that was revoked.') })),
  errors: ['NOT_FOUND'],
  example: {
    params: { access_token: '1503831318555086849-AccessTokenValue' },
    data: { access_token: '1503831318555086849-AccessTokenValue' },
  },
});

/** The operator's procedures for client applications. */
export const adminApps = {
  create: createApp,
  get: getApp,
  update: updateApp,
  regenerate_keys: regenerateKeys,
  list: listApps,
  suspend: suspendApp,
  restore: restoreApp,
  delete: deleteApp,
  cancel_deletion: cancelDeletion,
  export: exportApp,
};

/** The operator's procedures for access tokens. */
export const adminTokens = { create: createToken, revoke: revokeToken };
