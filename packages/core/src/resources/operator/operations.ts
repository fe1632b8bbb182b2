/**
 * What the operator of the platform can do: create people, apps, tokens, production accounts and their funding, and grant
 * access. Offered on tRPC and as `broadside admin`; there is no public path to any of it.
 */
import * as z from 'zod';
import { permissions } from '../../operation/access.ts';
import { defineOperatorOperation } from '../../operation/define.ts';
import { boolean, id, int, list, numericId, oneOf, text, time } from '../../wire/types.ts';
import { Account } from '../accounts/entity.ts';
import { accounts as accountOperations } from '../accounts/operations.ts';
import { App, accessLevels, appSettings } from '../apps/entity.ts';
import { MAX_ACTIVE_CAMPAIGNS } from '../campaigns/limits.ts';
import { featureKeys } from '../features/entity.ts';
import { Feature } from '../features/operations.ts';
import { FundingInstrument } from '../funding-instruments/entity.ts';
import {
  fundingInstrumentFields,
  funding_instruments as fundingOperations,
} from '../funding-instruments/operations.ts';
import { traitParams } from '../users/traits.ts';
import { adminCatalogue } from './catalogue.ts';
import { adminFollows, adminPosts } from './posts.ts';
import { adminPromotion } from './promotion.ts';

// Profiles: what people say of themselves. An empty text takes it away.
const profile = {
  description: text({ min: 0, max: 160 })
    .optional()
    .describe('What the user says of themselves: up to 160 characters.'),
  location: text({ min: 0, max: 150 }).optional().describe('Where the user says they are.'),
  url: text({ min: 0, max: 1000 }).optional().describe('The address of the user on the web.'),
  protected: boolean().optional().describe('Whether only approved followers see the posts of the user.'),
  verified: boolean().optional().describe('Whether the platform vouches for the user.'),
};

const environment = oneOf(['production', 'sandbox']).default('production').describe('Where the account lives.');
const account_id = id().describe('The advertising account.');
const user_id = numericId().describe('The user.');
const screenName = () =>
  text({ max: 15, pattern: /^\w{1,15}$/, format: 'a screen name of 1 to 15 letters, digits or underscores' });

/** A person who can sign in. */
export const User = z.object({
  id: numericId().describe('The user.'),
  screen_name: screenName().describe('The unique name, without @.'),
  name: text({ max: 50 }).describe('The name that people read.'),
  created_at: time().describe('When the user was created.'),
});
export type User = z.output<typeof User>;

const AppWithSecret = App.extend({ consumer_secret: text().describe('The API secret. Shown only once.') });

/** An access token of a user for an app. Its secret is shown when it is created and never again. */
const AccessToken = z.object({
  access_token: text().describe('The token.'),
  access_token_secret: text().describe('The secret of the token. Shown only once.'),
  user_id: numericId().describe('The user that the token acts for.'),
  screen_name: screenName().describe('The name of that user.'),
  access_level: oneOf(accessLevels).describe('What the token may do.'),
});

const Grant = z.object({
  account_id,
  user_id,
  permissions: list(oneOf(permissions), { max: permissions.length }).describe('What the user may do on the account.'),
});

const exampleUser = {
  id: '1503831318555086849',
  screen_name: 'harbourbooks',
  name: 'Harbour Books',
  created_at: '2026-01-15T08:00:00Z',
} as const;

const exampleApp = {
  id: '1503831318555086850',
  name: 'Campaign desk',
  description: 'Plans campaigns and reports on them.',
  owner_user_id: exampleUser.id,
  callback_urls: ['https://app.example.com/callback'],
  sign_in_enabled: true,
  oob_enabled: true,
  access_level: 'write',
  suspended: false,
  consumer_key: 'ck_0123456789abcdef',
  created_at: '2026-01-15T08:00:00Z',
  updated_at: '2026-01-15T08:00:00Z',
} as const;

const consumer_key = text().describe('The API key of the app.');
const NewUser = z.object({
  screen_name: screenName().describe('The unique name, without @.'),
  name: text({ max: 50 }).optional().describe('The name that people read; the screen name when left out.'),
  password: text({ min: 8, max: 200, secret: true }).describe('The password: 8 to 200 characters.'),
});

const page = { count: int({ min: 1, max: 1000 }).default(200).describe('How many at most, the newest first.') };

const createUser = defineOperatorOperation({
  id: 'admin.users.create',
  summary: 'Create a user',
  kind: 'mutation',
  envelope: 'entity',
  params: NewUser.extend(traitParams),
  data: User,
  errors: ['ALREADY_EXISTS'],
  example: { params: { screen_name: 'harbourbooks', password: 'correct horse battery' }, data: exampleUser },
});

