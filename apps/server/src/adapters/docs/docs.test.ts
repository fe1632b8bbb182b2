import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  allAuthOperations,
  allDataOperations,
  allOperations,
  allOperatorOperations,
  allPages,
  allUploadOperations,
  capabilities,
  errorCode,
  errorNumber,
  errorStatus,
  errorsOf,
  fieldsOf,
  parseJson,
  problemSlug,
  rateBucket,
  uploadErrorNumber,
  uploadErrorStatus,
} from '@broadside/core';
import { openapiDocument } from '@broadside/core/openapi';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, environmentOf, type ListenerName, listenerNames } from '../../app.ts';
import { createServices } from '../../create-services.ts';
import { AdapterWorld, origins } from '../testing/world.ts';
import { jsonBlock } from './highlight.ts';
import { Reference } from './page.ts';

let world: AdapterWorld;
/** The pages of each listener, by their names. */
const pages = new Map<ListenerName, ReadonlyMap<string, string>>();
beforeAll(async () => {
  world = await AdapterWorld.open();
  for (const listener of listenerNames) {
    const reference = new Reference({ environment: environmentOf[listener], serverUrl: '', version: '' });
    const own = new Map<string, string>();
    for (const name of reference.pages) {
      own.set(name, await (await world.fetch(`${origins[listener]}/docs${name === '' ? '' : `/${name}`}`)).text());
    }
    pages.set(listener, own);
  }
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

const pagesOf = (listener: ListenerName) => [...(pages.get(listener) ?? [])];
const pageOf = (listener: ListenerName) =>
  pagesOf(listener)
    .map(([, page]) => page)
    .join('');
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found ?? '');

/** The hosts in all that a browser acts on: style, script and tags. The text between tags shows addresses as examples. */
function hostsActedOn(page: string): string[] {
  const programs = all(page, /<(?:script|style)\b[^>]*>([\s\S]*?)<\/(?:script|style)>/g);
  const rest = page.replace(/(<(script|style)\b[^>]*>)[\s\S]*?<\/\2>/g, '$1');
  const tags = all(rest, /(<[!/a-z](?:"[^"]*"|'[^']*'|[^"'>])*>)/gi);
  return all([...programs, ...tags].join('\n'), /((?:https?:|wss?:)?\/\/[\w.-]+(?::\d+)?)/g);
}

test.each([
  ['<img alt="a > b" src="https://other.example/a.png">', ['https://other.example']],
  ["<a href='//other.example/'>there</a>", ['//other.example']],
  ['<style>p { background: url(http://other.example:81/a) }</style>', ['http://other.example:81']],
  ['<style>@import "//other.example";</style>', ['//other.example']],
  ['<script>fetch("https://other.example")</script>', ['https://other.example']],
  ['<p>An example: <code>card://123</code> or https://other.example</p>', []],
])('hosts are found where a browser acts on them: %s', (page, expected) => {
  expect(hostsActedOn(page)).toEqual(expected);
});

describe.each(listenerNames)('the page of the %s listener', (listener) => {
  test('loads nothing from other hosts', () => {
    // The SVG namespace is never fetched.
    const strange = hostsActedOn(pageOf(listener)).filter(
      (host) => host !== origins[listener] && host !== 'http://www.w3.org',
    );
    expect(strange).toEqual([]);
    expect(pageOf(listener)).not.toMatch(/<(?:link|script|img|iframe|object|embed|form)\b[^>]*\b(?:src|action)=/i);
    expect(new Set(all(pageOf(listener), /<link[^>]*href="([^":]*:)/g))).toEqual(new Set(['data:']));
  });

  test('runs only its own script and style, and cannot be framed', async () => {
    const { headers } = await world.fetch(`${origins[listener]}/docs`);
    const policy = headers.get('content-security-policy') ?? '';
    const hash = (text: string | undefined) =>
      `'sha256-${createHash('sha256')
        .update(text ?? '')
        .digest('base64')}'`;
    const styles = all(pageOf(listener), /<style>([\s\S]*?)<\/style>/g);
    const scripts = all(pageOf(listener), /<script>([\s\S]*?)<\/script>/g);
    const count = pagesOf(listener).length;
    expect([styles.length, scripts.length]).toEqual([count, count]);
    expect([new Set(styles).size, new Set(scripts).size]).toEqual([1, 1]);
    expect(policy).toContain(`style-src ${hash(styles[0])};`);
    expect(policy).toContain(`script-src ${hash(scripts[0])};`);
    expect(policy).toMatch(/^default-src 'none';.*frame-ancestors 'none'$/);
    expect(policy).not.toContain('unsafe');
    expect(pageOf(listener)).not.toMatch(/\s(?:style|on\w+)="/);
  });

  test('documents exactly the operations of the listener, each once', () => {
    const advertising = allOperations.filter(({ sandboxOnly }) => listener === 'sandbox' || !sandboxOnly);
    const offered =
      listener === 'api'
        ? [...allAuthOperations, ...allDataOperations, ...allUploadOperations, ...allPages]
        : advertising;
    const shown = all(pageOf(listener), /<article id="([^"]+)" class="operation"/g);
    expect(shown.sort()).toEqual([...offered, ...allOperatorOperations].map(({ id }) => id).sort());
  });

  test('links only to existing, unique ids', () => {
    const idsOf = new Map(pagesOf(listener).map(([name, page]) => [name, all(page, /\sid="([^"]+)"/g)]));
    for (const [name, page] of pagesOf(listener)) {
      const ids = idsOf.get(name) ?? [];
      expect(new Set(ids).size).toBe(ids.length);
      const address = `${origins[listener]}/docs${name === '' ? '' : `/${name}`}`;
      for (const href of all(page, /<a [^>]*href="([^"]+)"/g)) {
        const { origin, pathname, hash } = new URL(href, address);
        expect(origin).toBe(origins[listener]);
        if (pathname === '/openapi.json') continue;
        const target = idsOf.get(pathname.replace(/^\/docs\/?/, ''));
        expect(target, `${href} on ${address}`).toBeDefined();
        if (hash !== '') expect(target, `${href} on ${address}`).toContain(decodeURIComponent(hash.slice(1)));
      }
    }
  });

  test('balances its tags', () => {
    const open: string[] = [];
    const body = pageOf(listener).replace(/<(script|style)>[\s\S]*?<\/\1>/g, '');
    const empty = /^(?:meta|link|input|wbr|rect|path|!doctype)$/;
    for (const [, close, name = '', self] of body.matchAll(/<(\/?)([!\w]+)(?:"[^"]*"|[^">])*?(\/?)>/g)) {
      if (self || empty.test(name)) continue;
      if (close) expect(open.pop()).toBe(name);
      else open.push(name);
    }
    expect(open).toEqual([]);
  });
});

