import { expect, it } from 'vitest';
import { addSpend, NOTHING_SPENT, spentToday } from './spend.ts';

const ZONE = 'America/Los_Angeles';

it('adds to what was spent in all and today', () => {
  const once = addSpend(NOTHING_SPENT, 3n, '2026-01-15T12:00:00Z', ZONE);
  expect(once).toEqual({
    spent_local_micro: 3n,
    spent_today_local_micro: 3n,
    spent_today_until: '2026-01-16T08:00:00Z',
  });
  expect(addSpend(once, 4n, '2026-01-16T07:59:59Z', ZONE)).toEqual({
    spent_local_micro: 7n,
    spent_today_local_micro: 7n,
    spent_today_until: '2026-01-16T08:00:00Z',
  });
});

it('begins a new day at midnight in the time zone of the account', () => {
  const yesterday = addSpend(NOTHING_SPENT, 3n, '2026-01-15T12:00:00Z', ZONE);
  expect(spentToday(yesterday, '2026-01-16T07:59:59Z')).toBe(3n);
  expect(spentToday(yesterday, '2026-01-16T08:00:00Z')).toBe(0n);
  expect(addSpend(yesterday, 4n, '2026-01-16T08:00:00Z', ZONE)).toEqual({
    spent_local_micro: 7n,
    spent_today_local_micro: 4n,
    spent_today_until: '2026-01-17T08:00:00Z',
  });
});
