import * as z from 'zod';
import { batchOperations } from '../../operation/batch.ts';
import { defineOperation } from '../../operation/define.ts';
import { account_id, ids, listExclusive, listParams, q, with_deleted } from '../../operation/list.ts';
import { boolean } from '../../wire/types.ts';
import { Campaign, campaignSortable } from './entity.ts';
import { CampaignChanges, CampaignCreate, campaign_id } from './params.ts';

export { errors } from './errors.ts';

const example = {
  id: '8wku2',
  name: 'Summer reading',
  budget_optimization: 'CAMPAIGN',
  reasons_not_servable: ['PAUSED_BY_ADVERTISER', 'INCOMPLETE'],
  servable: false,
  effective_status: 'UNKNOWN',
  entity_status: 'PAUSED',
  purchase_order_number: null,
  daily_budget_amount_local_micro: 55_000_000,
  total_budget_amount_local_micro: null,
  funding_instrument_id: 'lygyi',
  duration_in_days: null,
  standard_delivery: true,
  frequency_cap: null,
  currency: 'USD',
  created_at: '2026-01-15T08:00:00Z',
  updated_at: '2026-01-15T08:00:00Z',
  deleted: false,
} as const;

const exampleCreate = {
  funding_instrument_id: 'lygyi',
  name: 'Summer reading',
  daily_budget_amount_local_micro: 55_000_000,
  entity_status: 'PAUSED',
} as const;

/** What creating and changing a campaign can answer. */
const ruleErrors = [
  'FUNDING_INSTRUMENT_EXCEEDS_AVAILABLE_CREDIT_LIMIT',
  'INVALID_PARAMETER',
  'MISSING_PARAMETER',
  'SPEND_EXCEEDS_BUDGET',
  'TOO_MANY_CAMPAIGNS',
] as const;
const createErrors = ['FUNDING_INSTRUMENT_NOT_FOUND', 'INVALID_FUNDING_INSTRUMENT', ...ruleErrors] as const;

const listCampaigns = defineOperation({
  id: 'campaigns.list',
  summary: 'List the campaigns of an account',
  http: { method: 'GET', path: '/12/accounts/:account_id/campaigns' },
  access: { auth: 'user', capability: 'campaigns.read' },
  rateLimit: 'ads.core_read',
  envelope: 'list',
  params: z.object({
    campaign_ids: ids('campaigns'),
    funding_instrument_ids: ids('funding instruments'),
    q,
    with_draft: boolean().default(false).describe('Include campaigns in state DRAFT.'),
    ...listParams(campaignSortable),
  }),
  exclusive: listExclusive,
  data: Campaign,
  errors: ['ACCOUNT_DELETED'],
  example: { params: { account_id: '18ce54d4x5t', count: 2, sort_by: ['created_at-desc'] }, data: example },
});

const getCampaign = defineOperation({
  id: 'campaigns.get',
  summary: 'Get one campaign',
  http: { method: 'GET', path: '/12/accounts/:account_id/campaigns/:campaign_id' },
  access: { auth: 'user', capability: 'campaigns.read' },
  rateLimit: 'ads.core_read',
  envelope: 'entity',
  params: z.object({ account_id, campaign_id, with_deleted }),
  data: Campaign,
  errors: ['ACCOUNT_DELETED', 'CAMPAIGN_NOT_FOUND'],
  example: { params: { account_id: '18ce54d4x5t', campaign_id: '8wku2' }, data: example },
});

const createCampaign = defineOperation({
  id: 'campaigns.create',
  summary: 'Create a campaign',
  http: { method: 'POST', path: '/12/accounts/:account_id/campaigns' },
  access: { auth: 'user', capability: 'campaigns.write' },
  rateLimit: 'ads.write',
  envelope: 'entity',
  params: CampaignCreate.extend({ account_id }),
  data: Campaign,
  errors: ['ACCOUNT_DELETED', ...createErrors],
  example: { params: { account_id: '18ce54d4x5t', ...exampleCreate }, data: example },
});

const batchItems = {
  max: 40,
  Create: CampaignCreate,
  Update: CampaignChanges.extend({ campaign_id }),
  Delete: z.object({ campaign_id }),
};

const batchCampaigns = defineOperation({
  id: 'campaigns.batch',
  summary: 'Create, update and delete up to 40 campaigns, all or none of them',
  http: { method: 'POST', path: '/12/batch/accounts/:account_id/campaigns' },
  access: { auth: 'user', capability: 'campaigns.write' },
  rateLimit: 'ads.write',
  envelope: 'batch',
  params: z.object({ account_id, operations: batchOperations(batchItems) }),
  batch: batchItems,
  data: Campaign,
  errors: ['ACCOUNT_DELETED', 'CAMPAIGN_NOT_FOUND', 'REQUEST_TOO_COMPLEX', ...createErrors],
  example: {
    params: {
      account_id: '18ce54d4x5t',
      operations: [{ operation_type: 'Create', params: exampleCreate }],
    },
    data: example,
  },
});

const updateCampaign = defineOperation({
  id: 'campaigns.update',
  summary: 'Change a campaign',
  description: 'Only the parameters given change. An empty value removes a parameter that can be removed.',
  http: { method: 'PUT', path: '/12/accounts/:account_id/campaigns/:campaign_id' },
  access: { auth: 'user', capability: 'campaigns.write' },
  rateLimit: 'ads.write',
  envelope: 'entity',
  params: CampaignChanges.extend({ account_id, campaign_id }),
  data: Campaign,
  errors: ['ACCOUNT_DELETED', 'CAMPAIGN_NOT_FOUND', ...ruleErrors],
  example: {
    params: { account_id: '18ce54d4x5t', campaign_id: '8wku2', name: 'Autumn reading' },
    data: { ...example, name: 'Autumn reading' },
  },
});

const deleteCampaign = defineOperation({
  id: 'campaigns.delete',
  summary: 'Delete a campaign',
  description: 'This cannot be undone.',
  http: { method: 'DELETE', path: '/12/accounts/:account_id/campaigns/:campaign_id' },
  access: { auth: 'user', capability: 'campaigns.write' },
  rateLimit: 'ads.write',
  envelope: 'entity',
  params: z.object({ account_id, campaign_id }),
  data: Campaign,
  errors: ['ACCOUNT_DELETED', 'CAMPAIGN_NOT_FOUND'],
  example: {
    params: { account_id: '18ce54d4x5t', campaign_id: '8wku2' },
    data: { ...example, deleted: true, servable: null, reasons_not_servable: [], effective_status: 'UNKNOWN' },
  },
});

export const operations = {
  list: listCampaigns,
  get: getCampaign,
  create: createCampaign,
  batch: batchCampaigns,
  update: updateCampaign,
  delete: deleteCampaign,
};

export const position = 40;
