import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import type { FundingInstrumentType } from '../funding-instruments/entity.ts';
import type { Means } from '../funding-instruments/rules.ts';
import { type Campaign, campaignReasons, type EntityStatus, type StoredCampaign } from './entity.ts';
import { CampaignChanges, CampaignCreate } from './params.ts';
import {
  type CampaignSurroundings,
  changeCampaign,
  checkActiveCampaigns,
  checkChangedCampaign,
  checkNewCampaign,
  countsAsActive,
  decideCampaignStatus,
  resolveCampaign,
} from './rules.ts';
import { NOTHING_SPENT, type Spent } from './spend.ts';

const NOW = '2026-02-15T12:00:00Z';
const BEFORE = '2026-02-01T00:00:00Z';
const AFTER = '2026-03-01T00:00:00Z';

type CreateInput = Partial<z.input<typeof CampaignCreate>>;
type ChangesInput = z.input<typeof CampaignChanges>;

const DAILY = { daily_budget_amount_local_micro: 55_000_000 };

/** Fields of an instrument that set no limits. */
const NO_BOUND = {
  credit_limit_local_micro: null,
  credit_remaining_local_micro: null,
  funded_amount_local_micro: null,
} as const;

function create(input: CreateInput): CampaignCreate {
  return CampaignCreate.parse({ funding_instrument_id: 'lygyi', name: 'Summer reading', ...input });
}

function stored(input: CreateInput): StoredCampaign {
  return { id: '8wku2', created_at: BEFORE, updated_at: BEFORE, ...resolveCampaign(create(input), 'USD') };
}

function errorsOfNew(input: CreateInput, type: FundingInstrumentType = 'CREDIT_CARD', deleted = false): string[] {
  return checkNewCampaign(create(input), { ...NO_BOUND, type, deleted }).map(
    ({ error, parameter }) => `${error} ${parameter}`,
  );
}

function errorsOfChange(input: CreateInput, changes: ChangesInput, means: Partial<Means> = {}): string[] {
  const instrument = { type: 'CREDIT_CARD', ...NO_BOUND, ...means } as const;
  const issues = checkChangedCampaign(stored(input), CampaignChanges.parse(changes), instrument);
  return issues.map(({ error, parameter }) => `${error} ${parameter}`);
}

describe('a new campaign', () => {
  it('has the defaults of the specification', () => {
    expect(resolveCampaign(create(DAILY), 'EUR')).toEqual({
      name: 'Summer reading',
      budget_optimization: 'CAMPAIGN',
      entity_status: 'ACTIVE',
      purchase_order_number: null,
      daily_budget_amount_local_micro: 55_000_000n,
      total_budget_amount_local_micro: null,
      funding_instrument_id: 'lygyi',
      duration_in_days: null,
      standard_delivery: true,
      frequency_cap: null,
      currency: 'EUR',
      deleted: false,
    });
  });

  it.each<[string, CreateInput, boolean | null]>([
    ['CAMPAIGN, not given', {}, true],
    ['CAMPAIGN, accelerated', { standard_delivery: false }, false],
    ['LINE_ITEM', { budget_optimization: 'LINE_ITEM' }, null],
  ])('standard_delivery with budget optimization %s', (_title, input, expected) => {
    expect(stored(input).standard_delivery).toBe(expected);
  });

  it.each<[string, CreateInput, string[]]>([
    ['a daily budget', DAILY, []],
    ['no daily budget', {}, ['MISSING_PARAMETER daily_budget_amount_local_micro']],
    [
      'no daily budget, but a total one',
      { total_budget_amount_local_micro: 1 },
      ['MISSING_PARAMETER daily_budget_amount_local_micro'],
    ],
    ['no daily budget, as line items have their own', { budget_optimization: 'LINE_ITEM' }, []],
    ['a daily budget equal to the total', { ...DAILY, total_budget_amount_local_micro: 55_000_000 }, []],
    [
      'a daily budget above the total',
      { ...DAILY, total_budget_amount_local_micro: 54_999_999 },
      ['INVALID_PARAMETER daily_budget_amount_local_micro'],
    ],
    [
      'amounts that a double cannot hold',
      { daily_budget_amount_local_micro: '9007199254740993', total_budget_amount_local_micro: '9007199254740992' },
      ['INVALID_PARAMETER daily_budget_amount_local_micro'],
    ],
    ['accelerated delivery', { ...DAILY, standard_delivery: false }, []],
    [
      'delivery where line items have theirs',
      { budget_optimization: 'LINE_ITEM', standard_delivery: true },
      ['INVALID_PARAMETER standard_delivery'],
    ],
  ])('%s', (_title, input, expected) => {
    expect(errorsOfNew(input)).toEqual(expected);
  });

  it.each<[FundingInstrumentType, boolean]>([
    ['AGENCY_CREDIT_LINE', true],
    ['CREDIT_CARD', true],
    ['CREDIT_LINE', true],
    ['INSERTION_ORDER', false],
    ['PARTNER_MANAGED', false],
  ])('with a funding instrument of type %s needs a daily budget: %s', (type, needed) => {
    expect(errorsOfNew({}, type)).toEqual(needed ? ['MISSING_PARAMETER daily_budget_amount_local_micro'] : []);
  });

  it('needs a funding instrument that is not deleted', () => {
    expect(errorsOfNew(DAILY, 'CREDIT_CARD', true)).toEqual(['INVALID_FUNDING_INSTRUMENT funding_instrument_id']);
  });

  it('has all errors reported at once, with the valid values', () => {
    const params = create({
      daily_budget_amount_local_micro: 2,
      total_budget_amount_local_micro: 1,
      budget_optimization: 'LINE_ITEM',
      standard_delivery: false,
    });
    expect(
      checkNewCampaign(params, { ...NO_BOUND, type: 'CREDIT_CARD', deleted: true }).map(({ message }) => message),
    ).toEqual([
      'The funding instrument is deleted; name one that is not',
      'Expected at most total_budget_amount_local_micro (1), got 2 for daily_budget_amount_local_micro',
      '"standard_delivery" applies with budget_optimization CAMPAIGN only; leave it out with LINE_ITEM',
    ]);
  });
});

