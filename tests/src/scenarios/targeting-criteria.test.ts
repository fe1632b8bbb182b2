/** Targeting criteria: reference, targeting sections 1 to 4 and 6; specification C, Line items and States. */
import { type OperatorType, operatorTypes, type TargetingType, targetingTypes } from '@broadside/core';
import {
  ageBuckets,
  checkCriterion,
  contentCategories,
  devices,
  interests,
  isPrimary,
  LineItemTargeting,
  locations,
  targetingTypeFacts,
} from '@broadside/core/rules';
import { expect, test } from 'vitest';
import { about, type Entity, lineItemOf, type Stage, scenarios } from '../support/scenario.ts';

const scenario = scenarios();

type Params = Readonly<Record<string, unknown>>;

interface Terms {
  readonly targeting_type: string;
  readonly targeting_value: string;
  readonly operator_type?: string;
}

const terms = (targeting_type: string, targeting_value: string, operator_type?: string): Terms => ({
  targeting_type,
  targeting_value,
  ...(operator_type === undefined ? {} : { operator_type }),
});

const target = (stage: Stage, lineItem: Entity, what: Terms): Promise<Entity> =>
  stage.one('targeting_criteria.create', { line_item_id: lineItem.id, ...what });

const creation = (lineItem: Entity, what: Terms) => ({
  operation_type: 'Create' as const,
  params: { line_item_id: lineItem.id, ...what },
});

const deletion = ({ id }: Entity) => ({ operation_type: 'Delete' as const, params: { targeting_criterion_id: id } });

type Item = ReturnType<typeof creation> | ReturnType<typeof deletion>;

const batch = (stage: Stage, operations: readonly Item[]): Promise<Entity[]> =>
  stage.many('targeting_criteria.batch', { operations });

async function batchRefused(stage: Stage, operations: readonly Item[]) {
  const outcome = await stage.call('targeting_criteria.batch', { operations });
  expect(outcome).toMatchObject({ ok: false, status: 400 });
  return outcome.operation_errors ?? [];
}

const listed = (stage: Stage, lineItem: Entity, params: Params = {}): Promise<Entity[]> =>
  stage.many('targeting_criteria.list', { line_item_ids: [lineItem.id], sort_by: ['created_at-asc'], ...params });

const someLineItem = async (stage: Stage, params: Params = {}): Promise<Entity> =>
  stage.lineItem(await stage.campaign(), params);

const refusal = (code: string, parameter: string) => [expect.objectContaining({ code, parameter })];

const LUEBECK = locations.rows.find(({ place }) => place === 'Lübeck')?.targeting_value ?? '';
const GERMANY = locations.rows.find(({ name }) => name === 'Germany')?.targeting_value ?? '';
const USA = '96683cc9126741d1';
const NEWSWATCH = '10027243420';

let strangers = 0;

const OPERATOR = { user_id: null, platform: 'OPERATOR' } as const;

/** Makes somebody a publisher in the sandbox. @returns the user's id */
async function publisher(stage: Stage): Promise<string> {
  const { user_id } = await stage.world.createUser(`p${++strangers}`);
  const terms = {
    monetizable_country_codes: ['US'],
    promotion_eligible_country_codes: ['US'],
    monetization_restricted: false,
    content_category_ids: ['se'],
  };
  await stage.world.platform.ads.sandbox.catalogue.write(OPERATOR, (writer) => writer.setPublisher(user_id, terms));
  return user_id;
}

scenario('T-CRITERION', async (stage) => {
  const lineItem = await someLineItem(stage);
  const interest = await target(stage, lineItem, terms('INTEREST', '1001'));
  expect(interest).toEqual({
    id: expect.stringMatching(/^[0-9a-z]{2,9}$/),
    line_item_id: lineItem.id,
    name: 'Books and literature/Biographies and memoirs',
    operator_type: 'EQ',
    targeting_type: 'INTEREST',
    targeting_value: '1001',
    created_at: expect.any(String),
    updated_at: interest['created_at'],
    deleted: false,
  });
  const city = await target(stage, lineItem, terms('LOCATION', LUEBECK, 'NE'));
  expect(city).toMatchObject({ location_type: 'CITIES', operator_type: 'NE', name: 'Lübeck, Schleswig-Holstein, DE' });
  expect(await target(stage, lineItem, terms('LOCATION', USA))).toMatchObject({ location_type: 'COUNTRIES' });
  expect(await stage.one('targeting_criteria.get', { targeting_criterion_id: city.id })).toEqual(city);
  expect((await listed(stage, lineItem)).map(({ location_type }) => location_type)).toEqual([
    undefined,
    'CITIES',
    'COUNTRIES',
  ]);
});

scenario('T-CRITERION-NAMES', async (stage) => {
  const campaign = await stage.campaign();
  const lineItem = await stage.lineItem(campaign);
  const { user_id, screen_name } = stage.user;
  const expected: readonly (readonly [Terms, name: string])[] = [
    [terms('BROAD_KEYWORD', 'Autumn 📚'), 'Autumn 📚'],
    [terms('LOCATION', USA), 'United States'],
    [terms('DEVICE', '1r'), 'iPhone 4'],
    [terms('PLATFORM', '4'), 'Desktop and laptop computers'],
    [terms('PLATFORM_VERSION', '18'), 'Jelly Bean'],
    [terms('INTEREST', '1001'), 'Books and literature/Biographies and memoirs'],
    [terms('LANGUAGE', 'en'), 'English'],
    [terms('TV_SHOW', NEWSWATCH), 'NewsWatch'],
    [terms('EVENT', '1ex'), 'World Cup 2026'],
    [terms('CONVERSATION', 'a1'), 'NFL'],
    [terms('APP_STORE_CATEGORY', 'qouq'), 'Games: Music'],
    [terms('NETWORK_OPERATOR', '2l'), 'Advantage'],
    [terms('AGE', 'AGE_21_TO_34'), 'AGE_21_TO_34'],
    [terms('GENDER', '1'), 'Male'],
    [terms('GENDER', '2'), 'Female'],
    [terms('FOLLOWERS_OF_USER', user_id), screen_name],
    [terms('SIMILAR_TO_FOLLOWERS_OF_USER', user_id), screen_name],
    [terms('USER_ENGAGEMENT', user_id), 'USER_ENGAGER_RETARGETING'],
    [terms('CAMPAIGN_ENGAGEMENT', campaign.id), 'CAMPAIGN_ENGAGER_RETARGETING'],
    [terms('ENGAGEMENT_TYPE', 'VIDEO_VIEW'), 'RETARGETING_ENGAGEMENT_TYPE'],
  ];
  for (const [what, name] of expected) expect(await target(stage, lineItem, what)).toMatchObject({ ...what, name });
  const excluded = terms('CONTENT_PUBLISHER_USER', await publisher(stage), 'NE');
  expect(await batch(stage, [creation(lineItem, excluded)])).toMatchObject([{ name: `p${strangers}` }]);
  const sports = await batch(stage, [creation(lineItem, terms('IAB_CATEGORY', 'IAB17'))]);
  expect(sports).toMatchObject([{ name: 'Sports' }]);
});