const article = (id: string, listener: ListenerName = 'sandbox') =>
  new RegExp(`<article id="${id.replaceAll('.', '\\.')}"[\\s\\S]*?</article>`).exec(pageOf(listener))?.[0] ?? '';
const text = (part: string) =>
  part
    .replace(/<wbr>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ');

describe('an operation on the page', () => {
  test.each(allOperations.map((operation) => [operation.id, operation] as const))(
    '%s: all that a caller must know',
    (id, operation) => {
      const shown = text(article(id));
      expect(shown).toContain(operation.summary);
      expect(shown).toContain(operation.http.method);
      const names = fieldsOf(operation.params).map(([name]) => name);
      for (const name of names.filter((one) => one !== 'operations')) expect(shown).toContain(name);
      for (const error of errorsOf(operation)) expect(shown).toContain(errorCode(error));
      if ('capability' in operation.access) {
        for (const permission of capabilities[operation.access.capability]) expect(shown).toContain(permission);
      }
      if (operation.sandboxOnly) expect(shown).toContain('Sandbox only');
    },
  );

  test('lists the members of objects and of lists of objects', () => {
    const shown = text(article('audience_estimate.create'));
    expect(shown).toMatch(/targeting_criteria list of objects required .* targeting_type one of required/);
    expect(shown).toMatch(/operator_type one of .* Default EQ \./);
  });

  test('names lists of values as lists', () => {
    expect(text(article('custom_audiences.users'))).toMatch(/users list of objects required .* email list E-mail/);
  });

  test('tells which operations share a rate limit', () => {
    expect(text(article('campaigns.create'))).toContain('450 in a minute, all writes together');
    expect(text(article('targeting_options.interests'))).toContain(
      '400 in 15 minutes, all lookups of this kind together',
    );
    expect(text(article('keyword_insights.search'))).toMatch(/500 in 15 minutes(?!,)/);
  });

  test('shows the call in every language', () => {
    const shown = text(article('campaigns.get'));
    expect(shown).toContain("curl 'http://127.0.0.1:8002/12/accounts/18ce54d4x5t/campaigns/8wku2'".replaceAll("'", ''));
    expect(shown).toMatch(
      /session\.get\( "http:\/\/127\.0\.0\.1:8002\/12\/accounts\/18ce54d4x5t\/campaigns\/8wku2", \)/,
    );
    expect(shown).toContain("await client.campaigns.get({ account_id: '18ce54d4x5t', campaign_id: '8wku2' })");
    expect(shown).toContain('broadside campaigns get \\ --account-id 18ce54d4x5t \\ --campaign-id 8wku2 \\ --sandbox');
    expect(text(article('admin.users.create'))).toContain('await trpc.admin.users.create.mutate({');
  });
});

describe('an authentication endpoint on the page', () => {
  const shown = (id: string) => text(article(id, 'api'));

  test.each(allAuthOperations.map((operation) => [operation.id, operation] as const))(
    '%s: all that a caller must know',
    (id, operation) => {
      const { method, path, aliases = [] } = operation.http;
      expect(shown(id)).toContain(`${method} ${path}`);
      for (const alias of aliases) expect(shown(id)).toContain(`Also ${alias}`);
      for (const [name] of fieldsOf(operation.params)) expect(shown(id)).toContain(name);
      for (const error of errorsOf(operation)) expect(shown(id)).toContain(` ${errorNumber(error)} `);
      expect(shown(id)).toContain(
        `${rateBucket(operation.rateLimit).limit.toLocaleString('en')} in 15 minutes for each app`,
      );
      expect(shown(id)).toContain(`${origins.api}${path}`);
    },
  );

  test.each(allPages.map((page) => [page.id, page] as const))('%s: the same for a page', (id, page) => {
    expect(shown(id)).toContain(`${page.http.method} ${page.http.path}`);
    for (const [name] of fieldsOf(page.params)) expect(shown(id)).toContain(name);
    expect(shown(id)).toContain(`${origins.api}${page.http.path}?oauth_token=`);
    expect(shown(id)).toMatch(
      /Approved: .* https:\/\/app\.example\.com\/callback\?oauth_token=\w+&oauth_verifier=\w+ /,
    );
    expect(shown(id)).toMatch(/Cancelled: .* https:\/\/app\.example\.com\/callback\?denied=\w+ /);
  });

  test.each([
    ['oauth.request_token', 'Signed by the app alone', `-H 'Authorization: OAuth oauth_callback="https%3A%2F%2Fapp.`],
    ['oauth.access_token', 'Signed by the app and the request token', 'oauth_verifier="'],
    ['oauth.invalidate_token', 'the access token of a user', `-H 'Authorization: OAuth ...'`],
    ['oauth2.token', 'HTTP Basic', '-u "$CONSUMER_KEY:$CONSUMER_SECRET" \\ -d grant_type=client_credentials'],
    ['oauth2.invalidate_token', 'or HTTP Basic', `-H 'Authorization: OAuth ...' \\ -d access_token=`],
  ])('%s says who authenticates and how, and shows it', (id, who, request) => {
    expect(shown(id)).toContain(who);
    expect(shown(id)).toContain(request);
  });

  test('shows a form-encoded response as it is sent, and a JSON object without an envelope', () => {
    expect(shown('oauth.request_token')).toMatch(
      / oauth_token=\w+&oauth_token_secret=\w+&oauth_callback_confirmed=true /,
    );
    expect(shown('oauth2.token')).toContain('{ "token_type" : "bearer" , "access_token" :');
  });

  test('is not shown as a procedure or a command', () => {
    for (const { id } of [...allAuthOperations, ...allPages]) expect(shown(id)).not.toMatch(/trpc|broadside oauth/);
  });
});

describe('data retrieval on the page', () => {
  const shown = (id: string) => text(article(id, 'api'));

  test.each(allDataOperations.map((operation) => [operation.id, operation] as const))(
    '%s: all that a caller must know',
    (id, { summary, http, params, rateLimit }) => {
      expect(shown(id)).toContain(summary);
      expect(shown(id)).toContain(`${http.method} ${http.path}`);
      for (const [name] of fieldsOf(params)) expect(shown(id)).toContain(name);
      expect(shown(id)).toContain('The bearer token of an app, or a signature');
      const { limit, app_limit = 0 } = rateBucket(rateLimit);
      const figures = `${limit.toLocaleString('en')} in 15 minutes for each user, ${app_limit.toLocaleString('en')} for each app`;
      expect(shown(id)).toContain(figures);
      expect(shown(id)).toContain('400 invalid-request');
    },
  );

  test('shows the call in every language, and the response', () => {
    const lookup = shown('posts.lookup');
    expect(lookup).toContain(`curl '${origins.api}/2/posts?ids=1503831318555086851&post.fields=author_id,created_at`);
    expect(lookup).toContain('-H "Authorization: Bearer $BEARER_TOKEN"');
    expect(lookup).toContain("await client.posts.lookup({ ids: ['1503831318555086851']");
    expect(lookup).toContain('broadside posts lookup');
    expect(lookup).toContain('--post-fields author_id,created_at');
    expect(lookup).toMatch(/"includes" : \{ "users" : \[ \{/);
  });

  test('describes each object that a response can contain', () => {
    for (const name of ['Post', 'User', 'Media', 'Poll', 'Place']) expect(pageOf('api')).toContain(`id="e-${name}"`);
  });
});

describe('an upload on the page', () => {
  const shown = (id: string) => text(article(id, 'api'));

  test.each(allUploadOperations.map((operation) => [operation.id, operation] as const))(
    '%s: all that a caller must know',
    (id, operation) => {
      const { method, path, aliases = [], command, status = 200 } = operation.http;
      const route = `${method} ${path.replace(/:(\w+)/g, ' {$1} ')}`.trim();
      expect(shown(id)).toContain(operation.summary);
      expect(shown(id)).toContain(route);
      if (command && operation.version === '1.1') expect(shown(id)).toContain(`${path} command=${command}`);
      for (const alias of aliases) expect(shown(id)).toContain(`Also ${alias}`);
      for (const [name] of fieldsOf(operation.params)) expect(shown(id)).toContain(name);
      const isNumbered = operation.version === '1.1';
      for (const error of errorsOf(operation)) {
        const expected = isNumbered
          ? `${uploadErrorStatus(error)} ${uploadErrorNumber(error)} `
          : `${errorStatus(error)} ${problemSlug(error)} `;
        expect(shown(id)).toContain(expected);
      }
      expect(shown(id)).toContain(
        `${rateBucket(operation.rateLimit).limit.toLocaleString('en')} in 15 minutes for each user`,
      );
      expect(shown(id)).toContain(`TypeScript await client.${id}({`);
      expect(shown(id)).toContain(operation.envelope === 'nothing' ? `${status} No body` : ` ${status} `);
      expect(shown(id).includes('media: bytes')).toBe(operation.bytes !== undefined);
      expect(shown(id).includes('media=@photo.png')).toBe(operation.bytes !== undefined);
    },
  );

  test('lists the errors of each version separately', () => {
    const [, numbers = '', problems = ''] =
      /class="again">Errors of media upload 1\.1([\s\S]*?)class="again">Problems([\s\S]*?)class="again"/.exec(
        pageOf('api'),
      ) ?? [];
    const codes = (part: string) => all(part, /<dt><code>([^<]+)<\/code>/g);
    expect(codes(numbers)).toEqual(expect.arrayContaining(['38', '324', '325']));
    expect(codes(problems)).toEqual(expect.arrayContaining(['invalid-request', 'unsupported-authentication']));
  });
});

test('authentication errors are listed by number, apart from the operator errors', () => {
  const [, numbers = '', words = ''] =
    /id="errors"([\s\S]*?)class="again">Errors of media[\s\S]*?class="again">Errors of the operator([\s\S]*?)<\/section>/.exec(
      pageOf('api'),
    ) ?? [];
  const codes = (part: string) => all(part, /<dt><code>([^<]+)<\/code>/g);
  const expected = [...new Set(allAuthOperations.flatMap(errorsOf).map(errorNumber))].map(String);
  expect([...new Set(codes(numbers))].sort()).toEqual([...expected, '34'].sort());
  expect(codes(words)).toContain('UNAUTHORIZED_ACCESS');
  expect(codes(words).filter((code) => expected.includes(code))).toEqual([]);
});

test('a host name sent by the caller is escaped on the page', () => {
  const reference = new Reference({
    environment: 'sandbox',
    serverUrl: 'http://<script>alert(1)</script>"',
    version: '<b>',
  });
  const page = `${reference.page('')}${reference.page('campaigns')}`;
  expect(page).not.toContain('<script>alert');
  expect(page).toContain('http://&lt;script&gt;alert(1)&lt;/script&gt;&quot;');
  expect(page).toContain('&lt;b&gt;');
  expect(reference.page('nosuch')).toBeUndefined();
});

test('pages lead to the references of the other listeners, where those are known', () => {
  const listeners = { api: 'http://here:1', ads: 'http://here:2', sandbox: 'http://here:3' };
  const page = new Reference({ environment: 'production', serverUrl: '', version: '', listeners }).page('campaigns');
  expect(all(page ?? '', /<a[^>]* href="(http:[^"]*)"/g)).toEqual(['http://here:1/docs', 'http://here:3/docs']);
  expect(page).toContain('<a aria-current="page" href="#top">Advertising</a>');
});

test.each(allOperations.map((operation) => [operation.id] as const))('%s has a sample in each language', (id) => {
  const captions = all(article(id), /<figcaption>(.*?)<\/figcaption>/g);
  expect(captions.slice(0, 4)).toEqual(['curl', 'Python', 'TypeScript', 'Command line']);
});

test('operators have samples in each language too, with their token', () => {
  const captions = all(article('admin.users.create'), /<figcaption>(.*?)<\/figcaption>/g);
  expect(captions.slice(0, 4)).toEqual(['curl', 'Python', 'TypeScript', 'Command line']);
  expect(text(article('admin.users.create'))).toContain('-H "Authorization: Bearer $OPERATOR_TOKEN"');
});

describe('the index of the search', () => {
  const places = async (listener: ListenerName) => {
    const response = await world.fetch(`${origins[listener]}/docs/index.json`);
    return (await response.json()) as { page: string; id: string; title: string; names: string[]; words: string[] }[];
  };

  test.each(listenerNames)(
    'of the %s listener has every operation, with its parameters and the codes of its errors',
    async (listener) => {
      const found = await places(listener);
      const shown = all(pageOf(listener), /<article id="([^"]+)" class="operation"/g);
      expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining(shown));
      for (const { page, id } of found) expect(pages.get(listener)?.get(page), id).toContain(` id="${id}"`);
    },
  );

  test('has names, codes and prose', async () => {
    const found = await places('sandbox');
    const create = found.find(({ id }) => id === 'campaigns.create');
    expect(create).toMatchObject({ page: 'campaigns', title: 'Create a campaign' });
    expect(create?.names).toEqual(expect.arrayContaining(['daily_budget_amount_local_micro', 'account_not_found']));
    expect(create?.words).toContain('micros');
    expect(found).toContainEqual(expect.objectContaining({ page: 'errors', title: 'DUPLICATE_POST' }));
    expect(found).toContainEqual(expect.objectContaining({ page: '', id: 'limits' }));
  });
});

describe('trials', () => {
  const headers = { host: '127.0.0.1:8002', 'sec-fetch-site': 'same-origin' };
  const ask = async (mode: 'development' | 'production', more: Record<string, string>, remoteAddress = '127.0.0.1') => {
    const services = createServices(world.world, { rateLimits: {}, operatorToken: undefined, mode });
    const app = createApp({ services, listener: 'sandbox', logger: pino({ level: 'silent' }) });
    const asked = await app.inject({ url: '/docs/trial.json', headers: { ...headers, ...more }, remoteAddress });
    const page = await app.inject({ url: '/docs/campaigns', headers: { host: headers.host } });
    await app.close();
    return { status: asked.statusCode, answer: asked.payload, page: page.payload };
  };

  beforeAll(() => {
    writeFileSync(path.join(world.world.dataDirectory, 'credentials.json'), JSON.stringify(demo));
  });
  const demo = {
    consumer_key: 'key',
    consumer_secret: 'consumer secret',
    access_token: '1-token',
    access_token_secret: 'token secret',
    account_id: 'a1',
    sandbox_account_id: 's1',
    password: 'hidden',
  };

  test('get the credentials of the demo and the account of their listener, and nothing else', async () => {
    const { status, answer, page } = await ask('development', {});
    expect(status).toBe(200);
    const { password: _, sandbox_account_id: account_id, ...secrets } = demo;
    expect(JSON.parse(answer)).toEqual({ ...secrets, account_id });
    expect(page).toContain('data-trial=');
    expect(page).not.toContain('consumer secret');
  });

  test.each<[string, Record<string, string>, string?]>([
    ['a page of another origin', { 'sec-fetch-site': 'cross-site' }],
    ['a page of another port', { 'sec-fetch-site': 'same-site' }],
    ['no page', { 'sec-fetch-site': 'none' }],
    ['a host whose name leads here', { host: 'evil.example:8002' }],
    ['a client behind a proxy', { 'x-forwarded-for': '203.0.113.9' }],
    ['another machine', {}, '203.0.113.9'],
  ])('are refused to %s', async (_, more, remoteAddress) => {
    const { status, answer } = await ask('development', more, remoteAddress);
    expect(status).not.toBe(200);
    expect(answer).not.toContain('secret');
  });

  test('do not exist in production mode', async () => {
    const { status, page } = await ask('production', {});
    expect(status).toBe(404);
    expect(page).not.toContain('data-trial=');
  });
});

describe('the OpenAPI document', () => {
  test.each([
    ['ads', 'production'],
    ['sandbox', 'sandbox'],
    ['api', undefined],
  ] as const)('of the %s listener is that of what it serves, at its own address', async (listener, environment) => {
    const response = await world.fetch(`${origins[listener]}/openapi.json`);
    expect(response.headers.get('content-type')).toContain('application/json');
    const document = parseJson(await response.text()) as { info: { version: string } };
    const { version } = document.info;
    expect(version).toMatch(/^\d+\.\d+\.\d+/);
    expect(document).toEqual(openapiDocument({ environment, serverUrl: origins[listener], version }));
  });

  test('uses the configured address, whatever host the request names', async () => {
    const logger = pino({ level: 'silent' });
    const app = createApp({ services: world.services, listener: 'ads', baseUrl: 'https://ads.example', logger });
    const { payload } = await app.inject({ url: '/openapi.json', headers: { host: 'elsewhere:1' } });
    expect(JSON.parse(payload)).toMatchObject({ servers: [{ url: 'https://ads.example' }] });
    await app.close();
  });
});

describe.each(['/docs', '/openapi.json'])('%s', (path) => {
  test('sends no referrer', async () => {
    expect((await world.fetch(`${origins.ads}${path}`)).headers.get('referrer-policy')).toBe('no-referrer');
  });

  test('is not sent again to clients that have it cached', async () => {
    const first = await world.fetch(`${origins.ads}${path}`);
    const etag = first.headers.get('etag') ?? '';
    const again = await world.apps.ads.inject({
      url: path,
      headers: { host: '127.0.0.1:8001', 'if-none-match': etag },
    });
    expect([again.statusCode, again.payload]).toEqual([304, '']);
    const other = await world.apps.ads.inject({ url: path, headers: { host: 'other:1', 'if-none-match': etag } });
    expect(other.statusCode).toBe(200);
  });

  test.each([
    ['gzip, deflate, br', true],
    ['identity', false],
    ['gzip;q=0', false],
  ])('comes as a caller with accept-encoding %s can read it', async (accepted, zipped) => {
    const headers = { host: '127.0.0.1:8001', 'accept-encoding': accepted };
    const response = await world.apps.ads.inject({ url: path, headers });
    expect(response.headers['content-encoding']).toBe(zipped ? 'gzip' : undefined);
    const text = zipped ? gunzipSync(response.rawPayload).toString() : response.payload;
    expect(text).toBe((await world.apps.ads.inject({ url: path, headers: { host: '127.0.0.1:8001' } })).payload);
  });
});

describe('JSON on the page', () => {
  test('is shown with all digits, its text escaped', () => {
    const shown = jsonBlock({ id: 2n ** 60n, 'a"b': '</pre>: "x"', list: ['A', 'B'], none: null, empty: {} }).text;
    expect(shown).toContain('<span class="l">1152921504606846976</span>');
    expect(shown).toContain('<span class="s">&quot;&lt;/pre&gt;: \\&quot;x\\&quot;&quot;</span>');
    expect(shown).toContain('[<span class="s">&quot;A&quot;</span>, <span class="s">&quot;B&quot;</span>]');
    expect(
      shown
        .replace(/<[^>]+>/g, '')
        .replaceAll('&quot;', '"')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>'),
    ).toBe(
      '{\n  "id": 1152921504606846976,\n  "a\\"b": "</pre>: \\"x\\"",\n  "list": ["A", "B"],\n  "none": null,\n  "empty": {}\n}',
    );
  });
});
