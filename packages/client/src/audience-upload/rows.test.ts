/** Rows of an upload: what is sent for them, and what is reported. */
import { describe, expect, test } from 'vitest';
import { CallError } from '../errors.ts';
import { FakeAudience } from '../testing/fake-audience.ts';
import { rejection } from '../testing/fake-server.ts';
import { asyncOf, ONE, people, person, recordOf, sha256, upload } from '../testing/people.ts';
import type { AudienceUploadOptions } from './options.ts';
import type { RowProblem } from './rows.ts';
import { uploadRows } from './upload.ts';

describe('rows', () => {
  test('are normalized, hashed and sent in one operation with fixed times', async () => {
    const list = new FakeAudience();
    const report = await upload(list, [
      { email: [' Ann@Example.com', 'ann@example.org'], handle: '@Ann', partner_user_id: 'Crm 7 é"' },
      { phone_number: '+1 (500) 555-0100', email: null, device_id: '' },
    ]);
    expect(list.received).toEqual([
      [
        {
          operation_type: 'Update',
          params: {
            effective_at: '2026-11-01T12:00:00Z',
            expires_at: '2027-12-01T12:00:00Z',
            users: [
              {
                email: [sha256('ann@example.com'), sha256('ann@example.org')],
                handle: [sha256('ann')],
                partner_user_id: ['Crm 7 é"'],
              },
              { phone_number: [sha256('+15005550100')] },
            ],
          },
        },
      ],
    ]);
    expect(report).toEqual({
      rows: 2,
      sent: 2,
      refused: 0,
      requests: 1,
      resumedRows: 0,
      problems: [],
      durationMs: 0,
    });
  });

  test('are hashed by WebCrypto when nothing faster is given', async () => {
    const list = new FakeAudience();
    await uploadRows(list.target, [person(1), { handle: 'adsapi' }], {});
    expect(list.users).toEqual([
      recordOf(1),
      { handle: ['49e0be2aeccfb51a8dee4c945c8a70a9ac500cf6f5cb08112575f74db9b1470d'] },
    ]);
  });

  test.each<[string, () => unknown]>([
    ['an array', () => people(3)],
    ['a set', () => new Set(people(3))],
    ['a generator', () => people(3).values()],
    ['an async generator', () => asyncOf(people(3))],
    ['a stream', () => streamOf(people(3))],
    [
      'a stream that cannot be iterated',
      () => Object.defineProperty(streamOf(people(3)), Symbol.asyncIterator, { value: undefined }),
    ],
  ])('come from %s', async (_, rows) => {
    const list = new FakeAudience();
    expect(await upload(list, rows())).toMatchObject({ rows: 3, sent: 3 });
    expect(list.users).toEqual([recordOf(1), recordOf(2), recordOf(3)]);
  });

  test('that are not iterable are a mistake of the caller', async () => {
    await rejection(CallError, upload(new FakeAudience(), { email: 'ann@example.com' }));
  });

  test('can be none', async () => {
    const list = new FakeAudience();
    expect(await upload(list, [])).toMatchObject({ rows: 0, sent: 0, requests: 0 });
    expect(list.received).toEqual([]);
  });

  test('have terms of their own, and neighbours with equal terms share an operation', async () => {
    const list = new FakeAudience();
    await upload(list, [
      person(1),
      { ...person(2), effective_at: new Date('2026-10-01T08:00:00.500Z') },
      { ...person(3), effective_at: '2026-10-01T10:00:00+02:00' },
      { ...person(4), operation_type: 'Delete' },
      { ...person(5), expires_at: '2026-12-24' },
    ]);
    expect(
      list.received
        .flat()
        .map(({ operation_type, params: { users, ...times } }) => [operation_type, times, users.length]),
    ).toEqual([
      ['Update', { effective_at: '2026-11-01T12:00:00Z', expires_at: '2027-12-01T12:00:00Z' }, 1],
      ['Update', { effective_at: '2026-10-01T08:00:00Z', expires_at: '2027-12-01T12:00:00Z' }, 2],
      ['Delete', {}, 1],
      ['Update', { effective_at: '2026-11-01T12:00:00Z', expires_at: '2026-12-24T00:00:00Z' }, 1],
    ]);
  });
});

function streamOf<Row>(rows: readonly Row[]): ReadableStream<Row> {
  return new ReadableStream({
    start(controller) {
      for (const row of rows) controller.enqueue(row);
      controller.close();
    },
  });
}

