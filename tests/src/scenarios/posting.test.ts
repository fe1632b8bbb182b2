/** What the operator does in the name of people: posts, likes, follows, and the counts that follow from it. */
import type { TestUser, TestWorld } from '@broadside/testkit';
import { TRPCClientError } from '@trpc/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeGif, encodePng } from '../../../apps/server/src/media/testing/images.ts';
import { encodeMp4 } from '../../../apps/server/src/media/testing/videos.ts';
import { member } from '../support/body.ts';
import { get, insertRows, mediaRow, openReadingWorld, operatorOf } from '../support/reading.ts';
import { about } from '../support/scenario.ts';
import { multipart, partsOf } from '../support/uploads.ts';

let world: TestWorld;
let operator: ReturnType<typeof operatorOf>;
let anna: TestUser;
let ben: TestUser;
let crowd: readonly string[];

beforeAll(async () => {
  world = await openReadingWorld();
  operator = operatorOf(world);
  anna = await world.createUser('anna');
  ben = await world.createUser('ben');
  const { identity } = world.platform;
  const made = Array.from({ length: 34 }, (_, index) =>
    identity.users.create(
      { user_id: null, platform: 'SERVER' },
      { screen_name: `one${index}`, name: 'One', password: 'correct horse' },
    ),
  );
  crowd = (await Promise.all(made)).map(({ id }) => id);
});
afterAll(async () => {
  expect(world.failures).toEqual([]);
  await world.close();
});

type Creation = Parameters<typeof operator.posts.create.mutate>[0];

async function post(author: TestUser, text: string, more: Partial<Creation> = {}): Promise<string> {
  return (await operator.posts.create.mutate({ user_id: author.user_id, text, ...more })).id;
}

/** A new user. */
let people = 0;
async function person(protectedOne = false): Promise<string> {
  const { id } = await operator.users.create.mutate({ screen_name: `p${people++}`, password: 'correct horse battery' });
  if (protectedOne) await operator.users.update.mutate({ user_id: id, protected: true });
  return id;
}

/** One post as data retrieval shows it. */
async function shown(id: string, ...fields: string[]): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { body } = await get(world, { ids: id, ...(fields.length > 0 ? { 'post.fields': fields } : {}) });
  const data = member(body, 'data');
  return Array.isArray(data) ? data[0] : undefined;
}

const metricsOf = async (id: string) => (await shown(id, 'public_metrics'))?.['public_metrics'];

async function userMetrics(author: TestUser, postId: string): Promise<unknown> {
  const { body } = await get(world, { ids: postId, expansions: 'author_id', 'user.fields': 'public_metrics' }, author);
  const users = member(member(body, 'includes'), 'users');
  return Array.isArray(users) ? member(users[0], 'public_metrics') : undefined;
}

async function refusal(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
    return 'no refusal';
  } catch (error) {
    if (!(error instanceof TRPCClientError)) throw error;
    return [error.data?.httpStatus, error.data?.errors[0]?.code, error.data?.errors[0]?.parameter];
  }
}

