import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect as connectTcp } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { secure, send, tunnel } from '../testing/through-proxy.ts';
import { type CertifiedKey, HOSTS_DAYS, makeAuthority } from './certificates.ts';
import { InterceptingProxy } from './intercepting-proxy.ts';

const API = 'api.dialect.test';
const ADS = 'ads.dialect.test';

/**
 * The address of servers behind the proxy: on Linux one of this process alone, so that no other is given the port of a server that is
 * away.
 */
const HOST =
  process.platform === 'linux'
    ? `127.${64 + ((process.pid >> 16) & 63)}.${(process.pid >> 8) & 255}.${process.pid & 255}`
    : '127.0.0.1';

/** A server behind the proxy; each test says what it answers. */
class Upstream {
  readonly server: Server;
  handle: (request: IncomingMessage, response: ServerResponse) => void = echo;
  readonly sockets = new Set<unknown>();

  constructor() {
    this.server = createServer((request, response) => {
      this.sockets.add(request.socket);
      this.handle(request, response);
    });
  }

  async listen(port = 0): Promise<URL> {
    await new Promise<void>((resolve) => this.server.listen(port, HOST, resolve));
    const address = this.server.address();
    return new URL(`http://${HOST}:${typeof address === 'object' && address ? address.port : 0}`);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

function echo(request: IncomingMessage, response: ServerResponse): void {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const { method, url, headers, rawHeaders } = request;
    response.end(JSON.stringify({ method, url, headers, rawHeaders, body: Buffer.concat(parts).toString() }));
  });
}

const api = new Upstream();
const ads = new Upstream();
let authority: CertifiedKey;
let proxy: InterceptingProxy;
let ca: string;
const lines: string[] = [];
const requests: string[] = [];

beforeAll(async () => {
  authority = await makeAuthority(Date.now());
  ca = authority.certificate;
  const url = await api.listen();
  proxy = await InterceptingProxy.listen(
    {
      hosts: new Map([
        [API, 'api'],
        [ADS, 'ads'],
      ]),
      upstreams: { api: url, ads: await ads.listen(), sandbox: url },
      authority,
      now: Date.now,
      log: (line) => lines.push(line),
      onRequest: (line) => requests.push(line),
    },
    '127.0.0.1',
    0,
  );
});

beforeEach(() => {
  lines.length = 0;
  requests.length = 0;
  api.handle = echo;
  ads.handle = echo;
});

afterAll(async () => {
  proxy.close();
  await Promise.all([api.close(), ads.close()]);
});

test('a request for a host of the dialect reaches its listener, with the host that the client named', async () => {
  const socket = await secure(proxy.port, ADS, { ca });
  const headers = [
    'Host',
    `${ADS}:443`,
    'Authorization',
    'OAuth a="b"',
    'X-Twice',
    '1',
    'X-Twice',
    '2',
    'X-Forwarded-For',
    '9.9.9.9',
  ];
  const answer = await send(socket, { path: '/11/accounts?name=a%20b', headers });
  expect(answer.status).toBe(200);
  const seen = JSON.parse(answer.body);
  expect(seen).toMatchObject({ method: 'GET', url: '/11/accounts?name=a%20b', body: '' });
  expect(seen.headers).toMatchObject({ host: ADS, authorization: 'OAuth a="b"', 'x-twice': '1, 2' });
  // What a client says about its own address is not believed.
  expect(seen.headers['x-forwarded-for']).toBe('127.0.0.1');
  expect(seen.rawHeaders).toEqual(expect.arrayContaining(['Authorization', 'X-Twice']));
  const other = await send(await secure(proxy.port, API, { ca }), { path: '/2', headers: { host: API } });
  expect(JSON.parse(other.body).headers.host).toBe(API);
  await expect.poll(() => requests).toEqual([`GET ${ADS}/11/accounts 200`, `GET ${API}/2 200`]);
  socket.destroy();
});

test('a connection serves many requests, also those without a body and without a length', async () => {
  const socket = await secure(proxy.port, API, { ca });
  for (const method of ['POST', 'PUT', 'DELETE', 'GET']) {
    const answer = await send(socket, { method, path: `/${method}`, headers: { host: API, connection: 'keep-alive' } });
    expect(JSON.parse(answer.body)).toMatchObject({ method, url: `/${method}`, body: '' });
  }
  expect(socket.destroyed).toBe(false);
  socket.destroy();
});

test('bodies of both directions go through as they come', async () => {
  const socket = await secure(proxy.port, API, { ca });
  const { promise: firstSeen, resolve: seen } = Promise.withResolvers<void>();
  // The server answers each part before the client sends the next one.
  api.handle = (request, response) => {
    request.on('data', (part: Buffer) => {
      response.write(part);
      seen();
    });
    request.on('end', () => response.end());
  };
  async function* parts() {
    yield 'one';
    await firstSeen;
    yield 'two';
  }
  const answer = await send(socket, {
    method: 'POST',
    path: '/',
    headers: { host: API, 'transfer-encoding': 'chunked' },
    body: parts(),
  });
  expect(answer.body).toBe('onetwo');
  socket.destroy();
});

