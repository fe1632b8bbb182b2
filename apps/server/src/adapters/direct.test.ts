import { createServer } from 'node:http';
import { connect } from 'node:net';
import fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { responder } from './direct.ts';
import { Stages } from './stages.ts';

const logger = fastify({ logger: false }).log;
/** What has happened, in order. */
const done: string[] = [];
const stages = new Stages();
const respond = responder({ logger, log: () => {}, nextId: () => 'id', stages, onFinish: () => {} });
const server = createServer((request, response) => {
  const { method, url = '' } = request;
  const writeHead = response.writeHead.bind(response);
  Object.assign(response, {
    writeHead: (...args: Parameters<typeof writeHead>) => {
      done.push(`send ${url}`);
      return writeHead(...args);
    },
  });
  respond(request, response, url, {
    answer: () => {
      done.push(`answer ${url}`);
      return { status: 200, headers: [], body: url };
    },
    failed: () => ({ status: 500, headers: [], body: '' }),
  });
  done.push(`took ${method} ${url}`);
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => server.close());

/** Sends requests in one piece, which arrive in one turn, and waits for their answers. */
async function sent(...requests: readonly string[]): Promise<readonly string[]> {
  done.length = 0;
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new TypeError('the server does not listen');
  const lines = requests.map((line) => `${line} HTTP/1.1\r\nhost: x\r\n`);
  const last = lines.pop();
  const socket = connect(address.port, '127.0.0.1');
  let answers = '';
  for await (const piece of socket.end(
    `${lines.map((line) => `${line}\r\n`).join('')}${last}connection: close\r\n\r\n`,
  )) {
    answers += String(piece);
  }
  expect(answers.match(/HTTP\/1\.1 200/g)).toHaveLength(requests.length);
  return [...done];
}

test('reads that arrive together are all taken, then all answered, and then all answers are sent', async () => {
  expect(await sent('GET /a', 'HEAD /b', 'GET /c')).toEqual([
    ...['took GET /a', 'took HEAD /b', 'took GET /c'],
    ...['answer /a', 'answer /b', 'answer /c'],
    ...['send /a', 'send /b', 'send /c'],
  ]);
});

test('a write does not wait for others', async () => {
  expect(await sent('DELETE /a', 'DELETE /b')).toEqual([
    ...['answer /a', 'took DELETE /a', 'answer /b', 'took DELETE /b'],
    ...['send /a', 'send /b'],
  ]);
});
