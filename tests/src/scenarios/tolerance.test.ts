/** Requests of published clients that the documents do not describe. */
import { allOperations } from '@broadside/core';
import { expect, test } from 'vitest';
import { member } from '../support/body.ts';
import { about, scenarios } from '../support/scenario.ts';

const scenario = scenarios();

scenario('T-BOOLEANS', async (stage) => {
  const { world, account_id } = stage;
  const path = `/12/accounts/${account_id}/campaigns`;
  const campaign = await stage.campaign();
  await stage.ok('campaigns.delete', { campaign_id: campaign.id });
  for (const [text, shown] of [
    ['True', [campaign.id]],
    ['1', [campaign.id]],
    ['False', []],
    ['0', []],
  ] as const) {
    const { status, body } = await world.request({ path, query: { with_deleted: text } });
    expect(status, text).toBe(200);
    expect(member(member(member(body, 'request'), 'params'), 'with_deleted'), text).toBe(shown.length > 0);
    expect(body, text).toMatchObject({ data: shown.map((id) => ({ id })) });
  }
  for (const text of ['yes', '2', 'TRUE', 'on', '']) {
    const { status, body } = await world.request({ path, query: { with_deleted: text } });
    expect(status, text).toBe(400);
    expect(body).toMatchObject({ errors: [{ parameter: 'with_deleted', value: text }] });
    expect(JSON.stringify(body)).toContain('Expected true or false, got ');
  }
});

scenario('T-CURSOR-EMPTY', async (stage) => {
  const { world, account_id } = stage;
  await stage.campaign();
  const path = `/12/accounts/${account_id}/campaigns`;
  const { status, body } = await world.request({ path, query: { cursor: '', with_total_count: 'true' } });
  expect(status).toBe(200);
  expect(body).toMatchObject({ request: { params: { account_id, with_total_count: true } }, total_count: 1 });
  expect(member(member(body, 'request'), 'params')).not.toHaveProperty('cursor');
});

scenario('T-SORT-DIRECTION', async ({ world, account_id }) => {
  const path = `/12/accounts/${account_id}/cards`;
  for (const sort_by of ['name', 'created_at-desc,name']) {
    const { status, body } = await world.request({ path, query: { sort_by } });
    expect(status).toBe(400);
    const message = 'Expected name-asc or name-desc (did you mean "name-asc"?), got ';
    expect(body).toMatchObject({ errors: [{ parameter: 'sort_by', message: expect.stringContaining(message) }] });
  }
  const other = await world.request({ path, query: { sort_by: 'size-asc' } });
  expect(other.text).toContain('Expected one of created_at-asc, ');
});

test(`${about('T-CURSOR-EMPTY')}: in the contract`, () => {
  const paged = allOperations.filter(({ params }) => 'cursor' in params.shape);
  expect(paged.length).toBeGreaterThan(20);
  for (const { id, params } of paged) {
    const { cursor } = params.pick({ cursor: true }).parse({ cursor: '' });
    expect(cursor, id).toBeUndefined();
  }
});

scenario('T-BATCH-FAULTS', async (stage) => {
  const { world, account_id, funding_instrument_id } = stage;
  const sound = { operation_type: 'Create', params: { funding_instrument_id, name: 'sound' } };
  const gone = { operation_type: 'Update', params: { campaign_id: 'nosuch', name: 'x' } };
  const malformed = { operation_type: 'Create', params: { funding_instrument_id, nam: 'x' } };
  const path = `/12/batch/accounts/${account_id}/campaigns`;
  const json = [malformed, sound, gone, { operation_type: 'Nothing', params: {} }, gone];
  const { status, body } = await world.request({ method: 'POST', path, json });
  expect(status).toBe(400);
  const missing = [{ code: 'CAMPAIGN_NOT_FOUND', parameter: 'campaign_id', value: 'nosuch' }];
  expect(member(body, 'operation_errors')).toMatchObject([
    [{ code: 'MISSING_PARAMETER', parameter: 'name' }, { parameter: 'nam' }],
    [],
    missing,
    [{ parameter: 'operation_type' }],
    missing,
  ]);
  expect(await stage.many('campaigns.list', { with_deleted: true })).toEqual([]);

  const audience = await stage.one('custom_audiences.create', { name: 'People' });
  const users = [{ email: ['a'.repeat(64)] }];
  const late = { effective_at: '2026-03-01T00:00:00Z', expires_at: '2026-02-01T00:00:00Z' };
  const answer = await world.request({
    method: 'POST',
    path: `/12/accounts/${account_id}/custom_audiences/${audience.id}/users`,
    json: [
      { operation_type: 'Update', params: { users } },
      { operation_type: 'Update', params: { users: [{ email: ['plain'] }] } },
      { operation_type: 'Update', params: { users, ...late } },
    ],
  });
  expect(answer.status, answer.text).toBe(400);
  expect(member(answer.body, 'operation_errors')).toMatchObject([
    [],
    [{ parameter: expect.stringContaining('email') }],
    [{ code: 'INVALID_TIME_WINDOW' }],
  ]);
  expect(await stage.one('custom_audiences.get', { custom_audience_id: audience.id })).toEqual(audience);
});
