import * as z from 'zod';
import { batchOperations } from '../../operation/batch.ts';
import { defineOperation } from '../../operation/define.ts';
import { account_id, ids, listExclusive, listParams, q, with_deleted } from '../../operation/list.ts';
import { boolean } from '../../wire/types.ts';
import { listPlacements } from '../placements/operations.ts';
import { LineItem, lineItemSortable } from './entity.ts';
import { LineItemChanges, LineItemCreate, line_item_id } from './params.ts';

export { errors } from './errors.ts';

const example = {
  id: 'bw2rq',
  name: 'Readers in the north',
  campaign_id: '8wku2',
  funding_instrument_id: 'lygyi',
  advertiser_user_id: '1503831318555086849',
  objective: 'ENGAGEMENTS',
  product_type: 'PROMOTED_POSTS',
  placements: ['ALL_ON_PLATFORM'],
  start_time: '2026-02-01T00:00:00Z',
  end_time: '2026-03-01T00:00:00Z',
  goal: 'ENGAGEMENT',
  pay_by: 'ENGAGEMENT',
  bid_strategy: 'MAX',
  bid_amount_local_micro: 1_400_000,
  target_cpa_local_micro: null,
  primary_web_event_tag: null,
  daily_budget_amount_local_micro: null,
  total_budget_amount_local_micro: null,
  standard_delivery: null,
  duration_in_days: null,
  frequency_cap: null,
  entity_status: 'PAUSED',
  automatic_post_promotion: null,
  advertiser_domain: null,
  categories: [],
  android_app_store_identifier: null,
  ios_app_store_identifier: null,
  audience_expansion: null,
  currency: 'USD',
  creative_source: 'MANUAL',
  created_at: '2026-01-15T08:00:00Z',
  updated_at: '2026-01-15T08:00:00Z',
  deleted: false,
} as const;

const ruleErrors = [
  'FUNDING_INSTRUMENT_EXCEEDS_AVAILABLE_CREDIT_LIMIT',
  'INCLUSIVE_PARAMETERS',
  'INVALID_DENOMINATION',
  'INVALID_IAB_CATEGORY',
  'INVALID_PARAMETER',
  'INVALID_PLACEMENT_TYPE',
  'INVALID_TIME_WINDOW',
  'INVALID_USER_ID',
  'MISSING_PARAMETER',
  'SPEND_EXCEEDS_BUDGET',
  'TOO_MANY_CAMPAIGNS',
  'TOO_MANY_LINE_ITEMS',
] as const;

const listLineItems = defineOperation({
  id: 'line_items.list',
  summary: 'List the line items of an account',
  http: { method: 'GET', path: '/12/accounts/:account_id/line_items' },
  access: { auth: 'user', capability: 'campaigns.read' },
  rateLimit: 'ads.core_read',
  envelope: 'list',
  params: z.object({
    campaign_ids: ids('campaigns'),
    funding_instrument_ids: ids('funding instruments'),
    line_item_ids: ids('line items'),
    q,
    with_draft: boolean().default(false).describe('Include line items in state DRAFT.'),
    ...listParams(lineItemSortable),
  }),
  exclusive: listExclusive,
  data: LineItem,
  errors: ['ACCOUNT_DELETED'],
  example: { params: { account_id: '18ce54d4x5t', campaign_ids: ['8wku2'] }, data: example },
});

const getLineItem = defineOperation({
  id: 'line_items.get',
  summary: 'Get one line item',
  http: { method: 'GET', path: '/12/accounts/:account_id/line_items/:line_item_id' },
  access: { auth: 'user', capability: 'campaigns.read' },
  rateLimit: 'ads.core_read',
  envelope: 'entity',
  params: z.object({ account_id, line_item_id, with_deleted }),
  data: LineItem,
  errors: ['ACCOUNT_DELETED', 'LINE_ITEM_NOT_FOUND'],
  example: { params: { account_id: '18ce54d4x5t', line_item_id: 'bw2rq' }, data: example },
});

