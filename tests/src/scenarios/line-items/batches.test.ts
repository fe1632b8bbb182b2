/** Batches of line items: specification A, shared conventions 7; reference, campaign-management section 9.4. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { type Entity, lineItemOf, type Stage, scenarios } from '../../support/scenario.ts';

const scenario = scenarios();

interface Item {
  readonly operation_type: 'Create' | 'Update' | 'Delete';
  readonly params: Readonly<Record<string, unknown>>;
}

const creation = (campaign: Entity, more: Readonly<Record<string, unknown>> = {}): Item => ({
  operation_type: 'Create',
  params: { ...lineItemOf(campaign), ...more },
});
const change = ({ id }: Entity, more: Readonly<Record<string, unknown>>): Item => ({
  operation_type: 'Update',
  params: { line_item_id: id, ...more },
});
const deletion = ({ id }: Entity): Item => ({ operation_type: 'Delete', params: { line_item_id: id } });

scenario('C-LINE-BATCH', async (stage) => {
  const [one, other] = [await stage.campaign(), await stage.campaign()];
  const [renamed, gone] = [await stage.lineItem(one, { name: 'old' }), await stage.lineItem(one)];
  const entities = await stage.many('line_items.batch', {
    operations: [
      creation(one, { name: 'first' }),
      deletion(gone),
      creation(other, { name: 'second' }),
      change(renamed, { name: 'new', bid_amount_local_micro: 2_000_000 }),
      change(renamed, { entity_status: 'PAUSED' }),
    ],
  });
  const changed = { id: renamed.id, name: 'new', bid_amount_local_micro: 2_000_000n };
  expect(entities).toMatchObject([
    { name: 'first', campaign_id: one.id, deleted: false },
    { id: gone.id, deleted: true },
    { name: 'second', campaign_id: other.id },
    { ...changed, entity_status: 'ACTIVE' },
    { ...changed, entity_status: 'PAUSED' },
  ]);
  const listed = await stage.many('line_items.list', { with_deleted: true, sort_by: ['created_at-asc'] });
  expect(listed).toEqual([entities[4], entities[1], entities[0], entities[2]]);
  // The campaigns are updated with their line items as after single calls.
  expect(await stage.one('campaigns.get', { campaign_id: other.id })).toMatchObject({ servable: true });
  await stage.ok('line_items.batch', {
    operations: entities.flatMap((entity, i) => (i === 2 ? deletion(entity) : [])),
  });
  expect(await stage.one('campaigns.get', { campaign_id: other.id })).toMatchObject({
    servable: false,
    reasons_not_servable: ['INCOMPLETE'],
  });
});

scenario('C-LINE-BATCH-ECHO', async (stage) => {
  const { world, account_id } = stage;
  const campaign = await stage.campaign();
  const path = `/12/batch/accounts/${account_id}/line_items`;
  // Placements and categories come as text with commas or as arrays; the echo has arrays.
  const sent = {
    ...lineItemOf(campaign),
    placements: 'ALL_ON_PLATFORM,PUBLISHER_NETWORK',
    advertiser_domain: 'example.com',
    categories: 'IAB1,IAB2-1',
    bid_amount_local_micro: '1000000',
  };
  const answer = await world.request({
    method: 'POST',
    path,
    json: [{ operation_type: 'Create', params: sent }, creation(campaign)],
  });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    request: [
      {
        operation_type: 'Create',
        params: {
          ...sent,
          account_id,
          placements: ['ALL_ON_PLATFORM', 'PUBLISHER_NETWORK'],
          categories: ['IAB1', 'IAB2-1'],
          bid_amount_local_micro: 1_000_000,
        },
      },
      { operation_type: 'Create', params: { ...lineItemOf(campaign), account_id } },
    ],
    data: [
      expect.objectContaining({ placements: ['ALL_ON_PLATFORM', 'PUBLISHER_NETWORK'], categories: ['IAB1', 'IAB2-1'] }),
      expect.objectContaining({ placements: ['ALL_ON_PLATFORM'] }),
    ],
  });
  const rejected = await world.request({
    method: 'POST',
    path,
    json: [creation(campaign), deletion({ id: 'nosuch' })],
  });
  expect(rejected.status).toBe(400);
  expect(rejected.body).toMatchObject({
    operation_errors: [[], [{ code: 'LINE_ITEM_NOT_FOUND', parameter: 'line_item_id', value: 'nosuch' }]],
    request: [{ params: { account_id } }, { operation_type: 'Delete', params: { account_id, line_item_id: 'nosuch' } }],
  });
  expect(rejected.body).not.toHaveProperty('errors');
  expect(rejected.body).not.toHaveProperty('data');
});

/** Items that fail, each for a reason of its own: while reading, by a rule, or because nothing is there. */
const invalidItems: readonly ((campaign: Entity) => Item)[] = [
  (campaign) => creation(campaign, { objective: undefined }),
  (campaign) => creation(campaign, { bid_amount_local_micro: 1_000_001 }),
  (campaign) => creation(campaign, { objective: 'FOLLOWERS', product_type: 'PROMOTED_ACCOUNT' }),
  () => creation({ id: 'nosuch' }),
  () => change({ id: 'nosuch' }, { name: 'x' }),
  () => deletion({ id: 'nosuch' }),
];

