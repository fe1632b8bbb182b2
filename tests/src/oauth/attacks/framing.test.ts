/** Headers and cookie attributes of every page, which keep other sites from framing, scripting or reading it. */
import { parse } from 'parse5';
import { beforeAll, describe, expect, test } from 'vitest';
import { CALLBACK, Provider } from './provider.ts';
import type { Arrival, Visitor } from './visitor.ts';

/** Every page that there is, and how one gets there. */
async function walk(provider: Provider): Promise<Map<string, Arrival>> {
  const pages = new Map<string, Arrival>();
  const put = (title: string, page: Arrival) => {
    pages.set(title, page);
    return page;
  };
  const { screen_name, password, user_id } = provider.world.credentials;
  const app = await provider.app({ name: '<script>alert(1)</script>', description: '"><img src=x onerror=alert(1)>' });
  const token = async (callback?: string) => (await provider.requestToken(app, callback)).token;
  const stranger = provider.visitor();
  put('sign-in', await stranger.get('/sign-in'));
  put(
    'sign-in for an app',
    await stranger.get(`/oauth/authorize?oauth_token=${await token()}&screen_name=%22%3E%3Cscript%3E`),
  );
  const wrong = { screen_name: '"><script>', password: 'wrong' };
  put('wrong password', await stranger.post('/sign-in', { ...wrong, csrf: (await stranger.get('/sign-in')).csrf }));
  put('settings without a session', await stranger.get('/settings'));
  put('unknown request token', await stranger.get('/oauth/authorize?oauth_token=<script>'));
  put('no request token', await stranger.get('/oauth/authenticate'));
  put('a form of no page', await stranger.post('/sign-in', wrong));
  put('a body that is too large', await stranger.post('/sign-in', { csrf: 'x'.repeat(6_000_000) }));
  const browser: Visitor = provider.visitor();
  put('signing in', await browser.signIn({ screen_name, password }));
  put('the question', await browser.get(`/oauth/authorize?oauth_token=${await token()}`));
  put('force_login', await browser.get(`/oauth/authorize?oauth_token=${await token()}&force_login=true`));
  put('approval', await browser.decide(await token(), 'approve'));
  put('cancellation', await browser.decide(await token(), 'cancel'));
  put('PIN', await browser.decide(await token('oob'), 'approve'));
  put('cancellation without a callback', await browser.decide(await token('oob'), 'cancel'));
  put('settings', await browser.get('/settings'));
  const owned = await provider.app({ owner_user_id: user_id, name: '<b onclick=x>' });
  const path = `/settings/apps/${owned.id}`;
  const { csrf } = put('an app', await browser.get(path));
  put(
    'errors in the settings',
    await browser.post(path, { csrf, name: '', callback_urls: 'javascript:alert(1)\n"><script>' }),
  );
  put('new keys', await browser.post(`${path}/keys`, { csrf }));
  put('bearer revoked', await browser.post(`${path}/bearer`, { csrf }));
  put('no such app', await browser.get('/settings/apps/1'));
  put('approval revoked', await browser.post('/settings/revoke', { csrf, app_id: app.id }));
  put('signing out', await browser.post('/sign-out', { csrf }));
  put('the root', await browser.get('/'));
  const guesser = provider.visitor();
  const form = await guesser.get('/sign-in');
  for (let i = 0; i < 10; i++)
    await guesser.post('/sign-in', { csrf: form.csrf, screen_name: 'nobody', password: 'x' });
  put('throttled', await guesser.post('/sign-in', { csrf: form.csrf, screen_name: 'nobody', password: 'x' }));
  return pages;
}

/** Pages that announce notifications: those of a signed-in person's own account. */
const NEWS = ['settings', 'an app', 'errors in the settings', 'bearer revoked', 'approval revoked'];

