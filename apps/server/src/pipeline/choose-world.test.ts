import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../app.ts';
import { createServices } from '../create-services.ts';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { World } from '../open-world.ts';
import { WORLD_HEADER } from './choose-world.ts';
import type { Services } from './services.ts';

test('the credentials of a world that is deleted while a call waits for it are nobody’s, and a named one is not there', async () => {
  const world = await World.open({ dataDirectory: temporaryDirectory() });
  onTestFinished(() => world.close());
  const asked: string[] = [];
  const worlds = {
    worldOf: (credential: string | undefined) => (credential?.startsWith('wgone') ? 'wgone' : undefined),
    // It was there when it was looked up by the credential.
    async use<T>(id: string, work: (own: Services) => T | Promise<T>) {
      asked.push(id);
      return id === 'default' ? work(services) : undefined;
    },
  };
  const services: Services = createServices(world, { rateLimits: 'off', operatorToken: undefined, worlds });
  const app = createApp({ services, listener: 'api', baseUrl: 'http://api.test', logger: pino({ level: 'silent' }) });
  onTestFinished(() => app.close());
  const get = async (headers: Record<string, string>) => {
    const { statusCode, body } = await app.inject({ method: 'GET', url: '/2/posts?ids=1', headers });
    return { statusCode, body };
  };
  const unknown = await get({ authorization: 'Bearer nobody' });
  expect(unknown.statusCode).toBe(401);
  expect(await get({ authorization: 'Bearer wgoneAAAA' })).toEqual(unknown);
  expect((await get({ authorization: 'Bearer wgoneAAAA', [WORLD_HEADER]: 'wgone' })).statusCode).toBe(400);
  expect(asked).toEqual(['wgone', 'default', 'wgone']);
});
