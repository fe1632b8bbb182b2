import { request } from 'node:http';
import type { ListenerName } from '@broadside/server';
import { createWorld, type TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Live } from '../contract-testing/live.ts';

let world: TestWorld;
let live: Live;

beforeAll(async () => {
  world = await createWorld();
  live = await Live.open(world, {});
});

afterAll(async () => {
  await live[Symbol.asyncDispose]();
  await world.close();
});

/** Sends a request of any method, unsigned. */
async function send(listener: ListenerName, method: string, path: string) {
  const { url } = await live.sign({ listener, path, as: null });
  return new Promise<{ readonly status: number | undefined; readonly allow: string | undefined }>((resolve, reject) => {
    const sent = request(url, { method }, (response) => {
      response.resume();
      resolve({ status: response.statusCode, allow: response.headers.allow });
    });
    sent.on('error', reject);
    sent.end();
  });
}

// TRACE is not known to the framework, and QUERY wants a content type.
test.for(['TRACE', 'QUERY', 'PATCH'])('%s is rejected with the methods that a path has', async (method) => {
  for (const [listener, path, allow] of [
    ['sandbox', '/12/accounts', 'GET, HEAD, POST'],
    ['ads', '/12/accounts', 'GET, HEAD'],
    ['sandbox', '/12/accounts/abc/campaigns/def', 'GET, HEAD, PUT, DELETE'],
    ['api', '/2/posts', 'GET, HEAD'],
    ['api', '/oauth2/token', 'POST'],
    ['api', '/oauth/authorize', 'GET, HEAD, POST'],
    ['api', '/2/media/upload', 'POST, GET, HEAD'],
    ['api', '/1.1/media/upload.json', 'POST, GET, HEAD'],
    ['api', '/2/media/upload/1/append', 'POST'],
  ] as const) {
    expect(await send(listener, method, path), `${method} ${path}`).toEqual({ status: 405, allow });
  }
  expect(await send('api', method, '/2/nothing')).toMatchObject({ allow: undefined });
});
