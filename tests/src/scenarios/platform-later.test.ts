/** What the platform does later, done when it is told to: processing, publications, and what people do. */

import { expect } from 'vitest';
import { encodeMp4 } from '../../../apps/server/src/media/testing/videos.ts';
import { leastPoll } from '../fixtures/poll-cards.ts';
import { act, acted, OPERATOR_TOKEN, onAccount } from '../support/acting.ts';
import { freshText, posted } from '../support/advertiser-posts.ts';
import { hashed } from '../support/members.ts';
import { type Entity, type Stage, scenarios } from '../support/scenario.ts';
import { version2 } from '../support/uploads.ts';
import { schedule } from './scheduled-posts/setting.ts';

const scenario = scenarios({ operatorToken: OPERATOR_TOKEN });

async function video({ world }: Stage, cut = 0): Promise<string> {
  const bytes = encodeMp4({ width: 320, height: 240, seconds: 1 });
  const sent = bytes.subarray(0, bytes.length - cut);
  const fields = { total_bytes: sent.length, media_type: 'video/mp4', media_category: 'post_video' };
  const { id } = version2.read(await version2.begin(world, fields));
  await version2.append(world, id, 0, sent);
  expect(version2.read(await version2.finalize(world, id)).processing_info?.state).toBe('pending');
  return id;
}

scenario('P-MEDIA', async (stage) => {
  const infoOf = async (id: string) => version2.read(await version2.status(stage.world, id)).processing_info;
  const [good, bad, broken] = [await video(stage), await video(stage), await video(stage, 40)];
  const { changed } = await acted(stage, 'process_media', { media_id: good });
  expect(changed).toMatchObject([{ entity: 'MEDIA', id: good, after: { state: 'succeeded' } }]);
  expect(await infoOf(good)).toMatchObject({ state: 'succeeded' });
  const failure = { code: 7, name: 'VirusFound', message: 'No.' };
  await acted(stage, 'process_media', { media_id: bad, outcome: 'FAILED', ...failure });
  expect(await infoOf(bad)).toMatchObject({ state: 'failed', error: failure });
  await acted(stage, 'process_media', { media_id: broken });
  expect(await infoOf(broken)).toMatchObject({ state: 'failed', error: { name: 'InvalidMedia' } });
  // The jobs that would have processed them find nothing to do.
  await stage.world.runJobs();
  expect([await infoOf(good), await infoOf(bad)]).toMatchObject([{ state: 'succeeded' }, { state: 'failed' }]);
  const again = await act(stage, 'process_media', { media_id: bad });
  expect(again).toMatchObject({ status: 409, errors: [{ code: 'WRONG_STATE', parameter: 'media_id' }] });
  expect(again.errors[0]?.message).toContain('only media that are pending or in_progress');
});

