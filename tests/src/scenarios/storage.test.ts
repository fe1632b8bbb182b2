/** Storage: records survive a restart, and every change is logged. */
import { parseJson, stringifyJson } from '@broadside/core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { adapters } from '../support/adapters.ts';
import { about, lineItemOf, Stage } from '../support/scenario.ts';
import { openWorld } from '../support/world.ts';

async function stageOf(world: Awaited<ReturnType<typeof openWorld>>): Promise<Stage> {
  const account_id = await world.createAccount();
  const funding_instrument_id = await world.createFundingInstrument(account_id);
  return new Stage(world, adapters.rest, { account_id, funding_instrument_id, user: world.user });
}

test(about('S-DURABLE'), async () => {
  await using world = await openWorld();
  const stage = await stageOf(world);
  const campaign = await stage.campaign({ name: 'Ünï 🎈', total_budget_amount_local_micro: 2n ** 63n - 1n });
  const gone = await stage.campaign();
  const lineItem = await stage.lineItem(campaign);
  await stage.ok('campaigns.delete', { campaign_id: gone.id });
  await stage.ok('features.add', { feature_keys: ['AGE_TARGETING'] });
  await stage.ok('accounts.update', { name: 'Kept', industry_type: 'RETAIL' });
  const look = async () => ({
    account: await stage.ok('accounts.get'),
    accounts: await stage.ok('accounts.list'),
    features: await stage.ok('features.list'),
    funding: await stage.ok('funding_instruments.list'),
    campaigns: await stage.ok('campaigns.list', { with_deleted: true }),
    lineItems: await stage.ok('line_items.list', { with_deleted: true }),
  });
  const before = await look();
  const { next_cursor } = await stage.call('campaigns.list', { count: 1, with_deleted: true });
  await world.reopen();
  expect(await look()).toEqual(before);
  // A cursor outlives the server, and new ids follow the old ones.
  const params = { count: 1, with_deleted: true, cursor: next_cursor ?? '' };
  expect(await stage.many('campaigns.list', params)).toMatchObject([{ id: campaign.id }]);
  const later = await stage.campaign();
  expect(later.id.length === lineItem.id.length ? later.id > lineItem.id : later.id.length > lineItem.id.length).toBe(
    true,
  );
});

const Changes = z.record(z.string(), z.object({ before: z.unknown(), after: z.unknown() }));

async function logOf(stage: Stage) {
  const { database } = stage.world.platform.ads.sandbox;
  const rows = await database.query(
    `SELECT "entity", "entity_id", "change_type", "change_time", "change_by_user_id", "change_by_platform", "changes", "entity_data"
     FROM "change_log" WHERE "account_id" = ? ORDER BY "seq"`,
    [stage.account_id],
  );
  return rows.map(([entity, id, type, time, user_id, platform, changes, data]) => ({
    what: `${type} ${entity} ${id}`,
    time,
    who: `${user_id} ${platform}`,
    changes: Changes.parse(parseJson(String(changes))),
    data: z.record(z.string(), z.unknown()).parse(parseJson(String(data))),
    text: String(data),
  }));
}

