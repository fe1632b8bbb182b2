/** Pages of posts and timelines, as a browser asks for them. */
import type { Answer, TestWorld } from '@broadside/testkit';
import { createWorld } from '@broadside/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodePng } from '../../../apps/server/src/media/testing/images.ts';
import { OPERATOR } from '../support/operator.ts';

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(async () => {
  expect(world.failures).toEqual([]);
  await world.close();
});

const ACTOR = { user_id: null, platform: 'SERVER' } as const;
let people = 0;

interface Someone {
  readonly id: string;
  readonly screen_name: string;
}

async function someone(more: { readonly protected?: boolean } = {}): Promise<Someone> {
  people += 1;
  const screen_name = `Reader_${people}`;
  const user = await world.platform.identity.users.create(ACTOR, {
    screen_name,
    name: `Reader ${people}`,
    password: null,
  });
  await world.platform.identity.users.update(ACTOR, user.id, more);
  return user;
}

function write(author: Someone, text: string, more: object = {}): Promise<string> {
  return world.platform.posts.create(ACTOR, { author_id: author.id, text, source: 'Test', lang: 'en', ...more });
}

/** Opens a path in a browser, of a signed-in person if one is given. */
async function open(path: string, viewer?: Someone, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const cookie = viewer && { cookie: `broadside_session=${await world.platform.sessions.begin(viewer.id)}` };
  return world.send('api', {
    method: 'GET',
    url: `${world.urls.api}${path}`,
    headers: { ...cookie, ...headers },
    body: undefined,
  });
}

const pageOf = ({ screen_name }: Someone, id: string) => `/${screen_name}/status/${id}`;
const said = ({ text }: Answer) =>
  [...text.matchAll(/<div class="said"[^>]*>(.*?)<\/div>/gs)].map(([, words = '']) => words.replace(/<[^>]*>/g, ''));

describe('the page of a post', () => {
  test('shows the text with its links, the author, the time and the counts', async () => {
    const [author, friend] = [await someone(), await someone()];
    const id = await write(
      author,
      `<b>Hello</b> @${friend.screen_name} and @nobody_there: https://www.example.com/a?b=c #tide $SEA`,
    );
    await world.platform.posts.like(OPERATOR, friend.id, id, true);
    const { status, text, headers } = await open(pageOf(author, id));
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).toContain('&lt;b&gt;Hello&lt;/b&gt;');
    expect(text).toContain(`<a dir="ltr" href="/${friend.screen_name}">@${friend.screen_name}</a> and @nobody_there: `);
    expect(text).toContain(
      '<a dir="ltr" href="https://www.example.com/a?b=c" target="_blank" rel="noopener noreferrer nofollow">',
    );
    expect(text).toContain('<bdi class="tag">#tide</bdi> <bdi class="tag">$SEA</bdi>');
    expect(text).toContain('<time datetime="2026-01-15T08:00:00.000Z">15 January 2026, 08:00 UTC</time>');
    expect(text).toContain('1<span class="hidden"> like</span>');
    expect(text).not.toContain('Promoted');
  });

  test('allows nothing but its own style and media, in no frame', async () => {
    const author = await someone();
    const { headers } = await open(pageOf(author, await write(author, 'Policy')));
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self' data:; media-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    );
    expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'x-content-type-options': 'nosniff' });
  });

  test('is found under any case of the name, another name, and the address of its media', async () => {
    const [author, other] = [await someone(), await someone()];
    const id = await write(author, 'Found');
    const right = pageOf(author, id);
    for (const path of [
      right.toLowerCase(),
      pageOf(other, id),
      `/nobody/status/${id}`,
      `${right}/photo/1`,
      `${right}/video/1`,
    ]) {
      expect(await open(path), path).toMatchObject({ status: 303, headers: { location: right } });
    }
    for (const path of [`${right}/photo/0`, `${right}/likes`, `${right}/photo/1/2`]) {
      expect((await open(path)).status, path).toBe(404);
    }
  });

  test('is an error page for a post that is deleted, that never was, or that cannot be', async () => {
    const author = await someone();
    const id = await write(author, 'Gone soon');
    await world.platform.posts.delete(ACTOR, id);
    for (const wrong of [id, '1', '0', '007', '9'.repeat(19), '9'.repeat(40), 'x', '%00', '1e3']) {
      const { status, text } = await open(pageOf(author, wrong));
      expect(status, wrong).toBe(404);
      expect(text).toContain('There is no such post');
    }
  });

  test('shows a protected post to its author and to approved followers only', async () => {
    const [author, follower, asking] = [await someone({ protected: true }), await someone(), await someone()];
    const id = await write(author, 'Between us');
    await world.platform.follows.follow(OPERATOR, asking.id, author.id);
    await world.platform.follows.follow(OPERATOR, follower.id, author.id);
    await world.platform.follows.approve(OPERATOR, follower.id, author.id);
    for (const viewer of [author, follower]) {
      const answer = await open(pageOf(author, id), viewer);
      expect(answer).toMatchObject({ status: 200, headers: { 'cache-control': 'private, no-store' } });
      expect(said(answer)).toEqual(['Between us']);
    }
    for (const viewer of [undefined, asking]) {
      const { status, text } = await open(pageOf(author, id), viewer);
      expect(status).toBe(403);
      expect(text).not.toContain('Between us');
    }
  });

  test('says that a promoted-only post is promoted', async () => {
    const author = await someone();
    const { text } = await open(pageOf(author, await write(author, 'Buy now', { nullcast: true })));
    expect(text).toContain('Promoted</span>');
  });

  test('shows what a post quotes, unless that is gone', async () => {
    const [author, quoted] = [await someone(), await someone()];
    const original = await write(quoted, 'The original');
    const path = pageOf(author, await write(author, 'Look', { quoted_id: original }));
    expect(said(await open(path))).toEqual(['Look', 'The original']);
    await world.platform.posts.delete(ACTOR, original);
    const { text } = await open(path);
    expect(text).toContain('This post is not available.');
    expect(text).not.toContain('The original');
  });

  test('says what it answers', async () => {
    const [author, answered] = [await someone(), await someone()];
    const original = await write(answered, 'A question');
    const { text } = await open(pageOf(author, await write(author, 'An answer', { replied_to_id: original })));
    expect(text).toContain(`Replying to <a href="${pageOf(answered, original)}">`);
  });

  test('need not be sent again while it stays the same', async () => {
    const author = await someone();
    const path = pageOf(author, await write(author, 'Same'));
    const { headers } = await open(path);
    expect(headers).toMatchObject({ 'cache-control': 'public, no-cache', vary: 'cookie' });
    const again = await open(path, undefined, { 'if-none-match': headers['etag'] ?? '' });
    expect(again).toMatchObject({ status: 304, text: '' });
    await world.platform.identity.users.update(ACTOR, author.id, { name: 'Somebody else' });
    expect((await open(path, undefined, { 'if-none-match': headers['etag'] ?? '' })).status).toBe(200);
  });

  test('shows pictures from this server, with what they show in words', async () => {
    const author = await someone();
    const { media } = world.platform;
    const blob = await media.receive(encodePng(40, 30));
    const row = await media.create(
      { owner_user_id: author.id, additional_owners: [], category: 'post_image', declared: 'image/png' },
      blob,
    );
    const { text } = await open(pageOf(author, await write(author, '', { media_keys: [row.media_key] })));
    expect(text).toMatch(/<img src="\/media\/[a-z0-9.]+" alt="Image without a description" width="40" height="30"/);
  });
});

