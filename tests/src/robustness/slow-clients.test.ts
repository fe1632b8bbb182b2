/** Clients that open connections and do not finish: what they make the server hold is bounded, and others are served. */
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { connect as connectSecurely } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type PairFiles, TestAuthority } from '../support/certificates.ts';
import { type Listening, listening } from '../support/listening.ts';

const MEGABYTE = 1_000_000;

let running: Listening | undefined;
let sockets: Socket[] = [];
/** Those of TLS, where it is on. */
let settings: Readonly<Record<string, string>> = {};

let authority: TestAuthority;
let pair: PairFiles;

beforeAll(async () => {
  authority = await TestAuthority.create();
  authority.trust();
  pair = await authority.pair('server');
});
afterAll(() => authority.remove());

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await running?.[Symbol.asyncDispose]();
});

/** Starts a server with limits that a test reaches quickly. */
async function start(limits: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
  running = await listening({ BROADSIDE_HTTP_LIMITS: limits, ...settings, ...more });
  return running.server.urls.sandbox;
}

interface Client {
  readonly socket: Socket;
  /** Everything that the server has sent, once it closes the connection. */
  readonly answer: Promise<string>;
}

/** Opens a connection and writes to it, as far as the server reads. */
function open(url: string, ...pieces: readonly (string | Buffer)[]): Client {
  const { hostname, port } = new URL(url);
  const where = { port: Number(port), host: hostname };
  const socket = url.startsWith('https:') ? connectSecurely(where) : connect(where);
  sockets.push(socket);
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  const answer = new Promise<string>((resolve) => {
    socket.on('close', () => resolve(text));
  });
  for (const piece of pieces) socket.write(piece);
  return { socket, answer };
}

const post = (length: number, ...headers: readonly string[]) =>
  `${['POST /12/accounts HTTP/1.1', 'host: localhost', 'content-type: application/json', `content-length: ${length}`, ...headers].join('\r\n')}\r\n\r\n`;

const someAuthorization = 'authorization: OAuth oauth_consumer_key="a"';

const isServed = async (url: string) => (await fetch(`${url}/health`)).status === 200;

