/** Curated categories and the publishers that they are made of: specification C; reference, campaign-management section 11. */

import { createTrpcClient } from '@broadside/client/trpc';
import { rejectWithAny } from '@broadside/core';
import { families } from '@broadside/server';
import { TRPCClientError } from '@trpc/client';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { about, type Entity, type Stage, scenarios } from '../support/scenario.ts';
import { openWorld } from '../support/world.ts';

const scenario = scenarios();

const { createCuratedCategory, curatedCategory } = families.curated_categories;
const OPERATOR = { user_id: null, platform: 'OPERATOR' } as const;
const SOCCER = '9ddrgesiap6o';

/** Makes a category of the sandbox behind the interface. */
function make({ world }: Stage, name: string, country_codes: string[]) {
  return world.platform.ads.sandbox.catalogue.write(OPERATOR, (writer) =>
    createCuratedCategory(writer, {
      name,
      description: `About ${name}`,
      country_codes,
      publisher_user_ids: [],
      videos_monetized_in_last_thirty_days: 3,
    }),
  );
}

const namesOf = (rows: readonly Entity[]) => rows.map(({ name }) => name);

scenario('C-CURATED-LIST', async (stage) => {
  const all = await stage.many('curated_categories.list');
  const soccer = all.find(({ id }) => id === SOCCER);
  expect(soccer).toEqual({
    id: SOCCER,
    name: 'Soccer',
    description: expect.any(String),
    country_codes: ['US'],
    publisher_user_ids: [expect.stringMatching(/^\d{19}$/)],
    videos_monetized_in_last_thirty_days: 421,
    created_at: '2026-01-15T08:00:00Z',
    updated_at: '2026-01-15T08:00:00Z',
  });
  // Each adapter has countries of its own, so that it does not see what the others make.
  const [north, south] = { rest: ['SE', 'ZA'], client: ['NO', 'AR'], trpc: ['FI', 'CL'] }[stage.adapter.name];
  if (north === undefined || south === undefined) throw new TypeError('an adapter without countries');
  await make(stage, 'north', [north]);
  await make(stage, 'both', [south, north]);
  await make(stage, 'south', [south]);
  await make(stage, 'nowhere', []);
  const inCountries = async (...country_codes: string[]) =>
    namesOf(await stage.many('curated_categories.list', { country_codes }));
  expect(await inCountries(north)).toEqual(['both', 'north']);
  expect(await inCountries(south)).toEqual(['south', 'both']);
  expect(await inCountries(north, south)).toEqual(['south', 'both', 'north']);
  expect(await inCountries('US')).toHaveLength(9);
  expect(await inCountries('AQ')).toEqual([]);
  expect(namesOf(await stage.many('curated_categories.list')).slice(0, 4)).toEqual([
    'nowhere',
    'south',
    'both',
    'north',
  ]);
});

scenario('C-CURATED-TOTAL', async (stage) => {
  const [country = ''] = { rest: ['IS'], client: ['GL'], trpc: ['FO'] }[stage.adapter.name];
  for (let i = 0; i < 201; i++) await make(stage, `c${i}`, [country]);
  const country_codes = [country];
  const first = await stage.call('curated_categories.list', { country_codes });
  const rows = z.array(z.object({ name: z.string() }));
  expect([rows.parse(first.data).length, first.total_count]).toEqual([200, 201]);
  const second = await stage.call('curated_categories.list', { country_codes, cursor: first.next_cursor });
  expect(second).toMatchObject({ data: [{ name: 'c0' }], next_cursor: null, total_count: 201 });
  const asked = await stage.call('curated_categories.list', { country_codes: ['AQ'], with_total_count: true });
  expect(asked).toMatchObject({ data: [], next_cursor: null, total_count: 0 });
  expect(await stage.rejected('curated_categories.list', { cursor: 'c-abc' })).toMatchObject([
    { code: 'INVALID_PARAMETER', parameter: 'cursor' },
  ]);
});

