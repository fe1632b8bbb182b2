import { NOTHING_SPENT } from '@broadside/core/resources/campaigns';
import { defineEntity, type RowOf } from '../../db/entity.ts';
import { beginsWith, isOneOf, unlessDraft } from '../../db/filters.ts';
import { foldName } from '../../db/fold-name.ts';
import { campaign } from '../campaigns/find.ts';
import { lineItems } from './table.ts';

export const lineItem = defineEntity({
  name: 'LINE_ITEM',
  table: lineItems,
  parent: { entity: campaign, column: lineItems.campaign_id },
  missing: { error: 'LINE_ITEM_NOT_FOUND', parameter: 'line_item_id' },
  filters: {
    campaign_ids: isOneOf(lineItems.campaign_id),
    funding_instrument_ids: isOneOf(lineItems.funding_instrument_id),
    line_item_ids: isOneOf(lineItems.id),
    q: beginsWith(lineItems.name_folded),
    with_draft: unlessDraft(lineItems.entity_status),
  },
  computed: { name_folded: ({ name }) => (name === null ? null : foldName(name)) },
  derived: NOTHING_SPENT,
});

export type LineItemRow = RowOf<typeof lineItem>;