scenario('T-CRITERION-LANG', async (stage) => {
  const lineItem = await someLineItem(stage);
  const operations = [
    terms('LOCATION', GERMANY),
    terms('LOCATION', LUEBECK),
    terms('LANGUAGE', 'en'),
    terms('PLATFORM', '4'),
    terms('INTEREST', '1001'),
  ].map((what) => creation(lineItem, what));
  const created = await batch(stage, operations);
  expect(created.filter((criterion) => 'localized_name' in criterion)).toEqual([]);
  const french = await listed(stage, lineItem, { lang: 'fr' });
  expect(french.map(({ localized_name }) => localized_name)).toEqual([
    'Allemagne',
    undefined,
    'anglais',
    'Ordinateurs de bureau et portables',
    undefined,
  ]);
  const [country] = french;
  expect(await stage.one('targeting_criteria.get', { targeting_criterion_id: country?.id, lang: 'fr' })).toEqual(
    country,
  );
});

scenario('T-CRITERION-LANG-UNKNOWN', async (stage) => {
  const lineItem = await someLineItem(stage);
  const { id } = await target(stage, lineItem, terms('LANGUAGE', 'en'));
  const wrong = refusal('INVALID_PARAMETER', 'lang');
  expect(await stage.refused('targeting_criteria.get', { targeting_criterion_id: id, lang: 'qq' })).toEqual(wrong);
  expect(await stage.refused('targeting_criteria.list', { line_item_ids: [lineItem.id], lang: 'qq' })).toEqual(wrong);
});

scenario('T-LIST', async (stage) => {
  expect(await stage.refused('targeting_criteria.list', {})).toEqual(refusal('MISSING_PARAMETER', 'line_item_ids'));
  const many = Array.from({ length: 201 }, (_, i) => `a${i}`);
  expect(await stage.refused('targeting_criteria.list', { line_item_ids: many })).toEqual(
    refusal('INVALID_PARAMETER', 'line_item_ids'),
  );
  expect(await stage.many('targeting_criteria.list', { line_item_ids: many.slice(1) })).toEqual([]);
});

scenario('T-LIST-FILTERS', async (stage) => {
  const campaign = await stage.campaign();
  const [one, two] = [await stage.lineItem(campaign), await stage.lineItem(campaign)];
  const words = ['delta', 'alpha', 'charlie', 'bravo'];
  const created = await batch(stage, [
    ...words.map((word) => creation(one, terms('BROAD_KEYWORD', word))),
    creation(two, terms('LANGUAGE', 'de')),
  ]);
  const ids = created.map(({ id }) => id);
  expect(await listed(stage, two)).toEqual([created[4]]);
  const both = { line_item_ids: [two.id, one.id, 'nosuch'], sort_by: ['created_at-asc'] };
  expect(await stage.many('targeting_criteria.list', both)).toEqual(created);
  const some = { ...both, targeting_criterion_ids: [ids[1], ids[4], 'nosuch'] };
  expect(await stage.many('targeting_criteria.list', some)).toEqual([created[1], created[4]]);
  expect((await listed(stage, one, { sort_by: ['name-asc'] })).map(({ name }) => name)).toEqual([...words].sort());
  const counted = await stage.call('targeting_criteria.list', { ...both, with_total_count: true, count: 2 });
  expect(counted).toMatchObject({ total_count: 5, data: created.slice(0, 2) });
  const next = await stage.call('targeting_criteria.list', { ...both, count: 3, cursor: counted.next_cursor });
  expect(next).toMatchObject({ data: created.slice(2), next_cursor: null });
});

scenario('T-NO-UPDATE', async ({ world, account_id }) => {
  const path = `/12/accounts/${account_id}/targeting_criteria/abc`;
  const answer = await world.request({ method: 'PUT', path });
  expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET, DELETE' } });
});

scenario('T-DELETE', async (stage) => {
  const lineItem = await someLineItem(stage);
  const { id: targeting_criterion_id, ...criterion } = await target(stage, lineItem, terms('LANGUAGE', 'de'));
  const gone = await stage.one('targeting_criteria.delete', { targeting_criterion_id });
  expect(gone).toEqual({ ...criterion, id: targeting_criterion_id, deleted: true, updated_at: expect.any(String) });
  const unknown = refusal('TARGETING_CRITERION_NOT_FOUND', 'targeting_criterion_id');
  expect(await stage.refused('targeting_criteria.delete', { targeting_criterion_id }, 404)).toEqual(unknown);
  expect(await stage.refused('targeting_criteria.get', { targeting_criterion_id }, 404)).toEqual(unknown);
  expect(await stage.one('targeting_criteria.get', { targeting_criterion_id, with_deleted: true })).toEqual(gone);
  expect(await listed(stage, lineItem)).toEqual([]);
  expect(await listed(stage, lineItem, { with_deleted: true })).toEqual([gone]);
  // What is gone does not stand in the way.
  const again = await target(stage, lineItem, terms('LANGUAGE', 'de'));
  expect(again.id).not.toBe(targeting_criterion_id);
});

scenario('T-UNKNOWN', async (stage) => {
  const lineItem = await someLineItem(stage);
  const what = terms('LANGUAGE', 'de');
  expect(await stage.refused('targeting_criteria.create', { line_item_id: 'nosuch', ...what }, 404)).toEqual(
    refusal('LINE_ITEM_NOT_FOUND', 'line_item_id'),
  );
  const targeting_criterion_id = 'nosuch';
  const unknown = refusal('TARGETING_CRITERION_NOT_FOUND', 'targeting_criterion_id');
  expect(await stage.refused('targeting_criteria.get', { targeting_criterion_id }, 404)).toEqual(unknown);
  expect(await stage.refused('targeting_criteria.delete', { targeting_criterion_id }, 404)).toEqual(unknown);
  expect(
    await batchRefused(stage, [
      creation({ id: 'nosuch' }, what),
      creation(lineItem, what),
      deletion({ id: targeting_criterion_id }),
    ]),
  ).toEqual([refusal('LINE_ITEM_NOT_FOUND', 'line_item_id'), [], unknown]);
});

scenario('T-HIDDEN', async (stage) => {
  const campaign = await stage.campaign();
  const [one, two] = [await stage.lineItem(campaign), await stage.lineItem(campaign)];
  for (const [lineItem, hide] of [
    [one, () => stage.one('line_items.delete', { line_item_id: one.id })],
    [two, () => stage.one('campaigns.delete', { campaign_id: campaign.id })],
  ] as const) {
    const criterion = await target(stage, lineItem, terms('LANGUAGE', 'de'));
    const { id: targeting_criterion_id } = criterion;
    await hide();
    expect(await listed(stage, lineItem)).toEqual([]);
    expect(await listed(stage, lineItem, { with_deleted: true })).toEqual([criterion]);
    await stage.refused('targeting_criteria.get', { targeting_criterion_id }, 404);
    expect(await stage.one('targeting_criteria.get', { targeting_criterion_id, with_deleted: true })).toEqual(
      criterion,
    );
    await stage.refused('targeting_criteria.delete', { targeting_criterion_id }, 404);
    const create = { line_item_id: lineItem.id, ...terms('LANGUAGE', 'fr') };
    await stage.refused('targeting_criteria.create', create, 404);
  }
});

