import { expect, it } from 'vitest';
import { isLineItemServable } from './servable.ts';

const now = '2026-02-01T00:00:00Z';
const running = {
  entity_status: 'ACTIVE',
  start_time: '2026-01-01T00:00:00Z',
  end_time: '2026-03-01T00:00:00Z',
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
  ['of a campaign that is not served', {}, false, false],
  ['of a deleted campaign', {}, null, false],
] as const)('a line item %s', (_, changes, servable, expected) => {
  expect(isLineItemServable({ ...running, ...changes }, { servable }, now)).toBe(expected);
});
