import { pino } from 'pino';
import { expect, test } from 'vitest';
import { humanStream } from './log.ts';

function lines(write: (logger: ReturnType<typeof pino>) => void): string[] {
  const said: string[] = [];
  const stream = humanStream((line) => said.push(line));
  write(pino({ base: null, timestamp: () => ',"time":"2026-01-15T08:15:02.123Z"' }, stream));
  return said;
}

test('a request is logged to a terminal as one line, with its operation, and the ids of who called and of the request at its end', () => {
  const record = { listener: 'ads', request: 'req-1', method: 'POST', path: '/12/accounts', status: 200, ms: 2.1 };
  const known = { operation: 'accounts.create', user: '12', app: '7', account: 'abc' };
  expect(lines((logger) => logger.info({ ...record, ...known }, 'request'))).toEqual([
    '08:15:02 ads POST /12/accounts 200 2.1 ms accounts.create user=12 app=7 account=abc request=req-1\n',
  ]);
});

test('a rejection includes its reason', () => {
  const record = {
    listener: 'ads',
    request: 'r',
    method: 'GET',
    path: '/x',
    status: 400,
    ms: 1,
    rejected: 'INVALID_PARAMETER count',
  };
  expect(lines((logger) => logger.info(record, 'request'))).toEqual([
    '08:15:02 ads GET /x 400 1 ms INVALID_PARAMETER count request=r\n',
  ]);
});

test('a warning has its level and shows its members', () => {
  expect(lines((logger) => logger.warn({ name: 'X', urls: { a: 1 } }, 'odd'))).toEqual([
    '08:15:02 WARN odd name=X urls={"a":1}\n',
  ]);
});

test('an error includes its stack', () => {
  const [line] = lines((logger) => logger.error({ err: new Error('broken') }, 'failed'));
  expect(line).toMatch(/^08:15:02 ERROR failed\nError: broken\n {4}at /);
});

test('the greeting is not repeated', () => {
  expect(lines((logger) => logger.info({ urls: {} }, 'ready'))).toEqual(['']);
});
