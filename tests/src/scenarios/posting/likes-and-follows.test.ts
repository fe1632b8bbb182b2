/** Likes and follows that the operator makes in the name of people, and the counts that follow from them. */
import type { TestUser, TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { member } from '../../support/body.ts';
import { callsOn, closeSetting, counts, type Operator, openSetting, rejection } from './setting.ts';

let world: TestWorld;
let operator: Operator;
let anna: TestUser;
let ben: TestUser;
let crowd: readonly string[];

beforeAll(async () => {
  ({ world, operator, anna, ben } = await openSetting());
  const { identity } = world.platform;
  const made = Array.from({ length: 34 }, (_, index) =>
    identity.users.create(
      { user_id: null, platform: 'SERVER' },
      { screen_name: `one${index}`, name: 'One', password: null },
    ),
  );
  crowd = (await Promise.all(made)).map(({ id }) => id);
});
afterAll(() => closeSetting(world));

const { post, person, metricsOf, userMetrics } = callsOn(() => world);

describe('a like', () => {
  test('counts once for each person and can be taken back once', async () => {
    const post_id = await post(anna, 'Likeable');
    const like = { user_id: ben.user_id, post_id };
    expect(await operator.posts.like.mutate(like)).toEqual({ changed: true });
    expect(await operator.posts.like.mutate(like)).toEqual({ changed: false });
    expect(await metricsOf(post_id)).toEqual(counts(0, 0, 1));
    expect(await operator.posts.unlike.mutate(like)).toEqual({ changed: true });
    expect(await operator.posts.unlike.mutate(like)).toEqual({ changed: false });
    expect(await metricsOf(post_id)).toEqual(counts());
    const entity_id = `${post_id}/${ben.user_id}`;
    const { data: entries } = await operator.audit.query({ entity: 'LIKE', entity_id });
    const shown = entries.map(({ change_type, changes, entity_data }) => [change_type, changes, entity_data]);
    const ids = { id: entity_id, ...like };
    expect(shown).toEqual([
      ['DELETE', { deleted: { before: false, after: true } }, { ...ids, deleted: true }],
      ['CREATE', {}, { ...ids, deleted: false }],
    ]);
  });

  test('is right under a hundred changes at once', async () => {
    const post_id = await post(anna, 'Busy');
    await Promise.all(
      crowd.flatMap((user_id) => [
        operator.posts.like.mutate({ user_id, post_id }),
        operator.posts.repost.mutate({ user_id, post_id }),
        operator.posts.like.mutate({ user_id, post_id }),
      ]),
    );
    expect(await metricsOf(post_id)).toEqual(counts(crowd.length, 0, crowd.length));
    const leaving = crowd.slice(0, 10);
    const late = await Promise.allSettled([
      ...leaving.map((user_id) => operator.posts.unlike.mutate({ user_id, post_id })),
      ...leaving.map((user_id) => operator.posts.unlike.mutate({ user_id, post_id })),
      ...crowd.map((user_id) => operator.posts.repost.mutate({ user_id, post_id })),
      ...crowd.map((user_id) => operator.posts.create.mutate({ user_id, text: 'Me too', replied_to_id: post_id })),
    ]);
    // Nobody reposts twice, however close together.
    expect(late.filter(({ status }) => status === 'rejected')).toHaveLength(crowd.length);
    expect(await metricsOf(post_id)).toEqual(counts(crowd.length, crowd.length, crowd.length - 10));
  });
});

describe('a follow', () => {
  test('counts on both sides until it ends', async () => {
    const [fan, star] = [await person(), await person()];
    const follow = { user_id: fan, followed_user_id: star };
    const { id } = await operator.posts.create.mutate({ user_id: star, text: 'x' });
    const { id: other } = await operator.posts.create.mutate({ user_id: fan, text: 'x' });
    const both = async () => [
      member(await userMetrics(anna, id), 'followers_count'),
      member(await userMetrics(anna, other), 'following_count'),
    ];
    expect(await operator.follows.create.mutate(follow)).toEqual({ state: 'approved' });
    expect(await operator.follows.create.mutate(follow)).toEqual({ state: 'approved' });
    expect(await both()).toEqual([1, 1]);
    expect(await operator.follows.delete.mutate(follow)).toEqual({ changed: true });
    expect(await operator.follows.delete.mutate(follow)).toEqual({ changed: false });
    expect(await both()).toEqual([0, 0]);
  });

  test('of a protected user counts once that user has approved it', async () => {
    const [fan, star] = [await person(), await person(true)];
    const follow = { user_id: fan, followed_user_id: star };
    const { id: other } = await operator.posts.create.mutate({ user_id: fan, text: 'x' });
    const following = async () => member(await userMetrics(anna, other), 'following_count');
    expect(await operator.follows.approve.mutate(follow)).toEqual({ changed: false });
    expect(await operator.follows.create.mutate(follow)).toEqual({ state: 'requested' });
    expect(await following()).toBe(0);
    expect(await operator.follows.approve.mutate(follow)).toEqual({ changed: true });
    expect(await operator.follows.approve.mutate(follow)).toEqual({ changed: false });
    expect(await following()).toBe(1);
    await operator.follows.delete.mutate(follow);
    expect(await following()).toBe(0);
    // A request that is taken back changes no count.
    expect(await operator.follows.create.mutate(follow)).toEqual({ state: 'requested' });
    await operator.follows.delete.mutate(follow);
    expect(await following()).toBe(0);
  });

  test('is of another user who exists', async () => {
    const to = (followed_user_id: string) =>
      operator.follows.create.mutate({ user_id: anna.user_id, followed_user_id });
    expect(await rejection(to(anna.user_id))).toEqual([403, 'ACTION_NOT_ALLOWED', 'followed_user_id']);
    for (const id of ['1', '9999999999999999999']) {
      expect(await rejection(to(id))).toEqual([403, 'USER_NOT_FOUND', 'followed_user_id']);
      const none = { user_id: id, followed_user_id: id };
      expect(await operator.follows.approve.mutate(none)).toEqual({ changed: false });
      expect(await operator.follows.delete.mutate(none)).toEqual({ changed: false });
    }
  });

  test('opens replies to a protected user, as a request does not', async () => {
    const [fan, star] = [await person(), await person(true)];
    const { id } = await operator.posts.create.mutate({ user_id: star, text: 'x' });
    const answer = () => operator.posts.create.mutate({ user_id: fan, text: 'y', replied_to_id: id });
    expect(await rejection(answer())).toEqual([403, 'ACTION_NOT_ALLOWED', 'replied_to_id']);
    await operator.follows.create.mutate({ user_id: fan, followed_user_id: star });
    expect(await rejection(answer())).toEqual([403, 'ACTION_NOT_ALLOWED', 'replied_to_id']);
    await operator.follows.approve.mutate({ user_id: fan, followed_user_id: star });
    await answer();
  });
});
