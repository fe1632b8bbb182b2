export {
  budgetOptimizations,
  Campaign,
  type CampaignReason,
  campaignReasons,
  campaignSortable,
  type EffectiveStatus,
  type EntityStatus,
  effectiveStatuses,
  entityStatuses,
  type StoredCampaign,
} from './entity.ts';
export { DEFAULT_ACTIVE_CAMPAIGNS, MAX_ACTIVE_CAMPAIGNS } from './limits.ts';
export type { CampaignChanges, CampaignCreate } from './params.ts';
export {
  type CampaignIssue,
  type CampaignStatus,
  type CampaignSurroundings,
  changeCampaign,
  checkActiveCampaigns,
  checkChangedCampaign,
  checkNewCampaign,
  countsAsActive,
  decideCampaignStatus,
  type FlightSummary,
  type NewCampaign,
  type NewCampaignIssue,
  resolveCampaign,
} from './rules.ts';
export { addSpend, isBudgetExhausted, NOTHING_SPENT, type Spent, spentToday } from './spend.ts';