scenario('P-AUDIENCE', async (stage) => {
  const { world } = stage;
  const audience = await stage.one('custom_audiences.create', { name: 'Readers' });
  const at = { ...onAccount(stage), audience_id: audience.id };
  const shown = () => stage.one('custom_audiences.get', { custom_audience_id: audience.id });
  expect(await shown()).toMatchObject({ reasons_not_targetable: ['PROCESSING', 'TOO_SMALL'], audience_size: null });
  expect(await acted(stage, 'process_audience', { ...at, matched_count: 12_345 })).toMatchObject({
    changed: [{ entity: 'CUSTOM_AUDIENCE', id: audience.id, after: { targetable: true, matched_count: 12_345 } }],
  });
  expect(await shown()).toMatchObject({ targetable: true, reasons_not_targetable: [], audience_size: 12_000 });
  // No job that was there before counts it again.
  world.clock.advance(10_000);
  await world.runJobs();
  expect(await shown()).toMatchObject({ audience_size: 12_000 });
  await acted(stage, 'process_audience', { ...at, matched_count: 99 });
  expect(await shown()).toMatchObject({
    targetable: false,
    reasons_not_targetable: ['TOO_SMALL'],
    audience_size: null,
  });
  await acted(stage, 'process_audience', { ...at, matched_count: 500 });
  const users = [{ operation_type: 'Update', params: { users: [{ email: [hashed('nora@example.com')] }] } }];
  await stage.call('custom_audiences.users', { custom_audience_id: audience.id, operations: users } as never);
  expect(await shown()).toMatchObject({ targetable: true, reasons_not_targetable: ['PROCESSING'] });
  await acted(stage, 'process_audience', at);
  expect(await shown()).toMatchObject({ targetable: false, reasons_not_targetable: ['TOO_SMALL'] });
  await stage.call('custom_audiences.users', { custom_audience_id: audience.id, operations: users } as never);
  await acted(stage, 'process_audience', { ...at, matched_count: 700 });
  world.clock.advance(10_000);
  await world.runJobs();
  expect(await shown()).toMatchObject({ targetable: true, reasons_not_targetable: [], audience_size: 700 });
  const list = await stage.one('do_not_reach_lists.create');
  expect(await acted(stage, 'process_audience', { ...at, audience_id: list.id, matched_count: 100 })).toMatchObject({
    changed: [{ entity: 'DO_NOT_REACH_LIST', after: { reasons_not_targetable: [] } }],
  });
});

scenario('P-PUBLICATION', async (stage) => {
  const at = (post: Entity) => ({ ...onAccount(stage), scheduled_post_id: post.id });
  const shown = ({ id: scheduled_post_id }: Entity) => stage.one('scheduled_posts.get', { scheduled_post_id });
  const [early, failing, wrong] = [await schedule(stage, 50), await schedule(stage, 60), await schedule(stage, 70)];
  const { changed } = await acted(stage, 'publish', at(early));
  expect(changed).toMatchObject([{ entity: 'SCHEDULED_POST', after: { scheduled_status: 'SUCCESS' } }]);
  expect(await shown(early)).toMatchObject({ scheduled_status: 'SUCCESS', post_id: expect.any(String) });
  await acted(stage, 'fail', { ...at(failing), code: 'INVALID_MEDIA', message: 'The media are gone.' });
  const failure = { code: 'INVALID_MEDIA', message: 'The media are gone.' };
  expect(await shown(failing)).toMatchObject({ scheduled_status: 'FAILED', post_id: null, failure });
  // What is verified at its time is verified now.
  await acted(stage, 'suspend', onAccount(stage));
  await acted(stage, 'publish', at(wrong));
  expect(await shown(wrong)).toMatchObject({ scheduled_status: 'FAILED', failure: { code: 'ACCOUNT_LOCKED_OUT' } });
  for (const post of [early, failing]) {
    const again = await act(stage, 'publish', at(post));
    expect(again).toMatchObject({ status: 409, errors: [{ code: 'WRONG_STATE', parameter: 'scheduled_post_id' }] });
    expect(again.errors[0]?.message).toContain('only one that is SCHEDULED');
  }
  stage.world.clock.advance(3_600_000 * 2);
  await stage.world.runJobs();
  expect(await shown(early)).toMatchObject({ post_id: changed[0]?.after['post_id'] });
  expect(await shown(failing)).toMatchObject({ scheduled_status: 'FAILED' });
});

