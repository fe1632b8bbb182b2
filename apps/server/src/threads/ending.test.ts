import http, { createServer, type Server } from 'node:http';
import path from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { HttpIntake } from '../adapters/limits/intake.ts';
import { createApp } from '../app.ts';
import { createServices } from '../create-services.ts';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { World } from '../open-world.ts';
import { openInbox } from './inbox.ts';
import { PassOn } from './pass-on.ts';

/** Has a server listen on a port of its own. @returns what sends it a request, and gives the answer's `connection` */
async function listening(server: Server): Promise<() => Promise<string | undefined>> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('not listening');
  const agent = new http.Agent({ keepAlive: true });
  onTestFinished(() => {
    agent.destroy();
    server.close();
  });
  return () =>
    new Promise((resolve, reject) => {
      http
        .get({ agent, host: '127.0.0.1', port: address.port, path: '/12/accounts' }, (answer) => {
          answer.resume().on('end', () => resolve(answer.headers.connection));
        })
        .on('error', reject);
    });
}

test('while a server ends, each answer ends the connection of a client, and none that is between its threads', async () => {
  const directory = temporaryDirectory();
  const world = await World.open({ dataDirectory: directory });
  onTestFinished(() => world.close());
  const intake = new HttpIntake();
  const services = createServices(world, { rateLimits: 'off', operatorToken: undefined });
  const app = createApp({ services, listener: 'ads', logger: pino({ level: 'silent' }), intake });
  onTestFinished(() => app.close());
  await app.ready();

  const socketPath = path.join(directory, 'inbox');
  const inbox = await openInbox(socketPath, 'secret', (request, response) =>
    app.server.emit('request', request, response),
  );
  let between = 0;
  inbox.on('connection', () => {
    between += 1;
  });
  const pass = new PassOn({ socketPath, secret: 'secret' });
  onTestFinished(() => {
    pass.close();
    inbox.close();
  });
  const throughThread = await listening(
    createServer({ requireHostHeader: false }, (request, response) => pass.pass(request, response)),
  );
  const direct = await listening(app.server);
  expect(await direct()).toBe('keep-alive');

  intake.end();
  for (let sent = 0; sent < 3; sent += 1) await throughThread();
  expect(between).toBe(1);
  expect(await direct()).toBe('close');
});
