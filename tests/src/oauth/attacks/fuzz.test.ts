/** The endpoints of authentication and the pages respond to arbitrary bytes at once, and never fail. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type KeyedApp, type Pair, Provider } from './provider.ts';
import { type Headers, Visitor } from './visitor.ts';

let provider: Provider;
let app: KeyedApp;
/** An app of Anna's, whose settings are played with. */
let owned: KeyedApp;
let asked: Pair;
let anna: Visitor;

beforeAll(async () => {
  provider = await Provider.open();
  app = await provider.app();
  owned = await provider.app({ owner_user_id: provider.world.user.user_id });
  asked = await provider.requestToken(app);
  anna = await provider.signedIn(provider.world.credentials);
});
afterAll(async () => {
  expect(provider.world.failures).toEqual([]);
  await provider[Symbol.asyncDispose]();
});

const FORM = 'application/x-www-form-urlencoded';
const endpoints = [
  '/oauth/request_token',
  '/oauth/access_token',
  '/1.1/oauth/invalidate_token',
  '/1.1/oauth/invalidate_token.json',
  '/oauth2/token',
  '/oauth2/invalidate_token',
];
const pages = [
  '/oauth/authorize',
  '/oauth/authenticate',
  '/sign-in',
  '/sign-out',
  '/settings',
  '/settings/revoke',
  '/settings/identifiers',
  '/settings/apps/1',
  '/settings/apps/1/keys',
  '/settings/apps/1/bearer',
  '/',
];
const anywhere = fc.constantFrom(...endpoints, ...pages);
const method = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS');
/** Characters that a header can carry; Node rejects all others before they are sent. */
const headerText = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((code) => code !== 0x7f)
    .map((code) => String.fromCharCode(code)),
  maxLength: 80,
});
const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));
const name = fc.oneof(
  fc.constantFrom(
    'csrf',
    'email',
    'phone_numbers',
    'devices',
    'oauth_token',
    'decision',
    'password',
    'screen_name',
    'force_login',
    'app_id',
    'callback_urls',
    'name',
    'access_level',
  ),
  fc.constantFrom(
    'oauth_verifier',
    'oauth_callback',
    'grant_type',
    'access_token',
    '__proto__',
    'constructor',
    'toString',
    '',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const value = fc.oneof(
  fc.constantFrom('approve', 'cancel', 'switch', 'true', 'oob', 'client_credentials', '', '\0'),
  fc.string({ unit: 'binary', maxLength: 40 }),
);
const fields = fc.array(fc.tuple(name, value), { maxLength: 6 });

/** Fields as the text of a query or a form. */
function encoded(list: Iterable<readonly [string, string]>): string {
  return new URLSearchParams(
    [...list].map(([field, text]): [string, string] => [field.toWellFormed(), text.toWellFormed()]),
  ).toString();
}

/** Sends a request, and checks the invariants of every response. */
async function check(
  visitor: Visitor,
  how: string,
  path: string,
  headers: Headers,
  body?: string | Buffer,
): Promise<number> {
  const { status, text } = await visitor.send(how, path, headers, body);
  expect(status, `${how} ${path} ${text.slice(0, 200)}`).toBeLessThan(500);
  return status;
}

describe('random', () => {
  test('bytes as bodies of any type', async () => {
    const type = fc.constantFrom(
      FORM,
      `${FORM}; charset=utf-16`,
      'application/json',
      'text/plain',
      'multipart/form-data',
      ';',
      '',
    );
    await fc.assert(
      fc.asyncProperty(anywhere, type, bytes, fc.boolean(), async (path, contentType, body, isAnna) => {
        await check(
          isAnna ? anna : provider.visitor(),
          'POST',
          path,
          { 'content-type': contentType, 'sec-fetch-site': 'same-origin' },
          body,
        );
      }),
      { numRuns: 500 },
    );
  });

  test('fields in forms that carry the right token', async () => {
    const forms = fc.constantFrom(
      '/oauth/authorize',
      '/oauth/authenticate',
      '/settings/revoke',
      '/settings/identifiers',
      `/settings/apps/`,
      '/sign-in',
    );
    const { csrf } = await anna.get('/settings');
    await fc.assert(
      fc.asyncProperty(forms, fields, async (path, list) => {
        const pairs = [...new Map(list)].filter(([field]) => field !== 'csrf' && field !== 'password');
        const body = encoded([...pairs, ['csrf', csrf]]);
        const target = path.endsWith('/') ? `${path}${owned.id}` : path;
        const headers = { 'content-type': FORM, 'sec-fetch-site': 'same-origin' };
        await check(anna, 'POST', target, headers, body);
        if (anna.session === undefined) anna = await provider.signedIn(provider.world.credentials);
      }),
      { numRuns: 300 },
    );
  });

  test('queries and methods', async () => {
    const query = fc.oneof(
      fc.webQueryParameters().map((text) => `?${text}`),
      fields.map((list) => `?${encoded(list)}`),
      fc.stringMatching(/^[!-~]{0,60}$/).map((text) => `?${text.replace(/[#"<>\\^`{|}]/g, '%')}`),
    );
    await fc.assert(
      fc.asyncProperty(anywhere, method, query, async (path, how, search) => {
        await check(anna, how, `${path}${search}`, {});
      }),
      { numRuns: 600 },
    );
  });

  test('cookies', async () => {
    const cookie = fc.oneof(
      headerText,
      fc
        .tuple(
          fc.constantFrom('__Host-broadside_session', '__Host-broadside_visitor', '__proto__', 'broadside_session'),
          headerText,
        )
        .map((pair) => pair.join('=')),
      fc
        .array(fc.constantFrom('__Host-broadside_session=a', '__Host-broadside_visitor=%zz', ';', '=', '"', ' ', 'a'), {
          maxLength: 20,
        })
        .map((parts) => parts.join(';')),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...pages), cookie, fc.boolean(), async (path, text, isForm) => {
        const headers = { cookie: text, 'content-type': FORM };
        await check(new Visitor(provider.world), isForm ? 'POST' : 'GET', path, headers, isForm ? 'csrf=x' : undefined);
      }),
      { numRuns: 400 },
    );
  });

  test('Authorization headers', async () => {
    const parameter = fc.constantFrom(
      'oauth_consumer_key',
      'oauth_token',
      'oauth_nonce',
      'oauth_timestamp',
      'oauth_signature',
      'oauth_signature_method',
      'oauth_version',
      'oauth_callback',
      'oauth_verifier',
      'oauth_body_hash',
      'realm',
    );
    const known = fc.constantFrom(
      'HMAC-SHA1',
      'HMAC-SHA256',
      '1.0',
      String(Date.UTC(2026, 0, 15, 8) / 1000),
      `${'A'.repeat(27)}%3D`,
    );
    const list = fc.array(fc.tuple(parameter, fc.oneof(known, headerText)), { maxLength: 11 });
    const header = fc.oneof(
      headerText,
      fc
        .tuple(fc.constantFrom('OAuth', 'Basic', 'Bearer', 'basic', 'oauth', 'Digest'), headerText)
        .map((pair) => pair.join(' ')),
      list.map((pairs) => `OAuth ${pairs.map(([field, text]) => `${field}="${text}"`).join(', ')}`),
      bytes.map((array) => `Basic ${array.toString('base64')}`),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...endpoints), header, fields, async (path, authorization, form) => {
        const body = encoded(form);
        const status = await check(
          new Visitor(provider.world),
          'POST',
          path,
          { authorization, 'content-type': FORM },
          body,
        );
        expect(status).toBeGreaterThanOrEqual(400);
      }),
      { numRuns: 800 },
    );
  });

  test('parameters under a good signature', async () => {
    const calls = fc.constantFrom(...endpoints);
    await fc.assert(
      fc.asyncProperty(calls, fields, fields, async (path, query, form) => {
        const well = (list: readonly (readonly [string, string])[]) =>
          list
            .filter(([field]) => !field.startsWith('oauth_'))
            .map(([field, text]): [string, string] => [field.toWellFormed(), text.toWellFormed()]);
        const verifier = form.find(([field]) => field === 'oauth_verifier')?.[1].toWellFormed();
        const extra: [string, string][] = verifier === undefined ? [] : [['oauth_verifier', verifier]];
        const token = path === '/oauth/access_token' ? asked : undefined;
        const answer = await provider.call(path, app, token, { query: [...well(query), ...extra], form: well(form) });
        expect(answer.status, answer.text).toBeLessThan(500);
        if (answer.status === 401 && answer.text.includes('89')) asked = await provider.requestToken(app);
      }),
      { numRuns: 400 },
    );
  });
});

test('bodies of many fields and long ones are rejected, and quickly', async () => {
  for (const path of [...endpoints, ...pages.filter((page) => page !== '/' && page !== '/settings')]) {
    for (const body of [
      'a&'.repeat(200_000),
      `a=${'x'.repeat(4_000_000)}`,
      '%41'.repeat(500_000),
      `${'a=1&'.repeat(51)}`,
    ]) {
      const status = await check(anna, 'POST', path, { 'content-type': FORM, 'sec-fetch-site': 'same-origin' }, body);
      expect(status, path).toBeGreaterThanOrEqual(400);
    }
  }
});