scenario('T-AGAIN', async (stage) => {
  const lineItem = await someLineItem(stage);
  const first = await target(stage, lineItem, terms('INTEREST', '1001'));
  stage.world.clock.advance(60_000);
  expect(await target(stage, lineItem, terms('INTEREST', '1001', 'EQ'))).toEqual(first);
  const [again, other, twice] = await batch(stage, [
    creation(lineItem, terms('INTEREST', '1001')),
    creation(lineItem, terms('INTEREST', '1002')),
    creation(lineItem, terms('INTEREST', '1002')),
  ]);
  expect(again).toEqual(first);
  expect(twice).toEqual(other);
  expect(await listed(stage, lineItem)).toEqual([first, other]);
  const at_once = Array.from({ length: 8 }, () => target(stage, lineItem, terms('LANGUAGE', 'de')));
  expect(new Set((await Promise.all(at_once)).map(({ id }) => id)).size).toBe(1);
  expect(await listed(stage, lineItem)).toHaveLength(3);
});

scenario('T-BATCH', async (stage) => {
  const lineItem = await someLineItem(stage);
  const old = await target(stage, lineItem, terms('AGE', 'AGE_OVER_18'));
  // In this order only: the line item has one age bucket at a time.
  const results = await batch(stage, [
    deletion(old),
    creation(lineItem, terms('AGE', 'AGE_OVER_21')),
    creation(lineItem, terms('GENDER', '2')),
  ]);
  expect(results).toMatchObject([
    { id: old.id, deleted: true },
    { name: 'AGE_OVER_21', deleted: false },
    { name: 'Female' },
  ]);
  expect(await listed(stage, lineItem)).toEqual(results.slice(1));
  const outcome = await stage.call('targeting_criteria.batch', {
    operations: [{ operation_type: 'Update', params: { targeting_criterion_id: old.id } }],
  });
  expect(outcome.ok).toBe(false);
});

scenario('T-BATCH-ECHO', async (stage) => {
  const { world, account_id } = stage;
  const lineItem = await someLineItem(stage);
  const { id } = await target(stage, lineItem, terms('LANGUAGE', 'de'));
  const path = `/12/batch/accounts/${account_id}/targeting_criteria`;
  const numbered = { line_item_id: lineItem.id, targeting_type: 'INTEREST', targeting_value: 1001 };
  const json = [
    creation(lineItem, terms('LANGUAGE', 'fr')),
    deletion({ id }),
    { operation_type: 'Create', params: numbered },
  ];
  const { body, status } = await world.request({ method: 'POST', path, json });
  expect(status).toBe(200);
  expect(body).toEqual({
    request: [
      {
        params: { line_item_id: lineItem.id, targeting_type: 'LANGUAGE', targeting_value: 'fr', account_id },
        operation_type: 'Create',
      },
      { params: { targeting_criterion_id: id, account_id }, operation_type: 'Delete' },
      { params: { ...numbered, targeting_value: '1001', account_id }, operation_type: 'Create' },
    ],
    data: [
      expect.objectContaining({ name: 'French' }),
      expect.objectContaining({ id, deleted: true }),
      expect.objectContaining({ targeting_value: '1001' }),
    ],
  });
});

scenario('T-BATCH-ATOMIC', async (stage) => {
  const lineItem = await someLineItem(stage);
  const old = await target(stage, lineItem, terms('LANGUAGE', 'de'));
  const errors = await batchRefused(stage, [
    deletion(old),
    creation(lineItem, terms('LANGUAGE', 'xx')),
    creation(lineItem, terms('LANGUAGE', 'fr')),
    creation(lineItem, terms('PLATFORM', '9', 'GTE')),
  ]);
  expect(errors).toEqual([
    [],
    refusal('INVALID_PARAMETER', 'targeting_value'),
    [],
    [
      expect.objectContaining({ code: 'INVALID_PARAMETER', parameter: 'operator_type' }),
      expect.objectContaining({ code: 'INVALID_PARAMETER', parameter: 'targeting_value' }),
    ],
  ]);
  expect(await listed(stage, lineItem, { with_deleted: true })).toEqual([old]);
});

scenario('T-BATCH-BLAME', async (stage) => {
  const campaign = await stage.campaign();
  const [one, two] = [await stage.lineItem(campaign), await stage.lineItem(campaign)];
  const how = (value: string) => terms('ENGAGEMENT_TYPE', value);
  const alone = refusal('INCLUSIVE_PARAMETERS', 'targeting_type');
  // Two that lack the same: told once, at the last. What another line item has is of no help, nor to blame.
  const items = [
    creation(one, how('IMPRESSION')),
    creation(one, how('VIDEO_VIEW')),
    creation(two, terms('CAMPAIGN_ENGAGEMENT', campaign.id)),
    creation(two, how('IMPRESSION')),
  ];
  expect(await batchRefused(stage, items)).toEqual([[], alone, [], []]);
  const engager = await target(stage, one, terms('CAMPAIGN_ENGAGEMENT', campaign.id));
  const other = await target(stage, one, terms('USER_ENGAGEMENT', stage.user.user_id));
  await target(stage, one, how('IMPRESSION'));
  const elsewhere = await target(stage, two, terms('LANGUAGE', 'de'));
  expect(await batchRefused(stage, [deletion(engager), deletion(other), deletion(elsewhere)])).toEqual([
    [],
    refusal('INCLUSIVE_PARAMETERS', 'targeting_criterion_id'),
    [],
  ]);
  expect(await listed(stage, one)).toHaveLength(3);
});

scenario('T-BATCH-ORDER', async (stage) => {
  const lineItem = await someLineItem(stage);
  const old = await target(stage, lineItem, terms('AGE', 'AGE_OVER_18'));
  const young = creation(lineItem, terms('AGE', 'AGE_OVER_21'));
  expect(await batchRefused(stage, [young, deletion(old)])).toEqual([
    refusal('REQUEST_TOO_COMPLEX', 'targeting_type'),
    [],
  ]);
  expect(await batchRefused(stage, [deletion(old), deletion(old)])).toEqual([
    [],
    refusal('TARGETING_CRITERION_NOT_FOUND', 'targeting_criterion_id'),
  ]);
  const [gone, again] = await batch(stage, [deletion(old), creation(lineItem, terms('AGE', 'AGE_OVER_18'))]);
  expect([gone?.id, gone?.['deleted'], again?.['deleted']]).toEqual([old.id, true, false]);
  expect(again?.id).not.toBe(old.id);
  expect(await listed(stage, lineItem)).toEqual([again]);
});

scenario('T-BATCH-OLD-FAULTS', async (stage) => {
  const lineItem = await someLineItem(stage);
  const account = stage.world.platform.ads.sandbox.account(stage.account_id);
  // As if the facts had been others when it was made.
  await account.write(OPERATOR, (writer) =>
    writer.targeting_criteria.insert({
      line_item_id: lineItem.id,
      name: 'RETARGETING_ENGAGEMENT_TYPE',
      targeting_type: 'ENGAGEMENT_TYPE',
      targeting_value: 'IMPRESSION',
      operator_type: 'EQ',
      automatic: false,
      parent_deleted: false,
      deleted: false,
    }),
  );
  const language = await target(stage, lineItem, terms('LANGUAGE', 'de'));
  await batch(stage, [deletion(language), creation(lineItem, terms('GENDER', '2'))]);
  expect(await listed(stage, lineItem)).toHaveLength(2);
});

scenario('T-BATCH-LIMIT', async (stage) => {
  const lineItem = await someLineItem(stage);
  const words = Array.from({ length: 501 }, (_, i) => creation(lineItem, terms('BROAD_KEYWORD', `word ${i}`)));
  const errors = await stage.refused('targeting_criteria.batch', { operations: words });
  // tRPC checks its input as a whole.
  expect(['REQUEST_TOO_COMPLEX', 'INVALID_PARAMETER']).toContain(errors[0]?.code);
  expect(await batch(stage, words.slice(1))).toHaveLength(500);
});

