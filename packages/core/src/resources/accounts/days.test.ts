import fc from 'fast-check';
import { expect, it } from 'vitest';
import { endOfDay } from './days.ts';

it.each([
  ['in the middle of a day', '2026-01-15T12:00:00Z', 'America/Los_Angeles', '2026-01-16T08:00:00Z'],
  ['at midnight', '2026-01-15T08:00:00Z', 'America/Los_Angeles', '2026-01-16T08:00:00Z'],
  ['a second before midnight', '2026-01-15T07:59:59Z', 'America/Los_Angeles', '2026-01-15T08:00:00Z'],
  ['on the day with 23 hours', '2026-03-08T08:00:00Z', 'America/Los_Angeles', '2026-03-09T07:00:00Z'],
  ['on the day with 25 hours', '2026-11-01T07:00:00Z', 'America/Los_Angeles', '2026-11-02T08:00:00Z'],
  ['before a day that begins at one', '2026-03-28T12:00:00Z', 'Asia/Beirut', '2026-03-28T22:00:00Z'],
  ['in a zone with half hours', '2026-01-15T18:00:00Z', 'Asia/Kolkata', '2026-01-15T18:30:00Z'],
  ['before a date that a zone left out', '2011-12-30T09:00:00Z', 'Pacific/Apia', '2011-12-30T10:00:00Z'],
])('the end of the day %s', (_title, at, timezone, expected) => {
  expect(endOfDay(at, timezone)).toBe(expected);
});

it('is after the time and the first second of another date, whatever the time', () => {
  const zones = fc.constantFrom('America/Los_Angeles', 'Asia/Beirut', 'Europe/Berlin', 'UTC', 'Pacific/Chatham');
  const times = fc.integer({ min: Date.UTC(2020, 0) / 1000, max: Date.UTC(2035, 0) / 1000 });
  fc.assert(
    fc.property(zones, times, (timeZone, time_s) => {
      const dateOf = (ms: number) => new Date(ms).toLocaleDateString('sv-SE', { timeZone });
      const end_ms = Date.parse(endOfDay(`${new Date(time_s * 1000).toISOString().slice(0, 19)}Z`, timeZone));
      expect(end_ms).toBeGreaterThan(time_s * 1000);
      expect(dateOf(end_ms - 1000)).toBe(dateOf(time_s * 1000));
      expect(dateOf(end_ms) > dateOf(time_s * 1000)).toBe(true);
    }),
    { numRuns: 60 },
  );
});
