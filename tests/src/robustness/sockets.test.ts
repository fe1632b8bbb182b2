/** A listening server that receives malformed bytes: it responds or closes the connection, and keeps serving. */

import { parseJson } from '@broadside/core';
import { buildRequest } from '@broadside/testkit';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { member } from '../support/body.ts';
import { type Listening, listening } from '../support/listening.ts';
import { type RawAnswer, sendRaw } from '../support/raw.ts';

let running: Listening;
let url: string;

beforeAll(async () => {
  // Some of what follows is ended by this limit only.
  running = await listening({ BROADSIDE_HTTP_LIMITS: 'header_seconds=3' });
  url = running.server.urls.sandbox;
});
afterAll(async () => {
  expect((await fetch(`${url}/ready`)).status).toBe(200);
  await running[Symbol.asyncDispose]();
});

/** Checks that hold for every response of the server. */
function check(answers: readonly RawAnswer[], sent: string): void {
  for (const { status, head, body } of answers) {
    expect(status, sent).toBeLessThan(500);
    // Answers that say only that the connection may go on have no body.
    if (status < 400 || /^HEAD /.test(sent)) continue;
    expect(head.toLowerCase(), sent).toContain('content-type: application/json');
    const text = /transfer-encoding: chunked/i.test(head) ? body.replace(/^[0-9a-f]+\r\n|\r\n0\r\n\r\n$/gi, '') : body;
    const errors = member(parseJson(text), 'errors');
    expect(errors, `${sent} ${text}`).toEqual([expect.objectContaining({ code: expect.any(String) })]);
  }
}

const host = 'Host: localhost\r\nConnection: close\r\n';

