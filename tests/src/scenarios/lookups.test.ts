/** Lookups that belong to no account: specification C, Lookups without parameters and Bidding rules. */
import { encodeCursor, rejectWithAny } from '@broadside/core';
import { placements } from '@broadside/core/resources/line-items';
import { families } from '@broadside/server';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { member } from '../support/body.ts';
import { about, lineItemOf, type Stage, scenarios } from '../support/scenario.ts';
import { openWorld } from '../support/world.ts';

const scenario = scenarios();

const OPERATOR = { user_id: null, platform: 'OPERATOR' } as const;

const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

scenario('C-LOOKUP-BUSINESS', async (stage) => {
  const rows = await stage.many('advertiser_business_categories.list');
  expect(ids(rows).join()).toBe('1jl,1jm,1jn,1jo,1jp,1jq,1jr,1js,1jt,1ju,1jv,1jw,1jx,1jy,1jz,1k0');
  expect(rows[2]).toEqual({ id: '1jn', name: 'Alcohol', iab_categories: ['IAB8-5', 'IAB8-18'] });
  expect(rows[11]).toMatchObject({ name: 'Media & Entertainment', iab_categories: { length: 17 } });
  expect(await stage.rejected('advertiser_business_categories.list', { count: 1 })).toMatchObject([
    { code: 'INVALID_PARAMETER', parameter: 'count' },
  ]);
});

scenario('C-LOOKUP-CONTENT', async (stage) => {
  const rows = await stage.many('content_categories.list');
  expect(ids(rows).join()).toBe('ru,sk,sl,sm,sn,so,sp,sq,sr,s4,ss,se,sg,sh,s0');
  expect(rows[4]).toEqual({
    id: 'sn',
    name: 'Financial & Business News',
    iab_categories: ['IAB3', 'IAB13', 'IAB21'],
    publishers_in_last_thirty_days: 29,
    videos_monetized_in_last_thirty_days: 1461,
  });
});

