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
import { MAX_ACTIVE_CAMPAIGNS } from '../campaigns/limits.ts';
import { FundingInstrument } from '../funding-instruments/entity.ts';
import {
  fundingInstrumentFields,
  funding_instruments as fundingOperations,
} from '../funding-instruments/operations.ts';

const accessLevels = ['read', 'write'] as const;

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

/** A client application. Its secret is shown when it is created and never again. */
export const App = z.object({
  id: numericId().describe('The app.'),
  name: text({ max: 32 }).describe('The unique name of the app.'),
  owner_user_id: numericId().describe('The user who owns the app.'),
  access_level: oneOf(accessLevels).describe('The most that its tokens may do.'),
  consumer_key: text().describe('The API key.'),
  created_at: time().describe('When the app was created.'),
});
export type App = z.output<typeof App>;

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
  owner_user_id: exampleUser.id,
  access_level: 'write',
  consumer_key: 'ck_0123456789abcdef',
  created_at: '2026-01-15T08:00:00Z',
} as const;

const page = { count: int({ min: 1, max: 1000 }).default(200).describe('How many at most, the newest first.') };

const createUser = defineOperatorOperation({
  id: 'admin.users.create',
  summary: 'Create a user',
  kind: 'mutation',
  envelope: 'entity',
  params: z.object({
    screen_name: screenName().describe('The unique name, without @.'),
    name: text({ max: 50 }).optional().describe('The name that people read; the screen name when left out.'),
    password: text({ min: 8, max: 200, secret: true }).describe('The password: 8 to 200 characters.'),
  }),
  data: User,
  errors: ['ALREADY_EXISTS'],
  example: { params: { screen_name: 'harbourbooks', password: 'correct horse battery' }, data: exampleUser },
});

const listUsers = defineOperatorOperation({
  id: 'admin.users.list',
  summary: 'List users',
  kind: 'query',
  envelope: 'values',
  params: z.object(page),
  data: User,
  errors: [],
  example: { params: {}, data: exampleUser },
});

const createApp = defineOperatorOperation({
  id: 'admin.apps.create',
  summary: 'Create a client application',
  kind: 'mutation',
  envelope: 'entity',
  params: z.object({
    name: text({ max: 32 }).describe('The unique name of the app: 1 to 32 characters.'),
    owner_user_id: numericId().describe('The user who owns the app.'),
    access_level: oneOf(accessLevels).default('write').describe('The most that its tokens may do.'),
  }),
  data: AppWithSecret,
  errors: ['ALREADY_EXISTS', 'USER_NOT_FOUND'],
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

const createToken = defineOperatorOperation({
  id: 'admin.tokens.create',
  summary: 'Create an access token of a user for an app',
  kind: 'mutation',
  envelope: 'entity',
  params: z.object({
    consumer_key: text().describe('The app.'),
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
  users: { create: createUser, list: listUsers },
  apps: { create: createApp, list: listApps },
  tokens: { create: createToken, revoke: revokeToken },
  accounts: { create: createAccount, limit: limitAccount },
  funding_instruments: { create: createFunding },
  access: { grant: grantAccess, revoke: revokeAccess },
};
