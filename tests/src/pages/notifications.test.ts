/** Notifications of drafts: their list, and the page of each. */
import { type Answer, createWorld, type TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  accountOf,
  deleteDraft,
  notifyOf,
  writeDraft,
} from '../../../apps/server/src/adapters/pages/testing/sent-drafts.ts';
import { about } from '../support/scenario.ts';

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

/** A person who is signed in, with an account. */
async function someone() {
  people += 1;
  const { id, screen_name } = await world.platform.identity.users.create(ACTOR, {
    screen_name: `Writer_${people}`,
    name: `Writer ${people}`,
    password: null,
  });
  const cookie = `broadside_session=${await world.platform.sessions.begin(id)}`;
  return { id, screen_name, cookie, account: await accountOf(world.platform, id) };
}
type Someone = Awaited<ReturnType<typeof someone>>;

function open(path: string, viewer?: Someone, body?: string, read: 'GET' | 'HEAD' = 'GET'): Promise<Answer> {
  const type = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
  return world.send('api', {
    method: body === undefined ? read : 'POST',
    url: `${world.urls.api}${path}`,
    headers: { ...(viewer ? { cookie: viewer.cookie } : {}), ...type },
    body,
  });
}

/** Tells a person of a draft that they wrote. */
async function preview(person: Someone, text: string) {
  const draft = await writeDraft(world.platform, person.account, person.id, text);
  return { draft, id: await notifyOf(world.platform, person.id, person.account, draft, text) };
}

const policyOf = ({ headers }: Answer) => headers['content-security-policy'] ?? '';

test(about('A-HEAD-HARMLESS'), async () => {
  const person = await someone();
  const { id } = await preview(person, 'Unread');
  const unread = async () => (await world.platform.notifications.summary(person.id)).unread;
  expect((await open(`/notifications/${id}`, person, undefined, 'HEAD')).status).toBe(200);
  // Streams are neither opened nor counted.
  for (let i = 0; i < 6; i++) {
    expect((await open('/notifications/events', person, undefined, 'HEAD')).status).toBe(200);
  }
  expect(await unread()).toBe(1);
  await open(`/notifications/${id}`, person);
  expect(await unread()).toBe(0);
});

describe('the list of notifications', () => {
  test('is empty at first', async () => {
    const { status, text } = await open('/notifications', await someone());
    expect(status).toBe(200);
    expect(text).toContain('Nothing here yet.');
    expect(text).not.toContain('Mark all as read');
  });

  test('shows the newest first, marks those that were not read, and counts them in the header', async () => {
    const person = await someone();
    const first = await preview(person, 'The first');
    await preview(person, 'The <b>second</b>');
    await open(`/notifications/${first.id}`, person);
    const { text } = await open('/notifications', person);
    const items = [...text.matchAll(/<li class="news-item(.*?)">(.*?)<\/li>/gs)].map(([, kind, item = '']) => [
      kind,
      /<bdi>(.*?)<\/bdi>/.exec(item)?.[1],
    ]);
    expect(items).toEqual([
      [' unread', 'The &lt;b&gt;second&lt;/b&gt;'],
      ['', 'The first'],
    ]);
    expect(text).toMatch(/id="news-count"><span class="hidden">, <\/span><b>1<\/b>/);
  });

  test('goes on at the last one of a page', async () => {
    const person = await someone();
    for (let index = 1; index <= 23; index++) {
      await notifyOf(world.platform, person.id, person.account, '7', `No ${index}.`);
    }
    const titles = ({ text }: Answer) => [...text.matchAll(/<bdi>(No \d+\.)<\/bdi>/g)].map(([, title]) => title);
    const first = await open('/notifications', person);
    expect(titles(first)).toEqual(Array.from({ length: 20 }, (_, index) => `No ${23 - index}.`));
    const [, older = ''] = /href="(\/notifications\?before=\d+)"/.exec(first.text) ?? [];
    const second = await open(older, person);
    expect(titles(second)).toEqual(['No 3.', 'No 2.', 'No 1.']);
    expect(second.text).toContain('>Newest<');
    expect(second.text).not.toContain('Older notifications');
  });

  test('is read as a whole with a form of this browser, and with no other', async () => {
    const person = await someone();
    await preview(person, 'Unread');
    const { text } = await open('/notifications', person);
    const [, csrf = ''] = /action="\/notifications\/read">.*?name="csrf" value="([^"]+)"/s.exec(text) ?? [];
    expect((await open('/notifications/read', person, 'csrf=wrong')).status).toBe(403);
    expect((await world.platform.notifications.summary(person.id)).unread).toBe(1);
    expect((await open('/notifications/read', person, `csrf=${csrf}`)).status).toBe(303);
    expect((await world.platform.notifications.summary(person.id)).unread).toBe(0);
  });
});

