/** Types of targeting criteria, their values and operators: reference, targeting section 3. */
import {
  isPrimary,
  type OperatorType,
  operatorTypes,
  type TargetingType,
  targetingTypeFacts,
  targetingTypes,
} from '@broadside/core/resources/targeting-criteria';
import { expect, test } from 'vitest';
import { about, scenarios } from '../../support/scenario.ts';
import { batchRejected, creation, NEWSWATCH, rejection, someLineItem, target, terms, USA } from './terms.ts';

const scenario = scenarios();

scenario('T-TYPE-UNKNOWN', async (stage) => {
  const lineItem = await someLineItem(stage);
  const create = { line_item_id: lineItem.id, ...terms('SHOE_SIZE', '43') };
  const errors = await stage.rejected('targeting_criteria.create', create);
  expect(errors).toEqual(rejection('INVALID_TARGETING_TYPE', 'targeting_type'));
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
    expect(await stage.rejected('targeting_criteria.create', create), type).toEqual([
      expect.objectContaining({ code: 'INVALID_TARGETING_TYPE', parameter: 'targeting_type', details: hint }),
    ]);
  }
});

/** A valid and an invalid value for each type. A null value is taken from the account. */
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
  const derived: Readonly<Partial<Record<TargetingType, string>>> = {
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
    const value = right ?? derived[type];
    if (value !== undefined) {
      const criterion = await target(stage, lineItem, terms(type, value, operator_type));
      expect(criterion, type).toMatchObject({ targeting_type: type, targeting_value: value });
    }
    const [errors] = await batchRejected(stage, [creation(lineItem, terms(type, wrong, operator_type))]);
    const error = errors?.find(({ parameter }) => parameter === 'targeting_value');
    expect(error, type).toMatchObject({
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
    expect(await stage.rejected('targeting_criteria.create', create)).toEqual(
      rejection('INVALID_PARAMETER', 'targeting_value'),
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
  const errors = await batchRejected(
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