test('an answer that breaks off is no whole answer', async () => {
  api.handle = (_request, response) => {
    response.writeHead(200, { 'content-length': '10' });
    response.write('half');
    setImmediate(() => response.destroy());
  };
  const socket = await secure(proxy.port, API, { ca });
  await expect(send(socket, { path: '/', headers: { host: API } })).rejects.toThrow(/aborted|hang up|ECONNRESET/);
});

test('a client that disconnects ends its request at the server', async () => {
  const { promise: gone, resolve } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  api.handle = (_request, response) => {
    response.once('close', resolve);
    response.write('first');
    begin();
  };
  const socket = await secure(proxy.port, API, { ca });
  send(socket, { path: '/stream', headers: { host: API } }).catch(() => {});
  await begun;
  socket.destroy();
  await gone;
});

test('an early answer arrives although the body is not sent yet', async () => {
  api.handle = (_request, response) => {
    response.writeHead(413, { connection: 'close' }).end('too large');
  };
  const socket = await secure(proxy.port, API, { ca });
  const { promise: answered, resolve } = Promise.withResolvers<void>();
  async function* body() {
    yield 'a';
    await answered;
  }
  const answer = await send(socket, {
    method: 'POST',
    path: '/',
    headers: { host: API, 'transfer-encoding': 'chunked' },
    body: body(),
  });
  resolve();
  expect(answer).toMatchObject({ status: 413, body: 'too large' });
  socket.destroy();
});

test('many connections at once', async () => {
  const answers = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      const socket = await secure(proxy.port, index % 2 ? API : ADS, { ca });
      const { body } = await send(socket, { path: `/${index}`, headers: { host: index % 2 ? API : ADS } });
      socket.destroy();
      return JSON.parse(body).url;
    }),
  );
  expect(answers).toEqual(Array.from({ length: 100 }, (_, index) => `/${index}`));
});

test.each([
  [
    'example.com:443',
    'this proxy answers only for api.dialect.test, ads.dialect.test, and passes nothing on to the Internet',
  ],
  ['api.dialect.test.example.com:443', 'this proxy answers only for'],
  ['93.184.216.34:443', 'this proxy answers only for'],
  ['[::1]:443', 'this proxy answers only for'],
  [`${API}:8443`, `${API} is served on port 443 only`],
  [`${API}:80`, `${API} is served on port 443 only`],
  [API, 'expected host:port'],
  [`user@${API}:443`, 'expected host:port'],
])('CONNECT %s is rejected with 403', async (target, reason) => {
  const { status, message, body } = await tunnel(proxy.port, target);
  expect(status).toBe(403);
  // Most clients show the status line only.
  expect(message).toContain(reason);
  expect(lines).toEqual([expect.stringContaining(`rejected CONNECT ${target}: ${reason}`)]);
  expect(body).toContain(`broadside proxy: ${reason}`);
});

test('host names have no case', async () => {
  const { status, socket } = await tunnel(proxy.port, 'API.Dialect.TEST.:443');
  expect(status).toBe(200);
  socket.destroy();
});

test('inside of a tunnel other hosts are rejected as well', async () => {
  const socket = await secure(proxy.port, API, { ca });
  for (const host of ['example.com', `${API}:8443`, '127.0.0.1']) {
    const answer = await send(socket, { path: '/', headers: { host, connection: 'keep-alive' } });
    expect(answer).toMatchObject({ status: 421, body: expect.stringContaining('answers only for') });
  }
  expect(lines.filter((line) => line.startsWith('rejected a request for '))).toHaveLength(3);
  socket.destroy();
});

test('plain HTTP is rejected: for any host, and for the proxy itself', async () => {
  const asked = async (target: string) => {
    const socket = connectTcp(proxy.port, '127.0.0.1');
    socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    return String(Buffer.concat(await socket.toArray()));
  };
  expect(await asked('http://example.com/a?token=t')).toMatch(/^HTTP\/1.1 403 [\s\S]*served over https only/);
  expect(await asked(`http://${API}/`)).toMatch(/^HTTP\/1.1 403 /);
  expect(lines[0]).toMatch(/^rejected GET http:\/\/example.com\/a: /);
  expect(await asked('/')).toMatch(/^HTTP\/1.1 400 [\s\S]*set HTTPS_PROXY/);
});

test('only HTTP/1.1 is agreed upon', async () => {
  const socket = await secure(proxy.port, API, { ca, ALPNProtocols: ['h2', 'http/1.1'] });
  expect(socket.alpnProtocol).toBe('http/1.1');
  socket.destroy();
  await expect(secure(proxy.port, API, { ca, ALPNProtocols: ['h2'] })).rejects.toThrow(/alert/);
});

test('the log says that a client does not trust the certificate', async () => {
  const { certificate } = await makeAuthority(Date.now());
  // This client closes the connection without a reason.
  await expect(secure(proxy.port, API, { ca: certificate })).rejects.toThrow(/verify|certificate/);
  await expect
    .poll(() => lines)
    .toEqual([expect.stringMatching(/most likely it does not trust .* `broadside proxy env`/)]);
});

