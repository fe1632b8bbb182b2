import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from './app.ts';
import { createServices } from './create-services.ts';
import { temporaryDirectory } from './db/testing/temporary.ts';
import { World } from './open-world.ts';
import { Readiness } from './readiness.ts';

async function setUp(starting: boolean) {
  const world = await World.open({ dataDirectory: temporaryDirectory() });
  onTestFinished(() => world.close());
  const readiness = new Readiness((work) => work(world), starting);
  const services = createServices(world, { rateLimits: 'off', operatorToken: undefined, readiness });
  const app = createApp({ services, listener: 'ads', logger: pino({ level: 'silent' }) });
  onTestFinished(() => app.close());
  const ask = async () => {
    const { statusCode, body } = await app.inject('/ready');
    const report: unknown = JSON.parse(body);
    return [statusCode, report];
  };
  return { readiness, ask };
}

test('a server is not ready before its start has ended', async () => {
  const { readiness, ask } = await setUp(true);
  expect(await ask()).toEqual([503, { status: 'not ready', reasons: ['The server is starting.'] }]);
  readiness.started();
  expect(await ask()).toEqual([200, { status: 'ready' }]);
});

test('notices do not keep a server from being ready', async () => {
  const { readiness, ask } = await setUp(false);
  let notice: string | undefined;
  readiness.notice(() => notice);
  expect(await ask()).toEqual([200, { status: 'ready' }]);
  notice = '3 lines of the log were lost.';
  expect(await ask()).toEqual([200, { status: 'ready', notices: [notice] }]);
});
