import { createOrDelete } from '../../operation/batch.ts';
import { exampleSystemMembers } from '../../operation/entity.ts';
import { batchOf, createOf, defineFamily, deleteOf, getOf, listOf } from '../../operation/family.ts';
import { account_id, ids, MAX_IDS } from '../../operation/list.ts';
import { extended, object } from '../../wire/object.ts';
import { id, list } from '../../wire/types.ts';
import { lang } from '../targeting-options/operations.ts';
import { TargetingCriterion, targetingCriterionSortable } from './entity.ts';
import { TargetingCriterionCreate, targeting_criterion_id } from './params.ts';

export { errors } from './errors.ts';

const criterion = defineFamily({
  data: TargetingCriterion,
  key: { targeting_criterion_id },
  missing: 'TARGETING_CRITERION_NOT_FOUND',
  read: 'campaigns.read',
  write: 'campaigns.write',
  sortable: targetingCriterionSortable,
  example: {
    id: 'dpl3a6',
    line_item_id: 'bw2rq',
    name: 'Books and literature/Biographies and memoirs',
    operator_type: 'EQ',
    targeting_type: 'INTEREST',
    targeting_value: '1001',
    ...exampleSystemMembers,
  },
});

const exampleCreate = { line_item_id: 'bw2rq', targeting_type: 'INTEREST', targeting_value: '1001' } as const;

/** Errors of creating a criterion. */
const ruleErrors = [
  'INCLUSIVE_PARAMETERS',
  'INVALID_IAB_CATEGORY',
  'INVALID_PARAMETER',
  'INVALID_TARGETING_TYPE',
  'INVALID_TV_SHOW_LOCATIONS',
  'LINE_ITEM_NOT_FOUND',
  'QUOTA_EXCEEDED',
  'REQUEST_TOO_COMPLEX',
  'TV_SHOW_OUTSIDE_MARKET',
] as const;

const batchItems = {
  max: 500,
  Create: TargetingCriterionCreate,
  Delete: object(() => ({ targeting_criterion_id })),
};

export const operations = {
  list: listOf(criterion, 'targeting_criteria.list', '/12/accounts/:account_id/targeting_criteria', {
    summary: 'List the targeting criteria of line items',
    filters: () => ({
      line_item_ids: list(id(), { max: MAX_IDS }).describe(`The criteria of these line items: up to ${MAX_IDS} ids.`),
      targeting_criterion_ids: ids('targeting criteria'),
      lang,
    }),
    example: { line_item_ids: ['bw2rq'] },
  }),
  get: getOf(
    criterion,
    'targeting_criteria.get',
    '/12/accounts/:account_id/targeting_criteria/:targeting_criterion_id',
    {
      summary: 'Get one targeting criterion',
      params: { lang },
    },
  ),
  create: createOf(criterion, 'targeting_criteria.create', '/12/accounts/:account_id/targeting_criteria', {
    summary: 'Create a targeting criterion of a line item',
    description: 'A line item has a criterion once: creating it again answers with the one that is there.',
    params: extended(TargetingCriterionCreate, () => ({ account_id })),
    errors: ['INCOMPATIBLE_LINE_ITEM', ...ruleErrors],
    example: exampleCreate,
  }),
  batch: batchOf(criterion, 'targeting_criteria.batch', '/12/batch/accounts/:account_id/targeting_criteria', {
    summary: 'Create and delete up to 500 targeting criteria, all or none of them',
    batch: batchItems,
    operations: () => createOrDelete(batchItems),
    errors: ['INCOMPATIBLE_LINE_ITEM', 'TARGETING_CRITERION_NOT_FOUND', ...ruleErrors],
    example: [{ operation_type: 'Create', params: exampleCreate }],
  }),
  delete: deleteOf(
    criterion,
    'targeting_criteria.delete',
    '/12/accounts/:account_id/targeting_criteria/:targeting_criterion_id',
    {
      summary: 'Delete a targeting criterion',
      description: 'This cannot be undone. Criteria that need each other are deleted together, in a batch.',
      errors: [
        'INCLUSIVE_PARAMETERS',
        'INVALID_TV_SHOW_LOCATIONS',
        'TARGETING_CRITERION_NOT_FOUND',
        'TV_SHOW_OUTSIDE_MARKET',
      ],
    },
  ),
};

export const position = 150;
