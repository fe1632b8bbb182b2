import { NOTHING_SPENT } from '@broadside/core/resources/campaigns';
import { collatedName } from '@broadside/core/text';
import { defineEntity, type RowOf } from '../../db/entity.ts';
import { beginsWith, isOneOf, unlessDraft } from '../../db/filters.ts';
import { foldName } from '../../db/fold-name.ts';
import { campaigns } from './table.ts';

export const campaign = defineEntity({
  name: 'CAMPAIGN',
  table: campaigns,
  missing: { error: 'CAMPAIGN_NOT_FOUND', parameter: 'campaign_id' },
  filters: {
    campaign_ids: isOneOf(campaigns.id),
    funding_instrument_ids: isOneOf(campaigns.funding_instrument_id),
    q: beginsWith(campaigns.name_folded),
    with_draft: unlessDraft(campaigns.entity_status),
  },
  computed: { name_folded: ({ name }) => foldName(name), name_collated: ({ name }) => collatedName(name) },
  derived: {
    line_item_count: 0,
    flight_start: null,
    flight_end: null,
    content_review_problem: false,
    ...NOTHING_SPENT,
    line_items_spent_until: null,
    awaiting_approval: false,
  },
});

export type CampaignRow = RowOf<typeof campaign>;
