/** Reposts that the operator makes in the name of people. */
import type { TestUser, TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { about } from '../../support/scenario.ts';
import { callsOn, closeSetting, counts, type Operator, openSetting, rejection } from './setting.ts';

let world: TestWorld;
let operator: Operator;
let anna: TestUser;
let ben: TestUser;

beforeAll(async () => {
  ({ world, operator, anna, ben } = await openSetting());
});
afterAll(() => closeSetting(world));

const { post, person, shown, metricsOf } = callsOn(() => world);

describe('a repost', () => {
  test('passes on the text of the original, once for each person', async () => {
    const original = await post(anna, 'Worth passing on');
    const mine = { user_id: ben.user_id, post_id: original };
    const { id } = await operator.posts.repost.mutate(mine);
    expect(await shown(id, 'referenced_posts')).toEqual({
      id,
      text: 'RT @anna: Worth passing on',
      referenced_posts: [{ type: 'reposted', id: original }],
    });
    expect(await rejection(operator.posts.repost.mutate(mine))).toEqual([409, 'ALREADY_EXISTS', 'post_id']);
    expect(await metricsOf(original)).toEqual(counts(1));
    await operator.posts.delete.mutate({ post_id: id });
    expect(await metricsOf(original)).toEqual(counts());
    await operator.posts.repost.mutate(mine);
    expect(await metricsOf(original)).toEqual(counts(1));
  });

  test('of a repost is one of the original', async () => {
    const original = await post(anna, 'Again');
    const { id: first } = await operator.posts.repost.mutate({ user_id: ben.user_id, post_id: original });
    const { id: second } = await operator.posts.repost.mutate({ user_id: anna.user_id, post_id: first });
    expect(await shown(second, 'referenced_posts')).toMatchObject({
      text: 'RT @anna: Again',
      referenced_posts: [{ type: 'reposted', id: original }],
    });
    expect([await metricsOf(original), await metricsOf(first)]).toEqual([counts(2), counts()]);
  });

  test('of a long text is cut to what a post can hold', async () => {
    const original = await post(anna, 'a'.repeat(280));
    const { id } = await operator.posts.repost.mutate({ user_id: ben.user_id, post_id: original });
    // An ellipsis counts two.
    expect((await shown(id))?.['text']).toBe(`RT @anna: ${'a'.repeat(268)}…`);
  });

  test(about('A-POST-PROTECTED-UNSEEN'), async () => {
    const [guarded, fan] = [await person(true), await person()];
    const follow = { user_id: fan, followed_user_id: guarded };
    await operator.follows.create.mutate(follow);
    await operator.follows.approve.mutate(follow);
    const { id } = await operator.posts.create.mutate({ user_id: guarded, text: 'Between us' });
    const repost = (user_id: string) => operator.posts.repost.mutate({ user_id, post_id: id });
    const quote = (user_id: string) => operator.posts.create.mutate({ user_id, text: 'Look', quoted_id: id });
    const answer = (user_id: string) => operator.posts.create.mutate({ user_id, text: 'Hm', replied_to_id: id });
    const like = (user_id: string) => operator.posts.like.mutate({ user_id, post_id: id });
    const not = (parameter: string) => [403, 'ACTION_NOT_ALLOWED', parameter];
    for (const user_id of [ben.user_id, fan]) {
      expect(await rejection(repost(user_id))).toEqual(not('post_id'));
      expect(await rejection(quote(user_id))).toEqual(not('quoted_id'));
    }
    expect(await rejection(answer(ben.user_id))).toEqual(not('replied_to_id'));
    expect(await rejection(like(ben.user_id))).toEqual(not('post_id'));
    await answer(fan);
    await like(fan);
    // Their own followers see both.
    await quote(guarded);
    await repost(guarded);
  });

  test('of a repost by a protected user is for those who see it', async () => {
    const [guarded, fan] = [await person(), await person()];
    await operator.follows.create.mutate({ user_id: fan, followed_user_id: guarded });
    const original = await post(anna, 'For everybody');
    const { id } = await operator.posts.repost.mutate({ user_id: guarded, post_id: original });
    await operator.users.update.mutate({ user_id: guarded, protected: true });
    const again = (user_id: string) => operator.posts.repost.mutate({ user_id, post_id: id });
    expect(await rejection(again(ben.user_id))).toEqual([403, 'ACTION_NOT_ALLOWED', 'post_id']);
    await again(fan);
    await operator.posts.repost.mutate({ user_id: ben.user_id, post_id: original });
  });
});
