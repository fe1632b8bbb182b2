import { batchOperations } from '../../operation/batch.ts';
import { exampleSystemMembers } from '../../operation/entity.ts';
import { batchOf, createOf, defineFamily, deleteOf, getOf, listOf, updateOf } from '../../operation/family.ts';
import { account_id, ids, q } from '../../operation/list.ts';
import { extended, object } from '../../wire/object.ts';
import { boolean } from '../../wire/types.ts';
import { Campaign, campaignSortable } from './entity.ts';
import { CampaignChanges, CampaignCreate, campaign_id } from './params.ts';

export { errors } from './errors.ts';

const campaign = defineFamily({
  data: Campaign,
  key: { campaign_id },
  missing: 'CAMPAIGN_NOT_FOUND',
  read: 'campaigns.read',
  write: 'campaigns.write',
  sortable: campaignSortable,
  example: {
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
    ...exampleSystemMembers,
  },
});

const exampleCreate = {
  funding_instrument_id: 'lygyi',
  name: 'Summer reading',
  daily_budget_amount_local_micro: 55_000_000,
  entity_status: 'PAUSED',
} as const;

/** Errors of creating and updating a campaign. */
const ruleErrors = [
  'FUNDING_INSTRUMENT_EXCEEDS_AVAILABLE_CREDIT_LIMIT',
  'INVALID_PARAMETER',
  'MISSING_PARAMETER',
  'SPEND_EXCEEDS_BUDGET',
  'TOO_MANY_CAMPAIGNS',
] as const;
const createErrors = ['FUNDING_INSTRUMENT_NOT_FOUND', 'INVALID_FUNDING_INSTRUMENT', ...ruleErrors] as const;

const batchItems = {
  max: 40,
  Create: CampaignCreate,
  Update: extended(CampaignChanges, () => ({ campaign_id })),
  Delete: object(() => ({ campaign_id })),
};

export const operations = {
  list: listOf(campaign, 'campaigns.list', '/12/accounts/:account_id/campaigns', {
    summary: 'List the campaigns of an account',
    filters: () => ({
      campaign_ids: ids('campaigns'),
      funding_instrument_ids: ids('funding instruments'),
      q,
      with_draft: boolean().default(false).describe('Include campaigns in state DRAFT.'),
    }),
    example: { count: 2, sort_by: ['created_at-desc'] },
  }),
  get: getOf(campaign, 'campaigns.get', '/12/accounts/:account_id/campaigns/:campaign_id', {
    summary: 'Get one campaign',
  }),
  create: createOf(campaign, 'campaigns.create', '/12/accounts/:account_id/campaigns', {
    summary: 'Create a campaign',
    params: extended(CampaignCreate, () => ({ account_id })),
    errors: createErrors,
    example: exampleCreate,
  }),
  batch: batchOf(campaign, 'campaigns.batch', '/12/batch/accounts/:account_id/campaigns', {
    summary: 'Create, update and delete up to 40 campaigns, all or none of them',
    batch: batchItems,
    operations: () => batchOperations(batchItems),
    errors: ['CAMPAIGN_NOT_FOUND', 'REQUEST_TOO_COMPLEX', ...createErrors],
    example: [{ operation_type: 'Create', params: exampleCreate }],
  }),
  update: updateOf(campaign, 'campaigns.update', '/12/accounts/:account_id/campaigns/:campaign_id', {
    summary: 'Change a campaign',
    description: 'Only the parameters given change. An empty value removes a parameter that can be removed.',
    params: extended(CampaignChanges, () => ({ account_id, campaign_id })),
    errors: ['CAMPAIGN_NOT_FOUND', ...ruleErrors],
    example: { name: 'Autumn reading' },
  }),
  delete: deleteOf(campaign, 'campaigns.delete', '/12/accounts/:account_id/campaigns/:campaign_id', {
    summary: 'Delete a campaign',
    description: 'This cannot be undone.',
    deleted: { servable: null, reasons_not_servable: [], effective_status: 'UNKNOWN' },
  }),
};

export const position = 40;
