/** Operator operations on advertising accounts: their features, funding and user access. */

import { permissions } from '../../operation/access.ts';
import { defineOperatorOperation } from '../../operation/define.ts';
import { object } from '../../wire/object.ts';
import { boolean, id, int, list, long, numericId, oneOf, text } from '../../wire/types.ts';
import { Account } from '../accounts/entity.ts';
import { operations as accountOperations } from '../accounts/operations.ts';
import { MAX_ACTIVE_CAMPAIGNS } from '../campaigns/limits.ts';
import { featureKeys } from '../features/entity.ts';
import { Feature } from '../features/operations.ts';
import { FundingInstrument } from '../funding-instruments/entity.ts';
import { fundingInstrumentFields, operations as fundingOperations } from '../funding-instruments/operations.ts';
import { listAccounts, showAccount } from './account-list.ts';
import { exampleUser, user_id } from './users.ts';

const environment = oneOf(['production', 'sandbox']).default('production').describe('Where the account lives.');

const account_id = id().describe('The advertising account.');

const Grant = object(() => ({
  account_id,
  user_id,
  permissions: list(oneOf(permissions), { max: permissions.length }).describe('What the user may do on the account.'),
}));

const createAccount = defineOperatorOperation({
  id: 'admin.accounts.create',
  summary: 'Create an advertising account and make a user its administrator',
  procedure: 'mutation',
  envelope: 'entity',
  params: object(() => ({
    environment,
    user_id: numericId().describe('Becomes ACCOUNT_ADMIN and the FULL promotable user.'),
    name: text().describe('The name of the account: 1 to 255 characters.'),
    business_name: text()
      .optional()
      .describe('The business that the account shows; `admin.businesses.assign` assigns it to one.'),
    timezone: text({ max: 64 }).default('America/Los_Angeles').describe('IANA name of the billing time zone.'),
  })),
  data: Account,
  errors: ['INVALID_PARAMETER', 'USER_NOT_FOUND'],
  example: { params: { user_id: exampleUser.id, name: 'Harbour Books' }, data: accountOperations.get.example.data },
});

const limitAccount = defineOperatorOperation({
  id: 'admin.accounts.limit',
  summary: 'Set how many active campaigns an account may have',
  procedure: 'mutation',
  envelope: 'entity',
  params: object(() => ({
    environment,
    account_id,
    active_campaigns: int({ min: 1, max: MAX_ACTIVE_CAMPAIGNS }).describe(`The limit: 1 to ${MAX_ACTIVE_CAMPAIGNS}.`),
  })),
  data: object(() => ({ account_id, active_campaigns: int().describe('The limit in force.') })),
  errors: ['ACCOUNT_NOT_FOUND'],
  example: {
    params: { account_id: '18ce54d4x5t', active_campaigns: 1000 },
    data: { account_id: '18ce54d4x5t', active_campaigns: 1000 },
  },
});

const moved = {
  account_id: '18ce54d4x5t',
  from: 'east',
  to: 'west',
  state: 'MOVED' as const,
  rows: 1204n,
  closed_ms: 18,
};

const moveAccount = defineOperatorOperation({
  id: 'admin.accounts.move',
  summary: 'Move an account to another shard while it is used',
  description:
    'It is read meanwhile, and written but for the last moment. A large one takes longer than the call: the same call again tells how far it is, and MOVED in the end.',
  procedure: 'mutation',
  envelope: 'entity',
  params: object(() => ({
    environment,
    account_id,
    to: text({ max: 64 }).describe('The shard, or `directory` for the store of the environment itself.'),
    dry_run: boolean().default(false).describe('Only tell where the account is and how many rows would be moved.'),
  })),
  data: object(() => ({
    account_id,
    from: text().describe('The shard that the account was on before this call, or `directory`.'),
    to: text().describe('The shard that it is moved to.'),
    state: oneOf(['PLANNED', 'MOVING', 'MOVED']).describe('How far it is: PLANNED without a move.'),
    rows: long().describe('Rows that were copied by this server, or that would be.'),
    closed_ms: int().nullable().describe('For how many milliseconds the account took no writes.'),
  })),
  errors: ['ACCOUNT_NOT_FOUND', 'ACTION_NOT_ALLOWED', 'LOCK_ACQUISITION_TIMEOUT'],
  example: { params: { account_id: '18ce54d4x5t', to: 'west' }, data: moved },
});

const featureParams = object(() => ({
  environment,
  account_id,
  feature_keys: list(oneOf(featureKeys), { max: featureKeys.length }),
}));

const exampleFeatures = { account_id: '18ce54d4x5t', feature_keys: ['ACCOUNT_HISTORY'] } as const;

const addFeatures = defineOperatorOperation({
  id: 'admin.features.add',
  summary: 'Give features to an account',
  description: 'Answers with all features of the account. Giving one that is there already changes nothing.',
  procedure: 'mutation',
  envelope: 'values',
  params: object(() => ({
    ...featureParams.shape,
    feature_keys: featureParams.shape.feature_keys.describe('The features to give.'),
  })),
  data: Feature,
  errors: ['ACCOUNT_NOT_FOUND'],
  example: { params: { ...exampleFeatures, feature_keys: [...exampleFeatures.feature_keys] }, data: 'ACCOUNT_HISTORY' },
});

const removeFeatures = defineOperatorOperation({
  id: 'admin.features.remove',
  summary: 'Take features from an account',
  description: 'Answers with the features that remain. Taking one that is not there changes nothing.',
  procedure: 'mutation',
  envelope: 'values',
  params: object(() => ({
    ...featureParams.shape,
    feature_keys: featureParams.shape.feature_keys.describe('The features to take.'),
  })),
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
  procedure: 'mutation',
  envelope: 'entity',
  params: object(() => ({
    environment,
    account_id,
    description: text().optional().describe('What a person calls it, such as the card that it stands for.'),
    ...fundingInstrumentFields.shape,
  })),
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
  procedure: 'mutation',
  envelope: 'entity',
  params: object(() => ({
    environment,
    account_id,
    user_id,
    permissions: list(oneOf(permissions), { max: permissions.length }).describe('The permissions that the user gets.'),
  })),
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
  procedure: 'mutation',
  envelope: 'entity',
  params: object(() => ({ environment, account_id, user_id })),
  data: object(() => ({ account_id, user_id, revoked: boolean().describe('Whether the user had access before.') })),
  errors: ['ACCOUNT_NOT_FOUND'],
  example: {
    params: { account_id: '18ce54d4x5t', user_id: exampleUser.id },
    data: { account_id: '18ce54d4x5t', user_id: exampleUser.id, revoked: true },
  },
});

/** The operator's procedures for accounts by resource. */
export const adminAccounts = {
  accounts: { list: listAccounts, show: showAccount, create: createAccount, limit: limitAccount, move: moveAccount },
  features: { add: addFeatures, remove: removeFeatures },
  funding_instruments: { create: createFunding },
};

/** The operator's procedures for access to accounts. */
export const adminAccess = { grant: grantAccess, revoke: revokeAccess };
