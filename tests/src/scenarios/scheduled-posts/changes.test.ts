/** Changing and deleting scheduled posts: specification B; reference, creatives section 8. */
import { expect } from 'vitest';
import { minutesAhead } from '../../fixtures/scheduled-posts.ts';
import { newText } from '../../support/drafting.ts';
import { libraryMediaOf } from '../../support/library.ts';
import { scenarios } from '../../support/scenario.ts';
import { MINUTE_MS, now, publishedPosts, reach, schedule } from './setting.ts';

const scenario = scenarios();

scenario('B-SCHEDULED-UPDATE', async (stage) => {
  const { world, account_id } = stage;
  const media_keys = [await libraryMediaOf(world, account_id, 'small_image')];
  const before = await schedule(stage, 5, { media_keys, name: 'First' });
  const scheduled_post_id = before.id;
  const update = (params: object) => stage.one('scheduled_posts.update', { scheduled_post_id, ...params });
  world.clock.advance(2000);
  const text = newText();
  expect(await update({ text, nullcast: false })).toEqual({
    ...before,
    text,
    nullcast: false,
    updated_at: expect.any(String),
  });
  expect(await update({ scheduled_at: before['scheduled_at'] })).toMatchObject({ text, media_keys });
  expect(await update({ name: null, media_keys: null })).toMatchObject({ name: null, media_keys: [] });
  for (const [params, status, code, parameter] of [
    [{ text: null }, 400, 'POST_CANNOT_BE_BLANK', 'text'],
    [{ text: 'a'.repeat(281) }, 400, 'INVALID_POST', 'text'],
    [{ card_uri: 'card://1' }, 404, 'CARD_NOT_FOUND', 'card_uri'],
    [{ card_uri: 'card://1', media_keys }, 400, 'EXCLUSIVE_PARAMETERS', 'card_uri'],
    [{ media_keys: ['3_1'] }, 404, 'MEDIA_NOT_FOUND', 'media_keys'],
    [{ scheduled_at: '2020-01-01' }, 400, 'INVALID_PARAMETER', 'scheduled_at'],
    [{ scheduled_post_id: '1', text }, 404, 'NOT_FOUND', 'scheduled_post_id'],
  ] as const) {
    const errors = await stage.rejected('scheduled_posts.update', { scheduled_post_id, ...params }, status);
    expect(errors, JSON.stringify(params)).toMatchObject([{ code, parameter }]);
  }
  await reach(world, before['scheduled_at']);
  expect(await now(stage, before)).toMatchObject({ scheduled_status: 'SUCCESS', text });
  expect(publishedPosts(world, [before['text'], text])).toMatchObject([{ text, name: null, nullcast: 0 }]);
});

scenario('B-SCHEDULED-MOVED', async (stage) => {
  const { world } = stage;
  const later = await schedule(stage, 5);
  const earlier = await schedule(stage, 50);
  const back = await schedule(stage, 5);
  const move = ({ id: scheduled_post_id }: { readonly id: string }, minutes: number) =>
    stage.one('scheduled_posts.update', { scheduled_post_id, scheduled_at: minutesAhead(world, minutes) });
  const [moved, sooner] = [await move(later, 40), await move(earlier, 10)];
  await move(back, 90);
  const again = await move(back, 20);
  const texts = [later, earlier, back].map(({ text }) => text);
  const shown = () => publishedPosts(world, texts).map(({ text }) => text);
  await reach(world, later['scheduled_at']);
  expect([await now(stage, later), await now(stage, back), shown()]).toEqual([moved, again, []]);
  await reach(world, sooner['scheduled_at']);
  expect(shown()).toEqual([earlier['text']]);
  await reach(world, again['scheduled_at']);
  expect(shown()).toEqual([earlier['text'], back['text']]);
  await reach(world, moved['scheduled_at']);
  world.clock.advance(2 * 60 * MINUTE_MS);
  await world.runJobs();
  expect(shown()).toEqual([earlier['text'], back['text'], later['text']]);
  // A change that is rejected moves nothing, although it added a job.
  const kept = await schedule(stage, 5);
  const scheduled_post_id = kept.id;
  await stage.rejected('scheduled_posts.update', {
    scheduled_post_id,
    scheduled_at: minutesAhead(world, 2),
    text: null,
  });
  await reach(world, minutesAhead(world, 3));
  expect(publishedPosts(world, [kept['text']])).toEqual([]);
  await reach(world, kept['scheduled_at']);
  expect(publishedPosts(world, [kept['text']])).toHaveLength(1);
});

