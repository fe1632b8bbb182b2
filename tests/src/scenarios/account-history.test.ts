/** The changes of an entity: specification C, Account history. */
import { parseJson, stringifyJson } from '@broadside/core';
import { families } from '@broadside/server';
import { expect } from 'vitest';
import { postBy } from '../fixtures/promoted-posts.ts';
import { type Entity, type Stage, scenarios } from '../support/scenario.ts';

const scenario = scenarios();

const { addFeatures } = families.features;
const { campaign: campaigns } = families.campaigns;
const OPERATOR = { user_id: null, platform: 'OPERATOR' } as const;

let users = 0;

/** Lets the account look at its history, and starts the clock at a whole hour. */
async function ready({ world, account_id }: Stage): Promise<{ start_time: string; end_time: string }> {
  await world.platform.ads.sandbox
    .account(account_id)
    .write(OPERATOR, (writer) => addFeatures(writer, ['ACCOUNT_HISTORY']));
  const hour = 3_600_000;
  const now = world.clock.now();
  world.clock.advance(hour - (now % hour));
  return { start_time: timestamp(world.clock.now()), end_time: timestamp(world.clock.now() + hour) };
}

const timestamp = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

async function history(stage: Stage, params: Record<string, unknown>): Promise<Readonly<Record<string, unknown>>[]> {
  const records = await stage.ok('account_history.list', params);
  if (!Array.isArray(records)) throw new TypeError('the history is no list');
  return records;
}

const ofCampaign = ({ id }: Entity) => ({ entity_type: 'CAMPAIGN', entity_id: id });

scenario('C-HISTORY-RECORDS', async (stage) => {
  const span = await ready(stage);
  const { user_id } = stage.world.user;
  const campaign = await stage.campaign({ total_budget_amount_local_micro: 9_007_199_254_740_993n });
  stage.world.clock.advance(1000);
  await stage.one('campaigns.update', { campaign_id: campaign.id, name: 'Renamed', entity_status: 'PAUSED' });
  // An update that changes nothing is not recorded.
  await stage.one('campaigns.update', { campaign_id: campaign.id, name: 'Renamed' });
  const lineItem = await stage.lineItem(campaign);
  await stage.one('campaigns.delete', { campaign_id: campaign.id });
  const records = await history(stage, { ...ofCampaign(campaign), ...span });
  const common = { change_by: { user_id, platform: 'API_OTHER' }, entity: 'CAMPAIGN', entity_id: campaign.id };
  expect(records).toMatchObject([
    { ...common, change_type: 'DELETE', changes: { deleted: { before: false, after: true } } },
    {
      ...common,
      change_type: 'UPDATE',
      changes: {
        name: { before: 'Campaign', after: 'Renamed' },
        entity_status: { before: 'ACTIVE', after: 'PAUSED' },
      },
      entity_data: { name: 'Renamed', entity_status: 'PAUSED', deleted: false },
    },
    { ...common, change_type: 'CREATE', changes: {}, change_time: span.start_time },
  ]);
  const [deletion, , creation] = records;
  expect(deletion?.['entity_data']).toMatchObject({ deleted: true });
  // Members derived from the state around a campaign are not stored with it.
  const { servable: _, reasons_not_servable: __, effective_status: ___, ...stored } = campaign;
  expect(creation?.['entity_data']).toEqual(stored);
  const ofLineItem = await history(stage, { entity_type: 'LINE_ITEM', entity_id: lineItem.id, ...span });
  expect(ofLineItem).toMatchObject([{ change_type: 'CREATE', entity: 'LINE_ITEM', entity_id: lineItem.id }]);
  // A snapshot has no schema of its own: amounts that a number holds are numbers in it.
  expect(ofLineItem[0]?.['entity_data']).toEqual(parseJson(stringifyJson(lineItem)));
  expect(await history(stage, { entity_type: 'LINE_ITEM', entity_id: campaign.id, ...span })).toEqual([]);
});

scenario('C-HISTORY-FEATURE', async (stage) => {
  const campaign = await stage.campaign();
  const span = { start_time: '2026-01-01T00:00:00Z', end_time: '2027-01-01T00:00:00Z' };
  const params = { ...ofCampaign(campaign), ...span };
  expect(await stage.rejected('account_history.list', params)).toMatchObject([
    { code: 'FEATURE_NOT_AVAILABLE', message: expect.stringContaining('ACCOUNT_HISTORY') },
  ]);
  await ready(stage);
  await stage.ok('account_history.list', params);
});

