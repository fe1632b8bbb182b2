/** Faults of the work that calls leave behind: media, scheduled posts and audiences. */
import { createHash } from 'node:crypto';
import { createClient } from '@broadside/client';
import type { FaultRule } from '@broadside/core/resources/control/faults';
import type { TestWorld } from '@broadside/testkit';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { encodeMp4 } from '../../../apps/server/src/media/testing/videos.ts';
import { about } from '../support/scenario.ts';
import { version2 } from '../support/uploads.ts';
import { openWorld } from '../support/world.ts';

const mp4 = encodeMp4({ width: 320, height: 240, seconds: 2 });
let world: TestWorld;
let account_id: string;

beforeAll(async () => {
  world = await openWorld();
  account_id = await world.createAccount();
});
afterAll(() => world.close());
afterEach(() => world.platform.faults.clear());

const inject = (rule: FaultRule) => world.platform.faults.create(rule);
const client = () => {
  const { fetch, wallClock, credentials } = world;
  return createClient(credentials, { fetch, now: () => wallClock.now(), environment: 'sandbox', retry: false });
};

/** Lets time pass, and has what is due then done. */
async function pass(seconds: number): Promise<void> {
  world.clock.advance(seconds * 1000);
  await world.runJobs();
}

async function upload(): Promise<() => Promise<unknown>> {
  const { id } = version2.read(await version2.simple(world, mp4, { media_category: 'post_video' }));
  return async () => version2.read(await version2.status(world, id)).processing_info;
}

test(about('F-MEDIA-FAIL'), async () => {
  const rule = await inject({ effect: { media_processing: { fail: true } }, times: 1 });
  const failing = await upload();
  const other = await upload();
  await pass(0);
  expect(await failing()).toMatchObject({ state: 'failed', error: { code: 3, name: 'InternalError' } });
  expect(await other()).toMatchObject({ state: 'succeeded' });
  expect(rule).toMatchObject({ matched: 1, fired: 1 });
});

test(about('F-MEDIA-LATE'), async () => {
  const late = await inject({ effect: { media_processing: { delay_seconds: 60 } }, times: 1 });
  await inject({
    match: { user: world.user.user_id },
    effect: { media_processing: { delay_seconds: 60, fail: true } },
  });
  const [one, other] = [await upload(), await upload()];
  await pass(59);
  expect([await one(), await other()]).toMatchObject([{ state: 'in_progress' }, { state: 'in_progress' }]);
  await pass(61);
  expect([await one(), await other()]).toMatchObject([{ state: 'succeeded' }, { state: 'failed' }]);
  expect(late.fired).toBe(1);
});

test(about('F-MEDIA-HOLD'), async () => {
  const rule = await inject({ effect: { media_processing: { hold: true } } });
  const { id } = version2.read(await version2.simple(world, mp4, { media_category: 'post_video' }));
  const state = async () => version2.read(await version2.status(world, id)).processing_info;
  await pass(30_000);
  expect(await state()).toMatchObject({ state: 'in_progress' });
  await world.platform.faults.clear();
  await world.reopen();
  await pass(30_000);
  expect(await state()).toMatchObject({ state: 'in_progress' });
  expect(rule).toMatchObject({ matched: 1, fired: 1 });
  const row = await world.platform.media.get(id);
  expect(row && (await world.platform.media.settle(row))).toMatchObject({ state: 'succeeded' });
  expect(await state()).toMatchObject({ state: 'succeeded' });
});

test(about('F-LIFE'), async () => {
  const rule = await inject({
    match: { operation: ['campaigns.list'] },
    effect: { error: 'ACCOUNT_NOT_FOUND' },
    ttl_seconds: 60,
  });
  const list = () => client().campaigns.list({ account_id });
  // The time of the machine does not count.
  world.wallClock.advance(3_600_000);
  await expect(list()).rejects.toMatchObject({ errors: [{ code: 'ACCOUNT_NOT_FOUND' }] });
  await world.advance({ by: 'PT59S' });
  await expect(list()).rejects.toMatchObject({ errors: [{ code: 'ACCOUNT_NOT_FOUND' }] });
  await world.advance({ by: 'PT1S' });
  await list();
  expect(rule).toMatchObject({ matched: 2, fired: 2 });
});

test(about('F-AUDIENCE-SETTLED'), async () => {
  const { id } = await client().custom_audiences.create({ account_id, name: 'released' });
  await pass(10);
  await inject({ effect: { audience_processing: { delay_seconds: 3600 } } });
  const email = [createHash('sha256').update('somebody@example.com').digest('hex')];
  const operations = [{ operation_type: 'Update' as const, params: { users: [{ email }] } }];
  await client().custom_audiences.users({ account_id, custom_audience_id: id, operations });
  await world.platform.processing.settle({ environment: 'sandbox', account_id, id }, 12_345);
  const shown = () => client().custom_audiences.get({ account_id, custom_audience_id: id });
  expect(await shown()).toMatchObject({ targetable: true, reasons_not_targetable: [] });
  await pass(7200);
  expect(await shown()).toMatchObject({ targetable: true, reasons_not_targetable: [], audience_size: 12_000 });
});

test(about('F-MEDIA-OTHERS'), async () => {
  await inject({ match: { user: '1' }, effect: { media_processing: { fail: true } } });
  const state = await upload();
  await pass(0);
  expect(await state()).toMatchObject({ state: 'succeeded' });
});

test(about('F-SCHEDULED'), async () => {
  const user_id = world.user.user_id;
  const scheduled_at = new Date(Math.ceil(world.clock.now() / 60_000 + 5) * 60_000).toISOString();
  const schedule = (text: string) =>
    client().scheduled_posts.create({ account_id, as_user_id: user_id, scheduled_at, text });
  await inject({ match: { account: 'another' }, effect: { scheduled_post: { fail: true } } });
  const rule = await inject({ match: { account: account_id }, effect: { scheduled_post: { fail: true } }, times: 1 });
  const made = [await schedule('The first of two'), await schedule('The second of two')];
  await pass(600);
  const states = await Promise.all(
    made.map(({ id }) => client().scheduled_posts.get({ account_id, scheduled_post_id: id })),
  );
  expect(states.map(({ scheduled_status }) => scheduled_status).sort()).toEqual(['FAILED', 'SUCCESS']);
  const failed = states.find(({ scheduled_status }) => scheduled_status === 'FAILED');
  expect(failed).toMatchObject({ post_id: null, failure: { code: 'INTERNAL_ERROR' } });
  expect(rule).toMatchObject({ fired: 1 });
});

test(about('F-AUDIENCE'), async () => {
  const { id } = await client().custom_audiences.create({ account_id, name: 'late' });
  await pass(10);
  const rule = await inject({
    match: { account: account_id },
    effect: { audience_processing: { delay_seconds: 3600 } },
  });
  const email = [createHash('sha256').update('somebody@example.com').digest('hex')];
  await client().custom_audiences.users({
    account_id,
    custom_audience_id: id,
    operations: [{ operation_type: 'Update', params: { users: [{ email }] } }],
  });
  const reasons = async () =>
    (await client().custom_audiences.get({ account_id, custom_audience_id: id })).reasons_not_targetable;
  await pass(3000);
  expect(await reasons()).toContain('PROCESSING');
  await pass(700);
  expect(await reasons()).not.toContain('PROCESSING');
  expect(rule.fired).toBe(1);
});
