/** Posts that the operator writes and deletes in the name of people, and their counts. */
import type { TestUser, TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { member } from '../../support/body.ts';
import { insertRows, mediaRow } from '../../support/reading.ts';
import { type Creation, callsOn, closeSetting, counts, type Operator, openSetting, rejection } from './setting.ts';

let world: TestWorld;
let operator: Operator;
let anna: TestUser;
let ben: TestUser;

beforeAll(async () => {
  ({ world, operator, anna, ben } = await openSetting());
});
afterAll(() => closeSetting(world));

const { post, person, shown, metricsOf, userMetrics } = callsOn(() => world);

describe('a post', () => {
  test('has its entities at offsets in code points, with whom it names', async () => {
    const text = '👩‍👩‍👧 e\u0301 @anna @nobody_here #日本 https://a.example.com/x?y=1#z';
    const id = await post(ben, text);
    const { text: stored, entities } = (await shown(id, 'entities')) ?? {};
    // Stored composed, so that a letter with its mark is one.
    expect(stored).toBe(text.normalize('NFC'));
    const characters = [...String(stored)];
    const cut = (entity: unknown) =>
      characters.slice(Number(member(entity, 'start')), Number(member(entity, 'end'))).join('');
    const of = (name: string) => {
      const list = member(entities, name);
      return Array.isArray(list) ? list : [];
    };
    expect(of('mentions').map(cut)).toEqual(['@anna', '@nobody_here']);
    expect(of('mentions').map((one) => member(one, 'id'))).toEqual([anna.user_id, undefined]);
    expect(of('hashtags').map(cut)).toEqual(['#日本']);
    expect(of('urls').map(cut)).toEqual(['https://a.example.com/x?y=1#z']);
  });

  test('begins a conversation, and a reply joins that of what it answers', async () => {
    const first = await post(anna, 'First');
    const second = await post(ben, 'Second', { replied_to_id: first });
    const third = await post(anna, 'Third', { replied_to_id: second });
    const fields = ['conversation_id', 'in_reply_to_user_id', 'referenced_posts'];
    expect(await shown(first, ...fields)).toEqual({ id: first, text: 'First', conversation_id: first });
    expect(await shown(third, ...fields)).toEqual({
      id: third,
      text: 'Third',
      conversation_id: first,
      in_reply_to_user_id: ben.user_id,
      referenced_posts: [{ type: 'replied_to', id: second }],
    });
    expect([await metricsOf(first), await metricsOf(second)]).toEqual([counts(0, 1), counts(0, 1)]);
  });

  test('can answer one post and quote another', async () => {
    const [one, other] = [await post(anna, 'One'), await post(anna, 'Other')];
    const both = await post(ben, 'Both', { replied_to_id: one, quoted_id: other });
    expect(await shown(both, 'referenced_posts')).toMatchObject({
      referenced_posts: expect.arrayContaining([
        { type: 'replied_to', id: one },
        { type: 'quoted', id: other },
      ]),
    });
    expect([await metricsOf(one), await metricsOf(other)]).toEqual([counts(0, 1), counts(0, 0, 0, 1)]);
  });

  test('is rejected with an error that names the invalid parameter', async () => {
    const rejected = (text: string, more?: Partial<Creation>) => rejection(post(anna, text, more));
    expect(await rejected('')).toEqual([400, 'INVALID_PARAMETER', 'text']);
    expect(await rejected('  \n ')).toEqual([400, 'INVALID_PARAMETER', 'text']);
    expect(await rejected('a'.repeat(281))).toEqual([400, 'INVALID_PARAMETER', 'text']);
    expect(await rejected('字'.repeat(141))).toEqual([400, 'INVALID_PARAMETER', 'text']);
    expect(await rejected('x', { replied_to_id: '1' })).toEqual([404, 'NOT_FOUND', 'replied_to_id']);
    expect(await rejected('x', { quoted_id: '9999999999999999999' })).toEqual([404, 'NOT_FOUND', 'quoted_id']);
    expect(await rejected('x', { media_keys: ['3_1'] })).toEqual([404, 'NOT_FOUND', 'media_keys']);
    expect(await rejected('x', { user_id: '1' })).toEqual([403, 'USER_NOT_FOUND', 'user_id']);
    for (const text of ['a'.repeat(280), '字'.repeat(140), `${'a'.repeat(256)} https://example.com/${'b'.repeat(300)}`])
      expect(await shown(await post(anna, text))).toMatchObject({ text });
  });

  test('shows up to four photos, or one video, of its author and ready', async () => {
    const photos = [101n, 102n, 103n, 104n, 105n].map((id) => mediaRow(id, anna));
    insertRows(world, 'media', [
      ...photos,
      mediaRow(106n, anna, { kind: 'video', category: 'post_video', content_type: 'video/mp4' }),
      mediaRow(107n, anna, { state: 'in_progress' }),
      mediaRow(108n, ben, { additional_owners: JSON.stringify([anna.user_id]) }),
      mediaRow(109n, ben),
    ]);
    const keys = (...ids: number[]) => ({ media_keys: ids.map((id) => `3_${id}`) });
    const rejected = (...ids: number[]) => rejection(post(anna, 'x', keys(...ids)));
    for (const ids of [[101, 106], [107], [101, 102, 103, 104, 105]]) {
      expect(await rejected(...ids), ids.join()).toEqual([400, 'INVALID_PARAMETER', 'media_keys']);
    }
    expect(await rejected(109)).toEqual([404, 'NOT_FOUND', 'media_keys']);
    for (const ids of [[101, 102, 103, 104], [106], [108]]) {
      const id = await post(anna, '', keys(...ids));
      const text = `${world.urls.api}/s/p${BigInt(id).toString(36).padStart(13, '0')}`;
      expect(await shown(id, 'attachments')).toEqual({ id, text, attachments: keys(...ids) });
    }
  });

  test.for(['following', 'mentionedUsers'] as const)(
    'takes replies of whom it is open to: %s',
    async (reply_settings) => {
      const [friend, stranger] = [await person(), await person()];
      await operator.follows.create.mutate({ user_id: anna.user_id, followed_user_id: friend });
      const { screen_name } =
        (await operator.users.list.query({ count: 1000 })).data.find(({ id }) => id === friend) ?? {};
      const id = await post(anna, `Hello @${screen_name}`, { reply_settings });
      const answer = (user_id: string) => operator.posts.create.mutate({ user_id, text: 'x', replied_to_id: id });
      expect(await rejection(answer(stranger))).toEqual([403, 'ACTION_NOT_ALLOWED', 'replied_to_id']);
      await answer(friend);
      await answer(anna.user_id);
      expect(await metricsOf(id)).toEqual(counts(0, 2));
    },
  );

  test('is not counted as one of the author when it is promoted only', async () => {
    const id = await post(anna, 'Seen');
    const before = await userMetrics(anna, id);
    const hidden = await post(anna, 'Promoted', { nullcast: true });
    expect(await userMetrics(anna, id)).toEqual(before);
    await operator.posts.delete.mutate({ post_id: hidden });
    expect(await userMetrics(anna, id)).toEqual(before);
  });
});

describe('deletion', () => {
  test('takes the reposts along and every count back', async () => {
    const parent = await post(anna, 'Parent');
    const quoted = await post(anna, 'Quoted');
    const before = [await userMetrics(anna, parent), await userMetrics(ben, parent)];
    const id = await post(ben, 'Child', { replied_to_id: parent, quoted_id: quoted });
    const { id: repost } = await operator.posts.repost.mutate({ user_id: anna.user_id, post_id: id });
    expect([await metricsOf(parent), await metricsOf(quoted)]).toEqual([counts(0, 1), counts(0, 0, 0, 1)]);
    expect(await operator.posts.delete.mutate({ post_id: id })).toEqual({ id });
    expect([await shown(id), await shown(repost)]).toEqual([undefined, undefined]);
    expect([await metricsOf(parent), await metricsOf(quoted)]).toEqual([counts(), counts()]);
    expect([await userMetrics(anna, parent), await userMetrics(ben, parent)]).toEqual(before);
  });

  test('happens once, and a deleted post cannot be used', async () => {
    const id = await post(anna, 'Gone');
    await operator.posts.delete.mutate({ post_id: id });
    const gone = { user_id: ben.user_id, post_id: id };
    for (const post_id of [id, '1', '9999999999999999999']) {
      expect(await rejection(operator.posts.delete.mutate({ post_id }))).toEqual([404, 'NOT_FOUND', 'post_id']);
    }
    expect(await rejection(operator.posts.like.mutate(gone))).toEqual([404, 'NOT_FOUND', 'post_id']);
    expect(await rejection(operator.posts.repost.mutate(gone))).toEqual([404, 'NOT_FOUND', 'post_id']);
    expect(await rejection(post(ben, 'x', { replied_to_id: id }))).toEqual([404, 'NOT_FOUND', 'replied_to_id']);
    expect(await rejection(post(ben, 'x', { quoted_id: id }))).toEqual([404, 'NOT_FOUND', 'quoted_id']);
  });
});

test('everything is still there after a restart', async () => {
  const id = await post(anna, 'Durable #words');
  await operator.posts.like.mutate({ user_id: ben.user_id, post_id: id });
  const before = await shown(id, 'entities', 'public_metrics', 'created_at');
  expect(before).toMatchObject({ public_metrics: counts(0, 0, 1) });
  await world.reopen();
  expect(await shown(id, 'entities', 'public_metrics', 'created_at')).toEqual(before);
});
