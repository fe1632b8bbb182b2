/** A rejected start leaves nothing behind; and the questions that everybody may ask a server that runs. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient } from '@broadside/client';
import { createLogger, readConfig, startServer } from '@broadside/server';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Listening, listening } from '../support/listening.ts';
import { sendRaw } from '../support/raw.ts';
import { ownAddress, testSettings } from '../support/server-process.ts';

let running: Listening;
beforeAll(async () => {
  running = await listening({ BROADSIDE_QUOTAS: 'draft_posts=0' });
});
afterAll(() => running[Symbol.asyncDispose]());

test.each([
  ['is taken by another server', () => ({ BROADSIDE_SANDBOX_PORT: new URL(running.server.urls.api).port })],
  [
    'is that of another listener',
    () => ({ ...ownAddress, BROADSIDE_ADS_PORT: '18765', BROADSIDE_SANDBOX_PORT: '18765' }),
  ],
])('a first start writes nothing when its port %s', async (_, ports) => {
  const directory = path.join(tmpdir(), `broadside-not-started-${process.pid}-${Date.now()}`);
  const config = readConfig({ ...testSettings(directory), ...ports() });
  await expect(startServer(config, createLogger(config))).rejects.toThrow('BROADSIDE_SANDBOX_PORT');
  expect(existsSync(directory)).toBe(false);
});

test('a start that is rejected for its credentials opens nothing', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'broadside-not-started-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  writeFileSync(path.join(directory, 'credentials.json'), '{junk');
  const config = readConfig(testSettings(directory));
  await expect(startServer(config, createLogger(config))).rejects.toThrow('does not hold credentials');
  expect(readdirSync(directory)).toEqual(['credentials.json']);
});

test.each<[what: string, make: (place: string) => void]>([
  ['secret.key', (place) => symlinkSync(`${place}.gone`, place)],
  ['server.id', (place) => mkdirSync(place)],
  ['ads-sandbox.db', (place) => mkdirSync(place)],
  ['platform.db-wal', (place) => mkdirSync(place)],
  ['before-upgrade', (place) => writeFileSync(place, '')],
  ['replacing', (place) => writeFileSync(place, '')],
  ['templates', (place) => writeFileSync(place, '')],
])('a start that is rejected for the kind of %s opens nothing', async (name, make) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'broadside-not-started-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const place = path.join(directory, name);
  make(place);
  const config = readConfig(testSettings(directory));
  const started = startServer(config, createLogger(config)).then((server) => server.close());
  await expect(started).rejects.toThrow(`${place} is a`);
  expect(readdirSync(directory)).toEqual([name]);
});

test.each([['x'], ['two\nlines of twenty-four characters'], ['twenty-four chäracters..']])(
  'a start is rejected where the token of the operator is %j, which is too short or could not be sent',
  async (token) => {
    const directory = mkdtempSync(path.join(tmpdir(), 'broadside-not-started-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    writeFileSync(path.join(directory, 'operator.token'), `${token}\n`);
    const config = readConfig(testSettings(directory));
    await expect(startServer(config, createLogger(config))).rejects.toThrow('24 or more visible ASCII characters');
    expect(readdirSync(directory)).toEqual(['operator.token']);
  },
);

test.each<[request: string, status: number, headers?: Readonly<Record<string, string>>]>([
  ['GET /health', 200],
  ['GET /ready', 200],
  ['GET /docs', 200],
  ['GET /docs/', 308],
  ['GET /docs/index.json', 200],
  ['GET /docs/trial.json', 200, { 'sec-fetch-site': 'same-origin' }],
  ['GET /openapi.json', 200],
  ['OPTIONS /12/accounts', 204, { origin: 'http://localhost:1', 'access-control-request-method': 'GET' }],
  ['GET /12/accounts', 401],
  ['BREW /12/accounts', 400],
  ['PUT /12/accounts', 405],
  ['GET /nowhere', 404],
  ['GET /nowhere', 404, { accept: 'text/html' }],
  ['GET /%zz', 400],
  ['GET /', 404],
  ['GET /', 200, { accept: 'text/html' }],
])('the answer to %s, %i, sends no referrer', async (request, status, headers = {}) => {
  const lines = Object.entries({ host: 'localhost', connection: 'close', ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const [answer] = await sendRaw(running.server.urls.sandbox, `${request} HTTP/1.1\r\n${head}\r\n`);
  expect(answer?.status).toBe(status);
  expect(answer?.head.match(/^referrer-policy: .*$/gim)).toEqual(['referrer-policy: no-referrer']);
});

test.each([
  ['/', 303],
  ['/sign-in', 200],
  ['/s/nothing', 404],
  ['/media/nothing', 404],
  ['/operator/proof', 400],
  ['/1.1/media/upload.json', 400],
])('nor does that of the first listener to %s, %i', async (target, status) => {
  const answer = await fetch(`${running.server.urls.api}${target}`, { redirect: 'manual' });
  expect(answer.status).toBe(status);
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
});

test('the quotas of the environment hold', async () => {
  const { credentials } = running;
  const { draft_posts } = createClient(credentials, { environment: 'sandbox', retry: false });
  const post = { account_id: credentials.sandbox_account_id, as_user_id: BigInt(credentials.user_id), text: 'Autumn' };
  await expect(draft_posts.create(post)).rejects.toThrow('may have up to 0');
});
