/** Secrets of all flows, including failed ones, are in no log, stored file, error message or record of changes. */
import { createHmac, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTrpcClient } from '@broadside/client/trpc';
import { formPairs, signRequest } from '@broadside/core/auth';
import Database from 'libsql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BrowserUser, pinOn } from '../../support/browser-user.ts';
import { ServerProcess } from '../../support/server-process.ts';
import { basic, rowsOf } from './provider.ts';

const CALLBACK = 'myapp://cb';
const PERSON = { screen_name: 'keeper', password: 'correct-horse-battery-staple' };

const directory = mkdtempSync(path.join(tmpdir(), 'broadside-oauth-secrets-'));
/** Secrets that only their holder may see. */
const secrets = new Map<string, string>();
/** Secrets that are stored, but must not appear in logs and error messages. */
const tokens = new Map<string, string>();
const pins: string[] = [];
const rejections: { readonly what: string; readonly status: number; readonly text: string }[] = [];
let log = '';

interface Keys {
  readonly consumer_key: string;
  readonly consumer_secret: string;
}
type Pair = Readonly<Record<'oauth_token' | 'oauth_token_secret', string>>;

/** Everything that can be done, and much that cannot. */
async function play(server: ServerProcess): Promise<void> {
  const held = server.credentials;
  const { base_url } = held;
  const operatorToken = readFileSync(path.join(directory, 'operator.token'), 'utf8').trim();
  const { admin } = createTrpcClient(held, { operatorToken });
  const keep = (name: string, secret: string | undefined) => {
    expect(secret, name).toMatch(/^.{7,}$/);
    secrets.set(`${name} ${secrets.size}`, secret ?? '');
    return secret ?? '';
  };

  const send = async (
    what: string,
    target: string,
    init: RequestInit = {},
  ): Promise<Response & { body_text: string }> => {
    const answer = await fetch(`${base_url}${target}`, { redirect: 'manual', ...init });
    const text = await answer.text();
    if (answer.status >= 400) rejections.push({ what, status: answer.status, text });
    return Object.assign(answer, { body_text: text });
  };
  const signed = async (what: string, target: string, keys: Keys, token?: Pair) => {
    const { authorization, signature } = await signRequest({
      method: 'POST',
      url: `${base_url}${target}`,
      credentials: {
        consumerKey: keys.consumer_key,
        consumerSecret: keys.consumer_secret,
        ...(token && { token: token.oauth_token, tokenSecret: token.oauth_token_secret }),
      },
      nonce: randomUUID(),
      timestamp: Math.floor(Date.now() / 1000),
      hmac: (algorithm, key, text) => createHmac(algorithm, key).update(text).digest('base64'),
    });
    keep('signature', signature);
    return send(what, target, { method: 'POST', headers: { authorization } });
  };
  const pairOf = ({ body_text }: { body_text: string }): Pair => {
    const pairs = formPairs(body_text, 9);
    const form = new Map(Array.isArray(pairs) ? pairs : []);
    const pair = {
      oauth_token: form.get('oauth_token') ?? '',
      oauth_token_secret: form.get('oauth_token_secret') ?? '',
    };
    keep('token secret', pair.oauth_token_secret);
    return pair;
  };
  const form = (fields: Record<string, string>, headers: Record<string, string> = {}): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  });

  keep('operator token', operatorToken);
  keep('password of the demo', held.password);
  keep('bearer token of the demo', held.bearer_token);
  keep('password', PERSON.password);
  const user = await admin.users.create.mutate(PERSON);
  const settings = { owner_user_id: user.id, callback_urls: [CALLBACK], oob_enabled: true, sign_in_enabled: true };
  const app = await admin.apps.create.mutate({ name: 'Keeper', ...settings });
  keep('consumer secret', app.consumer_secret);
  keep('new password', 'another-horse-battery');
  await admin.users.update.mutate({ user_id: user.id, password: 'another-horse-battery' });
  const browser = new BrowserUser({ ...PERSON, password: 'another-horse-battery' });

  // Three legs, with a callback and with a PIN, each with failures in between.
  for (const callback of [CALLBACK, 'oob', 'oob']) {
    const asked = pairOf(
      await signed('request token', `/oauth/request_token?oauth_callback=${encodeURIComponent(callback)}`, app),
    );
    keep('request token', asked.oauth_token);
    await signed('too early', `/oauth/access_token?oauth_verifier=${keep('guess', 'guessed-verifier')}`, app, asked);
    const { page } = await browser.visit(`${base_url}/oauth/authorize?oauth_token=${asked.oauth_token}`);
    const isPin = callback === 'oob';
    const verifier = isPin ? pinOn(page) : (new URL(page.url).searchParams.get('oauth_verifier') ?? '');
    if (isPin) pins.push(verifier);
    else keep('verifier', verifier);
    await signed('wrong verifier', '/oauth/access_token?oauth_verifier=guessed-verifier', app, asked);
    const access = pairOf(await signed('access token', `/oauth/access_token?oauth_verifier=${verifier}`, app, asked));
    tokens.set(`access token ${tokens.size}`, access.oauth_token);
    await signed('used request token', `/oauth/access_token?oauth_verifier=${verifier}`, app, asked);
    await signed('unknown callback', `/oauth/request_token?oauth_callback=https%3A%2F%2Fevil.example`, app);
    await signed('invalidation', '/1.1/oauth/invalidate_token', app, access);
    await signed('invalidation again', '/1.1/oauth/invalidate_token', app, access);
  }

  // Bearer tokens.
  const authorization = keep('basic credentials', basic(app.consumer_key, app.consumer_secret));
  const grant = { grant_type: 'client_credentials' };
  const bearer = async () => {
    const { body_text } = await send('bearer token', '/oauth2/token', form(grant, { authorization }));
    return keep('bearer token', /"access_token":"(\w+)"/.exec(body_text)?.[1]);
  };
  const first = await bearer();
  await send(
    'wrong secret',
    '/oauth2/token',
    form(grant, { authorization: basic(app.consumer_key, keep('guess', 'guessed-secret')) }),
  );
  await send(
    'wrong grant',
    '/oauth2/token',
    form({ grant_type: 'password', client_secret: app.consumer_secret }, { authorization }),
  );
  await send('nothing signed', `/oauth/access_token?oauth_verifier=guessed-verifier`, { method: 'POST' });
  await send('secret in the query', `/oauth2/token?client_secret=${app.consumer_secret}&access_token=${first}`, {
    method: 'POST',
  });
  await send('unknown bearer', `/oauth2/invalidate_token?access_token=${first}x`, form({}, { authorization }));
  await send(
    'bearer twice',
    `/oauth2/invalidate_token?access_token=${first}&access_token=${first}`,
    form({}, { authorization }),
  );
  await send('bearer in JSON', '/oauth2/invalidate_token', {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: `{"access_token":{"a":"${first}"}}`,
  });
  await send('invalidated', `/oauth2/invalidate_token?access_token=${first}`, form({}, { authorization }));
  await send('invalidated twice', `/oauth2/invalidate_token?access_token=${first}`, form({}, { authorization }));
  await bearer();

  // Signing in by hand, for the cookies.
  const shown = await send('sign-in page', '/sign-in');
  const visitor = /broadside_visitor=(\w+)/.exec(shown.headers.get('set-cookie') ?? '')?.[1];
  const cookie = `broadside_visitor=${keep('visitor cookie', visitor)}`;
  const csrf = keep('form token', /name="csrf" value="([\w-]+)"/.exec(shown.body_text)?.[1]);
  const fields = { csrf, screen_name: PERSON.screen_name };
  await send(
    'wrong password',
    '/sign-in',
    form({ ...fields, password: keep('guess', 'guessed-password') }, { cookie }),
  );
  await send(
    'password as the name',
    '/sign-in',
    form({ ...fields, screen_name: 'x', password: 'another-horse-battery' }, { cookie }),
  );
  await send('password in the address', `/sign-in?password=another-horse-battery`, form({ csrf: 'wrong' }, { cookie }));
  const entered = await send('sign-in', '/sign-in', form({ ...fields, password: 'another-horse-battery' }, { cookie }));
  const session = keep('session', /broadside_session=(\w+)/.exec(entered.headers.get('set-cookie') ?? '')?.[1]);
  const signedIn = { cookie: `broadside_session=${session}` };
  const page = await send('app', `/settings/apps/${app.id}`, { headers: signedIn });
  const appCsrf = keep('form token', /name="csrf" value="([\w-]+)"/.exec(page.body_text)?.[1]);
  const renewed = await send('new keys', `/settings/apps/${app.id}/keys`, form({ csrf: appCsrf }, signedIn));
  const codes = [...renewed.body_text.matchAll(/<code[^>]*>(\w+)<\/code>/g)].map(([, code]) => code);
  const keys = { consumer_key: codes[0] ?? '', consumer_secret: keep('new consumer secret', codes[1]) };
  await send(
    'stale form',
    `/settings/apps/${app.id}/keys`,
    form({ csrf: 'wrong', password: 'another-horse-battery' }, signedIn),
  );

  // Unexpected failures: tables are dropped during a request.
  const asked = pairOf(await signed('request token', '/oauth/request_token?oauth_callback=oob', keys));
  await withoutTable('request_tokens', async () => {
    await signed('failed request token', '/oauth/request_token?oauth_callback=oob', keys);
    await signed('failed exchange', '/oauth/access_token?oauth_verifier=guessed-verifier', keys, asked);
    await send('failed page', `/oauth/authorize?oauth_token=${asked.oauth_token}`, { headers: signedIn });
    const decision = { csrf: appCsrf, oauth_token: asked.oauth_token, decision: 'approve' };
    await send('failed approval', '/oauth/authorize', form(decision, signedIn));
  });
  await withoutTable('users', () =>
    send('failed sign-in', '/sign-in', form({ ...fields, password: 'another-horse-battery' }, { cookie })),
  );
  await withoutTable('bearer_tokens', async () => {
    const { consumer_key, consumer_secret } = keys;
    await send('failed bearer', '/oauth2/token', form(grant, { authorization: basic(consumer_key, consumer_secret) }));
  });
  await withoutTable('sessions', () => send('failed session', '/settings', { headers: signedIn }));
}

