/**
 * Every read of the contract is handled without a promise where the store is embedded, once it has been asked for before: a
 * chain of promises around a read costs more than the read.
 */
import { allOperations, type Operation } from '@broadside/core';
import { createApp, createServices, type Services } from '@broadside/server';
import type { TestRequest, TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requestFor, validParams } from '../support/call.ts';
import { openWorld, sharedFixtures } from '../support/world.ts';
import { collector } from './ways.ts';

type Handler = ReturnType<Services['handlerOf']>;
type App = ReturnType<typeof createApp>;

let world: TestWorld;
let app: App;
/** For each operation: whether its last handler gave a promise. */
const waited = new Map<string, boolean>();

beforeAll(async () => {
  world = await openWorld();
  const services = createServices(world.platform, {
    rateLimits: {},
    operatorToken: undefined,
    platformUrl: () => world.urls.api,
  });
  const handlerOf: Services['handlerOf'] = (operation) => {
    const handler = services.handlerOf(operation);
    const watched: Handler = (context, params) => {
      const value = handler(context, params);
      waited.set(operation.id, value instanceof Promise);
      return value;
    };
    return watched;
  };
  const logger = collector([]);
  app = createApp({ services: { ...services, handlerOf }, listener: 'sandbox', baseUrl: world.urls.sandbox, logger });
});
afterAll(async () => {
  await app.close();
  await world.close();
});

async function send(request: TestRequest): Promise<number> {
  const { url, method, headers } = await world.sign({ listener: 'sandbox', ...request });
  const response = await app.inject({ url, method: method === 'GET' ? 'GET' : 'POST', headers });
  return response.statusCode;
}

/** Reads that wait, each with the reason. */
const WAITING: Readonly<Record<string, string>> = {
  'keyword_insights.search': 'counts words of posts in slices',
};

const reads = allOperations.filter(
  (operation: Operation) => operation.http.method === 'GET' && !(operation.id in WAITING),
);

const shared = sharedFixtures(() => world);

describe.for(reads.map((operation) => [operation.id, operation] as const))('%s', ([id, operation]) => {
  test('is handled without a promise', async () => {
    const request = requestFor(operation, validParams(operation, await shared(operation)));
    for (let time = 0; time < 2; time++) expect(await send(request)).toBe(200);
    expect(waited.get(id)).toBe(false);
  });
});