scenario('T-TYPE-UNKNOWN', async (stage) => {
  const lineItem = await someLineItem(stage);
  const create = { line_item_id: lineItem.id, ...terms('SHOE_SIZE', '43') };
  const errors = await stage.refused('targeting_criteria.create', create);
  expect(errors).toEqual(refusal('INVALID_TARGETING_TYPE', 'targeting_type'));
  expect(errors[0]?.message).toContain('BROAD_KEYWORD');
});

scenario('T-TYPE-FORMER', async (stage) => {
  const lineItem = await someLineItem(stage);
  for (const [type, hint] of [
    ['TAILORED_AUDIENCE', 'use CUSTOM_AUDIENCE'],
    ['NEGATIVE_PHRASE_KEYWORD', 'use PHRASE_KEYWORD with operator_type NE'],
    ['NEGATIVE_EXACT_KEYWORD', 'use EXACT_KEYWORD with operator_type NE'],
    ['NEGATIVE_UNORDERED_KEYWORD', 'use BROAD_KEYWORD with operator_type NE'],
    ['BEHAVIOR', expect.stringContaining('INTEREST')],
    ['NEGATIVE_BEHAVIOR', expect.stringContaining('no such targeting')],
  ] as const) {
    const create = { line_item_id: lineItem.id, ...terms(type, 'x') };
    expect(await stage.refused('targeting_criteria.create', create), type).toEqual([
      expect.objectContaining({ code: 'INVALID_TARGETING_TYPE', parameter: 'targeting_type', details: hint }),
    ]);
  }
});

/** For each type a value that is right and one that is not. What is null is told by the account. */
const values: Readonly<Record<TargetingType, readonly [right: string | null, wrong: string]>> = {
  AGE: ['AGE_OVER_18', 'AGE_OVER_19'],
  APP_LIST: [null, '1'],
  APP_STORE_CATEGORY: ['qouq', 'nosuch'],
  APP_STORE_CATEGORY_LOOKALIKE: ['qouq', 'nosuch'],
  BROAD_KEYWORD: ['+autumn books', ' '],
  CAMPAIGN_ENGAGEMENT: [null, 'nosuch'],
  CAMPAIGN_ENGAGEMENT_LOOKALIKE: [null, 'nosuch'],
  CONTENT_PUBLISHER_USER: [null, '1'],
  CONVERSATION: ['a1', 'NFL'],
  CUSTOM_AUDIENCE: [null, 'nosuch'],
  CUSTOM_AUDIENCE_EXPANDED: [null, 'nosuch'],
  DEVICE: ['1r', 'iPhone 4'],
  ENGAGEMENT_TYPE: [null, 'LIKE'],
  EVENT: ['1ex', 'World Cup'],
  EXACT_KEYWORD: ['🎃', '  '],
  FOLLOWERS_OF_USER: [null, '1'],
  GENDER: ['2', '3'],
  IAB_CATEGORY: [null, 'IAB17-99'],
  INTEREST: ['1001', '1000'],
  LANGUAGE: ['de', 'german'],
  LIVE_TV_EVENT: ['1ex', 'LATE SHOW'],
  LOCATION: [USA, 'US'],
  NETWORK_ACTIVATION_DURATION: ['6', '-1'],
  NETWORK_OPERATOR: ['2l', 'Advantage'],
  PHRASE_KEYWORD: ['autumn books', '…'],
  PLATFORM: ['3', '5'],
  PLATFORM_VERSION: ['18', '4.1'],
  SIMILAR_TO_FOLLOWERS_OF_USER: [null, '1'],
  TV_SHOW: [null, 'NewsWatch'],
  UNORDERED_KEYWORD: ['books autumn', ' '],
  USER_ENGAGEMENT: [null, '1'],
  USER_ENGAGEMENT_LOOKALIKE: [null, '1'],
  WIFI_ONLY: ['1', 'true'],
};

/** The first operator that a type takes, which is EQ for most. */
const operatorOf = (type: TargetingType) => targetingTypeFacts[type].operators[0];

scenario('T-VALUES', async (stage) => {
  const campaign = await stage.campaign();
  const { user_id } = stage.user;
  const told: Readonly<Partial<Record<TargetingType, string>>> = {
    CAMPAIGN_ENGAGEMENT: campaign.id,
    CAMPAIGN_ENGAGEMENT_LOOKALIKE: campaign.id,
    FOLLOWERS_OF_USER: user_id,
    SIMILAR_TO_FOLLOWERS_OF_USER: user_id,
    USER_ENGAGEMENT: user_id,
    USER_ENGAGEMENT_LOOKALIKE: user_id,
  };
  for (const type of targetingTypes) {
    const lineItem = await stage.lineItem(campaign);
    const operator_type = operatorOf(type);
    const [right, wrong] = values[type];
    const value = right ?? told[type];
    if (value !== undefined) {
      const criterion = await target(stage, lineItem, terms(type, value, operator_type));
      expect(criterion, type).toMatchObject({ targeting_type: type, targeting_value: value });
    }
    const [errors] = await batchRefused(stage, [creation(lineItem, terms(type, wrong, operator_type))]);
    const fault = errors?.find(({ parameter }) => parameter === 'targeting_value');
    expect(fault, type).toMatchObject({
      code: type === 'IAB_CATEGORY' ? 'INVALID_IAB_CATEGORY' : 'INVALID_PARAMETER',
      value: wrong,
      message: expect.stringMatching(new RegExp(`^Expected .+ with ${type}, got "${wrong}" for targeting_value$`)),
    });
  }
});

scenario('T-VALUES-NUMBER', async (stage) => {
  const lineItem = await someLineItem(stage);
  await target(stage, lineItem, terms('LOCATION', USA));
  const number = (targeting_type: string, targeting_value: number | bigint) => ({
    line_item_id: lineItem.id,
    targeting_type,
    targeting_value,
  });
  const [show] = await stage.many('targeting_criteria.batch', {
    operations: [{ operation_type: 'Create', params: number('TV_SHOW', 10027243420) }],
  });
  expect(show).toMatchObject({ name: 'NewsWatch', targeting_value: NEWSWATCH });
  expect(await stage.one('targeting_criteria.create', number('TV_SHOW', 10027243420n))).toEqual(show);
  const { user_id, screen_name } = stage.user;
  const followers = await stage.one('targeting_criteria.create', number('FOLLOWERS_OF_USER', BigInt(user_id)));
  expect(followers).toMatchObject({ name: screen_name, targeting_value: user_id });
});

scenario('T-VALUES-CAMPAIGN', async (stage) => {
  const [own, gone] = [await stage.campaign(), await stage.campaign()];
  const lineItem = await stage.lineItem(own);
  await stage.one('campaigns.delete', { campaign_id: gone.id });
  for (const type of ['CAMPAIGN_ENGAGEMENT', 'CAMPAIGN_ENGAGEMENT_LOOKALIKE']) {
    const create = { line_item_id: lineItem.id, ...terms(type, gone.id) };
    expect(await stage.refused('targeting_criteria.create', create)).toEqual(
      refusal('INVALID_PARAMETER', 'targeting_value'),
    );
    await target(stage, lineItem, terms(type, own.id));
  }
});