test(about('S-CHANGE-LOG'), async () => {
  await using world = await openWorld();
  const stage = await stageOf(world);
  const before = (await logOf(stage)).length;
  const campaign = await stage.campaign({ total_budget_amount_local_micro: 2n ** 63n - 1n });
  const lineItem = await stage.lineItem(campaign);
  world.clock.advance(5000);
  const campaign_id = campaign.id;
  await stage.ok('campaigns.update', { campaign_id, name: 'Renamed', total_budget_amount_local_micro: 2n ** 62n });
  await stage.ok('line_items.delete', { line_item_id: lineItem.id });
  await stage.ok('campaigns.batch', {
    operations: [
      { operation_type: 'Update', params: { campaign_id, purchase_order_number: 'PO' } },
      { operation_type: 'Delete', params: { campaign_id } },
    ],
  });
  await stage.ok('features.add', { feature_keys: ['AGE_TARGETING'] });
  await stage.ok('features.add', { feature_keys: ['AGE_TARGETING'] });
  await stage.ok('accounts.update', { name: 'Renamed account' });
  const log = (await logOf(stage)).slice(before);
  expect(log.map(({ what }) => what)).toEqual([
    `CREATE CAMPAIGN ${campaign_id}`,
    `CREATE LINE_ITEM ${lineItem.id}`,
    `UPDATE CAMPAIGN ${campaign_id}`,
    `DELETE LINE_ITEM ${lineItem.id}`,
    `UPDATE CAMPAIGN ${campaign_id}`,
    `DELETE CAMPAIGN ${campaign_id}`,
    `UPDATE ACCOUNT_FEATURES ${stage.account_id}`,
    `UPDATE ACCOUNT ${stage.account_id}`,
  ]);
  for (const { who } of log) expect(who).toBe(`${world.user.user_id} API_OTHER`);
  expect(log[0]).toMatchObject({
    changes: {},
    time: campaign['created_at'],
    data: { name: 'Campaign', deleted: false },
  });
  expect(log[2]).toMatchObject({
    time: '2026-01-15T08:00:05Z',
    changes: {
      name: { before: 'Campaign', after: 'Renamed' },
      total_budget_amount_local_micro: { before: 2n ** 63n - 1n, after: 2n ** 62n },
    },
    data: { name: 'Renamed', total_budget_amount_local_micro: 2n ** 62n },
  });
  expect(Object.keys(log[2]?.changes ?? {})).not.toContain('updated_at');
  expect(log[5]?.changes).toEqual({ deleted: { before: false, after: true } });

  // A call that is rejected after it has written leaves neither the change nor its record.
  await world.raiseCampaignLimit(stage.account_id, 1);
  await stage.campaign();
  const stored = [await stage.rows('campaigns'), await stage.rows('change_log')];
  await stage.rejected('campaigns.create', { funding_instrument_id: stage.funding_instrument_id, name: 'x' });
  const other = await stage.many('campaigns.list');
  const many = Array.from({ length: 101 }, () => lineItemOf(other[0] ?? campaign));
  const outcomes = await Promise.all(many.map((params) => stage.call('line_items.create', params)));
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(100);
  const changes = await logOf(stage);
  expect(changes.filter(({ what }) => what.startsWith('CREATE LINE_ITEM'))).toHaveLength(101);
  expect((await stage.rows('campaigns')).length).toBe(stored[0]?.length);
});

test('what an account’s log says last of an entity is how the entity is', async () => {
  await using world = await openWorld();
  const stage = await stageOf(world);
  for (let i = 0; i < 5; i++) {
    const campaign = await stage.campaign({ name: `Campaign ${i}` });
    const lineItem = await stage.lineItem(campaign, { name: `Line item ${i}` });
    if (i % 2 === 0)
      await stage.ok('line_items.update', { line_item_id: lineItem.id, bid_amount_local_micro: 2_000_000 });
    if (i > 2) await stage.ok('campaigns.delete', { campaign_id: campaign.id });
  }
  const last = new Map((await logOf(stage)).map(({ what, text }) => [what.split(' ').slice(1).join(' '), text]));
  const derived = ['servable', 'reasons_not_servable', 'effective_status'];
  for (const [entity, id] of [
    ['CAMPAIGN', 'campaigns.list'],
    ['LINE_ITEM', 'line_items.list'],
  ] as const) {
    const entities = await stage.many(id, { with_deleted: true });
    expect(entities).toHaveLength(5);
    for (const shown of entities) {
      const text = last.get(`${entity} ${shown.id}`);
      for (const [name, value] of Object.entries(shown)) {
        if (!derived.includes(name)) expect(text, name).toContain(`${JSON.stringify(name)}:${stringifyJson(value)}`);
      }
    }
  }
});