const listUsers = defineOperatorOperation({
  id: 'admin.users.list',
  summary: 'List users',
  kind: 'query',
  envelope: 'values',
  params: z.object({
    screen_name: screenName().optional().describe('Only the user of this name, in any case of letters, without @.'),
    ...page,
  }),
  data: User,
  errors: [],
  example: { params: {}, data: exampleUser },
});

const updateUser = defineOperatorOperation({
  id: 'admin.users.update',
  summary: 'Change the profile or the password of a user',
  description: 'A new password signs the user out everywhere. Access tokens stay valid.',
  kind: 'mutation',
  envelope: 'entity',
  params: z.object({
    user_id,
    name: NewUser.shape.name.describe('The name that people read.'),
    password: NewUser.shape.password.optional().describe('The new password: 8 to 200 characters.'),
    ...profile,
    ...traitParams,
  }),
  data: User,
  errors: ['USER_NOT_FOUND'],
  example: { params: { user_id: exampleUser.id, name: 'Harbour Books' }, data: exampleUser },
});

const createApp = defineOperatorOperation({
  id: 'admin.apps.create',
  summary: 'Create a client application',
  kind: 'mutation',
  envelope: 'entity',
  params: z.object({
    owner_user_id: numericId().describe('The user who owns the app.'),
    name: appSettings.name,
    description: appSettings.description.default(''),
    callback_urls: appSettings.callback_urls.default([]),
    sign_in_enabled: appSettings.sign_in_enabled.default(false),
    oob_enabled: appSettings.oob_enabled.default(true),
    access_level: appSettings.access_level.default('write'),
  }),
  data: AppWithSecret,
  errors: ['ALREADY_EXISTS', 'INVALID_PARAMETER', 'USER_NOT_FOUND'],
  example: {
    params: { name: 'Campaign desk', owner_user_id: exampleUser.id },
    data: { ...exampleApp, consumer_secret: 'cs_secret/Value' },
  },
});

const listApps = defineOperatorOperation({
  id: 'admin.apps.list',
  summary: 'List client applications',
  kind: 'query',
  envelope: 'values',
  params: z.object(page),
  data: App,
  errors: [],
  example: { params: {}, data: exampleApp },
});

const getApp = defineOperatorOperation({
  id: 'admin.apps.get',
  summary: 'Get a client application',
  kind: 'query',
  envelope: 'entity',
  params: z.object({ consumer_key }),
  data: App,
  errors: ['NOT_FOUND'],
  example: { params: { consumer_key: exampleApp.consumer_key }, data: exampleApp },
});

const updateApp = defineOperatorOperation({
  id: 'admin.apps.update',
  summary: 'Change the settings of a client application',
  description: 'What is left out stays as it is. A list of callback URLs replaces the list before.',
  kind: 'mutation',
  envelope: 'entity',
  params: z.object({
    consumer_key,
    name: appSettings.name.optional(),
    description: appSettings.description.optional(),
    callback_urls: appSettings.callback_urls.optional(),
    sign_in_enabled: appSettings.sign_in_enabled.optional(),
    oob_enabled: appSettings.oob_enabled.optional(),
    access_level: appSettings.access_level.optional(),
    suspended: App.shape.suspended.optional(),
  }),
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
  kind: 'mutation',
  envelope: 'entity',
  params: z.object({ consumer_key }),
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
  kind: 'mutation',
  envelope: 'entity',
  params: z.object({
    consumer_key,
    user_id,
    access_level: oneOf(accessLevels)
      .optional()
      .describe("What the token may do; the app's level when left out, and never more than that."),
  }),
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
  kind: 'mutation',
  envelope: 'entity',
  params: z.object({ access_token: text().describe('The token to revoke.') }),
  data: z.object({ access_token: text().describe('The token that was revoked.') }),
  errors: ['NOT_FOUND'],
  example: {
    params: { access_token: '1503831318555086849-AccessTokenValue' },
    data: { access_token: '1503831318555086849-AccessTokenValue' },
  },
});

const createAccount = defineOperatorOperation({
  id: 'admin.accounts.create',
  summary: 'Create an advertising account and make a user its administrator',
  kind: 'mutation',
  envelope: 'entity',
  params: z.object({
    environment,
    user_id: numericId().describe('Becomes ACCOUNT_ADMIN and the FULL promotable user.'),
    name: text().describe('The name of the account: 1 to 255 characters.'),
    business_name: text().optional().describe('The business that the account belongs to.'),
    timezone: text({ max: 64 }).default('America/Los_Angeles').describe('IANA name of the billing time zone.'),
  }),
  data: Account,
  errors: ['INVALID_PARAMETER', 'USER_NOT_FOUND'],
  example: { params: { user_id: exampleUser.id, name: 'Harbour Books' }, data: accountOperations.get.example.data },
});

