import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { UnusedConnections } from './unused-connections.ts';

async function connected(server: Server): Promise<Socket> {
  const address = server.address();
  const accepted = once(server, 'connection');
  const socket = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1').on('error', () => {});
  await accepted;
  return socket;
}

test('a server closes although nothing was sent on a connection, and answers what was sent on another', async () => {
  let waiting: ServerResponse | undefined;
  const server = createServer((_, response) => {
    waiting = response;
  });
  const unused = new UnusedConnections(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const [idle, busy] = [await connected(server), await connected(server)];
  let text = '';
  busy.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  busy.write('GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
  await expect.poll(() => waiting).toBeDefined();
  const [closed, answered] = [once(server, 'close'), once(busy, 'close')];
  server.close();
  unused.end();
  await once(idle, 'close');
  waiting?.end('served');
  await Promise.all([closed, answered]);
  expect(text).toContain('served');
});
