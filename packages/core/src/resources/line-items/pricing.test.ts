import { describe, expect, it } from 'vitest';
import { bidStrategies, goals, objectives } from './entity.ts';
import {
  type Around,
  type Campaign,
  type CreateInput,
  change,
  errorsOfChange,
  errorsOfNew,
  expectedRules,
  newLineItems,
  PER_LINE_ITEM,
  resolve,
  stored,
} from './testing/line-items.ts';

describe('goal', () => {
  const pairs = objectives.flatMap((objective) => goals.map((goal) => [objective, goal] as const));

  it.each(pairs)('%s with %s', (objective, goal) => {
    const allowed = expectedRules[objective].goals.some(([name]) => name === goal);
    expect(errorsOfNew({ objective, goal, primary_web_event_tag: 'tag' })).toEqual(
      allowed ? [] : ['INVALID_PARAMETER goal'],
    );
  });

  it.each(objectives)('%s has a default', (objective) => {
    expect(resolve({ objective }).goal).toBe(expectedRules[objective].goals[0]?.[0]);
  });

  newLineItems([
    [
      'conversions without a web event',
      { objective: 'WEBSITE_CLICKS', goal: 'WEBSITE_CONVERSIONS' },
      ['MISSING_PARAMETER primary_web_event_tag'],
    ],
  ]);

  it('conversions cannot become the goal of a line item without a web event', () => {
    const changes = { goal: 'WEBSITE_CONVERSIONS' } as const;
    expect(errorsOfChange(stored({ objective: 'WEBSITE_CLICKS' }), changes)).toEqual(['INVALID_PARAMETER goal']);
    const tagged = stored({ objective: 'WEBSITE_CLICKS', primary_web_event_tag: 'tag' });
    expect(errorsOfChange(tagged, changes)).toEqual([]);
  });
});

describe('bid strategy', () => {
  const pairs = objectives.flatMap((objective) => bidStrategies.map((strategy) => [objective, strategy] as const));

  it.each(pairs)('%s with %s', (objective, bid_strategy) => {
    const expected = expectedRules[objective].strategies.includes(bid_strategy)
      ? []
      : ['INVALID_PARAMETER bid_strategy'];
    expect(errorsOfNew({ objective, bid_strategy, bid_amount_local_micro: 1_400_000 })).toEqual(expected);
  });

  it.each(objectives)(
    '%s is AUTO without a bid; with one TARGET for REACH and FOLLOWERS, MAX for others',
    (objective) => {
      expect(resolve({ objective }).bid_strategy).toBe('AUTO');
      const target = objective === 'REACH' || objective === 'FOLLOWERS';
      expect(resolve({ objective, bid_amount_local_micro: 1_400_000 }).bid_strategy).toBe(target ? 'TARGET' : 'MAX');
    },
  );
});

describe('bid', () => {
  const bid = (amount: number): CreateInput => ({ bid_strategy: 'MAX', bid_amount_local_micro: amount });
  const campaign = (budget: Partial<Campaign>): Around => ({ campaign: budget });
  newLineItems([
    ['a bid', bid(1_400_000), []],
    ['none with MAX', { bid_strategy: 'MAX' }, ['MISSING_PARAMETER bid_amount_local_micro']],
    ['none with TARGET', { objective: 'REACH', bid_strategy: 'TARGET' }, ['MISSING_PARAMETER bid_amount_local_micro']],
    ['none with AUTO', { bid_strategy: 'AUTO' }, []],
    ['any with AUTO, which ignores it', { bid_strategy: 'AUTO', bid_amount_local_micro: 1 }, []],
    ['the smallest', bid(10_000), []],
    ['the largest', bid(1_000_000_000), []],
    ['above the largest', bid(1_000_010_000), ['INVALID_PARAMETER bid_amount_local_micro']],
    ['between two units', bid(1_400_001), ['INVALID_DENOMINATION bid_amount_local_micro']],
    [
      'below the smallest',
      bid(1),
      ['INVALID_PARAMETER bid_amount_local_micro', 'INVALID_DENOMINATION bid_amount_local_micro'],
    ],
    ['a whole yen', bid(2_000_000), [], campaign({ currency: 'JPY' })],
    ['half a yen', bid(1_500_000), ['INVALID_DENOMINATION bid_amount_local_micro'], campaign({ currency: 'JPY' })],
    [
      'as high as the budgets',
      bid(20_000),
      [],
      campaign({ daily_budget_amount_local_micro: 20_000n, total_budget_amount_local_micro: 20_000n }),
    ],
    [
      'above the daily budget',
      bid(20_000),
      ['SPEND_EXCEEDS_BUDGET bid_amount_local_micro'],
      campaign({ daily_budget_amount_local_micro: 19_999n }),
    ],
    [
      'above the total budget',
      bid(20_000),
      ['SPEND_EXCEEDS_BUDGET bid_amount_local_micro'],
      campaign({ total_budget_amount_local_micro: 19_999n }),
    ],
  ]);

  it('is not stored with AUTO', () => {
    expect(resolve({ bid_strategy: 'AUTO', bid_amount_local_micro: 20_000 }).bid_amount_local_micro).toBeNull();
  });

  it('budgets, unlike bids, are exact to the micro', () => {
    expect(
      errorsOfNew({ daily_budget_amount_local_micro: 1, total_budget_amount_local_micro: 1 }, PER_LINE_ITEM),
    ).toEqual([]);
  });
});

