/** The work of a read precedes the log of its nonce, its answer follows it; of a write, everything follows it. */
import type { AnyOperation } from '@broadside/core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { AdapterWorld, origins } from '../adapters/testing/world.ts';
import { NonceTurn } from '../auth/nonce-turn.ts';
import { handlerOf } from '../families.ts';
import { realProofs } from './verify-caller.ts';

let world: AdapterWorld;
/** The events in their order. */
const events: string[] = [];
let failure: Error | undefined;

beforeAll(async () => {
  world = await AdapterWorld.open({
    handlerOf: (operation: AnyOperation) => {
      const handler = handlerOf(operation);
      return (context, params) => {
        events.push(operation.id);
        return handler(context, params);
      };
    },
    proofs: {
      ...realProofs,
      consumeNonce: () =>
        new NonceTurn(() => {
          events.push('logged');
          if (failure) throw failure;
        }),
    },
  });
});
beforeEach(() => {
  events.length = 0;
  failure = undefined;
});
afterAll(() => world[Symbol.asyncDispose]());

const campaigns = () => `${origins.sandbox}/12/accounts/${world.credentials.sandbox_account_id}/campaigns`;
const full = () => Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });

async function send(method: string, url: string, body?: unknown) {
  const init = { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await world.fetch(url, body === undefined ? { method } : init, true);
  events.push('answered');
  return { status: response.status, headers: response.headers, body: await response.json() };
}

test('a read is done before its nonce is logged, and answered afterwards', async () => {
  const { status, headers } = await send('GET', campaigns());
  expect([status, events]).toEqual([200, ['campaigns.list', 'logged', 'answered']]);
  expect(headers.has('x-rate-limit-remaining')).toBe(true);
});

test('a read whose nonce cannot be logged is answered as one that was never made', async () => {
  failure = full();
  const { status, headers, body } = await send('GET', `${campaigns()}?count=3`);
  expect([status, events]).toEqual([503, ['campaigns.list', 'logged', 'answered']]);
  expect(body).toMatchObject({ errors: [{ code: 'SERVICE_UNAVAILABLE' }], request: { params: { count: 3 } } });
  expect(body).not.toHaveProperty('data');
  expect(headers.get('retry-after')).toBe('5');
  expect(headers.has('x-rate-limit-remaining')).toBe(false);
});

test('an error of a read waits for the log too', async () => {
  const { status } = await send('GET', `${campaigns()}?count=0`);
  expect([status, events]).toEqual([400, ['logged', 'answered']]);
  failure = full();
  expect((await send('GET', `${campaigns()}/none`)).status).toBe(503);
});

test('a write begins when its nonce is logged', async () => {
  const { status } = await send('DELETE', `${campaigns()}/none`);
  expect([status, events]).toEqual([404, ['logged', 'campaigns.delete', 'answered']]);
  events.length = 0;
  failure = full();
  expect((await send('DELETE', `${campaigns()}/none`)).status).toBe(503);
  expect(events).toEqual(['logged', 'answered']);
});

test('calls that share a nonce all wait for it: reads with their answers, writes with all they do', async () => {
  const { sandbox_account_id: account_id } = world.credentials;
  const both = { 0: { account_id }, 1: { account_id, campaign_id: 'none' } };
  const batch = () => send('POST', `${origins.sandbox}/trpc/campaigns.list,campaigns.delete?batch=1`, both);
  const { body } = await batch();
  expect(events).toEqual(['campaigns.list', 'logged', 'campaigns.delete', 'answered']);
  expect(body).toMatchObject([{ result: {} }, { error: { data: { httpStatus: 404 } } }]);
  events.length = 0;
  failure = full();
  const failed = { error: { data: { httpStatus: 503 } } };
  expect((await batch()).body).toMatchObject([failed, failed]);
  expect(events).toEqual(['campaigns.list', 'logged', 'answered']);
});
