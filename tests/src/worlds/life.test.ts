/** How worlds begin, are copied and end, as those see it who control them. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Credentials } from '@broadside/server';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { about } from '../support/scenario.ts';
import { type ControlAnswer, ServedWorlds } from './served-worlds.ts';

const served = new ServedWorlds();

beforeAll(async () => {
  await served.start();
}, 120_000);
afterAll(() => served[Symbol.asyncDispose]());

interface Made {
  readonly id: string;
  readonly credentials: Credentials;
}

/** Does something that must succeed. @returns its data */
async function ok(method: string, target: string, body?: unknown) {
  const answer = await served.control(method, target, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
}

const create = (body: object = {}): Promise<Made> => ok('POST', '/worlds', body);

async function createCampaign(credentials: Credentials, name: string) {
  const client = served.client(credentials);
  const account_id = credentials.sandbox_account_id;
  const { data } = await client.funding_instruments.list({ account_id });
  const funding_instrument_id = data[0]?.id ?? '';
  return client.campaigns.create({
    account_id,
    funding_instrument_id,
    name,
    daily_budget_amount_local_micro: 1_000_000n,
  });
}

async function names(credentials: Credentials): Promise<readonly string[]> {
  const { data } = await served.client(credentials).campaigns.list({ account_id: credentials.sandbox_account_id });
  return data.map(({ name }) => name).sort();
}

/** Members of credentials with which programs prove who they are. The password is content of the world, as its user is. */
const secrets = [
  'consumer_key',
  'consumer_secret',
  'access_token',
  'access_token_secret',
  'bearer_token',
] as const satisfies readonly (keyof Credentials)[];

/** Expects of two worlds that none of the keys of one is one of the other. */
function expectOtherKeys(one: Credentials, other: Credentials): void {
  const shared = secrets.filter((member) => one[member] === other[member]);
  expect(shared).toEqual([]);
}

async function stateOf(id: string): Promise<string> {
  return (await ok('GET', '/worlds')).find((world: { readonly id: string }) => world.id === id).state;
}

test(about('W-CREATE'), async () => {
  const { credentials } = await create();
  await createCampaign(credentials, 'Copied');
  const { id: world } = await create({ from: { demo: true } });
  const { id: snapshot } = await ok('POST', `/worlds/${world}/snapshots`, {});
  const user = { screen_name: 'ada', name: 'Ada' };
  const beginnings = [
    [{ demo: true }, { origin: 'DEMO', origin_id: null }],
    [{ empty: true }, { origin: 'EMPTY', origin_id: null, credentials: null }],
    [{ seed: { users: [user] } }, { origin: 'SEED', origin_id: null }],
    [{ generate: { users: 3, posts: 5 } }, { origin: 'GENERATED', origin_id: null }],
    [{ world }, { origin: 'WORLD', origin_id: world }],
    [{ snapshot }, { origin: 'SNAPSHOT', origin_id: snapshot }],
  ] as const;
  const pageOf = (id: string, name: string) => fetch(`${served.server.urls.api}/~${id}/${name}`);
  for (const [from, expected] of beginnings) {
    const made = await create({ from, name: 'autumn' });
    expect(made).toMatchObject({ name: 'autumn', ...expected });
    expect(await ok('GET', `/worlds/${made.id}`)).toEqual(made);
    // Who is there: the person of the file, and the user of the demo.
    expect((await pageOf(made.id, 'ada')).status).toBe('seed' in from ? 200 : 404);
    expect((await pageOf(made.id, credentials.screen_name)).status).toBe('empty' in from ? 404 : 200);
  }
});

test(about('W-CREATE-CREDENTIALS'), async () => {
  const own = (await ok('GET', '/worlds/default')).credentials;
  const { id, credentials } = await create();
  expect(Object.keys(credentials).sort()).toEqual(Object.keys(own).sort());
  expect(credentials.consumer_key.startsWith(id)).toBe(true);
  expectOtherKeys(own, credentials);
  await createCampaign(credentials, 'Own');
  expect(await names(credentials)).toContain('Own');
  expect(await names(own)).not.toContain('Own');
  const posts = await fetch(`${credentials.base_url}/2/posts?ids=${credentials.post_ids[0]}`, {
    headers: { authorization: `Bearer ${credentials.bearer_token}` },
  });
  expect(await posts.json()).toMatchObject({ data: [{ id: credentials.post_ids[0] }] });
});

test(about('W-SEED'), async () => {
  const worlds = [await create({ seed: 'rain' }), await create({ seed: 'rain' })] as const;
  const [one, other] = worlds;
  expectOtherKeys(one.credentials, other.credentials);
  const ids = ({ credentials }: Made) => {
    const { user_id, account_id, sandbox_account_id, post_ids } = credentials;
    return { user_id, account_id, sandbox_account_id, post_ids };
  };
  expect(ids(one)).toEqual(ids(other));
  const first = await createCampaign(one.credentials, 'First');
  expect(await createCampaign(other.credentials, 'First')).toEqual(first);
  // One of them goes on as a fork, the other after a restore.
  const fork: Made = await ok('POST', `/worlds/${one.id}/fork`, {});
  const { id: snapshot_id } = await ok('POST', `/worlds/${other.id}/snapshots`, {});
  await ok('POST', `/worlds/${other.id}/restore`, { snapshot_id });
  const second = await createCampaign(one.credentials, 'Second');
  expect(await createCampaign(fork.credentials, 'Second')).toEqual(second);
  expect(await createCampaign(other.credentials, 'Second')).toEqual(second);
  const strange = await create({ seed: 'snow' });
  expect(ids(strange)).not.toEqual(ids(one));
});

type Cookies = Readonly<Record<string, string>>;

/** Asks for a page, or sends its form. */
function page(place: string, cookies: Cookies = {}, form?: Readonly<Record<string, string>>): Promise<Response> {
  const cookie = Object.entries(cookies).map((pair) => pair.join('='));
  return fetch(`${served.server.urls.api}${place}`, {
    headers: { cookie: cookie.join('; ') },
    redirect: 'manual',
    ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
  });
}

function cookiesOf(answer: Response): Cookies {
  const pairs = answer.headers.getSetCookie().map((cookie) => /^([^=]+)=([^;]*)/.exec(cookie) ?? []);
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value]));
}