scenario('C-HISTORY-HOURS', async (stage) => {
  const span = await ready(stage);
  const campaign = await stage.campaign();
  const params = ofCampaign(campaign);
  const previous = { start_time: timestamp(Date.parse(span.start_time) - 3_600_000), end_time: span.start_time };
  expect(await history(stage, { ...params, ...span })).toHaveLength(1);
  expect(await history(stage, { ...params, ...previous })).toEqual([]);
  const late = span.start_time.replace(':00Z', ':01Z');
  for (const [name, value] of Object.entries({
    start_time: late,
    end_time: span.end_time.replace(':00:00Z', ':30:00Z'),
  })) {
    const outcome = await stage.call('account_history.list', { ...params, ...span, [name]: value });
    expect(outcome.errors).toMatchObject([{ parameter: name, message: expect.stringContaining('a whole hour') }]);
  }
  expect(
    await stage.rejected('account_history.list', { ...params, start_time: span.end_time, end_time: span.end_time }),
  ).toMatchObject([{ code: 'INVALID_TIME_WINDOW', parameter: 'end_time' }]);
});

scenario('C-HISTORY-USER', async (stage) => {
  const span = await ready(stage);
  const { world, account_id } = stage;
  const colleague = await world.createUser(`historian${++users}`);
  await world.grant(account_id, colleague, ['AD_MANAGER']);
  const campaign = await stage.campaign();
  await stage.one('campaigns.update', { campaign_id: campaign.id, name: 'Theirs' }, colleague);
  const params = { ...ofCampaign(campaign), ...span };
  expect(await history(stage, { ...params, user_id: colleague.user_id })).toMatchObject([{ change_type: 'UPDATE' }]);
  expect(await history(stage, { ...params, user_id: world.user.user_id })).toMatchObject([{ change_type: 'CREATE' }]);
  expect(await history(stage, { ...params, user_id: '1' })).toEqual([]);
  // The operator is not a user, so that no user id finds its changes.
  await world.platform.ads.sandbox.account(account_id).write(OPERATOR, async (writer) => {
    const row = await writer.of(campaigns).get(campaign.id);
    if (row) await writer.of(campaigns).update(row, { name: 'Corrected' });
  });
  const [latest, ...others] = await history(stage, params);
  expect(latest).toMatchObject({
    change_by: OPERATOR,
    change_type: 'UPDATE',
    changes: { name: { before: 'Theirs', after: 'Corrected' } },
  });
  expect(others).toHaveLength(2);
  for (const user_id of [colleague.user_id, world.user.user_id]) {
    expect(await history(stage, { ...params, user_id })).toHaveLength(1);
  }
});

scenario('C-HISTORY-PAGES', async (stage) => {
  const span = await ready(stage);
  const campaign = await stage.campaign();
  for (let i = 1; i <= 6; i++) await stage.one('campaigns.update', { campaign_id: campaign.id, name: `Name ${i}` });
  const params = { ...ofCampaign(campaign), ...span, count: 3 };
  const names: unknown[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < 5; pages++) {
    const outcome = await stage.call('account_history.list', cursor === undefined ? params : { ...params, cursor });
    for (const record of Array.isArray(outcome.data) ? outcome.data : []) names.push(record.entity_data.name);
    cursor = outcome.next_cursor ?? undefined;
    if (cursor === undefined) break;
  }
  expect(names).toEqual(['Name 6', 'Name 5', 'Name 4', 'Name 3', 'Name 2', 'Name 1', 'Campaign']);
  expect(await stage.rejected('account_history.list', { ...params, cursor: 'nonsense' })).toMatchObject([
    { code: 'INVALID_PARAMETER', parameter: 'cursor' },
  ]);
  for (const wrong of [0, 1001]) {
    const outcome = await stage.call('account_history.list', { ...params, count: wrong });
    expect(outcome, `${wrong}`).toMatchObject({ ok: false, errors: [{ parameter: 'count' }] });
  }
  // 200 on a page unless it is said otherwise.
  await stage.world.platform.ads.sandbox.account(stage.account_id).write(OPERATOR, async (writer) => {
    const row = await writer.of(campaigns).get(campaign.id);
    for (let i = 0; row && i < 195; i++) await writer.of(campaigns).update(row, { name: `Again ${i}` });
  });
  const { count: _, ...usual } = params;
  const whole = await stage.call('account_history.list', usual);
  expect(whole).toMatchObject({ data: { length: 200 }, next_cursor: expect.any(String) });
  expect(await history(stage, { ...usual, count: 1000 })).toHaveLength(202);
  // Pages of one user's changes are as full.
  const own = { ...usual, user_id: stage.user.user_id, count: 4 };
  const first = await stage.call('account_history.list', own);
  expect(first).toMatchObject({ data: { length: 4 }, next_cursor: expect.any(String) });
  expect(await stage.call('account_history.list', { ...own, cursor: first.next_cursor })).toMatchObject({
    data: { length: 3 },
    next_cursor: null,
  });
});

