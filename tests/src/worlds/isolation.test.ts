/**
 * Worlds do not see each other. A fork has the same ids as its source, so what a call does in one of them would be possible in the
 * other: each operation is called in the fork, and not a row of the source changes. No mixture of their credentials opens either.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { allAuthOperations, allDataOperations, allOperations, type Operation, stringifyJson } from '@broadside/core';
import { formEncode, signRequest } from '@broadside/core/auth';
import type { Credentials, World } from '@broadside/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startWorlds, type WorldsServer } from '../../../apps/server/src/worlds/testing/worlds-server.ts';
import { type CallRequest, requestFor, validParams } from '../support/call.ts';
import { about } from '../support/scenario.ts';
import type { AccountFixture } from '../support/world.ts';

let server: WorldsServer;
let source: Credentials;
let fork: Credentials;
let fixture: Pick<AccountFixture, 'funding_instrument_id' | 'campaign_id' | 'line_item_id'>;

beforeAll(async () => {
  server = await startWorlds(mkdtempSync(path.join(tmpdir(), 'broadside-isolation-')));
  source = (await server.control('GET', '/worlds/default')).body.data.credentials;
  fork = (await server.control('POST', '/worlds/default/fork', {})).body.data.credentials;
  const firstOf = async (name: string): Promise<string> => {
    const path = `/12/accounts/${source.sandbox_account_id}/${name}`;
    return JSON.parse((await send(source.ads_sandbox_base_url, { path }, source)).text).data[0].id;
  };
  fixture = {
    funding_instrument_id: await firstOf('funding_instruments'),
    campaign_id: await firstOf('campaigns'),
    line_item_id: await firstOf('line_items'),
  };
});
afterAll(async () => {
  await server.server.close();
  rmSync(server.directory, { recursive: true, force: true });
});

/** Keys and tokens with which a request is signed. */
type Signing = Pick<Credentials, 'consumer_key' | 'consumer_secret' | 'access_token' | 'access_token_secret'>;

interface Sent {
  readonly status: number;
  readonly text: string;
}

async function send(
  origin: string,
  request: CallRequest,
  as: Signing,
  nonce = randomBytes(12).toString('hex'),
): Promise<Sent> {
  const { method = 'GET', query = [], form, json } = request;
  const search = formEncode(query);
  const url = `${origin}${request.path}${search === '' ? '' : `?${search}`}`;
  const { authorization } = await signRequest({
    method,
    url,
    ...(form ? { form } : {}),
    credentials: {
      consumerKey: as.consumer_key,
      consumerSecret: as.consumer_secret,
      token: as.access_token,
      tokenSecret: as.access_token_secret,
    },
    nonce,
    timestamp: Math.floor(Date.now() / 1000),
    hmac: (algorithm, key, base) => createHmac(algorithm, key).update(base).digest('base64'),
  });
  const body = json === undefined ? form && formEncode(form) : stringifyJson(json);
  const type = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json';
  const response = await fetch(url, {
    method,
    headers: { authorization, ...(body === undefined ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, text: await response.text() };
}

/** The request of an operation's example on the demo's account. */
function requestOf(operation: Operation): CallRequest {
  const { user_id, sandbox_account_id: account_id } = source;
  return requestFor(operation, validParams(operation, { account_id, user_id, as_user_id: user_id, ...fixture }));
}

/** What deletes comes last, and the account itself at the very end. */
const methods = ['POST', 'PUT', 'GET', 'DELETE'];
const inOrder = [...allOperations].sort(
  (one, other) =>
    methods.indexOf(one.http.method) - methods.indexOf(other.http.method) ||
    Number(one.id === 'accounts.delete') - Number(other.id === 'accounts.delete'),
);

/** All rows of a world, but for those that a request leaves of itself. */
async function rowsOf(world: World): Promise<string> {
  const stores = [world.ads.production.database, world.ads.sandbox.database];
  const tables: unknown[] = [];
  for (const store of stores) {
    const names = await store.query(`SELECT "name" FROM "sqlite_master" WHERE "type" = 'table' ORDER BY "name"`);
    for (const [name] of names) tables.push([name, await store.query(`SELECT * FROM "${String(name)}"`)]);
  }
  return stringifyJson(tables);
}

describe('a fork and its source, which have the same ids', () => {
  test(about('W-ISOLATION-EFFECTS'), async () => {
    const before = await rowsOf(server.server.world);
    let succeeded = 0;
    for (const operation of inOrder) {
      const { status } = await send(fork.ads_sandbox_base_url, requestOf(operation), fork);
      expect(status, operation.id).toBeLessThan(500);
      if (status === 200 && operation.http.method !== 'GET') succeeded++;
    }
    // Otherwise this shows nothing.
    expect(succeeded).toBeGreaterThan(10);
    expect(await rowsOf(server.server.world)).toBe(before);
  });

  test(about('W-ISOLATION-CREDENTIALS'), async () => {
    const keys = ['consumer_key', 'consumer_secret', 'access_token', 'access_token_secret'] as const;
    // All operations verify in one place, so that each gets one of the mixtures.
    for (const [index, operation] of allOperations.entries()) {
      const key = keys[index % keys.length] ?? 'consumer_key';
      const mixture = { ...source, [key]: fork[key] };
      const { status } = await send(source.ads_sandbox_base_url, requestOf(operation), mixture);
      expect(status, `${operation.id} with the ${key} of another world`).toBe(401);
    }
    for (const operation of [
      ...allDataOperations,
      ...allAuthOperations.filter(({ access }) => access.auth !== 'basic'),
    ]) {
      const request: CallRequest = { method: operation.http.method, path: operation.http.path };
      const mixture = { ...source, consumer_key: fork.consumer_key };
      const { status } = await send(source.base_url, request, mixture);
      expect(status, operation.id).toBeGreaterThanOrEqual(400);
      expect(status, operation.id).toBeLessThan(404);
    }
  });

  test(about('W-ISOLATION-NONCES'), async () => {
    const request: CallRequest = { path: '/12/accounts' };
    const nonce = randomBytes(12).toString('hex');
    expect((await send(source.ads_sandbox_base_url, request, source, nonce)).status).toBe(200);
    expect((await send(source.ads_sandbox_base_url, request, fork, nonce)).status).toBe(200);
    expect((await send(source.ads_sandbox_base_url, request, fork, nonce)).status).toBe(401);
  });

  test(about('W-ISOLATION-LIMITS'), async () => {
    const remaining = async (as: Credentials) => {
      const response = await fetch(`${as.base_url}/2/posts?ids=${as.post_ids[0]}`, {
        headers: { authorization: `Bearer ${as.bearer_token}` },
      });
      expect(response.status).toBe(200);
      return Number(response.headers.get('x-rate-limit-remaining'));
    };
    const before = await remaining(source);
    for (let i = 0; i < 3; i++) await remaining(fork);
    expect(await remaining(source)).toBe(before - 1);
  });

  test(about('W-ISOLATION-TOKENS'), async () => {
    const bearer = async (token: string) =>
      (await fetch(`${source.base_url}/2/posts?ids=1`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await bearer(fork.bearer_token)).toBe(200);
    expect(await bearer(`${fork.bearer_token.slice(0, 8)}${source.bearer_token.slice(8)}`)).toBe(401);
    expect(await bearer(`${source.bearer_token.slice(0, 8)}${fork.bearer_token.slice(8)}`)).toBe(401);
  });
});