describe('the timeline of a person', () => {
  test('shows posts and reposts, the newest first, and nothing that is promoted only', async () => {
    const [author, other] = [await someone(), await someone()];
    const theirs = await write(other, 'Of somebody else');
    await write(author, 'First');
    await write(author, 'For money', { nullcast: true });
    await world.platform.posts.repost(ACTOR, { author_id: author.id, post_id: theirs, source: 'Test' });
    await write(author, 'Last');
    const answer = await open(`/${author.screen_name}`);
    expect(said(answer)).toEqual(['Last', 'Of somebody else', 'First']);
    expect(answer.text).toContain(`Reposted by <a href="/${author.screen_name}">`);
    expect(answer.text).not.toContain('class="pager"');
  });

  test('goes on by pages in both directions, and nothing is skipped or repeated', async () => {
    const author = await someone();
    const texts = Array.from({ length: 45 }, (_, index) => `Number ${index + 1}`);
    for (const text of texts) await write(author, text);
    const walk = async (start: string, label: string) => {
      const pages: string[][] = [];
      let path: string | undefined = start;
      let last = start;
      while (path !== undefined) {
        last = path;
        const answer: Answer = await open(path);
        expect(answer.status).toBe(200);
        pages.push(said(answer));
        path = new RegExp(`href="([^"]*)">${label}`).exec(answer.text)?.[1];
      }
      return { pages, last };
    };
    const down = await walk(`/${author.screen_name}`, 'Older posts');
    expect(down.pages.map(({ length }) => length)).toEqual([20, 20, 5]);
    expect(down.pages.flat()).toEqual(texts.toReversed());
    const up = await walk(down.last, 'Newer posts');
    expect(up.pages.toReversed().flat()).toEqual(texts.toReversed());
  });

  test('is found under any case of the name; there is an error page for a name that nobody has', async () => {
    const author = await someone();
    expect(await open(`/${author.screen_name.toUpperCase()}`)).toMatchObject({
      status: 303,
      headers: { location: `/${author.screen_name}` },
    });
    expect(await open('/nobody_here')).toMatchObject({
      status: 404,
      text: expect.stringContaining('nobody of this name'),
    });
  });

  test('of a protected person is for approved followers only', async () => {
    const [author, follower] = [await someone({ protected: true }), await someone()];
    await write(author, 'Quiet');
    await world.platform.follows.follow(OPERATOR, follower.id, author.id);
    expect(said(await open(`/${author.screen_name}`, follower))).toEqual([]);
    await world.platform.follows.approve(OPERATOR, follower.id, author.id);
    expect(said(await open(`/${author.screen_name}`, follower))).toEqual(['Quiet']);
    const { status, text } = await open(`/${author.screen_name}`);
    expect(status).toBe(200);
    expect(text).toContain('These posts are protected');
    expect(text).not.toContain('Quiet');
  });

  test('never takes the place of a path of the platform', async () => {
    for (const screen_name of ['health', 'ready', 'docs', 'settings', 'Media']) {
      await world.platform.identity.users.create(ACTOR, { screen_name, name: 'A name like a path', password: null });
    }
    expect((await open('/health')).body).toEqual({ status: 'ok' });
    expect((await open('/ready')).body).toEqual({ status: 'ready' });
    for (const path of ['/docs', '/settings', '/media/none']) {
      expect((await open(path)).text, path).not.toContain('A name like a path');
    }
  });
});