/** Reference, targeting section 3, column Operators. */
const operators: Readonly<Record<TargetingType, readonly OperatorType[]>> = {
  AGE: ['EQ'],
  APP_LIST: ['NE'],
  APP_STORE_CATEGORY: ['EQ', 'NE'],
  APP_STORE_CATEGORY_LOOKALIKE: ['EQ', 'NE'],
  BROAD_KEYWORD: ['EQ', 'NE'],
  CAMPAIGN_ENGAGEMENT: ['EQ', 'NE'],
  CAMPAIGN_ENGAGEMENT_LOOKALIKE: ['EQ', 'NE'],
  CONTENT_PUBLISHER_USER: ['NE'],
  CONVERSATION: ['EQ'],
  CUSTOM_AUDIENCE: ['EQ', 'NE'],
  CUSTOM_AUDIENCE_EXPANDED: ['EQ'],
  DEVICE: ['EQ', 'NE'],
  ENGAGEMENT_TYPE: ['EQ'],
  EVENT: ['EQ'],
  EXACT_KEYWORD: ['EQ', 'NE'],
  FOLLOWERS_OF_USER: ['EQ'],
  GENDER: ['EQ'],
  IAB_CATEGORY: ['EQ'],
  INTEREST: ['EQ'],
  LANGUAGE: ['EQ'],
  LIVE_TV_EVENT: ['EQ'],
  LOCATION: ['EQ', 'NE'],
  NETWORK_ACTIVATION_DURATION: ['GTE', 'LT'],
  NETWORK_OPERATOR: ['EQ'],
  PHRASE_KEYWORD: ['EQ', 'NE'],
  PLATFORM: ['EQ', 'NE'],
  PLATFORM_VERSION: ['EQ', 'GTE'],
  SIMILAR_TO_FOLLOWERS_OF_USER: ['EQ', 'NE'],
  TV_SHOW: ['EQ'],
  UNORDERED_KEYWORD: ['EQ', 'NE'],
  USER_ENGAGEMENT: ['EQ', 'NE'],
  USER_ENGAGEMENT_LOOKALIKE: ['EQ', 'NE'],
  WIFI_ONLY: ['EQ'],
};

scenario('T-OPERATORS', async (stage) => {
  const lineItem = await someLineItem(stage);
  const wrong = targetingTypes.flatMap((type) =>
    operatorTypes.filter((operator) => !operators[type].includes(operator)).map((operator) => ({ type, operator })),
  );
  const errors = await batchRefused(
    stage,
    wrong.map(({ type, operator }) => creation(lineItem, terms(type, values[type][0] ?? 'x', operator))),
  );
  for (const [i, { type, operator }] of wrong.entries()) {
    expect(errors[i], `${type} ${operator}`).toContainEqual(
      expect.objectContaining({ code: 'INVALID_PARAMETER', parameter: 'operator_type', value: operator }),
    );
  }
  for (const type of targetingTypes) {
    const [value] = values[type];
    if (value === null) continue;
    for (const operator of operators[type]) {
      const ground = await someLineItem(stage);
      expect(await target(stage, ground, terms(type, value, operator))).toMatchObject({ operator_type: operator });
    }
  }
});

test(about('T-PRIMARY'), () => {
  expect(targetingTypes.filter(isPrimary)).toEqual([
    'BROAD_KEYWORD',
    'CAMPAIGN_ENGAGEMENT',
    'CAMPAIGN_ENGAGEMENT_LOOKALIKE',
    'CONVERSATION',
    'CUSTOM_AUDIENCE',
    'CUSTOM_AUDIENCE_EXPANDED',
    'EXACT_KEYWORD',
    'FOLLOWERS_OF_USER',
    'INTEREST',
    'LIVE_TV_EVENT',
    'PHRASE_KEYWORD',
    'SIMILAR_TO_FOLLOWERS_OF_USER',
    'TV_SHOW',
    'UNORDERED_KEYWORD',
    'USER_ENGAGEMENT',
    'USER_ENGAGEMENT_LOOKALIKE',
  ]);
});

scenario('T-ONE', async (stage) => {
  const lineItem = await someLineItem(stage);
  await target(stage, lineItem, terms('AGE', 'AGE_OVER_18'));
  await target(stage, lineItem, terms('EVENT', '1ex'));
  const outcome = await stage.ok('targeting_options.events', { event_types: ['OTHER'], count: 1 });
  const [event] = Array.isArray(outcome) ? outcome : [];
  for (const what of [terms('AGE', 'AGE_OVER_21'), terms('EVENT', event.targeting_value)]) {
    const errors = await stage.refused('targeting_criteria.create', { line_item_id: lineItem.id, ...what });
    expect(errors).toEqual(refusal('REQUEST_TOO_COMPLEX', 'targeting_type'));
  }
});

async function fill(stage: Stage, lineItem: Entity, all: readonly Terms[]): Promise<void> {
  for (let i = 0; i < all.length; i += 500) {
    await batch(
      stage,
      all.slice(i, i + 500).map((what) => creation(lineItem, what)),
    );
  }
}

const keywords = ['BROAD_KEYWORD', 'EXACT_KEYWORD', 'PHRASE_KEYWORD', 'UNORDERED_KEYWORD'] as const;

scenario('T-LIMITS', async (stage) => {
  const lineItem = await someLineItem(stage);
  const many = (count: number, make: (i: number) => Terms) => Array.from({ length: count }, (_, i) => make(i));
  const tooMany = async (what: Terms) =>
    expect(await stage.refused('targeting_criteria.create', { line_item_id: lineItem.id, ...what })).toEqual(
      refusal('REQUEST_TOO_COMPLEX', 'targeting_type'),
    );
  await fill(
    stage,
    lineItem,
    many(1000, (i) => terms(keywords[i % 4] ?? '', `word ${i}`, i % 3 === 0 ? 'NE' : 'EQ')),
  );
  for (const type of keywords) await tooMany(terms(type, 'one more'));
  const rows = interests.rows.slice(0, 101).map(({ targeting_value }) => terms('INTEREST', targeting_value));
  await fill(stage, lineItem, rows.slice(1));
  const [first = terms('INTEREST', '1001')] = rows;
  await tooMany(first);
  // What is deleted makes room.
  const [last] = await listed(stage, lineItem, { sort_by: ['created_at-desc'], count: 1 });
  await stage.one('targeting_criteria.delete', { targeting_criterion_id: last?.id });
  await target(stage, lineItem, first);
  await tooMany(terms('INTEREST', String(last?.['targeting_value'])));
});

test.each([
  ['LOCATION', 2000],
  ['SIMILAR_TO_FOLLOWERS_OF_USER', 100],
] as const)(`${about('T-LIMITS-MANY')}: %s`, (targeting_type, limit) => {
  const made = (i: number) => ({ targeting_type, targeting_value: `${i}`, operator_type: 'EQ' }) as const;
  const faults = (count: number) =>
    checkCriterion(made(count), {
      line_item: { id: 'bw2rq', placements: ['ALL_ON_PLATFORM'] },
      targeting: new LineItemTargeting(Array.from({ length: count }, (_, i) => made(i))),
      has_curated_category: false,
      in_batch: true,
    });
  expect(faults(limit - 1)).toEqual([]);
  expect(faults(limit)).toEqual([
    expect.objectContaining({ error: 'REQUEST_TOO_COMPLEX', parameter: 'targeting_type' }),
  ]);
});

