/** Polls of posts, and the votes that the operator casts in the name of people. */
import type { TestUser, TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { member } from '../../support/body.ts';
import { get } from '../../support/reading.ts';
import { about } from '../../support/scenario.ts';
import { callsOn, closeSetting, type Operator, openSetting, rejection } from './setting.ts';

let world: TestWorld;
let operator: Operator;
let anna: TestUser;
let ben: TestUser;
let crowd: readonly string[];

beforeAll(async () => {
  ({ world, operator, anna, ben } = await openSetting());
  const { identity } = world.platform;
  const made = Array.from({ length: 24 }, (_, index) =>
    identity.users.create(
      { user_id: null, platform: 'SERVER' },
      { screen_name: `voter${index}`, name: 'Voter', password: null },
    ),
  );
  crowd = (await Promise.all(made)).map(({ id }) => id);
});
afterAll(() => closeSetting(world));

const { post, person } = callsOn(() => world);

const MINUTE = 60_000;

/** Posts with a poll that is open for an hour. @returns the post and the number of the poll */
async function posted(
  author_id = anna.user_id,
  {
    choices = ['Paper', 'Screen', 'Both'],
    start_ms = world.clock.now(),
    number = world.platform.snowflakes.next(),
  } = {},
): Promise<{ readonly post_id: string; readonly poll_id: string }> {
  const poll = { id: BigInt(number), choices, duration_minutes: 60, start_ms, media_key: null };
  const actor = { user_id: null, platform: 'SERVER' } as const;
  const fields = { author_id, text: `How do you read? ${number}`, source: 'Test', lang: 'en', poll };
  return { post_id: await world.platform.posts.create(actor, fields), poll_id: number };
}

async function pollOf(post_id: string, fields: readonly string[] = [], as?: TestUser): Promise<unknown> {
  const query = { ids: post_id, expansions: 'attachments.poll_ids', 'poll.fields': fields };
  const { body } = await get(world, fields.length > 0 ? query : { ids: post_id, expansions: query.expansions }, as);
  const polls = member(member(body, 'includes'), 'polls');
  return Array.isArray(polls) ? polls[0] : undefined;
}

const votesOf = async (post_id: string) => {
  const options = member(await pollOf(post_id), 'options');
  return Array.isArray(options) ? options.map((option) => member(option, 'votes')) : undefined;
};

const vote = (user_id: string, post_id: string, choice: number) =>
  operator.polls.vote.mutate({ user_id, post_id, choice });

test(about('B-POLL-VOTE'), async () => {
  const { post_id, poll_id } = await posted();
  expect(await vote(ben.user_id, post_id, 2)).toEqual({ poll_id, choice: 2 });
  expect(await votesOf(post_id)).toEqual([0, 1, 0]);
  for (const choice of [1, 2]) {
    expect(await rejection(vote(ben.user_id, post_id, choice))).toEqual([409, 'ALREADY_EXISTS', 'user_id']);
  }
  expect(await rejection(vote(anna.user_id, post_id, 4))).toEqual([400, 'INVALID_PARAMETER', 'choice']);
  expect(await rejection(vote(anna.user_id, post_id, 0))).toEqual([400, 'INVALID_PARAMETER', 'choice']);
  expect(await rejection(vote(anna.user_id, post_id, 5))).toEqual([400, 'INVALID_PARAMETER', 'choice']);
  expect(await rejection(vote('1', post_id, 1))).toEqual([403, 'USER_NOT_FOUND', 'user_id']);
  expect(await rejection(vote(anna.user_id, '1', 1))).toEqual([404, 'NOT_FOUND', 'post_id']);
  expect(await rejection(vote(anna.user_id, await post(anna, 'No poll'), 1))).toEqual([404, 'NOT_FOUND', 'post_id']);
  expect(await votesOf(post_id)).toEqual([0, 1, 0]);
});

describe('a poll of a post', () => {
  test('is in data retrieval with its fields', async () => {
    const { post_id, poll_id } = await posted();
    const options = ['Paper', 'Screen', 'Both'].map((label, index) => ({ position: index + 1, label, votes: 0 }));
    expect(await pollOf(post_id)).toEqual({ id: poll_id, options });
    const { body } = await get(world, { ids: post_id, 'post.fields': 'attachments' });
    expect(body).toMatchObject({ data: [{ id: post_id, attachments: { poll_ids: [poll_id] } }] });
    const end_datetime = new Date(world.clock.now() + 60 * MINUTE).toISOString();
    expect(await pollOf(post_id, ['duration_minutes', 'end_datetime', 'voting_status'])).toEqual({
      id: poll_id,
      options,
      duration_minutes: 60,
      end_datetime,
      voting_status: 'open',
    });
  });

  test('takes votes from its start until it closes, by the clock of the world', async () => {
    const { post_id } = await posted(anna.user_id, { start_ms: world.clock.now() + MINUTE });
    const denied = [403, 'ACTION_NOT_ALLOWED', 'post_id'];
    expect(await rejection(vote(ben.user_id, post_id, 1))).toEqual(denied);
    world.clock.advance(MINUTE);
    await vote(ben.user_id, post_id, 1);
    world.clock.advance(60 * MINUTE - 1);
    await vote(anna.user_id, post_id, 1);
    expect(await pollOf(post_id, ['voting_status'])).toMatchObject({ voting_status: 'open' });
    world.clock.advance(1);
    expect(await rejection(vote(await person(), post_id, 1))).toEqual(denied);
    expect(await pollOf(post_id, ['voting_status'])).toMatchObject({ voting_status: 'closed' });
    expect(await votesOf(post_id)).toEqual([2, 0, 0]);
  });

  test('is for people who may see the post', async () => {
    const author = await person();
    const { post_id } = await posted(author);
    await operator.users.update.mutate({ user_id: author, protected: true });
    const stranger = await person();
    expect(await rejection(vote(stranger, post_id, 1))).toEqual([403, 'ACTION_NOT_ALLOWED', 'post_id']);
    await vote(author, post_id, 3);
    await operator.follows.create.mutate({ user_id: stranger, followed_user_id: author });
    expect(await rejection(vote(stranger, post_id, 1))).toEqual([403, 'ACTION_NOT_ALLOWED', 'post_id']);
    await operator.follows.approve.mutate({ user_id: stranger, followed_user_id: author });
    await vote(stranger, post_id, 1);
    const { id: deleted } = await operator.posts.delete.mutate({ post_id });
    expect(await rejection(vote(anna.user_id, deleted, 1))).toEqual([404, 'NOT_FOUND', 'post_id']);
  });

  test('can be voted in on a repost', async () => {
    const { post_id } = await posted();
    const { id: repost } = await operator.posts.repost.mutate({ user_id: ben.user_id, post_id });
    await vote(ben.user_id, repost, 3);
    expect(await rejection(vote(ben.user_id, post_id, 1))).toEqual([409, 'ALREADY_EXISTS', 'user_id']);
    expect(await votesOf(post_id)).toEqual([0, 0, 1]);
  });

  test('shares its votes with other posts of the same poll, which do not begin it anew', async () => {
    const { post_id, poll_id } = await posted();
    await vote(ben.user_id, post_id, 1);
    const { post_id: other } = await posted(ben.user_id, { number: poll_id });
    expect(await rejection(vote(ben.user_id, other, 2))).toEqual([409, 'ALREADY_EXISTS', 'user_id']);
    await vote(anna.user_id, other, 2);
    expect(await votesOf(post_id)).toEqual([1, 1, 0]);
    const { body } = await get(world, { ids: [post_id, other], expansions: 'attachments.poll_ids' });
    expect(member(member(body, 'includes'), 'polls')).toHaveLength(1);
  });

  test('counts every person once under many votes at the same time', async () => {
    const { post_id } = await posted();
    const cast = crowd.flatMap((user_id, index) =>
      [1, 2, 3].map((step) => vote(user_id, post_id, 1 + ((index + step) % 3))),
    );
    const settled = await Promise.allSettled(cast);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(crowd.length);
    const votes = (await votesOf(post_id)) ?? [];
    expect(votes.reduce<number>((sum, count) => sum + Number(count), 0)).toBe(crowd.length);
  });
});
