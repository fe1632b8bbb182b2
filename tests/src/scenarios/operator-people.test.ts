/** What the operator does with people, and reads of what was done. Over tRPC, the only adapter of the operator's operations. */
import { createClient } from '@broadside/client';
import { createTrpcClient } from '@broadside/client/trpc';
import { encodeCursor } from '@broadside/core';
import { createWorld, type TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { encodePng } from '../../../apps/server/src/media/testing/images.ts';
import { hashed } from '../support/members.ts';
import { rejection } from '../support/operator-rejection.ts';
import { about } from '../support/scenario.ts';

const TOKEN = 'operator-token-of-at-least-24-characters';
const PASSWORD = 'correct horse battery';
let world: TestWorld;
let serial = 0;
let user: { id: string; screen_name: string };
let other: { id: string; screen_name: string };
let app: { consumer_key: string; consumer_secret: string };

beforeAll(async () => {
  world = await createWorld({ operatorToken: TOKEN });
});
afterAll(() => world[Symbol.asyncDispose]());

beforeEach(async () => {
  const name = `people${serial++}`;
  user = await operator().users.create.mutate({ screen_name: name, password: PASSWORD });
  other = await operator().users.create.mutate({ screen_name: `${name}b`, password: PASSWORD });
  app = await operator().apps.create.mutate({ name, owner_user_id: other.id });
});

function operator() {
  const { credentials, fetch } = world;
  return createTrpcClient({ ads_base_url: credentials.ads_base_url }, { fetch, operatorToken: TOKEN }).admin;
}

async function clientOf(user_id: string) {
  const token = await operator().tokens.create.mutate({ consumer_key: app.consumer_key, user_id });
  const { base_url, ads_base_url, ads_sandbox_base_url } = world.credentials;
  const credentials = { base_url, ads_base_url, ads_sandbox_base_url, ...app, ...token };
  return createClient(credentials, { fetch: world.fetch, now: () => world.wallClock.now(), retry: false });
}

test(about('P-OPERATOR-SUSPEND'), async () => {
  const client = await clientOf(user.id);
  const reader = await clientOf(other.id);
  const { id } = await operator().posts.create.mutate({ user_id: user.id, text: 'Autumn reading is in' });
  const seen = async () => (await reader.posts.lookup({ ids: [id] })).data?.length ?? 0;
  expect(await seen()).toBe(1);
  const session = await world.platform.sessions.begin(user.id);
  const reason = 'Sells what is not theirs';
  expect(await operator().users.suspend.mutate({ user_id: user.id, reason })).toMatchObject({
    id: user.id,
    suspended: true,
    suspended_reason: reason,
    post_count: 1,
  });
  expect(await operator().users.get.query({ user_id: user.id })).toMatchObject({ suspended_reason: reason });
  expect(await rejection(client.accounts.list().then())).toMatchObject([403, expect.anything()]);
  expect(await world.platform.sessions.find(session)).toBeUndefined();
  expect(await seen()).toBe(0);
  expect(await operator().users.restore.mutate({ user_id: user.id })).toMatchObject({
    suspended: false,
    suspended_reason: null,
  });
  expect((await client.accounts.list()).data).toEqual([]);
  expect(await seen()).toBe(1);
  expect(await rejection(operator().users.suspend.mutate({ user_id: '1', reason }))).toEqual([403, 'USER_NOT_FOUND']);
  expect(await rejection(operator().users.restore.mutate({ user_id: '1' }))).toEqual([403, 'USER_NOT_FOUND']);
  expect(await rejection(operator().users.get.query({ user_id: '1' }))).toEqual([403, 'USER_NOT_FOUND']);
});

test(about('P-AUDIT'), async () => {
  const client = await clientOf(user.id);
  const account = await operator().accounts.create.mutate({ user_id: user.id, name: 'A' });
  await client.accounts.update({ account_id: account.id, name: 'B' });
  await operator().users.suspend.mutate({ user_id: user.id, reason: 'One' });
  await operator().users.suspend.mutate({ user_id: user.id, reason: 'Two' });
  const audit = operator().audit;
  const { data } = await audit.query({ entity: 'USER', entity_id: user.id });
  expect(data.map(({ change_type, changes }) => [change_type, changes])).toEqual([
    ['UPDATE', { suspended_reason: { before: 'One', after: 'Two' } }],
    ['UPDATE', { suspended: { before: false, after: true }, suspended_reason: { before: null, after: 'One' } }],
    ['CREATE', {}],
  ]);
  expect(new Set(data.map((entry) => entry.change_by_platform))).toEqual(new Set(['OPERATOR']));
  const byUser = await audit.query({ user_id: user.id });
  expect(byUser.data).toMatchObject([
    { log: 'production', account_id: account.id, entity: 'ACCOUNT', changes: { name: { before: 'A', after: 'B' } } },
  ]);
  const ofAccount = await audit.query({ account_id: account.id });
  expect(ofAccount.data.map(({ entity }) => entity)).toContain('ACCOUNT');
  expect(ofAccount.data.every(({ account_id }) => account_id === account.id)).toBe(true);
  const first = await audit.query({ platform: 'OPERATOR', count: 1 });
  const { next_cursor } = first;
  expect(next_cursor).not.toBeNull();
  const second = await audit.query({ platform: 'OPERATOR', count: 1, cursor: next_cursor ?? '' });
  expect([first, second].map((page) => page.data[0]?.changes['suspended_reason'])).toEqual([
    { before: 'One', after: 'Two' },
    { before: null, after: 'One' },
  ]);
  expect(await rejection(audit.query({ entity_id: user.id }))).toEqual([400, 'INCLUSIVE_PARAMETERS']);
  expect(await rejection(audit.query({ cursor: 'none' }))).toEqual([400, 'INVALID_PARAMETER']);
  const window = { start_time: '2026-01-02T00:00:00Z', end_time: '2026-01-01T00:00:00Z' };
  expect(await rejection(audit.query(window))).toEqual([400, 'INVALID_TIME_WINDOW']);
});

test(about('P-OPERATOR-DELETE'), async () => {
  const client = await clientOf(user.id);
  const reader = await clientOf(other.id);
  const account = await operator().accounts.create.mutate({ user_id: user.id, name: 'A' });
  const { id } = await operator().posts.create.mutate({ user_id: user.id, text: 'Autumn reading is in' });
  const seen = async () => (await reader.posts.lookup({ ids: [id] })).data?.length ?? 0;
  const own = await operator().apps.create.mutate({ name: `${user.screen_name} app`, owner_user_id: user.id });
  const deletion = await operator().users.delete.mutate({ user_id: user.id });
  const delete_at = new Date(world.clock.now() + 30 * 86_400_000).toISOString().replace(/\.\d+Z$/, 'Z');
  expect(deletion).toMatchObject({
    suspended: true,
    delete_at,
    consumer_keys: [own.consumer_key],
    last_admin_of: [{ environment: 'production', account_id: account.id }],
  });
  expect(await rejection(client.accounts.list().then())).toMatchObject([403, expect.anything()]);
  expect(await seen()).toBe(0);
  await operator().users.restore.mutate({ user_id: user.id });
  expect(await seen()).toBe(0);
  expect(await operator().users.cancel_deletion.mutate({ user_id: user.id })).toMatchObject({
    suspended: false,
    delete_at: null,
  });
  expect((await client.accounts.list()).data.map((one) => one.id)).toEqual([account.id]);
  expect(await seen()).toBe(1);
  await operator().access.grant.mutate({ account_id: account.id, user_id: other.id, permissions: ['ACCOUNT_ADMIN'] });
  expect(await operator().users.delete.mutate({ user_id: user.id, grace_days: 0 })).toMatchObject({
    last_admin_of: [],
  });
  await world.platform.jobs.runDue();
  expect(await rejection(operator().users.get.query({ user_id: user.id }))).toEqual([403, 'USER_NOT_FOUND']);
  expect(await rejection(client.accounts.list().then())).toMatchObject([401, expect.anything()]);
  expect(await rejection(operator().apps.get.query({ consumer_key: own.consumer_key }))).toEqual([404, 'NOT_FOUND']);
  expect((await reader.accounts.list()).data.map((one) => one.id)).toEqual([account.id]);
  const again = await operator().users.create.mutate({ screen_name: user.screen_name, password: PASSWORD });
  expect(again.id).not.toBe(user.id);
});

test(about('P-OPERATOR-EXPORT'), async () => {
  const account = await operator().accounts.create.mutate({ user_id: user.id, name: 'A' });
  const client = await clientOf(user.id);
  await client.accounts.update({ account_id: account.id, name: 'B' });
  await operator().users.update.mutate({ user_id: user.id, email: 'nora@example.com' });
  const blob = await world.platform.media.receive(encodePng(5, 5));
  const facts = { owner_user_id: user.id, additional_owners: [], category: undefined, declared: 'image/png' };
  const { media_key } = await world.platform.media.create(facts, blob);
  const { id } = await operator().posts.create.mutate({ user_id: user.id, text: 'One', media_keys: [media_key] });
  const { id: theirs } = await operator().posts.create.mutate({ user_id: other.id, text: 'Two' });
  await operator().posts.like.mutate({ user_id: user.id, post_id: theirs });
  await operator().follows.create.mutate({ user_id: user.id, followed_user_id: other.id });
  const sandbox = await world.createAccount('sandbox');
  const advertiser = world.client();
  const audience = async (name: string, people: string[]) => {
    const { id: custom_audience_id } = await advertiser.custom_audiences.create({ account_id: sandbox, name });
    const users = people.map((person) => ({ platform_id: [hashed(person)] }));
    const operations = [{ operation_type: 'Update' as const, params: { users } }];
    await advertiser.custom_audiences.users({ account_id: sandbox, custom_audience_id, operations });
    return custom_audience_id;
  };
  const readers = await audience('Readers', [other.id, user.id]);
  await audience('Others', [other.id]);
  const records: { part: string; data: Readonly<Record<string, unknown>> }[] = [];
  let cursor: string | undefined;
  do {
    const page = await operator().users.export.query({ user_id: user.id, ...(cursor === undefined ? {} : { cursor }) });
    records.push(...page.data);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  const part = (name: string) => records.filter((record) => record.part === name).map(({ data }) => data);
  expect(records[0]).toMatchObject({ part: 'manifest', data: { user_id: user.id, version: 1 } });
  expect(records.at(-1)).toEqual({ part: 'end', data: {} });
  expect(part('profile')).toMatchObject([{ screen_name: user.screen_name, email: 'nora@example.com' }]);
  expect(part('posts')).toMatchObject([{ id, text: 'One' }]);
  expect(part('likes')).toMatchObject([{ post_id: theirs }]);
  expect(part('following')).toMatchObject([{ followed_id: other.id }]);
  expect(part('accounts')).toMatchObject([{ account_id: account.id, permissions: ['ACCOUNT_ADMIN'] }]);
  expect(part('audiences')).toMatchObject([
    { environment: 'sandbox', account_id: sandbox, type: 'CUSTOM_AUDIENCE', id: readers },
  ]);
  expect(part('access_tokens')).toMatchObject([{ access_level: 'write', revoked_at: null }]);
  expect(part('media')).toMatchObject([{ media_key, width: 5 }]);
  const [bytes] = part('media_bytes');
  expect(Buffer.from(String(bytes?.['base64']), 'base64').equals(encodePng(5, 5))).toBe(true);
  expect(part('changes_by_person')).toMatchObject([{ entity: 'ACCOUNT', entity_id: account.id }]);
  expect(part('changes_of_person').length).toBeGreaterThan(0);
  expect(JSON.stringify(records)).not.toMatch(/argon2|sealed|password_hash|blob_key/);
  expect(records.every(({ data }) => !Object.values(data).includes(other.screen_name))).toBe(true);
  for (const forged of [
    'none',
    encodeCursor({ order: 'export', after: [7n, 'x'] }),
    encodeCursor({ order: 'export', after: [99n, ''] }),
    encodeCursor({ order: 'export', after: [6n, '9:x:y'] }),
  ]) {
    const asked = operator().users.export.query({ user_id: user.id, cursor: forged });
    expect(await rejection(asked)).toEqual([400, 'INVALID_PARAMETER']);
  }
  expect(await rejection(operator().users.export.query({ user_id: '1' }))).toEqual([403, 'USER_NOT_FOUND']);
});

test(about('P-OPERATOR-APPS'), async () => {
  const client = await clientOf(user.id);
  const { consumer_key } = app;
  const { apps } = operator();
  const works = async () => (await rejection(client.accounts.list().then())) === 'no rejection';
  expect(await works()).toBe(true);
  expect(await apps.suspend.mutate({ consumer_key, reason: 'Spam' })).toMatchObject({
    consumer_key,
    suspended: true,
    suspended_reason: 'Spam',
    delete_at: null,
  });
  expect(await works()).toBe(false);
  expect(await apps.restore.mutate({ consumer_key })).toMatchObject({ suspended: false, suspended_reason: null });
  expect(await works()).toBe(true);
  const delete_at = new Date(world.clock.now() + 2 * 86_400_000).toISOString().replace(/\.\d+Z$/, 'Z');
  expect(await apps.delete.mutate({ consumer_key, grace_days: 2 })).toMatchObject({ suspended: true, delete_at });
  expect(await apps.restore.mutate({ consumer_key })).toMatchObject({ suspended: true, delete_at });
  expect(await works()).toBe(false);
  expect(await apps.cancel_deletion.mutate({ consumer_key })).toMatchObject({ suspended: false, delete_at: null });
  expect(await works()).toBe(true);
  const { data: exported } = await apps.export.query({ consumer_key });
  expect(exported).toMatchObject([{ part: 'manifest', data: { format: 'broadside app', consumer_key } }]);
  const parts: { part: string; data: Readonly<Record<string, unknown>> }[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: { data: typeof parts; next_cursor: string | null } = await apps.export.query({
      consumer_key,
      ...(cursor === '' ? {} : { cursor }),
    });
    parts.push(...page.data);
    cursor = page.next_cursor;
  }
  const part = (name: string) => parts.filter((record) => record.part === name).map(({ data }) => data);
  expect(parts.at(-1)).toEqual({ part: 'end', data: {} });
  expect(part('app')).toMatchObject([{ consumer_key, owner_user_id: other.id }]);
  expect(part('access_tokens')).toMatchObject([{ user_id: user.id, access_level: 'write', revoked_at: null }]);
  expect(part('changes_of_app').length).toBeGreaterThan(3);
  expect(JSON.stringify(parts)).not.toMatch(/secret|sealed|token_hash/);
  expect(await rejection(apps.export.query({ consumer_key, cursor: 'none' }))).toEqual([400, 'INVALID_PARAMETER']);
  expect(await rejection(apps.export.query({ consumer_key: 'none' }))).toEqual([404, 'NOT_FOUND']);
  await world.platform.jobs.runDue();
  await apps.delete.mutate({ consumer_key, grace_days: 0 });
  await world.platform.jobs.runDue();
  expect(await rejection(apps.get.query({ consumer_key }))).toEqual([404, 'NOT_FOUND']);
  expect(await rejection(client.accounts.list().then())).toMatchObject([401, expect.anything()]);
  for (const gone of [
    apps.suspend.mutate({ consumer_key, reason: 'Spam' }),
    apps.restore.mutate({ consumer_key }),
    apps.delete.mutate({ consumer_key }),
    apps.cancel_deletion.mutate({ consumer_key }),
  ]) {
    expect(await rejection(gone)).toEqual([404, 'NOT_FOUND']);
  }
  const again = await apps.create.mutate({ name: user.screen_name, owner_user_id: other.id });
  expect(again.consumer_key).not.toBe(consumer_key);
});
