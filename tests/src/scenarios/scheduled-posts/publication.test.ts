/** Scheduled posts at their time: reference, creatives section 8. */
import { expect } from 'vitest';
import { minutesAhead } from '../../fixtures/scheduled-posts.ts';
import { cardOf, colleagueOf, newText, takePromotable } from '../../support/drafting.ts';
import { libraryMediaOf } from '../../support/library.ts';
import { lend } from '../../support/promotion.ts';
import { type Entity, type Stage, scenarios } from '../../support/scenario.ts';
import { MINUTE_MS, now, publishedPosts, reach, schedule } from './setting.ts';

const scenario = scenarios();

scenario('B-SCHEDULED-PUBLISHED', async (stage) => {
  const { world, user } = stage;
  const media_keys = [await libraryMediaOf(world, stage.account_id, 'small_image')];
  const organic = await schedule(stage, 3, { nullcast: false, name: 'First day', media_keys });
  const composer = await colleagueOf(stage, ['CREATIVE_MANAGER', 'POST_COMPOSER']);
  const { card_uri } = await cardOf(stage);
  const creation = { as_user_id: user.user_id, scheduled_at: minutesAhead(world, 3), text: newText(), card_uri };
  const promoted = await stage.one('scheduled_posts.create', creation, composer);
  const texts = [organic['text'], promoted['text']];
  world.clock.advance(Date.parse(String(organic['scheduled_at'])) - world.clock.now() - 1);
  await world.runJobs();
  expect([await now(stage, organic), publishedPosts(world, texts)]).toEqual([organic, []]);
  world.clock.advance(1);
  await world.runJobs();
  const [first, second] = publishedPosts(world, texts);
  expect([first, second]).toMatchObject([
    { text: organic['text'], author_id: user.user_id, name: 'First day', nullcast: 0, contributor_id: null },
    {
      text: promoted['text'],
      author_id: user.user_id,
      name: null,
      nullcast: 1,
      contributor_id: composer.user_id,
      card_uri,
    },
  ]);
  const published = await now(stage, organic);
  expect(published).toEqual({
    ...organic,
    scheduled_status: 'SUCCESS',
    completed_at: organic['scheduled_at'],
    post_id: first?.id,
    updated_at: organic['scheduled_at'],
  });
  expect(await now(stage, promoted)).toMatchObject({ scheduled_status: 'SUCCESS', post_id: second?.id });
  const { body } = await world.request({ listener: 'api', path: '/2/posts', query: { ids: first?.id } });
  expect(body).toMatchObject({ data: [{ id: first?.id, text: expect.stringContaining(String(organic['text'])) }] });
  // However often the time comes.
  for (const minutes of [-5, 5, 60]) {
    world.clock.advance(minutes * MINUTE_MS);
    await world.runJobs();
  }
  expect(publishedPosts(world, texts)).toHaveLength(2);
  expect(await now(stage, organic)).toEqual(published);
});

scenario('B-SCHEDULED-ORDER', async (stage) => {
  const { world } = stage;
  const made: Entity[] = [];
  for (const minutes of [40, 10, 30, 10, 20]) made.push(await schedule(stage, minutes));
  // Also where a job for another time was added before.
  const [last] = made;
  await stage.one('scheduled_posts.update', { scheduled_post_id: last?.id, scheduled_at: minutesAhead(world, 15) });
  world.clock.advance(3 * 86_400_000);
  await world.runJobs();
  const texts = [1, 3, 0, 4, 2].map((place) => made[place]?.['text']);
  expect(publishedPosts(world, texts).map(({ text }) => text)).toEqual(texts);
});

/** Schedules a post, does something, and expects it to be FAILED at its time. */
async function failing(stage: Stage, params: object, change: (post: Entity) => Promise<unknown>, code: string) {
  const post = await schedule(stage, 2, params);
  await change(post);
  await reach(stage.world, post['scheduled_at']);
  const failed = await now(stage, post);
  expect(failed).toEqual({
    ...post,
    scheduled_status: 'FAILED',
    failure: { code, message: expect.stringMatching(/\w{3}/) },
    updated_at: expect.any(String),
  });
  return failed;
}

scenario('B-SCHEDULED-FAILED', async (stage) => {
  const { world, account_id } = stage;
  const nothing = async () => undefined;
  const [image, gif] = [
    await libraryMediaOf(world, account_id, 'small_image'),
    await libraryMediaOf(world, account_id, 'gif'),
  ];
  const mixed = await failing(stage, { media_keys: [image, gif] }, nothing, 'INVALID_MEDIA');
  const texts = [mixed['text']];
  const removed = await libraryMediaOf(world, account_id, 'small_image');
  const gone = () => stage.ok('media_library.delete', { media_key: removed });
  texts.push((await failing(stage, { media_keys: [removed] }, gone, 'MEDIA_NOT_FOUND'))['text']);
  const card = await cardOf(stage);
  const withdraw = () => stage.ok('cards.delete', { card_id: card.id });
  texts.push((await failing(stage, { card_uri: card['card_uri'] }, withdraw, 'CARD_NOT_FOUND'))['text']);
  const other = await colleagueOf(stage);
  await lend(stage, other.user_id);
  const scheduled_at = minutesAhead(world, 2);
  const create = { as_user_id: other.user_id, scheduled_at, text: newText() };
  const theirs = await stage.one('scheduled_posts.create', create, other);
  await takePromotable(world, account_id, other.user_id);
  await reach(world, scheduled_at);
  expect(await now(stage, theirs)).toMatchObject({ scheduled_status: 'FAILED', failure: { code: 'INVALID_USER_ID' } });
  texts.push(theirs['text']);
  expect(publishedPosts(world, texts)).toEqual([]);
  // The same twice in a row.
  const once = await schedule(stage, 2);
  await failing(stage, { text: once['text'] }, nothing, 'DUPLICATE_POST');
  expect(publishedPosts(world, [once['text']])).toHaveLength(1);
  // A failed one does not come back.
  world.clock.advance(60 * MINUTE_MS);
  await world.runJobs();
  expect(await now(stage, mixed)).toEqual(mixed);
  const listed = await stage.many('scheduled_posts.list');
  expect(listed.find(({ id }) => id === mixed.id)).toEqual(mixed);
});

scenario('B-SCHEDULED-DELETED-ACCOUNT', async (stage) => {
  const { world } = stage;
  const post = await schedule(stage, 2);
  await stage.ok('accounts.delete');
  await reach(world, post['scheduled_at']);
  world.clock.advance(60 * MINUTE_MS);
  expect(await world.runJobs()).toBe(0);
  expect(publishedPosts(world, [post['text']])).toEqual([]);
});
