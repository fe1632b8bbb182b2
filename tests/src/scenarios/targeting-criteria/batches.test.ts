/** Batches of targeting criteria: reference, targeting section 6. */
import { families } from '@broadside/server';
import { expect } from 'vitest';
import { scenarios } from '../../support/scenario.ts';
import {
  batch,
  batchRejected,
  creation,
  deletion,
  listed,
  OPERATOR,
  rejection,
  someLineItem,
  target,
  terms,
} from './terms.ts';

const scenario = scenarios();

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
  const errors = await batchRejected(stage, [
    deletion(old),
    creation(lineItem, terms('LANGUAGE', 'xx')),
    creation(lineItem, terms('LANGUAGE', 'fr')),
    creation(lineItem, terms('PLATFORM', '9', 'GTE')),
  ]);
  expect(errors).toEqual([
    [],
    rejection('INVALID_PARAMETER', 'targeting_value'),
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
  const alone = rejection('INCLUSIVE_PARAMETERS', 'targeting_type');
  // Two items that lack the same parameter: reported once, at the last. Criteria of another line item are ignored.
  const items = [
    creation(one, how('IMPRESSION')),
    creation(one, how('VIDEO_VIEW')),
    creation(two, terms('CAMPAIGN_ENGAGEMENT', campaign.id)),
    creation(two, how('IMPRESSION')),
  ];
  expect(await batchRejected(stage, items)).toEqual([[], alone, [], []]);
  const engager = await target(stage, one, terms('CAMPAIGN_ENGAGEMENT', campaign.id));
  const other = await target(stage, one, terms('USER_ENGAGEMENT', stage.user.user_id));
  await target(stage, one, how('IMPRESSION'));
  const elsewhere = await target(stage, two, terms('LANGUAGE', 'de'));
  expect(await batchRejected(stage, [deletion(engager), deletion(other), deletion(elsewhere)])).toEqual([
    [],
    rejection('INCLUSIVE_PARAMETERS', 'targeting_criterion_id'),
    [],
  ]);
  expect(await listed(stage, one)).toHaveLength(3);
});

scenario('T-BATCH-ORDER', async (stage) => {
  const lineItem = await someLineItem(stage);
  const old = await target(stage, lineItem, terms('AGE', 'AGE_OVER_18'));
  const young = creation(lineItem, terms('AGE', 'AGE_OVER_21'));
  expect(await batchRejected(stage, [young, deletion(old)])).toEqual([
    rejection('REQUEST_TOO_COMPLEX', 'targeting_type'),
    [],
  ]);
  expect(await batchRejected(stage, [deletion(old), deletion(old)])).toEqual([
    [],
    rejection('TARGETING_CRITERION_NOT_FOUND', 'targeting_criterion_id'),
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
    writer.of(families.targeting_criteria.targetingCriterion).insert({
      line_item_id: lineItem.id,
      name: 'RETARGETING_ENGAGEMENT_TYPE',
      targeting_type: 'ENGAGEMENT_TYPE',
      targeting_value: 'IMPRESSION',
      operator_type: 'EQ',
      automatic: false,
    }),
  );
  const language = await target(stage, lineItem, terms('LANGUAGE', 'de'));
  await batch(stage, [deletion(language), creation(lineItem, terms('GENDER', '2'))]);
  expect(await listed(stage, lineItem)).toHaveLength(2);
});

scenario('T-BATCH-LIMIT', async (stage) => {
  const lineItem = await someLineItem(stage);
  const words = Array.from({ length: 501 }, (_, i) => creation(lineItem, terms('BROAD_KEYWORD', `word ${i}`)));
  const errors = await stage.rejected('targeting_criteria.batch', { operations: words });
  // tRPC checks its input as a whole.
  expect(['REQUEST_TOO_COMPLEX', 'INVALID_PARAMETER']).toContain(errors[0]?.code);
  expect(await batch(stage, words.slice(1))).toHaveLength(500);
});
