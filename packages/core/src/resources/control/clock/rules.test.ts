import { expect, test } from 'vitest';
import type { ClockAdvance } from './params.ts';
import { checkChanges, furthest, resolveAdvance } from './rules.ts';

const NOW = Date.UTC(2026, 0, 31, 8);

function issueOf(request: ClockAdvance) {
  const resolved = resolveAdvance(request, NOW);
  return 'issues' in resolved ? resolved.issues[0] : undefined;
}

test('an advance leads to a time, or to what is next', () => {
  expect(resolveAdvance({ by: 'P1M' }, NOW)).toEqual({ destination: { until_ms: Date.UTC(2026, 1, 28, 8) } });
  expect(resolveAdvance({ to: '2026-01-31T08:00:00.000Z' }, NOW)).toEqual({ destination: { until_ms: NOW } });
  expect(resolveAdvance({ next: true }, NOW)).toEqual({ destination: 'next' });
  expect(resolveAdvance({ by: 'PT1S', next: false }, NOW)).toEqual({ destination: { until_ms: NOW + 1_000 } });
});

test.each<[ClockAdvance, string, RegExp]>([
  [{}, 'MISSING_PARAMETER', /"by".*"to".*"next"/],
  [{ next: false }, 'MISSING_PARAMETER', /"by"/],
  [{ by: '90 days' }, 'INVALID_PARAMETER', /P90D.*"90 days"/],
  [{ by: '-P1D' }, 'INVALID_PARAMETER', /no sign/],
  [{ to: '2026-01-31T07:59:59.999Z' }, 'INVALID_PARAMETER', /not before the world’s, 2026-01-31T08:00:00.000Z/],
  [{ by: 'P11Y' }, 'INVALID_PARAMETER', /at most 3660 days at once, which is until 2036-02-08/],
  [{ to: '2101-01-01T00:00:00.000Z' }, 'INVALID_PARAMETER', /until 2100-01-01/],
  [{ by: 'P99999999999999999999999Y' }, 'INVALID_PARAMETER', /3660 days|2100/],
])('%j is rejected with what is right', (request, error, message) => {
  expect(issueOf(request)).toMatchObject({ error, message: expect.stringMatching(message) });
});

test('a change of a clock changes something', () => {
  expect(checkChanges({})).toMatchObject([
    { error: 'MISSING_PARAMETER', message: expect.stringMatching(/"now".*"rate".*"frozen".*"limits"/) },
  ]);
  expect(checkChanges({ frozen: false })).toEqual([]);
});

test('no advance goes beyond the end of clocks', () => {
  expect(furthest(Date.UTC(2099, 5, 1))).toBe(Date.UTC(2100, 0, 1));
});
