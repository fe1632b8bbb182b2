/** Properties of every answer: HEAD beside GET, and the id of its request. Over sockets, since a client sees more than a world in process. */
import type { ListenerName } from '@broadside/server';
import type { TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openWay, type Way } from '../differential/ways.ts';
import { sendRaw } from '../support/raw.ts';
import { about } from '../support/scenario.ts';
import { openWorld } from '../support/world.ts';

let world: TestWorld;
const ways = new Map<ListenerName, Way>();
const listeners = ['api', 'ads', 'sandbox'] as const;

beforeAll(async () => {
  world = await openWorld();
  for (const listener of listeners) ways.set(listener, await openWay(world, 'direct', listener));
});
afterAll(async () => {
  for (const way of ways.values()) await way.close();
  await world.close();
});

function wayOf(listener: ListenerName): Way {
  const way = ways.get(listener);
  if (!way) throw new TypeError(`no way to ${listener}`);
  return way;
}

/** Sends bytes, and returns the responses with the headers by their names. */
async function raw(listener: ListenerName, request: string) {
  const answers = await sendRaw(`http://127.0.0.1:${wayOf(listener).port}`, request);
  return answers.map(({ status, head, body }) => {
    const lines = head.split('\r\n').slice(1);
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
    );
    return { status, headers, body };
  });
}

const get = (target: string, headers = '', method = 'GET') =>
  `${method} ${target} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n${headers}\r\n`;

const everywhere = ['/docs', '/docs/', '/openapi.json', '/health', '/ready', '/trpc/accounts.list'];
const pages = ['/', '/sign-in', '/settings', '/oauth/authorize?oauth_token=a', '/notifications', '/nobody', '/s/abc'];
const paths: readonly (readonly [ListenerName, string])[] = [
  ...listeners.flatMap((listener) => everywhere.map((path) => [listener, path] as const)),
  ...[...pages, '/media/abc', '/2/posts?ids=1', '/1.1/media/upload.json?command=STATUS'].map(
    (path) => ['api', path] as const,
  ),
];

/** Headers that a response has of its own: cookies of visitors are random. */
const OWN = ['date', 'x-request-id', 'set-cookie', 'x-rate-limit-remaining', 'content-security-policy'];

test.for(paths)(`${about('A-HEAD')}: %s %s`, async ([listener, path]) => {
  const [[got], [head]] = [await raw(listener, get(path)), await raw(listener, get(path, '', 'HEAD'))];
  const shared = (headers: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN.includes(name)));
  expect(head?.body).toBe('');
  expect({ status: head?.status, ...shared(head?.headers) }).toEqual({
    status: got?.status,
    ...shared(got?.headers),
  });
});

