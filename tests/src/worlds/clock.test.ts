import path from 'node:path';
import type { Credentials } from '@broadside/server';
import Sqlite from 'libsql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { about } from '../support/scenario.ts';
import { ServedWorlds } from './served-worlds.ts';

const served = new ServedWorlds();
beforeAll(() => served.start());
afterAll(() => served[Symbol.asyncDispose]());

const DAY_MS = 86_400_000;
const timestamp = (ms: number) => `${new Date(ms).toISOString().slice(0, 16)}:00Z`;

/** A world of its own, with the path of its clock. */
async function world(): Promise<{ readonly clock: string; readonly credentials: Credentials }> {
  const { body } = await served.control('POST', '/worlds', { from: { demo: true } });
  return { clock: `/worlds/${body.data.id}/clock`, credentials: body.data.credentials };
}

async function stateOf(clock: string) {
  return (await served.control('GET', clock)).body.data;
}

test(about('W-CLOCK-MACHINE'), async () => {
  const { clock } = await world();
  const before = Date.now();
  const state = await stateOf(clock);
  expect(state).toMatchObject({ rate: 1, frozen: false, limits: 'wall', follows_machine: true, advancing: false });
  expect(Date.parse(state.now)).toBeGreaterThanOrEqual(before);
  expect(Date.parse(state.now)).toBeLessThanOrEqual(Date.now());
  const { body } = await served.control('PUT', clock, { rate: 60 });
  expect(body.data).toMatchObject({ rate: 60, follows_machine: false });
});

test(about('W-CLOCK-ORDER'), async () => {
  const { clock, credentials } = await world();
  const client = served.client(credentials);
  const { sandbox_account_id: account_id, user_id: as_user_id } = credentials;
  await served.control('PUT', clock, { frozen: true });
  const now = Date.parse((await stateOf(clock)).now);
  const schedule = (days: number, text: string) =>
    client.scheduled_posts.create({ account_id, as_user_id, text, scheduled_at: timestamp(now + days * DAY_MS) });
  const [late, early] = [await schedule(2, 'the day after'), await schedule(1, 'tomorrow')];
  const { body } = await served.control('POST', `${clock}/advance`, { by: 'P10D' });
  const at = (post: { readonly scheduled_at: string }) => post.scheduled_at.replace('Z', '.000Z');
  const posted = { what: 'SCHEDULED_POST_PUBLISHED', account_id, environment: 'sandbox' };
  expect(body.data.happened.filter(({ what }: { what: string }) => what === posted.what)).toEqual([
    { ...posted, at: at(early), id: early.id },
    { ...posted, at: at(late), id: late.id },
  ]);
  expect(Date.parse(body.data.now) - Date.parse(body.data.from)).toBe(10 * DAY_MS);
  expect(body.data.total).toBe(body.data.happened.length);
  const published = await client.scheduled_posts.get({ account_id, scheduled_post_id: early.id });
  expect(published).toMatchObject({ scheduled_status: 'SUCCESS', completed_at: early.scheduled_at });
});

test(about('W-CLOCK-NEXT'), async () => {
  const { clock, credentials } = await world();
  const client = served.client(credentials);
  const account_id = credentials.sandbox_account_id;
  await served.control('PUT', clock, { frozen: true });
  await served.control('POST', `${clock}/advance`, { by: 'P1D' });
  const { now } = await stateOf(clock);
  const audience = await client.custom_audiences.create({ account_id, name: 'Readers' });
  const { body } = await served.control('POST', `${clock}/advance`, { next: true });
  expect(body.data.happened).toEqual([
    { at: body.data.now, what: 'AUDIENCE_PROCESSED', id: audience.id, account_id, environment: 'sandbox' },
  ]);
  expect(Date.parse(body.data.now) - Date.parse(now)).toBe(1_000);
});

