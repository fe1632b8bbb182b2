import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { World } from '../open-world.ts';
import { KEPT_MS, MOST_KEPT, type Notification } from './notification-store.ts';

let now = Date.UTC(2026, 2, 1);
let world: World;

beforeEach(async () => {
  now = Date.UTC(2026, 2, 1);
  world = await World.open({ dataDirectory: temporaryDirectory(), clock: { now: () => now } });
});
afterEach(() => world.close());

const send = (user_id: string, title = 'A draft') =>
  world.notifications.notifyDraft({ user_id, environment: 'sandbox', account_id: 'abc', draft_post_id: '7', title });

test('a person has their own notifications, the newest first, in pages', async () => {
  for (const title of ['one', 'two', 'three']) await send('1', title);
  await send('2', 'of another');
  const first = await world.notifications.list('1', { limit: 2 });
  expect(first.map(({ title }) => title)).toEqual(['three', 'two']);
  const rest = await world.notifications.list('1', { before: first.at(-1)?.id, limit: 2 });
  expect(rest.map(({ title }) => title)).toEqual(['one']);
});

test('a notification of another person is not there', async () => {
  const { id } = await send('1');
  expect(await world.notifications.get('1', id)).toMatchObject({ draft_post_id: '7', environment: 'sandbox' });
  expect(await world.notifications.get('2', id)).toBeUndefined();
  await world.notifications.markRead('2', id);
  expect(await world.notifications.summary('1')).toEqual({ unread: 1, latest: id });
});

test('what has been read is not counted', async () => {
  const { id } = await send('1');
  const later = await send('1');
  await world.notifications.markRead('1', id);
  expect(await world.notifications.summary('1')).toEqual({ unread: 1, latest: later.id });
  await world.notifications.markRead('1');
  expect(await world.notifications.summary('1')).toEqual({ unread: 0, latest: later.id });
  expect(await world.notifications.summary('2')).toEqual({ unread: 0, latest: 0 });
});

test('what came after one is listed in order, the latest of them', async () => {
  const { id } = await send('1', 'seen');
  for (const title of ['a', 'b', 'c']) await send('1', title);
  const titles = async (limit: number) => (await world.notifications.after('1', id, limit)).map(({ title }) => title);
  expect(await titles(9)).toEqual(['a', 'b', 'c']);
  expect(await titles(2)).toEqual(['b', 'c']);
});

test('a listener hears of its own person until it ends', async () => {
  const heard: Notification[] = [];
  const end = world.notifications.listen('1', (notification) => heard.push(notification));
  await send('2');
  const sent = await send('1', 'heard');
  expect(heard).toEqual([sent]);
  end();
  await send('1');
  expect(heard).toHaveLength(1);
});

test('notifications end after 30 days, and are removed with the next', async () => {
  const { id } = await send('1', 'old');
  now += KEPT_MS;
  expect(await world.notifications.get('1', id)).toBeUndefined();
  expect(await world.notifications.list('1', { limit: 9 })).toEqual([]);
  expect(await world.notifications.summary('1')).toEqual({ unread: 0, latest: 0 });
  await send('2');
  now -= KEPT_MS;
  expect(await world.notifications.get('1', id)).toBeUndefined();
});

test('a person keeps the latest 200', async () => {
  for (let index = 0; index < MOST_KEPT + 2; index++) await send('1', `${index}`);
  await send('2');
  const kept = await world.notifications.list('1', { limit: 1000 });
  expect(kept).toHaveLength(MOST_KEPT);
  expect(kept.at(-1)?.title).toBe('2');
});

test('a title is the first line of a text, cut between characters', async () => {
  expect((await send('1', ' One\nTwo')).title).toBe('One');
  expect((await send('1', '😀'.repeat(100))).title).toBe(`${'😀'.repeat(80)}…`);
  expect((await send('1', '')).title).toBe('');
});