/** All rows of a list, page by page, and how long the pages were. */
async function walk(stage: Stage, id: 'iab_categories.list' | 'publishers.list', count: number) {
  const rows: unknown[] = [];
  const lengths: number[] = [];
  let cursor: string | undefined;
  do {
    const { data, next_cursor } = await stage.call(id, { count, cursor });
    const page = z.array(z.unknown()).parse(data);
    rows.push(...page);
    lengths.push(page.length);
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
  return { rows, lengths };
}

scenario('C-LOOKUP-IAB', async (stage) => {
  const { rows, lengths } = await walk(stage, 'iab_categories.list', 150);
  expect(lengths).toEqual([150, 150, 92]);
  expect(rows.slice(0, 2)).toEqual([
    { id: 'IAB1', parent_id: null, name: 'Arts & Entertainment' },
    { id: 'IAB1-1', parent_id: 'IAB1', name: 'Books & Literature' },
  ]);
  expect(rows.map((row) => member(row, 'id')).filter((id) => !String(id).includes('-'))).toEqual(
    Array.from({ length: 26 }, (_, i) => `IAB${i + 1}`),
  );
  expect(new Set(rows.map((row) => member(row, 'id'))).size).toBe(392);
  const whole = await stage.call('iab_categories.list', { count: 392, with_total_count: true });
  expect([whole.data, whole.next_cursor, whole.total_count]).toEqual([rows, null, 392]);
  const first = await stage.call('iab_categories.list');
  expect([z.array(z.unknown()).parse(first.data).length, first.total_count]).toEqual([200, undefined]);
});

scenario('C-LOOKUP-IAB-CURSOR', async (stage) => {
  const foreign = [
    encodeCursor({ order: 'interests', after: ['IAB1'] }),
    encodeCursor({ order: 'iab_categories', after: ['IAB0'] }),
    encodeCursor({ order: 'iab_categories', after: ['IAB1', 'IAB1'] }),
    encodeCursor({ order: 'iab_categories', after: [1n] }),
    'IAB1',
  ];
  for (const cursor of foreign) {
    expect(await stage.rejected('iab_categories.list', { cursor })).toMatchObject([
      { code: 'INVALID_PARAMETER', parameter: 'cursor', value: cursor },
    ]);
  }
  const cursor = encodeCursor({ order: 'iab_categories', after: ['IAB26-3'] });
  expect(await stage.many('iab_categories.list', { cursor })).toEqual([
    { id: 'IAB26-4', parent_id: 'IAB26', name: 'Copyright Infringement' },
  ]);
  expect(await stage.rejected('iab_categories.list', { cursor, with_total_count: true })).toMatchObject([
    { code: 'EXCLUSIVE_PARAMETERS' },
  ]);
});

let people = 0;

scenario('C-LOOKUP-PUBLISHERS', async (stage) => {
  const { world } = stage;
  const { catalogue } = world.platform.ads.sandbox;
  const set = (user_id: string, monetization_restricted: boolean) =>
    catalogue.write(OPERATOR, (writer) =>
      families.publishers.setPublisher(writer, user_id, {
        monetizable_country_codes: ['US', 'JP'],
        promotion_eligible_country_codes: ['US'],
        monetization_restricted,
        content_category_ids: ['se'],
      }),
    );
  const made: string[] = [];
  for (const monetization_restricted of [false, true, false]) {
    const { user_id } = await world.createUser(`publisher${++people}`);
    made.push(user_id);
    await set(user_id, monetization_restricted);
  }
  const { rows, lengths } = await walk(stage, 'publishers.list', 2);
  expect(lengths.slice(0, -1).every((length) => length === 2)).toBe(true);
  expect(rows.slice(-3).map((row) => member(row, 'user_id'))).toEqual(made);
  expect(rows.at(-2)).toEqual({
    username: `publisher${people - 1}`,
    user_id: made[1],
    monetizable_country_codes: ['US', 'JP'],
    promotion_eligible_country_codes: ['US'],
    monetization_restricted: true,
    content_category_ids: ['se'],
  });
  const [first = '', second = '', third = ''] = made;
  await world.platform.seeds.write((writer) =>
    writer.run('UPDATE "users" SET "screen_name" = ? WHERE "id" = ?', [`renamed${people}`, second]),
  );
  await catalogue.write(OPERATOR, (writer) => families.publishers.removePublisher(rejectWithAny, writer, third));
  const { rows: without } = await walk(stage, 'publishers.list', 1000);
  expect(without.at(-1)).toMatchObject({ user_id: second, username: `renamed${people}` });
  // An existing one keeps its place; one that is added again comes last.
  for (const user_id of [third, first, second]) await set(user_id, false);
  const { rows: again } = await walk(stage, 'publishers.list', 1000);
  expect(again.slice(-3).map((row) => member(row, 'user_id'))).toEqual([first, second, third]);
  await catalogue.write(OPERATOR, (writer) => families.publishers.removePublisher(rejectWithAny, writer, first));
  await set(first, false);
  const { rows: back } = await walk(stage, 'publishers.list', 1000);
  expect(back.slice(-3).map((row) => member(row, 'user_id'))).toEqual([second, third, first]);
});

const CombinationsOf = z.array(z.strictObject({ product_type: z.string(), placements: z.array(z.array(z.string())) }));

/** Reference, campaign-management section 10, and PLATFORM_REPLIES, which has the rules of PLATFORM_TIMELINE. */
const combinations = {
  MEDIA: 'ALL_ON_PLATFORM|PUBLISHER_NETWORK|TAP_BANNER|TAP_FULL|TAP_FULL_LANDSCAPE|TAP_NATIVE|TAP_MRECT',
  PROMOTED_ACCOUNT: 'ALL_ON_PLATFORM|PLATFORM_TIMELINE',
  PROMOTED_POSTS:
    'ALL_ON_PLATFORM|ALL_ON_PLATFORM,PUBLISHER_NETWORK|PUBLISHER_NETWORK|PUBLISHER_NETWORK,PLATFORM_TIMELINE|PLATFORM_SEARCH|PLATFORM_TIMELINE|PLATFORM_PROFILE,PLATFORM_TIMELINE|PLATFORM_SEARCH,PLATFORM_TIMELINE|PLATFORM_PROFILE,PLATFORM_SEARCH|PLATFORM_PROFILE,PLATFORM_SEARCH,PLATFORM_TIMELINE|PLATFORM_REPLIES,PLATFORM_TIMELINE|PLATFORM_PROFILE,PLATFORM_REPLIES,PLATFORM_TIMELINE|PLATFORM_REPLIES,PLATFORM_SEARCH,PLATFORM_TIMELINE|PLATFORM_PROFILE,PLATFORM_REPLIES,PLATFORM_SEARCH,PLATFORM_TIMELINE',
} as const;

async function combinationsOf(stage: Stage, product_type?: string) {
  const rows = CombinationsOf.parse(await stage.ok('line_items.placements', { product_type }));
  return rows.map(({ product_type: product, placements }) => [product, placements.map((one) => one.join()).join('|')]);
}

scenario('C-LOOKUP-PLACEMENTS', async (stage) => {
  expect(await combinationsOf(stage)).toEqual(Object.entries(combinations));
  for (const [product_type, listed] of Object.entries(combinations)) {
    expect(await combinationsOf(stage, product_type)).toEqual([[product_type, listed]]);
  }
});

scenario('C-LOOKUP-PLACEMENTS-VALID', async (stage) => {
  const objectives = {
    MEDIA: { objective: 'PREROLL_VIEWS' },
    PROMOTED_ACCOUNT: { objective: 'FOLLOWERS' },
    PROMOTED_POSTS: { objective: 'ENGAGEMENTS' },
  } as const;
  // Asked for beside PUBLISHER_NETWORK, and taken elsewhere.
  const network = { advertiser_domain: 'example.com', categories: ['IAB2'] };
  for (const [product_type, kind] of Object.entries(objectives)) {
    const campaign = await stage.campaign();
    const [row] = CombinationsOf.parse(await stage.ok('line_items.placements', { product_type }));
    for (const combination of row?.placements ?? []) {
      await stage.lineItem(campaign, { ...kind, ...network, product_type, placements: combination });
    }
    const listed = new Set(row?.placements.map((combination) => [...combination].sort().join()));
    const line = { ...lineItemOf(campaign), ...kind, ...network, product_type };
    for (const combination of combinationsOfUpTo(3).filter((names) => !listed.has(names.join()))) {
      const errors = await stage.rejected('line_items.create', { ...line, placements: combination });
      expect(errors, combination.join()).toMatchObject([{ code: 'INVALID_PLACEMENT_TYPE', parameter: 'placements' }]);
    }
  }
});

/** Every set of one to so many placements, each in the order of the alphabet. */
function combinationsOfUpTo(size: number): readonly (readonly string[])[] {
  const all = [...placements].sort();
  let sets: (readonly string[])[] = [[]];
  for (const name of all) sets = [...sets, ...sets.filter((set) => set.length < size).map((set) => [...set, name])];
  return sets.filter(({ length }) => length > 0);
}

scenario('C-LOOKUP-ENVELOPES', async ({ world }) => {
  const bodyOf = async (path: string, query: Readonly<Record<string, string>> = {}) => {
    const { body } = await world.request({ path, query });
    const { data, ...beside } = z.looseObject({ data: z.array(z.unknown()) }).parse(body);
    return { ...beside, data: data.length };
  };
  const none = { request: { params: {} } };
  const listed = { ...none, next_cursor: null };
  expect(await bodyOf('/12/advertiser_business_categories')).toEqual({ ...listed, data: 16 });
  expect(await bodyOf('/12/content_categories')).toEqual({ ...listed, data: 15, total_count: 15 });
  expect(await bodyOf('/12/iab_categories', { count: '1000' })).toEqual({
    request: { params: { count: 1000 } },
    next_cursor: null,
    data: 392,
  });
  expect(Object.keys(await bodyOf('/12/publishers')).sort()).toEqual(['data', 'next_cursor', 'request']);
  expect(await bodyOf('/12/bidding_rules')).toEqual({ ...none, data_type: 'bidding_rule', data: 35, total_count: 35 });
  expect(await bodyOf('/12/bidding_rules', { currency: 'XAU' })).toEqual({
    request: { params: { currency: 'XAU' } },
    data_type: 'bidding_rule',
    data: 0,
    total_count: 0,
  });
  expect(await bodyOf('/12/line_items/placements')).toEqual({ ...none, data: 3 });
});

test(about('C-LOOKUP-RATE'), async () => {
  await using world = await openWorld({ rateLimits: {} });
  const paths = [
    'advertiser_business_categories',
    'content_categories',
    'iab_categories',
    'publishers',
    'bidding_rules',
    'line_items/placements',
  ];
  for (const name of paths) {
    const path = `/12/${name}`;
    for (const remaining of [4, 3, 2, 1, 0]) {
      const { status, headers } = await world.request({ path });
      const limits = [headers['x-rate-limit-limit'], headers['x-rate-limit-remaining']].map(Number);
      expect([status, ...limits], name).toEqual([200, 5, remaining]);
      expect(headers['x-account-rate-limit-limit']).toBeUndefined();
    }
    expect((await world.request({ path })).status, name).toBe(429);
  }
  world.wallClock.advance(900_000);
  expect((await world.request({ path: '/12/publishers' })).status).toBe(200);
});

scenario('C-BIDDING-RULES', async (stage) => {
  const rules = z
    .array(
      z.strictObject({
        currency: z.string(),
        minimum_cpe_bid_local_micro: z.bigint(),
        maximum_cpe_bid_local_micro: z.bigint(),
        minimum_denomination: z.bigint(),
      }),
    )
    .parse(await stage.ok('bidding_rules.list'));
  const dollar = {
    currency: 'USD',
    minimum_cpe_bid_local_micro: 10_000n,
    maximum_cpe_bid_local_micro: 1_000_000_000n,
    minimum_denomination: 10_000n,
  };
  expect(rules.find(({ currency }) => currency === 'USD')).toEqual(dollar);
  expect(rules.map(({ currency }) => currency).join()).toBe(
    'AED,ARS,AUD,BHD,BRL,CAD,CLP,COP,DZD,EGP,EUR,GBP,HKD,IDR,INR,IQD,JPY,KRW,KWD,LBP,MAD,MXN,MYR,NZD,PHP,PKR,QAR,SAR,SGD,THB,TND,TRY,USD,VEF,VND',
  );
  expect(rules.filter((rule) => rule.minimum_denomination === 1_000_000n).map(({ currency }) => currency)).toEqual([
    'CLP',
    'JPY',
    'KRW',
    'VND',
  ]);
  expect(await stage.ok('bidding_rules.list', { currency: 'USD' })).toEqual([dollar]);
  for (const currency of ['XAU', 'CHF']) expect(await stage.ok('bidding_rules.list', { currency })).toEqual([]);
  // The same currencies as those of funding instruments.
  const card = { type: 'CREDIT_CARD', start_time: '2026-01-01' };
  for (const rule of rules) {
    const { currency } = rule;
    expect(await stage.ok('bidding_rules.list', { currency })).toEqual([rule]);
    expect(await stage.one('funding_instruments.create', { ...card, currency })).toMatchObject({ currency });
  }
  for (const currency of ['XAU', 'CHF']) {
    expect(await stage.rejected('funding_instruments.create', { ...card, currency })).toMatchObject([
      { code: 'INVALID_PARAMETER', parameter: 'currency' },
    ]);
  }
});

scenario('C-BIDDING-RULES-HOLD', async (stage) => {
  const funding_instrument_id = await stage.fundingInstrument({ currency: 'JPY' });
  const campaign = await stage.campaign({ funding_instrument_id });
  const bid = (bid_amount_local_micro: bigint) => stage.lineItem(campaign, { bid_amount_local_micro });
  await bid(1_000_000n);
  await bid(1_000_000_000n);
  const { id } = await bid(2_000_000n);
  for (const [amount, code] of [
    [1_500_000n, 'INVALID_DENOMINATION'],
    [1_001_000_000n, 'INVALID_PARAMETER'],
  ] as const) {
    expect(
      await stage.rejected('line_items.update', { line_item_id: id, bid_amount_local_micro: amount }),
    ).toMatchObject([{ code, parameter: 'bid_amount_local_micro' }]);
  }
});
