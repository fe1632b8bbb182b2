/** Uploads that end early, and those that go on: nothing is lost or doubled, wherever it was. */
import { describe, expect, test } from 'vitest';
import { AudienceUploadError, CallError } from '../errors.ts';
import { FakeAudience, type FakeAudienceOptions, NOW } from '../testing/fake-audience.ts';
import { rejection } from '../testing/fake-server.ts';
import { asyncOf, ONE, people, person, upload } from '../testing/people.ts';
import type { AudienceUploadOptions } from './options.ts';
import type { AudienceUploadProgress } from './report.ts';
import type { AudienceRow } from './rows.ts';
import { uploadRows } from './upload.ts';

describe('an upload that ended early', () => {
  const rows: AudienceRow[] = Array.from({ length: 12 }, (_, n) => (n % 5 === 3 ? {} : person(n)));
  const fail = (options: FakeAudienceOptions, more: AudienceUploadOptions = {}) => {
    const list = new FakeAudience({ limits: ONE, ...options });
    return { list, error: rejection(AudienceUploadError, upload(list, rows, more)) };
  };

  test.each(Array.from({ length: 10 }, (_, index) => index))(
    'goes on after request %i, and the list is the same',
    async (index) => {
      const whole = new FakeAudience({ limits: ONE });
      const expected = await upload(whole, rows);
      for (const fate of ['failed', 'lost'] as const) {
        for (const concurrency of [1, 3]) {
          const { list, error } = fail({ fate: (request) => (request === index ? fate : 'ok') }, { concurrency });
          const { token, report, message, cause } = await error;
          expect(message).toContain(`after ${report.rows} acknowledged rows: the `);
          expect(cause).toBeInstanceOf(TypeError);
          expect(report.sent).toBeLessThanOrEqual(index);
          const before = list.received.length;
          // Hours later: the times of the first run stand in what is sent again.
          list.time.now += 5 * 3_600_000;
          let last: AudienceUploadProgress | undefined;
          const resumed = await upload(list, asyncOf(rows), {
            resume: token,
            onProgress: (progress) => {
              last = progress;
            },
          });
          expect(list.members).toEqual(whole.members);
          expect(resumed).toMatchObject({
            rows: 12,
            sent: 10,
            refused: 2,
            requests: expected.requests,
            resumedRows: report.rows,
          });
          expect(list.received.length - before).toBe(10 - report.sent);
          expect(last?.acknowledged).toMatchObject({ rows: 12, sent: 10 });
        }
      }
    },
  );

  test('by a row is resumed at any row', async () => {
    for (let at = 0; at <= rows.length; at++) {
      const list = new FakeAudience({ limits: ONE });
      const broken = function* () {
        yield* rows.slice(0, at);
        throw new RangeError('the file broke off');
      };
      const { token, cause, report } = await rejection(AudienceUploadError, upload(list, broken()));
      expect(cause).toBeInstanceOf(RangeError);
      expect(report.rows).toBeLessThanOrEqual(at);
      expect(await upload(list, rows, { resume: token })).toMatchObject({ rows: 12, sent: 10, refused: 2 });
      const whole = new FakeAudience({ limits: ONE });
      await upload(whole, rows);
      expect(list.members).toEqual(whole.members);
    }
  });

  test('reports no problem twice, and not those of the first run', async () => {
    const { token, report } = await fail({ fate: (index) => (index === 6 ? 'failed' : 'ok') }, { concurrency: 1 })
      .error;
    expect(report.problems.map(({ row }) => row)).toEqual([4]);
    const list = new FakeAudience({ limits: ONE });
    const resumed = await upload(list, rows, { resume: token });
    expect(resumed.problems.map(({ row }) => row)).toEqual([9]);
    expect(resumed.refused).toBe(2);
    // Nothing else of the token is in the report.
    expect(Object.keys(resumed).sort()).toEqual(Object.keys(report).sort());
  });

  test('is not resumed with other rows, another list or other times', async () => {
    const { token } = await fail({ fate: (index) => (index === 6 ? 'failed' : 'ok') }).error;
    const list = new FakeAudience();
    const other = { ...list.target, name: 'custom_audiences.users abc1 2nmth' };
    await rejection(CallError, uploadRows(other, rows, { resume: token }));
    for (const options of [{ hashed: true }, { operation_type: 'Delete' }, { expires_at: '2026-12-24' }] as const)
      await rejection(CallError, upload(list, rows, { resume: token, ...options }));
    for (const resume of ['', 'upload1.', `${token.slice(0, -9)}`, token.replace('upload1', 'upload2'), 'upload1.e30'])
      await rejection(CallError, upload(list, rows, { resume }));
    expect(list.received).toEqual([]);
    expect(await upload(list, rows, { resume: token, effective_at: new Date(NOW) })).toMatchObject({ rows: 12 });
  });
});

describe('a signal', () => {
  test('ends an upload with its reason, while requests are under way and while rows do not come', async () => {
    const reason = new Error('no longer needed');
    for (const rows of [people(50), stuck()]) {
      const controller = new AbortController();
      const list = new FakeAudience({ limits: ONE, latency: () => 1 });
      const running = upload(list, rows, { signal: controller.signal });
      for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve));
      controller.abort(reason);
      await expect(running).rejects.toBe(reason);
      expect(list.underWay).toBe(0);
    }
  });

  test('that has come before sends nothing and takes no row', async () => {
    const reason = new Error('no longer needed');
    let taken = 0;
    const rows = {
      *[Symbol.iterator]() {
        taken++;
        yield person(1);
      },
    };
    await expect(upload(new FakeAudience(), rows, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(taken).toBe(0);
  });

  test('closes the source of the rows, and so does a failure', async () => {
    let closed = 0;
    const rows = function* () {
      try {
        for (let n = 1; ; n++) yield person(n);
      } finally {
        closed++;
      }
    };
    await rejection(AudienceUploadError, upload(new FakeAudience({ fate: () => 'failed', limits: ONE }), rows()));
    const controller = new AbortController();
    const onProgress = () => controller.abort();
    const running = upload(new FakeAudience({ limits: ONE }), rows(), { signal: controller.signal, onProgress });
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    expect(closed).toBe(2);
  });
});

async function* stuck() {
  yield person(1);
  await new Promise(() => {});
}
