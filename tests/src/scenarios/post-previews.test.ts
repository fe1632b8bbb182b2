/** Previews of posts: specification B, Post previews. */
import { families } from '@broadside/server';
import type { Answer } from '@broadside/testkit';
import { expect } from 'vitest';
import * as z from 'zod';
import { postBy } from '../fixtures/promoted-posts.ts';
import { type Stage, scenarios } from '../support/scenario.ts';

const scenario = scenarios();

const SERVER = { user_id: null, platform: 'SERVER' } as const;
const Previews = z.array(z.object({ post_id: z.string(), preview: z.string() }));
const FRAME = /^<iframe class='post-preview' src='([^']+)'( [a-z]+='[^'<>]*')*><\/iframe>$/;

type Type = 'DRAFT' | 'PUBLISHED' | 'SCHEDULED';
type Previews = z.output<typeof Previews>;

async function previews(stage: Stage, post_type: Type, ids: readonly (string | bigint)[]): Promise<Previews> {
  return Previews.parse(await stage.ok('post_previews.list', { post_type, post_ids: ids.map(BigInt) }));
}

function addressOf(preview: string): string {
  const [, address = ''] = FRAME.exec(preview) ?? [];
  return address;
}

/** Opens the address of a preview in a browser that is not signed in. */
async function open({ world }: Stage, address: string): Promise<Answer> {
  return world.send('api', { method: 'GET', url: address, headers: {}, body: undefined });
}

/** The address of the preview of one post. */
async function addressFor(stage: Stage, post_type: Type, id: string | bigint): Promise<string> {
  const [found] = await previews(stage, post_type, [id]);
  return addressOf(found?.preview ?? '');
}

let next = 2_000_000_000_000_000_000n;
const content = (stage: Stage, text: string) => ({
  name: null,
  text,
  user_id: stage.user.user_id,
  nullcast: true,
  card_uri: null,
  media_keys: [],
});

/** A draft of an account. @returns its id */
async function draft(stage: Stage, text = 'Not yet', account_id = stage.account_id): Promise<string> {
  const { draftPost } = families.draft_posts;
  const { ads } = stage.world.platform;
  const id = `${++next}`;
  await ads.sandbox
    .account(account_id)
    .write(SERVER, (writer) => writer.of(draftPost).insert(content(stage, text), id));
  return id;
}

/** A scheduled post of an account. @returns its id */
async function scheduled(stage: Stage, text = 'Later', account_id = stage.account_id): Promise<string> {
  const { scheduledPost } = families.scheduled_posts;
  const { ads } = stage.world.platform;
  const id = `${++next}`;
  const fields = {
    ...content(stage, text),
    scheduled_at: '2026-12-24T20:00:00Z',
    scheduled_status: 'SCHEDULED',
    completed_at: null,
    post_id: null,
    failure: null,
    contributor_id: null,
  } as const;
  await ads.sandbox.account(account_id).write(SERVER, (writer) => writer.of(scheduledPost).insert(fields, id));
  return id;
}

scenario('B-PREVIEW-FRAME', async (stage) => {
  const id = await postBy(stage.world, stage.user.user_id);
  const [found, ...others] = await previews(stage, 'PUBLISHED', [id]);
  expect(others).toEqual([]);
  expect(found).toEqual({ post_id: `${id}`, preview: expect.stringMatching(FRAME) });
  const address = new URL(addressOf(found?.preview ?? ''));
  expect(address.origin + address.pathname).toBe(`${stage.world.urls.api}/previews`);
  expect([...address.searchParams.keys()]).toEqual(['data']);
});

scenario('B-PREVIEW-ORDER', async (stage) => {
  const [first, second] = [
    await postBy(stage.world, stage.user.user_id),
    await postBy(stage.world, stage.user.user_id),
  ];
  const [early, late] = [await draft(stage), await draft(stage)];
  const later = await scheduled(stage);
  const ids = async (type: Type, asked: readonly (string | bigint)[]) =>
    (await previews(stage, type, asked)).map(({ post_id }) => post_id);
  const all = [second, late, 1n, first, later, early, 2n ** 63n - 1n];
  expect(await ids('PUBLISHED', all)).toEqual([`${second}`, `${first}`]);
  expect(await ids('DRAFT', all)).toEqual([late, early]);
  expect(await ids('SCHEDULED', all)).toEqual([later]);
  expect(await ids('PUBLISHED', [early])).toEqual([]);
});

scenario('B-PREVIEW-OWN', async (stage) => {
  const { world } = stage;
  const other = await world.createAccount('sandbox');
  expect(await previews(stage, 'DRAFT', [await draft(stage, 'Theirs', other)])).toEqual([]);
  expect(await previews(stage, 'SCHEDULED', [await scheduled(stage, 'Theirs', other)])).toEqual([]);
  const stranger = await world.platform.identity.users.create(SERVER, {
    screen_name: `s${++next}`.slice(-12),
    name: 'Stranger',
    password: null,
  });
  const theirs = await postBy(world, stranger.id);
  expect(await previews(stage, 'PUBLISHED', [theirs])).toEqual([]);
  const { promotableUser } = families.promotable_users;
  await world.platform.ads.sandbox
    .account(stage.account_id)
    .write(SERVER, (writer) =>
      writer.of(promotableUser).insert({ user_id: stranger.id, promotable_user_type: 'REPOSTS_ONLY' }),
    );
  expect(await previews(stage, 'PUBLISHED', [theirs])).toHaveLength(1);
});

