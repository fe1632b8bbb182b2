/** Envelopes, echoes, times, places of parameters and errors: specification A, shared conventions and Errors. */
import { expect } from 'vitest';
import { idOf, member } from '../support/body.ts';
import { scenarios } from '../support/scenario.ts';

const scenario = scenarios();

scenario('A-ENVELOPE-ENTITY', async ({ world, account_id, funding_instrument_id }) => {
  const path = `/12/accounts/${account_id}/campaigns`;
  const query = { funding_instrument_id, name: 'One' };
  const created = await world.request({ method: 'POST', path, query });
  const one = `${path}/${idOf(created.body)}`;
  const answers = [
    created,
    await world.request({ path: one }),
    await world.request({ method: 'PUT', path: one, query: { name: 'Two' } }),
    await world.request({ method: 'DELETE', path: one }),
  ];
  for (const { status, body } of answers) {
    expect(status).toBe(200);
    expect(Object.keys(body ?? {})).toEqual(['request', 'data']);
    expect(body).toMatchObject({ request: { params: { account_id } }, data: { id: idOf(created.body) } });
  }
});

scenario('A-ENVELOPE-LIST', async (stage) => {
  const { world, account_id } = stage;
  const path = `/12/accounts/${account_id}/campaigns`;
  const empty = await world.request({ path });
  expect(empty.body).toEqual({ request: { params: { account_id } }, next_cursor: null, data: [] });
  await stage.campaign();
  await stage.campaign();
  const { body } = await world.request({ path, query: { count: 1, with_total_count: true } });
  expect(Object.keys(body ?? {}).sort()).toEqual(['data', 'next_cursor', 'request', 'total_count']);
  expect(body).toMatchObject({ next_cursor: expect.any(String), total_count: 2 });
  const features = await world.request({ path: `/12/accounts/${account_id}/features` });
  expect(Object.keys(features.body ?? {})).toEqual(['request', 'data']);
});

scenario('A-ECHO', async (stage) => {
  const { world, account_id, funding_instrument_id } = stage;
  const campaign = await stage.campaign({ budget_optimization: 'LINE_ITEM' });
  const echoOf = async (request: Parameters<typeof world.request>[0]) => {
    const { status, body } = await world.request(request);
    expect(status, JSON.stringify(request)).toBe(200);
    return member(member(body, 'request'), 'params');
  };
  const campaigns = `/12/accounts/${account_id}/campaigns`;
  expect(await echoOf({ path: '/12/accounts' })).toEqual({});
  expect(await echoOf({ path: campaigns })).toEqual({ account_id });
  expect(await echoOf({ path: `${campaigns}/${campaign.id}`, query: { with_deleted: 'true' } })).toEqual({
    account_id,
    campaign_id: campaign.id,
    with_deleted: true,
  });
  const query = {
    count: '2',
    sort_by: 'created_at-desc',
    campaign_ids: `${campaign.id}`,
    q: 'Camp',
    with_draft: 'false',
  };
  expect(await echoOf({ path: campaigns, query })).toEqual({
    account_id,
    count: 2,
    sort_by: ['created_at-desc'],
    campaign_ids: [campaign.id],
    q: 'Camp',
    with_draft: false,
  });
  const lineItem = {
    campaign_id: campaign.id,
    objective: 'REACH',
    product_type: 'PROMOTED_POSTS',
    placements: 'ALL_ON_PLATFORM',
    start_time: '2026-02-01',
    end_time: '2026-03-01T10:00:00.999+0530',
    bid_amount_local_micro: '140000',
    frequency_cap: '3',
    duration_in_days: '7',
    standard_delivery: 'false',
  };
  const read = {
    account_id,
    ...lineItem,
    placements: ['ALL_ON_PLATFORM'],
    start_time: '2026-02-01T00:00:00Z',
    end_time: '2026-03-01T04:30:00Z',
    bid_amount_local_micro: 140000,
    frequency_cap: 3,
    duration_in_days: 7,
    standard_delivery: false,
  };
  const path = `/12/accounts/${account_id}/line_items`;
  expect(await echoOf({ method: 'POST', path, query: lineItem })).toEqual(read);
  expect(await echoOf({ method: 'POST', path, form: lineItem })).toEqual(read);
  expect(await echoOf({ method: 'POST', path, json: { ...read, account_id: undefined } })).toEqual(read);
  expect(
    await echoOf({ method: 'DELETE', path: `/12/accounts/${account_id}/funding_instruments/${funding_instrument_id}` }),
  ).toEqual({ account_id, funding_instrument_id });
  expect(await echoOf({ method: 'POST', path: '/12/accounts' })).toEqual({});
});