const exampleCreate = {
  campaign_id: '8wku2',
  name: 'Readers in the north',
  objective: 'ENGAGEMENTS',
  product_type: 'PROMOTED_POSTS',
  placements: ['ALL_ON_PLATFORM'],
  bid_amount_local_micro: 1_400_000,
  start_time: '2026-02-01T00:00:00Z',
  end_time: '2026-03-01T00:00:00Z',
  entity_status: 'PAUSED',
} as const;

const createLineItem = defineOperation({
  id: 'line_items.create',
  summary: 'Create a line item in a campaign',
  http: { method: 'POST', path: '/12/accounts/:account_id/line_items' },
  access: { auth: 'user', capability: 'campaigns.write' },
  rateLimit: 'ads.write',
  envelope: 'entity',
  params: LineItemCreate.extend({ account_id }),
  data: LineItem,
  errors: ['ACCOUNT_DELETED', 'CAMPAIGN_NOT_FOUND', ...ruleErrors],
  example: {
    params: { account_id: '18ce54d4x5t', ...exampleCreate, placements: [...exampleCreate.placements] },
    data: example,
  },
});

const batchItems = {
  max: 40,
  Create: LineItemCreate,
  Update: LineItemChanges.extend({ line_item_id }),
  Delete: z.object({ line_item_id }),
};

const batchLineItems = defineOperation({
  id: 'line_items.batch',
  summary: 'Create, update and delete up to 40 line items, all or none of them',
  http: { method: 'POST', path: '/12/batch/accounts/:account_id/line_items' },
  access: { auth: 'user', capability: 'campaigns.write' },
  rateLimit: 'ads.write',
  envelope: 'batch',
  params: z.object({ account_id, operations: batchOperations(batchItems) }),
  batch: batchItems,
  data: LineItem,
  errors: ['ACCOUNT_DELETED', 'CAMPAIGN_NOT_FOUND', 'LINE_ITEM_NOT_FOUND', 'REQUEST_TOO_COMPLEX', ...ruleErrors],
  example: {
    params: {
      account_id: '18ce54d4x5t',
      operations: [
        { operation_type: 'Create', params: { ...exampleCreate, placements: [...exampleCreate.placements] } },
      ],
    },
    data: example,
  },
});

const updateLineItem = defineOperation({
  id: 'line_items.update',
  summary: 'Change a line item',
  description: 'Only the parameters given change. An empty value removes a parameter that can be removed.',
  http: { method: 'PUT', path: '/12/accounts/:account_id/line_items/:line_item_id' },
  access: { auth: 'user', capability: 'campaigns.write' },
  rateLimit: 'ads.write',
  envelope: 'entity',
  params: LineItemChanges.extend({ account_id, line_item_id }),
  data: LineItem,
  errors: ['ACCOUNT_DELETED', 'LINE_ITEM_NOT_FOUND', ...ruleErrors],
  example: {
    params: { account_id: '18ce54d4x5t', line_item_id: 'bw2rq', bid_amount_local_micro: 1_600_000 },
    data: { ...example, bid_amount_local_micro: 1_600_000 },
  },
});

const deleteLineItem = defineOperation({
  id: 'line_items.delete',
  summary: 'Delete a line item',
  description: 'This cannot be undone.',
  http: { method: 'DELETE', path: '/12/accounts/:account_id/line_items/:line_item_id' },
  access: { auth: 'user', capability: 'campaigns.write' },
  rateLimit: 'ads.write',
  envelope: 'entity',
  params: z.object({ account_id, line_item_id }),
  data: LineItem,
  errors: ['ACCOUNT_DELETED', 'LINE_ITEM_NOT_FOUND'],
  example: {
    params: { account_id: '18ce54d4x5t', line_item_id: 'bw2rq' },
    data: { ...example, deleted: true },
  },
});

export const operations = {
  list: listLineItems,
  get: getLineItem,
  create: createLineItem,
  batch: batchLineItems,
  update: updateLineItem,
  delete: deleteLineItem,
  placements: listPlacements,
};

export const position = 50;