scenario('B-PREVIEW-200', async (stage) => {
  const id = await postBy(stage.world, stage.user.user_id);
  const ids = (count: number) => Array.from({ length: count }, (_, index) => BigInt(index + 1));
  expect(await previews(stage, 'PUBLISHED', [...ids(199), id])).toHaveLength(1);
  const outcome = await stage.call('post_previews.list', { post_ids: [...ids(200), id], post_type: 'PUBLISHED' });
  expect(outcome).toMatchObject({ ok: false, errors: [{ code: 'INVALID_PARAMETER', parameter: 'post_ids' }] });
});

scenario('B-PREVIEW-REQUIRED', async (stage) => {
  expect(await stage.rejected('post_previews.list', { post_type: 'DRAFT' })).toMatchObject([
    { code: 'MISSING_PARAMETER', parameter: 'post_ids' },
  ]);
  expect(await stage.rejected('post_previews.list', { post_ids: [1n] })).toMatchObject([
    { code: 'MISSING_PARAMETER', parameter: 'post_type' },
  ]);
  for (const post_type of ['ORGANIC', 'draft', 'ALL']) {
    expect(await stage.rejected('post_previews.list', { post_ids: [1n], post_type })).toMatchObject([
      { code: 'INVALID_PARAMETER', parameter: 'post_type' },
    ]);
  }
});

scenario('B-PREVIEW-ENVELOPE', async (stage) => {
  const id = await postBy(stage.world, stage.user.user_id);
  const { body } = await stage.world.request({
    path: `/12/accounts/${stage.account_id}/post_previews`,
    query: { post_ids: `${id}`, post_type: 'PUBLISHED' },
  });
  expect(Object.keys(z.object({}).loose().parse(body)).sort()).toEqual(['data', 'request']);
});

scenario('B-PREVIEW-SHOWS', async (stage) => {
  const { screen_name } = (await stage.world.platform.identity.users.get(stage.user.user_id)) ?? { screen_name: '' };
  const text = `Look at https://www.example.com/autumn with @${screen_name} #autumn`;
  const shown = {
    DRAFT: ['>Draft<', await draft(stage, text)],
    SCHEDULED: ['24 December 2026, 20:00 UTC', await scheduled(stage, text)],
    PUBLISHED: ['15 January 2026', await postBy(stage.world, stage.user.user_id, text)],
  } as const;
  for (const post_type of ['DRAFT', 'SCHEDULED', 'PUBLISHED'] as const) {
    const [time, id] = shown[post_type];
    const answer = await open(stage, await addressFor(stage, post_type, id));
    expect(answer.status, post_type).toBe(200);
    expect(answer.text).toContain(time);
    expect(answer.text).toContain('href="https://www.example.com/autumn" target="_blank"');
    expect(answer.text).toContain(`<a dir="ltr" href="/${screen_name}">`);
    expect(answer.text).toContain('<bdi class="tag">#autumn</bdi>');
    expect(answer.text.includes('Promoted')).toBe(post_type !== 'PUBLISHED');
    expect(answer.text).not.toMatch(/<form|<script|<button/);
  }
});

scenario('B-PREVIEW-SIGNED', async (stage) => {
  const address = await addressFor(stage, 'DRAFT', await draft(stage, 'A secret of ours'));
  expect((await open(stage, address)).text).toContain('A secret of ours');
  const [payload = '', signature = ''] = address.replace(/^.*data=/, '').split('.');
  const other = Buffer.from(Buffer.from(payload, 'base64url').toString().replace('DRAFT', 'SCHEDULED'));
  for (const data of [
    `${other.toString('base64url')}.${signature}`,
    payload,
    `${payload}.`,
    '',
    'x',
    `${payload}.${signature}x`,
  ]) {
    const answer = await open(stage, `${stage.world.urls.api}/previews?data=${data}`);
    expect(answer, data).toMatchObject({ status: 403, headers: { 'cache-control': 'no-store' } });
    expect(answer.text).toContain('This is not a preview');
  }
  expect((await open(stage, `${stage.world.urls.api}/previews`)).status).toBe(403);
  stage.world.clock.advance(86_399_000);
  expect((await open(stage, address)).status).toBe(200);
  stage.world.clock.advance(1000);
  const late = await open(stage, address);
  expect(late.status).toBe(410);
  expect(late.text).toContain('This preview has expired');
  expect(late.text).not.toContain('A secret of ours');
});

scenario('B-PREVIEW-GONE', async (stage) => {
  const { platform } = stage.world;
  const id = await postBy(stage.world, stage.user.user_id);
  const address = await addressFor(stage, 'PUBLISHED', id);
  await platform.posts.delete(SERVER, `${id}`);
  const { status, text } = await open(stage, address);
  expect(status).toBe(410);
  expect(text).toContain('This post is gone');
  expect(await previews(stage, 'PUBLISHED', [id])).toEqual([]);
});

scenario('B-PREVIEW-SITES', async (stage) => {
  const { platform } = stage.world;
  const app = await platform.identity.apps.byKey(stage.user.consumer_key);
  const address = await addressFor(stage, 'DRAFT', await draft(stage));
  const ancestors = async (at = address) => {
    const { headers } = await open(stage, at);
    return [/frame-ancestors (.*)$/.exec(headers['content-security-policy'] ?? '')?.[1], headers['x-frame-options']];
  };
  expect(await ancestors()).toEqual(['*', undefined]);
  const frame_origins = ['https://desk.example.com', 'http://localhost:3000'];
  await platform.identity.apps.update(SERVER, app?.id ?? '', { frame_origins });
  expect(await ancestors()).toEqual(['https://desk.example.com http://localhost:3000', undefined]);
  await platform.identity.apps.update(SERVER, app?.id ?? '', { frame_origins: [] });
  expect(await ancestors()).toEqual(['*', undefined]);
  expect(await ancestors(`${stage.world.urls.api}/sign-in`)).toEqual(["'none'", 'DENY']);
});
