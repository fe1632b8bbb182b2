import { account_id } from '../../operation/list.ts';
import { defineAccountRead, defineAccountWrite } from '../../operation/on-account.ts';
import { object } from '../../wire/object.ts';
import { list, oneOf } from '../../wire/types.ts';
import { featureKeys, sandboxFeatureKeys } from './entity.ts';

export const Feature = oneOf(featureKeys).describe('A feature key.');
const sandboxKeys = list(oneOf(sandboxFeatureKeys), { max: sandboxFeatureKeys.length });

export const operations = {
  list: defineAccountRead('features.list', '/12/accounts/:account_id/features', {
    summary: 'List the features that an account has',
    description: 'Only features in beta or limited release are listed.',
    capability: 'account.read',
    envelope: 'values',
    params: object(() => ({
      account_id,
      feature_keys: list(oneOf(featureKeys), { max: featureKeys.length })
        .optional()
        .describe('Only these features, as far as the account has them.'),
    })),
    data: Feature,
    example: { params: {}, data: 'REACH_FREQUENCY_CAP' },
  }),
  add: defineAccountWrite('features.add', 'POST', '/12/accounts/:account_id/features', {
    summary: 'Add features to an account in the sandbox',
    description: 'Answers with all features of the account. Adding a feature that is there already changes nothing.',
    sandboxOnly: true,
    capability: 'account.write',
    envelope: 'values',
    params: object(() => ({ account_id, feature_keys: sandboxKeys.describe('The features to add.') })),
    data: Feature,
    example: { params: { feature_keys: ['AGE_TARGETING'] }, data: 'AGE_TARGETING' },
  }),
  remove: defineAccountWrite('features.remove', 'DELETE', '/12/accounts/:account_id/features', {
    summary: 'Remove features from an account in the sandbox',
    description: 'Answers with the features that remain. Removing a feature that is not there changes nothing.',
    sandboxOnly: true,
    capability: 'account.write',
    envelope: 'values',
    params: object(() => ({ account_id, feature_keys: sandboxKeys.describe('The features to remove.') })),
    data: Feature,
    example: { params: { feature_keys: ['AGE_TARGETING'] }, data: 'CPI_CHARGING' },
  }),
};

export const position = 20;
