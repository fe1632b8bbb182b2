import { ApiError, type Contract, refuse } from '@broadside/core';
import {
  changeLineItem,
  checkLineItem,
  checkLineItemLimits,
  countsAsActive,
  countsAsActiveLineItem,
  resolveLineItem,
} from '@broadside/core/rules';
import { foldName } from '../../db/entity-table.ts';
import type { HandlersOf } from '../../pipeline/context.ts';
import { pageOf } from '../../pipeline/page.ts';
import type { AccountReader, AccountWriter } from '../../world/account-store.ts';
import type { AccountRow } from '../accounts/store.ts';
import { checkCampaignLimit, findCampaign } from '../campaigns/handlers.ts';
import type { CampaignRow } from '../campaigns/store.ts';
import type { LineItemRow } from './store.ts';

/** The line item with an id; one whose campaign is deleted counts as deleted. @throws ApiError LINE_ITEM_NOT_FOUND */
async function findLineItem(account: AccountReader, id: string, withDeleted: boolean): Promise<LineItemRow> {
  const row = await account.line_items.get(id);
  if (row && (withDeleted || !(row.deleted || row.campaign_deleted))) return row;
  throw new ApiError({ error: 'LINE_ITEM_NOT_FOUND', parameter: 'line_item_id', value: id });
}

const folded = (name: string | null) => (name === null ? null : foldName(name));

/** After a line item was stored: the campaign's sums, and the limits of which it may be the one too many. */
async function settle(
  account: AccountWriter,
  record: AccountRow,
  campaign: CampaignRow,
  becameActive: boolean,
): Promise<void> {
  const flights = await account.sumUp(campaign.id);
  refuse(
    checkLineItemLimits({
      in_campaign: flights.in_campaign,
      active: becameActive ? await account.activeLineItems(account.now) : 0,
    }),
  );
  // A further flight can bring an ended campaign back among the active ones.
  if (!countsAsActive(campaign, account.now) && countsAsActive({ ...campaign, ...flights }, account.now)) {
    await checkCampaignLimit(account, record);
  }
}

export const line_items: HandlersOf<Contract['line_items']> = {
  async list({ account }, params) {
    const page = await account.line_items.page(params, {
      campaign_ids: params.campaign_ids,
      funding_instrument_ids: params.funding_instrument_ids,
      line_item_ids: params.line_item_ids,
      q: params.q,
      not_deleted: params.with_deleted ? undefined : true,
      not_draft: params.with_draft ? undefined : true,
    });
    return pageOf(page, params.cursor);
  },

  get({ account }, { line_item_id, with_deleted }) {
    return findLineItem(account, line_item_id, with_deleted);
  },

  create({ account, actor, record }, params) {
    return account.write(actor, async (writer) => {
      const campaign = await findCampaign(writer, params.campaign_id, false);
      const advertiser_user_id = await writer.fullPromotableUser();
      const fields = resolveLineItem(params, { campaign, advertiser_user_id });
      const sibling = await writer.sibling(campaign.id, '');
      refuse(checkLineItem(fields, { campaign, sibling, given: new Set(Object.keys(params)) }));
      const row = await writer.line_items.insert({
        ...fields,
        name_folded: folded(fields.name),
        audience_expansion: fields.audience_expansion ?? null,
        campaign_deleted: false,
      });
      await settle(writer, record, campaign, countsAsActiveLineItem(row, campaign, writer.now));
      return row;
    });
  },

  update({ account, actor, record }, params) {
    return account.write(actor, async (writer) => {
      const before = await findLineItem(writer, params.line_item_id, false);
      const campaign = await findCampaign(writer, before.campaign_id, false);
      const changed = changeLineItem(before, params);
      const sibling = await writer.sibling(campaign.id, before.id);
      refuse(checkLineItem(changed, { campaign, sibling, given: new Set(Object.keys(params)) }));
      const row = await writer.line_items.update(before, { ...changed, name_folded: folded(changed.name) });
      const active = (item: LineItemRow) => countsAsActiveLineItem(item, campaign, writer.now);
      await settle(writer, record, campaign, active(row) && !active(before));
      return row;
    });
  },

  delete({ account, actor }, { line_item_id }) {
    return account.write(actor, async (writer) => {
      const before = await findLineItem(writer, line_item_id, false);
      const row = await writer.line_items.update(before, { deleted: true });
      // No limit is checked: with its last flight gone an ended campaign may count again, which is no reason to keep it.
      await writer.sumUp(before.campaign_id);
      return row;
    });
  },
};