describe('the funding of a campaign', () => {
  const budgets = { daily_budget_amount_local_micro: 5, total_budget_amount_local_micro: 10 };

  it.each<[string, Partial<Means>, string[]]>([
    ['no limits', {}, []],
    ['just enough', { type: 'INSERTION_ORDER', funded_amount_local_micro: 10n }, []],
    [
      'an order for less',
      { type: 'INSERTION_ORDER', funded_amount_local_micro: 9n },
      ['SPEND_EXCEEDS_BUDGET total_budget_amount_local_micro'],
    ],
    [
      'a card for less than a day',
      { credit_limit_local_micro: 4n },
      [
        'FUNDING_INSTRUMENT_EXCEEDS_AVAILABLE_CREDIT_LIMIT daily_budget_amount_local_micro',
        'FUNDING_INSTRUMENT_EXCEEDS_AVAILABLE_CREDIT_LIMIT total_budget_amount_local_micro',
      ],
    ],
    [
      'a credit line with less left',
      { type: 'CREDIT_LINE', credit_limit_local_micro: 100n, credit_remaining_local_micro: 9n },
      ['FUNDING_INSTRUMENT_EXCEEDS_AVAILABLE_CREDIT_LIMIT total_budget_amount_local_micro'],
    ],
    // Amounts that belong to other types of instrument set no limit.
    ['an old card that was funded once', { funded_amount_local_micro: 1n }, []],
  ])('%s', (_title, means, errors) => {
    const instrument = { type: 'CREDIT_CARD', deleted: false, ...NO_BOUND, ...means } as const;
    const ofNew = checkNewCampaign(create(budgets), instrument);
    expect(ofNew.map(({ error, parameter }) => `${error} ${parameter}`)).toEqual(errors);
    expect(errorsOfChange(DAILY, budgets, means)).toEqual(errors);
  });

  it('is not a reason to reject a change of another field', () => {
    expect(errorsOfChange(budgets, { name: 'Renamed' }, { credit_limit_local_micro: 1n })).toEqual([]);
  });
});

