/** Batches: specification A, shared conventions 7; reference, conventions section 6. */

import { allOperations } from '@broadside/core';
import fc from 'fast-check';
import { expect } from 'vitest';
import { requestFor } from '../support/call.ts';
import { type Entity, type Stage, scenarios } from '../support/scenario.ts';

const scenario = scenarios();

interface Item {
  readonly operation_type: 'Create' | 'Update' | 'Delete';
  readonly params: Readonly<Record<string, unknown>>;
}

const creation = ({ funding_instrument_id }: Stage, name: string): Item => ({
  operation_type: 'Create',
  params: { funding_instrument_id, name },
});

scenario('A-BATCH', async (stage) => {
  const [renamed, gone] = [await stage.campaign({ name: 'old' }), await stage.campaign({ name: 'gone' })];
  const operations: Item[] = [
    creation(stage, 'first'),
    { operation_type: 'Delete', params: { campaign_id: gone.id } },
    creation(stage, 'second'),
    { operation_type: 'Update', params: { campaign_id: renamed.id, name: 'new' } },
    { operation_type: 'Update', params: { campaign_id: renamed.id, purchase_order_number: 'PO' } },
  ];
  const entities = await stage.many('campaigns.batch', { operations });
  expect(entities).toMatchObject([
    { name: 'first', deleted: false },
    { id: gone.id, deleted: true },
    { name: 'second' },
    { id: renamed.id, name: 'new', purchase_order_number: null },
    { id: renamed.id, name: 'new', purchase_order_number: 'PO' },
  ]);
  const listed = await stage.many('campaigns.list', { with_deleted: true, sort_by: ['created_at-asc'] });
  expect(listed).toEqual([entities[4], entities[1], entities[0], entities[2]]);
});

scenario('A-BATCH-ENVELOPE', async (stage) => {
  const { world, account_id, funding_instrument_id } = stage;
  const path = `/12/batch/accounts/${account_id}/campaigns`;
  const json = [
    { operation_type: 'Create', params: { funding_instrument_id, name: 'One', daily_budget_amount_local_micro: '5' } },
  ];
  const { body, status } = await world.request({ method: 'POST', path, json });
  expect(status).toBe(200);
  expect(body).toEqual({
    request: [
      {
        params: { account_id, funding_instrument_id, name: 'One', daily_budget_amount_local_micro: 5 },
        operation_type: 'Create',
      },
    ],
    data: [expect.objectContaining({ name: 'One' })],
  });
  const rejected = await world.request({
    method: 'POST',
    path,
    json: [...json, { operation_type: 'Create', params: {} }],
  });
  expect(rejected.body).toMatchObject({
    operation_errors: [[], [{ code: 'MISSING_PARAMETER', parameter: 'funding_instrument_id' }, { parameter: 'name' }]],
    request: [
      { operation_type: 'Create', params: { account_id } },
      { operation_type: 'Create', params: { account_id } },
    ],
  });
  expect(rejected.body).not.toHaveProperty('errors');
  expect(rejected.body).not.toHaveProperty('data');
});

/** Items that fail, each for a reason of its own: while reading, by a rule, or because nothing is there. */
const invalidItems: readonly ((stage: Stage) => Item)[] = [
  (stage) => ({ operation_type: 'Create', params: { funding_instrument_id: stage.funding_instrument_id } }),
  (stage) => ({
    operation_type: 'Create',
    params: { ...creation(stage, 'x').params, daily_budget_amount_local_micro: 2, total_budget_amount_local_micro: 1 },
  }),
  () => ({ operation_type: 'Create', params: { funding_instrument_id: 'nosuch', name: 'x' } }),
  () => ({ operation_type: 'Update', params: { campaign_id: 'nosuch', name: 'x' } }),
  () => ({ operation_type: 'Delete', params: { campaign_id: 'nosuch' } }),
];

async function everything(stage: Stage): Promise<unknown> {
  return [await stage.rows('campaigns'), await stage.rows('change_log')];
}