scenario('C-CURATED-COUNTRIES', async (stage) => {
  const codes = [...'ABCDEFGHI'].flatMap((one) => [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((two) => one + two));
  await stage.many('curated_categories.list', { country_codes: codes.slice(0, 200) });
  for (const country_codes of [codes.slice(0, 201), ['usa'], ['us'], []]) {
    expect(await stage.rejected('curated_categories.list', { country_codes })).toMatchObject([
      { code: 'INVALID_PARAMETER', parameter: 'country_codes' },
    ]);
  }
});

scenario('C-CURATED-GET', async (stage) => {
  const made = await make(stage, 'lone', []);
  expect(made.id).toMatch(/^[1-9a-z][0-9a-z]{11}$/);
  const found = await stage.one('curated_categories.get', { curated_category_id: made.id });
  expect(found).toEqual({
    id: made.id,
    name: 'lone',
    description: 'About lone',
    country_codes: [],
    publisher_user_ids: [],
    videos_monetized_in_last_thirty_days: 3,
    created_at: made.created_at,
    updated_at: made.updated_at,
  });
  const unknown = (curated_category_id: string) =>
    stage.rejected('curated_categories.get', { curated_category_id }, 404);
  const missing = [{ code: 'NOT_FOUND', parameter: 'curated_category_id' }];
  expect(await unknown('9ddrgesiap6p')).toMatchObject(missing);
  await stage.world.platform.ads.sandbox.catalogue.write(OPERATOR, (writer) =>
    writer.of(curatedCategory).remove(rejectWithAny, made.id),
  );
  expect(await unknown(made.id)).toMatchObject(missing);
  expect((await stage.many('curated_categories.list')).map(({ id }) => id)).not.toContain(made.id);
});

scenario('C-CURATED-ECHO', async ({ world, account_id }) => {
  const base = `/12/accounts/${account_id}/curated_categories`;
  const one = await world.request({ path: `${base}/${SOCCER}` });
  expect(one.body).toMatchObject({ request: { params: { account_id, id: SOCCER } }, data: { id: SOCCER } });
  expect(one.text).not.toContain('curated_category_id');
  const many = await world.request({ path: base, query: { country_codes: 'US,CA' } });
  expect(many.body).toMatchObject({ request: { params: { account_id, country_codes: ['US', 'CA'] } } });
});

scenario('C-CATALOGUE-APART', async (stage) => {
  const { world } = stage;
  const made = await make(stage, 'of the sandbox', ['US']);
  const { user_id } = await world.createUser('apart');
  const terms = { monetizable_country_codes: [], promotion_eligible_country_codes: [], content_category_ids: [] };
  await world.platform.ads.sandbox.catalogue.write(OPERATOR, (writer) =>
    families.publishers.setPublisher(writer, user_id, { ...terms, monetization_restricted: false }),
  );
  const { account_id } = world.credentials;
  const paths = [`/12/accounts/${account_id}/curated_categories`, '/12/publishers'];
  const [categories, publishers] = await Promise.all(paths.map((path) => world.request({ listener: 'ads', path })));
  expect(categories).toMatchObject({ status: 200, body: { total_count: 9 } });
  expect(publishers?.status).toBe(200);
  expect(publishers?.text).not.toContain(user_id);
  expect((await world.request({ path: '/12/publishers' })).text).toContain(user_id);
  const other = await world.request({ listener: 'ads', path: `${paths[0]}/${made.id}` });
  expect(other.status).toBe(404);
});

/** Returns the error with which a call is rejected. */
async function rejection(call: Promise<unknown>): Promise<unknown> {
  const error = await call.then(
    () => 'no rejection',
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof TRPCClientError)) return error;
  const Told = z.array(z.looseObject({ code: z.string(), parameter: z.string(), value: z.unknown() }));
  return Told.parse(error.data?.errors).map(({ code, parameter, value }) => [code, parameter, value]);
}

const TOKEN = 'operator-token-of-at-least-24-characters';