scenario('T-LIMIT-EXACT', async (stage) => {
  const lineItem = await someLineItem(stage);
  const rows = interests.rows.slice(0, 120).map(({ targeting_value }) => terms('INTEREST', targeting_value));
  await fill(stage, lineItem, rows.slice(0, 90));
  const outcomes = await Promise.all(
    rows.slice(90).map((what) => stage.call('targeting_criteria.create', { line_item_id: lineItem.id, ...what })),
  );
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(10);
  expect(await listed(stage, lineItem)).toHaveLength(100);
});

scenario('T-AGES', async (stage) => {
  const campaign = await stage.campaign();
  expect(ageBuckets).toHaveLength(20);
  for (const bucket of ageBuckets) {
    expect(await target(stage, await stage.lineItem(campaign), terms('AGE', bucket))).toMatchObject({ name: bucket });
  }
  const lineItem = await stage.lineItem(campaign);
  for (const bucket of ['AGE_13_TO_99', 'AGE_OVER_65', 'OVER_18', '18', 'age_over_18']) {
    const create = { line_item_id: lineItem.id, ...terms('AGE', bucket) };
    expect(await stage.refused('targeting_criteria.create', create)).toEqual(
      refusal('INVALID_PARAMETER', 'targeting_value'),
    );
  }
});

scenario('T-FOLLOWERS', async (stage) => {
  const lineItem = await someLineItem(stage);
  const stranger = await stage.world.createUser(`stranger${++strangers}`);
  const guest = await stage.world.createUser(`guest${strangers}`);
  const account = stage.world.platform.ads.sandbox.account(stage.account_id);
  await account.write(OPERATOR, (writer) =>
    writer.promotable_users.insert({ user_id: guest.user_id, promotable_user_type: 'REPOSTS_ONLY', deleted: false }),
  );
  const wrong = refusal('INVALID_PARAMETER', 'targeting_value');
  const refused = (type: string, value: string) =>
    stage.refused('targeting_criteria.create', { line_item_id: lineItem.id, ...terms(type, value) });
  expect(await refused('FOLLOWERS_OF_USER', stranger.user_id)).toEqual(wrong);
  expect(await refused('FOLLOWERS_OF_USER', guest.user_id)).toEqual(wrong);
  expect(await refused('USER_ENGAGEMENT', stranger.user_id)).toEqual(wrong);
  expect(await refused('SIMILAR_TO_FOLLOWERS_OF_USER', '99')).toEqual(wrong);
  await target(stage, lineItem, terms('FOLLOWERS_OF_USER', stage.user.user_id));
  await target(stage, lineItem, terms('USER_ENGAGEMENT', guest.user_id));
  const similar = await target(stage, lineItem, terms('SIMILAR_TO_FOLLOWERS_OF_USER', stranger.user_id));
  expect(similar).toMatchObject({ name: stranger.screen_name });
});

scenario('T-AUDIENCES', async (stage) => {
  const lineItem = await someLineItem(stage);
  for (const type of ['CUSTOM_AUDIENCE', 'CUSTOM_AUDIENCE_EXPANDED']) {
    const create = { line_item_id: lineItem.id, ...terms(type, '1nmth') };
    expect(await stage.refused('targeting_criteria.create', create)).toEqual(
      refusal('INVALID_PARAMETER', 'targeting_value'),
    );
  }
});

async function curate(stage: Stage, lineItem: Entity): Promise<void> {
  const account = stage.world.platform.ads.sandbox.account(stage.account_id);
  await account.write(OPERATOR, (writer) =>
    writer.line_item_curated_categories.insert({
      line_item_id: lineItem.id,
      curated_category_id: '929wbl6ymlfk',
      parent_deleted: false,
      deleted: false,
    }),
  );
}

scenario('T-PUBLISHERS', async (stage) => {
  const campaign = await stage.campaign();
  const publishers: string[] = [];
  while (publishers.length < 51) publishers.push(await publisher(stage));
  const all = publishers.map((id) => terms('CONTENT_PUBLISHER_USER', id, 'NE'));
  for (const [limit, curated] of [
    [50, false],
    [5, true],
  ] as const) {
    const lineItem = await stage.lineItem(campaign);
    if (curated) await curate(stage, lineItem);
    const items = all.slice(0, limit + 1).map((what) => creation(lineItem, what));
    const errors = await batchRefused(stage, items);
    expect(errors.map((list) => list.length)).toEqual(items.map((_, i) => (i === limit ? 1 : 0)));
    expect(errors[limit]).toEqual(refusal('REQUEST_TOO_COMPLEX', 'targeting_type'));
    expect(await batch(stage, items.slice(1))).toHaveLength(limit);
  }
  const lineItem = await stage.lineItem(campaign);
  const create = { line_item_id: lineItem.id, ...all[0] };
  expect(await stage.refused('targeting_criteria.create', create)).toEqual(
    refusal('INVALID_PARAMETER', 'targeting_type'),
  );
  const reader = creation(lineItem, terms('CONTENT_PUBLISHER_USER', stage.user.user_id, 'NE'));
  expect(await batchRefused(stage, [reader])).toEqual([refusal('INVALID_PARAMETER', 'targeting_value')]);
  // Nor is one who was.
  const [former = ''] = publishers;
  await stage.world.platform.ads.sandbox.catalogue.write(OPERATOR, (writer) => writer.removePublisher(former));
  expect(await batchRefused(stage, [creation(lineItem, terms('CONTENT_PUBLISHER_USER', former, 'NE'))])).toEqual([
    refusal('INVALID_PARAMETER', 'targeting_value'),
  ]);
});

const category = (name: string) => contentCategories.find((known) => known.name === name)?.iab_categories ?? [];

scenario('T-IAB-WHOLE', async (stage) => {
  const lineItem = await someLineItem(stage);
  const create = (id: string) => creation(lineItem, terms('IAB_CATEGORY', id));
  const alone = { line_item_id: lineItem.id, ...terms('IAB_CATEGORY', 'IAB17') };
  expect(await stage.refused('targeting_criteria.create', alone)).toEqual(
    refusal('INVALID_PARAMETER', 'targeting_type'),
  );
  const science = category('Science & Education');
  const finance = category('Financial & Business News');
  expect([science.length, finance.length]).toEqual([2, 3]);
  const errors = await batchRefused(stage, [create('IAB17'), ...finance.slice(1).map(create)]);
  expect(errors).toEqual([
    [],
    refusal('INVALID_PARAMETER', 'targeting_value'),
    refusal('INVALID_PARAMETER', 'targeting_value'),
  ]);
  expect(errors[1]?.[0]?.message).toContain(finance[0]);
  // An IAB category that stands for no content.
  expect(await batchRefused(stage, [create('IAB26')])).toEqual([refusal('INVALID_PARAMETER', 'targeting_value')]);
  const created = await batch(stage, [...science, ...finance].map(create));
  expect(created).toHaveLength(5);
  const [first, second] = created;
  if (!first || !second) throw new TypeError('five criteria');
  expect(await stage.refused('targeting_criteria.delete', { targeting_criterion_id: first.id })).toEqual(
    refusal('INVALID_PARAMETER', 'targeting_criterion_id'),
  );
  expect(await batchRefused(stage, [deletion(first)])).toEqual([
    refusal('INVALID_PARAMETER', 'targeting_criterion_id'),
  ]);
  expect(await listed(stage, lineItem)).toHaveLength(5);
  await batch(stage, [deletion(first), deletion(second)]);
  expect(await listed(stage, lineItem)).toEqual(created.slice(2));
});