scenario('B-SCHEDULED-LATE-CHANGE', async (stage) => {
  const { world } = stage;
  const post = await schedule(stage, 2);
  const scheduled_post_id = post.id;
  const change = { scheduled_post_id, scheduled_at: minutesAhead(world, 60) };
  world.clock.advance(Date.parse(String(post['scheduled_at'])) - world.clock.now() - 1000);
  await stage.one('scheduled_posts.update', { scheduled_post_id, name: 'In time' });
  world.clock.advance(1000);
  const late = [{ code: 'INVALID_PARAMETER', parameter: 'scheduled_post_id', value: scheduled_post_id }];
  // From then on, whether it is published already or not.
  expect(await stage.rejected('scheduled_posts.update', change)).toMatchObject(late);
  await world.runJobs();
  expect(await stage.rejected('scheduled_posts.update', change)).toMatchObject(late);
  world.clock.advance(-60 * MINUTE_MS);
  expect(await stage.rejected('scheduled_posts.update', change)).toMatchObject(late);
  world.clock.advance(60 * MINUTE_MS);
  expect(await now(stage, post)).toMatchObject({ scheduled_status: 'SUCCESS', name: 'In time' });
});

scenario('B-SCHEDULED-DELETE', async (stage) => {
  const { world } = stage;
  const post = await schedule(stage, 2);
  const scheduled_post_id = post.id;
  expect(await stage.one('scheduled_posts.delete', { scheduled_post_id })).toEqual({
    ...post,
    scheduled_status: 'DELETED',
    updated_at: expect.any(String),
  });
  for (const verb of ['get', 'update', 'delete'] as const) {
    const errors = await stage.rejected(`scheduled_posts.${verb}`, { scheduled_post_id }, 404);
    expect(errors, verb).toMatchObject([
      { code: 'NOT_FOUND', parameter: 'scheduled_post_id', value: scheduled_post_id },
    ]);
  }
  const published = await schedule(stage, 2);
  await reach(world, post['scheduled_at']);
  expect(publishedPosts(world, [post['text']])).toEqual([]);
  // The published post stays when its record goes.
  const gone = await stage.one('scheduled_posts.delete', { scheduled_post_id: published.id });
  expect(gone).toMatchObject({ scheduled_status: 'DELETED', post_id: expect.any(String) });
  expect(await stage.many('scheduled_posts.list')).toEqual([]);
  expect(publishedPosts(world, [published['text']])).toMatchObject([{ id: gone['post_id'] }]);
  // Once it is old enough, no job looks for it any more.
  world.clock.advance(2 * MINUTE_MS);
  await world.runJobs();
  expect(await world.runJobs()).toBe(0);
});

scenario('B-SCHEDULED-RECORDED', async (stage) => {
  const { world } = stage;
  const [kept, deleted] = [await schedule(stage, 2), await schedule(stage, 2)];
  await stage.one('scheduled_posts.update', { scheduled_post_id: kept.id, name: 'Renamed' });
  await stage.one('scheduled_posts.delete', { scheduled_post_id: deleted.id });
  await reach(world, kept['scheduled_at']);
  const { database } = world.platform.ads.sandbox;
  const log = async (id: string) => {
    const rows = await database.query(
      'SELECT "entity", "change_type", "change_by_user_id" FROM "change_log" WHERE "account_id" = ? AND "entity_id" = ? ORDER BY "seq"',
      [stage.account_id, id],
    );
    return rows.map((row) => [...row]);
  };
  const by = stage.user.user_id;
  expect(await log(kept.id)).toEqual([
    ['SCHEDULED_POST', 'CREATE', by],
    ['SCHEDULED_POST', 'UPDATE', by],
    ['SCHEDULED_POST', 'UPDATE', null],
  ]);
  expect(await log(deleted.id)).toEqual([
    ['SCHEDULED_POST', 'CREATE', by],
    ['SCHEDULED_POST', 'DELETE', by],
  ]);
});