test.for([
  ['nothing but a line end', '\r\n\r\n', []],
  ['no HTTP at all', 'hello\r\n\r\n', [400]],
  ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', [400]],
  ['an unknown method', `BREW /12/accounts HTTP/1.1\r\n${host}\r\n`, [400]],
  ['a method in lower case', `get /12/accounts HTTP/1.1\r\n${host}\r\n`, [400]],
  ['a method of WebDAV', `PROPFIND /12/accounts HTTP/1.1\r\n${host}\r\n`, [404, 405]],
  ['no host', 'GET /12/accounts HTTP/1.1\r\n\r\n', [401]],
  ['two hosts', `GET /12/accounts HTTP/1.1\r\n${host}Host: other\r\n\r\n`, [400, 401]],
  ['a target without a path', `GET ? HTTP/1.1\r\n${host}\r\n`, [400, 404]],
  ['an absolute target', `GET http://localhost/12/accounts HTTP/1.1\r\n${host}\r\n`, [400]],
  ['an asterisk', `OPTIONS * HTTP/1.1\r\n${host}\r\n`, [400, 404]],
  ['a bad escape in the path', `GET /12/%zz HTTP/1.1\r\n${host}\r\n`, [400]],
  ['a bad escape in the query', `GET /12/accounts?a=%zz HTTP/1.1\r\n${host}\r\n`, [400]],
  ['bytes above ASCII in the target', `GET /12/accounts/ü HTTP/1.1\r\n${host}\r\n`, [400, 401, 404]],
  ['two lengths', `POST /12/accounts HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, [400]],
  [
    'a length and chunks',
    `POST /12/accounts HTTP/1.1\r\n${host}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    [400],
  ],
  ['chunks that are none', `POST /12/accounts HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, [400]],
  ['a header of 100,000 bytes', `GET /12/accounts HTTP/1.1\r\n${host}X: ${'x'.repeat(100_000)}\r\n\r\n`, [413]],
  ['a target of 100,000 bytes', `GET /12/accounts?q=${'x'.repeat(100_000)} HTTP/1.1\r\n${host}\r\n`, [413]],
  [
    'an upgrade',
    `GET /12/accounts HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n`,
    [401],
  ],
  [
    'a body that is announced too long',
    `POST /12/accounts HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 6000000\r\n\r\n`,
    [413],
  ],
  ['an expectation', `POST /12/accounts HTTP/1.1\r\n${host}Expect: 200-ok\r\nContent-Length: 0\r\n\r\n`, [417]],
] as const)('%s gets a 4xx or nothing', async ([, bytes, statuses]) => {
  // A connection that the request does not ask to close would stay open.
  const answers = await sendRaw(
    url,
    Buffer.from(bytes, 'latin1'),
    bytes.includes('Connection: close') ? {} : { answers: 1 },
  );
  check(answers, bytes.slice(0, 200));
  if (statuses.length > 0) expect(statuses).toContain(answers.at(-1)?.status);
});

test.each([['a<b'], ['a:99999'], ['%'], ['256.1.1.1'], ['1.2.3.4.5'], ['[:]'], ['ü']])(
  'a request for the host %j is no failure where an answer names addresses of the server',
  async (name) => {
    for (const path of ['/docs', '/openapi.json', '/12/accounz', '/nowhere']) {
      const request = `GET ${path} HTTP/1.1\r\nHost: ${name}\r\nAccept: text/html\r\nConnection: close\r\n\r\n`;
      const [answer] = await sendRaw(url, request);
      expect(answer?.status, path).toBe(path === '/docs' || path === '/openapi.json' ? 200 : 404);
    }
  },
);

test('any bytes get a 4xx or nothing', async () => {
  const line = fc.oneof(
    fc.constantFrom(
      'GET /12/accounts HTTP/1.1',
      'POST /12/accounts HTTP/1.1',
      'Host: a',
      'Content-Length: 5',
      'Transfer-Encoding: chunked',
      'Connection: close',
      'Content-Type: application/json',
      '',
    ),
    fc.string({ unit: 'binary-ascii', maxLength: 40 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 8 }), async (lines) => {
      const bytes = `${lines.join('\r\n')}\r\n\r\n`;
      // Unfinished requests would wait for their rest.
      check(await sendRaw(url, Buffer.from(bytes, 'latin1'), { abortAfterMs: 30 }), bytes);
    }),
    { numRuns: 80 },
  );
});

test('clients that hang up in the middle do no harm', async () => {
  const request = `POST /12/accounts HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"name":`;
  await Promise.all(
    Array.from({ length: 50 }, (_, i) => sendRaw(url, request.slice(0, 10 + i * 3), { abortAfterMs: i % 5 })),
  );
  const chunked = `POST /12/accounts HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n5\r\n{"nam\r\n`;
  await Promise.all(Array.from({ length: 20 }, () => sendRaw(url, chunked, { abortAfterMs: 5 })));
  expect((await fetch(`${url}/health`)).status).toBe(200);
});

test('a chunked body is read like any other', async () => {
  const request = `POST /12/accounts HTTP/1.1\r\n${host}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const answers = await sendRaw(url, `${request}3\r\n{"a\r\n4\r\n":1}\r\n0\r\n\r\n`);
  check(answers, 'chunked');
  expect(answers[0]?.status).toBe(401);
  const oversized = `${(5_000_001).toString(16)}\r\n${'a'.repeat(5_000_001)}\r\n0\r\n\r\n`;
  const signed = request.replace('Content-Type', 'Authorization: OAuth oauth_nonce="a"\r\nContent-Type');
  const [tooLarge] = await sendRaw(url, `${signed}${oversized}`);
  expect(tooLarge?.status).toBe(413);
  const [unread] = await sendRaw(url, `${request}${oversized}`);
  expect(unread?.status).toBe(401);
});

test('requests that follow each other on one connection are answered in order', async () => {
  const one = 'GET /12/accounts HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const last = `GET /nothing HTTP/1.1\r\n${host}\r\n`;
  expect((await sendRaw(url, `${one}${one}${last}`)).map(({ status }) => status)).toEqual([401, 401, 404]);
});

test('a connection with thousands of requests ahead of the answers is closed, one with some is answered', async () => {
  const one = 'GET /12/accounts HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const last = `GET /nothing HTTP/1.1\r\n${host}\r\n`;
  expect(await sendRaw(url, `${one.repeat(31)}${last}`)).toHaveLength(32);
  expect((await sendRaw(url, `${one.repeat(5_000)}${last}`)).length).toBeLessThan(40);
});

test.each([
  ['sandbox', 'GET /12/accounts', 'application/json', /^\{"errors":\[\{"code":"INVALID_PARAMETER",.*100-continue only/],
  ['sandbox', 'POST /12/accounts', 'application/json', /^\{"errors":\[\{"code":"INVALID_PARAMETER",/],
  ['sandbox', 'GET /trpc/accounts.list', 'application/json', /^\{"errors":\[\{"code":"INVALID_PARAMETER",/],
  ['sandbox', 'GET /nowhere', 'application/json', /^\{"errors":\[\{"code":"INVALID_PARAMETER",/],
  ['api', 'POST /oauth2/token', 'application/json', /^\{"errors":\[\{"code":215,/],
  ['api', 'POST /1.1/media/upload.json', 'application/json', /^\{"errors":\[\{"code":/],
  ['api', 'GET /2/posts', 'application/problem+json', /^\{"errors":\[.*"title":"Invalid Request"/],
  ['api', 'HEAD /2/posts', 'application/problem+json', /^$/],
] as const)(
  'an unknown expectation is rejected in the form of the path, in turn: %s %s',
  async (listener, first, type, body) => {
    const at = running.server.urls[listener];
    const bytes = `${first} HTTP/1.1\r\nHost: localhost\r\nExpect: foo\r\nContent-Length: 2\r\n\r\n{}`;
    const last = `GET /health HTTP/1.1\r\n${host}\r\n`;
    const [before, answer, after] = await sendRaw(at, `${last.replace('Connection: close\r\n', '')}${bytes}${last}`);
    expect([before?.status, answer?.status, after?.status]).toEqual([200, 417, 200]);
    expect(answer?.body).toMatch(body);
    expect(answer?.head).toContain(`content-type: ${type}; charset=utf-8`);
    expect(answer?.head).toContain('referrer-policy: no-referrer');
    expect(answer?.head).toMatch(/x-request-id: \S+/);
  },
);

test('a request that expects 100-continue is told to go on, and answered', async () => {
  const bytes = `POST /12/accounts HTTP/1.1\r\n${host}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`;
  expect((await sendRaw(url, bytes)).map(({ status }) => status)).toEqual([100, 401]);
});

/** A request that stores something, and so is not answered when what follows it is read. */
async function storing(): Promise<string> {
  const signing = { nowSeconds: () => Math.floor(Date.now() / 1000), nonce: () => `sockets-${++nonces}` };
  const request = { method: 'POST', path: '/12/accounts' } as const;
  const { url: target, headers } = await buildRequest(request, { origin: url, user: running.credentials, signing });
  const lines = Object.entries({ host: new URL(url).host, 'content-length': 0, ...headers });
  const { pathname, search } = new URL(target);
  return `POST ${pathname}${search} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

let nonces = 0;

const signedChunks = `POST /12/accounts HTTP/1.1\r\n${host}Authorization: OAuth oauth_nonce="a"\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;

test.each([
  ['what is no HTTP', '@\r\n\r\n'],
  ['a body in chunks that are none', `${signedChunks}zz\r\n`],
  ['a body in chunks of a byte', `${signedChunks}${'1\r\n \r\n'.repeat(9_000)}`],
])('a request is answered before the error that follows it: %s', async (_, bytes) => {
  const answers = await sendRaw(url, `${await storing()}${bytes}`);
  expect(answers.map(({ status }) => status)).toEqual([200, 400]);
  expect(answers[0]?.body).toContain('"data":{');
  expect(answers[1]?.body).toContain('INVALID_PARAMETER');
});

/** Where bodies are read in different ways, or not at all. */
const readers = {
  JSON: ['sandbox', 'POST /12/accounts', 'application/json'],
  'JSON of tRPC': ['sandbox', 'POST /trpc/campaigns.batch', 'application/json'],
  'a form': ['sandbox', 'POST /12/accounts', 'application/x-www-form-urlencoded'],
  'parts of an upload': ['api', 'POST /1.1/media/upload.json', 'multipart/form-data; boundary=b'],
  'text of an upload': ['api', 'POST /2/media/upload', 'application/json'],
  'a page': ['api', 'POST /sign-in', 'application/x-www-form-urlencoded'],
  'what is not read': ['api', 'GET /sign-in', 'text/plain'],
  'what is nowhere': ['api', 'PUT /nowhere', 'text/plain'],
} as const;

test.each(Object.entries(readers))(
  'a body in chunks of a byte is rejected, one in chunks of some bytes is not: %s',
  async (_, [listener, first, type]) => {
    const at = running.server.urls[listener];
    const authorization = 'Authorization: OAuth oauth_nonce="a"\r\n';
    const head = `${first} HTTP/1.1\r\n${host}${authorization}Content-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const [rejected, ...others] = await sendRaw(at, `${head}${'1\r\n \r\n'.repeat(50_000)}0\r\n\r\n`);
    // What needs no body is answered before it has arrived, and the connection is closed then.
    if (first.startsWith('GET') || rejected?.status === 404) expect(rejected?.body).not.toContain('chunks');
    else expect(rejected).toMatchObject({ status: 400, body: expect.stringContaining('too many chunks') });
    expect(others).toEqual([]);
    const [read] = await sendRaw(at, `${head}${`14\r\n${' '.repeat(20)}\r\n`.repeat(10_000)}0\r\n\r\n`);
    expect(read?.status).toBeLessThan(500);
    expect(read?.body).not.toContain('chunks');
  },
);

describe.each([['gzip'], ['br'], ['identity, gzip']])('a body with Content-Encoding: %s', (encoding) => {
  const { 'what is not read': _, 'what is nowhere': __, ...reading } = readers;

  test.each(Object.entries(reading))(
    'is rejected with the reason, be it small or large: %s',
    async (name, [listener, first, type]) => {
      // Pages and problems of version 2 say the status alone.
      const isToldWhy = name !== 'a page' && name !== 'text of an upload';
      for (const length of [2, 20_000]) {
        const lines = [`Content-Encoding: ${encoding}`, `Content-Type: ${type}`, `Content-Length: ${length}`];
        const head = [`${first} HTTP/1.1`, 'Authorization: OAuth oauth_nonce="a"', ...lines].join('\r\n');
        const [answer] = await sendRaw(
          running.server.urls[listener],
          `${head}\r\n${host}\r\n{}${' '.repeat(length - 2)}`,
        );
        expect(answer?.status).toBe(415);
        if (isToldWhy) expect(answer?.body).toContain(`Content-Encoding: ${encoding}; send it as it is`);
      }
    },
  );
});
