/** The line items that target audiences: specification B, Targeted audiences; reference, audiences section 6. */
import { expect } from 'vitest';
import * as z from 'zod';
import { type Entity, lineItemOf as paramsOf, type Stage, scenarios } from '../../support/scenario.ts';
import { sibling, targetableAudience } from '../../support/sharing.ts';

const scenario = scenarios();

const Rows = z.array(z.object({ campaign_id: z.string() }));

const SERVER = { user_id: null, platform: 'SERVER' } as const;

/** Targets an audience in a line item. */
function target(stage: Stage, line_item_id: string, audience: string, operator_type = 'EQ', account?: string) {
  const criterion = { targeting_type: 'CUSTOM_AUDIENCE', targeting_value: audience, operator_type };
  const where = account === undefined ? {} : { account_id: account };
  return stage.one('targeting_criteria.create', { ...where, line_item_id, ...criterion });
}

const targeted = (stage: Stage, custom_audience_id: string, params: object = {}) =>
  stage.call('custom_audiences.targeted', { custom_audience_id, ...params });

const lineItemOf = ({ id, name }: Entity, servable: boolean) => ({ id, name, servable });

scenario('B-TARGETED', async (stage) => {
  const audience = await targetableAudience(stage, 'Readers');
  const other = await targetableAudience(stage, 'Writers');
  expect(await targeted(stage, audience.id)).toMatchObject({ ok: true, data: [], next_cursor: null });
  const first = await stage.campaign({ name: 'First' });
  stage.world.clock.advance(1000);
  const second = await stage.campaign({ name: 'Second' });
  const [a, b] = [await stage.lineItem(first, { name: 'A' }), await stage.lineItem(first)];
  const c = await stage.lineItem(second, { name: 'C' });
  await target(stage, a.id, audience.id);
  await target(stage, b.id, audience.id, 'NE');
  const expanded = { targeting_type: 'CUSTOM_AUDIENCE_EXPANDED', targeting_value: audience.id };
  await stage.ok('targeting_criteria.create', { line_item_id: c.id, ...expanded });
  await target(stage, c.id, other.id);
  expect(b['name']).toBeNull();
  expect((await targeted(stage, audience.id)).data).toEqual([
    { campaign_id: second.id, campaign_name: 'Second', line_items: [lineItemOf(c, true)] },
    { campaign_id: first.id, campaign_name: 'First', line_items: [lineItemOf(a, true), lineItemOf(b, true)] },
  ]);
  expect((await targeted(stage, other.id)).data).toEqual([
    { campaign_id: second.id, campaign_name: 'Second', line_items: [lineItemOf(c, true)] },
  ]);
});

scenario('B-TARGETED-ACTIVE', async (stage) => {
  const audience = await targetableAudience(stage, 'Readers');
  const running = await stage.campaign({ name: 'Running' });
  const paused = await stage.campaign({ name: 'Paused', entity_status: 'PAUSED' });
  const [active, stopped, future, draft] = [
    await stage.lineItem(running, { name: 'Active' }),
    await stage.lineItem(running, { name: 'Stopped', entity_status: 'PAUSED' }),
    await stage.lineItem(running, { name: 'Future', start_time: '2029-01-01T00:00:00Z' }),
    await stage.lineItem(running, { name: 'Draft', entity_status: 'DRAFT' }),
  ];
  const below = await stage.lineItem(paused, { name: 'Below' });
  for (const { id } of [active, stopped, future, draft, below]) await target(stage, id, audience.id);
  const only = [{ campaign_id: running.id, campaign_name: 'Running', line_items: [lineItemOf(active, true)] }];
  expect((await targeted(stage, audience.id)).data).toEqual(only);
  expect((await targeted(stage, audience.id, { with_active: true })).data).toEqual(only);
  const all = [
    { campaign_id: paused.id, campaign_name: 'Paused', line_items: [lineItemOf(below, false)] },
    {
      campaign_id: running.id,
      campaign_name: 'Running',
      line_items: [active, stopped, future, draft].map((item) => lineItemOf(item, item === active)),
    },
  ];
  expect((await targeted(stage, audience.id, { with_active: false })).data).toEqual(all);
  // What is deleted targets nothing, whichever of the three it is.
  const [criterion] = await stage.many('targeting_criteria.list', { line_item_ids: [stopped.id] });
  await stage.ok('targeting_criteria.delete', { targeting_criterion_id: criterion?.id });
  await stage.ok('line_items.delete', { line_item_id: active.id });
  await stage.ok('campaigns.delete', { campaign_id: paused.id });
  expect((await targeted(stage, audience.id)).data).toEqual([]);
  expect((await targeted(stage, audience.id, { with_active: false })).data).toEqual([
    {
      campaign_id: running.id,
      campaign_name: 'Running',
      line_items: [lineItemOf(future, false), lineItemOf(draft, false)],
    },
  ]);
});

