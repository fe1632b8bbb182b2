/** Limits on campaigns and line items, exact whatever happens at once: specification C, Limits. */
import { expect } from 'vitest';
import type { Outcome } from '../support/faces.ts';
import { type Entity, lineItemOf, type Stage, scenarios } from '../support/scenario.ts';

const scenario = scenarios();

const create = (stage: Stage, params: Record<string, unknown> = {}) =>
  stage.call('campaigns.create', { funding_instrument_id: stage.funding_instrument_id, name: 'Campaign', ...params });

/** Creates campaigns in batches. */
async function fill(stage: Stage, count: number): Promise<Entity[]> {
  const made: Entity[] = [];
  while (made.length < count) {
    const operations = Array.from({ length: Math.min(40, count - made.length) }, (_, i) => ({
      operation_type: 'Create',
      params: {
        funding_instrument_id: stage.funding_instrument_id,
        name: 'Campaign',
        entity_status: i % 2 === 0 ? 'ACTIVE' : 'PAUSED',
      },
    }));
    made.push(...(await stage.many('campaigns.batch', { operations })));
  }
  return made;
}

const tooMany = { ok: false, status: 400, errors: [{ code: 'TOO_MANY_CAMPAIGNS' }] };
const succeeded = (outcomes: readonly Outcome[]) => outcomes.filter(({ ok }) => ok).length;

scenario('C-CAMPAIGN-LIMIT', async (stage) => {
  const made = await fill(stage, 200);
  expect(await create(stage)).toMatchObject(tooMany);
  expect(await create(stage, { entity_status: 'PAUSED' })).toMatchObject(tooMany);
  const draft = await create(stage, { entity_status: 'DRAFT' });
  expect(draft.ok).toBe(true);
  const [{ id: draft_id } = { id: '' }] = await stage.many('campaigns.list', { with_draft: true, count: 1 });
  expect(await stage.call('campaigns.update', { campaign_id: draft_id, entity_status: 'ACTIVE' })).toMatchObject(
    tooMany,
  );
  await stage.ok('campaigns.delete', { campaign_id: made[0]?.id });
  await stage.ok('campaigns.update', { campaign_id: draft_id, entity_status: 'ACTIVE' });
  expect(await create(stage)).toMatchObject(tooMany);
  // An account of its own is not affected.
  const account_id = await stage.world.createAccount();
  const funding_instrument_id = await stage.world.createFundingInstrument(account_id);
  expect((await create(stage, { account_id, funding_instrument_id })).ok).toBe(true);
});

scenario('C-CAMPAIGN-LIMIT-RAISED', async (stage) => {
  await fill(stage, 200);
  await stage.world.raiseCampaignLimit(stage.account_id, 203);
  expect(succeeded(await Promise.all(Array.from({ length: 6 }, () => create(stage))))).toBe(3);
});

scenario('C-CAMPAIGN-LIMIT-CONCURRENT', async (stage) => {
  await fill(stage, 150);
  const outcomes = await Promise.all(Array.from({ length: 100 }, () => create(stage)));
  expect(succeeded(outcomes)).toBe(50);
  for (const outcome of outcomes.filter(({ ok }) => !ok)) expect(outcome).toMatchObject(tooMany);
  expect(await stage.many('campaigns.list', { count: 1000 })).toHaveLength(200);
  expect(await stage.rows('campaigns')).toHaveLength(200);
});

scenario('C-CAMPAIGN-LIMIT-BATCH', async (stage) => {
  const made = await fill(stage, 198);
  const item = { operation_type: 'Create', params: { funding_instrument_id: stage.funding_instrument_id, name: 'x' } };
  const outcome = await stage.call('campaigns.batch', { operations: [item, item, item] });
  expect(outcome.operation_errors).toMatchObject([[], [], [{ code: 'TOO_MANY_CAMPAIGNS' }]]);
  expect(await stage.rows('campaigns')).toHaveLength(198);
  const deletion = { operation_type: 'Delete', params: { campaign_id: made[0]?.id } };
  await stage.ok('campaigns.batch', { operations: [deletion, item, item, item] });
  expect(await create(stage)).toMatchObject(tooMany);
});