/** Signs the user of a world in. @returns the session */
async function signIn(id: string, { screen_name, password }: Credentials): Promise<string> {
  const place = `/~${id}/sign-in`;
  const shown = await page(place);
  const hidden = (await shown.text()).matchAll(/name="(\w+)" value="([^"]*)"/g);
  const fields = Object.fromEntries([...hidden].map(([, name = '', value = '']) => [name, value]));
  const signedIn = await page(place, cookiesOf(shown), { ...fields, screen_name, password });
  return cookiesOf(signedIn)[`broadside_session_${id}`] ?? '';
}

test(about('W-FORK-KEYS'), async () => {
  const { id, credentials } = await create();
  const session = await signIn(id, credentials);
  const fork: Made = await ok('POST', `/worlds/${id}/fork`, {});
  expectOtherKeys(credentials, fork.credentials);
  expect({
    ...fork.credentials,
    ...Object.fromEntries(secrets.map((member) => [member, credentials[member]])),
  }).toEqual(credentials);
  await createCampaign(fork.credentials, 'In the fork');
  // The keys of the source lead to the source.
  expect(await names(credentials)).not.toContain('In the fork');
  const { access_token, access_token_secret } = credentials;
  await expect(names({ ...fork.credentials, access_token, access_token_secret })).rejects.toMatchObject({
    status: 401,
  });
  // A session that was open is one of the source alone.
  const statusOf = (world: string) => page(`/~${world}/settings`, { [`broadside_session_${world}`]: session });
  expect((await statusOf(id)).status).toBe(200);
  expect((await statusOf(fork.id)).headers.get('location')).toBe(`/~${fork.id}/sign-in`);
});

test(about('W-RESTORE-KEYS'), async () => {
  const { id, credentials } = await create();
  await createCampaign(credentials, 'Before');
  const client = served.client(credentials);
  const { id: snapshot_id } = await ok('POST', `/worlds/${id}/snapshots`, {});
  await createCampaign(credentials, 'After');
  const restored = await ok('POST', `/worlds/${id}/restore`, { snapshot_id });
  expect(restored).toMatchObject({ id, credentials });
  expect(await names(credentials)).toContain('Before');
  expect(await names(credentials)).not.toContain('After');
  // A client from before, and the bearer token.
  expect((await client.accounts.list()).data.map(({ id: account }) => account)).toContain(
    credentials.sandbox_account_id,
  );
  const posts = `${credentials.base_url}/2/posts?ids=${credentials.post_ids[0]}`;
  expect((await fetch(posts, { headers: { authorization: `Bearer ${credentials.bearer_token}` } })).status).toBe(200);
});

test(about('W-RESET'), async () => {
  const { id, credentials } = await create();
  const began = await names(credentials);
  await createCampaign(credentials, 'One');
  const { id: snapshot_id } = await ok('POST', `/worlds/${id}/snapshots`, {});
  await createCampaign(credentials, 'Two');
  expect(await ok('POST', `/worlds/${id}/reset`, {})).toMatchObject({ id, credentials });
  expect(await names(credentials)).toEqual(began);
  expect(await ok('POST', `/worlds/${id}/reset`, { snapshot_id })).toMatchObject({ id, credentials });
  expect(await names(credentials)).toEqual([...began, 'One'].sort());
});

