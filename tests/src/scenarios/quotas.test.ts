/** Quotas of an account: exact whatever happens at once. Our choice (ADR 0003). */
import type { TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { minutesAhead, fixture as scheduling } from '../fixtures/scheduled-posts.ts';
import { newText } from '../support/drafting.ts';
import { createLineItem } from '../support/hierarchy.ts';
import { createAccountFixture, openWorld } from '../support/world.ts';

let world: TestWorld;
beforeAll(async () => {
  world = await openWorld({
    quotas: { custom_audiences: 3, draft_posts: 3, scheduled_posts: 1, targeting_criteria: 2, poll_cards: 0 },
  });
});
afterAll(async () => {
  expect(world.failures).toEqual([]);
  await world.close();
});

const draft = (account_id: string) =>
  world.request({
    method: 'POST',
    path: `/12/accounts/${account_id}/draft_posts`,
    form: { as_user_id: world.user.user_id, text: newText() },
  });

test('of creations at the same moment as many succeed as there is room for', async () => {
  const account_id = await world.createAccount();
  const answers = await Promise.all(Array.from({ length: 8 }, () => draft(account_id)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 400, 400, 400, 400, 400]);
  expect(answers.find(({ status }) => status === 400)?.body).toMatchObject({
    errors: [{ code: 'QUOTA_EXCEEDED', message: 'The account has 3 draft posts, and may have up to 3; delete some' }],
  });
  const other = await world.createAccount();
  expect((await draft(other)).status, 'another account has room of its own').toBe(200);
});

test('what is deleted makes room', async () => {
  const account_id = await world.createAccount();
  const { draft_posts } = world.client();
  const post = { account_id, as_user_id: world.user.user_id };
  const made = [];
  for (let i = 0; i < 3; i++) made.push(await draft_posts.create({ ...post, text: newText() }));
  await draft_posts.delete({ account_id, draft_post_id: made[0]?.id ?? '' });
  const answers = await Promise.all([draft(account_id), draft(account_id)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
});

test('what is hidden with its deleted parent does not count', async () => {
  const fixture = await createAccountFixture(world);
  const { account_id } = fixture;
  const { targeting_criteria, line_items } = world.client();
  const add = (line_item_id: string, targeting_value: string) =>
    targeting_criteria.create({ account_id, line_item_id, targeting_type: 'INTEREST', targeting_value });
  await Promise.all([add(fixture.line_item_id, '1001'), add(fixture.line_item_id, '1002')]);
  await expect(add(fixture.line_item_id, '1003')).rejects.toThrow('QUOTA_EXCEEDED');
  const line_item_id = await createLineItem(world, fixture, {});
  await line_items.delete({ account_id, line_item_id: fixture.line_item_id });
  await add(line_item_id, '1003');
});

test('a batch that has no room for all of its items adds none, and names those without room', async () => {
  const { account_id, line_item_id } = await createAccountFixture(world);
  const operations = ['1001', '1002', '1003', '1004'].map((targeting_value) => ({
    operation_type: 'Create',
    params: { line_item_id, targeting_type: 'INTEREST', targeting_value },
  }));
  const path = `/12/batch/accounts/${account_id}/targeting_criteria`;
  const answer = await world.request({ method: 'POST', path, json: operations });
  const full = [{ code: 'QUOTA_EXCEEDED' }];
  expect(answer).toMatchObject({ status: 400, body: { operation_errors: [[], [], full, full] } });
  expect((await world.request({ method: 'POST', path, json: operations.slice(2) })).status).toBe(200);
});

test('audiences are counted with those of batches', async () => {
  const account_id = await world.createAccount();
  const { custom_audiences } = world.client();
  const answers = await Promise.allSettled(
    Array.from({ length: 5 }, (_, i) => custom_audiences.create({ account_id, name: `Readers ${i}` })),
  );
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
});

test('scheduled posts count until their time', async () => {
  const base = await createAccountFixture(world);
  await scheduling.create?.(world, base, 'sandbox');
  const { scheduled_posts } = world.client();
  const next = () =>
    scheduled_posts.create({
      account_id: base.account_id,
      as_user_id: BigInt(world.user.user_id),
      scheduled_at: minutesAhead(world, 120),
      text: newText(),
    });
  await expect(next()).rejects.toThrow('or wait until they are published (QUOTA_EXCEEDED)');
  world.clock.advance(31 * 60_000);
  await next();
});

test('a quota can be nothing at all', async () => {
  const account_id = await world.createAccount();
  const duration_in_minutes = 60;
  const poll = { account_id, name: 'Poll', first_choice: 'Yes', second_choice: 'No', duration_in_minutes };
  await expect(world.client().poll_cards.create(poll)).rejects.toThrow('QUOTA_EXCEEDED');
});
