import { describe, expect, it } from 'vitest';
import { wireTypeOf } from '../../wire/types.ts';
import { scheduled_at } from './params.ts';
import {
  checkDeletable,
  checkDensity,
  checkEditable,
  checkScheduledTime,
  MAX_IN_WINDOW,
  type ScheduledState,
  windowAround,
} from './rules.ts';

const NOW = '2026-01-15T08:00:30Z';

describe('the time of a scheduled post', () => {
  it.each([
    ['2026-01-15T08:01:59Z', '2026-01-15T08:01:00Z'],
    ['2026-01-15T08:01:00.999+00:00', '2026-01-15T08:01:00Z'],
    ['2026-01-15T10:01:30+0200', '2026-01-15T08:01:00Z'],
    ['2026-02-01', '2026-02-01T00:00:00Z'],
  ])('%s is %s', (given, stored) => {
    expect(scheduled_at.parse(given)).toBe(stored);
    expect(wireTypeOf(scheduled_at)?.kind).toBe('time');
  });

  it.each(['', 'tomorrow', '2026-02-30', '08:00'])('%j is none', (given) => {
    expect(scheduled_at.safeParse(given).success).toBe(false);
  });

  it.each<[string, string, string | undefined]>([
    ['the next minute', '2026-01-15T08:01:00Z', undefined],
    ['the minute that has begun', '2026-01-15T08:00:00Z', 'in the past'],
    ['a minute that is over', '2026-01-15T07:59:00Z', 'in the past'],
    ['365 days ahead', '2027-01-15T08:00:00Z', undefined],
    ['a minute more', '2027-01-15T08:01:00Z', 'too far ahead'],
  ])('may be %s or not', (_title, time, details) => {
    const expected = details === undefined ? [] : [{ error: 'INVALID_PARAMETER', parameter: 'scheduled_at', details }];
    expect(checkScheduledTime(time, NOW)).toMatchObject(expected);
  });

  it('may be 365 days ahead to the second', () => {
    expect(checkScheduledTime('2027-01-15T08:00:00Z', '2026-01-15T08:00:00Z')).toEqual([]);
    expect(checkScheduledTime('2027-01-15T08:00:00Z', '2026-01-15T07:59:59Z')).toHaveLength(1);
    expect(checkScheduledTime('2026-01-15T08:00:00Z', '2026-01-15T08:00:00Z')).toHaveLength(1);
    expect(checkScheduledTime('2026-01-15T08:00:00Z', '2026-01-15T07:59:59Z')).toEqual([]);
  });
});

describe('the window around a time', () => {
  it('has 15 minutes', () => {
    expect(windowAround('2026-03-01T00:03:00Z')).toEqual({ from: '2026-02-28T23:56:00Z', to: '2026-03-01T00:10:00Z' });
  });

  it(`has room for ${MAX_IN_WINDOW} posts`, () => {
    expect(checkDensity('2026-03-01T00:00:00Z', MAX_IN_WINDOW - 1)).toEqual([]);
    expect(checkDensity('2026-03-01T00:00:00Z', MAX_IN_WINDOW)).toMatchObject([
      { error: 'SCHEDULED_POST_LIMIT_EXCEEDED', parameter: 'scheduled_at', value: '2026-03-01T00:00:00Z' },
    ]);
  });
});

describe('a scheduled post', () => {
  const state = (more: Partial<ScheduledState> = {}): ScheduledState => ({
    id: '7',
    scheduled_at: '2026-01-15T08:01:00Z',
    scheduled_status: 'SCHEDULED',
    publishing: false,
    ...more,
  });

  it.each<[string, ScheduledState, boolean, boolean]>([
    ['before its time', state(), true, true],
    ['at its time', state({ scheduled_at: NOW }), false, true],
    ['while it is published', state({ publishing: true }), false, false],
    ['once it was published', state({ scheduled_status: 'SUCCESS' }), false, true],
    ['once it has failed', state({ scheduled_status: 'FAILED' }), false, true],
  ])('%s can be changed or not, and deleted or not', (_title, post, editable, deletable) => {
    const issue = [{ error: 'INVALID_PARAMETER', parameter: 'scheduled_post_id', value: '7' }];
    expect(checkEditable(post, NOW)).toMatchObject(editable ? [] : issue);
    expect(checkDeletable(post)).toMatchObject(deletable ? [] : issue);
  });
});
