/**
 * Campaigns and line items against a plain model: any sequence of creations, changes, deletions and batches, on any adapter,
 * with the clock moving and the server restarting in between, leaves both with the same account.
 */
import type { TestWorld } from '@broadside/testkit';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AdapterName, adapterNames, adapters, type Outcome } from '../support/adapters.ts';
import { about, Stage } from '../support/scenario.ts';
import { openWorld } from '../support/world.ts';
import {
  type CampaignEdit,
  changedBy,
  HierarchyModel,
  type LineItemEdit,
  type ModelCampaign,
  type ModelLineItem,
  type Status,
} from './hierarchy-model.ts';

let world: TestWorld;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  expect(world.failures).toEqual([]);
  await world.close();
});

const LIMIT = 2;
const HOUR_MS = 3_600_000;

const timestamp = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** The account on the server, by every adapter. */
interface Real {
  readonly on: (adapter: AdapterName) => Stage;
}

type Command = fc.AsyncCommand<HierarchyModel, Real>;

/** A command with a description of its own; afterwards the server must show what the model holds. */
function command(described: string, run: (model: HierarchyModel, real: Real) => Promise<void>): Command {
  return {
    check: () => true,
    async run(model, real) {
      await run(model, real);
      await agree(model, real);
    },
    toString: () => described,
  };
}

async function agree(model: HierarchyModel, real: Real): Promise<void> {
  const stage = real.on('rest');
  const everything = { with_deleted: true, with_draft: true, sort_by: ['created_at-asc'], count: 1000 };
  const campaigns = await stage.many('campaigns.list', everything);
  expect(campaigns).toMatchObject(model.campaigns.map((campaign) => model.shown(campaign)));
  const lineItems = await stage.many('line_items.list', everything);
  expect(lineItems).toMatchObject(
    model.lineItems().map(({ campaign, item }) => ({ ...item, campaign_id: campaign.id })),
  );
  const idsOf = (entities: readonly { readonly id: string }[]) => entities.map(({ id }) => id);
  const shown = model.campaigns.filter(({ deleted, entity_status }) => !deleted && entity_status !== 'DRAFT');
  expect(idsOf(await stage.many('campaigns.list'))).toEqual(idsOf(shown).reverse());
  const shownItems = model
    .lineItems()
    .filter(({ campaign, item }) => !campaign.deleted && !item.deleted && item.entity_status !== 'DRAFT');
  expect(idsOf(await stage.many('line_items.list'))).toEqual(idsOf(shownItems.map(({ item }) => item)).reverse());
}

function rejected(outcome: Outcome, code: string): void {
  expect(outcome.ok).toBe(false);
  expect([...outcome.errors, ...(outcome.operation_errors ?? []).flat()].map((error) => error.code)).toContain(code);
}

function entityOf(outcome: Outcome): { id: string } {
  expect(outcome.errors).toEqual([]);
  const { data } = outcome;
  if (typeof data === 'object' && data !== null && 'id' in data && typeof data.id === 'string') return { id: data.id };
  throw new TypeError('the answer holds no entity');
}

/** Parameters of a campaign to be created. */
type CampaignDraft = Pick<ModelCampaign, 'name' | 'entity_status' | 'total_budget_amount_local_micro'>;

function newCampaign(model: HierarchyModel, draft: CampaignDraft): ModelCampaign {
  return { id: '', ...draft, deleted: false, created_at: model.now, updated_at: model.now, line_items: [] };
}

const createCampaign = (adapter: AdapterName, draft: CampaignDraft) =>
  command(`create campaign ${describe(draft)} (${adapter})`, async (model, real) => {
    const stage = real.on(adapter);
    const { funding_instrument_id } = stage;
    const params = { ...draft, total_budget_amount_local_micro: draft.total_budget_amount_local_micro ?? undefined };
    const outcome = await stage.call('campaigns.create', { funding_instrument_id, ...params });
    const campaign = newCampaign(model, draft);
    if (model.exceeds(undefined, campaign)) return rejected(outcome, 'TOO_MANY_CAMPAIGNS');
    model.campaigns.push({ ...campaign, ...entityOf(outcome) });
  });

