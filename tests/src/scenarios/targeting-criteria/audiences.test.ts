/** Custom audiences as values of criteria: reference, targeting section 3; specification B, States. */
import { expect } from 'vitest';
import { type Entity, type Stage, scenarios } from '../../support/scenario.ts';
import { countedAs, sibling, targetableAudience } from '../../support/sharing.ts';
import { listed, rejection, someLineItem, target, terms } from './terms.ts';

const scenario = scenarios();

const wrong = (reason: string) => [
  expect.objectContaining({
    code: 'INVALID_PARAMETER',
    parameter: 'targeting_value',
    message: expect.stringContaining(reason),
  }),
];

/** A flexible audience of the scenario's account over others, which can be targeted. */
async function flexible(stage: Stage, account_id: string, ids: readonly string[]): Promise<Entity> {
  const child_segments = ids.map((custom_audience_id) => ({ custom_audience_id, lookback_window: 30 }));
  const params = {
    name: `Over ${ids}`,
    audience_type: 'FLEXIBLE',
    segments: { boolean_operator: 'OR', child_segments },
  };
  const operations = [{ operation_type: 'Create', params }];
  const [made] = await stage.many('custom_audiences.batch', { account_id, operations });
  if (!made) throw new TypeError('the batch created nothing');
  await countedAs(stage.world, account_id, made.id, 1_000);
  return made;
}

function share(stage: Stage, custom_audience_id: string, granted_account_id: string, permission_level = 'READ_ONLY') {
  const terms = { custom_audience_id, granted_account_id, permission_level };
  return stage.one('custom_audience_permissions.create', terms);
}

/** A line item in another account of the user. */
async function lineItemIn(stage: Stage, account_id: string): Promise<Entity> {
  const funding_instrument_id = await stage.world.createFundingInstrument(account_id);
  const campaign = await stage.campaign({ account_id, funding_instrument_id });
  return stage.lineItem(campaign, { account_id });
}

scenario('T-AUDIENCES', async (stage) => {
  const lineItem = await someLineItem(stage);
  const small = await stage.one('custom_audiences.create', { name: 'Small' });
  const counted = await stage.one('custom_audiences.create', { name: 'Counted' });
  await countedAs(stage.world, stage.account_id, counted.id, 99);
  const deleted = await targetableAudience(stage, 'Deleted');
  await stage.ok('custom_audiences.delete', { custom_audience_id: deleted.id });
  const elsewhere = await sibling(stage);
  const foreign = await stage.one('custom_audiences.create', { account_id: elsewhere, name: 'Foreign' });
  await countedAs(stage.world, elsewhere, foreign.id, 1_000);
  const reasons = [
    [small.id, 'it is PROCESSING and TOO_SMALL'],
    [counted.id, 'it is TOO_SMALL'],
    [deleted.id, 'it has been deleted'],
    [foreign.id, 'the id of a custom audience of the account'],
    ['1nmth', 'the id of a custom audience of the account'],
  ] as const;
  for (const type of ['CUSTOM_AUDIENCE', 'CUSTOM_AUDIENCE_EXPANDED']) {
    for (const [id, reason] of reasons) {
      const create = { line_item_id: lineItem.id, ...terms(type, id) };
      expect(await stage.rejected('targeting_criteria.create', create), id).toEqual(wrong(reason));
      const estimate = { targeting_criteria: [terms(type, id)] };
      expect(await stage.rejected('audience_estimate.create', estimate), id).toMatchObject([
        { code: 'INVALID_PARAMETER', parameter: 'targeting_criteria', message: expect.stringContaining(reason) },
      ]);
    }
  }
  const [unknown, others] = [terms('CUSTOM_AUDIENCE', '1nmth'), terms('CUSTOM_AUDIENCE', foreign.id)];
  const answer = async (value: { targeting_value: string }) => {
    const errors = await stage.rejected('targeting_criteria.create', { line_item_id: lineItem.id, ...value });
    return JSON.stringify(errors).replaceAll(value.targeting_value, 'ID');
  };
  expect(await answer(others)).toBe(await answer(unknown));
  expect(await listed(stage, lineItem)).toEqual([]);
});

