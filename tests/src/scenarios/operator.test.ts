/** Operations of the operator, and their consequences for users: over tRPC, the only adapter of the operator's operations. */
import { createClient } from '@broadside/client';
import { createTrpcClient } from '@broadside/client/trpc';
import { createWorld, type TestWorld } from '@broadside/testkit';
import { TRPCClientError } from '@trpc/client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rejection } from '../support/operator-rejection.ts';
import { about } from '../support/scenario.ts';

const TOKEN = 'operator-token-of-at-least-24-characters';
let world: TestWorld;
let serial = 0;
let user: { id: string; screen_name: string };
let app: { consumer_key: string; consumer_secret: string };

beforeAll(async () => {
  world = await createWorld({ operatorToken: TOKEN });
});
afterAll(() => world[Symbol.asyncDispose]());

function operator(operatorToken: string = TOKEN) {
  const { credentials, fetch } = world;
  return createTrpcClient({ ads_base_url: credentials.ads_base_url }, { fetch, operatorToken }).admin;
}

/** A client of a new user's token for the app. */
async function clientOf(user_id: string, access_level?: 'read' | 'write') {
  const level = access_level === undefined ? {} : { access_level };
  const token = await operator().tokens.create.mutate({ consumer_key: app.consumer_key, user_id, ...level });
  const { ads_base_url, ads_sandbox_base_url } = world.credentials;
  const credentials = { ads_base_url, ads_sandbox_base_url, ...app, ...token };
  const client = createClient(credentials, { fetch: world.fetch, now: () => world.wallClock.now(), retry: false });
  return { client, token };
}

beforeEach(async () => {
  const name = `op${serial++}`;
  user = await operator().users.create.mutate({ screen_name: name, password: 'correct horse battery' });
  app = await operator().apps.create.mutate({ name, owner_user_id: user.id });
});

