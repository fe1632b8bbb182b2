/** Limits on campaigns and line items, exact whatever happens at once: specification C, Limits. */
import { expect } from 'vitest';
import type { Outcome } from '../support/adapters.ts';
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

/** Creates line items in batches. */
async function fillLines(stage: Stage, campaign: Entity, count: number): Promise<Entity[]> {
  const made: Entity[] = [];
  while (made.length < count) {
    const operations = Array.from({ length: Math.min(40, count - made.length) }, () => ({
      operation_type: 'Create',
      params: lineItemOf(campaign),
    }));
    made.push(...(await stage.many('line_items.batch', { operations })));
  }
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

const past = { start_time: '2025-01-01T00:00:00Z', end_time: '2025-02-01T00:00:00Z' };

scenario('C-CAMPAIGN-LIMIT-ENDED', async (stage) => {
  const { clock } = stage.world;
  const ending = await stage.campaign();
  const end_time = `${new Date(clock.now() + 3_600_000).toISOString().slice(0, 19)}Z`;
  const lineItem = await stage.lineItem(ending, { end_time });
  await fill(stage, 199);
  expect(await create(stage)).toMatchObject(tooMany);
  clock.advance(3_600_000);
  await stage.ok('campaigns.create', { funding_instrument_id: stage.funding_instrument_id, name: 'In its place' });
  expect(await create(stage)).toMatchObject(tooMany);
  // An ended campaign can be changed freely, but for what would make it an active one again.
  await stage.ok('campaigns.update', { campaign_id: ending.id, name: 'Ended' });
  const longer = { line_item_id: lineItem.id, end_time: '2030-01-01T00:00:00Z' };
  expect(await stage.call('line_items.update', longer)).toMatchObject(tooMany);
  const batch = await stage.call('line_items.batch', {
    operations: [
      { operation_type: 'Create', params: { ...lineItemOf(ending), ...past } },
      { operation_type: 'Update', params: longer },
    ],
  });
  expect(batch.operation_errors).toMatchObject([[], [{ code: 'TOO_MANY_CAMPAIGNS' }]]);
  // A long history takes up no room.
  for (let i = 0; i < 5; i++) {
    const { id: campaign_id } = await stage.campaign({ entity_status: 'DRAFT' });
    await stage.lineItem({ id: campaign_id }, past);
    await stage.ok('campaigns.update', { campaign_id, entity_status: 'ACTIVE' });
  }
  expect(await create(stage)).toMatchObject(tooMany);
});

/** Something that many clients do at the same moment, and how many more of what is limited there are once it is done. */
interface Attempt {
  readonly adds: number;
  readonly call: () => Promise<Outcome>;
}

/** Attempts in an order that mixes their kinds. */
function interleave(kinds: readonly (readonly Attempt[])[]): Attempt[] {
  const length = Math.max(...kinds.map((kind) => kind.length));
  return Array.from({ length }, (_, i) => kinds.flatMap((kind) => kind[i] ?? [])).flat();
}

/** Makes all attempts at once. @returns how many more of what is limited there must be */
async function race(attempts: readonly Attempt[], code: string): Promise<number> {
  const outcomes = await Promise.all(attempts.map(async ({ adds, call }) => ({ adds, outcome: await call() })));
  for (const { outcome } of outcomes.filter((one) => !one.outcome.ok)) {
    const errors = [...outcome.errors, ...(outcome.operation_errors ?? []).flat()];
    expect(new Set(errors.map((error) => error.code))).toEqual(new Set([code]));
  }
  expect(outcomes.some(({ outcome }) => !outcome.ok)).toBe(true);
  return outcomes.reduce((sum, { adds, outcome }) => sum + (outcome.ok ? adds : 0), 0);
}

const times = <Value>(count: number, make: (i: number) => Value): Value[] =>
  Array.from({ length: count }, (_, i) => make(i));

scenario('C-CAMPAIGN-LIMIT-RACE', async (stage) => {
  const standing = await fill(stage, 150);
  const drafts = await Promise.all(times(20, () => stage.campaign({ entity_status: 'DRAFT' })));
  const item = { operation_type: 'Create', params: { funding_instrument_id: stage.funding_instrument_id, name: 'x' } };
  const batch = (operations: readonly object[]) => () => stage.call('campaigns.batch', { operations });
  const gone = (i: number) => ({ operation_type: 'Delete', params: { campaign_id: standing[i]?.id } });
  const added = await race(
    interleave([
      times(40, () => ({ adds: 1, call: () => create(stage) })),
      times(30, () => ({ adds: 3, call: batch([item, item, item]) })),
      times(20, (i) => ({
        adds: 1,
        call: () => stage.call('campaigns.update', { campaign_id: drafts[i]?.id, entity_status: 'ACTIVE' }),
      })),
      times(10, (i) => ({ adds: 1, call: batch([gone(i), item, item]) })),
    ]),
    'TOO_MANY_CAMPAIGNS',
  );
  const count = async () => (await stage.many('campaigns.list', { count: 1000 })).length;
  expect(await count()).toBe(150 + added);
  // A batch was too large for the remaining room, which single creations fill.
  while ((await create(stage)).ok) expect(await count()).toBeLessThanOrEqual(200);
  expect(await count()).toBe(200);
});

scenario('C-CAMPAIGN-LIMIT-RACE-FLIGHTS', async (stage) => {
  // Campaigns that ended come back by a flight that lies ahead: their line items race for the same room as new campaigns.
  const ended = await Promise.all(times(50, () => stage.campaign()));
  for (const campaign of ended) await stage.lineItem(campaign, past);
  await fill(stage, 190);
  const item = { operation_type: 'Create', params: { funding_instrument_id: stage.funding_instrument_id, name: 'x' } };
  const revive = (campaign: Entity) => [{ operation_type: 'Create', params: lineItemOf(campaign) }];
  const added = await race(
    interleave([
      times(25, () => ({ adds: 1, call: () => stage.call('campaigns.batch', { operations: [item] }) })),
      ended.slice(0, 25).map((one) => ({
        adds: 1,
        call: () => stage.call('line_items.batch', { operations: revive(one) }),
      })),
      ended.slice(25).map((one) => ({ adds: 1, call: () => createLine(stage, one) })),
    ]),
    'TOO_MANY_CAMPAIGNS',
  );
  expect(added).toBe(10);
  const { database } = stage.world.platform.ads.sandbox;
  const [active] = await database.query(
    `SELECT count(*) FROM "campaigns" WHERE "account_id" = ? AND "deleted" = 0 AND "entity_status" <> 'DRAFT'
      AND ("flight_end" IS NULL OR "flight_end" > '2026-01-01')`,
    [stage.account_id],
  );
  expect(active?.[0]).toBe(200n);
});

/** Returns what a campaign reports about its line items, and their number. */
async function lineItemCounts(stage: Stage, { id }: Entity): Promise<readonly unknown[]> {
  const { database } = stage.world.platform.ads.sandbox;
  const [row] = await database.query(
    `SELECT "line_item_count", (SELECT count(*) FROM "line_items" WHERE "campaign_id" = "campaigns"."id"
      AND "line_items"."deleted" = 0 AND "entity_status" <> 'DRAFT') FROM "campaigns" WHERE "id" = ?`,
    [id],
  );
  return row ?? [];
}

scenario('C-LINE-LIMIT-RACE', async (stage) => {
  const campaign = await stage.campaign();
  const standing = await stage.many('line_items.batch', {
    operations: times(40, () => ({ operation_type: 'Create', params: lineItemOf(campaign) })),
  });
  const item = { operation_type: 'Create', params: lineItemOf(campaign) };
  const batch = (operations: readonly object[]) => () => stage.call('line_items.batch', { operations });
  const gone = (i: number) => ({ operation_type: 'Delete', params: { line_item_id: standing[i]?.id } });
  const added = await race(
    interleave([
      times(50, () => ({ adds: 1, call: () => createLine(stage, campaign) })),
      times(35, () => ({ adds: 3, call: batch([item, item, item]) })),
      times(15, (i) => ({ adds: 1, call: batch([gone(i), item, item]) })),
    ]),
    'TOO_MANY_LINE_ITEMS',
  );
  const count = async () => (await stage.many('line_items.list', { campaign_ids: [campaign.id], count: 1000 })).length;
  expect(await count()).toBe(40 + added);
  while ((await createLine(stage, campaign)).ok) expect(await count()).toBeLessThanOrEqual(100);
  expect(await count()).toBe(100);
  expect(await lineItemCounts(stage, campaign)).toEqual([100n, 100n]);
});

scenario('C-LINE-LIMIT-RACE-ACTIVE', async (stage) => {
  const campaigns = await Promise.all(times(4, () => stage.campaign()));
  const [one, two, three, four] = campaigns;
  if (!one || !two || !three || !four) throw new TypeError('a campaign is missing');
  const items = (campaign: Entity, count: number, more = {}) => ({
    operations: times(count, () => ({ operation_type: 'Create', params: { ...lineItemOf(campaign), ...more } })),
  });
  for (const campaign of [one, two]) {
    for (const count of [40, 40, 15]) await stage.ok('line_items.batch', items(campaign, count));
  }
  const drafts = await stage.many('line_items.batch', items(four, 20, { entity_status: 'DRAFT' }));
  // 190 are active. Every campaign has room for what comes now, so only the 256 of the account are in the way.
  const added = await race(
    interleave([
      times(40, (i) => ({ adds: 1, call: () => createLine(stage, i % 2 === 0 ? three : four) })),
      times(20, () => ({ adds: 3, call: () => stage.call('line_items.batch', items(three, 3)) })),
      times(20, (i) => ({
        adds: 1,
        call: () => stage.call('line_items.update', { line_item_id: drafts[i]?.id, entity_status: 'ACTIVE' }),
      })),
      times(20, () => ({ adds: 1, call: () => createLine(stage, four, { entity_status: 'PAUSED' }) })),
    ]),
    'TOO_MANY_LINE_ITEMS',
  );
  const count = async () => (await stage.many('line_items.list', { count: 1000 })).length;
  expect(await count()).toBe(190 + added);
  while ((await createLine(stage, three)).ok) expect(await count()).toBeLessThanOrEqual(256);
  expect(await count()).toBe(256);
  for (const campaign of campaigns) {
    const [said, there] = await lineItemCounts(stage, campaign);
    expect(said).toBe(there);
  }
});