describe('a changed campaign', () => {
  it('takes what is given and keeps the rest', () => {
    const current = stored({ ...DAILY, purchase_order_number: 'PO-1' });
    const changes = CampaignChanges.parse({
      name: 'Autumn reading',
      entity_status: 'PAUSED',
      purchase_order_number: '',
    });
    expect(changeCampaign(current, changes)).toEqual({
      ...current,
      name: 'Autumn reading',
      entity_status: 'PAUSED',
      purchase_order_number: null,
    });
  });

  it('takes nothing but the parameters of a change', () => {
    const request = { ...CampaignChanges.parse({}), account_id: '18ce54d4x5t', campaign_id: 'other', id: 'other' };
    expect(changeCampaign(stored(DAILY), request)).toEqual(stored(DAILY));
  });

  it('is the same after a change of nothing', () => {
    const amount = fc.option(fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }), { nil: undefined });
    const input = fc.record({
      budget_optimization: fc.constantFrom('CAMPAIGN' as const, 'LINE_ITEM' as const),
      entity_status: fc.constantFrom('ACTIVE' as const, 'DRAFT' as const, 'PAUSED' as const),
      purchase_order_number: fc.constantFrom(undefined, 'PO-1'),
      standard_delivery: fc.constantFrom(undefined, true, false),
      daily_budget_amount_local_micro: amount,
      total_budget_amount_local_micro: amount,
    });
    fc.assert(
      fc.property(input, (params) => {
        const current = stored(params);
        expect(changeCampaign(current, CampaignChanges.parse({}))).toEqual(current);
      }),
    );
  });

  it.each<[string, CreateInput, ChangesInput, boolean | null]>([
    ['to LINE_ITEM', { ...DAILY, standard_delivery: false }, { budget_optimization: 'LINE_ITEM' }, null],
    ['to CAMPAIGN', { budget_optimization: 'LINE_ITEM' }, { budget_optimization: 'CAMPAIGN' }, true],
    [
      'to CAMPAIGN with delivery',
      { budget_optimization: 'LINE_ITEM' },
      { budget_optimization: 'CAMPAIGN', standard_delivery: false },
      false,
    ],
    ['to the current value', { ...DAILY, standard_delivery: false }, { budget_optimization: 'CAMPAIGN' }, false],
  ])('standard_delivery follows budget_optimization %s', (_title, input, changes, expected) => {
    expect(changeCampaign(stored(input), CampaignChanges.parse(changes)).standard_delivery).toBe(expected);
  });

  it.each<[string, CreateInput, ChangesInput, string[]]>([
    ['a name', DAILY, { name: 'Autumn reading' }, []],
    ['the daily budget removed', DAILY, { daily_budget_amount_local_micro: '' }, []],
    [
      'a total budget below the daily one',
      DAILY,
      { total_budget_amount_local_micro: 1 },
      ['INVALID_PARAMETER daily_budget_amount_local_micro'],
    ],
    ['both budgets', DAILY, { daily_budget_amount_local_micro: 1, total_budget_amount_local_micro: 1 }, []],
    ['delivery', DAILY, { standard_delivery: false }, []],
    [
      'delivery with LINE_ITEM',
      { budget_optimization: 'LINE_ITEM' },
      { standard_delivery: true },
      ['INVALID_PARAMETER standard_delivery'],
    ],
    [
      'delivery with a change to LINE_ITEM',
      DAILY,
      { budget_optimization: 'LINE_ITEM', standard_delivery: true },
      ['INVALID_PARAMETER standard_delivery'],
    ],
    [
      'an accelerated one to LINE_ITEM',
      { ...DAILY, standard_delivery: false },
      { budget_optimization: 'LINE_ITEM' },
      [],
    ],
  ])('%s', (_title, input, changes, expected) => {
    expect(errorsOfChange(input, changes)).toEqual(expected);
  });
});

describe('the limit of active campaigns', () => {
  it.each<[string, { deleted?: boolean; entity_status?: EntityStatus; flight_end?: string | null }, boolean]>([
    ['active without line items', {}, true],
    ['paused', { entity_status: 'PAUSED' }, true],
    ['draft', { entity_status: 'DRAFT' }, false],
    ['deleted', { deleted: true }, false],
    ['still in flight', { flight_end: '2026-02-15T12:00:01Z' }, true],
    ['ended now', { flight_end: NOW }, false],
  ])('a campaign counts, %s', (_title, state, expected) => {
    const campaign = { deleted: false, entity_status: 'ACTIVE' as const, flight_end: null, ...state };
    expect(countsAsActive(campaign, NOW)).toBe(expected);
  });

  it('may be reached but not passed', () => {
    expect(checkActiveCampaigns(200, 200)).toEqual([]);
    expect(checkActiveCampaigns(201, 200)).toMatchObject([
      { error: 'TOO_MANY_CAMPAIGNS', message: expect.stringContaining('up to 200 active campaigns') },
    ]);
  });
});