describe('pay_by', () => {
  const rows = objectives.flatMap((objective) =>
    expectedRules[objective].goals.map(([goal, payBy, withTarget]) => [objective, goal, payBy, withTarget] as const),
  );

  it.each(rows)('%s with goal %s is paid by %s', (objective, goal, payBy, withTarget) => {
    expect(resolve({ objective, goal }).pay_by).toBe(payBy);
    const bid_strategy = expectedRules[objective].strategies.find((strategy) => strategy === 'TARGET');
    if (bid_strategy) expect(resolve({ objective, goal, bid_strategy }).pay_by).toBe(withTarget ?? payBy);
  });

  const clicks = { objective: 'WEBSITE_CLICKS', goal: 'LINK_CLICKS', bid_amount_local_micro: 1_400_000 } as const;
  const installs = { objective: 'APP_INSTALLS', goal: 'APP_INSTALLS' } as const;
  newLineItems([
    ['LINK_CLICK for link clicks', { ...clicks, pay_by: 'LINK_CLICK' }, []],
    ['IMPRESSION for link clicks', { ...clicks, pay_by: 'IMPRESSION' }, []],
    ['LINK_CLICK with TARGET', { ...clicks, bid_strategy: 'TARGET', pay_by: 'LINK_CLICK' }, []],
    [
      'IMPRESSION with TARGET',
      { ...clicks, bid_strategy: 'TARGET', pay_by: 'IMPRESSION' },
      ['INVALID_PARAMETER pay_by'],
    ],
    [
      'LINK_CLICK for site visits',
      { ...clicks, goal: 'SITE_VISITS', pay_by: 'LINK_CLICK' },
      ['INVALID_PARAMETER pay_by'],
    ],
    ['APP_CLICK for installs', { ...installs, pay_by: 'APP_CLICK' }, []],
    ['LINK_CLICK for installs', { ...installs, pay_by: 'LINK_CLICK' }, ['INVALID_PARAMETER pay_by']],
    [
      'IMPRESSION for app clicks',
      { ...installs, goal: 'APP_CLICKS', pay_by: 'IMPRESSION' },
      ['INVALID_PARAMETER pay_by'],
    ],
    ['a choice where there is none', { pay_by: 'IMPRESSION' }, ['INVALID_PARAMETER pay_by']],
    ['a wrong goal is one error, not two', { goal: 'PREROLL', pay_by: 'IMPRESSION' }, ['INVALID_PARAMETER goal']],
  ]);

  it('can be changed for APP_INSTALLS only', () => {
    const changes = { pay_by: 'APP_CLICK' } as const;
    expect(errorsOfChange(stored(installs), changes)).toEqual([]);
    expect(errorsOfChange(stored(clicks), { pay_by: 'LINK_CLICK' })).toEqual(['INVALID_PARAMETER pay_by']);
    expect(errorsOfChange(stored({ objective: 'APP_ENGAGEMENTS' }), changes)).toEqual(['INVALID_PARAMETER pay_by']);
  });

  it('follows a changed goal unless it is given', () => {
    const current = stored(installs);
    expect(change(current, { goal: 'APP_CLICKS' }).pay_by).toBe('APP_CLICK');
    expect(change({ ...current, pay_by: 'APP_CLICK' }, { goal: 'APP_PURCHASES' }).pay_by).toBe('IMPRESSION');
    expect(change(current, { goal: 'APP_PURCHASES', pay_by: 'APP_CLICK' }).pay_by).toBe('APP_CLICK');
    expect(change({ ...current, pay_by: 'APP_CLICK' }, { goal: 'APP_INSTALLS' }).pay_by).toBe('APP_CLICK');
  });

  it('is replaced when a bid strategy does not allow it, and kept otherwise', () => {
    const byImpression = stored({ ...clicks, bid_strategy: 'MAX' });
    expect(change(byImpression, { bid_strategy: 'TARGET' })).toMatchObject({ pay_by: 'LINK_CLICK' });
    expect(errorsOfChange(byImpression, { bid_strategy: 'TARGET' })).toEqual([]);
    const byClick = stored({ ...clicks, bid_strategy: 'TARGET' });
    expect(change(byClick, { bid_strategy: 'MAX' })).toMatchObject({ pay_by: 'LINK_CLICK' });
  });
});
