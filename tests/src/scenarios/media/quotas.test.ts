/** Quotas of one user in the media store: uploads that nothing uses. */
import type { TestUser, TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { libraryMediaOf, uploadedFile } from '../../support/library.ts';
import { openWorld } from '../../support/world.ts';

let world: TestWorld;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  expect(world.failures).toEqual([]);
  await world.close();
});

const initialize = (total_bytes: number, as = world.user, where = world) =>
  where.request({
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

test('media that nothing uses are limited too, but not those that are used or expired', async () => {
  await using small = await openWorld({ quotas: { unused_media: 2 } });
  const upload = (as: TestUser = small.user) => uploadedFile(small, 'small_image', { owner_user_id: as.user_id });
  await libraryMediaOf(small, await small.createAccount(), 'small_image');
  await upload();
  await upload();
  await expect(upload()).rejects.toThrow('You have 2 media that nothing uses');
  const answer = await initialize(1000, small.user, small);
  expect(answer.status).toBe(400);
  expect(answer.text).toContain(
    'You have 2 media that nothing uses, the most that one user may have; finish or use some',
  );
  await upload(await small.createUser('other'));
  small.clock.advance(86_400_000);
  await upload();
});

test('the figure for bytes counts the announced ones and those that are there', async () => {
  await using small = await openWorld({ quotas: { unused_media_bytes: 10_000, unfinished_uploads: 2 } });
  expect((await initialize(6000, small.user, small)).status).toBe(202);
  const { text } = await initialize(4001, small.user, small);
  expect(text).toContain('Media that nothing uses may have 10000 bytes for one user, and you have 6000');
  expect((await initialize(4000, small.user, small)).status).toBe(202);
  expect((await initialize(1, small.user, small)).text).toContain('You have 2 unfinished uploads');
});
