/** Businesses of the operator: over tRPC, the only adapter of the operator's operations. */
import { createTrpcClient } from '@broadside/client/trpc';
import type { TestWorld } from '@broadside/testkit';
import { TRPCClientError } from '@trpc/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { about } from '../support/scenario.ts';
import { openWorld } from '../support/world.ts';

const TOKEN = 'operator-token-of-at-least-24-characters';
const environment = 'sandbox';
let world: TestWorld;

beforeAll(async () => {
  world = await openWorld({ operatorToken: TOKEN });
});
afterAll(async () => {
  expect(world.failures).toEqual([]);
  await world.close();
});

function businesses() {
  const { credentials, fetch } = world;
  return createTrpcClient({ ads_base_url: credentials.ads_base_url }, { fetch, operatorToken: TOKEN }).admin.businesses;
}

/** Returns the status, code and parameter with which a call is rejected. */
async function rejection(call: Promise<unknown>): Promise<unknown> {
  try {
    return ['no rejection', await call];
  } catch (error) {
    if (!(error instanceof TRPCClientError)) throw error;
    const [first] = error.data?.errors ?? [];
    return [error.data?.httpStatus, first?.code, first?.parameter];
  }
}

/** The changes of an entity in the change log of the sandbox, as kind and account. */
async function changesOf(entity_id: string) {
  const { database } = world.platform.ads.sandbox;
  const sql = 'SELECT "entity", "change_type", "account_id" FROM "change_log" WHERE "entity_id" = ? ORDER BY "seq"';
  return database.query(sql, [entity_id]);
}

test(about('C-BUSINESSES'), async () => {
  const admin = businesses();
  const made = await admin.create.mutate({ environment, name: 'Harbour Group' });
  expect(made).toEqual({
    id: expect.stringMatching(/^[0-9a-z]{2,9}$/),
    name: 'Harbour Group',
    account_ids: [],
    created_at: expect.any(String),
    updated_at: made.created_at,
  });
  expect(await changesOf(made.id)).toEqual([['BUSINESS', 'CREATE', null]]);
  world.clock.advance(1000);
  const other = await admin.create.mutate({ environment, name: 'Quay Group' });
  const again = admin.create.mutate({ environment, name: 'HARBOUR group' });
  expect(await rejection(again)).toEqual([409, 'ALREADY_EXISTS', 'name']);
  expect((await admin.list.query({})).data).toEqual([]);
  expect((await admin.list.query({ environment })).data).toEqual([made, other]);
  expect((await admin.list.query({ environment, count: 1 })).data).toEqual([made]);

  const [one, two] = [await world.createAccount('sandbox'), await world.createAccount('sandbox')];
  const client = world.client();
  const shown = async (account_id: string) => {
    const { business_id, business_name } = await client.accounts.get({ account_id });
    return [business_id, business_name];
  };
  expect(await shown(one)).toEqual([null, null]);
  const assign = (account_id: string, business_id?: string) =>
    admin.assign.mutate({ environment, account_id, ...(business_id === undefined ? {} : { business_id }) });
  expect(await assign(one, made.id)).toMatchObject({ id: one, business_id: made.id, business_name: made.name });
  await assign(two, made.id);
  expect(await shown(one)).toEqual([made.id, made.name]);
  const [listed] = (await admin.list.query({ environment })).data;
  expect(listed?.account_ids).toEqual([one, two].sort());
  // An account moves, since it belongs to one business at most.
  await assign(two, other.id);
  expect((await admin.list.query({ environment })).data.map(({ account_ids }) => account_ids)).toEqual([[one], [two]]);
  expect(await assign(one)).toMatchObject({ business_id: null, business_name: null });
  expect(await shown(one)).toEqual([null, null]);
  const recorded = (await changesOf(one)).filter(([entity]) => entity === 'ACCOUNT');
  expect(recorded.map(([, type]) => type)).toEqual(['CREATE', 'UPDATE', 'UPDATE']);

  expect(await rejection(assign(one, 'nosuch'))).toEqual([404, 'NOT_FOUND', 'business_id']);
  expect(await rejection(assign('1nosuchacct', made.id))).toEqual([403, 'ACCOUNT_NOT_FOUND', 'account_id']);
  await client.accounts.delete({ account_id: two });
  expect(await rejection(assign(two, made.id))).toEqual([403, 'ACCOUNT_NOT_FOUND', 'account_id']);
  expect((await admin.list.query({ environment })).data.map(({ account_ids }) => account_ids)).toEqual([[], []]);
});

test('of two businesses created at once with one name, one exists', async () => {
  const create = () => businesses().create.mutate({ environment, name: 'Twins' });
  const answers = await Promise.all([rejection(create()), rejection(create())]);
  expect(answers).toContainEqual([409, 'ALREADY_EXISTS', 'name']);
  const named = (await businesses().list.query({ environment })).data.filter(({ name }) => name === 'Twins');
  expect(named).toHaveLength(1);
});