describe('rows that are not valid', () => {
  const hash = sha256('ann@example.com');
  test.each<[unknown, boolean, Partial<RowProblem>]>([
    [{ email: 'SECRET' }, false, { field: 'email', message: expect.stringContaining('e-mail address') }],
    [{ email: ['ann@example.com', 'SECRET'] }, false, { field: 'email' }],
    [{ email: 7 }, false, { field: 'email', message: 'Expected text or a list of texts' }],
    [{ email: hash }, false, { field: 'email', message: expect.stringContaining('hashed already') }],
    [{ email: 'SECRET@example.com' }, true, { field: 'email', message: expect.stringContaining('64 hex digits') }],
    [{ email: `${hash}\n` }, true, { field: 'email' }],
    [{ phone_number: '500 555' }, false, { field: 'phone_number' }],
    [{}, false, { message: expect.stringContaining('no identifier') }],
    [{ email: '', phone_number: [] }, false, { message: expect.stringContaining('no identifier') }],
    [{ mail: 'SECRET@example.com' }, false, { message: expect.stringContaining('no identifier') }],
    [undefined, false, { message: expect.stringContaining('Expected an object') }],
    ['SECRET', false, { message: expect.stringContaining('Expected an object') }],
    [{ handle: 'ann', operation_type: 'Create' }, false, { field: 'operation_type' }],
    [{ handle: 'ann', effective_at: 'SECRET' }, false, { field: 'effective_at' }],
    [{ handle: 'ann', effective_at: '1969-12-31T23:59:59Z' }, false, { field: 'effective_at' }],
    [{ handle: 'ann', expires_at: '2106-02-07T06:28:16Z' }, false, { field: 'expires_at' }],
    [{ partner_user_id: Array.from({ length: 501 }, (_, n) => `${n}`) }, false, { field: 'partner_user_id' }],
    [{ handle: 'ann', expires_at: new Date(Number.NaN) }, false, { field: 'expires_at' }],
    [
      { handle: 'ann', expires_at: '2026-11-01T12:00:00Z' },
      false,
      { field: 'expires_at', message: expect.stringContaining('later') },
    ],
  ])('%j (hashed: %j) are reported by number and field, and the others are sent', async (bad, hashed, problem) => {
    const list = new FakeAudience();
    const good = hashed ? { email: hash.toUpperCase() } : { email: 'ann@example.com' };
    const seen: RowProblem[] = [];
    const report = await upload(list, [good, bad, good], { hashed, onProblem: (one) => seen.push(one) });
    expect(report).toMatchObject({ rows: 3, sent: 2, refused: 1, problems: [{ row: 2, ...problem }] });
    expect(seen).toEqual(report.problems);
    expect(JSON.stringify(report)).not.toMatch(/SECRET|[0-9a-f]{64}/);
    expect(list.users).toEqual([{ email: [hash] }, { email: [hash] }]);
  });

  test('include a row that is larger than a request', async () => {
    const list = new FakeAudience({ limits: ONE });
    const report = await upload(list, [person(1), { handle: ['a', 'b', 'c', 'd'] }, person(2)]);
    expect(report).toMatchObject({ rows: 3, sent: 2, refused: 1, problems: [{ row: 2 }] });
    expect(list.users).toEqual([recordOf(1), recordOf(2)]);
  });

  test('fill the report up to a thousand, and the callback without end', async () => {
    let seen = 0;
    const report = await upload(
      new FakeAudience(),
      Array.from({ length: 1_500 }, () => ({})),
      { onProblem: () => void seen++ },
    );
    expect([report.refused, report.problems.length, seen]).toEqual([1_500, 1_000, 1_500]);
  });

  test('are of kinds that the list does not take', async () => {
    const list = new FakeAudience({ shape: { kinds: ['email', 'phone_number'], has_effective_at: false } });
    const rows = [
      { email: 'ann@example.com' },
      { handle: 'ann' },
      { email: 'ann@example.com', effective_at: '2026-10-01' },
    ];
    const report = await upload(list, rows);
    expect(report.problems.map(({ row, field }) => [row, field])).toEqual([
      [2, 'handle'],
      [3, 'effective_at'],
    ]);
    // The list has its own default expiry, which is as late as it accepts.
    expect(list.received[0]?.[0]?.params).toEqual({ users: [{ email: [sha256('ann@example.com')] }] });
  });
});

describe('options', () => {
  test.each<[AudienceUploadOptions, string]>([
    [{ concurrency: 0 }, 'concurrency'],
    [{ concurrency: 17 }, 'concurrency'],
    [{ effective_at: 'yesterday' }, 'effective_at'],
    [{ expires_at: new Date(Number.NaN) }, 'expires_at'],
    [{ effective_at: '2027-01-01', expires_at: '2027-01-01' }, 'expires_at'],
  ])('%j are rejected', async (options, parameter) => {
    const error = await rejection(CallError, upload(new FakeAudience(), people(1), options));
    expect(error.parameter).toBe(parameter);
  });

  test('have one of two types', async () => {
    // @ts-expect-error no such type
    const error = await rejection(CallError, upload(new FakeAudience(), people(1), { operation_type: 'Create' }));
    expect(error.parameter).toBe('operation_type');
  });

  test.each([
    [Date.UTC(2026, 0, 31), '2027-02-28T00:00:00Z'],
    [Date.UTC(2027, 0, 31, 23, 59, 59, 999), '2028-02-29T23:59:59Z'],
    [Date.UTC(2026, 10, 30), '2027-12-30T00:00:00Z'],
  ])('left out, people are members for 13 months of the calendar from %i', async (now, expires_at) => {
    const list = new FakeAudience();
    list.time.now = now;
    await upload(list, people(1));
    expect(list.received[0]?.[0]?.params.expires_at).toBe(expires_at);
  });

  test('Delete sends no times', async () => {
    const list = new FakeAudience();
    await upload(list, people(2), { operation_type: 'Delete', expires_at: '2027-01-01' });
    expect(list.received).toEqual([[{ operation_type: 'Delete', params: { users: [recordOf(1), recordOf(2)] } }]]);
  });
});
