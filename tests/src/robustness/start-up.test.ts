/** A rejected start leaves nothing behind; and the questions that everybody may ask a server that runs. */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient } from '@broadside/client';
import { createLogger, readConfig, startServer } from '@broadside/server';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Listening, listening } from '../support/listening.ts';
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

test.each(['/health', '/ready'])('%s sends no referrer either', async (target) => {
  for (const url of Object.values(running.server.urls)) {
    const { headers } = await fetch(`${url}${target}`);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  }
});

test('the quotas of the environment hold', async () => {
  const { credentials } = running;
  const { draft_posts } = createClient(credentials, { environment: 'sandbox', retry: false });
  const post = { account_id: credentials.sandbox_account_id, as_user_id: BigInt(credentials.user_id), text: 'Autumn' };
  await expect(draft_posts.create(post)).rejects.toThrow('may have up to 0');
});