describe.each(['http', 'https'])('%s', (scheme) => {
  beforeAll(() => {
    settings = scheme === 'https' ? { BROADSIDE_TLS_CERT: pair.cert, BROADSIDE_TLS_KEY: pair.key } : {};
  });

  test('a head that does not end gets 408', async () => {
    const url = await start('header_seconds=1,stall_seconds=15');
    // The time for a body has not passed when the time for a head has.
    const longer = open(url, post(100_000, someAuthorization), 'x').answer;
    const { answer } = open(url, 'GET /12/accounts HTTP/1.1\r\nhost: localhost\r\n');
    expect(await Promise.race([answer, longer.then(() => 'the body first')])).toMatch(
      /^HTTP\/1\.1 408 .*connection: close.*CANCELLED_REQUEST/s,
    );
  });

  test.each([
    ['what is no HTTP', 'hello\r\n\r\n', 400],
    ['a header that is none', 'GET /health HTTP/1.1\r\nhost: localhost\r\nBad Header\r\n\r\n', 400],
    ['a length and chunks', post(3).replace('\r\n\r\n', '\r\ntransfer-encoding: chunked\r\n\r\nabc'), 400],
    ['a head of 40,000 bytes', `GET /health?${'x'.repeat(40_000)} HTTP/1.1\r\nhost: localhost\r\n\r\n`, 413],
    ['a head that does not end', 'GET /health HTTP/1.1\r\n', 408],
  ])(
    'an error on a connection on which a request was answered is answered as on a new one: %s',
    async (_, bytes, status) => {
      const url = await start('header_seconds=1');
      const { socket, answer } = open(url, 'GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n');
      await new Promise((resolve) => socket.once('data', resolve));
      // Longer than a head may take: nothing is late on a connection without a request.
      await wait(1500);
      socket.write(bytes);
      const [first, second, ...others] = (await answer).split(/(?=HTTP\/1\.1 \d)/);
      expect(first).toMatch(/^HTTP\/1\.1 200 /);
      expect(second).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*connection: close.*"errors":\\[\\{"code":`, 's'));
      expect(others).toEqual([]);
    },
  );

  test('a body that stops growing gets 408, and one that grows slowly too', async () => {
    const url = await start('stall_seconds=1');
    const stopped = open(url, post(100_000, someAuthorization), 'x'.repeat(50_000));
    const slow = open(url, post(100_000, someAuthorization));
    const trickle = setInterval(() => slow.socket.writable && slow.socket.write('x'), 50);
    for (const { answer } of [stopped, slow]) {
      expect(await answer).toMatch(/^HTTP\/1\.1 408 .*CANCELLED_REQUEST/s);
    }
    clearInterval(trickle);
    expect(await isServed(url)).toBe(true);
  });

  test('a connection whose answers are not read is closed', async () => {
    const url = await start('stall_seconds=1,connections=10,connections_per_address=1');
    const { socket, answer } = open(url, 'GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(20));
    socket.pause();
    await expect.poll(() => isServed(url).catch(() => false)).toBe(true);
    socket.resume();
    expect((await answer).match(/^HTTP\/1\.1 200 /gm)?.length ?? 0).toBeLessThan(20);
  });

  test('an answer to the socket has the form of errors of its listener, and of its path where that is known', async () => {
    await start('stall_seconds=1,header_seconds=1,connections=20,connections_per_address=9');
    const url = running?.server.urls.api ?? '';
    const late = (path: string) => open(url, post(20_000, someAuthorization).replace('/12/accounts', path), 'x').answer;
    const numbered = /content-type: application\/json; charset=utf-8\r\n.*\{"errors":\[\{"code":\d+,"message":/s;
    const [token, second, first, none, malformed, head] = await Promise.all([
      late('/oauth2/token'),
      late('/2/media/upload/initialize'),
      late('/1.1/media/upload.json'),
      late('/nothing'),
      open(url, 'hello\r\n\r\n').answer,
      open(url, 'GET / HTTP/1.1\r\n').answer,
    ]);
    for (const text of [token, second, first, none, head]) expect(text).toMatch(/^HTTP\/1\.1 408 /);
    expect(malformed).toMatch(/^HTTP\/1\.1 400 /);
    for (const text of [token, first, none, malformed, head]) expect(text).toMatch(numbered);
    expect(second).toMatch(/content-type: application\/problem\+json; charset=utf-8\r\n.*"status":408\}$/s);
    for (const text of [token, second, first, none, malformed, head]) {
      expect(text).toContain('referrer-policy: no-referrer');
      expect(text).toContain('x-content-type-options: nosniff');
    }
    // More than there is room for; the first that is answered is one of those, since the others wait for their heads.
    const busy = await Promise.race(Array.from({ length: 20 }, () => open(url).answer));
    expect(busy).toMatch(/^HTTP\/1\.1 503 .*retry-after: 5/s);
    expect(busy).toMatch(numbered);
  });

  test('bodies beyond the room for them wait, then get 503, and do not exceed it', async () => {
    const url = await start('body_mb=20,body_mb_per_address=20,stall_seconds=600,request_seconds=600');
    const half = Buffer.alloc(2.5 * MEGABYTE, ' ');
    const before = process.memoryUsage().rss;
    const clients = Array.from({ length: 100 }, () => open(url, post(5 * MEGABYTE, someAuthorization), half));
    const answers = new Map<number, string>();
    for (const [index, { socket }] of clients.entries()) {
      socket.on('data', (chunk: Buffer) => answers.set(index, chunk.toString()));
    }
    await expect.poll(() => answers.size).toBe(96);
    for (const text of answers.values()) expect(text).toMatch(/^HTTP\/1\.1 503 .*retry-after: .*OVER_CAPACITY/s);
    // The clients are in the same process, with 250 MB that they could not all send.
    expect(process.memoryUsage().rss - before).toBeLessThan(450 * MEGABYTE);
    expect(await isServed(url)).toBe(true);
    for (const { socket } of clients) socket.destroy();
    const { answer } = open(url, post(20_000, someAuthorization, 'connection: close'), ' '.repeat(20_000));
    expect(await answer).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('connections above the limit get 503, and those that close make room', async () => {
    const url = await start('connections=10,connections_per_address=5');
    const open5 = Array.from({ length: 5 }, () => open(url));
    // They count beyond the handshake, where there is one.
    const whenOpen = scheme === 'https' ? 'secureConnect' : 'connect';
    await Promise.all(open5.map(({ socket }) => new Promise((resolve) => socket.once(whenOpen, resolve))));
    expect(await open(url).answer).toMatch(/^HTTP\/1\.1 503 .*connection: close.*retry-after: 5.*OVER_CAPACITY/s);
    open5[0]?.socket.destroy();
    await expect.poll(() => isServed(url).catch(() => false)).toBe(true);
  });
});

test('over TLS, connections count before the handshake too, and what is refused after it makes no room', async () => {
  settings = { BROADSIDE_TLS_CERT: pair.cert, BROADSIDE_TLS_KEY: pair.key };
  const url = await start('connections=10,connections_per_address=5');
  const silent = Array.from({ length: 2 }, () => open(url.replace('https:', 'http:')));
  const shaken = Array.from({ length: 3 }, () => open(url));
  await Promise.all([
    ...silent.map(({ socket }) => new Promise((resolve) => socket.once('connect', resolve))),
    ...shaken.map(({ socket }) => new Promise((resolve) => socket.once('secureConnect', resolve))),
  ]);
  for (let i = 0; i < 3; i++) expect(await open(url).answer).toMatch(/^HTTP\/1\.1 503 /);
  silent[0]?.socket.destroy();
  await expect.poll(() => isServed(url).catch(() => false)).toBe(true);
});

test('over TLS, a hundred connections above the limit may shake hands, and further ones are closed at once', async () => {
  settings = { BROADSIDE_TLS_CERT: pair.cert, BROADSIDE_TLS_KEY: pair.key };
  const url = await start('connections=150,connections_per_address=5,header_seconds=60');
  const silent = Array.from({ length: 5 + 100 + 20 }, () => open(url.replace('https:', 'http:')).socket);
  const closed = () => silent.filter(({ closed: isClosed }) => isClosed).length;
  await expect.poll(closed).toBe(20);
  // One that is closed leaves its place to another one.
  silent.findLast(({ closed: isClosed }) => !isClosed)?.destroy();
  await expect.poll(() => open(url).answer).toMatch(/^HTTP\/1\.1 503 .*OVER_CAPACITY/s);
  expect(closed()).toBe(21);
});

// Decided on a request, and not on its connection, so that it is the same over TLS.
describe('requests over either', () => {
  beforeAll(() => {
    settings = {};
  });

  test('a body that keeps growing is read, however long it takes', async () => {
    const url = await start('stall_seconds=2');
    const body = ' '.repeat(100_000);
    const { socket, answer } = open(url, post(body.length, someAuthorization, 'connection: close'));
    for (let sent = 0; sent < body.length; sent += 10_000) {
      socket.write(body.slice(sent, sent + 10_000));
      await wait(300);
    }
    expect(await answer).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('a request that takes too long as a whole gets 408', async () => {
    // So that nothing else ends it.
    const url = await start('request_seconds=2,header_seconds=1,stall_seconds=120');
    const { socket, answer } = open(url, post(5 * MEGABYTE, someAuthorization));
    const growing = setInterval(() => socket.writable && socket.write('x'.repeat(20_000)), 50);
    expect(await answer).toMatch(/^HTTP\/1\.1 408 /);
    clearInterval(growing);
  });

  test('a large body without credentials is rejected before it is read', async () => {
    const url = await start('stall_seconds=5');
    const { socket, answer } = open(url, post(5 * MEGABYTE), 'x'.repeat(1000));
    await expect.poll(() => socket.bytesRead).toBeGreaterThan(0);
    socket.destroy();
    expect(await answer).toMatch(/^HTTP\/1\.1 401 .*UNAUTHORIZED_ACCESS/s);
  });

  test('the connections of a trusted proxy count in the whole only', async () => {
    const url = await start('connections=10,connections_per_address=2', { BROADSIDE_TRUSTED_PROXIES: '127.0.0.0/8' });
    const eight = Array.from({ length: 8 }, () => open(url));
    await Promise.all(eight.map(({ socket }) => new Promise((resolve) => socket.once('connect', resolve))));
    expect(await isServed(url)).toBe(true);
    const three = Array.from({ length: 3 }, () => open(url).answer);
    expect(await Promise.race(three)).toMatch(/^HTTP\/1\.1 503 /);
  });
});