describe('the page of a notification', () => {
  test('shows the draft on top of the timeline, to its reader alone', async () => {
    const person = await someone();
    const { id } = await preview(person, 'A draft of mine & yours');
    await world.platform.posts.create(ACTOR, { author_id: person.id, text: 'Published', source: 'Test', lang: 'en' });
    const { status, text, headers } = await open(`/notifications/${id}`, person);
    expect(status).toBe(200);
    expect(text).toContain('Draft: only you see this');
    expect(text.indexOf('A draft of mine &amp; yours')).toBeGreaterThan(0);
    expect(text.indexOf('>Published<')).toBeGreaterThan(text.indexOf('A draft of mine &amp; yours'));
    expect(headers['cache-control']).toContain('no-store');
    const other = await someone();
    expect((await open(`/notifications/${id}`, other)).status).toBe(404);
    expect((await open(`/notifications/${id}`, other)).text).not.toContain('A draft of mine');
    const signedOut = await open(`/notifications/${id}`);
    expect([signedOut.status, signedOut.headers['location']]).toEqual([303, '/sign-in']);
  });

  test('says that a draft is gone, and the draft is in no timeline', async () => {
    const person = await someone();
    const { id, draft } = await preview(person, 'Short-lived');
    expect((await open(`/${person.screen_name}`, person)).text).not.toContain('Short-lived');
    await deleteDraft(world.platform, person.account, draft);
    const { status, text } = await open(`/notifications/${id}`, person);
    expect(status).toBe(410);
    expect(text).toContain('This draft is gone');
  });

  test('is closed to a person who has lost the account', async () => {
    const person = await someone();
    const { id } = await preview(person, 'Of the account');
    await world.platform.ads.sandbox.revoke(ACTOR, person.account, person.id);
    const { status, text } = await open(`/notifications/${id}`, person);
    expect(status).toBe(410);
    expect(text).not.toContain('class="said"');
  });

  test.each(['0', '-1', '1x', '99999999999999999999', '999999999999999'])('is missing for the id %s', async (id) => {
    expect((await open(`/notifications/${id}`, await someone())).status).toBe(404);
  });
});

describe('the script', () => {
  test('is let in on pages that load it, and on no others', async () => {
    const person = await someone();
    const { id } = await preview(person, 'Here');
    for (const path of ['/settings', '/notifications', `/notifications/${id}`, `/${person.screen_name}`]) {
      const page = await open(path, person);
      const [, script = ''] = /<script src="([^"]+)" defer><\/script>/.exec(page.text) ?? [];
      expect(policyOf(page)).toContain("script-src 'self'; connect-src 'self';");
      expect(policyOf(page)).not.toContain('unsafe');
      expect((await open(script)).headers['content-type']).toBe('text/javascript; charset=utf-8');
    }
    for (const page of [
      await open('/sign-in'),
      await open(`/${person.screen_name}`),
      await open('/nobody_here_', person),
    ]) {
      expect(page.text).not.toContain('<script');
      expect(policyOf(page)).not.toMatch(/script-src|connect-src/);
    }
  });
});