test(about('W-SNAPSHOT'), async () => {
  const { id, credentials } = await create();
  const began = await names(credentials);
  const snapshot = await ok('POST', `/worlds/${id}/snapshots`, { name: 'prepared' });
  for (const name of ['One', 'Two']) await createCampaign(credentials, name);
  expect(await ok('GET', `/worlds/${id}/snapshots`)).toEqual([snapshot]);
  expect(snapshot).toMatchObject({ world_id: id, name: 'prepared' });
  expect(await names((await create({ from: { snapshot: snapshot.id } })).credentials)).toEqual(began);
  expect(await names(credentials)).toEqual([...began, 'One', 'Two'].sort());
  await ok('DELETE', `/worlds/${id}/snapshots/${snapshot.id}`);
  expect(await ok('GET', `/worlds/${id}/snapshots`)).toEqual([]);
  const { status, body } = await served.control('POST', `/worlds/${id}/restore`, { snapshot_id: snapshot.id });
  expect([status, body.errors[0].code]).toEqual([404, 'SNAPSHOT_NOT_FOUND']);
});

test(about('W-DELETE'), async () => {
  const { id, credentials } = await create();
  await ok('POST', `/worlds/${id}/snapshots`, {});
  await names(credentials);
  await ok('DELETE', `/worlds/${id}`);
  expect((await served.control('GET', `/worlds/${id}`)).body.errors[0].code).toBe('WORLD_NOT_FOUND');
  for (const place of ['worlds', 'snapshots']) expect(existsSync(path.join(served.directory, place, id))).toBe(false);
  await expect(names(credentials)).rejects.toMatchObject({ status: 401 });
  expect((await served.control('DELETE', '/worlds/default')).body.errors[0].code).toBe('WORLD_PERMANENT');
});

test(about('W-TTL'), async () => {
  const { id: lasting } = await create();
  const brief = await ok('POST', '/worlds', { ttl_seconds: 1 });
  expect(Date.parse(brief.expires_at) - Date.parse(brief.created_at)).toBe(1000);
  const statusOf = async () => (await served.control('GET', `/worlds/${brief.id}`)).status;
  await expect.poll(statusOf, { timeout: 60_000 }).toBe(404);
  await expect.poll(() => existsSync(path.join(served.directory, 'worlds', brief.id)), { timeout: 60_000 }).toBe(false);
  expect((await ok('GET', `/worlds/${lasting}`)).id).toBe(lasting);
}, 150_000);

test(about('W-OPEN'), async () => {
  const { id, credentials } = await create();
  await createCampaign(credentials, 'Kept');
  expect(await stateOf(id)).toBe('OPEN');
  await served.start();
  expect(await stateOf(id)).toBe('CLOSED');
  const { credentials: now } = await ok('GET', `/worlds/${id}`);
  expect(await stateOf(id)).toBe('CLOSED');
  expect(await names(now)).toContain('Kept');
  expect(await stateOf(id)).toBe('OPEN');
});

/** Sends bytes as a file to import. */
async function upload(to: ServedWorlds, bytes: Uint8Array<ArrayBuffer>): Promise<ControlAnswer> {
  const answer = await fetch(`${to.server.controlUrl}/worlds/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${to.token}`, 'content-type': 'application/vnd.broadside.world' },
    body: bytes,
  });
  return { status: answer.status, body: await answer.json() };
}

async function exported(id: string): Promise<Uint8Array<ArrayBuffer>> {
  const answer = await fetch(`${served.server.controlUrl}/worlds/${id}/export`, {
    headers: { authorization: `Bearer ${served.token}` },
  });
  expect(answer.status).toBe(200);
  return new Uint8Array(await answer.arrayBuffer());
}

test(about('W-EXPORT'), async () => {
  const { id, credentials } = await create({ name: 'moved' });
  await createCampaign(credentials, 'Packed');
  const other = await new ServedWorlds().start();
  onTestFinished(() => other[Symbol.asyncDispose]());
  const { status, body } = await upload(other, await exported(id));
  expect(status).toBe(200);
  const made = body.data;
  expect(made).toMatchObject({ name: 'moved', origin: 'IMPORT' });
  expectOtherKeys(credentials, made.credentials);
  const { user_id, account_id, sandbox_account_id, post_ids } = credentials;
  expect(made.credentials).toMatchObject({ user_id, account_id, sandbox_account_id, post_ids });
  const { data } = await other.client(made.credentials).campaigns.list({ account_id: sandbox_account_id });
  expect(data.map(({ name }) => name).sort()).toEqual(await names(credentials));
}, 120_000);

test(about('W-IMPORT-WRONG'), async () => {
  const { id } = await create();
  const bytes = await exported(id);
  const worlds = () => readdirSync(path.join(served.directory, 'worlds')).sort();
  const before = worlds();
  const changed = bytes.slice();
  const middle = changed.length >> 1;
  changed[middle] = 255 - (changed[middle] ?? 0);
  for (const wrong of [bytes.slice(0, -100), changed, new TextEncoder().encode('no world')]) {
    const { status, body } = await upload(served, wrong);
    expect([status, body.errors[0].code]).toEqual([400, 'INVALID_PARAMETER']);
  }
  expect(worlds()).toEqual(before);
});