async function everything(stage: Stage): Promise<unknown> {
  return [await stage.rows('campaigns'), await stage.rows('line_items'), await stage.rows('change_log')];
}

scenario('C-LINE-BATCH-ATOMIC', async (stage) => {
  const campaign = await stage.campaign();
  const standing: Entity[] = [];
  for (let i = 0; i < 3; i++) standing.push(await stage.lineItem(campaign, { name: `standing ${i}` }));
  const before = await everything(stage);
  const sound = (i: number): Item => {
    const target = standing[i % standing.length] ?? campaign;
    return i % 2 === 0 ? creation(campaign, { name: `new ${i}` }) : change(target, { name: `changed ${i}` });
  };
  const rejectedAt = async (length: number, index: number, kind: number) => {
    const invalid = invalidItems[kind % invalidItems.length];
    const operations = Array.from({ length }, (_, i) => (i === index && invalid ? invalid(campaign) : sound(i)));
    const outcome = await stage.call('line_items.batch', { operations });
    expect(outcome).toMatchObject({ ok: false, status: 400, errors: [] });
    const failed = outcome.operation_errors?.map((errors) => errors.length > 0);
    expect(failed, `of ${length} at ${index}`).toEqual(operations.map((_, i) => i === index));
  };
  for (const [kind] of invalidItems.entries())
    await rejectedAt(40, Math.round((kind * 39) / (invalidItems.length - 1)), kind);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 40 }), fc.nat(), fc.nat(5), async (length, index, kind) => {
      await rejectedAt(length, index % length, kind);
    }),
    { numRuns: 15 },
  );
  expect(await everything(stage)).toEqual(before);
});

scenario('C-LINE-BATCH-FAULTS', async (stage) => {
  const campaign = await stage.campaign();
  const gone = await stage.lineItem(campaign);
  await stage.ok('line_items.delete', { line_item_id: gone.id });
  const operations = [
    deletion(gone),
    creation(campaign),
    creation(campaign, { bid_amount_local_micro: 1_000_001, end_time: '2025-01-01T00:00:00Z' }),
    creation({ id: 'nosuch' }),
    change(gone, { name: 'x' }),
  ];
  const { operation_errors } = await stage.call('line_items.batch', { operations });
  expect(operation_errors).toMatchObject([
    [{ code: 'LINE_ITEM_NOT_FOUND', parameter: 'line_item_id', value: gone.id }],
    [],
    [
      { code: 'INVALID_DENOMINATION', parameter: 'bid_amount_local_micro' },
      { code: 'INVALID_TIME_WINDOW', parameter: 'end_time' },
    ],
    [{ code: 'CAMPAIGN_NOT_FOUND', parameter: 'campaign_id', value: 'nosuch' }],
    [{ code: 'LINE_ITEM_NOT_FOUND', parameter: 'line_item_id', value: gone.id }],
  ]);
  expect(await stage.many('line_items.list')).toEqual([]);
});

scenario('C-LINE-BATCH-TOGETHER', async (stage) => {
  const campaign = await stage.campaign();
  const followers = { objective: 'FOLLOWERS', product_type: 'PROMOTED_ACCOUNT' };
  // Items are held against what the items before them leave behind.
  const mixed = await stage.call('line_items.batch', {
    operations: [creation(campaign), creation(campaign, followers), creation(campaign)],
  });
  expect(mixed.operation_errors).toMatchObject([[], [{ parameter: 'objective' }, { parameter: 'product_type' }], []]);
  const lineItem = await stage.lineItem(campaign);
  const replaced = await stage.many('line_items.batch', {
    operations: [deletion(lineItem), creation(campaign, followers)],
  });
  expect(replaced).toMatchObject([{ deleted: true }, followers]);
  const twice = await stage.call('line_items.batch', {
    operations: replaced.slice(1).flatMap((made) => [deletion(made), deletion(made)]),
  });
  expect(twice.operation_errors).toMatchObject([[], [{ code: 'LINE_ITEM_NOT_FOUND' }]]);
});

