/**
 * The advertising hierarchy in the plainest form that specification C allows: arrays in memory, no transactions, no indexes,
 * no sums kept in step. What the server shows is held against it after any sequence of changes.
 */

/** States that an advertiser can set. */
export type Status = 'ACTIVE' | 'DRAFT' | 'PAUSED';

/** A campaign as the model knows it. */
export interface ModelCampaign {
  readonly id: string;
  name: string;
  entity_status: Status;
  total_budget_amount_local_micro: bigint | null;
  deleted: boolean;
  readonly created_at: string;
  updated_at: string;
  readonly line_items: ModelLineItem[];
}

/** A line item as the model knows it. */
export interface ModelLineItem {
  readonly id: string;
  name: string | null;
  entity_status: Status;
  bid_amount_local_micro: bigint;
  start_time: string;
  end_time: string;
  deleted: boolean;
  readonly created_at: string;
  updated_at: string;
}

/** States to which a line item may change. */
export type LineItemEdit = Partial<
  Pick<ModelLineItem, 'name' | 'bid_amount_local_micro' | 'end_time'> & { entity_status: 'ACTIVE' | 'PAUSED' }
>;

/** States to which a campaign may change. */
export type CampaignEdit = Partial<
  Pick<ModelCampaign, 'name' | 'total_budget_amount_local_micro'> & { entity_status: 'ACTIVE' | 'PAUSED' }
>;

/** An entity after a change. One that sets nothing to another value is no change, so the time of the last one stays. */
export function changedBy<Entity extends { readonly updated_at: string }>(
  before: Entity,
  edit: Partial<NoInfer<Entity>>,
  now: string,
): Entity {
  const after = { ...before, ...edit };
  const isSame = Object.entries(edit).every(([key, value]) => Reflect.get(before, key) === value);
  return isSame ? after : { ...after, updated_at: now };
}

/** An account that can have so many active campaigns, at a time that the test holds. */
export class HierarchyModel {
  readonly campaigns: ModelCampaign[] = [];
  readonly limit: number;
  /** The world's time, as a timestamp. */
  now: string;

  constructor(limit: number, now: string) {
    this.limit = limit;
    this.now = now;
  }

  /** The campaign at a place, counted around; `undefined` while there is none. */
  campaignAt(place: number): ModelCampaign | undefined {
    return this.campaigns[place % Math.max(1, this.campaigns.length)];
  }

  /** All line items with their campaigns, in the order of creation. */
  lineItems(): { campaign: ModelCampaign; item: ModelLineItem }[] {
    return this.campaigns
      .flatMap((campaign) => campaign.line_items.map((item) => ({ campaign, item })))
      .sort((a, b) => Number.parseInt(a.item.id, 36) - Number.parseInt(b.item.id, 36));
  }

  lineItemAt(place: number): { campaign: ModelCampaign; item: ModelLineItem } | undefined {
    const all = this.lineItems();
    return all[place % Math.max(1, all.length)];
  }

  /** Returns whether a change that leaves a campaign in some state would exceed the account's limit. */
  exceeds(before: ModelCampaign | undefined, after: ModelCampaign): boolean {
    if ((before && this.isActive(before)) || !this.isActive(after)) return false;
    const others = this.campaigns.filter((campaign) => campaign.id !== after.id && this.isActive(campaign));
    return others.length + 1 > this.limit;
  }

  isActive({ deleted, entity_status, line_items }: ModelCampaign): boolean {
    if (deleted || entity_status === 'DRAFT') return false;
    const flights = running(line_items);
    return flights.length === 0 || flights.some(({ end_time }) => end_time > this.now);
  }

  /** A campaign as the server must show it. */
  shown(campaign: ModelCampaign): Readonly<Record<string, unknown>> {
    const { line_items: _, ...own } = campaign;
    return { ...own, ...(campaign.deleted ? this.#statusOfDeleted(campaign) : this.#status(campaign, this.now)) };
  }

  #statusOfDeleted(campaign: ModelCampaign) {
    const { servable } = this.#status(campaign, campaign.updated_at);
    return { servable: null, reasons_not_servable: [], effective_status: servable ? 'RUNNING' : 'UNKNOWN' };
  }

  #status({ entity_status, line_items }: ModelCampaign, time: string) {
    const flights = running(line_items);
    const complete = entity_status !== 'DRAFT' && flights.length > 0;
    const ended = complete && flights.every(({ end_time }) => end_time <= time);
    const reasons = [
      ...(entity_status === 'PAUSED' ? ['PAUSED_BY_ADVERTISER'] : []),
      ...(complete ? [] : ['INCOMPLETE']),
      ...(ended ? ['EXPIRED'] : []),
      ...(complete && flights.every(({ start_time }) => start_time > time) ? ['STARTS_IN_FUTURE'] : []),
    ];
    const effective = entity_status === 'PAUSED' ? 'PAUSED' : ended ? 'EXPIRED' : 'ACTIVE';
    return {
      servable: reasons.length === 0,
      reasons_not_servable: reasons,
      effective_status: complete ? effective : 'UNKNOWN',
    };
  }
}

function running(items: readonly ModelLineItem[]): ModelLineItem[] {
  return items.filter(({ deleted, entity_status }) => !deleted && entity_status !== 'DRAFT');
}