describe('the status of a campaign', () => {
  const EMPTY = { line_item_count: 0, flight_start: null, flight_end: null };
  const IN_FLIGHT = { line_item_count: 2, flight_start: BEFORE, flight_end: AFTER };

  interface Around {
    approval?: 'ACCEPTED' | 'UNDER_REVIEW' | 'REJECTED';
    able_to_fund?: boolean;
    funding_start?: string;
    line_item_count?: number;
    flight_start?: string | null;
    flight_end?: string | null;
    content_review_problem?: boolean;
    spent?: Partial<Spent>;
    line_items_spent_until?: string | null;
    awaiting_approval?: boolean;
    suspended?: boolean;
    now?: string;
  }

  const DAY_END = '2026-02-16T08:00:00Z';
  const BUDGETS = { daily_budget_amount_local_micro: 5n, total_budget_amount_local_micro: 10n };

  function status(state: { entity_status: EntityStatus; deleted?: boolean; updated_at?: string }, around: Around) {
    const {
      approval = 'ACCEPTED',
      able_to_fund = true,
      funding_start = BEFORE,
      suspended = false,
      spent,
      ...rest
    } = around;
    const surroundings: CampaignSurroundings = {
      account: { approval_status: approval, suspended },
      funding: { able_to_fund, start_time: funding_start },
      ...IN_FLIGHT,
      content_review_problem: false,
      spent: { ...NOTHING_SPENT, ...spent },
      line_items_spent_until: null,
      awaiting_approval: false,
      now: NOW,
      ...rest,
    };
    const decided = decideCampaignStatus({ ...BUDGETS, deleted: false, updated_at: BEFORE, ...state }, surroundings);
    return [decided.servable, decided.reasons_not_servable, decided.effective_status];
  }

  type Expected = [servable: boolean | null, reasons: Campaign['reasons_not_servable'], effective: string];

  it.each<[string, EntityStatus, Around, Expected]>([
    ['paused, no line items', 'PAUSED', EMPTY, [false, ['PAUSED_BY_ADVERTISER', 'INCOMPLETE'], 'UNKNOWN']],
    ['active, no line items', 'ACTIVE', EMPTY, [false, ['INCOMPLETE'], 'UNKNOWN']],
    ['active, complete', 'ACTIVE', {}, [true, [], 'ACTIVE']],
    ['active, without end', 'ACTIVE', { flight_end: null }, [true, [], 'ACTIVE']],
    ['active, beginning now', 'ACTIVE', { flight_start: NOW }, [true, [], 'ACTIVE']],
    ['paused, complete', 'PAUSED', {}, [false, ['PAUSED_BY_ADVERTISER'], 'PAUSED']],
    ['draft, complete', 'DRAFT', {}, [false, ['INCOMPLETE'], 'UNKNOWN']],
    ['draft, no line items', 'DRAFT', EMPTY, [false, ['INCOMPLETE'], 'UNKNOWN']],
    ['draft, flight ended', 'DRAFT', { flight_end: NOW }, [false, ['INCOMPLETE'], 'UNKNOWN']],
    ['flight ended', 'ACTIVE', { flight_end: NOW }, [false, ['EXPIRED'], 'EXPIRED']],
    [
      'flight ended while paused',
      'PAUSED',
      { flight_end: NOW },
      [false, ['PAUSED_BY_ADVERTISER', 'EXPIRED'], 'PAUSED'],
    ],
    ['flight not begun', 'ACTIVE', { flight_start: AFTER }, [false, ['STARTS_IN_FUTURE'], 'ACTIVE']],
    ['funding not begun', 'ACTIVE', { funding_start: AFTER }, [false, ['STARTS_IN_FUTURE'], 'ACTIVE']],
    [
      'funding not begun, no line items',
      'ACTIVE',
      { ...EMPTY, funding_start: AFTER },
      [false, ['INCOMPLETE'], 'UNKNOWN'],
    ],
    ['funding problem', 'ACTIVE', { able_to_fund: false }, [false, ['FUNDING_PROBLEM'], 'ACTIVE']],
    ['total budget spent', 'ACTIVE', { spent: { spent_local_micro: 10n } }, [false, ['BUDGET_EXHAUSTED'], 'ACTIVE']],
    ['less than the total budget spent', 'ACTIVE', { spent: { spent_local_micro: 9n } }, [true, [], 'ACTIVE']],
    [
      'budget of the day spent',
      'ACTIVE',
      { spent: { spent_local_micro: 5n, spent_today_local_micro: 5n, spent_today_until: DAY_END } },
      [false, ['BUDGET_EXHAUSTED'], 'ACTIVE'],
    ],
    [
      'less than the budget of the day spent',
      'ACTIVE',
      { spent: { spent_local_micro: 8n, spent_today_local_micro: 4n, spent_today_until: DAY_END } },
      [true, [], 'ACTIVE'],
    ],
    [
      'budget of yesterday spent',
      'ACTIVE',
      { spent: { spent_local_micro: 5n, spent_today_local_micro: 5n, spent_today_until: DAY_END }, now: DAY_END },
      [true, [], 'ACTIVE'],
    ],
    ['all line items spent', 'ACTIVE', { line_items_spent_until: DAY_END }, [false, ['BUDGET_EXHAUSTED'], 'ACTIVE']],
    ['all line items spent yesterday', 'ACTIVE', { line_items_spent_until: NOW }, [true, [], 'ACTIVE']],
    [
      'waiting for the advertiser',
      'ACTIVE',
      { awaiting_approval: true },
      [false, ['AWAITING_APPROVAL_BY_ADVERTISER'], 'ACTIVE'],
    ],
    ['account suspended', 'ACTIVE', { suspended: true }, [false, ['ACCOUNT_REJECTED'], 'ACTIVE']],
    [
      'account rejected and suspended',
      'ACTIVE',
      { approval: 'REJECTED', suspended: true },
      [false, ['ACCOUNT_REJECTED'], 'ACTIVE'],
    ],
    ['nothing accepted', 'ACTIVE', { content_review_problem: true }, [false, ['CONTENT_REVIEW_PROBLEM'], 'ACTIVE']],
    [
      'nothing accepted, no line items',
      'ACTIVE',
      { ...EMPTY, content_review_problem: true },
      [false, ['INCOMPLETE'], 'UNKNOWN'],
    ],
    ['account rejected', 'ACTIVE', { approval: 'REJECTED' }, [false, ['ACCOUNT_REJECTED'], 'ACTIVE']],
    ['account under review', 'ACTIVE', { approval: 'UNDER_REVIEW' }, [false, ['ACCOUNT_UNDER_REVIEW'], 'ACTIVE']],
  ])('%s', (_title, entity_status, around, expected) => {
    expect(status({ entity_status }, around)).toEqual(expected);
  });

  it.each<[string, EntityStatus, Around, string]>([
    ['in flight', 'ACTIVE', {}, 'RUNNING'],
    ['in flight, read after the flight has ended', 'ACTIVE', { now: '2027-01-01T00:00:00Z' }, 'RUNNING'],
    ['before its flight, read during it', 'ACTIVE', { flight_start: '2026-02-10T00:00:00Z' }, 'UNKNOWN'],
    ['without line items', 'ACTIVE', EMPTY, 'UNKNOWN'],
    ['while paused', 'PAUSED', {}, 'UNKNOWN'],
    ['as a draft', 'DRAFT', {}, 'UNKNOWN'],
    ['without funding', 'ACTIVE', { able_to_fund: false }, 'UNKNOWN'],
  ])('deleted %s', (_title, entity_status, around, effective) => {
    const deleted = { entity_status, deleted: true, updated_at: '2026-02-05T00:00:00Z' };
    expect(status(deleted, around)).toEqual([null, [], effective]);
  });

  it('gives reasons in the order of the list, and is servable exactly without any', () => {
    const time = fc.constantFrom(null, BEFORE, NOW, AFTER);
    const around = fc.record({
      approval: fc.constantFrom('ACCEPTED' as const, 'UNDER_REVIEW' as const, 'REJECTED' as const),
      able_to_fund: fc.boolean(),
      funding_start: fc.constantFrom(BEFORE, AFTER),
      line_item_count: fc.nat(2),
      flight_start: time,
      flight_end: time,
      content_review_problem: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.constantFrom('ACTIVE' as const, 'DRAFT' as const, 'PAUSED' as const),
        around,
        (entity_status, given) => {
          const [servable, reasons] = status({ entity_status }, given);
          const inOrder = campaignReasons.filter((reason) => Array.isArray(reasons) && reasons.includes(reason));
          expect(reasons).toEqual(inOrder);
          expect(servable).toBe(inOrder.length === 0);
        },
      ),
    );
  });
});