scenario('A-BATCH-ATOMIC', async (stage) => {
  const standing: Entity[] = [];
  for (let i = 0; i < 3; i++) standing.push(await stage.campaign({ name: `standing ${i}` }));
  const before = await everything(stage);
  const sound = (i: number): Item =>
    [
      creation(stage, `new ${i}`),
      { operation_type: 'Update' as const, params: { campaign_id: standing[i % 3]?.id, name: `changed ${i}` } },
      { operation_type: 'Delete' as const, params: { campaign_id: standing[i % 3]?.id } },
    ][i % 2] ?? creation(stage, 'new');
  const rejectedAt = async (length: number, index: number, kind: number) => {
    const invalid = invalidItems[kind % invalidItems.length];
    const operations = Array.from({ length }, (_, i) => (i === index && invalid ? invalid(stage) : sound(i)));
    const outcome = await stage.call('campaigns.batch', { operations });
    expect(outcome).toMatchObject({ ok: false, status: 400, errors: [] });
    const failed = outcome.operation_errors?.map((errors) => errors.length > 0);
    expect(failed, `of ${length} at ${index}`).toEqual(operations.map((_, i) => i === index));
  };
  // Every index of the largest batch, then batches of any shape.
  for (let index = 0; index < 40; index++) await rejectedAt(40, index, index);
  expect(await everything(stage)).toEqual(before);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 40 }), fc.nat(), fc.nat(4), async (length, index, kind) => {
      await rejectedAt(length, index % length, kind);
    }),
    { numRuns: 25 },
  );
  expect(await everything(stage)).toEqual(before);
});

scenario('A-BATCH-ALL-FAULTS', async (stage) => {
  const gone = await stage.campaign();
  await stage.ok('campaigns.delete', { campaign_id: gone.id });
  const operations: Item[] = [
    { operation_type: 'Delete', params: { campaign_id: gone.id } },
    creation(stage, 'sound'),
    { operation_type: 'Create', params: { funding_instrument_id: 'nosuch', name: 'x' } },
    { operation_type: 'Update', params: { campaign_id: 'nosuch', name: 'x' } },
  ];
  const { operation_errors } = await stage.call('campaigns.batch', { operations });
  expect(operation_errors).toMatchObject([
    [{ code: 'CAMPAIGN_NOT_FOUND', parameter: 'campaign_id', value: gone.id }],
    [],
    [{ code: 'FUNDING_INSTRUMENT_NOT_FOUND', parameter: 'funding_instrument_id', value: 'nosuch' }],
    [{ code: 'CAMPAIGN_NOT_FOUND', value: 'nosuch' }],
  ]);
  expect(await stage.many('campaigns.list')).toEqual([]);
});

scenario('A-BATCH-41', async (stage) => {
  const items = (length: number) => Array.from({ length }, (_, i) => creation(stage, `Campaign ${i}`));
  const outcome = await stage.call('campaigns.batch', { operations: items(41) });
  expect(outcome).toMatchObject({ ok: false, status: 400, operation_errors: undefined });
  expect(outcome.errors).toMatchObject([{ code: 'REQUEST_TOO_COMPLEX' }]);
  expect(await stage.many('campaigns.list')).toEqual([]);
  const made = await stage.many('campaigns.batch', { operations: items(40) });
  expect(made.map(({ name }) => name)).toEqual(items(40).map(({ params }) => params['name']));
});

scenario('A-BATCH-JSON', async (stage) => {
  const operation = allOperations.find(({ id }) => id === 'campaigns.batch');
  if (!operation) throw new TypeError('there is no campaigns.batch');
  const request = requestFor(operation, { account_id: stage.account_id, operations: [creation(stage, 'One')] });
  expect((await stage.world.request(request)).status).toBe(200);
  const { json, ...rest } = request;
  const form = { operations: JSON.stringify(json) };
  expect((await stage.world.request({ ...rest, form })).status).toBe(415);
  expect((await stage.world.request({ ...rest, query: form })).status).toBe(415);
  expect((await stage.world.request({ ...rest, json: { operations: json } })).status).toBe(400);
  expect(await stage.many('campaigns.list')).toHaveLength(1);
});
