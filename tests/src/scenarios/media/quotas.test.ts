/** What one user may keep in the media store without using it. */
import type { TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorld } from '../../support/world.ts';

let world: TestWorld;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  expect(world.failures).toEqual([]);
  await world.close();
});

const initialize = (total_bytes: number, as = world.user) =>
  world.request({
    listener: 'api',
    method: 'POST',
    path: '/1.1/media/upload.json',
    form: { command: 'INIT', media_type: 'video/mp4', media_category: 'amplify_video', total_bytes },
    as,
  });

const LARGEST = 500 * 1024 * 1024;

test('the announced bytes of unfinished uploads are limited for each user, until they expire', async () => {
  const statuses: number[] = [];
  for (let i = 0; i < 40; i++) statuses.push((await initialize(LARGEST)).status);
  const accepted = Math.floor((16 * 1024 ** 3) / LARGEST);
  expect(statuses).toEqual([...Array(accepted).fill(202), ...Array(40 - accepted).fill(400)]);
  const { text } = await initialize(LARGEST);
  expect(text).toContain(`${16 * 1024 ** 3} bytes for one user`);
  const other = await world.createUser('other');
  expect((await initialize(LARGEST, other)).status).toBe(202);
  world.clock.advance(86_400_000);
  expect((await initialize(LARGEST)).status).toBe(202);
});

test('so is their number', async () => {
  const user = await world.createUser('many');
  for (let i = 0; i < 100; i++) expect((await initialize(1000, user)).status).toBe(202);
  const { status, text } = await initialize(1000, user);
  expect(status).toBe(400);
  expect(text).toContain('100 unfinished uploads');
});