scenario('A-ECHO-UNSET', async (stage) => {
  const { world, account_id } = stage;
  const campaign = await stage.campaign({ purchase_order_number: 'PO 1' });
  const path = `/12/accounts/${account_id}/campaigns/${campaign.id}`;
  for (const how of [
    { query: { purchase_order_number: '' } },
    { form: { purchase_order_number: '' } },
    { json: { purchase_order_number: '' } },
    { json: { purchase_order_number: null } },
  ]) {
    const { body } = await world.request({ method: 'PUT', path, ...how });
    expect(member(body, 'request')).toEqual({
      params: { account_id, campaign_id: campaign.id, purchase_order_number: null },
    });
  }
});

scenario('A-ECHO-REFUSED', async ({ world, account_id }) => {
  const path = `/12/accounts/${account_id}/campaigns`;
  const { status, body } = await world.request({
    path,
    query: { count: '0', q: 'x', with_deleted: 'true', typo: '1' },
  });
  expect(status).toBe(400);
  expect(member(body, 'request')).toEqual({ params: { account_id, q: 'x', with_deleted: true } });
});

scenario('A-TIMES', async (stage) => {
  const campaign = await stage.campaign();
  const forms = [
    ['2026-02-01', '2026-02-01T00:00:00Z'],
    ['2026-02-01T10:20:30Z', '2026-02-01T10:20:30Z'],
    ['2026-02-01T10:20:30.999Z', '2026-02-01T10:20:30Z'],
    ['2026-02-01T10:20:30+0530', '2026-02-01T04:50:30Z'],
    ['2026-02-01T10:20:30+05:30', '2026-02-01T04:50:30Z'],
    ['2026-02-01T10:20:30-08', '2026-02-01T18:20:30Z'],
    ['2026-02-01T23:59:59-0001', '2026-02-02T00:00:59Z'],
    ['2024-02-29T00:00:00+00:01', '2024-02-28T23:59:00Z'],
  ] as const;
  for (const [given, shown] of forms) {
    expect(await stage.lineItem(campaign, { start_time: given, end_time: '2027-01-01' }), given).toMatchObject({
      start_time: shown,
      end_time: '2027-01-01T00:00:00Z',
    });
  }
  stage.world.clock.advance(1999);
  expect((await stage.campaign()).created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
});

scenario('A-PLACES', async (stage) => {
  const { world, account_id, funding_instrument_id } = stage;
  const path = `/12/accounts/${account_id}/campaigns`;
  const params = { funding_instrument_id, name: 'Ünï & co = 1+1 %41', daily_budget_amount_local_micro: 5 };
  const shown = { data: { name: params.name, daily_budget_amount_local_micro: 5 } };
  for (const how of [{ query: params }, { form: params }, { json: params }]) {
    expect((await world.request({ method: 'POST', path, ...how })).body).toMatchObject(shown);
  }
  const { name, ...rest } = params;
  expect((await world.request({ method: 'POST', path, query: { name }, form: rest })).body).toMatchObject(shown);
  expect((await world.request({ method: 'POST', path, query: rest, json: { name } })).body).toMatchObject(shown);
  const charset = { 'content-type': 'Application/JSON; charset=UTF-8' };
  expect((await world.request({ method: 'POST', path, json: params, headers: charset })).body).toMatchObject(shown);
  for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'application/xml', '', 'application/jsonx']) {
    const request = { method: 'POST', path, body: JSON.stringify(params), headers: { 'content-type': type } };
    expect((await world.request(request)).status, type).toBe(415);
  }
});

