/** Requests of an upload: how rows are packed, what is sent side by side, and what is held meanwhile. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FakeAudience, NOW } from '../testing/fake-audience.ts';
import { ONE, people, person, sha256, upload } from '../testing/people.ts';
import type { AudienceUploadProgress } from './report.ts';

/** Rows that touch few people again and again, with every kind of term. */
const mixedRows = fc.array(
  fc.record(
    {
      email: fc.integer({ min: 1, max: 6 }).map((n) => `p${n}@example.com`),
      partner_user_id: fc
        .string({ minLength: 1, maxLength: 30, unit: 'grapheme' })
        .filter((text) => !text.includes('\0')),
      operation_type: fc.constantFrom('Update' as const, 'Delete' as const),
      effective_at: fc.constantFrom('2026-10-01T00:00:00Z', '2026-10-02T00:00:00Z'),
    },
    { requiredKeys: ['email'] },
  ),
  { maxLength: 60 },
);

describe('requests', () => {
  const limits = fc.record({ operations: fc.integer({ min: 1, max: 5 }), bytes: fc.integer({ min: 900, max: 2_500 }) });

  test('hold every row once and in order, keep to both limits, and are full', async () => {
    await fc.assert(
      fc.asyncProperty(mixedRows, limits, async (rows, limit) => {
        const list = new FakeAudience({ limits: limit });
        const report = await upload(list, rows, { concurrency: 1 });
        expect(report).toMatchObject({
          rows: rows.length,
          sent: rows.length,
          refused: 0,
          requests: list.received.length,
        });
        const sent = list.received
          .flat()
          .flatMap(({ operation_type, params }) => params.users.map((user) => [operation_type, user]));
        expect(sent).toEqual(
          rows.map(({ operation_type = 'Update', email, partner_user_id }) => [
            operation_type,
            {
              email: [sha256(email)],
              ...(partner_user_id === undefined ? {} : { partner_user_id: [partner_user_id] }),
            },
          ]),
        );
        // No request had room for the first row of the next one, so there is no way to send fewer.
        for (const [index, next] of list.received.slice(1).entries()) {
          const [operation] = next;
          const [user] = operation?.params.users ?? [];
          const before = list.received[index] ?? [];
          const last = before.at(-1);
          const { users: _users, ...terms } = operation?.params ?? { users: [] };
          const { users: lastUsers = [], ...lastTerms } = last?.params ?? {};
          const shares =
            last?.operation_type === operation?.operation_type && JSON.stringify(terms) === JSON.stringify(lastTerms);
          const joined = shares
            ? [...before.slice(0, -1), { ...last, params: { ...lastTerms, users: [...lastUsers, user] } }]
            : [...before, { ...operation, params: { ...terms, users: [user] } }];
          const bytes = new TextEncoder().encode(JSON.stringify(joined)).length;
          expect(bytes > limit.bytes || joined.length > limit.operations).toBe(true);
        }
      }),
    );
  });

  test('of both types keep their order while others are sent side by side', async () => {
    const settings = fc.record({ limit: limits, turns: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1 }) });
    await fc.assert(
      fc.asyncProperty(mixedRows, settings, async (rows, { limit, turns }) => {
        const oneByOne = new FakeAudience({ limits: limit });
        await upload(oneByOne, rows, { concurrency: 1 });
        const list = new FakeAudience({ limits: limit, latency: (index) => turns[index % turns.length] ?? 0 });
        await upload(list, rows, { concurrency: 4 });
        expect(list.members).toEqual(oneByOne.members);
      }),
    );
    const list = new FakeAudience({ limits: ONE, latency: () => 3 });
    await upload(list, people(20), { concurrency: 4 });
    expect(list.mostUnderWay).toBe(4);
  });

  test('of 130,000 people are three', async () => {
    const list = new FakeAudience();
    expect(await upload(list, people(130_000).values())).toMatchObject({ requests: 3, sent: 130_000 });
  });

  test('wait for the reset while the rate limit is used up', async () => {
    const reset_at = new Date(NOW + 60_000);
    const list = new FakeAudience({
      limits: ONE,
      rateLimits: (index) => ({ account: { limit: 1_500, remaining: index < 2 ? 1 - index : 1_400, reset_at } }),
    });
    await upload(list, people(5), { concurrency: 1 });
    expect(list.received).toHaveLength(5);
    expect(list.waits).toEqual([60_000]);
  });

  test('under way count against what is left', async () => {
    const reset_at = new Date(NOW + 60_000);
    const rateLimits = (index: number) => ({
      user: { limit: 1_500, remaining: index < 3 ? 2 - index : 1_400, reset_at },
    });
    const list = new FakeAudience({ limits: ONE, rateLimits, latency: () => 2 });
    await upload(list, people(8), { concurrency: 3 });
    expect(list.received).toHaveLength(8);
    // Three went out before the first answer; it left room for none beside those.
    expect(list.waits).toEqual([60_000]);
  });
});

describe('memory', () => {
  test('holds a batch of rows and the requests under way, however many rows there are', async () => {
    let taken = 0;
    let ahead = 0;
    const list = new FakeAudience({ limits: { operations: 2_500, bytes: 79 * 100 }, latency: () => 1 });
    let acknowledged = 0;
    const rows = function* () {
      for (; taken < 20_000; taken++) {
        ahead = Math.max(ahead, taken - acknowledged);
        yield person(taken);
      }
    };
    await upload(list, rows(), {
      concurrency: 3,
      onProgress: (progress) => {
        acknowledged = progress.acknowledged.rows;
      },
    });
    expect(list.users).toHaveLength(20_000);
    // Some 95 rows a request: three under way, one that waits, and a batch that is read.
    expect(ahead).toBeLessThanOrEqual(5 * 100 + 512);
  });
});

describe('progress', () => {
  test('is told after each request, in order, and its token resumes', async () => {
    const seen: AudienceUploadProgress[] = [];
    const list = new FakeAudience({ limits: ONE, latency: (index) => (index % 3 === 0 ? 4 : 0) });
    await upload(list, [...people(6), {}], { concurrency: 3, onProgress: (progress) => seen.push(progress) });
    const rows = seen.map(({ acknowledged }) => acknowledged.rows);
    expect(rows).toEqual(rows.toSorted((a, b) => a - b));
    expect(seen.at(-1)).toMatchObject({
      rows: 7,
      refused: 1,
      acknowledged: { rows: 7, sent: 6, refused: 1, requests: 6 },
    });
    for (const { token, acknowledged } of seen) {
      const rest = new FakeAudience();
      expect(await upload(rest, [...people(6), {}], { resume: token })).toMatchObject({ rows: 7, sent: 6, refused: 1 });
      expect(rest.users).toHaveLength(6 - acknowledged.sent);
    }
  });

  test('of a dry run counts requests and sends none', async () => {
    const list = new FakeAudience({ limits: ONE });
    const report = await upload(list, [...people(6), { email: 'x' }], { dryRun: true });
    expect(report).toMatchObject({ rows: 7, sent: 6, refused: 1, requests: 6, problems: [{ row: 7, field: 'email' }] });
    expect(list.received).toEqual([]);
  });
});
