/** Every error that an operation declares can be met: a client that handles it does not handle it in vain. */
import { allOperations, type ErrorName, errorCode, errorStatus, isRead, type Operation } from '@broadside/core';
import type { TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { impliedErrors } from '../support/answers.ts';
import { type CallParams, requestFor, validParams } from '../support/call.ts';
import { createEstate, type Estate, idOf, openWorld } from '../support/world.ts';

let world: TestWorld;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** Brings about what makes an error, and says which parameters meet it. */
type Provoke = (estate: Estate, operation: Operation) => Promise<CallParams> | CallParams;

const unknown =
  (name: string): Provoke =>
  () => ({ [name]: 'nosuch' });

const send = (method: string, path: string, query: Readonly<Record<string, string>> = {}) =>
  world.request({ method, path: `/12/accounts/${path}`, query });

async function lineItem({ account_id, campaign_id }: Estate, more: Readonly<Record<string, string>>): Promise<string> {
  const query = {
    campaign_id,
    objective: 'ENGAGEMENTS',
    product_type: 'PROMOTED_POSTS',
    placements: 'ALL_ON_PLATFORM',
    start_time: '2026-02-01',
    end_time: '2099-01-01',
    ...more,
  };
  return idOf((await send('POST', `${account_id}/line_items`, query)).body);
}

/** Leaves no room for one more active campaign, and finds what would be one. */
async function fullOfCampaigns(estate: Estate, { id }: Operation): Promise<CallParams> {
  const { account_id, funding_instrument_id } = estate;
  const campaign = { funding_instrument_id, name: 'x' };
  const draft = idOf((await send('POST', `${account_id}/campaigns`, { ...campaign, entity_status: 'DRAFT' })).body);
  const ended = idOf((await send('POST', `${account_id}/campaigns`, campaign)).body);
  const past = { start_time: '2025-01-01', end_time: '2025-02-01' };
  const line_item_id = await lineItem({ ...estate, campaign_id: ended }, past);
  await world.raiseCampaignLimit(account_id, 1);
  if (id === 'campaigns.update') return { campaign_id: draft, entity_status: 'ACTIVE' };
  if (id === 'line_items.create') return { campaign_id: ended };
  return id === 'line_items.update' ? { line_item_id, end_time: '2099-01-01' } : {};
}

/** Leaves no room for one more active line item, and finds what would be one. */
async function fullOfLineItems(estate: Estate, { id }: Operation): Promise<CallParams> {
  const { account_id, funding_instrument_id } = estate;
  const line_item_id = await lineItem(estate, { entity_status: 'DRAFT' });
  for (const count of [98, 100, 57]) {
    const campaign = await send('POST', `${account_id}/campaigns`, { funding_instrument_id, name: 'x' });
    for (let i = 0; i < count; i++) await lineItem({ ...estate, campaign_id: idOf(campaign.body) }, {});
  }
  return id === 'line_items.update' ? { line_item_id, entity_status: 'ACTIVE' } : {};
}

const provocations: Readonly<Partial<Record<ErrorName, Provoke>>> = {
  ACCOUNT_DELETED: async ({ account_id }) => {
    await send('DELETE', account_id);
    return {};
  },
  CAMPAIGN_NOT_FOUND: unknown('campaign_id'),
  FUNDING_INSTRUMENT_NOT_FOUND: unknown('funding_instrument_id'),
  INCLUSIVE_PARAMETERS: () => ({ frequency_cap: 1 }),
  INVALID_DENOMINATION: () => ({ bid_amount_local_micro: 1_000_001 }),
  INVALID_FUNDING_INSTRUMENT: async ({ account_id }) => ({
    funding_instrument_id: await world.createFundingInstrument(account_id, { deleted: true }),
  }),
  INVALID_IAB_CATEGORY: () => ({ categories: ['IAB0'] }),
  INVALID_PLACEMENT_TYPE: () => ({ placements: ['TAP_BANNER'] }),
  INVALID_TIME_WINDOW: () => ({ end_time: '2001-01-01' }),
  LINE_ITEM_NOT_FOUND: unknown('line_item_id'),
  REQUEST_TOO_COMPLEX: () => ({ operations: Array.from({ length: 41 }, () => ({})) }),
  SPEND_EXCEEDS_BUDGET: async ({ account_id, campaign_id }) => {
    await send('PUT', `${account_id}/campaigns/${campaign_id}`, { total_budget_amount_local_micro: '2000000' });
    return { total_budget_amount_local_micro: 2_000_001 };
  },
  TOO_MANY_CAMPAIGNS: fullOfCampaigns,
  TOO_MANY_LINE_ITEMS: fullOfLineItems,
};

/** Declared for a rule that the operation shares with another one, and out of reach of its own parameters. */
const outOfReach: Readonly<Record<string, readonly ErrorName[]>> = {
  'line_items.update': ['INVALID_PLACEMENT_TYPE'],
};

/** Parameters of an item as those of a call that is no batch. */
function asBatch(estate: Estate, params: CallParams): CallParams {
  if ('operations' in params) return params;
  const { funding_instrument_id } = estate;
  const item =
    'campaign_id' in params
      ? { operation_type: 'Delete', params }
      : { operation_type: 'Create', params: { funding_instrument_id, name: 'x', ...params } };
  return { operations: [item] };
}

const declared = allOperations.flatMap((operation) => {
  const implied = impliedErrors(operation);
  return operation.errors
    .filter((name) => !implied.includes(name) && !outOfReach[operation.id]?.includes(name))
    .map((name) => ({ id: operation.id, name, operation }));
});

describe('an operation can answer what it declares', () => {
  test.for(declared)('$id: $name', async ({ operation, name }) => {
    const estate = await createEstate(world);
    const provoke = provocations[name];
    if (!provoke) throw new TypeError(`say what brings ${name} about`);
    const params = await provoke(estate, operation);
    const given = operation.batch ? asBatch(estate, params) : params;
    const answer = await world.request(
      requestFor(operation, { ...validParams(operation, estate), ...given }, isRead(operation) ? 'query' : 'form'),
    );
    expect(answer.status, answer.text).toBe(
      operation.batch && name !== 'REQUEST_TOO_COMPLEX' && name !== 'ACCOUNT_DELETED' ? 400 : errorStatus(name),
    );
    expect(answer.text).toContain(`"code":"${errorCode(name)}"`);
  });
});
