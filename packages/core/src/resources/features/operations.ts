import * as z from 'zod';
import { defineOperation } from '../../operation/define.ts';
import { account_id } from '../../operation/list.ts';
import { list, oneOf } from '../../wire/types.ts';
import { featureKeys, sandboxFeatureKeys } from './entity.ts';

/** The key of a feature. */
export const Feature = oneOf(featureKeys).describe('A feature key.');
const sandboxKeys = list(oneOf(sandboxFeatureKeys), { max: sandboxFeatureKeys.length });

const listFeatures = defineOperation({
  id: 'features.list',
  summary: 'List the features that an account has',
  description: 'Only features in beta or limited release are listed.',
  http: { method: 'GET', path: '/12/accounts/:account_id/features' },
  access: { auth: 'user', capability: 'account.read' },
  rateLimit: 'ads.account_read',
  envelope: 'values',
  params: z.object({
    account_id,
    feature_keys: list(oneOf(featureKeys), { max: featureKeys.length })
      .optional()
      .describe('Only these features, as far as the account has them.'),
  }),
  data: Feature,
  errors: ['ACCOUNT_DELETED'],
  example: { params: { account_id: '18ce54d4x5t' }, data: 'REACH_FREQUENCY_CAP' },
});

const addFeatures = defineOperation({
  id: 'features.add',
  summary: 'Add features to an account in the sandbox',
  description: 'Answers with all features of the account. Adding a feature that is there already changes nothing.',
  sandboxOnly: true,
  http: { method: 'POST', path: '/12/accounts/:account_id/features' },
  access: { auth: 'user', capability: 'account.write' },
  rateLimit: 'ads.write',
  envelope: 'values',
  params: z.object({ account_id, feature_keys: sandboxKeys.describe('The features to add.') }),
  data: Feature,
  errors: ['ACCOUNT_DELETED'],
  example: { params: { account_id: '18ce54d4x5t', feature_keys: ['AGE_TARGETING'] }, data: 'AGE_TARGETING' },
});

const removeFeatures = defineOperation({
  id: 'features.remove',
  summary: 'Remove features from an account in the sandbox',
  description: 'Answers with the features that remain. Removing a feature that is not there changes nothing.',
  sandboxOnly: true,
  http: { method: 'DELETE', path: '/12/accounts/:account_id/features' },
  access: { auth: 'user', capability: 'account.write' },
  rateLimit: 'ads.write',
  envelope: 'values',
  params: z.object({ account_id, feature_keys: sandboxKeys.describe('The features to remove.') }),
  data: Feature,
  errors: ['ACCOUNT_DELETED'],
  example: { params: { account_id: '18ce54d4x5t', feature_keys: ['AGE_TARGETING'] }, data: 'CPI_CHARGING' },
});

export const operations = { list: listFeatures, add: addFeatures, remove: removeFeatures };

export const position = 20;
