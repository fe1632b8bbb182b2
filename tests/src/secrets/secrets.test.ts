/** Secrets are not in the log, not in plain text in the databases, and not in responses to others. */
import { createHmac, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTrpcClient } from '@broadside/client/trpc';
import { formEncode, signRequest } from '@broadside/core/auth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ServerProcess } from '../support/server-process.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'broadside-secrets-'));
const PASSWORD = 'correct-horse-battery-staple';
/** Secrets that must not leave the client that holds them. */
const secrets = new Map<string, string>();
/** Identifiers of a person: as they are given, and as they are stored. */
const identifiers = { email: 'Keeper@Example.com', phone_numbers: ['+1 500 555 0177'], devices: ['AF3802A465767E36'] };
const stored = ['keeper@example.com', '+15005550177', 'af3802a465767e36'];
const answers: string[] = [];
let log = '';

beforeAll(async () => {
  // In production mode: the doctor of development shows a caller the nonce that the caller sent.
  const server = await ServerProcess.start(directory, {
    BROADSIDE_LOG_LEVEL: 'trace',
    BROADSIDE_LOG_FORMAT: 'json',
    BROADSIDE_MODE: 'production',
  });
  const held = server.credentials;
  const operator = readFileSync(path.join(directory, 'operator.token'), 'utf8').trim();
  secrets.set('consumer secret', held.consumer_secret);
  secrets.set('token secret', held.access_token_secret);
  secrets.set('bearer token', held.bearer_token);
  secrets.set('password of the demo', held.password);
  secrets.set('operator token', operator);
  secrets.set('password of a user', PASSWORD);

  const url = `${held.ads_sandbox_base_url}/12/accounts`;
  const sign = async (consumerSecret: string) => {
    const nonce = randomUUID();
    const signed = await signRequest({
      method: 'GET',
      url,
      credentials: {
        consumerKey: held.consumer_key,
        consumerSecret,
        token: held.access_token,
        tokenSecret: held.access_token_secret,
      },
      nonce,
      timestamp: Math.floor(Date.now() / 1000),
      hmac: (algorithm, key, text) => createHmac(algorithm, key).update(text).digest('base64'),
    });
    secrets.set(`signature ${nonce}`, signed.signature);
    secrets.set(`signature ${nonce}, encoded`, encodeURIComponent(signed.signature));
    secrets.set(`nonce ${nonce}`, nonce);
    return signed;
  };
  const send = async (target: string, init?: RequestInit) => {
    const answer = await fetch(target, init);
    answers.push(await answer.text());
    return answer.status;
  };
  const header = await sign(held.consumer_secret);
  expect(await send(url, { headers: { authorization: header.authorization } })).toBe(200);
  const inQuery = await sign(held.consumer_secret);
  expect(await send(`${url}?${formEncode(inQuery.parameters)}`)).toBe(200);
  const wrong = await sign('not the secret');
  expect(await send(url, { headers: { authorization: wrong.authorization } })).toBe(401);
  expect(await send(`${url}?${formEncode(wrong.parameters)}&oauth_nonce=twice`)).toBe(400);
  expect(await send(url, { headers: { authorization: `Bearer ${held.bearer_token}` } })).toBe(401);
  expect(await send(`${url}/x?access_token=${operator}`)).toBe(401);
  const admin = createTrpcClient(held, { environment: 'sandbox', operatorToken: operator });
  const user = await admin.admin.users.create.mutate({ screen_name: 'keeper', password: PASSWORD });
  await admin.admin.users.update.mutate({ user_id: user.id, ...identifiers });
  await admin.admin.users.update.mutate({ user_id: user.id, email: 'keeper at example.com' }).catch(() => {});
  const app = await admin.admin.apps.create.mutate({ name: 'Keeper', owner_user_id: user.id });
  secrets.set('secret of a new app', app.consumer_secret);
  const token = await admin.admin.tokens.create.mutate({ consumer_key: app.consumer_key, user_id: user.id });
  secrets.set('secret of a new token', token.access_token_secret);
  const ended = await server.end('SIGTERM');
  expect(ended.code).toBe(0);
  log = ended.stdout + ended.stderr;
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

function found(text: string): string[] {
  return [...secrets].filter(([, secret]) => text.includes(secret)).map(([name]) => name);
}

describe('secrets', () => {
  test('are not in the log, at any level', () => {
    // The log is there: each request has its line.
    expect(log.split('\n').filter((line) => line.includes('"msg":"request"')).length).toBeGreaterThanOrEqual(9);
    expect(found(log)).toEqual([]);
  });

  test('and identifiers of people are not in the log', () => {
    const given = [identifiers.email, ...identifiers.phone_numbers, ...identifiers.devices, 'keeper at'];
    expect([...given, ...stored].filter((identifier) => log.includes(identifier))).toEqual([]);
  });

  test('are not in answers', () => {
    expect(answers).toHaveLength(6);
    expect(found(answers.join('\n'))).toEqual([]);
  });

  test('are not in the databases as they are', () => {
    const files = readdirSync(directory).filter((name) => /\.db(-wal)?$/.test(name));
    expect(files).toContain('platform.db');
    const bytes = files.map((name) => readFileSync(path.join(directory, name), 'latin1')).join('\n');
    expect(bytes).toContain('keeper');
    expect(found(bytes)).toEqual([]);
  });

  test('are for the owner of the data directory only', () => {
    for (const name of readdirSync(directory)) {
      expect([name, statSync(path.join(directory, name)).mode & 0o077]).toEqual([name, 0]);
    }
  });
});