describe.for([
  ['behind HTTPS', 'production'],
  ['on plain HTTP in development', 'development'],
] as const)('%s', ([, mode]) => {
  let pages: Map<string, Arrival>;
  beforeAll(async () => {
    await using provider = await Provider.open({ mode });
    pages = await walk(provider);
    expect(provider.world.failures).toEqual([]);
  });

  test('the walk saw every kind of page', () => {
    const statuses = new Set([...pages.values()].map(({ status }) => status));
    expect([...statuses].sort()).toEqual([200, 303, 400, 401, 403, 404, 413, 429]);
    expect(pages.size).toBeGreaterThanOrEqual(25);
  });

  test('no page can be framed, sniffed, cached, or reveal its address to another site', () => {
    for (const [title, { headers, text }] of pages) {
      const policy = headers['content-security-policy'] ?? '';
      expect(policy.split('; '), title).toEqual(
        expect.arrayContaining(["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"]),
      );
      expect(policy, title).not.toMatch(/unsafe|\*/);
      expect([title, /script-src ([^;]*)/.exec(policy)?.[1]]).toEqual([title, hasNews(text) ? "'self'" : undefined]);
      expect(headers, title).toMatchObject({
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'content-type': 'text/html; charset=utf-8',
      });
      expect(headers['referrer-policy'], title).toBe('no-referrer');
      expect(
        Object.keys(headers).filter((name) => name.startsWith('access-control-')),
        title,
      ).toEqual([]);
    }
  });

  test('forms can be sent to this server, and end at the callback of their flow only', () => {
    for (const [title, { headers }] of pages) {
      const action = /form-action ([^;]*)/.exec(headers['content-security-policy'] ?? '')?.[1];
      const isFlow = ['the question', 'force_login', 'sign-in for an app'].includes(title);
      expect([title, action]).toEqual([title, isFlow ? `'self' ${new URL(CALLBACK).protocol}` : "'self'"]);
    }
  });

  test('no page has script but the file that announces notifications to the signed-in, outside of any flow, or loads anything', () => {
    expect([...pages].filter(([, { text }]) => hasNews(text)).map(([title]) => title)).toEqual(NEWS);
    for (const [title, { text }] of pages) {
      const elements = [...elementsOf(parse(text))];
      const names = new Set(elements.filter((element) => !isNews(element)).map(({ name }) => name));
      for (const name of ['script', 'iframe', 'frame', 'object', 'embed', 'img', 'base', 'applet']) {
        expect(names.has(name), `${title}: <${name}>`).toBe(false);
      }
      for (const { name, attributes } of elements) {
        for (const [attribute, value] of attributes) {
          expect(attribute, `${title}: ${name}`).not.toMatch(/^on|^style$|^srcdoc$/);
          if (/^(?:href|src|action|formaction|data|poster)$/.test(attribute)) {
            expect(value, `${title}: ${name} ${attribute}`).toMatch(/^(?:#|\/(?![/\\])|data:image\/)/);
          }
        }
      }
    }
  });

  test('no page repeats a password', () => {
    for (const [title, { text }] of pages) {
      for (const { name, attributes } of elementsOf(parse(text))) {
        if (name === 'input' && attributes.get('type') === 'password')
          expect(attributes.has('value'), title).toBe(false);
      }
    }
  });

  test('cookies are for the pages of this host alone', () => {
    const lines = [...pages.values()].flatMap(({ setCookies }) => setCookies);
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines) {
      const [pair = '', ...attributes] = line.split('; ');
      expect(attributes).toEqual(expect.arrayContaining(['Path=/', 'HttpOnly', 'SameSite=Lax']));
      expect(attributes.some((attribute) => /^max-age=\d+$/i.test(attribute))).toBe(true);
      expect(attributes.some((attribute) => /^domain/i.test(attribute))).toBe(false);
      expect(attributes.includes('Secure')).toBe(mode === 'production');
      expect(pair.startsWith('__Host-')).toBe(mode === 'production');
    }
  });
});

type Element = ReturnType<typeof elementsOf> extends Iterable<infer E> ? E : never;

/** Returns whether an element is the script of notifications. Its address is on this server, and it has no other content. */
function isNews({ name, attributes }: Element): boolean {
  return (
    name === 'script' &&
    [...attributes.keys()].join() === 'src,defer' &&
    /^\/notifications\/live\.js\?v=\w+$/.test(attributes.get('src') ?? '')
  );
}

function hasNews(text: string): boolean {
  return [...elementsOf(parse(text))].some(isNews);
}

interface Node {
  readonly nodeName: string;
  readonly childNodes?: readonly Node[];
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
}

function* elementsOf({
  nodeName,
  childNodes = [],
  attrs = [],
}: Node): Generator<{ name: string; attributes: Map<string, string> }> {
  yield { name: nodeName, attributes: new Map(attrs.map(({ name, value }) => [name, value])) };
  for (const child of childNodes) yield* elementsOf(child);
}
