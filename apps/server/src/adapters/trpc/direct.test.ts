/** A GET that is answered before the framework gets the same answer, and the same line in the log, as behind it. */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../../app.ts';
import { AdapterWorld, origins } from '../testing/world.ts';

let world: AdapterWorld;
let app: ReturnType<typeof createApp>;
let port: number;
const log: Record<string, unknown>[] = [];

beforeAll(async () => {
  world = await AdapterWorld.open();
  const logger = pino({ level: 'info' }, { write: (line: string) => void log.push(JSON.parse(line)) });
  app = createApp({ services: world.services, listener: 'sandbox', baseUrl: origins.sandbox, logger });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const address = app.server.address();
  port = (address as AddressInfo).port;
});
afterAll(async () => {
  await app.close();
  await world[Symbol.asyncDispose]();
});

interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** The line in the log, without what differs from request to request. */
  readonly line: Readonly<Record<string, unknown>> | undefined;
}

const { host } = new URL(origins.sandbox);
/** Headers that are of the connection, or differ from request to request. */
const OWN = [
  'date',
  'x-request-id',
  'connection',
  'keep-alive',
  'x-rate-limit-remaining',
  'x-account-rate-limit-remaining',
];

function answerOf(status: number | undefined, headers: Readonly<Record<string, unknown>>, body: string): Answer {
  const { time: _time, ms: _ms, request: _request, ...line } = log.at(-1) ?? {};
  const kept = Object.entries(headers).filter(([name]) => !OWN.includes(name));
  return { status, headers: Object.fromEntries(kept.map(([name, value]) => [name, `${value}`])), body, line };
}

type Headers = Readonly<Record<string, string>>;

async function overSocket(target: string, headers: Headers): Promise<Answer> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest({ port, host: '127.0.0.1', path: target, headers: { host, ...headers } }, resolve)
      .on('error', reject)
      .end();
  });
  let body = '';
  answer.setEncoding('utf8');
  for await (const chunk of answer) body += chunk;
  await expect.poll(() => log.at(-1)?.['path']).toBe(target.split('?')[0]);
  return answerOf(answer.statusCode, answer.headers, body);
}

async function behindFramework(target: string, headers: Headers): Promise<Answer> {
  const answer = await app.inject({ method: 'GET', url: target, headers: { host, ...headers } });
  return answerOf(answer.statusCode, answer.headers, answer.body);
}

const input = (value: unknown) => `input=${encodeURIComponent(JSON.stringify(value))}`;
const account = () => ({ account_id: world.credentials.sandbox_account_id });

describe('a GET of tRPC', () => {
  test.each<[string, () => string, Headers?]>([
    ['a query', () => `/trpc/accounts.get?${input(account())}`],
    ['a list', () => `/trpc/funding_instruments.list?${input(account())}`],
    ['a batch', () => `/trpc/accounts.get,accounts.get?batch=1&${input({ 0: account(), 1: account() })}`],
    ['a batch of different ends', () => `/trpc/accounts.get,accounts.none?batch=1&${input({ 0: account() })}`],
    ['an account that is missing', () => `/trpc/accounts.get?${input({ account_id: 'none' })}`],
    ['an invalid parameter', () => `/trpc/campaigns.list?${input({ ...account(), count: 0 })}`],
    ['an input that is no JSON', () => '/trpc/accounts.get?input=%7B'],
    ['no such procedure', () => '/trpc/accounts.none'],
    ['a mutation', () => `/trpc/campaigns.create?${input(account())}`],
    ['a page of another origin', () => '/trpc/accounts.list', { origin: 'http://evil.example' }],
    ['a stream', () => '/trpc/accounts.list', { accept: 'application/jsonl' }],
    ['a path that must be decoded', () => `/trpc/accounts%2Eget?${input(account())}`],
    ['an empty path', () => '/trpc/'],
  ])('%s: alike on both ways', async (_title, target, headers = {}) => {
    const sign = async () => ({
      ...headers,
      authorization: await world.sign('GET', `${origins.sandbox}${target()}`),
    });
    const direct = await overSocket(target(), await sign());
    expect(await behindFramework(target(), await sign())).toEqual(direct);
    expect(direct.line).toMatchObject({ listener: 'sandbox', method: 'GET', msg: 'request', status: direct.status });
  });

  test('without a signature: alike on both ways', async () => {
    const direct = await overSocket('/trpc/accounts.list', {});
    expect(direct.status).toBe(401);
    expect(await behindFramework('/trpc/accounts.list', {})).toEqual(direct);
  });

  test.each([
    [
      'one call',
      () => `/trpc/accounts.get?${input(account())}`,
      { operation: 'accounts.get', account: expect.any(String) },
    ],
    [
      'several calls',
      () => `/trpc/accounts.get,accounts.list,accounts.get?batch=1&${input({ 0: account(), 2: account() })}`,
      { operation: 'accounts.get,accounts.list' },
    ],
    [
      'a rejected call',
      () => `/trpc/campaigns.list?${input({ ...account(), count: 0 })}`,
      { operation: 'campaigns.list', rejected: 'INVALID_PARAMETER count' },
    ],
  ])('%s: the line in the log has the operation and the caller', async (_title, target, expected) => {
    const authorization = await world.sign('GET', `${origins.sandbox}${target()}`);
    const { line } = await overSocket(target(), { authorization });
    expect(line).toMatchObject({ ...expected, user: expect.any(String), app: expect.any(String) });
  });
});
