import { describe, expect, it } from 'vitest';
import { LineItemChanges } from './params.ts';
import { changeLineItem } from './resolve.ts';
import { ADVERTISER, change, PER_CAMPAIGN, PER_LINE_ITEM, resolve, stored } from './testing/line-items.ts';

describe('a new line item', () => {
  it('has the defaults of the specification', () => {
    expect(resolve({})).toEqual({
      name: null,
      campaign_id: '8wku2',
      funding_instrument_id: 'lygyi',
      advertiser_user_id: ADVERTISER,
      objective: 'ENGAGEMENTS',
      product_type: 'PROMOTED_POSTS',
      placements: ['ALL_ON_PLATFORM'],
      start_time: '2026-02-01T00:00:00Z',
      end_time: '2026-03-01T00:00:00Z',
      goal: 'ENGAGEMENT',
      pay_by: 'ENGAGEMENT',
      bid_strategy: 'AUTO',
      bid_amount_local_micro: null,
      target_cpa_local_micro: null,
      primary_web_event_tag: null,
      daily_budget_amount_local_micro: null,
      total_budget_amount_local_micro: null,
      standard_delivery: null,
      duration_in_days: null,
      frequency_cap: null,
      entity_status: 'ACTIVE',
      automatic_post_promotion: null,
      advertiser_domain: null,
      categories: [],
      android_app_store_identifier: null,
      ios_app_store_identifier: null,
      audience_expansion: null,
      currency: 'USD',
      creative_source: 'MANUAL',
      deleted: false,
    });
  });

  it('keeps what is given', () => {
    const given = {
      name: 'Readers in the north',
      bid_strategy: 'MAX',
      bid_amount_local_micro: 1_400_000n,
      audience_expansion: 'BROAD',
      entity_status: 'DRAFT',
      frequency_cap: 3,
      duration_in_days: 7,
      total_budget_amount_local_micro: 9_007_199_254_740_993n,
    } as const;
    expect(resolve(given)).toMatchObject(given);
  });
});

describe('a changed line item', () => {
  it('takes what is given and keeps the rest', () => {
    const current = stored({ name: 'North', bid_amount_local_micro: 1_400_000 });
    expect(change(current, { bid_amount_local_micro: 1_600_000, name: '', entity_status: 'PAUSED' })).toEqual({
      ...current,
      bid_amount_local_micro: 1_600_000n,
      name: null,
      entity_status: 'PAUSED',
    });
  });

  it('takes nothing but the parameters of a change', () => {
    const request = {
      ...LineItemChanges.parse({}),
      account_id: '18ce54d4x5t',
      line_item_id: 'other',
      campaign_id: 'other',
    };
    expect(changeLineItem(stored({}), request, PER_CAMPAIGN)).toEqual(stored({}));
  });

  it('sets its own delivery exactly while the campaign does not set the budget', () => {
    const own = stored({ standard_delivery: false }, PER_LINE_ITEM);
    expect(change(own, {}, PER_LINE_ITEM).standard_delivery).toBe(false);
    expect(change(own, {}).standard_delivery).toBeNull();
    expect(change(stored({}), {}, PER_LINE_ITEM).standard_delivery).toBe(true);
  });

  it('loses its bid with AUTO', () => {
    const current = stored({ bid_amount_local_micro: 1_400_000 });
    expect(change(current, { bid_strategy: 'AUTO' }).bid_amount_local_micro).toBeNull();
    expect(change(stored({}), { bid_amount_local_micro: 20_000 }).bid_amount_local_micro).toBeNull();
  });
});

describe('an advertiser', () => {
  it('is the given one, or the FULL promotable user by default', () => {
    expect(resolve({ objective: 'PREROLL_VIEWS', advertiser_user_id: '12' }).advertiser_user_id).toBe('12');
    expect(resolve({ objective: 'PREROLL_VIEWS' }).advertiser_user_id).toBe(ADVERTISER);
  });
});

describe('delivery', () => {
  it('delivery is even by default, and set where the budget is', () => {
    expect(resolve({}, PER_LINE_ITEM).standard_delivery).toBe(true);
    expect(resolve({ standard_delivery: false }, PER_LINE_ITEM).standard_delivery).toBe(false);
    expect(resolve({}).standard_delivery).toBeNull();
  });
});