scenario('T-AUDIENCES-TARGETED', async (stage) => {
  const audience = await targetableAudience(stage, 'Readers');
  const over = await flexible(stage, stage.account_id, [audience.id]);
  for (const { id } of [audience, over]) {
    for (const what of [
      terms('CUSTOM_AUDIENCE', id, 'EQ'),
      terms('CUSTOM_AUDIENCE', id, 'NE'),
      terms('CUSTOM_AUDIENCE_EXPANDED', id),
    ]) {
      const lineItem = await someLineItem(stage);
      const made = await target(stage, lineItem, what);
      expect(made).toMatchObject({ ...what, name: 'Custom audience targeting', operator_type: expect.any(String) });
      expect(await listed(stage, lineItem)).toEqual([made]);
      // The audience and its lookalike, or the audience and its opposite, are not on one line item.
      const other = what.targeting_type === 'CUSTOM_AUDIENCE' ? 'CUSTOM_AUDIENCE_EXPANDED' : 'CUSTOM_AUDIENCE';
      const both = { line_item_id: lineItem.id, ...terms(other, id) };
      expect(await stage.rejected('targeting_criteria.create', both)).toEqual(
        rejection('INVALID_PARAMETER', 'targeting_value'),
      );
      expect(await stage.ok('audience_estimate.create', { targeting_criteria: [what] })).toHaveProperty(
        'audience_size',
      );
    }
  }
  const lineItem = await someLineItem(stage);
  const lookalike = { line_item_id: lineItem.id, ...terms('CUSTOM_AUDIENCE_EXPANDED', audience.id, 'NE') };
  expect(await stage.rejected('targeting_criteria.create', lookalike)).toEqual(
    rejection('INVALID_PARAMETER', 'operator_type'),
  );
});

scenario('T-AUDIENCES-KEPT', async (stage) => {
  const [shrunk, deleted] = [await targetableAudience(stage, 'Shrunk'), await targetableAudience(stage, 'Deleted')];
  const [lineItem, later] = [await someLineItem(stage), await someLineItem(stage)];
  const made = [
    await target(stage, lineItem, terms('CUSTOM_AUDIENCE', shrunk.id)),
    await target(stage, lineItem, terms('CUSTOM_AUDIENCE', deleted.id)),
  ];
  await countedAs(stage.world, stage.account_id, shrunk.id, 7);
  await stage.ok('custom_audiences.delete', { custom_audience_id: deleted.id });
  expect(await listed(stage, lineItem)).toEqual(made);
  for (const { id } of [shrunk, deleted]) {
    // A criterion that is there already stays what it is; a new one is rejected.
    await target(stage, lineItem, terms('CUSTOM_AUDIENCE', id));
    const create = { line_item_id: later.id, ...terms('CUSTOM_AUDIENCE', id) };
    expect(await stage.rejected('targeting_criteria.create', create)).toEqual(wrong('cannot'));
  }
  // What else the line item targets can change.
  await target(stage, lineItem, terms('GENDER', '2'));
  await stage.ok('line_items.update', { line_item_id: lineItem.id, name: 'Still there' });
  expect(await listed(stage, lineItem)).toHaveLength(3);
});

scenario('T-AUDIENCES-SHARED', async (stage) => {
  const audience = await targetableAudience(stage, 'Readers');
  for (const level of ['READ_ONLY', 'READ_WRITE']) {
    const account_id = await sibling(stage);
    const permission = await share(stage, audience.id, account_id, level);
    const [lineItem, later] = [await lineItemIn(stage, account_id), await lineItemIn(stage, account_id)];
    const create = (at: Entity, operator_type = 'EQ') => ({
      account_id,
      line_item_id: at.id,
      ...terms('CUSTOM_AUDIENCE', audience.id, operator_type),
    });
    const made = await stage.one('targeting_criteria.create', create(lineItem));
    const estimate = { account_id, targeting_criteria: [terms('CUSTOM_AUDIENCE', audience.id)] };
    await stage.ok('audience_estimate.create', estimate);
    await stage.ok('custom_audience_permissions.delete', {
      custom_audience_id: audience.id,
      custom_audience_permission_id: permission.id,
    });
    const kept = { account_id, line_item_ids: [lineItem.id] };
    expect(await stage.many('targeting_criteria.list', kept)).toEqual([made]);
    expect(await stage.one('targeting_criteria.create', create(lineItem))).toEqual(made);
    await stage.ok('line_items.update', { account_id, line_item_id: lineItem.id, name: 'Still there' });
    const reason = 'it is no longer shared with the account';
    for (const operator_type of ['EQ', 'NE']) {
      expect(await stage.rejected('targeting_criteria.create', create(later, operator_type))).toEqual(wrong(reason));
    }
    expect(await stage.rejected('audience_estimate.create', estimate)).toMatchObject([
      { parameter: 'targeting_criteria', message: expect.stringContaining(reason) },
    ]);
    // What is deleted is not created anew.
    await stage.ok('targeting_criteria.delete', { account_id, targeting_criterion_id: made.id });
    expect(await stage.rejected('targeting_criteria.create', create(lineItem))).toEqual(wrong(reason));
    await share(stage, audience.id, account_id, level);
    await stage.ok('targeting_criteria.create', create(later));
  }
});