test(about('W-CLOCK-FORWARD'), async () => {
  const { clock } = await world();
  const wrong = async (
    method: string,
    path: string,
    body: object,
    parameter: string,
    message: RegExp,
    code?: string,
  ) => {
    const answer = await served.control(method, path, body);
    expect([answer.status, answer.body.errors?.[0]]).toEqual([
      400,
      expect.objectContaining({
        code: code ?? 'INVALID_PARAMETER',
        parameter,
        message: expect.stringMatching(message),
      }),
    ]);
  };
  const before = await stateOf(clock);
  await wrong('PUT', clock, { now: '2020-01-01T00:00:00Z' }, 'now', /not before the world’s.*never goes back/);
  await wrong('PUT', clock, { now: 'tomorrow' }, 'now', /such as 2026-01-15T08:00:00Z/);
  await wrong('PUT', clock, { rate: 0 }, 'rate', /a number from 0.001 to 86400/);
  await wrong('PUT', clock, { limits: 'mine' }, 'limits', /one of wall, world/);
  await wrong('PUT', clock, { speed: 2 }, 'speed', /unknown|not a parameter/i);
  const advance = `${clock}/advance`;
  await wrong('POST', advance, {}, 'by', /"by".*"to".*"next"/, 'MISSING_PARAMETER');
  await wrong('POST', advance, { by: '90 days' }, 'by', /P90D/);
  await wrong('POST', advance, { by: 'P20Y' }, 'by', /at most 3660 days/);
  await wrong('POST', advance, { to: '2200-01-01T00:00:00Z' }, 'to', /until 2100-01-01/);
  await wrong('POST', advance, { by: 'P1D', next: true }, 'next', /by.*next|next.*by/, 'EXCLUSIVE_PARAMETERS');
  expect(await stateOf(clock), 'nothing was changed').toMatchObject({ ...before, now: expect.any(String) });
  expect((await served.control('GET', '/worlds/wnothing/clock')).status).toBe(404);
});

test(about('W-CLOCK-OWN'), async () => {
  const [one, other] = [await world(), await world()];
  await served.control('PUT', one.clock, { now: '2030-01-01T00:00:00Z', frozen: true, limits: 'world' });
  expect(await stateOf(other.clock)).toMatchObject({ follows_machine: true });
  const set = await stateOf(one.clock);
  expect(set).toMatchObject({ now: '2030-01-01T00:00:00.000Z', frozen: true, limits: 'world' });
  await served.start();
  expect(await stateOf(one.clock)).toEqual(set);
  expect(await stateOf(other.clock)).toMatchObject({ follows_machine: true });
  // Requests are signed by the machine's time, and what they write has the world's.
  const client = served.client(one.credentials);
  const account_id = one.credentials.sandbox_account_id;
  const audience = await client.custom_audiences.create({ account_id, name: 'Later' });
  expect(audience.created_at).toBe('2030-01-01T00:00:00Z');
});

test(about('W-CLOCK-RESTORED'), async () => {
  const { clock } = await world();
  const place = clock.replace(/\/clock$/, '');
  await served.control('PUT', clock, { rate: 60 });
  const { body } = await served.control('POST', `${place}/snapshots`, {});
  const snapshot_id = body.data.id;
  const { now } = await stateOf(clock);
  await served.control('PUT', clock, { frozen: true });
  await served.control('POST', `${clock}/advance`, { by: 'P400D' });
  expect((await served.control('POST', `${place}/restore`, { snapshot_id })).status).toBe(200);
  const restored = await stateOf(clock);
  expect(restored).toMatchObject({ rate: 60, frozen: false });
  expect(Date.parse(restored.now) - Date.parse(now)).toBeLessThan(DAY_MS);
  const { dataDirectory } = served.server.world;
  const wallOf = (directory: string) => {
    const store = new Sqlite(path.join(directory, 'platform.db'), { readonly: true });
    try {
      return Number(store.prepare('SELECT wall_ms FROM world_time').pluck().all()[0]);
    } finally {
      store.close();
    }
  };
  // The time at which it goes on, rather than the one at which the snapshot was taken.
  const taken = wallOf(path.join(dataDirectory, 'snapshots', place.slice('/worlds/'.length), snapshot_id));
  expect(wallOf(path.join(dataDirectory, place))).toBeGreaterThan(taken);
});

test(about('W-CLOCK-TURN'), async () => {
  const { clock, credentials } = await world();
  const client = served.client(credentials);
  const account_id = credentials.sandbox_account_id;
  const audience = await client.custom_audiences.create({ account_id, name: 'Readers' });
  // From its first members on, those that have expired are removed every day.
  const params = { users: [{ partner_user_id: ['1'] }] };
  const operations = [{ operation_type: 'Update' as const, params }];
  await client.custom_audiences.users({ account_id, custom_audience_id: audience.id, operations });
  let isDone = false;
  const advance = served.control('POST', `${clock}/advance`, { by: 'P200D' }).finally(() => {
    isDone = true;
  });
  let seen = Date.parse((await stateOf(clock)).now);
  const times = new Set<number>();
  while (!isDone) {
    const now = Date.parse((await stateOf(clock)).now);
    expect(now).toBeGreaterThanOrEqual(seen);
    seen = now;
    times.add(now);
  }
  expect((await advance).body.data).toMatchObject({ complete: true });
  // Requests had their turn between jobs, and saw the times at which the clock stood.
  expect(times.size).toBeGreaterThan(3);
});