/** Creates entities in batches of the largest size. */
async function createAll(
  stage: Stage,
  id: 'campaigns.batch' | 'line_items.batch' | 'targeting_criteria.batch',
  all: readonly object[],
): Promise<Entity[]> {
  const made: Entity[] = [];
  for (let i = 0; i < all.length; i += 40) {
    const operations = all.slice(i, i + 40).map((params) => ({ operation_type: 'Create', params }));
    made.push(...(await stage.many(id, { operations })));
  }
  return made;
}

scenario('B-TARGETED-PAGES', async (stage) => {
  const { funding_instrument_id, world } = stage;
  const audience = await targetableAudience(stage, 'Readers');
  await world.platform.ads.sandbox.updateAccount(SERVER, stage.account_id, () => ({ active_campaign_limit: 1000 }));
  const names = Array.from({ length: 230 }, (_, i) => `Campaign ${i}`);
  const campaigns = await createAll(
    stage,
    'campaigns.batch',
    names.map((name) => ({ funding_instrument_id, name })),
  );
  // Every tenth is not served, so that a page of those that are reads beyond its own rows.
  const isServed = (_: unknown, i: number) => i % 10 !== 0;
  const items = await createAll(
    stage,
    'line_items.batch',
    campaigns.map((one, i) => ({ ...paramsOf(one), entity_status: isServed(one, i) ? 'ACTIVE' : 'PAUSED' })),
  );
  const criteria = items.map(({ id: line_item_id }) => ({
    line_item_id,
    targeting_type: 'CUSTOM_AUDIENCE',
    targeting_value: audience.id,
  }));
  await createAll(stage, 'targeting_criteria.batch', criteria);
  const newestFirst = campaigns.toReversed().map(({ id }) => id);
  for (const [with_active, expected] of [
    [false, newestFirst],
    [
      true,
      campaigns
        .filter(isServed)
        .toReversed()
        .map(({ id }) => id),
    ],
  ] as const) {
    const page = await targeted(stage, audience.id, { with_active });
    expect(page.data).toHaveLength(200);
    // A campaign that comes while pages are read is on none of them: it is newer than the first.
    const late = await stage.lineItem(await stage.campaign({ name: 'Late' }));
    const criterion = await target(stage, late.id, audience.id);
    const cursor = page.next_cursor ?? '';
    const rest = await targeted(stage, audience.id, { with_active, cursor });
    expect(rest).toMatchObject({ ok: true, next_cursor: null });
    const ids = [page, rest].flatMap(({ data }) => Rows.parse(data)).map(({ campaign_id }) => campaign_id);
    expect(ids).toEqual(expected);
    await stage.ok('targeting_criteria.delete', { targeting_criterion_id: criterion.id });
  }
  expect(await stage.rejected('custom_audiences.targeted', { custom_audience_id: audience.id, cursor: 'x' })).toEqual([
    expect.objectContaining({ code: 'INVALID_PARAMETER', parameter: 'cursor' }),
  ]);
});

scenario('B-TARGETED-SHARED', async (stage) => {
  const audience = await targetableAudience(stage, 'Readers');
  const account_id = await sibling(stage);
  const shared = { custom_audience_id: audience.id, granted_account_id: account_id, permission_level: 'READ_ONLY' };
  const permission = await stage.one('custom_audience_permissions.create', shared);
  const funding_instrument_id = await stage.world.createFundingInstrument(account_id);
  const theirs = await stage.campaign({ account_id, funding_instrument_id, name: 'Theirs' });
  const item = await stage.lineItem(theirs, { account_id });
  await target(stage, item.id, audience.id, 'EQ', account_id);
  const ours = await stage.campaign({ name: 'Ours' });
  const own = await stage.lineItem(ours);
  await target(stage, own.id, audience.id);
  expect((await targeted(stage, audience.id, { account_id })).data).toEqual([
    { campaign_id: theirs.id, campaign_name: 'Theirs', line_items: [lineItemOf(item, true)] },
  ]);
  expect((await targeted(stage, audience.id)).data).toEqual([
    { campaign_id: ours.id, campaign_name: 'Ours', line_items: [lineItemOf(own, true)] },
  ]);
  const missing = [{ code: 'NOT_FOUND', parameter: 'custom_audience_id', value: audience.id }];
  const stranger = { account_id: await sibling(stage), custom_audience_id: audience.id };
  expect(await stage.rejected('custom_audiences.targeted', stranger, 404)).toMatchObject(missing);
  await stage.ok('custom_audience_permissions.delete', {
    custom_audience_id: audience.id,
    custom_audience_permission_id: permission.id,
  });
  const revoked = { account_id, custom_audience_id: audience.id };
  expect(await stage.rejected('custom_audiences.targeted', revoked, 404)).toMatchObject(missing);
  await stage.ok('custom_audiences.delete', { custom_audience_id: audience.id });
  const deleted = { custom_audience_id: audience.id };
  expect(await stage.rejected('custom_audiences.targeted', deleted, 404)).toMatchObject(missing);
});
