import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDuration, parseDuration } from './duration.ts';

const DAY_MS = 86_400_000;

test.each([
  ['P90D', { months: 0, ms: 90 * DAY_MS }],
  ['PT36H', { months: 0, ms: 1.5 * DAY_MS }],
  ['P1Y2M', { months: 14, ms: 0 }],
  ['P2W', { months: 0, ms: 14 * DAY_MS }],
  ['P1M', { months: 1, ms: 0 }],
  ['PT1M', { months: 0, ms: 60_000 }],
  ['PT0.25S', { months: 0, ms: 250 }],
  ['PT1,5S', { months: 0, ms: 1_500 }],
  ['P1DT1H1M1S', { months: 0, ms: DAY_MS + 3_661_000 }],
  ['PT0S', { months: 0, ms: 0 }],
])('%s is a duration', (text, duration) => {
  expect(parseDuration(text)).toEqual(duration);
});

test.each([
  '',
  'P',
  'PT',
  'P1DT',
  '90D',
  'P90',
  'p90d',
  '-P1D',
  'P-1D',
  'P1.5D',
  'PT1H30',
  'P1D1Y',
  'P1H',
  `P${'9'.repeat(70)}D`,
])('%j is none', (text) => {
  expect(parseDuration(text)).toBeUndefined();
});

test.each([
  ['2026-01-31T10:00:00.500Z', 'P1M', '2026-02-28T10:00:00.500Z'],
  ['2028-01-31T10:00:00.000Z', 'P1M', '2028-02-29T10:00:00.000Z'],
  ['2028-02-29T00:00:00.000Z', 'P1Y', '2029-02-28T00:00:00.000Z'],
  ['2026-11-30T23:59:59.999Z', 'P3M', '2027-02-28T23:59:59.999Z'],
  ['2026-03-28T12:00:00.000Z', 'P1M1D', '2026-04-29T12:00:00.000Z'],
  ['2026-12-31T00:00:00.000Z', 'P13MT1S', '2028-01-31T00:00:01.000Z'],
])('%s and %s is %s', (from, by, to) => {
  expect(new Date(addDuration(Date.parse(from), parseDuration(by) ?? { months: 0, ms: 0 })).toISOString()).toBe(to);
});

test('any text is read or not, without an exception, and a duration never leads back', () => {
  fc.assert(fc.property(fc.string(), (text) => void parseDuration(text)));
  const part = fc.nat({ max: 400 });
  fc.assert(
    fc.property(part, part, part, fc.nat({ max: 2 ** 40 }), (months, days, seconds, from) => {
      const duration = parseDuration(`P${months}M${days}DT${seconds}S`);
      expect(duration && addDuration(from, duration)).toBeGreaterThanOrEqual(from);
    }),
  );
});