describe('the operator', () => {
  test('is nobody without the right token', async () => {
    expect(await rejection(operator('another-token-of-24-characters').users.list.query())).toEqual([
      401,
      'UNAUTHORIZED_ACCESS',
    ]);
    const { client } = await clientOf(user.id);
    const answer = await client.request({ method: 'GET', path: '/trpc/admin.users.list' });
    expect(answer.status).toBe(401);
  });

  test('cannot take a screen name or an app name twice, in any case of letters', async () => {
    const again = operator().users.create.mutate({
      screen_name: user.screen_name.toUpperCase(),
      password: 'correct horse',
    });
    expect(await rejection(again)).toEqual([409, 'ALREADY_EXISTS']);
    const twice = operator().apps.create.mutate({ name: user.screen_name.toUpperCase(), owner_user_id: user.id });
    expect(await rejection(twice)).toEqual([409, 'ALREADY_EXISTS']);
  });

  test('does not receive a wrong password back', async () => {
    const failed = operator().users.create.mutate({ screen_name: 'short', password: 'hunter2' });
    const error = await failed.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TRPCClientError);
    const said = JSON.stringify([String(error), error instanceof TRPCClientError ? error.data : undefined]);
    expect(said).toContain('text of 8 to 200 characters');
    expect(said).not.toContain('hunter2');
  });

  test(about('B-IDENTIFIERS-OPERATOR'), async () => {
    const identifiers = { email: 'nora@example.com', phone_numbers: ['+15005550123'], devices: ['af3802a465767e36'] };
    const updated = await operator().users.update.mutate({ user_id: user.id, ...identifiers });
    expect(updated).toEqual(user);
    const seen = JSON.stringify(await operator().users.list.query());
    expect(seen).toContain(user.screen_name);
    expect(seen).not.toMatch(/nora@|5550123|af3802/);
    const wrong = operator().users.update.mutate({
      user_id: user.id,
      email: 'nora at home',
      phone_numbers: ['5550123'],
      devices: ['nora-telephone'.repeat(10)],
    });
    const error = await wrong.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TRPCClientError);
    const said = JSON.stringify([String(error), error instanceof TRPCClientError ? error.data : undefined]);
    expect(said).not.toMatch(/nora at home|5550123|nora-telephone/);
    expect(await rejection(operator().users.update.mutate({ user_id: user.id, email: 'nora' }))).toEqual([
      400,
      'INVALID_PARAMETER',
    ]);
    await operator().users.update.mutate({ user_id: user.id, email: '', phone_numbers: [], devices: [] });
  });

  test('lists users and apps, the newest first, and never their secrets', async () => {
    const { users, apps } = operator();
    const { data: newest } = await users.list.query({ count: 1 });
    expect(newest).toEqual([user]);
    const screen_name = user.screen_name.toUpperCase();
    expect(await users.list.query({ screen_name })).toMatchObject({ data: newest, next_cursor: null });
    expect((await users.list.query({ screen_name: 'nobody_at_all' })).data).toEqual([]);
    const { data: newestApps } = await apps.list.query({ count: 1 });
    const { consumer_secret: _, ...shown } = app;
    expect(newestApps).toEqual([shown]);
  });

  test('reads users, apps, businesses and publishers a page after the other, each once', async () => {
    const { users, apps, businesses, publishers } = operator();
    for (const name of ['First', 'Second', 'Third']) await businesses.create.mutate({ name });
    type List = (asked: { count: number; cursor?: string }) => Promise<{ data: unknown[]; next_cursor: string | null }>;
    const lists: readonly List[] = [users.list.query, apps.list.query, businesses.list.query, publishers.list.query];
    const cursors: string[] = [];
    for (const list of lists) {
      const { data: all } = await list({ count: 1000 });
      expect(all.length).toBeGreaterThan(2);
      const paged: unknown[] = [];
      let next_cursor: string | null | undefined;
      do {
        const page = await list({ count: 2, ...(next_cursor ? { cursor: next_cursor } : {}) });
        paged.push(...page.data);
        next_cursor = page.next_cursor;
        if (next_cursor !== null) cursors.push(next_cursor);
      } while (next_cursor !== null);
      expect(paged).toEqual(all);
    }
    expect(await rejection(users.list.query({ cursor: cursors.at(-1) ?? '' }))).toEqual([400, 'INVALID_PARAMETER']);
    const [ofUsers = ''] = cursors;
    expect(await rejection(apps.list.query({ cursor: ofUsers }))).toEqual([400, 'INVALID_PARAMETER']);
  });

  test('learns which user or app does not exist', async () => {
    expect(await rejection(operator().apps.create.mutate({ name: 'Nobody', owner_user_id: '1' }))).toEqual([
      403,
      'USER_NOT_FOUND',
    ]);
    expect(await rejection(operator().tokens.create.mutate({ consumer_key: 'none', user_id: user.id }))).toEqual([
      404,
      'NOT_FOUND',
    ]);
    expect(await rejection(operator().accounts.create.mutate({ user_id: '1', name: 'A' }))).toEqual([
      403,
      'USER_NOT_FOUND',
    ]);
    expect(await rejection(operator().accounts.limit.mutate({ account_id: 'none', active_campaigns: 5 }))).toEqual([
      403,
      'ACCOUNT_NOT_FOUND',
    ]);
  });

  test('makes a production account in which its user can run a campaign at once', async () => {
    const account = await operator().accounts.create.mutate({
      user_id: user.id,
      name: 'Harbour Books',
      timezone: 'Europe/Oslo',
    });
    expect(account).toMatchObject({ name: 'Harbour Books', timezone: 'Europe/Oslo', approval_status: 'ACCEPTED' });
    const funding = await operator().funding_instruments.create.mutate({
      account_id: account.id,
      type: 'INSERTION_ORDER',
      currency: 'EUR',
      start_time: '2026-01-01',
      end_time: '2036-01-01',
      funded_amount_local_micro: 9007199254740993n,
      description: 'Order 7',
    });
    expect(funding).toMatchObject({
      description: 'Order 7',
      funded_amount_local_micro: 9007199254740993n,
      able_to_fund: true,
    });
    const { client } = await clientOf(user.id);
    const campaign = await client.campaigns.create({
      account_id: account.id,
      funding_instrument_id: funding.id,
      name: 'First',
    });
    expect(campaign).toMatchObject({ currency: 'EUR', entity_status: 'ACTIVE' });
    expect((await client.accounts.list()).data.map(({ id }) => id)).toEqual([account.id]);
  });

  test('cannot set a time zone that does not exist, or funding that does not fit its type', async () => {
    const zone = operator().accounts.create.mutate({ user_id: user.id, name: 'A', timezone: 'Mars/Olympus' });
    expect(await rejection(zone)).toEqual([400, 'INVALID_PARAMETER']);
    const account = await operator().accounts.create.mutate({ user_id: user.id, name: 'A' });
    const terms = {
      account_id: account.id,
      type: 'INSERTION_ORDER',
      currency: 'USD',
      start_time: '2026-01-01',
    } as const;
    expect(await rejection(operator().funding_instruments.create.mutate(terms))).toEqual([400, 'MISSING_PARAMETER']);
  });

  test('raises the limit of active campaigns of one account, up to 8000', async () => {
    const account = await operator().accounts.create.mutate({ environment: 'sandbox', user_id: user.id, name: 'A' });
    const limit = (active_campaigns: number) =>
      operator().accounts.limit.mutate({ environment: 'sandbox', account_id: account.id, active_campaigns });
    expect(await limit(8000)).toEqual({ account_id: account.id, active_campaigns: 8000 });
    expect(await rejection(limit(8001))).toEqual([400, 'INVALID_PARAMETER']);
    expect(await rejection(limit(0))).toEqual([400, 'INVALID_PARAMETER']);
  });

  test('grants, replaces and revokes what a user may do on an account, from the next request on', async () => {
    const account = await operator().accounts.create.mutate({ user_id: user.id, name: 'A' });
    const other = await operator().users.create.mutate({ screen_name: `guest${serial}`, password: 'correct horse' });
    const { client } = await clientOf(other.id);
    const { id: account_id } = account;
    const list = async () => (await client.campaigns.list({ account_id })).data;
    const rename = () => client.accounts.update({ account_id, name: 'B' });
    expect(await rejection(list())).toEqual([403, 'ACCOUNT_NOT_FOUND']);
    await operator().access.grant.mutate({ account_id, user_id: other.id, permissions: ['CAMPAIGN_ANALYST'] });
    expect(await list()).toEqual([]);
    expect(await rejection(rename())).toEqual([403, 'ACTION_NOT_ALLOWED']);
    await operator().access.grant.mutate({ account_id, user_id: other.id, permissions: ['ACCOUNT_ADMIN'] });
    expect((await rename()).name).toBe('B');
    const revoke = () => operator().access.revoke.mutate({ account_id, user_id: other.id });
    expect((await revoke()).revoked).toBe(true);
    expect(await rejection(list())).toEqual([403, 'ACCOUNT_NOT_FOUND']);
    expect((await revoke()).revoked).toBe(false);
  });

  test('gives POST_COMPOSER only beside a permission that it adds to', async () => {
    const { id: account_id } = await operator().accounts.create.mutate({ user_id: user.id, name: 'A' });
    const grant = (permissions: ('POST_COMPOSER' | 'ANALYST' | 'CREATIVE_MANAGER')[]) =>
      operator().access.grant.mutate({ account_id, user_id: user.id, permissions });
    expect(await rejection(grant(['POST_COMPOSER']))).toEqual([400, 'INCLUSIVE_PARAMETERS']);
    expect(await rejection(grant(['POST_COMPOSER', 'ANALYST']))).toEqual([400, 'INCLUSIVE_PARAMETERS']);
    expect((await grant(['POST_COMPOSER', 'CREATIVE_MANAGER'])).permissions).toEqual([
      'POST_COMPOSER',
      'CREATIVE_MANAGER',
    ]);
  });

  test('issues tokens that read only, and revokes tokens from the next request on', async () => {
    const account = await operator().accounts.create.mutate({ user_id: user.id, name: 'A' });
    const { client, token } = await clientOf(user.id, 'read');
    expect(token.access_level).toBe('read');
    expect((await client.accounts.get({ account_id: account.id })).name).toBe('A');
    const write = client.accounts.update({ account_id: account.id, name: 'B' });
    expect(await rejection(write)).toEqual([403, 'READONLY_CLIENT_APPLICATION']);
    const { access_token } = token;
    expect(await operator().tokens.revoke.mutate({ access_token })).toEqual({ access_token });
    expect(await rejection(client.accounts.get({ account_id: account.id }))).toEqual([401, 89]);
    expect(await rejection(operator().tokens.revoke.mutate({ access_token }))).toEqual([404, 'NOT_FOUND']);
  });

  test('never gives a token more than its app may do', async () => {
    const reader = await operator().apps.create.mutate({
      name: `r${serial}`,
      owner_user_id: user.id,
      access_level: 'read',
    });
    const token = await operator().tokens.create.mutate({
      consumer_key: reader.consumer_key,
      user_id: user.id,
      access_level: 'write',
    });
    expect(token.access_level).toBe('read');
  });
});
