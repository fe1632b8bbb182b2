import { mkdtempSync, rmSync } from 'node:fs';
import http, { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { hasSmallBody } from '../adapters/limits/small-body.ts';
import { openInbox } from './inbox.ts';
import { PassOn } from './pass-on.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A port whose requests are passed on to a handler. */
async function passing(
  handle: Handler,
): Promise<{ readonly port: number; readonly pass: PassOn; readonly inbox: Server }> {
  const directory = mkdtempSync(path.join(tmpdir(), 'pass-on-'));
  const socketPath = path.join(directory, 'inbox');
  const inbox = await openInbox(socketPath, 'secret', handle);
  const pass = new PassOn({ socketPath, secret: 'secret' });
  const outside = createServer({ requireHostHeader: false }, (request, response) => pass.pass(request, response));
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    outside.close();
    outside.closeAllConnections();
    pass.close();
    inbox.close();
    inbox.closeAllConnections();
    rmSync(directory, { recursive: true });
  });
  return { port: portOf(outside), pass, inbox };
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('not listening');
  return address.port;
}

/** Sends bytes and reads all that comes until the connection ends. */
function exchange(port: number, sent: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(sent));
    let got = '';
    socket.setEncoding('latin1').on('data', (part) => {
      got += part;
    });
    socket.on('end', () => resolve(got)).on('error', reject);
  });
}

test('a request arrives as the client sent it, from its address, without the headers of the connection', async () => {
  let seen: unknown;
  const { port } = await passing((request, response) => {
    const { method, url, rawHeaders, socket } = request;
    // The connection between the threads has one header of its own, at the end.
    seen = {
      method,
      url,
      rawHeaders: rawHeaders.slice(0, -2),
      address: socket.remoteAddress,
      isPort: (socket.remotePort ?? 0) > 1024,
      // By which the host that a signature covers is verified.
      reached: socket.localPort,
    };
    response.writeHead(201, 'Made', ['X-A', '1', 'x-a', '2', 'Content-Length', '2']).end('ok');
  });
  const got = await exchange(
    port,
    'DELETE /a%20b?c=%zz HTTP/1.1\r\nHost: h\r\nX-Two: 1\r\nx-two: 2\r\nX-Broadside-Thread-Client: {"address":"6.6.6.6"}\r\nConnection: close\r\n\r\n',
  );
  expect(seen).toEqual({
    method: 'DELETE',
    url: '/a%20b?c=%zz',
    rawHeaders: ['Host', 'h', 'X-Two', '1', 'x-two', '2'],
    address: '127.0.0.1',
    isPort: true,
    reached: port,
  });
  expect(got).toMatch(/^HTTP\/1\.1 201 Made\r\nX-A: 1\r\nx-a: 2\r\nContent-Length: 2\r\n/);
  expect(got.match(/^Date: /gm)).toHaveLength(1);
  expect(got.endsWith('\r\n\r\nok')).toBe(true);
});

test('a request without a body arrives as one, whatever its method is', async () => {
  const seen: unknown[] = [];
  const { port } = await passing((request, response) => {
    const { method, headers } = request;
    seen.push([method, headers['transfer-encoding'], headers['content-length'] ?? '0', hasSmallBody(request)]);
    response.writeHead(204).end();
  });
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];
  for (const method of methods) {
    for (const announced of ['', 'Content-Length: 0\r\n']) {
      const got = await exchange(port, `${method} / HTTP/1.1\r\nHost: h\r\n${announced}Connection: close\r\n\r\n`);
      expect(got, method).toMatch(/^HTTP\/1\.1 204 /);
    }
  }
  expect(seen).toEqual(methods.flatMap((method) => [1, 2].map(() => [method, undefined, '0', true])));
});

test('the inbox serves nobody who does not know the secret', async () => {
  let handled = 0;
  const directory = mkdtempSync(path.join(tmpdir(), 'pass-on-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const socketPath = path.join(directory, 'inbox');
  const inbox = await openInbox(socketPath, 'secret', (_, response) => {
    handled++;
    response.end();
  });
  onTestFinished(() => void inbox.close());
  for (const headers of [{}, { 'x-broadside-thread-secret': 'secrex', 'x-broadside-thread-client': '{}' }]) {
    const failed = new Promise((resolve) => http.get({ socketPath, headers }, resolve).on('error', resolve));
    expect(await failed).toBeInstanceOf(Error);
  }
  expect(handled).toBe(0);
});

test('a body of 5 MB arrives whole, with a length and in chunks, and so does the answer', async () => {
  const { port } = await passing((request, response) => request.pipe(response));
  const body = Buffer.alloc(5 << 20, 'abcdefg');
  for (const headers of [{ 'content-length': body.length }, { 'transfer-encoding': 'chunked' }]) {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      http.request({ port, method: 'POST', headers }, resolve).on('error', reject).end(body);
    });
    expect((await text(answer)) === body.toString()).toBe(true);
  }
});