const editCampaign = (adapter: AdapterName, place: number, edit: CampaignEdit) =>
  command(`change campaign ${place} ${describe(edit)} (${adapter})`, async (model, real) => {
    const before = model.campaignAt(place);
    if (!before) return;
    const outcome = await real.on(adapter).call('campaigns.update', { campaign_id: before.id, ...edit });
    if (before.deleted) return rejected(outcome, 'CAMPAIGN_NOT_FOUND');
    const after = changedBy(before, edit, model.now);
    if (model.exceeds(before, after)) return rejected(outcome, 'TOO_MANY_CAMPAIGNS');
    Object.assign(before, after, entityOf(outcome));
  });

const deleteCampaign = (adapter: AdapterName, place: number) =>
  command(`delete campaign ${place} (${adapter})`, async (model, real) => {
    const before = model.campaignAt(place);
    if (!before) return;
    const outcome = await real.on(adapter).call('campaigns.delete', { campaign_id: before.id });
    if (before.deleted) return rejected(outcome, 'CAMPAIGN_NOT_FOUND');
    Object.assign(before, { deleted: true, updated_at: model.now }, entityOf(outcome));
  });

/** Parameters of a line item to be created; times in hours from now. */
interface LineItemDraft {
  readonly name: string | null;
  readonly entity_status: Status;
  readonly bid_amount_local_micro: bigint;
  readonly starts: number;
  readonly lasts: number;
}

function newLineItem(model: HierarchyModel, { starts, lasts, ...draft }: LineItemDraft): ModelLineItem {
  const now = Date.parse(model.now);
  return {
    id: '',
    ...draft,
    start_time: timestamp(now + starts * HOUR_MS),
    end_time: timestamp(now + (starts + lasts) * HOUR_MS),
    deleted: false,
    created_at: model.now,
    updated_at: model.now,
  };
}

function createParams(campaign_id: string, item: ModelLineItem) {
  const { name, entity_status, bid_amount_local_micro, start_time, end_time } = item;
  return {
    campaign_id,
    objective: 'ENGAGEMENTS',
    product_type: 'PROMOTED_POSTS',
    placements: ['ALL_ON_PLATFORM'],
    ...(name === null ? {} : { name }),
    entity_status,
    bid_amount_local_micro,
    start_time,
    end_time,
  };
}

const createLineItem = (adapter: AdapterName, place: number, draft: LineItemDraft) =>
  command(`create line item in ${place} ${describe(draft)} (${adapter})`, async (model, real) => {
    const campaign = model.campaignAt(place);
    if (!campaign) return;
    const item = newLineItem(model, draft);
    const outcome = await real.on(adapter).call('line_items.create', createParams(campaign.id, item));
    if (campaign.deleted) return rejected(outcome, 'CAMPAIGN_NOT_FOUND');
    const after = { ...campaign, line_items: [...campaign.line_items, item] };
    if (model.exceeds(campaign, after)) return rejected(outcome, 'TOO_MANY_CAMPAIGNS');
    campaign.line_items.push({ ...item, ...entityOf(outcome) });
  });

const editLineItem = (
  adapter: AdapterName,
  place: number,
  { lasts, ...edit }: LineItemEdit & { readonly lasts?: number },
) =>
  command(`change line item ${place} ${describe({ lasts, ...edit })} (${adapter})`, async (model, real) => {
    const found = model.lineItemAt(place);
    if (!found) return;
    const { campaign, item } = found;
    const end_time = lasts === undefined ? item.end_time : timestamp(Date.parse(item.start_time) + lasts * HOUR_MS);
    const changes = { ...edit, ...(lasts === undefined ? {} : { end_time }) };
    const outcome = await real.on(adapter).call('line_items.update', { line_item_id: item.id, ...changes });
    if (campaign.deleted || item.deleted) return rejected(outcome, 'LINE_ITEM_NOT_FOUND');
    const changed = changedBy(item, changes, model.now);
    const after = { ...campaign, line_items: campaign.line_items.map((one) => (one === item ? changed : one)) };
    if (model.exceeds(campaign, after)) return rejected(outcome, 'TOO_MANY_CAMPAIGNS');
    Object.assign(item, changed, entityOf(outcome));
  });

