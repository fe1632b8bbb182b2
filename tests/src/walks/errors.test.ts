/** Every error that an operation declares can be met: a client that handles it does not handle it in vain. */
import { allOperations, type ErrorName, errorCode, errorStatus, isRead, type Operation } from '@broadside/core';
import type { TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { impliedErrors } from '../support/answers.ts';
import { type CallParams, pathNames, requestFor, validParams } from '../support/call.ts';
import { lineItemFor, postBy } from '../support/fixtures.ts';
import { targetingFaults } from '../support/targeting-faults.ts';
import { type AccountFixture, createAccountFixture, idOf, openWorld } from '../support/world.ts';

let world: TestWorld;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** Brings about what makes an error, and says which parameters meet it. */
type Provoke = (fixture: AccountFixture, operation: Operation) => Promise<CallParams> | CallParams;

const unknown =
  (name: string): Provoke =>
  () => ({ [name]: 'nosuch' });

const send = (method: string, path: string, query: Readonly<Record<string, string>> = {}) =>
  world.request({ method, path: `/12/accounts/${path}`, query });

async function lineItem(
  { account_id, campaign_id }: AccountFixture,
  more: Readonly<Record<string, string>>,
): Promise<string> {
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

async function campaign({ account_id, funding_instrument_id }: AccountFixture): Promise<string> {
  return idOf((await send('POST', `${account_id}/campaigns`, { funding_instrument_id, name: 'x' })).body);
}

/** Leaves no room for one more active campaign, and finds what would be one. */
async function fullOfCampaigns(fixture: AccountFixture, { id }: Operation): Promise<CallParams> {
  const { account_id, funding_instrument_id } = fixture;
  const draft = { funding_instrument_id, name: 'x', entity_status: 'DRAFT' };
  const draft_id = idOf((await send('POST', `${account_id}/campaigns`, draft)).body);
  const ended = await campaign(fixture);
  const past = { start_time: '2025-01-01', end_time: '2025-02-01' };
  const line_item_id = await lineItem({ ...fixture, campaign_id: ended }, past);
  await world.raiseCampaignLimit(account_id, 1);
  if (id === 'campaigns.update') return { campaign_id: draft_id, entity_status: 'ACTIVE' };
  if (id === 'line_items.create' || id === 'line_items.batch') return { campaign_id: ended };
  return id === 'line_items.update' ? { line_item_id, end_time: '2099-01-01' } : {};
}

/** Leaves no room for one more active line item, and finds what would be one. */
async function fullOfLineItems(fixture: AccountFixture, { id }: Operation): Promise<CallParams> {
  const line_item_id = await lineItem(fixture, { entity_status: 'DRAFT' });
  for (const count of [98, 100, 57]) {
    const campaign_id = await campaign(fixture);
    for (let i = 0; i < count; i++) await lineItem({ ...fixture, campaign_id }, {});
  }
  return id === 'line_items.update' ? { line_item_id, entity_status: 'ACTIVE' } : {};
}

/** Asks for a millionth more than a funding instrument has. */
const beyond =
  (type: 'CREDIT_LINE' | 'INSERTION_ORDER'): Provoke =>
  async (fixture, { id }) => {
    const { account_id } = fixture;
    const most = 2_000_000n;
    const amount = type === 'CREDIT_LINE' ? { credit_limit_local_micro: most } : { funded_amount_local_micro: most };
    const funding_instrument_id = await world.createFundingInstrument(account_id, { type, ...amount });
    const excess = { total_budget_amount_local_micro: Number(most) + 1 };
    const query = {
      funding_instrument_id,
      name: 'x',
      daily_budget_amount_local_micro: '2000000',
      ...(id.startsWith('line_items.') ? { budget_optimization: 'LINE_ITEM' } : {}),
    };
    const campaign_id = idOf((await send('POST', `${account_id}/campaigns`, query)).body);
    switch (id) {
      case 'campaigns.update':
        return { campaign_id, ...excess };
      case 'line_items.create':
      case 'line_items.batch':
        return { campaign_id, ...excess };
      case 'line_items.update':
        return { line_item_id: await lineItem({ ...fixture, campaign_id }, {}), ...excess };
      default:
        return { funding_instrument_id, daily_budget_amount_local_micro: 1_000_000, ...excess };
    }
  };

/** Names a line item that cannot take what the operation is about. */
async function incompatibleLineItem(fixture: AccountFixture, { id }: Operation): Promise<CallParams> {
  const line_item_id = await lineItemFor(world, fixture, id === 'promoted_posts.create' ? 'images' : 'posts');
  return id.endsWith('.list') ? { line_item_ids: [line_item_id] } : { line_item_id };
}

let users = 0;

const provocations: Readonly<Partial<Record<ErrorName, Provoke>>> = {
  ACCOUNT_DELETED: async ({ account_id }) => {
    await send('DELETE', account_id);
    return {};
  },
  CAMPAIGN_NOT_FOUND: unknown('campaign_id'),
  FEATURE_NOT_AVAILABLE: async ({ account_id }) => {
    const account = world.platform.ads.sandbox.account(account_id);
    await account.write({ user_id: null, platform: 'OPERATOR' }, (writer) =>
      writer.removeFeatures(['ACCOUNT_HISTORY']),
    );
    return {};
  },
  FUNDING_INSTRUMENT_EXCEEDS_AVAILABLE_CREDIT_LIMIT: beyond('CREDIT_LINE'),
  FUNDING_INSTRUMENT_NOT_FOUND: unknown('funding_instrument_id'),
  INCLUSIVE_PARAMETERS: () => ({ frequency_cap: 1 }),
  INVALID_DENOMINATION: () => ({ bid_amount_local_micro: 1_000_001 }),
  INVALID_FUNDING_INSTRUMENT: async ({ account_id }) => ({
    funding_instrument_id: await world.createFundingInstrument(account_id, { deleted: true }),
  }),
  INVALID_IAB_CATEGORY: () => ({ categories: ['IAB0'] }),
  INVALID_PLACEMENT_TYPE: () => ({ placements: ['TAP_BANNER'] }),
  INVALID_TIME_WINDOW: () => ({ end_time: '2001-01-01' }),
  ACCOUNT_MEDIA_NOT_FOUND: unknown('account_media_id'),
  INCOMPATIBLE_LINE_ITEM: incompatibleLineItem,
  INVALID_POST: async () => ({ post_ids: [await postBy(world, (await world.createUser(`u${++users}`)).user_id)] }),
  INVALID_USER: () => ({ user_id: '1' }),
  INVALID_USER_ID: async (fixture, { id }) => ({
    ...(id === 'line_items.update'
      ? { line_item_id: await lineItemFor(world, fixture, 'video') }
      : {
          objective: 'PREROLL_VIEWS',
          product_type: 'MEDIA',
          categories: ['IAB2'],
          campaign_id: await campaign(fixture),
        }),
    advertiser_user_id: '1',
  }),
  LINE_ITEM_NOT_FOUND: unknown('line_item_id'),
  MEDIA_CREATIVE_NOT_FOUND: unknown('media_creative_id'),
  // What the path names last, or else what is to be tied together.
  NOT_FOUND: (_, operation) => ({
    [pathNames(operation).findLast((name) => name !== 'account_id') ?? 'curated_category_id']: '1',
  }),
  POST_NOT_FOUND: () => ({ post_ids: [1n] }),
  PROMOTABLE_USER_NOT_FOUND: unknown('promotable_user_id'),
  PROMOTED_ACCOUNT_NOT_FOUND: unknown('promoted_account_id'),
  PROMOTED_POST_NOT_FOUND: unknown('promoted_post_id'),
  REQUEST_TOO_COMPLEX: () => ({ operations: Array.from({ length: 41 }, () => ({})) }),
  TARGETING_CRITERION_NOT_FOUND: unknown('targeting_criterion_id'),
  SPEND_EXCEEDS_BUDGET: beyond('INSERTION_ORDER'),
  TOO_MANY_CAMPAIGNS: fullOfCampaigns,
  TOO_MANY_LINE_ITEMS: fullOfLineItems,
  USER_NOT_FOUND: () => ({ user_id: '42' }),
};

const criterion = { targeting_type: 'BROAD_KEYWORD', targeting_value: 'tea' };

/** What brings an error about at one operation, in another way than elsewhere. */
const ownProvocations: Readonly<Record<string, Readonly<Partial<Record<ErrorName, Provoke>>>>> = {
  ...targetingFaults(() => world),
  'user_access.grant': { INCLUSIVE_PARAMETERS: () => ({ permissions: ['POST_COMPOSER'] }) },
  'audience_estimate.create': {
    INVALID_IAB_CATEGORY: () => ({
      targeting_criteria: [criterion, { targeting_type: 'IAB_CATEGORY', targeting_value: 'IAB0' }],
    }),
    INVALID_TARGETING_TYPE: () => ({ targeting_criteria: [{ ...criterion, targeting_type: 'SHOE_SIZE' }] }),
    REQUEST_TOO_COMPLEX: () => ({ targeting_criteria: Array.from({ length: 1001 }, () => criterion) }),
  },
};

/** Declared for a rule that the operation shares with another one, and out of reach of its own parameters. */
const outOfReach: Readonly<Record<string, readonly ErrorName[]>> = {
  'line_items.update': ['INVALID_PLACEMENT_TYPE'],
};

/** The parameters of a call that is no batch as an item of one: a deletion when they name the entity itself. */
function asBatch({ batch }: Operation, valid: CallParams, params: CallParams): CallParams {
  if (!batch || 'operations' in params) return params;
  if (Object.keys(batch.Delete?.shape ?? {}).some((name) => name in params)) {
    return { operations: [{ operation_type: 'Delete', params }] };
  }
  const [item] = z.array(z.looseObject({ params: z.looseObject({}) })).parse(valid['operations']);
  return { operations: [{ ...item, params: { ...item?.params, ...params } }] };
}

const declared = allOperations.flatMap((operation) => {
  const implied = impliedErrors(operation);
  return operation.errors
    .filter((name) => !implied.includes(name) && !outOfReach[operation.id]?.includes(name))
    .map((name) => ({ id: operation.id, name, operation }));
});

describe('an operation can answer what it declares', () => {
  test.for(declared)('$id: $name', async ({ operation, name }) => {
    const fixture = await createAccountFixture(world, 'sandbox', operation);
    const provoke = ownProvocations[operation.id]?.[name] ?? provocations[name];
    if (!provoke) throw new TypeError(`say what brings ${name} about`);
    const params = await provoke(fixture, operation);
    const valid = validParams(operation, fixture);
    const given = { ...valid, ...asBatch(operation, valid, params) };
    const answer = await world.request(requestFor(operation, given, isRead(operation) ? 'query' : 'form'));
    expect(answer.status, answer.text).toBe(
      operation.batch && name !== 'REQUEST_TOO_COMPLEX' && name !== 'ACCOUNT_DELETED' ? 400 : errorStatus(name),
    );
    expect(answer.text).toContain(`"code":"${errorCode(name)}"`);
  });
});
