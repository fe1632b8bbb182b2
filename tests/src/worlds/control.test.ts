/** Who reaches the listener that controls worlds. */
import { networkInterfaces } from 'node:os';
import { allControlOperations } from '@broadside/core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { about } from '../support/scenario.ts';
import { ServedWorlds } from './served-worlds.ts';

const served = new ServedWorlds();

beforeAll(async () => {
  // The other listeners take calls of pages, and on all interfaces.
  await served.start(1, { BROADSIDE_HOST: '0.0.0.0', BROADSIDE_CORS_ORIGINS: 'loopback, https://app.example' });
}, 120_000);
afterAll(() => served[Symbol.asyncDispose]());

/** The operations with places for their parameters filled, and those that send and take files. */
const requests = [
  ...allControlOperations.map(({ http: { method, path } }) => [method, path.replace(/:\w+/g, 'default')] as const),
  ['GET', '/worlds/default/export'] as const,
  ['POST', '/worlds/import'] as const,
];

async function statusOf(method: string, target: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const answer = await fetch(`${served.server.controlUrl}${target}`, { method, headers });
  await answer.body?.cancel();
  return answer.status;
}

test(about('W-CONTROL-TOKEN'), async () => {
  const { credentials } = (await served.control('GET', '/worlds/default')).body.data;
  const wrong = ['', 'Bearer wrong', `Bearer ${credentials.bearer_token}`, `Bearer ${served.token}x`, served.token];
  for (const authorization of wrong) {
    const headers: Record<string, string> = authorization === '' ? {} : { authorization };
    const passed: string[] = [];
    for (const [method, target] of requests) {
      if ((await statusOf(method, target, headers)) !== 401) passed.push(`${method} ${target}`);
    }
    expect(passed, authorization).toEqual([]);
  }
  expect(await statusOf('GET', '/worlds', { authorization: `Bearer ${served.token}` })).toBe(200);
});

test(about('W-CONTROL-ORIGINS'), async () => {
  const authorization = `Bearer ${served.token}`;
  for (const origin of ['https://evil.example', 'https://app.example', 'http://localhost:5173', 'null']) {
    const passed: string[] = [];
    for (const [method, target] of requests) {
      if ((await statusOf(method, target, { authorization, origin })) !== 403) passed.push(`${method} ${target}`);
    }
    expect(passed, origin).toEqual([]);
    const preflight = await fetch(`${served.server.controlUrl}/worlds`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
  }
});

const others = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .filter(({ family, internal }) => family === 'IPv4' && !internal);

test(about('W-CONTROL-LOOPBACK'), async () => {
  const { controlUrl, urls } = served.server;
  expect(new URL(controlUrl ?? '').hostname).toMatch(/^(?:127\.0\.0\.1|localhost)$/);
  for (const { address } of others) {
    const at = (url: string) => fetch(`http://${address}:${new URL(url).port}/worlds`);
    expect((await at(urls.api)).status).toBe(404);
    await expect(at(controlUrl ?? '')).rejects.toThrow('fetch failed');
  }
});

test(about('W-CONTROL-PRODUCTION'), async () => {
  const one = new ServedWorlds();
  onTestFinished(() => one[Symbol.asyncDispose]());
  await one.start(1, { BROADSIDE_MODE: 'production' });
  expect(one.server.controlUrl).toBeUndefined();
  for (const url of Object.values(one.server.urls)) {
    const headers = { authorization: `Bearer ${one.token}` };
    expect((await fetch(`${url}/worlds`, { headers })).status).toBe(404);
  }
  await one.start(1, { BROADSIDE_MODE: 'production', BROADSIDE_CONTROL: '1' });
  expect((await one.control('GET', '/worlds')).status).toBe(200);
});
