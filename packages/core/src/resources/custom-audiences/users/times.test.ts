import { describe, expect, it } from 'vitest';
import { formatTimestamp } from '../../../wire/timestamp.ts';
import type { PackedOperation } from './packed-users.ts';
import { addMonths, type ResolvedTimes, resolveAudienceTimes, resolveListTimes } from './times.ts';

const now = Date.parse('2026-01-15T10:00:00.750Z');

function operation(effective_at?: string, expires_at?: string): PackedOperation {
  const ms = (time?: string) => (time === undefined ? undefined : Date.parse(time));
  return { operation_type: 'Update', effective_at: ms(effective_at), expires_at: ms(expires_at), user_count: 1 };
}

/** From and to, or the error with its parameter. */
function shown({ times, issues }: ResolvedTimes): string {
  if (issues.length === 0)
    return `${formatTimestamp(times.effective_s * 1000)} ${formatTimestamp(times.expires_s * 1000)}`;
  return issues.map(({ error, parameter, message }) => `${error} ${parameter} ${message}`).join();
}

it.each([
  ['2026-01-15T10:00:00Z', 13, '2027-02-15T10:00:00Z'],
  ['2026-01-31T23:59:59Z', 13, '2027-02-28T23:59:59Z'],
  ['2027-01-31T00:00:00Z', 13, '2028-02-29T00:00:00Z'],
  ['2026-12-31T00:00:00Z', 13, '2028-01-31T00:00:00Z'],
  ['2026-03-30T00:00:00Z', 13, '2027-04-30T00:00:00Z'],
])('%s and %i months are %s', (from, months, to) => {
  expect(formatTimestamp(addMonths(Date.parse(from), months))).toBe(to);
});

describe('an association with an audience', () => {
  it.each<[string | undefined, string | undefined, string]>([
    [undefined, undefined, '2026-01-15T10:00:00Z 2027-02-15T10:00:00Z'],
    ['2020-01-01T00:00:00Z', undefined, '2020-01-01T00:00:00Z 2027-02-15T10:00:00Z'],
    ['2020-01-01T00:00:00Z', '2021-01-01T00:00:00Z', '2020-01-01T00:00:00Z 2021-01-01T00:00:00Z'],
    [undefined, '2040-01-01T00:00:00Z', '2026-01-15T10:00:00Z 2040-01-01T00:00:00Z'],
    [undefined, '2026-01-15T10:00:01Z', '2026-01-15T10:00:00Z 2026-01-15T10:00:01Z'],
    [
      undefined,
      '2026-01-15T10:00:00Z',
      'INVALID_TIME_WINDOW expires_at "expires_at" must be later than "effective_at", which is now',
    ],
    [
      '2026-06-01T00:00:00Z',
      '2026-06-01T00:00:00Z',
      'INVALID_TIME_WINDOW expires_at "expires_at" must be later than "effective_at"',
    ],
    [
      '2027-02-15T10:00:00Z',
      undefined,
      'INVALID_TIME_WINDOW expires_at "effective_at" is later than 13 months from now, when the association would end; give "expires_at" too',
    ],
    [
      '1969-12-31T23:59:59Z',
      undefined,
      'INVALID_PARAMETER effective_at Expected a time from 1970 to 2105 for effective_at',
    ],
    [
      undefined,
      '2200-01-01T00:00:00Z',
      'INVALID_PARAMETER expires_at Expected a time from 1970 to 2105 for expires_at',
    ],
  ])('from %s to %s is %s', (effective_at, expires_at, expected) => {
    expect(shown(resolveAudienceTimes(operation(effective_at, expires_at), now))).toBe(expected);
  });
});

describe('an association with a do-not-reach list', () => {
  it.each<[string | undefined, string]>([
    [undefined, '2026-01-15T10:00:00Z 2027-02-15T10:00:00Z'],
    ['2026-01-15T10:00:01Z', '2026-01-15T10:00:00Z 2026-01-15T10:00:01Z'],
    ['2027-02-15T10:00:00Z', '2026-01-15T10:00:00Z 2027-02-15T10:00:00Z'],
    ['2026-01-15T10:00:00Z', 'INVALID_TIME_WINDOW expires_at "expires_at" must be later than now'],
    [
      '2027-02-15T10:00:01Z',
      'INVALID_TIME_WINDOW expires_at "expires_at" must be less than 13 months ahead, before 2027-02-15T10:00:00Z',
    ],
    [
      '9999-01-01T00:00:00Z',
      'INVALID_TIME_WINDOW expires_at "expires_at" must be less than 13 months ahead, before 2027-02-15T10:00:00Z',
    ],
  ])('until %s is %s', (expires_at, expected) => {
    expect(shown(resolveListTimes(operation(undefined, expires_at), now))).toBe(expected);
  });
});
