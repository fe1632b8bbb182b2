import * as z from 'zod';
import { createOrDelete } from '../../operation/batch.ts';
import { defineOperation } from '../../operation/define.ts';
import { account_id, ids, listExclusive, listParams, MAX_IDS, with_deleted } from '../../operation/list.ts';
import { id, list } from '../../wire/types.ts';
import { lang } from '../targeting-options/operations.ts';
import { TargetingCriterion, targetingCriterionSortable } from './entity.ts';
import { TargetingCriterionCreate, targeting_criterion_id } from './params.ts';

export { errors } from './errors.ts';

const example = {
  id: 'dpl3a6',
  line_item_id: 'bw2rq',
  name: 'Books and literature/Biographies and memoirs',
  operator_type: 'EQ',
  targeting_type: 'INTEREST',
  targeting_value: '1001',
  created_at: '2026-01-15T08:00:00Z',
  updated_at: '2026-01-15T08:00:00Z',
  deleted: false,
} as const;

const exampleCreate = { line_item_id: 'bw2rq', targeting_type: 'INTEREST', targeting_value: '1001' } as const;

/** What creating a criterion can answer. */
const ruleErrors = [
  'INCLUSIVE_PARAMETERS',
  'INVALID_IAB_CATEGORY',
  'INVALID_PARAMETER',
  'INVALID_TARGETING_TYPE',
  'INVALID_TV_SHOW_LOCATIONS',
  'LINE_ITEM_NOT_FOUND',
  'REQUEST_TOO_COMPLEX',
  'TV_SHOW_OUTSIDE_MARKET',
] as const;

const listTargetingCriteria = defineOperation({
  id: 'targeting_criteria.list',
  summary: 'List the targeting criteria of line items',
  http: { method: 'GET', path: '/12/accounts/:account_id/targeting_criteria' },
  access: { auth: 'user', capability: 'campaigns.read' },
  rateLimit: 'ads.core_read',
  envelope: 'list',
  params: z.object({
    line_item_ids: list(id(), { max: MAX_IDS }).describe(`The criteria of these line items: up to ${MAX_IDS} ids.`),
    targeting_criterion_ids: ids('targeting criteria'),
    lang,
    ...listParams(targetingCriterionSortable),
  }),
  exclusive: listExclusive,
  data: TargetingCriterion,
  errors: ['ACCOUNT_DELETED'],
  example: { params: { account_id: '18ce54d4x5t', line_item_ids: ['bw2rq'] }, data: example },
});

const getTargetingCriterion = defineOperation({
  id: 'targeting_criteria.get',
  summary: 'Get one targeting criterion',
  http: { method: 'GET', path: '/12/accounts/:account_id/targeting_criteria/:targeting_criterion_id' },
  access: { auth: 'user', capability: 'campaigns.read' },
  rateLimit: 'ads.core_read',
  envelope: 'entity',
  params: z.object({ account_id, targeting_criterion_id, lang, with_deleted }),
  data: TargetingCriterion,
  errors: ['ACCOUNT_DELETED', 'TARGETING_CRITERION_NOT_FOUND'],
  example: { params: { account_id: '18ce54d4x5t', targeting_criterion_id: 'dpl3a6' }, data: example },
});

const createTargetingCriterion = defineOperation({
  id: 'targeting_criteria.create',
  summary: 'Create a targeting criterion of a line item',
  description: 'A line item has a criterion once: creating it again answers with the one that is there.',
  http: { method: 'POST', path: '/12/accounts/:account_id/targeting_criteria' },
  access: { auth: 'user', capability: 'campaigns.write' },
  rateLimit: 'ads.write',
  envelope: 'entity',
  params: TargetingCriterionCreate.extend({ account_id }),
  data: TargetingCriterion,
  errors: ['ACCOUNT_DELETED', ...ruleErrors],
  example: { params: { account_id: '18ce54d4x5t', ...exampleCreate }, data: example },
});

const batchItems = {
  max: 500,
  Create: TargetingCriterionCreate,
  Delete: z.object({ targeting_criterion_id }),
};

const batchTargetingCriteria = defineOperation({
  id: 'targeting_criteria.batch',
  summary: 'Create and delete up to 500 targeting criteria, all or none of them',
  http: { method: 'POST', path: '/12/batch/accounts/:account_id/targeting_criteria' },
  access: { auth: 'user', capability: 'campaigns.write' },
  rateLimit: 'ads.write',
  envelope: 'batch',
  params: z.object({ account_id, operations: createOrDelete(batchItems) }),
  batch: batchItems,
  data: TargetingCriterion,
  errors: ['ACCOUNT_DELETED', 'INCOMPATIBLE_LINE_ITEM', 'TARGETING_CRITERION_NOT_FOUND', ...ruleErrors],
  example: {
    params: { account_id: '18ce54d4x5t', operations: [{ operation_type: 'Create', params: exampleCreate }] },
    data: example,
  },
});

const deleteTargetingCriterion = defineOperation({
  id: 'targeting_criteria.delete',
  summary: 'Delete a targeting criterion',
  description: 'This cannot be undone. Criteria that need each other are deleted together, in a batch.',
  http: { method: 'DELETE', path: '/12/accounts/:account_id/targeting_criteria/:targeting_criterion_id' },
  access: { auth: 'user', capability: 'campaigns.write' },
  rateLimit: 'ads.write',
  envelope: 'entity',
  params: z.object({ account_id, targeting_criterion_id }),
  data: TargetingCriterion,
  errors: [
    'ACCOUNT_DELETED',
    'INCLUSIVE_PARAMETERS',
    'INVALID_TV_SHOW_LOCATIONS',
    'TARGETING_CRITERION_NOT_FOUND',
    'TV_SHOW_OUTSIDE_MARKET',
  ],
  example: {
    params: { account_id: '18ce54d4x5t', targeting_criterion_id: 'dpl3a6' },
    data: { ...example, deleted: true },
  },
});

export const operations = {
  list: listTargetingCriteria,
  get: getTargetingCriterion,
  create: createTargetingCriterion,
  batch: batchTargetingCriteria,
  delete: deleteTargetingCriterion,
};

export const position = 150;
