/** What delivery spends, and what the platform decides about funding instruments. */
import type { Issue } from '@broadside/core';
import { addSpend, Campaign, spentToday } from '@broadside/core/resources/campaigns';
import { creditRemaining, FundingInstrument } from '@broadside/core/resources/funding-instruments';
import { isLineItemServable, LineItem } from '@broadside/core/resources/line-items';
import type { HandlersOf } from '../../../pipeline/context.ts';
import type { AccountRow } from '../../../world/account-directory.ts';
import type { AccountWriter } from '../../../world/account-store.ts';
import { type CampaignRow, campaign, campaignOf, findCampaign, showCampaign } from '../../campaigns/find.ts';
import {
  type FundingInstrumentRow,
  fundingInstrument,
  fundingInstrumentOf,
  showFundingInstrument,
} from '../../funding-instruments/find.ts';
import { findLineItem, type LineItemRow, lineItem, sumUp } from '../../line-items/find.ts';
import { accountOf } from './account-of.ts';
import type { ActionsContract } from './contract.ts';
import { needed } from './needed.ts';
import { type Changed, changed } from './outcome.ts';

type Funds = Pick<HandlersOf<ActionsContract>, 'spend' | 'pause' | 'resume'>;
type SpendContext = Parameters<Funds['spend']>[0];
type SpendParams = Parameters<Funds['spend']>[1];

/** Where an amount is spent. */
interface Place {
  readonly item: LineItemRow | undefined;
  readonly parent: CampaignRow | undefined;
  readonly payer: FundingInstrumentRow;
}

async function placeOf(
  reject: SpendContext['reject'],
  account: AccountWriter,
  { line_item_id, campaign_id, funding_instrument_id }: SpendParams,
): Promise<Place> {
  if (funding_instrument_id !== undefined) {
    const payer = await account.of(fundingInstrument).find(reject, funding_instrument_id);
    return { item: undefined, parent: undefined, payer };
  }
  const item = line_item_id === undefined ? undefined : await findLineItem(reject, account, line_item_id);
  const parent = item ? await campaignOf(account, item) : await findCampaign(reject, account, campaign_id ?? '');
  return { item, parent, payer: await fundingInstrumentOf(account, parent) };
}

function check(
  { item, parent, payer }: Place,
  { currency }: SpendParams,
): Issue<'INVALID_PARAMETER' | 'WRONG_STATE'>[] {
  const issues: Issue<'INVALID_PARAMETER' | 'WRONG_STATE'>[] = [];
  if (currency !== undefined && currency !== payer.currency) {
    const message = `Expected ${payer.currency}, the currency of the funding instrument ${payer.id}, got ${currency} for currency`;
    issues.push({ error: 'INVALID_PARAMETER', parameter: 'currency', value: currency, message });
  }
  const drafts = [
    ['line_item_id', item],
    ['campaign_id', parent],
  ] as const;
  for (const [parameter, row] of drafts) {
    if (row?.entity_status !== 'DRAFT') continue;
    const message = 'A draft spends nothing; make it ACTIVE or PAUSED first';
    issues.push({ error: 'WRONG_STATE', parameter, value: row.id, message });
  }
  return issues;
}

async function store(account: AccountWriter, place: Place, timezone: string, amount: bigint): Promise<void> {
  const { item, parent, payer } = place;
  const { now } = account;
  if (item) await account.of(lineItem).derive(item.id, addSpend(item, amount, now, timezone));
  if (parent) await account.of(campaign).derive(parent.id, addSpend(parent, amount, now, timezone));
  if (item && parent) await sumUp(account, parent.id);
  const spent_local_micro = (payer.spent_local_micro ?? 0n) + amount;
  await account.of(fundingInstrument).derive(payer.id, { spent_local_micro });
  // Where it shows what is left of its credit, that changes too.
  const credit_remaining_local_micro = creditRemaining(payer, spent_local_micro);
  await account.of(fundingInstrument).update({ ...payer, spent_local_micro }, { credit_remaining_local_micro });
  const id = (item ?? parent ?? payer).id;
  const after = {
    id,
    line_item_id: item?.id ?? null,
    campaign_id: parent?.id ?? null,
    funding_instrument_id: payer.id,
    amount_local_micro: amount,
  };
  await account.recordChange({ entity: 'SPEND', entity_id: id, before: undefined, after });
}

/** Shows what an amount was spent on, with what was spent of it. */
async function show(account: AccountWriter, record: AccountRow, place: Place): Promise<Changed[]> {
  const { now } = account;
  const found: Changed[] = [];
  const parent = place.parent && (await account.of(campaign).get(place.parent.id));
  const shown = parent && (await showCampaign(account, record, now, parent));
  const item = place.item && (await account.of(lineItem).get(place.item.id));
  if (item && shown) {
    const servable = isLineItemServable(item, shown, now);
    found.push(changed('LINE_ITEM', LineItem, item, { servable, ...figures(item, now) }));
  }
  if (parent && shown) found.push(changed('CAMPAIGN', Campaign, shown, figures(parent, now)));
  return [...found, await showInstrument(account, place.payer.id)];
}

function figures(row: CampaignRow | LineItemRow, now: string) {
  return { spent_local_micro: row.spent_local_micro ?? 0n, spent_today_local_micro: spentToday(row, now) };
}

/** Shows a funding instrument, with what the platform knows of it. */
export async function showInstrument(account: AccountWriter, id: string): Promise<Changed> {
  const row = await account.of(fundingInstrument).get(id);
  if (!row) throw new TypeError(`there is no funding instrument ${id}`);
  const { approval_status, spent_local_micro } = row;
  const beside = { approval_status, spent_local_micro: spent_local_micro ?? 0n };
  return changed('FUNDING_INSTRUMENT', FundingInstrument, showFundingInstrument(row, account.now), beside);
}

function setStatus(entity_status: 'ACTIVE' | 'PAUSED'): Funds['pause'] {
  return async (context, { funding_instrument_id, ...at }) => {
    const { account } = await accountOf(context, at);
    return account.write(context.actor, async (writer) => {
      const row = await writer.of(fundingInstrument).find(context.reject, funding_instrument_id);
      await writer.of(fundingInstrument).update(row, { entity_status });
      return { changed: [await showInstrument(writer, row.id)] };
    });
  };
}

/** Actions on money. */
export const funds: Funds = {
  async spend(context, params) {
    const { reject } = context;
    if ((params.line_item_id ?? params.campaign_id ?? params.funding_instrument_id) === undefined) {
      throw reject.error(needed('line_item_id', 'without campaign_id and funding_instrument_id'));
    }
    const { account, record } = await accountOf(context, params);
    return account.write(context.actor, async (writer) => {
      const place = await placeOf(reject, writer, params);
      reject.check(check(place, params));
      await store(writer, place, record.timezone, params.amount_local_micro);
      return { changed: await show(writer, record, place) };
    });
  },
  pause: setStatus('PAUSED'),
  resume: setStatus('ACTIVE'),
};