scenario('C-HISTORY-ECHO', async (stage) => {
  const span = await ready(stage);
  const { account_id } = stage;
  const query = { entity_type: 'CAMPAIGN', entity_id: 'x1', ...span, count: '5' };
  const answer = await stage.world.request({ path: `/12/accounts/${account_id}/account_history`, query });
  expect(answer.body).toMatchObject({
    request: { params: { account_id, entity: 'CAMPAIGN', entity_id: 'x1', count: 5 } },
  });
  expect(answer.text).not.toContain('entity_type');
});

scenario('C-HISTORY-REQUIRED', async (stage) => {
  const span = await ready(stage);
  const whole = { ...ofCampaign(await stage.campaign()), ...span };
  for (const name of Object.keys(whole)) {
    const errors = await stage.rejected('account_history.list', { ...whole, [name]: undefined });
    expect(errors, name).toMatchObject([{ code: 'MISSING_PARAMETER', parameter: name }]);
  }
  for (const entity_type of ['ACCOUNT', 'MEDIA_CREATIVE', 'campaign']) {
    const outcome = await stage.call('account_history.list', { ...whole, entity_type });
    expect(outcome, entity_type).toMatchObject({ ok: false, errors: [{ parameter: 'entity_type' }] });
  }
});

scenario('C-HISTORY-KINDS', async (stage) => {
  const span = await ready(stage);
  const { user_id } = stage.user;
  const lineItem = await stage.lineItem(await stage.campaign());
  const followers = await stage.lineItem(await stage.campaign(), {
    objective: 'FOLLOWERS',
    product_type: 'PROMOTED_ACCOUNT',
  });
  const language = { targeting_type: 'LANGUAGE', targeting_value: 'en' };
  const [post] = await stage.many('promoted_posts.create', {
    line_item_id: lineItem.id,
    post_ids: [await postBy(stage.world, user_id)],
  });
  const criterion = await stage.one('targeting_criteria.create', { line_item_id: lineItem.id, ...language });
  const account = await stage.one('promoted_accounts.create', { line_item_id: followers.id, user_id });
  if (!post) throw new TypeError('nothing was promoted');
  const parts = [
    ['PROMOTED_POST', post, () => stage.ok('promoted_posts.delete', { promoted_post_id: post.id })],
    [
      'TARGETING_CRITERIA',
      criterion,
      () => stage.ok('targeting_criteria.delete', { targeting_criterion_id: criterion.id }),
    ],
    ['PROMOTED_ACCOUNT', account, () => stage.ok('promoted_accounts.delete', { promoted_account_id: account.id })],
  ] as const;
  for (const [entity, { id: entity_id, line_item_id }, remove] of parts) {
    const read = () => history(stage, { entity_type: entity, entity_id, ...span });
    const common = { entity, entity_id, change_by: { user_id, platform: 'API_OTHER' } };
    const created = {
      ...common,
      change_type: 'CREATE',
      changes: {},
      entity_data: { id: entity_id, line_item_id, deleted: false },
    };
    expect(await read()).toMatchObject([created]);
    await remove();
    expect(await read()).toMatchObject([
      { ...common, change_type: 'DELETE', changes: { deleted: { before: false, after: true } } },
      created,
    ]);
  }
});
