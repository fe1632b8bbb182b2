/** The stream of notifications, over real connections. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createApp, createLogger, createServices, readConfig, World } from '@broadside/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { notifyOf } from '../../../apps/server/src/adapters/pages/testing/sent-drafts.ts';
import { testSettings } from '../support/server-process.ts';

const ACTOR = { user_id: null, platform: 'SERVER' } as const;
const directory = mkdtempSync(path.join(tmpdir(), 'broadside-events-'));
let world: World;
let server: Listening;
let people = 0;

type Listening = Awaited<ReturnType<typeof listen>>;

async function listen() {
  const services = createServices(world, { rateLimits: 'off', operatorToken: undefined, mode: 'development' });
  const app = createApp({ services, listener: 'api', logger: createLogger(readConfig(testSettings(directory))) });
  return { app, url: await app.listen({ host: '127.0.0.1', port: 0 }) };
}

beforeAll(async () => {
  world = await World.open({ dataDirectory: directory });
  server = await listen();
});
afterAll(async () => {
  await server.app.close();
  await world.close();
  rmSync(directory, { recursive: true, force: true });
});

interface Browser {
  readonly user_id: string;
  readonly session: string;
}

async function browser(user_id?: string): Promise<Browser> {
  people += 1;
  const id =
    user_id ??
    (await world.identity.users.create(ACTOR, { screen_name: `Eve_${people}`, name: 'Eve', password: null })).id;
  return { user_id: id, session: await world.sessions.begin(id) };
}

const send = ({ user_id }: Browser, title: string) => notifyOf(world, user_id, 'abc', '7', title);

/** A page that listens. */
class Page {
  readonly status: number;
  readonly headers: Headers;
  text = '';
  ended = false;
  readonly #stop: AbortController;

  private constructor(response: Response, stop: AbortController) {
    this.status = response.status;
    this.headers = response.headers;
    this.#stop = stop;
    this.#read(response).catch(() => {
      this.ended = true;
    });
  }

  static async open(
    { session }: Pick<Browser, 'session'>,
    { after = '0', lastSeen, from = server }: { after?: string; lastSeen?: number; from?: Listening } = {},
  ): Promise<Page> {
    const stop = new AbortController();
    const response = await fetch(`${from.url}/notifications/events?after=${after}`, {
      headers: {
        cookie: `broadside_session=${session}`,
        ...(lastSeen === undefined ? {} : { 'last-event-id': `${lastSeen}` }),
      },
      signal: stop.signal,
    });
    return new Page(response, stop);
  }

  /** Titles of the notifications that have come. */
  get titles(): string[] {
    return [...this.text.matchAll(/"title":"([^"]*)"/g)].map(([, title = '']) => title);
  }

  close(): void {
    this.#stop.abort();
  }

  async #read({ body }: Response): Promise<void> {
    const decoder = new TextDecoder();
    for await (const piece of body ?? []) this.text += decoder.decode(piece, { stream: true });
    this.ended = true;
  }
}

describe('a page that listens', () => {
  test('hears of notifications to its person, in every browser, and of no others', async () => {
    const one = await browser();
    const [other, stranger] = [await browser(one.user_id), await browser()];
    const pages = await Promise.all([one, other, stranger].map((who) => Page.open(who)));
    const id = await send(one, 'Here it is');
    for (const page of pages.slice(0, 2)) await expect.poll(() => page.titles).toEqual(['Here it is']);
    expect(pages[0]?.text).toContain(
      `id: ${id}\nevent: notification\ndata: {"title":"Here it is","href":"/notifications/${id}","unread":1}\n\n`,
    );
    await send(stranger, 'For the stranger');
    await expect.poll(() => pages[2]?.titles).toEqual(['For the stranger']);
    expect(pages[1]?.titles).toEqual(['Here it is']);
    for (const page of pages) page.close();
  });

  test('gets events that no proxy holds back and no cache keeps', async () => {
    const page = await Page.open(await browser());
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(page.headers.get('x-accel-buffering')).toBe('no');
    expect(page.headers.get('cache-control')).toBe('no-store, no-transform');
    await expect.poll(() => page.text).toMatch(/^retry: \d+\n\n/);
    page.close();
  });

  test('gets what it missed, once: after the page was made, or after the last event', async () => {
    const person = await browser();
    const [first, second] = [await send(person, 'one'), await send(person, 'two')];
    await send(person, 'three');
    const loaded = await Page.open(person, { after: `${first}` });
    await expect.poll(() => loaded.titles).toEqual(['two', 'three']);
    await send(person, 'four');
    await expect.poll(() => loaded.titles).toEqual(['two', 'three', 'four']);
    const again = await Page.open(person, { after: `${first}`, lastSeen: second });
    await expect.poll(() => again.titles).toEqual(['three', 'four']);
    for (const page of [loaded, again]) page.close();
  });

  test('is told to stop when its person signs out, and hears nothing any more', async () => {
    const person = await browser();
    const page = await Page.open(person);
    await world.sessions.end(person.session);
    await send(person, 'Too late');
    await expect.poll(() => page.ended).toBe(true);
    expect(page.text).toContain('event: end');
    expect(page.titles).toEqual([]);
  });

  test('stops at once with the button for signing out', async () => {
    const person = await browser();
    const page = await Page.open(person);
    const cookie = `broadside_session=${person.session}`;
    const settings = await (await fetch(`${server.url}/settings`, { headers: { cookie } })).text();
    const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(settings) ?? [];
    await fetch(`${server.url}/sign-out`, {
      method: 'POST',
      headers: { cookie },
      body: new URLSearchParams({ csrf }),
      redirect: 'manual',
    });
    await expect.poll(() => page.ended).toBe(true);
  });

  test('is turned away without a session, and when a browser has too many', async () => {
    expect((await Page.open({ session: 'none' })).status).toBe(401);
    const person = await browser();
    const pages = await Promise.all(Array.from({ length: 5 }, () => Page.open(person)));
    expect(pages.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 429]);
    for (const page of pages) page.close();
    await expect
      .poll(async () => {
        const page = await Page.open(person);
        page.close();
        return page.status;
      })
      .toBe(200);
  });
});

test('a server stops while pages listen', async () => {
  const own = await listen();
  const pages = await Promise.all([1, 2, 3].map(async () => Page.open(await browser(), { from: own })));
  await own.app.close();
  for (const page of pages) await expect.poll(() => page.ended).toBe(true);
});
