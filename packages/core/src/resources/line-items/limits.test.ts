import { describe, expect, it } from 'vitest';
import type { EntityStatus } from '../campaigns/entity.ts';
import { checkLineItemLimits, countsAsActiveLineItem } from './limits.ts';

describe('limits', () => {
  const NOW = '2026-02-15T12:00:00Z';
  type State = {
    deleted?: boolean;
    entity_status?: EntityStatus;
    end_time?: string | null;
    campaign_deleted?: boolean;
  };

  it.each<[string, State, boolean]>([
    ['active', {}, true],
    ['paused', { entity_status: 'PAUSED' }, true],
    ['draft', { entity_status: 'DRAFT' }, false],
    ['deleted', { deleted: true }, false],
    ['in a deleted campaign', { campaign_deleted: true }, false],
    ['without end', { end_time: null }, true],
    ['ended now', { end_time: NOW }, false],
    ['ending in a second', { end_time: '2026-02-15T12:00:01Z' }, true],
  ])('a line item counts as active, %s', (_title, { campaign_deleted = false, ...state }, expected) => {
    const lineItem = { deleted: false, entity_status: 'ACTIVE' as const, end_time: '2026-03-01T00:00:00Z', ...state };
    expect(countsAsActiveLineItem(lineItem, { deleted: campaign_deleted }, NOW)).toBe(expected);
  });

  it('100 in a campaign and 256 active ones may be reached but not passed', () => {
    expect(checkLineItemLimits({ in_campaign: 100, active: 256 })).toEqual([]);
    const rejected = checkLineItemLimits({ in_campaign: 101, active: 257 });
    expect(rejected).toMatchObject([
      {
        error: 'TOO_MANY_LINE_ITEMS',
        parameter: 'campaign_id',
        message: expect.stringContaining('up to 100 line items'),
      },
      { error: 'TOO_MANY_LINE_ITEMS', message: expect.stringContaining('up to 256 active line items') },
    ]);
  });
});