const counts = (repost_count = 0, reply_count = 0, like_count = 0, quote_count = 0) => ({
  repost_count,
  reply_count,
  like_count,
  quote_count,
});

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

  test('is refused with words about what is wrong with it', async () => {
    const refused = (text: string, more?: Partial<Creation>) => refusal(post(anna, text, more));
    expect(await refused('')).toEqual([400, 'INVALID_PARAMETER', 'text']);
    expect(await refused('  \n ')).toEqual([400, 'INVALID_PARAMETER', 'text']);
    expect(await refused('a'.repeat(281))).toEqual([400, 'INVALID_PARAMETER', 'text']);
    expect(await refused('字'.repeat(141))).toEqual([400, 'INVALID_PARAMETER', 'text']);
    expect(await refused('x', { replied_to_id: '1' })).toEqual([404, 'NOT_FOUND', 'replied_to_id']);
    expect(await refused('x', { quoted_id: '9999999999999999999' })).toEqual([404, 'NOT_FOUND', 'quoted_id']);
    expect(await refused('x', { media_keys: ['3_1'] })).toEqual([404, 'NOT_FOUND', 'media_keys']);
    expect(await refused('x', { user_id: '1' })).toEqual([403, 'USER_NOT_FOUND', 'user_id']);
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
    const refused = (...ids: number[]) => refusal(post(anna, 'x', keys(...ids)));
    for (const ids of [[101, 106], [107], [101, 102, 103, 104, 105]]) {
      expect(await refused(...ids), ids.join()).toEqual([400, 'INVALID_PARAMETER', 'media_keys']);
    }
    expect(await refused(109)).toEqual([404, 'NOT_FOUND', 'media_keys']);
    for (const ids of [[101, 102, 103, 104], [106], [108]]) {
      const id = await post(anna, '', keys(...ids));
      const text = `${world.urls.api}/s/blob${ids[0]}`;
      expect(await shown(id, 'attachments')).toEqual({ id, text, attachments: keys(...ids) });
    }
  });

  test.for(['following', 'mentionedUsers'] as const)(
    'takes replies of whom it is open to: %s',
    async (reply_settings) => {
      const [friend, stranger] = [await person(), await person()];
      await operator.follows.create.mutate({ user_id: anna.user_id, followed_user_id: friend });
      const { screen_name } = (await operator.users.list.query({ count: 1000 })).find(({ id }) => id === friend) ?? {};
      const id = await post(anna, `Hello @${screen_name}`, { reply_settings });
      const answer = (user_id: string) => operator.posts.create.mutate({ user_id, text: 'x', replied_to_id: id });
      expect(await refusal(answer(stranger))).toEqual([403, 'ACTION_NOT_ALLOWED', 'replied_to_id']);
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
    expect(await refusal(operator.posts.repost.mutate(mine))).toEqual([409, 'ALREADY_EXISTS', 'post_id']);
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
      expect(await refusal(repost(user_id))).toEqual(not('post_id'));
      expect(await refusal(quote(user_id))).toEqual(not('quoted_id'));
    }
    expect(await refusal(answer(ben.user_id))).toEqual(not('replied_to_id'));
    expect(await refusal(like(ben.user_id))).toEqual(not('post_id'));
    await answer(fan);
    await like(fan);
    // Their own followers see both.
    await quote(guarded);
    await repost(guarded);
  });

  test('of what somebody protected passes on is for those who see it', async () => {
    const [guarded, fan] = [await person(), await person()];
    await operator.follows.create.mutate({ user_id: fan, followed_user_id: guarded });
    const original = await post(anna, 'For everybody');
    const { id } = await operator.posts.repost.mutate({ user_id: guarded, post_id: original });
    await operator.users.update.mutate({ user_id: guarded, protected: true });
    const again = (user_id: string) => operator.posts.repost.mutate({ user_id, post_id: id });
    expect(await refusal(again(ben.user_id))).toEqual([403, 'ACTION_NOT_ALLOWED', 'post_id']);
    await again(fan);
    await operator.posts.repost.mutate({ user_id: ben.user_id, post_id: original });
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

  test('happens once, and nothing can be done with what is gone', async () => {
    const id = await post(anna, 'Gone');
    await operator.posts.delete.mutate({ post_id: id });
    const gone = { user_id: ben.user_id, post_id: id };
    for (const post_id of [id, '1', '9999999999999999999']) {
      expect(await refusal(operator.posts.delete.mutate({ post_id }))).toEqual([404, 'NOT_FOUND', 'post_id']);
    }
    expect(await refusal(operator.posts.like.mutate(gone))).toEqual([404, 'NOT_FOUND', 'post_id']);
    expect(await refusal(operator.posts.repost.mutate(gone))).toEqual([404, 'NOT_FOUND', 'post_id']);
    expect(await refusal(post(ben, 'x', { replied_to_id: id }))).toEqual([404, 'NOT_FOUND', 'replied_to_id']);
    expect(await refusal(post(ben, 'x', { quoted_id: id }))).toEqual([404, 'NOT_FOUND', 'quoted_id']);
  });
});

const PUBLIC = /^http:\/\/api\.test/;

/** Bytes as anybody gets them. */
async function fetched(address: unknown): Promise<{ status: number; type: unknown; to: unknown; bytes: Buffer }> {
  const path = String(address).replace(PUBLIC, '');
  const { status, headers, bytes } = await world.request({ listener: 'api', path, as: null });
  return { status, type: headers['content-type'], to: headers['location'], bytes: Buffer.from(bytes) };
}

/** Uploads media of anna. @returns their key */
async function upload(bytes: Uint8Array, media_category: string): Promise<string> {
  const fields = { media_category };
  const answer = await world.request({
    listener: 'api',
    method: 'POST',
    path: '/2/media/upload',
    as: anna,
    ...multipart(partsOf(fields, bytes)),
  });
  expect(answer.status, answer.text).toBe(200);
  await world.runJobs();
  return String(member(member(answer.body, 'data'), 'media_key'));
}