scenario('P-CROWD', async (stage) => {
  const post_id = String((await posted(stage, { text: freshText() }))['id_str']);
  const liked = await acted(stage, 'like', { post_id, count: 40 });
  expect(liked).toMatchObject({ changed: [{ entity: 'POST', id: post_id, after: { like_count: 40 } }] });
  expect(new Set(liked.user_ids).size).toBe(40);
  const more = await acted(stage, 'like', { post_id, count: 3 });
  expect(more).toMatchObject({ changed: [{ after: { like_count: 43 } }] });
  expect(more.user_ids.filter((id) => liked.user_ids.includes(id))).toEqual([]);
  const [someone = ''] = liked.user_ids;
  const { user_id: other } = await stage.world.createUser(`follower${stage.adapter.name}`);
  expect(await acted(stage, 'like', { post_id, user_ids: [someone] })).toMatchObject({
    changed: [{ after: { like_count: 43 } }],
    user_ids: [someone],
  });
  expect(await acted(stage, 'repost', { post_id, count: 2 })).toMatchObject({
    changed: [{ after: { repost_count: 2 } }],
  });
  const before = (await stage.world.platform.identity.users.standing(someone))?.followers_count ?? 0;
  const followed = await acted(stage, 'follow', { followed_user_id: someone, user_ids: [other] });
  expect(followed).toMatchObject({
    changed: [{ entity: 'USER', id: someone, after: { followers_count: before + 1 } }],
  });
  expect((await acted(stage, 'follow', { followed_user_id: someone, count: 5 })).user_ids).not.toContain(someone);
  const { card_uri } = await stage.one('poll_cards.create', leastPoll);
  const poll = String((await posted(stage, { card_uri }))['id_str']);
  await acted(stage, 'vote', { post_id: poll, choice: 1, count: 7 });
  const { changed } = await acted(stage, 'vote', { post_id: poll, choice: 2, count: 2 });
  // More than the world has people by now.
  const count = (await stage.world.platform.identity.users.firstToJoin(1000)).length + 10;
  const many = await acted(stage, 'like', { post_id: poll, count });
  expect(many).toMatchObject({ changed: [{ after: { like_count: count } }], generated: 10 });
  const options = [
    { position: 1, votes: 7 },
    { position: 2, votes: 2 },
  ];
  expect(changed).toMatchObject([{ entity: 'POLL', after: { options, voting_status: 'open' } }]);
});

scenario('P-CROWD-WRONG', async (stage) => {
  const { card_uri } = await stage.one('poll_cards.create', leastPoll);
  const post_id = String((await posted(stage, { card_uri }))['id_str']);
  const cases: readonly [string, Readonly<Record<string, unknown>>, number, string, string, RegExp][] = [
    ['vote', { post_id, choice: 4 }, 400, 'INVALID_PARAMETER', 'choice', /choices 1 to 2/],
    ['vote', { post_id, choice: 5 }, 400, 'INVALID_PARAMETER', 'choice', /1 to 4/],
    ['vote', { post_id: '1', choice: 1 }, 404, 'NOT_FOUND', 'post_id', /no post 1/],
    ['like', { post_id: '1' }, 404, 'NOT_FOUND', 'post_id', /no post 1/],
    ['like', { post_id, user_ids: [stage.user.user_id, '1'] }, 404, 'NOT_FOUND', 'user_ids', /no user 1/],
    ['like', { post_id, count: 0 }, 400, 'INVALID_PARAMETER', 'count', /1 to 1000/],
    ['like', { post_id, count: 1001 }, 400, 'INVALID_PARAMETER', 'count', /1 to 1000/],
    ['like', { post_id, count: 1, user_ids: ['1'] }, 400, 'EXCLUSIVE_PARAMETERS', 'user_ids', /together/],
    ['follow', { followed_user_id: '1' }, 404, 'NOT_FOUND', 'followed_user_id', /no user 1/],
    [
      'follow',
      { followed_user_id: stage.user.user_id, user_ids: [stage.user.user_id] },
      403,
      'ACTION_NOT_ALLOWED',
      'followed_user_id',
      /Nobody follows themselves/,
    ],
  ];
  for (const [verb, params, status, code, parameter, message] of cases) {
    const answer = await act(stage, verb, params);
    expect(answer, `${verb} ${JSON.stringify(params)}`).toMatchObject({ status, errors: [{ code, parameter }] });
    expect(answer.errors[0]?.message).toMatch(message);
  }
  const { changed } = await acted(stage, 'like', { post_id });
  expect(changed).toMatchObject([{ after: { like_count: 1 } }]);
});