describe(about('A-REQUEST-ID'), () => {
  const ID = /^[0-9a-z]{10}-[0-9a-z]+$/;

  test('the line of a request names its id, its user, app and account', async () => {
    const account = world.credentials.sandbox_account_id;
    const { user_id: user } = world.user;
    const app = (await world.platform.identity.apps.list(1))[0]?.id;
    const way = wayOf('sandbox');
    const seen = async (path: string, as: typeof world.user | null = world.user) =>
      way.send(await world.sign({ listener: 'sandbox', path, as }));
    expect((await seen(`/12/accounts/${account}/campaigns`)).line).toMatchObject({ user, app, account });
    expect((await seen('/12/accounts')).line).toMatchObject({ user, app });
    // Nothing is claimed that was not proved.
    const stranger = await world.createUser('stranger');
    const { line } = await seen(`/12/accounts/${account}/campaigns`, stranger);
    expect(line).toMatchObject({ status: 403, user: stranger.user_id });
    expect(line['account']).toBeUndefined();
    for (const name of ['user', 'app', 'account'])
      expect((await seen('/12/accounts', null)).line[name]).toBeUndefined();
  });

  test('ids differ, also for what is no request and what has no route', async () => {
    const unreadable = ['NONSENSE\r\n\r\n', `GET / HTTP/1.1\r\nHost: h\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`];
    const readable = ['/12/accounts', '/nothing', '/health', '/%zz', `/12/accounts/${'a'.repeat(600)}`, '/docs'];
    const answers = (
      await Promise.all([...unreadable, ...readable.map((path) => get(path))].map((bytes) => raw('sandbox', bytes)))
    ).flat();
    const ids = answers.map(({ headers }) => headers['x-request-id']);
    expect(ids).toHaveLength(unreadable.length + readable.length);
    for (const id of ids) expect(id).toMatch(ID);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test(about('A-REQUEST-ID-SENT'), async () => {
    const way = wayOf('sandbox');
    const line = async (id: string) => {
      const seen = await way.send({
        method: 'GET',
        url: 'http://h/12/accounts',
        headers: { 'x-request-id': id },
        body: undefined,
      });
      expect(seen.headers).not.toContain(id);
      return seen.line['client_request'];
    };
    expect(await line('proxy-7.a:b')).toBe('proxy-7.a:b');
    for (const id of ['x'.repeat(101), 'a b', '"}', 'ü']) expect(await line(id)).toBeUndefined();
  });
});

describe(about('A-NEAREST-ROUTE'), () => {
  const messageOf = (body: unknown) => JSON.stringify(body);

  test.for([
    [
      'sandbox',
      'GET',
      '/12/accounts/',
      'There is no GET /12/accounts/ here. Did you mean GET /12/accounts? Paths have no empty part, and no slash at their end',
    ],
    [
      'ads',
      'GET',
      '/11/accounts',
      'There is no GET /11/accounts here. Did you mean GET /12/accounts? This path has version 12',
    ],
    [
      'ads',
      'GET',
      '/12/Accounts',
      'There is no GET /12/Accounts here. Did you mean GET /12/accounts? The case of letters counts',
    ],
    [
      'ads',
      'GET',
      '/12/accounts/abc/campaing',
      'There is no GET /12/accounts/abc/campaing here. Did you mean GET /12/accounts/abc/campaigns?',
    ],
    [
      'api',
      'GET',
      '/12/accounts',
      'There is no GET /12/accounts here. Did you mean GET /12/accounts? It is on the advertising listener, http://ads.test',
    ],
    [
      'sandbox',
      'GET',
      '/2/posts',
      'There is no GET /2/posts here. Did you mean GET /2/posts? It is on the listener of authentication and data, http://api.test',
    ],
    [
      'ads',
      'POST',
      '/1.1/media/upload.json',
      'There is no POST /1.1/media/upload.json here. Did you mean POST /1.1/media/upload.json? It is on the listener of authentication and data, http://api.test',
    ],
    ['ads', 'POST', '/12/acounts', 'There is no POST /12/acounts here. Did you mean GET or HEAD /12/accounts?'],
    ['ads', 'GET', '/xyz', 'There is no GET /xyz here. The reference of this listener is at /docs'],
  ] as const)('%s %s %s', async ([listener, method, path, message]) => {
    for (const as of [null, world.user]) {
      const { status, body } = await world.request({ listener, method, path, as });
      expect(status).toBe(404);
      expect(messageOf(body)).toContain(JSON.stringify(message));
    }
  });
});

test(about('A-OTHER-ENVIRONMENT'), async () => {
  const { sandbox_account_id: mine } = world.credentials;
  const ask = (account_id: string, as = world.user) =>
    world.request({ listener: 'ads', path: `/12/accounts/${account_id}/campaigns`, as });
  const own = await ask(mine);
  expect(own).toMatchObject({
    status: 403,
    body: { errors: [{ code: 'ACCOUNT_NOT_FOUND', parameter: 'account_id' }] },
  });
  expect(own.text).toContain(
    'You have no account with this id in production, but one in the sandbox: call http://sandbox.test',
  );
  // For a stranger it is as if there were none, to the letter.
  const stranger = await world.createUser('curious');
  const nothing = `${mine.slice(0, -1)}${mine.endsWith('0') ? '1' : '0'}`;
  const [real, none] = [await ask(mine, stranger), await ask(nothing, stranger)];
  expect(real.text.replaceAll(mine, nothing)).toBe(none.text);
  expect([real.status, none.status]).toEqual([403, 403]);
  expect(none.text).not.toContain('sandbox');
});

describe(about('A-PAGES-OF-LISTENERS'), () => {
  const browser = 'Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n';

  test.for(['ads', 'sandbox'] as const)('%s', async (listener) => {
    for (const [path, status, text] of [
      ['/', 200, 'This port is for programs'],
      ['/12/acounts/<i>', 404, 'There is no such page'],
      ['/12/acounts', 404, 'Did you mean GET /12/accounts?'],
    ] as const) {
      const [page] = await raw(listener, get(path, browser));
      expect(page).toMatchObject({ status, headers: { 'content-type': 'text/html; charset=utf-8', vary: 'accept' } });
      expect(page?.body).toContain(text);
      expect(page?.body).toContain('href="/docs"');
      expect(page?.body).toContain('href="http://api.test/docs"');
      expect(page?.body).not.toContain('<i>');
      const [json] = await raw(listener, get(path));
      expect(json).toMatchObject({
        status: 404,
        headers: { 'content-type': 'application/json; charset=utf-8', vary: 'accept' },
      });
    }
    const [written] = await raw(listener, get('/', browser, 'POST'));
    expect(written?.headers['content-type']).toContain('json');
  });
});