const limitAccount = defineOperatorOperation({
  id: 'admin.accounts.limit',
  summary: 'Set how many active campaigns an account may have',
  kind: 'mutation',
  envelope: 'entity',
  params: z.object({
    environment,
    account_id,
    active_campaigns: int({ min: 1, max: MAX_ACTIVE_CAMPAIGNS }).describe(`The limit: 1 to ${MAX_ACTIVE_CAMPAIGNS}.`),
  }),
  data: z.object({ account_id, active_campaigns: int().describe('The limit in force.') }),
  errors: ['ACCOUNT_NOT_FOUND'],
  example: {
    params: { account_id: '18ce54d4x5t', active_campaigns: 1000 },
    data: { account_id: '18ce54d4x5t', active_campaigns: 1000 },
  },
});

const featureParams = {
  environment,
  account_id,
  feature_keys: list(oneOf(featureKeys), { max: featureKeys.length }),
};

const exampleFeatures = { account_id: '18ce54d4x5t', feature_keys: ['ACCOUNT_HISTORY'] } as const;

const addFeatures = defineOperatorOperation({
  id: 'admin.features.add',
  summary: 'Give features to an account',
  description: 'Answers with all features of the account. Giving one that is there already changes nothing.',
  kind: 'mutation',
  envelope: 'values',
  params: z.object({ ...featureParams, feature_keys: featureParams.feature_keys.describe('The features to give.') }),
  data: Feature,
  errors: ['ACCOUNT_NOT_FOUND'],
  example: { params: { ...exampleFeatures, feature_keys: [...exampleFeatures.feature_keys] }, data: 'ACCOUNT_HISTORY' },
});

const removeFeatures = defineOperatorOperation({
  id: 'admin.features.remove',
  summary: 'Take features from an account',
  description: 'Answers with the features that remain. Taking one that is not there changes nothing.',
  kind: 'mutation',
  envelope: 'values',
  params: z.object({ ...featureParams, feature_keys: featureParams.feature_keys.describe('The features to take.') }),
  data: Feature,
  errors: ['ACCOUNT_NOT_FOUND'],
  example: {
    params: { ...exampleFeatures, feature_keys: [...exampleFeatures.feature_keys] },
    data: 'REACH_FREQUENCY_CAP',
  },
});

const createFunding = defineOperatorOperation({
  id: 'admin.funding_instruments.create',
  summary: 'Create a funding instrument of an account',
  kind: 'mutation',
  envelope: 'entity',
  params: z.object({
    environment,
    account_id,
    description: text().optional().describe('What a person calls it, such as the card that it stands for.'),
    ...fundingInstrumentFields,
  }),
  data: FundingInstrument,
  errors: ['ACCOUNT_NOT_FOUND', 'INVALID_PARAMETER', 'INVALID_TIME_WINDOW', 'MISSING_PARAMETER'],
  example: {
    params: { ...fundingOperations.create.example.params, environment: 'production' },
    data: fundingOperations.create.example.data,
  },
});

const grantAccess = defineOperatorOperation({
  id: 'admin.access.grant',
  summary: 'Set what a user may do on an account',
  description: 'Replaces what the user could do before. POST_COMPOSER needs another permission beside it.',
  kind: 'mutation',
  envelope: 'entity',
  params: z.object({
    environment,
    account_id,
    user_id,
    permissions: list(oneOf(permissions), { max: permissions.length }).describe('The permissions that the user gets.'),
  }),
  data: Grant,
  errors: ['ACCOUNT_NOT_FOUND', 'INCLUSIVE_PARAMETERS', 'USER_NOT_FOUND'],
  example: {
    params: { account_id: '18ce54d4x5t', user_id: exampleUser.id, permissions: ['AD_MANAGER'] },
    data: { account_id: '18ce54d4x5t', user_id: exampleUser.id, permissions: ['AD_MANAGER'] },
  },
});

const revokeAccess = defineOperatorOperation({
  id: 'admin.access.revoke',
  summary: 'Take all access to an account from a user',
  kind: 'mutation',
  envelope: 'entity',
  params: z.object({ environment, account_id, user_id }),
  data: z.object({ account_id, user_id, revoked: boolean().describe('Whether the user had access before.') }),
  errors: ['ACCOUNT_NOT_FOUND'],
  example: {
    params: { account_id: '18ce54d4x5t', user_id: exampleUser.id },
    data: { account_id: '18ce54d4x5t', user_id: exampleUser.id, revoked: true },
  },
});

export const admin = {
  users: { create: createUser, update: updateUser, list: listUsers },
  apps: { create: createApp, get: getApp, update: updateApp, regenerate_keys: regenerateKeys, list: listApps },
  tokens: { create: createToken, revoke: revokeToken },
  posts: adminPosts,
  follows: adminFollows,
  accounts: { create: createAccount, limit: limitAccount },
  features: { add: addFeatures, remove: removeFeatures },
  funding_instruments: { create: createFunding },
  ...adminPromotion,
  ...adminCatalogue,
  access: { grant: grantAccess, revoke: revokeAccess },
};
