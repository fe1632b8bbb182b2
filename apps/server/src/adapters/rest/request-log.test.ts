import { expect, test } from 'vitest';
import { openLog } from '../../log.ts';
import type { Sink } from '../../log-output.ts';
import { type RequestLog, requestLog } from './request-log.ts';

const USER = { kind: 'user', user_id: '12', app_id: '7' } as const;

const requests: readonly Parameters<RequestLog>[] = [
  [
    'p-1',
    'GET',
    '/12/accounts?oauth_signature=secret',
    {
      status: 200,
      operation: 'accounts.list',
      caller: USER,
      account_id: 'abc',
      trace: '0af7651916cd43dd8448eb211c80319c',
    },
    1.26,
    'their.id-1',
  ],
  ['p-zz', 'QU"RY', '/a"b\\c\u0001é', { status: 404, rejected: 'ROUTE_NOT_FOUND "x"' }, 0, 'a"b secret'],
  ['p-2', 'POST', '/oauth2/token', { status: 200, caller: { kind: 'app', app_id: '7' } }, 3],
  ['p-3', 'GET', '/trpc/admin.apps.list', { status: 200, caller: { kind: 'operator' } }, 3, ['a', 'b']],
];

/** The lines that a logger writes at a level. */
async function linesAt(level: 'debug' | 'info' | 'warn', isOwn: boolean): Promise<string[]> {
  let text = '';
  const sink: Sink = (bytes, done) => {
    text += bytes.toString();
    done(null, bytes.length);
  };
  const { logger, output } = openLog({ logLevel: level, logFormat: 'json' }, sink);
  // A child is unknown to the log, so its lines are written by the logger itself.
  const log = requestLog(isOwn ? logger : logger.child({}), 'ads');
  for (const request of requests) log(...request);
  await output.flush(1000);
  return text.split('\n').slice(0, -1);
}

const timeless = (line: string) => line.replace(/"time":"[^"]+"/, '"time":""');

test.each(['debug', 'info', 'warn'] as const)('requests are logged as the logger would, at level %s', async (level) => {
  const [own, general] = [await linesAt(level, true), await linesAt(level, false)];
  expect(own.map(timeless)).toEqual(general.map(timeless));
  expect(own).toHaveLength(level === 'warn' ? 0 : requests.length);
  for (const line of own) {
    const { time } = JSON.parse(line);
    expect(new Date(time).toISOString()).toBe(time);
    expect(line).not.toContain('secret');
  }
});

test('a line has the ids of the request, of its caller, of the account and of the operation', async () => {
  const [line = ''] = await linesAt('info', true);
  expect(JSON.parse(line)).toMatchObject({
    request: 'p-1',
    operation: 'accounts.list',
    user: '12',
    app: '7',
    account: 'abc',
    client_request: 'their.id-1',
    trace: '0af7651916cd43dd8448eb211c80319c',
  });
});