const tooManyLines = { ok: false, status: 400, errors: [{ code: 'TOO_MANY_LINE_ITEMS' }] };
const createLine = (stage: Stage, campaign: Entity, params: Record<string, unknown> = {}) =>
  stage.call('line_items.create', { ...lineItemOf(campaign), ...params });

async function fillLines(stage: Stage, campaign: Entity, count: number): Promise<Entity[]> {
  const made: Entity[] = [];
  for (let i = 0; i < count; i++) made.push(await stage.lineItem(campaign));
  return made;
}

scenario('C-LINE-LIMIT-100', async (stage) => {
  const campaign = await stage.campaign();
  const made = await fillLines(stage, campaign, 100);
  expect(await createLine(stage, campaign)).toMatchObject(tooManyLines);
  expect(await createLine(stage, campaign, { entity_status: 'DRAFT' })).toMatchObject(tooManyLines);
  await stage.ok('line_items.delete', { line_item_id: made[0]?.id });
  expect((await createLine(stage, campaign)).ok).toBe(true);
  expect((await createLine(stage, await stage.campaign())).ok).toBe(true);
});

scenario('C-LINE-LIMIT-256', async (stage) => {
  const [one, two, three] = [await stage.campaign(), await stage.campaign(), await stage.campaign()];
  await fillLines(stage, one, 100);
  await fillLines(stage, two, 100);
  const [first] = await fillLines(stage, three, 56);
  expect(await createLine(stage, three)).toMatchObject(tooManyLines);
  expect(await createLine(stage, three, { entity_status: 'PAUSED' })).toMatchObject(tooManyLines);
  const ended = { start_time: '2025-01-01T00:00:00Z', end_time: '2025-02-01T00:00:00Z' };
  expect((await createLine(stage, three, ended)).ok, 'an ended one does not count').toBe(true);
  const draft = await stage.one('line_items.create', { ...lineItemOf(three), entity_status: 'DRAFT' });
  const activate = { line_item_id: draft.id, entity_status: 'ACTIVE' };
  expect(await stage.call('line_items.update', activate)).toMatchObject(tooManyLines);
  await stage.ok('line_items.delete', { line_item_id: first?.id });
  await stage.ok('line_items.update', activate);
  await stage.ok('campaigns.delete', { campaign_id: one.id });
  expect((await createLine(stage, three)).ok, 'those of a deleted campaign do not count').toBe(true);
});

scenario('C-LINE-DELETE-FREE', async (stage) => {
  const ended = await stage.campaign();
  const flight = { start_time: '2025-01-01T00:00:00Z', end_time: '2025-02-01T00:00:00Z' };
  const lineItem = await stage.lineItem(ended, flight);
  await fill(stage, 200);
  expect(await createLine(stage, ended), 'a new flight would make the ended campaign the 201st').toMatchObject(tooMany);
  await stage.ok('line_items.delete', { line_item_id: lineItem.id });
  expect(await create(stage)).toMatchObject(tooMany);
});

scenario('C-LINE-LIMIT-CONCURRENT', async (stage) => {
  const campaign = await stage.campaign();
  await fillLines(stage, campaign, 60);
  expect(succeeded(await Promise.all(Array.from({ length: 100 }, () => createLine(stage, campaign))))).toBe(40);
  const [two, three] = [await stage.campaign(), await stage.campaign()];
  await fillLines(stage, two, 90);
  const outcomes = await Promise.all(Array.from({ length: 100 }, () => createLine(stage, three)));
  expect(succeeded(outcomes)).toBe(66);
  expect(await stage.rows('line_items')).toHaveLength(256);
  const { id: campaign_id } = three;
  const { database } = stage.world.platform.ads.sandbox;
  const [row] = await database.query('SELECT "line_item_count" FROM "campaigns" WHERE "id" = ?', [campaign_id]);
  expect(row?.[0]).toBe(66n);
});
