/** Each quota by itself: its figure limits the kind that it is named after, and the last one below it is created. */
import { allOperations, type QuotaName } from '@broadside/core';
import type { TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestFor, validParams } from '../support/call.ts';
import { provocationOf } from '../support/families.ts';
import { holdRows } from '../support/quotas.ts';
import { createAccountFixture, openWorld } from '../support/world.ts';

/** Quotas of users have tests with the media store, and scheduled posts count by their time. */
type Counted = Exclude<QuotaName, 'scheduled_posts' | 'unfinished_uploads' | 'unused_media' | 'unused_media_bytes'>;

/** An operation that creates what a quota counts, and the table that it is in. */
const counted: Readonly<Record<Counted, readonly [operation: string, table: string]>> = {
  draft_posts: ['draft_posts.create', 'draft_posts'],
  cards: ['cards.create', 'cards'],
  poll_cards: ['poll_cards.create', 'poll_cards'],
  image_conversation_cards: ['image_conversation_cards.create', 'image_conversation_cards'],
  video_conversation_cards: ['video_conversation_cards.create', 'video_conversation_cards'],
  custom_audiences: ['custom_audiences.create', 'custom_audiences'],
  custom_audience_permissions: ['custom_audience_permissions.create', 'audience_grants'],
  library_media: ['media_library.create', 'library_media'],
  media_creatives: ['media_creatives.create', 'media_creatives'],
  promoted_accounts: ['promoted_accounts.create', 'promoted_accounts'],
  promoted_posts: ['promoted_posts.create', 'promoted_posts'],
  targeting_criteria: ['targeting_criteria.create', 'targeting_criteria'],
};
const cases = Object.entries(counted);

/** A figure of its own for each, so that none is taken for another. */
const figures = Object.fromEntries(cases.map(([name], index) => [name, 5001 + index]));

let world: TestWorld;
beforeAll(async () => {
  world = await openWorld({ quotas: figures });
});
afterAll(async () => {
  expect(world.failures).toEqual([]);
  await world.close();
});

test.each(cases)('%s', async (name, [id, table]) => {
  const operation = allOperations.find((one) => one.id === id) ?? expect.fail(`there is no ${id}`);
  const figure = figures[name] ?? 0;
  for (const [held, status] of [
    [figure - 1, [200, 201]],
    [figure, [400]],
  ] as const) {
    const fixture = await createAccountFixture(world, 'sandbox', operation);
    // Of those that answer with what is there already, something new.
    const other = await provocationOf(operation, 'QUOTA_EXCEEDED')?.(world, fixture, operation);
    await holdRows(world, fixture.account_id, table, held);
    const params = { ...validParams(operation, fixture), ...other };
    const answer = await world.request(requestFor(operation, params, 'form'));
    expect(answer.status, answer.text).toBeOneOf([...status]);
    if (held === figure) {
      expect(answer.text).toContain('QUOTA_EXCEEDED');
      expect(answer.text).toContain(`The account has ${figure} `);
      expect(answer.text).toContain(`may have up to ${figure};`);
    }
  }
});