test('a tunnel without TLS ends alone', async () => {
  const { socket } = await tunnel(proxy.port, `${API}:443`);
  socket.write('GET / HTTP/1.1\r\n\r\n');
  await expect(socket.toArray()).resolves.toBeDefined();
  await expect.poll(() => lines).toEqual([expect.stringContaining('a TLS handshake failed: ')]);
  const again = await secure(proxy.port, API, { ca });
  expect(await send(again, { path: '/', headers: { host: API } })).toMatchObject({ status: 200 });
  again.destroy();
});

test('a server that is away is a 502 that says so, and the same connection serves again when it is back', async () => {
  const upstream = new Upstream();
  const url = await upstream.listen();
  const own = await InterceptingProxy.listen(
    {
      hosts: new Map([[API, 'api']]),
      upstreams: { api: url, ads: url, sandbox: url },
      authority,
      now: Date.now,
      log: (line) => lines.push(line),
    },
    '127.0.0.1',
    0,
  );
  const socket = await secure(own.port, API, { ca });
  const ask = () => send(socket, { path: '/', headers: { host: API, connection: 'keep-alive' } });
  expect(await ask()).toMatchObject({ status: 200 });
  await upstream.close();
  const away = await ask();
  expect(away.status).toBe(502);
  expect(JSON.parse(away.body).errors).toEqual([
    {
      code: 'BAD_GATEWAY',
      message: `broadside proxy: no server answers at ${url.origin}; is it running? \`broadside start\` starts one`,
    },
  ]);
  expect(lines).toEqual([`502: no server answers at ${url.origin}; is it running? \`broadside start\` starts one`]);
  const back = new Upstream();
  await back.listen(Number(url.port));
  expect(await ask()).toMatchObject({ status: 200 });
  own.close();
  await back.close();
});

test('a server that started again on another port is found', async () => {
  const upstream = new Upstream();
  const url = await upstream.listen();
  let now = url;
  const own = await InterceptingProxy.listen(
    {
      hosts: new Map([[API, 'api']]),
      upstreams: { api: url, ads: url, sandbox: url },
      findAgain: () => ({ api: now, ads: now, sandbox: now }),
      authority,
      now: Date.now,
      log: () => {},
    },
    '127.0.0.1',
    0,
  );
  const socket = await secure(own.port, API, { ca });
  const ask = () => send(socket, { method: 'POST', path: '/', headers: { host: API, connection: 'keep-alive' } });
  expect(await ask()).toMatchObject({ status: 200 });
  await upstream.close();
  expect(await ask()).toMatchObject({ status: 502 });
  const back = new Upstream();
  now = await back.listen();
  expect(await ask()).toMatchObject({ status: 200 });
  own.close();
  await back.close();
});

test('a read is repeated when the server closed the idle connection, a write is not', async () => {
  const socket = await secure(proxy.port, ADS, { ca });
  const ask = (method: string) => send(socket, { method, path: '/', headers: { host: ADS, connection: 'keep-alive' } });
  let calls = 0;
  ads.handle = (request, response) => {
    calls += 1;
    if (calls % 2 === 0) request.socket.resetAndDestroy();
    else echo(request, response);
  };
  expect([(await ask('GET')).status, (await ask('GET')).status, calls]).toEqual([200, 200, 3]);
  expect([(await ask('POST')).status, calls]).toEqual([502, 4]);
  socket.destroy();
});

test('a certificate is renewed for a proxy that runs long', async () => {
  const url = new URL('http://127.0.0.1:1');
  let time = Date.now() - (HOSTS_DAYS / 2 + 1) * 24 * 60 * 60 * 1000;
  const own = await InterceptingProxy.listen(
    {
      hosts: new Map([[API, 'api']]),
      upstreams: { api: url, ads: url, sandbox: url },
      authority,
      now: () => time,
      log: () => {},
    },
    '127.0.0.1',
    0,
  );
  const serial = async () => {
    const socket = await secure(own.port, API, { ca });
    const { serialNumber } = socket.getPeerCertificate();
    socket.destroy();
    return serialNumber;
  };
  const first = await serial();
  expect(await serial()).toBe(first);
  time = Date.now();
  expect(await serial()).not.toBe(first);
  own.close();
});

test('an address of the server must not be one of the hosts, and a port must be free', async () => {
  const url = new URL(`https://${API}`);
  const options = { hosts: new Map([[API, 'api'] as const]), authority, now: Date.now, log: () => {} };
  const looping = InterceptingProxy.listen(
    { ...options, upstreams: { api: url, ads: url, sandbox: url } },
    '127.0.0.1',
    0,
  );
  await expect(looping).rejects.toThrow('is itself a host that the proxy answers for');
  const local = new URL('http://127.0.0.1:1');
  const taken = InterceptingProxy.listen(
    { ...options, upstreams: { api: local, ads: local, sandbox: local } },
    '127.0.0.1',
    proxy.port,
  );
  await expect(taken).rejects.toThrow(`Port ${proxy.port} of 127.0.0.1 is in use by another program`);
});