scenario('T-AUDIENCES-LEAVES', async (stage) => {
  const audience = await targetableAudience(stage, 'Readers');
  const account_id = await sibling(stage);
  const permission = await share(stage, audience.id, account_id);
  const over = await flexible(stage, account_id, [audience.id]);
  const [lineItem, later] = [await lineItemIn(stage, account_id), await lineItemIn(stage, account_id)];
  const create = (at: Entity) => ({ account_id, line_item_id: at.id, ...terms('CUSTOM_AUDIENCE', over.id) });
  const made = await stage.one('targeting_criteria.create', create(lineItem));
  // Nobody passes on what is shared with them: neither by itself nor in a tree.
  const terms12 = { granted_account_id: await sibling(stage), permission_level: 'READ_ONLY' };
  for (const [custom_audience_id, reason] of [
    [audience.id, `Only account ${stage.account_id}`],
    [over.id, `combines ${audience.id} of other accounts`],
  ] as const) {
    const params = { account_id, custom_audience_id, ...terms12 };
    expect(await stage.rejected('custom_audience_permissions.create', params, 403)).toMatchObject([
      { code: 'ACTION_NOT_ALLOWED', parameter: 'custom_audience_id', message: expect.stringContaining(reason) },
    ]);
  }
  await stage.ok('custom_audience_permissions.delete', {
    custom_audience_id: audience.id,
    custom_audience_permission_id: permission.id,
  });
  expect(await stage.many('targeting_criteria.list', { account_id, line_item_ids: [lineItem.id] })).toEqual([made]);
  expect(await stage.rejected('targeting_criteria.create', create(later))).toEqual(
    wrong(`it combines the audience ${audience.id}, which is no longer shared`),
  );
  // Audiences of the account itself may be gone: the flexible one counts on without them.
  const [own, gone] = [await targetableAudience(stage, 'Own'), await targetableAudience(stage, 'Gone')];
  const both = await flexible(stage, stage.account_id, [own.id, gone.id]);
  await stage.ok('custom_audiences.delete', { custom_audience_id: gone.id });
  await target(stage, await someLineItem(stage), terms('CUSTOM_AUDIENCE', both.id));
});

scenario('T-AUDIENCES-RACES', async (stage) => {
  const audience = await targetableAudience(stage, 'Readers');
  const account_id = await sibling(stage);
  for (let round = 0; round < 6; round++) {
    const permission = await share(stage, audience.id, account_id);
    const { id: line_item_id } = await lineItemIn(stage, account_id);
    const criterion = { account_id, line_item_id, ...terms('CUSTOM_AUDIENCE', audience.id) };
    const [created, revoked] = await Promise.all([
      stage.call('targeting_criteria.create', criterion),
      stage.call('custom_audience_permissions.delete', {
        custom_audience_id: audience.id,
        custom_audience_permission_id: permission.id,
      }),
    ]);
    expect(revoked.ok).toBe(true);
    const { database } = stage.world.platform.ads.sandbox;
    const order = await database.query(
      `SELECT "entity" FROM "change_log" WHERE ("entity" = 'TARGETING_CRITERIA' AND "account_id" = ?)
       OR ("entity" = 'CUSTOM_AUDIENCE_PERMISSION' AND "entity_id" = ? AND "change_type" = 'DELETE') ORDER BY "seq" DESC LIMIT 2`,
      [account_id, permission.id],
    );
    // The end of the permission is the last of the two: a criterion never comes after it.
    expect(order[0]).toEqual(['CUSTOM_AUDIENCE_PERMISSION']);
    const list = { account_id, line_item_ids: [line_item_id] };
    expect(await stage.many('targeting_criteria.list', list)).toHaveLength(created.ok ? 1 : 0);
    if (!created.ok) expect(created.errors).toEqual(wrong('no longer shared'));
  }
});
