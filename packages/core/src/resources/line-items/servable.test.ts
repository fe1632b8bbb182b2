import { expect, it } from 'vitest';
import { NOTHING_SPENT } from '../campaigns/spend.ts';
import { isLineItemServable } from './servable.ts';

const now = '2026-02-01T00:00:00Z';
const running = {
  entity_status: 'ACTIVE',
  start_time: '2026-01-01T00:00:00Z',
  end_time: '2026-03-01T00:00:00Z',
  daily_budget_amount_local_micro: 5n,
  total_budget_amount_local_micro: 10n,
  ...NOTHING_SPENT,
} as const;

it.each([
  ['that runs', {}, true, true],
  ['without an end', { end_time: null }, true, true],
  ['without times', { start_time: null, end_time: null }, true, true],
  ['that begins now', { start_time: now }, true, true],
  ['that begins later', { start_time: '2026-02-01T00:00:01Z' }, true, false],
  ['that ends now', { end_time: now }, true, false],
  ['that is paused', { entity_status: 'PAUSED' }, true, false],
  ['that is a draft', { entity_status: 'DRAFT' }, true, false],
  ['that spent its budget', { spent_local_micro: 10n }, true, false],
  [
    'that spent its budget of the day',
    { spent_local_micro: 5n, spent_today_local_micro: 5n, spent_today_until: '2026-02-01T00:00:01Z' },
    true,
    false,
  ],
  [
    'that spent its budget of yesterday',
    { spent_local_micro: 5n, spent_today_local_micro: 5n, spent_today_until: now },
    true,
    true,
  ],
  ['of a campaign that is not served', {}, false, false],
  ['of a deleted campaign', {}, null, false],
] as const)('a line item %s', (_, changes, servable, expected) => {
  expect(isLineItemServable({ ...running, ...changes }, { servable }, now)).toBe(expected);
});
