/** What the operator sees of advertising accounts. Over tRPC, the only adapter of the operator's operations. */
import { createTrpcClient } from '@broadside/client/trpc';
import { createWorld, type TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rejection } from '../support/operator-rejection.ts';
import { about } from '../support/scenario.ts';

const TOKEN = 'operator-token-of-at-least-24-characters';
const environment = 'sandbox';
let world: TestWorld;

beforeAll(async () => {
  world = await createWorld({ operatorToken: TOKEN });
});
afterAll(async () => {
  expect(world.failures).toEqual([]);
  await world[Symbol.asyncDispose]();
});

test(about('P-OPERATOR-ACCOUNTS'), async () => {
  const { credentials, fetch } = world;
  const { accounts, access } = createTrpcClient(
    { ads_base_url: credentials.ads_base_url },
    { fetch, operatorToken: TOKEN },
  ).admin;
  const [owner, guest] = [await world.createUser('owner'), await world.createUser('guest')];
  const made: string[] = [];
  for (const name of ['Harbour Books', 'Harbour Tea', 'Quay Books', 'Quay Tea']) {
    const { user_id } = owner;
    made.unshift((await accounts.create.mutate({ environment, user_id, name })).id);
  }
  const [quayTea = '', quayBooks = '', tea = '', books = ''] = made;
  await access.grant.mutate({
    environment,
    account_id: books,
    user_id: guest.user_id,
    permissions: ['CAMPAIGN_ANALYST'],
  });
  const { sandbox } = world.platform.ads;
  const actor = { user_id: null, platform: 'OPERATOR' } as const;
  await sandbox.updateAccount(actor, tea, () => ({ suspended: true }));
  // Deleted wins: nothing of it can be changed either way.
  await sandbox.updateAccount(actor, quayTea, () => ({ suspended: true, deleted: true }));

  const { user_id } = owner;
  const list = async (more: Parameters<typeof accounts.list.query>[0] = {}) =>
    (await accounts.list.query({ environment, ...more })).data.map(({ id }) => id);
  expect(await list({ user_id })).toEqual([quayBooks, tea, books]);
  expect(await list({ user_id: guest.user_id })).toEqual([books]);
  expect(await list({ user_id, state: 'ACTIVE' })).toEqual([quayBooks, books]);
  expect(await list({ user_id, state: 'SUSPENDED' })).toEqual([tea]);
  expect(await list({ user_id, state: 'DELETED' })).toEqual([quayTea]);
  expect(await list({ q: 'HARBOUR' })).toEqual([tea, books]);
  expect(await list({ user_id, shard: 'directory' })).toEqual([quayBooks, tea, books]);
  expect(await list({ user_id, environment: 'production' })).toEqual([]);
  expect((await list()).slice(0, 3)).toEqual([quayBooks, tea, books]);

  const pages: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await accounts.list.query({ environment, user_id, count: 2, ...(cursor ? { cursor } : {}) });
    pages.push(page.data.map(({ name }) => name).join());
    if (page.next_cursor === null) break;
    cursor = page.next_cursor;
  }
  expect(pages).toEqual(['Quay Books,Harbour Tea', 'Harbour Books']);
  const [shown] = (await accounts.list.query({ environment, user_id: guest.user_id })).data;
  expect(shown).toMatchObject({ name: 'Harbour Books', state: 'ACTIVE', shard: 'directory', users: 2 });

  const client = world.client(owner);
  const { id: funding_instrument_id } = await client.funding_instruments.create({
    account_id: books,
    type: 'CREDIT_CARD',
    currency: 'USD',
    start_time: '2026-01-01',
  });
  const campaign = (name: string, entity_status: 'ACTIVE' | 'DRAFT') => {
    const budget = { funding_instrument_id, daily_budget_amount_local_micro: 5_000_000n };
    return client.campaigns.create({ account_id: books, name, entity_status, ...budget });
  };
  await campaign('First', 'ACTIVE');
  await campaign('Second', 'ACTIVE');
  await campaign('Third', 'DRAFT');
  const one = await accounts.show.query({ environment, account_id: books });
  expect(one).toMatchObject({
    name: 'Harbour Books',
    state: 'ACTIVE',
    shard: 'directory',
    timezone: 'America/Los_Angeles',
    approval_status: 'ACCEPTED',
    active_campaign_limit: 200,
    users: [
      { user_id, screen_name: 'owner', permissions: ['ACCOUNT_ADMIN'] },
      { user_id: guest.user_id, screen_name: 'guest', permissions: ['CAMPAIGN_ANALYST'] },
    ],
  });
  expect(one.counts).toContainEqual({ entity: 'CAMPAIGN', count: 2 });
  expect(await accounts.show.query({ environment, account_id: quayTea })).toMatchObject({ state: 'DELETED' });

  expect(await rejection(accounts.show.query({ account_id: books }))).toEqual([403, 'ACCOUNT_NOT_FOUND']);
  expect(await rejection(list({ user_id: '1' }))).toEqual([403, 'USER_NOT_FOUND']);
  expect(await rejection(list({ shard: 'north' }))).toEqual([400, 'INVALID_PARAMETER']);
  expect(await rejection(list({ cursor: 'none' }))).toEqual([400, 'INVALID_PARAMETER']);
});