describe('media of a post', () => {
  const png = encodePng(40, 30);

  test(about('A-POST-MEDIA-LINK-LEADS'), async () => {
    const first = await upload(png, 'post_image');
    const second = await upload(encodePng(10, 10), 'post_image');
    const id = await post(anna, 'Two of them', { media_keys: [first, second] });
    const { text, entities } = (await shown(id, 'entities')) ?? {};
    const [, link = ''] = /^Two of them (http:\/\/api\.test\/s\/[a-z0-9]{12})$/.exec(String(text)) ?? [];
    const urls = member(entities, 'urls');
    const expanded = Array.isArray(urls) ? member(urls[0], 'expanded_url') : undefined;
    const led = await fetched(link);
    expect([led.status, new URL(String(led.to), link).href]).toEqual([301, expanded]);
    const there = await fetched(expanded);
    expect([there.status, there.type, there.bytes.equals(png)]).toEqual([200, 'image/png', true]);
    // Neither the beginning of a code nor one that was made up tells of media.
    for (const wrong of [link.slice(0, -1), `${link}a`, `${link.slice(0, -12)}${'0'.repeat(12)}`, `${link}/x`]) {
      expect((await fetched(wrong)).status, wrong).toBe(404);
    }
  });

  test('has a link that weighs nothing, at offsets that are right behind any text', async () => {
    const media_keys = [await upload(png, 'post_image')];
    for (const text of ['a'.repeat(280), '👩‍👩‍👧🎉'.repeat(20), '', 'e\u0301 #日本 https://a.example.com/x']) {
      const id = await post(anna, text, { media_keys });
      const { text: said = '', entities } = (await shown(id, 'entities')) ?? {};
      const own = text.normalize('NFC');
      const urls = member(entities, 'urls');
      const link = Array.isArray(urls) ? urls.at(-1) : undefined;
      expect(said).toBe(own === '' ? member(link, 'url') : `${own} ${member(link, 'url')}`);
      const characters = [...String(said)];
      expect(characters.slice(Number(member(link, 'start')), Number(member(link, 'end'))).join('')).toBe(
        member(link, 'url'),
      );
      expect(member(link, 'media_key')).toBe(media_keys[0]);
      expect(member(link, 'end')).toBe(characters.length);
    }
    expect(await refusal(post(anna, 'a'.repeat(281), { media_keys }))).toEqual([400, 'INVALID_PARAMETER', 'text']);
  });

  test.for([
    ['post_gif', encodeGif(20, 10, [5, 5])],
    ['post_video', encodeMp4({ width: 320, height: 240, seconds: 2 })],
  ] as const)(`${about('A-MEDIA-STILL')}: %s`, async ([category, bytes]) => {
    const media_keys = [await upload(bytes, category)];
    const id = await post(anna, 'It moves', { media_keys });
    const { body } = await get(world, {
      ids: id,
      expansions: 'attachments.media_keys',
      'media.fields': 'preview_image_url,width,height,variants,url',
    });
    const list = member(member(body, 'includes'), 'media');
    const media = Array.isArray(list) ? list[0] : undefined;
    expect(media).not.toHaveProperty('url');
    const still = await fetched(member(media, 'preview_image_url'));
    expect([still.status, still.type]).toEqual([200, 'image/png']);
    expect([still.bytes.readUInt32BE(16), still.bytes.readUInt32BE(20)]).toEqual([
      member(media, 'width'),
      member(media, 'height'),
    ]);
  });
});

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

  test('is of somebody else who exists', async () => {
    const to = (followed_user_id: string) =>
      operator.follows.create.mutate({ user_id: anna.user_id, followed_user_id });
    expect(await refusal(to(anna.user_id))).toEqual([403, 'ACTION_NOT_ALLOWED', 'followed_user_id']);
    for (const id of ['1', '9999999999999999999']) {
      expect(await refusal(to(id))).toEqual([403, 'USER_NOT_FOUND', 'followed_user_id']);
      const none = { user_id: id, followed_user_id: id };
      expect(await operator.follows.approve.mutate(none)).toEqual({ changed: false });
      expect(await operator.follows.delete.mutate(none)).toEqual({ changed: false });
    }
  });

  test('opens replies to a protected user, as a request does not', async () => {
    const [fan, star] = [await person(), await person(true)];
    const { id } = await operator.posts.create.mutate({ user_id: star, text: 'x' });
    const answer = () => operator.posts.create.mutate({ user_id: fan, text: 'y', replied_to_id: id });
    expect(await refusal(answer())).toEqual([403, 'ACTION_NOT_ALLOWED', 'replied_to_id']);
    await operator.follows.create.mutate({ user_id: fan, followed_user_id: star });
    expect(await refusal(answer())).toEqual([403, 'ACTION_NOT_ALLOWED', 'replied_to_id']);
    await operator.follows.approve.mutate({ user_id: fan, followed_user_id: star });
    await answer();
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