/** Does something while a table of the platform store has another name. */
async function withoutTable(table: string, run: () => Promise<unknown>): Promise<void> {
  const rename = (from: string, to: string) => {
    const database = new Database(path.join(directory, 'platform.db'), { timeout: 5000 });
    database.exec(`PRAGMA legacy_alter_table = ON; ALTER TABLE "${from}" RENAME TO "${to}"`);
    database.close();
  };
  rename(table, `${table}_away`);
  try {
    await run();
  } finally {
    rename(`${table}_away`, table);
  }
}

beforeAll(async () => {
  const server = await ServerProcess.start(directory, {
    BROADSIDE_LOG_LEVEL: 'trace',
    BROADSIDE_LOG_FORMAT: 'json',
    BROADSIDE_MODE: 'production',
  });
  try {
    await play(server);
  } finally {
    const { stdout, stderr } = await server.end('SIGTERM');
    log = stdout + stderr;
  }
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function found(text: string, held: ReadonlyMap<string, string> = secrets): string[] {
  return [...held]
    .filter(([, secret]) => text.includes(secret) || text.includes(encodeURIComponent(secret)))
    .map(([name]) => name);
}

describe('secrets', () => {
  test('were handled in every way: expected failures, and such that nobody expected', () => {
    expect(secrets.size).toBeGreaterThan(50);
    const failed = rejections.filter(({ status }) => status >= 500).map(({ what }) => what);
    expect(failed).toEqual([
      'failed request token',
      'failed exchange',
      'failed page',
      'failed approval',
      'failed sign-in',
      'failed bearer',
      'failed session',
    ]);
    const statuses = new Set(rejections.map(({ status }) => status));
    for (const status of [400, 401, 403, 500]) expect(statuses.has(status), String(status)).toBe(true);
  });

  test('are not in the log, which knows the cause of each failure', () => {
    expect(log.match(/"msg":"request"/g)?.length).toBeGreaterThan(60);
    expect(log.match(/failed unexpectedly/g)?.length).toBe(7);
    expect([...found(log), ...found(log, tokens)]).toEqual([]);
    expect(pins.filter((pin) => log.includes(pin)).length).toBeLessThan(pins.length);
  });

  test('are not in the stores or beside them, but in the files for their owner', () => {
    const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.db(?:-wal|-shm)?$|nonces/.test(name),
    );
    expect(files).toEqual(expect.arrayContaining(['platform.db', expect.stringMatching(/nonces.*\.log$/)]));
    const bytes = files
      .filter((name) => /\.\w+(?:-\w+)?$/.test(name))
      .map((name) => readFileSync(path.join(directory, name), 'latin1'))
      .join('\n');
    expect(bytes).toContain('keeper');
    expect(found(bytes)).toEqual([]);
    // Seven digits can come about by chance, though hardly all of them.
    expect(pins).toHaveLength(2);
    expect(pins.filter((pin) => bytes.includes(pin)).length).toBeLessThan(pins.length);
  });

  test('are in no rejection', () => {
    expect(rejections.length).toBeGreaterThan(25);
    for (const { what, status, text } of rejections) {
      // A form on a page that asks again holds the token of this visitor.
      const shown = text.replace(/name="csrf" value="[^"]*"/g, '').replace(/name="oauth_token" value="[^"]*"/g, '');
      expect([what, status, found(shown), found(shown, tokens)]).toEqual([what, status, [], []]);
    }
  });

  test('are in no record of changes, of which there is one for each kind of thing', () => {
    const rows = rowsOf(directory, 'platform.db', 'SELECT * FROM "change_log"');
    const text = JSON.stringify(rows);
    for (const entity of ['USER', 'APP', 'ACCESS_TOKEN', 'BEARER_TOKEN']) expect(text).toContain(`"${entity}"`);
    expect([...found(text), ...found(text, tokens)]).toEqual([]);
    expect(text).not.toMatch(/argon2|v1\.[0-9a-f]{8}\./);
  });

  test('are stored as what they should be: argon2id, sealed texts, hashes', () => {
    const column = (name: string, table: string) =>
      rowsOf(directory, 'platform.db', `SELECT "${name}" FROM "${table}"`).flat().map(String);
    const expectAll = (values: readonly string[], form: RegExp) => {
      expect(values.length).toBeGreaterThan(0);
      for (const value of values) expect(value).toMatch(form);
    };
    // 19 MiB, 2 passes, 1 lane, with a salt of 16 bytes and a hash of 32.
    expectAll(
      column('password_hash', 'users'),
      /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
    );
    // The demo's people cannot sign in: they share a hash that matches no password.
    const nobody = `$${'A'.repeat(43)}`;
    const hashes = column('password_hash', 'users').filter((hash) => !hash.endsWith(nobody));
    expect([hashes.length, new Set(hashes).size]).toEqual([2, 2]);
    const sealed = /^v1\.[0-9a-f]{8}\.[\w-]{16}\.[\w-]{60,}$/;
    expectAll(column('consumer_secret_sealed', 'apps'), sealed);
    expectAll(column('secret_sealed', 'access_tokens'), sealed);
    expectAll(column('secret_sealed', 'request_tokens'), sealed);
    expectAll(column('key_sealed', 'platform_keys'), sealed);
    expectAll(column('token_hash', 'request_tokens'), /^[\w-]{43}$/);
    expectAll(column('token_hash', 'bearer_tokens'), /^[\w-]{43}$/);
    expectAll(column('id_hash', 'sessions'), /^[\w-]{43}$/);
    expectAll(
      column('verifier_hash', 'request_tokens').filter((hash) => hash !== 'null'),
      /^[\w-]{86}$/,
    );
  });
});
