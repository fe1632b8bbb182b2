import { expect, test } from 'vitest';
import type { StoredAudience } from './entity.ts';
import { audienceState, displayAudience } from './state.ts';

const states = [
  ['just created', true, null, false, false, ['PROCESSING', 'TOO_SMALL'], null],
  ['processed without a match', false, 0, false, false, ['TOO_SMALL'], null],
  ['processed with one too few', false, 99, false, false, ['TOO_SMALL'], null],
  ['processed with just enough', false, 100, false, true, [], 100],
  ['large', false, 12_999, false, true, [], 12_000],
  ['larger', false, 1_094_567, false, true, [], 1_000_000],
  ['processed again, small', true, 99, false, false, ['PROCESSING', 'TOO_SMALL'], null],
  ['processed again, large', true, 190, false, true, ['PROCESSING'], 190],
  ['deleted', false, 5_000, true, false, ['TOO_SMALL'], null],
  ['deleted while processed', true, null, true, false, ['TOO_SMALL'], null],
] as const;

test.for(states)('%s', ([, processing, matched_count, deleted, targetable, reasons_not_targetable, audience_size]) => {
  expect(audienceState({ processing, matched_count, deleted })).toEqual({
    targetable,
    reasons_not_targetable,
    audience_size,
  });
});

const stored: StoredAudience = {
  account_id: 'abc1',
  id: '1nmth',
  name: 'Readers',
  description: null,
  audience_type: 'CRM',
  partner_source: 'OTHER',
  segments: null,
  processing: false,
  matched_count: 450,
  size_offset: 0,
  created_at: '2026-01-15T08:00:00Z',
  updated_at: '2026-01-16T08:00:00Z',
  deleted: false,
};

test('an account sees whose an audience is, and what it may do with it', () => {
  expect(displayAudience(stored, { account_id: 'abc1', permission_level: 'READ_WRITE' })).toEqual({
    id: '1nmth',
    name: 'Readers',
    description: null,
    audience_type: 'CRM',
    audience_size: 450,
    targetable: true,
    targetable_types: ['CRM', 'EXCLUDED_CRM'],
    reasons_not_targetable: [],
    permission_level: 'READ_WRITE',
    owner_account_id: 'abc1',
    is_owner: true,
    partner_source: 'OTHER',
    created_at: '2026-01-15T08:00:00Z',
    updated_at: '2026-01-16T08:00:00Z',
    deleted: false,
  });
  expect(displayAudience(stored, { account_id: 'gq1844', permission_level: 'READ_ONLY' })).toMatchObject({
    permission_level: 'READ_ONLY',
    owner_account_id: 'abc1',
    is_owner: false,
  });
});

test('other accounts see a size that is off by a stored number, and whether that is large enough', () => {
  const seen = (account_id: string, matched_count: number | null, size_offset: number) => {
    const audience = { ...stored, matched_count, size_offset };
    const { audience_size, targetable } = displayAudience(audience, { account_id, permission_level: 'READ_ONLY' });
    return [audience_size, targetable];
  };
  expect(seen('abc1', 450, -10)).toEqual([450, true]);
  expect(seen('gq1844', 450, -10)).toEqual([440, true]);
  expect(seen('gq1844', 95, 5)).toEqual([100, true]);
  expect(seen('gq1844', 100, -1)).toEqual([null, false]);
  expect(seen('gq1844', null, 10)).toEqual([null, false]);
});

test('a flexible audience shows its tree', () => {
  const terms = { frequency: 1, frequency_comparator: 'NUM_GTE', negate: false } as const;
  const leaf = { custom_audience_id: '1nmtg', ...terms, child_segments: [] } as const;
  const segments = { boolean_operator: 'AND', ...terms, child_segments: [leaf] } as const;
  const flexible: StoredAudience = { ...stored, audience_type: 'FLEXIBLE', segments };
  expect(displayAudience(flexible, { account_id: 'gq1844', permission_level: 'READ_ONLY' })).toMatchObject({
    targetable_types: ['FLEXIBLE', 'EXCLUDED_FLEXIBLE'],
    metadata: [
      {
        custom_audience_id: '1nmth',
        account_id: 'abc1',
        name: 'Readers',
        audience_source: 'FLEXIBLE_AUDIENCE',
        upload_status: 'UPLOADED',
        segments,
      },
    ],
  });
});