const deleteLineItem = (adapter: AdapterName, place: number) =>
  command(`delete line item ${place} (${adapter})`, async (model, real) => {
    const found = model.lineItemAt(place);
    if (!found) return;
    const { campaign, item } = found;
    const outcome = await real.on(adapter).call('line_items.delete', { line_item_id: item.id });
    if (campaign.deleted || item.deleted) return rejected(outcome, 'LINE_ITEM_NOT_FOUND');
    Object.assign(item, { deleted: true, updated_at: model.now }, entityOf(outcome));
  });

/** An item of a batch of campaigns. */
type BatchItem =
  | { readonly kind: 'Create'; readonly draft: CampaignDraft }
  | { readonly kind: 'Update'; readonly place: number; readonly edit: CampaignEdit }
  | { readonly kind: 'Delete'; readonly place: number };

const batchCampaigns = (adapter: AdapterName, items: readonly BatchItem[]) =>
  command(`batch ${items.map(describe).join()} (${adapter})`, async (model, real) => {
    const stage = real.on(adapter);
    const scratch = new HierarchyModel(model.limit, model.now);
    scratch.campaigns.push(...model.campaigns.map((campaign) => ({ ...campaign })));
    const known = scratch.campaigns.length;
    const operations: unknown[] = [];
    let code: string | undefined;
    for (const item of items) {
      if (item.kind === 'Create') {
        const { total_budget_amount_local_micro: total, ...rest } = item.draft;
        const params = { funding_instrument_id: stage.funding_instrument_id, ...rest };
        operations.push({
          operation_type: 'Create',
          params: total === null ? params : { ...params, total_budget_amount_local_micro: total },
        });
        const campaign = { ...newCampaign(scratch, item.draft), id: `new ${scratch.campaigns.length}` };
        if (scratch.exceeds(undefined, campaign)) code ??= 'TOO_MANY_CAMPAIGNS';
        scratch.campaigns.push(campaign);
        continue;
      }
      if (known === 0) continue;
      const before = scratch.campaigns[item.place % known];
      if (!before) continue;
      const edit = item.kind === 'Update' ? item.edit : {};
      operations.push({ operation_type: item.kind, params: { campaign_id: before.id, ...edit } });
      if (before.deleted) code ??= 'CAMPAIGN_NOT_FOUND';
      const deleted = before.deleted || item.kind === 'Delete';
      const after = changedBy(before, deleted === before.deleted ? edit : { ...edit, deleted }, scratch.now);
      if (scratch.exceeds(before, after)) code ??= 'TOO_MANY_CAMPAIGNS';
      Object.assign(before, after);
    }
    if (operations.length === 0) return;
    const outcome = await stage.call('campaigns.batch', { operations });
    if (code) return rejected(outcome, code);
    expect(outcome.operation_errors).toBeUndefined();
    expect(outcome.errors).toEqual([]);
    // Ids of new campaigns are in the response, at the places of their items.
    const answered: readonly { id: string }[] = Array.isArray(outcome.data) ? outcome.data : [];
    const created = answered.filter((_, index) => isCreation(operations[index]));
    model.campaigns.splice(
      0,
      model.campaigns.length,
      ...scratch.campaigns.map((campaign, index) =>
        index < known ? campaign : { ...campaign, id: created[index - known]?.id ?? 'missing' },
      ),
    );
  });

function isCreation(operation: unknown): boolean {
  return typeof operation === 'object' && operation !== null && Reflect.get(operation, 'operation_type') === 'Create';
}

