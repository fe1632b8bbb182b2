/** Uploads through the client: the request of each list, and what is sent again. */
import { describe, expect, expectTypeOf, test } from 'vitest';
import { type ClientOptions, createClient } from '../client.ts';
import { ApiResponseError, AudienceUploadError, CallError, UnexpectedResponseError } from '../errors.ts';
import { refusal } from '../testing/campaign.ts';
import { credentials, fakeServer, networkFailure, rejection, type Step } from '../testing/fake-server.ts';
import { people, person, recordOf } from '../testing/people.ts';
import type { AudienceUploadReport } from './report.ts';

const NOW = 1_800_000_000_000;
const list = { account_id: 'abc1', custom_audience_id: '1nmth' };
const counted = (users: number, total = users) => ({
  body: JSON.stringify({ request: { params: list }, data: { success_count: users, total_count: total } }),
});

function setUp(script: readonly Step[], options: ClientOptions = {}) {
  const { fetch, sent } = fakeServer(...script);
  const waits: number[] = [];
  const random = (length: number) => new Uint8Array(length);
  const sleep = async (ms: number) => void waits.push(ms);
  return { sent, waits, client: createClient(credentials, { fetch, sleep, now: () => NOW, random, ...options }) };
}

test('people are sent to the audience as a signed request', async () => {
  const { client, sent } = setUp([counted(2)]);
  const report = await client.custom_audiences.upload(people(2), list);
  expectTypeOf(report).toEqualTypeOf<AudienceUploadReport>();
  expect(report).toMatchObject({ rows: 2, sent: 2, requests: 1 });
  const [request] = sent;
  expect(request).toMatchObject({
    method: 'POST',
    address: 'http://ads.test/12/accounts/abc1/custom_audiences/1nmth/users',
    json: [
      {
        operation_type: 'Update',
        params: {
          effective_at: '2027-01-15T08:00:00Z',
          expires_at: '2028-02-15T08:00:00Z',
          users: [recordOf(1), recordOf(2)],
        },
      },
    ],
  });
  expect(request?.headers.get('authorization')).toMatch(/^OAuth .*oauth_token="at"/);
  expect(request?.headers.get('content-type')).toBe('application/json');
});

test('people are sent to the do-not-reach list without times', async () => {
  const data = [
    { success_count: 1, total_count: 1 },
    { success_count: 2, total_count: 2 },
  ];
  const { client, sent } = setUp([{ body: JSON.stringify({ request: [], data }) }]);
  const ids = { account_id: 'abc1', do_not_reach_list_id: '2dnrl' };
  const rows = [{ ...person(1), expires_at: '2027-12-24' }, ...people(2), { handle: 'ann' }];
  const report = await client.do_not_reach_lists.upload(rows, ids);
  expect(report).toMatchObject({ rows: 4, sent: 3, problems: [{ row: 4, field: 'handle' }] });
  expect(sent.map(({ address }) => address)).toEqual([
    'http://ads.test/12/batch/accounts/abc1/do_not_reach_lists/2dnrl/users',
  ]);
  expect(sent[0]?.json).toEqual([
    { operation_type: 'Update', params: { expires_at: '2027-12-24T00:00:00Z', users: [recordOf(1)] } },
    { operation_type: 'Update', params: { users: [recordOf(1), recordOf(2)] } },
  ]);
  // @ts-expect-error the list counts from the moment of the request
  await rejection(CallError, client.do_not_reach_lists.upload([], { ...ids, effective_at: '2027-01-01' }));
});

describe('a request is sent again, unchanged,', () => {
  test.each<[string, Step]>([
    ['a lost connection', networkFailure('ECONNRESET')],
    ['a refused connection', networkFailure('ECONNREFUSED')],
    ['a proxy without an answer', { status: 502, body: '<html>' }],
    ['503', refusal(503, 'SERVICE_UNAVAILABLE')],
    ['503 with a time', refusal(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '2' })],
    ['429', refusal(429, 'TOO_MANY_REQUESTS', { 'retry-after': '2' })],
    ['a failure of the server', refusal(500, 'INTERNAL_ERROR')],
  ])('after %s', async (_, step) => {
    const { client, sent, waits } = setUp([step, step, step, counted(1)]);
    expect(await client.custom_audiences.upload(people(1), list)).toMatchObject({ sent: 1, requests: 1 });
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
    expect(waits).toHaveLength(3);
  });
});

describe('an upload ends', () => {
  test('with the rejection as its cause', async () => {
    const { client, sent } = setUp([refusal(404, 'NOT_FOUND')]);
    const { cause, report, message } = await rejection(
      AudienceUploadError,
      client.custom_audiences.upload(people(1), list),
    );
    expect(cause).toBeInstanceOf(ApiResponseError);
    expect(message).toContain('custom_audiences.users was rejected with 404');
    expect([report.rows, sent.length]).toEqual([0, 1]);
  });

  test('with the rows that the server rejected', async () => {
    const place = { code: 'INVALID_PARAMETER', message: 'Expected something else' };
    const operation_errors = [
      [],
      [
        { ...place, parameter: 'params.users[1].email[0]' },
        { ...place, parameter: 'params.users[2]' },
        { ...place, parameter: 'params.expires_at' },
      ],
    ];
    const body = JSON.stringify({ errors: [], operation_errors, request: { params: {} } });
    const { client } = setUp([{ status: 400, body }]);
    const rows = [{ ...person(1), effective_at: '2026-01-01' }, {}, ...people(4)];
    const { report } = await rejection(AudienceUploadError, client.custom_audiences.upload(rows, list));
    expect(report).toMatchObject({ rows: 0, sent: 0 });
    expect(report.problems).toEqual([
      { row: 4, field: 'email', message: 'Expected something else' },
      { row: 5, field: undefined, message: 'Expected something else' },
    ]);
  });

  test('when the retries of the client or of the call are used up', async () => {
    const lost = networkFailure('ECONNRESET');
    for (const [options, more, requests] of [
      [{ retry: false }, {}, 1],
      [{}, { retry: { attempts: 2 } }, 2],
      [{}, {}, 8],
    ] as const) {
      const { client, sent } = setUp(
        Array.from({ length: 8 }, () => lost),
        options,
      );
      await rejection(AudienceUploadError, client.custom_audiences.upload(people(1), { ...list, ...more }));
      expect(sent).toHaveLength(requests);
    }
  });

  test.each([
    [1, 2],
    [2, 1],
    [Number.NaN, 2],
  ])('when the server counts %d of %d where two were sent', async (success, total) => {
    const { client } = setUp([counted(success, total)]);
    const error = await rejection(AudienceUploadError, client.custom_audiences.upload(people(2), list));
    expect(error.cause).toBeInstanceOf(UnexpectedResponseError);
  });
});

test('what does not name an audience, or is no row, does not compile', async () => {
  const { client, sent } = setUp([]);
  // @ts-expect-error the audience is missing
  await rejection(CallError, client.custom_audiences.upload([], { account_id: 'abc1' }));
  await rejection(CallError, client.custom_audiences.upload([], { ...list, custom_audience_id: '..' }));
  // @ts-expect-error no such kind of identifier
  await client.custom_audiences.upload([{ mail: 'ann@example.com' }], { ...list, dryRun: true });
  // @ts-expect-error a person is an object
  await client.custom_audiences.upload(['ann@example.com'], { ...list, dryRun: true });
  // @ts-expect-error no such type of operation
  await rejection(CallError, client.custom_audiences.upload([person(1)], { ...list, operation_type: 'Create' }));
  expect(sent).toEqual([]);
});