scenario('C-LINE-BATCH-41', async (stage) => {
  const campaign = await stage.campaign();
  const items = (length: number) => Array.from({ length }, (_, i) => creation(campaign, { name: `Line item ${i}` }));
  const outcome = await stage.call('line_items.batch', { operations: items(41) });
  expect(outcome).toMatchObject({ ok: false, status: 400, operation_errors: undefined });
  expect(outcome.errors).toMatchObject([{ code: 'REQUEST_TOO_COMPLEX' }]);
  expect(await stage.many('line_items.list')).toEqual([]);
  const made = await stage.many('line_items.batch', { operations: items(40) });
  expect(made.map(({ name }) => name)).toEqual(items(40).map(({ params }) => params['name']));
});

scenario('C-LINE-BATCH-DRAFT', async (stage) => {
  const campaign = await stage.campaign();
  const [draft, paused] = await stage.many('line_items.batch', {
    operations: [creation(campaign, { entity_status: 'DRAFT' }), creation(campaign, { entity_status: 'PAUSED' })],
  });
  expect([draft, paused]).toMatchObject([{ entity_status: 'DRAFT' }, { entity_status: 'PAUSED' }]);
  expect(await stage.many('line_items.list')).toEqual([paused]);
  expect(await stage.many('line_items.list', { with_draft: true })).toEqual([paused, draft]);
  if (!draft || !paused) throw new TypeError('the batch answered with fewer entities than items');
  await stage.ok('line_items.batch', { operations: [change(draft, { entity_status: 'ACTIVE' })] });
  expect(await stage.many('line_items.list')).toMatchObject([{ id: paused.id }, { id: draft.id }]);
  const back = await stage.call('line_items.batch', { operations: [change(paused, { entity_status: 'DRAFT' })] });
  expect(back.ok).toBe(false);
  expect(await stage.one('line_items.get', { line_item_id: paused.id })).toEqual(paused);
});

scenario('C-LINE-BATCH-LIMIT', async (stage) => {
  const campaigns = [await stage.campaign(), await stage.campaign(), await stage.campaign()] as const;
  const [one, two, three] = campaigns;
  const fill = async (campaign: Entity, sizes: readonly number[], more = {}) => {
    for (const length of sizes) {
      await stage.ok('line_items.batch', { operations: Array.from({ length }, () => creation(campaign, more)) });
    }
  };
  await fill(one, [40, 40, 18]);
  const count = () => stage.rows('line_items').then((rows) => rows.length);
  const over = await stage.call('line_items.batch', { operations: [creation(one), creation(one), creation(one)] });
  expect(over.operation_errors).toMatchObject([[], [], [{ code: 'TOO_MANY_LINE_ITEMS', parameter: 'campaign_id' }]]);
  expect(await count()).toBe(98);
  // Room that an item makes serves the items after it, not those before.
  const [first] = await stage.many('line_items.list', { campaign_ids: [one.id], count: 1 });
  if (!first) throw new TypeError('the campaign has no line items');
  const early = await stage.call('line_items.batch', {
    operations: [creation(one), creation(one), creation(one), deletion(first)],
  });
  expect(early.operation_errors).toMatchObject([[], [], [{ code: 'TOO_MANY_LINE_ITEMS' }], []]);
  await stage.ok('line_items.batch', { operations: [deletion(first), creation(one), creation(one), creation(one)] });
  // Across the campaigns of the account: 256 that are active.
  await fill(two, [40, 40, 20]);
  await fill(three, [40, 14]);
  await fill(three, [10], { entity_status: 'DRAFT' });
  const last = await stage.call('line_items.batch', {
    operations: [creation(three), creation(three, { entity_status: 'DRAFT' }), creation(three), creation(three)],
  });
  expect(last.operation_errors).toMatchObject([[], [], [], [{ code: 'TOO_MANY_LINE_ITEMS' }]]);
  expect(last.operation_errors?.[3]).not.toMatchObject([{ parameter: expect.any(String) }]);
  await stage.ok('line_items.batch', { operations: [creation(three), creation(three)] });
  expect(await stage.call('line_items.create', lineItemOf(three))).toMatchObject({
    errors: [{ code: 'TOO_MANY_LINE_ITEMS' }],
  });
});