scenario('A-UNSET-FIXED', async (stage) => {
  const { world, account_id } = stage;
  const campaign = await stage.campaign({ daily_budget_amount_local_micro: 5 });
  const path = `/12/accounts/${account_id}/campaigns/${campaign.id}`;
  for (const name of ['name', 'budget_optimization', 'entity_status', 'standard_delivery']) {
    for (const how of [{ query: { [name]: '' } }, { json: { [name]: null } }]) {
      const { status, body } = await world.request({ method: 'PUT', path, ...how });
      expect(status, name).toBe(400);
      expect(body).toMatchObject({ errors: [{ parameter: name }] });
    }
  }
  expect(await stage.one('campaigns.get', { campaign_id: campaign.id })).toEqual(campaign);
});

scenario('A-UNSET', async (stage) => {
  const budgets = {
    daily_budget_amount_local_micro: 5,
    total_budget_amount_local_micro: 50,
    purchase_order_number: 'PO',
  };
  for (const name of Object.keys(budgets)) {
    const campaign = await stage.campaign(budgets);
    const changed = await stage.one('campaigns.update', { campaign_id: campaign.id, [name]: null });
    expect(changed).toEqual({ ...campaign, [name]: null, updated_at: changed['updated_at'] });
  }
});

scenario('A-PUT-PARTIAL', async (stage) => {
  const campaign = await stage.campaign({ total_budget_amount_local_micro: 50, purchase_order_number: 'PO' });
  stage.world.clock.advance(3000);
  const changed = await stage.one('campaigns.update', { campaign_id: campaign.id, name: 'Renamed' });
  expect(changed).toEqual({ ...campaign, name: 'Renamed', updated_at: expect.any(String) });
  expect(String(changed['updated_at']) > String(campaign['updated_at'])).toBe(true);
  expect(await stage.one('campaigns.get', { campaign_id: campaign.id })).toEqual(changed);
});

scenario('A-ERRORS', async (stage) => {
  expect(await stage.rejected('campaigns.get', { campaign_id: 'nosuch' }, 404)).toEqual([
    {
      code: 'CAMPAIGN_NOT_FOUND',
      parameter: 'campaign_id',
      value: 'nosuch',
      message: 'The account has no campaign with this id',
    },
  ]);
  const campaign = await stage.campaign();
  const errors = await stage.rejected('campaigns.update', {
    campaign_id: campaign.id,
    daily_budget_amount_local_micro: 9n,
    total_budget_amount_local_micro: 8n,
  });
  expect(errors).toMatchObject([{ code: 'INVALID_PARAMETER', parameter: 'daily_budget_amount_local_micro' }]);
  expect(BigInt(String(errors[0]?.value))).toBe(9n);
});

scenario('A-ERRORS-ALL', async (stage) => {
  const campaign = await stage.campaign();
  const { errors } = await stage.call('line_items.create', {
    campaign_id: campaign.id,
    objective: 'REACH',
    product_type: 'MEDIA',
    placements: ['PLATFORM_PROFILE'],
    bid_strategy: 'MAX',
    start_time: '2026-02-02T00:00:00Z',
    end_time: '2026-02-01T00:00:00Z',
    frequency_cap: 2,
  });
  expect(errors.map(({ parameter, code }) => `${parameter} ${code}`).sort()).toEqual([
    'bid_amount_local_micro MISSING_PARAMETER',
    'bid_strategy INVALID_PARAMETER',
    'end_time INVALID_TIME_WINDOW',
    'frequency_cap INCLUSIVE_PARAMETERS',
    'placements INVALID_PLACEMENT_TYPE',
    'product_type INVALID_PARAMETER',
  ]);
});