test(about('C-CATALOGUE-OPERATOR'), async () => {
  await using world = await openWorld({ operatorToken: TOKEN });
  const { credentials, fetch } = world;
  const { admin } = createTrpcClient({ ads_base_url: credentials.ads_base_url }, { fetch, operatorToken: TOKEN });
  const { user_id } = await world.createUser('paper');
  const sandbox = { environment: 'sandbox' } as const;
  const terms = {
    monetizable_country_codes: ['US', 'DE'],
    promotion_eligible_country_codes: ['DE'],
    content_category_ids: ['sr'],
  };
  const client = world.client();

  const set = await admin.publishers.set.mutate({ ...sandbox, user_id, ...terms });
  expect(set).toEqual({ username: 'paper', user_id, ...terms, monetization_restricted: false });
  const again = await admin.publishers.set.mutate({ ...sandbox, user_id, ...terms, monetization_restricted: true });
  expect((await client.publishers.list()).data.at(-1)).toEqual(again);
  expect((await admin.publishers.list.query(sandbox)).data.at(-1)).toEqual({ ...set, monetization_restricted: true });
  expect((await admin.publishers.list.query({})).data.map(({ username }) => username)).not.toContain('paper');
  expect(await rejection(admin.publishers.set.mutate({ ...sandbox, ...terms, user_id: '42' }))).toEqual([
    ['USER_NOT_FOUND', 'user_id', '42'],
  ]);
  const wrong = {
    monetizable_country_codes: ['US', 'XX'],
    promotion_eligible_country_codes: ['ZZ'],
    content_category_ids: ['sr', '1jl'],
  };
  expect(await rejection(admin.publishers.set.mutate({ ...sandbox, user_id, ...wrong }))).toEqual([
    ['INVALID_PARAMETER', 'monetizable_country_codes', 'XX'],
    ['INVALID_PARAMETER', 'promotion_eligible_country_codes', 'ZZ'],
    ['INVALID_PARAMETER', 'content_category_ids', '1jl'],
  ]);
  expect((await client.publishers.list()).data.at(-1)).toEqual(again);

  const papers = { name: 'Papers', description: 'What is printed.', country_codes: ['DE'] };
  const strangers = { ...papers, country_codes: ['XX'], publisher_user_ids: [user_id, world.user.user_id] };
  expect(await rejection(admin.curated_categories.create.mutate({ ...sandbox, ...strangers }))).toEqual([
    ['INVALID_PARAMETER', 'country_codes', 'XX'],
    ['INVALID_PARAMETER', 'publisher_user_ids', world.user.user_id],
  ]);
  // Nobody is a publisher in an environment by being one in the other.
  const elsewhere = { environment: 'production', ...papers, publisher_user_ids: [user_id] } as const;
  expect(await rejection(admin.curated_categories.create.mutate(elsewhere))).toEqual([
    ['INVALID_PARAMETER', 'publisher_user_ids', user_id],
  ]);
  const created = await admin.curated_categories.create.mutate({
    ...sandbox,
    ...papers,
    publisher_user_ids: [user_id],
  });
  expect(created).toMatchObject({ ...papers, publisher_user_ids: [user_id], videos_monetized_in_last_thirty_days: 0 });
  const { id: curated_category_id } = created;
  world.clock.advance(60_000);
  const named = { ...sandbox, curated_category_id };
  const updated = await admin.curated_categories.update.mutate({ ...named, country_codes: ['DE', 'AT'] });
  expect(updated).toEqual({ ...created, country_codes: ['DE', 'AT'], updated_at: '2026-01-15T08:01:00Z' });
  expect(await rejection(admin.curated_categories.update.mutate({ ...named, publisher_user_ids: ['42'] }))).toEqual([
    ['INVALID_PARAMETER', 'publisher_user_ids', '42'],
  ]);
  const path = { account_id: world.credentials.sandbox_account_id, curated_category_id };
  expect(await client.curated_categories.get(path)).toEqual(updated);

  expect(await admin.publishers.remove.mutate({ ...sandbox, user_id })).toEqual(again);
  expect(await client.curated_categories.get(path)).toEqual({ ...updated, publisher_user_ids: [] });
  expect(await rejection(admin.publishers.remove.mutate({ ...sandbox, user_id }))).toEqual([
    ['NOT_FOUND', 'user_id', user_id],
  ]);
  expect(JSON.stringify((await client.publishers.list()).data)).not.toContain(user_id);
  await admin.curated_categories.delete.mutate(named);
  for (const call of [
    admin.curated_categories.delete.mutate(named),
    admin.curated_categories.update.mutate({ ...named, name: 'x' }),
  ]) {
    expect(await rejection(call)).toEqual([['NOT_FOUND', 'curated_category_id', curated_category_id]]);
  }
  const changes = await world.platform.ads.sandbox.database.query(
    `SELECT "entity", "change_type", "change_by_platform" FROM "change_log" WHERE "entity_id" IN (?, ?) ORDER BY rowid`,
    [user_id, curated_category_id],
  );
  expect(changes.map((row) => row.join(' '))).toEqual([
    'PUBLISHER CREATE OPERATOR',
    'PUBLISHER UPDATE OPERATOR',
    'CURATED_CATEGORY CREATE OPERATOR',
    'CURATED_CATEGORY UPDATE OPERATOR',
    'CURATED_CATEGORY UPDATE OPERATOR',
    'PUBLISHER DELETE OPERATOR',
    'CURATED_CATEGORY DELETE OPERATOR',
  ]);
});