scenario('T-IAB-CURATED', async (stage) => {
  const lineItem = await someLineItem(stage);
  await curate(stage, lineItem);
  expect(await batchRefused(stage, [creation(lineItem, terms('IAB_CATEGORY', 'IAB17'))])).toEqual([
    refusal('INCOMPATIBLE_LINE_ITEM', 'line_item_id'),
  ]);
});

scenario('T-IAB-UNKNOWN', async (stage) => {
  const lineItem = await someLineItem(stage);
  const errors = await batchRefused(stage, [creation(lineItem, terms('IAB_CATEGORY', 'IAB99'))]);
  expect(errors).toEqual([refusal('INVALID_IAB_CATEGORY', 'targeting_value')]);
  const create = { line_item_id: lineItem.id, ...terms('IAB_CATEGORY', 'IAB99') };
  expect(await stage.refused('targeting_criteria.create', create, 404)).toEqual([
    ...refusal('INVALID_IAB_CATEGORY', 'targeting_value'),
    ...refusal('INVALID_PARAMETER', 'targeting_type'),
  ]);
});

scenario('T-TV-LOCATION', async (stage) => {
  const lineItem = await someLineItem(stage);
  const show = terms('TV_SHOW', NEWSWATCH);
  const create = { line_item_id: lineItem.id, ...show };
  expect(await stage.refused('targeting_criteria.create', create)).toEqual(
    refusal('INVALID_TV_SHOW_LOCATIONS', 'targeting_value'),
  );
  // Leaving a place out is no place to be in.
  await target(stage, lineItem, terms('LOCATION', USA, 'NE'));
  expect(await stage.refused('targeting_criteria.create', create)).toEqual(
    refusal('INVALID_TV_SHOW_LOCATIONS', 'targeting_value'),
  );
  await target(stage, lineItem, terms('LOCATION', LUEBECK));
  expect(await stage.refused('targeting_criteria.create', create)).toEqual(
    refusal('TV_SHOW_OUTSIDE_MARKET', 'targeting_value'),
  );
  await target(stage, lineItem, terms('LOCATION', '3b77caf94bfc81fe'));
  expect(await target(stage, lineItem, show)).toMatchObject({ name: 'NewsWatch' });
  const other = await someLineItem(stage);
  // In a batch the order does not matter.
  await batch(stage, [creation(other, show), creation(other, terms('LOCATION', USA))]);
});

scenario('T-TV-KEEPS-LOCATION', async (stage) => {
  const lineItem = await someLineItem(stage);
  const [place, show] = await batch(stage, [
    creation(lineItem, terms('LOCATION', USA)),
    creation(lineItem, terms('TV_SHOW', NEWSWATCH)),
  ]);
  if (!place || !show) throw new TypeError('two criteria');
  expect(await stage.refused('targeting_criteria.delete', { targeting_criterion_id: place.id })).toEqual(
    refusal('INVALID_TV_SHOW_LOCATIONS', 'targeting_criterion_id'),
  );
  expect(await batchRefused(stage, [creation(lineItem, terms('GENDER', '1')), deletion(place)])).toEqual([
    [],
    refusal('INVALID_TV_SHOW_LOCATIONS', 'targeting_criterion_id'),
  ]);
  await batch(stage, [deletion(place), deletion(show)]);
});

scenario('T-ENGAGEMENT', async (stage) => {
  const campaign = await stage.campaign();
  const lineItem = await stage.lineItem(campaign);
  const how = terms('ENGAGEMENT_TYPE', 'VIDEO_VIEW_PARTIAL');
  const create = { line_item_id: lineItem.id, ...how };
  const alone = refusal('INCLUSIVE_PARAMETERS', 'targeting_type');
  expect(await stage.refused('targeting_criteria.create', create)).toEqual(alone);
  expect(await batchRefused(stage, [creation(lineItem, terms('GENDER', '1')), creation(lineItem, how)])).toEqual([
    [],
    alone,
  ]);
  const engagers = [
    terms('CAMPAIGN_ENGAGEMENT', campaign.id),
    terms('CAMPAIGN_ENGAGEMENT_LOOKALIKE', campaign.id),
    terms('USER_ENGAGEMENT', stage.user.user_id),
    terms('USER_ENGAGEMENT_LOOKALIKE', stage.user.user_id),
  ];
  for (const engager of engagers) {
    const ground = await stage.lineItem(campaign);
    const [type, with_] = await batch(stage, [creation(ground, how), creation(ground, engager)]);
    if (!type || !with_) throw new TypeError('two criteria');
    expect(await stage.refused('targeting_criteria.delete', { targeting_criterion_id: with_.id })).toEqual(
      refusal('INCLUSIVE_PARAMETERS', 'targeting_criterion_id'),
    );
    const after = await stage.lineItem(campaign);
    await target(stage, after, engager);
    for (const value of ['IMPRESSION', 'ENGAGEMENT', 'VIDEO_VIEW', 'VIDEO_VIEW_PARTIAL', 'VIDEO_VIEW_COMPLETE']) {
      await target(stage, after, terms('ENGAGEMENT_TYPE', value));
    }
  }
});

scenario('T-DEVICE-PLATFORM', async (stage) => {
  const campaign = await stage.campaign();
  const lineItem = await stage.lineItem(campaign);
  const wrong = refusal('INVALID_PARAMETER', 'targeting_value');
  const refused = (what: Terms) => stage.refused('targeting_criteria.create', { line_item_id: lineItem.id, ...what });
  const android = devices.rows.find(({ os_type }) => os_type === 'Android')?.targeting_value ?? '';
  await target(stage, lineItem, terms('DEVICE', '1r'));
  expect(await refused(terms('PLATFORM', '0'))).toEqual(wrong);
  await target(stage, lineItem, terms('PLATFORM', '1'));
  expect(await refused(terms('DEVICE', android))).toEqual(wrong);
  await target(stage, lineItem, terms('DEVICE', android, 'NE'));
  await target(stage, lineItem, terms('PLATFORM_VERSION', '18'));
  await target(stage, lineItem, terms('PLATFORM', '4'));
});

scenario('T-CONTRADICTION', async (stage) => {
  const lineItem = await someLineItem(stage);
  for (const [here, there] of [
    ['EQ', 'NE'],
    ['NE', 'EQ'],
  ]) {
    const word = `word ${here}`;
    await target(stage, lineItem, terms('BROAD_KEYWORD', word, here));
    const create = { line_item_id: lineItem.id, ...terms('BROAD_KEYWORD', word, there) };
    expect(await stage.refused('targeting_criteria.create', create)).toEqual(
      refusal('INVALID_PARAMETER', 'operator_type'),
    );
    await target(stage, lineItem, terms('PHRASE_KEYWORD', word, there));
  }
});