test('a client that asks to be told to continue is, and HEAD has no body', async () => {
  const { port } = await passing((request, response) => {
    if (request.method === 'HEAD') return response.writeHead(200, { 'content-length': 7 }).end();
    return request.pipe(response);
  });
  const got = await exchange(
    port,
    'POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi',
  );
  expect(got).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
  const head = await exchange(port, 'HEAD / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
  expect(head).toMatch(/content-length: 7\r\n/);
  expect(head.endsWith('\r\n\r\n')).toBe(true);
});

test('a stream of events passes one by one, and the main thread learns when its client has gone', async () => {
  let ended = false;
  let send: ((event: string) => void) | undefined;
  const { port, pass } = await passing((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    send = (event) => response.write(`data: ${event}\n\n`);
    response.on('close', () => {
      ended = true;
    });
  });
  const answer = await new Promise<IncomingMessage>((resolve) => http.get({ port }, resolve));
  const parts: string[] = [];
  answer.setEncoding('utf8').on('data', (part) => parts.push(part));
  for (const event of ['one', 'two']) {
    send?.(event);
    await expect.poll(() => parts.at(-1)).toBe(`data: ${event}\n\n`);
  }
  expect(pass.pending).toBe(1);
  answer.destroy();
  await expect.poll(() => ended).toBe(true);
  await expect.poll(() => pass.pending).toBe(0);
});

test('a body that its client breaks off is broken off in the main thread', async () => {
  let broken: string | undefined;
  let begun = false;
  const { port } = await passing((request) => {
    request.on('data', () => {
      begun = true;
    });
    request.on('error', (error) => {
      broken = error.message;
    });
  });
  const socket = net.connect(port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\npart');
  await expect.poll(() => begun).toBe(true);
  socket.destroy();
  await expect.poll(() => broken).toBe('aborted');
});

test('an answer that comes before the body was sent arrives, and its connection ends where the main thread ends it', async () => {
  const { port } = await passing((_, response) => {
    response.writeHead(413, { connection: 'close' }).end('too large');
  });
  const got = await exchange(port, 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9999999\r\n\r\nbegin');
  expect(got).toMatch(/^HTTP\/1\.1 413 /);
  expect(got).toMatch(/connection: close\r\n/i);
  expect(got).toContain('too large');
});

test.for([
  ['does not read', () => {}],
  ['begins to read', (request: IncomingMessage) => void request.once('data', () => request.pause())],
  [
    'ends the connection with',
    (request: IncomingMessage, response: ServerResponse) =>
      void response.on('finish', () => setTimeout(() => request.socket.destroy(), 200)),
  ],
] as const)(
  'a connection serves on after an answer before the end of a body that the main thread %s',
  async ([, treat]) => {
    let requests = 0;
    const { port, pass } = await passing((request, response) => {
      requests++;
      if (request.method === 'GET') return response.end('next');
      treat(request, response);
      return response.writeHead(401, { 'content-length': 0 }).end();
    });
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const post = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { 'content-length': 4_900_000 };
      http.request({ port, agent, method: 'POST', headers }, resolve).on('error', reject).end(Buffer.alloc(4_900_000));
    });
    post.resume();
    const next = await new Promise<IncomingMessage>((resolve) => http.get({ port, agent }, resolve));
    expect(await text(next)).toBe('next');
    expect(requests).toBe(2);
    await expect.poll(() => pass.pending).toBe(0);
  },
);

test('an answer that the main thread breaks off is cut off for the client, not completed', async () => {
  const { port } = await passing((_, response) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('begin', () => response.destroy());
  });
  const failed = new Promise((resolve) => {
    http.get({ port }, (answer) => answer.on('error', resolve).resume()).on('error', resolve);
  });
  expect(await failed).toBeInstanceOf(Error);
});

test('connections to the main thread are used again', async () => {
  const sockets = new Set<unknown>();
  const { port } = await passing((request, response) => {
    sockets.add(request.socket);
    response.end('ok');
  });
  for (let i = 0; i < 50; i++) {
    await text(await new Promise<IncomingMessage>((resolve) => http.get({ port, agent: false }, resolve)));
  }
  expect(sockets.size).toBe(1);
});