const wait = (hours: number) =>
  command(`wait ${hours} hours`, async (model) => {
    world.clock.advance(hours * HOUR_MS);
    model.now = timestamp(world.clock.now());
  });

const restart = () => command('restart', () => world.reopen());

function describe(value: unknown): string {
  return JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? `${member}` : member));
}

const adapter = fc.constantFrom(...adapterNames);
const place = fc.nat({ max: 5 });
const status = fc.constantFrom<Status>('ACTIVE', 'DRAFT', 'PAUSED');
const switchable = fc.constantFrom<'ACTIVE' | 'PAUSED'>('ACTIVE', 'PAUSED');
const name = fc.constantFrom('Spring', 'spring tide', 'Über', '秋 🍁');
const amount = fc.bigInt({ min: 1n, max: 2n ** 62n });
const campaignDraft = fc.record({
  name,
  entity_status: status,
  total_budget_amount_local_micro: fc.option(amount),
});
const campaignEdit = fc.record(
  { name, entity_status: switchable, total_budget_amount_local_micro: amount },
  { requiredKeys: [] },
);
const bid = fc.bigInt({ min: 1n, max: 100n }).map((cents) => cents * 10_000n);
const lineItemDraft = fc.record({
  name: fc.option(name),
  entity_status: status,
  bid_amount_local_micro: bid,
  starts: fc.integer({ min: -20, max: 20 }),
  lasts: fc.integer({ min: 1, max: 30 }),
});
const lineItemEdit = fc.record(
  { name, entity_status: switchable, bid_amount_local_micro: bid, lasts: fc.integer({ min: 1, max: 60 }) },
  { requiredKeys: [] },
);
const batchItem: fc.Arbitrary<BatchItem> = fc.oneof(
  campaignDraft.map((draft) => ({ kind: 'Create' as const, draft })),
  fc.record({ kind: fc.constant('Update' as const), place, edit: campaignEdit }),
  fc.record({ kind: fc.constant('Delete' as const), place }),
);

const commands = fc.commands(
  [
    fc.tuple(adapter, campaignDraft).map((given) => createCampaign(...given)),
    fc.tuple(adapter, place, campaignEdit).map((given) => editCampaign(...given)),
    fc.tuple(adapter, place).map((given) => deleteCampaign(...given)),
    fc.tuple(adapter, place, lineItemDraft).map((given) => createLineItem(...given)),
    fc.tuple(adapter, place, lineItemDraft).map((given) => createLineItem(...given)),
    fc.tuple(adapter, place, lineItemEdit).map((given) => editLineItem(...given)),
    fc.tuple(adapter, place).map((given) => deleteLineItem(...given)),
    fc.tuple(adapter, fc.array(batchItem, { minLength: 1, maxLength: 5 })).map((given) => batchCampaigns(...given)),
    fc.integer({ min: 1, max: 48 }).map(wait),
    fc.constant(restart()),
  ],
  { maxCommands: 40, size: 'max' },
);

test(about('C-HIERARCHY-MODEL'), async () => {
  const property = fc.asyncProperty(commands, async (sequence) => {
    await fc.asyncModelRun(async () => {
      const { user } = world;
      const account_id = await world.createAccount();
      const funding_instrument_id = await world.createFundingInstrument(account_id);
      await world.raiseCampaignLimit(account_id, LIMIT);
      const stages = Object.fromEntries(
        adapterNames.map((on) => [on, new Stage(world, adapters[on], { account_id, funding_instrument_id, user })]),
      );
      const on = (which: AdapterName): Stage => {
        const stage = stages[which];
        if (!stage) throw new TypeError(`no stage for ${which}`);
        return stage;
      };
      return { model: new HierarchyModel(LIMIT, timestamp(world.clock.now())), real: { on } };
    }, sequence);
  });
  await fc.assert(property, { numRuns: process.env['BROADSIDE_TEST_LONG'] === undefined ? 15 : 40 });
});