scenario('T-SEARCH', async (stage) => {
  const campaign = await stage.campaign();
  const { user_id } = stage.user;
  const refusedTerms = [
    terms('FOLLOWERS_OF_USER', user_id),
    terms('SIMILAR_TO_FOLLOWERS_OF_USER', user_id),
    terms('INTEREST', '1001'),
    terms('LIVE_TV_EVENT', '1ex'),
    terms('USER_ENGAGEMENT', user_id),
    terms('CAMPAIGN_ENGAGEMENT', campaign.id),
    terms('USER_ENGAGEMENT_LOOKALIKE', user_id),
    terms('CAMPAIGN_ENGAGEMENT_LOOKALIKE', campaign.id),
  ];
  const search = await stage.lineItem(campaign, { placements: ['PLATFORM_SEARCH'] });
  const both = await stage.lineItem(campaign, { placements: ['PLATFORM_SEARCH', 'PLATFORM_TIMELINE'] });
  for (const what of refusedTerms) {
    const create = { line_item_id: search.id, ...what };
    expect(await stage.refused('targeting_criteria.create', create), what.targeting_type).toEqual(
      refusal('INVALID_PARAMETER', 'targeting_type'),
    );
    await target(stage, both, what);
  }
  const how = terms('ENGAGEMENT_TYPE', 'IMPRESSION');
  expect(await stage.refused('targeting_criteria.create', { line_item_id: search.id, ...how })).toEqual(
    refusal('INVALID_PARAMETER', 'targeting_type'),
  );
  await target(stage, both, how);
  await target(stage, search, terms('LOCATION', USA));
  const show = { line_item_id: search.id, ...terms('TV_SHOW', NEWSWATCH) };
  expect(await stage.refused('targeting_criteria.create', show)).toEqual(
    refusal('INVALID_PARAMETER', 'targeting_type'),
  );
  for (const type of keywords) await target(stage, search, terms(type, 'autumn'));
});

scenario('T-TIMELINE', async (stage) => {
  const campaign = await stage.campaign();
  const exact = terms('EXACT_KEYWORD', 'autumn');
  for (const placements of [['PLATFORM_TIMELINE'], ['PLATFORM_PROFILE', 'PLATFORM_TIMELINE']]) {
    const lineItem = await stage.lineItem(campaign, { placements });
    const create = { line_item_id: lineItem.id, ...exact };
    expect(await stage.refused('targeting_criteria.create', create)).toEqual(
      refusal('INVALID_PARAMETER', 'targeting_type'),
    );
    await target(stage, lineItem, terms('PHRASE_KEYWORD', 'autumn'));
  }
  await target(stage, await stage.lineItem(campaign), exact);
});

scenario('T-APP-LIST', async (stage) => {
  const campaign = await stage.campaign();
  const list = terms('APP_LIST', '1', 'NE');
  const faults = async (lineItem: Entity) => {
    const create = { line_item_id: lineItem.id, ...list };
    return (await stage.refused('targeting_criteria.create', create)).map(({ parameter }) => parameter);
  };
  expect(await faults(await stage.lineItem(campaign))).toEqual(['targeting_value', 'targeting_type']);
  const network = { placements: ['PUBLISHER_NETWORK'], advertiser_domain: 'example.com', categories: ['IAB1'] };
  // No interface makes app lists, so there is none to name.
  expect(await faults(await stage.lineItem(campaign, network))).toEqual(['targeting_value']);
});

const appInstalls = { objective: 'APP_INSTALLS', ios_app_store_identifier: '333903271' };
const shown = (criteria: readonly Entity[]) => criteria.map(({ name, operator_type }) => `${operator_type} ${name}`);

scenario('T-APP-PLATFORM', async (stage) => {
  const campaign = await stage.campaign();
  const lineItem = await stage.lineItem(campaign, appInstalls);
  const line_item_id = lineItem.id;
  const [automatic] = await listed(stage, lineItem);
  expect(automatic).toMatchObject({ targeting_type: 'PLATFORM', targeting_value: '0', name: 'iOS', line_item_id });
  await stage.one('line_items.update', { line_item_id, android_app_store_identifier: 'com.example.app' });
  expect(shown(await listed(stage, lineItem))).toEqual(['EQ iOS', 'EQ Android']);
  await stage.one('line_items.update', { line_item_id, name: 'Renamed', ios_app_store_identifier: '444' });
  expect(shown(await listed(stage, lineItem))).toEqual(['EQ iOS', 'EQ Android']);
  await stage.one('line_items.update', { line_item_id, ios_app_store_identifier: null });
  expect(shown(await listed(stage, lineItem))).toEqual(['EQ Android']);
  const both = { ...appInstalls, android_app_store_identifier: 'com.example.app' };
  expect(shown(await listed(stage, await stage.lineItem(campaign, both))).sort()).toEqual(['EQ Android', 'EQ iOS']);
  const plain = await someLineItem(stage);
  expect(await listed(stage, plain)).toEqual([]);
});

scenario('T-APP-PLATFORM-KEPT', async (stage) => {
  const campaign = await stage.campaign();
  const android = { android_app_store_identifier: 'com.example.app' };
  const lineItem = await stage.lineItem(campaign, appInstalls);
  const line_item_id = lineItem.id;
  const [ios] = await listed(stage, lineItem);
  await stage.one('targeting_criteria.delete', { targeting_criterion_id: ios?.id });
  await stage.one('line_items.update', { line_item_id, ios_app_store_identifier: '444' });
  expect(await listed(stage, lineItem)).toEqual([]);
  // The advertiser's own, which does not go with the app.
  const own = await target(stage, lineItem, terms('PLATFORM', '1'));
  await stage.one('line_items.update', { line_item_id, ...android });
  expect(await listed(stage, lineItem)).toEqual([own]);
  await stage.one('line_items.update', { line_item_id, android_app_store_identifier: null });
  expect(await listed(stage, lineItem)).toEqual([own]);
  // Devices say more than the platform would.
  const narrow = await stage.lineItem(campaign, { objective: 'APP_INSTALLS', ...android });
  const device = await target(stage, narrow, terms('DEVICE', '1r'));
  await stage.one('line_items.update', { line_item_id: narrow.id, ios_app_store_identifier: '333903271' });
  expect(await listed(stage, narrow)).toEqual([expect.objectContaining({ name: 'Android' }), device]);
});

scenario('T-APP-PLATFORM-BATCH', async (stage) => {
  const campaign = await stage.campaign();
  const android = { android_app_store_identifier: 'com.example.app' };
  const create = (params: Params) => ({
    operation_type: 'Create',
    params: { ...lineItemOf(campaign), objective: 'APP_INSTALLS', ...params },
  });
  const made = await stage.many('line_items.batch', { operations: [create(appInstalls), create(android)] });
  const [ios, other] = made;
  if (!ios || !other) throw new TypeError('two line items');
  expect(shown(await listed(stage, ios))).toEqual(['EQ iOS']);
  expect(shown(await listed(stage, other))).toEqual(['EQ Android']);
  // One app takes the place of the other in one step.
  const params = { line_item_id: ios.id, ios_app_store_identifier: null, ...android };
  await stage.many('line_items.batch', { operations: [{ operation_type: 'Update', params }] });
  expect(shown(await listed(stage, ios))).toEqual(['EQ Android']);
  const excluded = await target(stage, other, terms('PLATFORM', '0', 'NE'));
  await stage.one('line_items.update', { line_item_id: other.id, ios_app_store_identifier: '333903271' });
  expect(shown(await listed(stage, other))).toEqual(['EQ Android', 'NE iOS']);
  // An app that comes again brings its platform again, though it was deleted meanwhile.
  await stage.one('targeting_criteria.delete', { targeting_criterion_id: excluded.id });
  for (const ios_app_store_identifier of [null, '444']) {
    await stage.one('line_items.update', { line_item_id: other.id, ios_app_store_identifier });
  }
  expect(shown(await listed(stage, other))).toEqual(['EQ Android', 'EQ iOS']);
});
