/** Money is exact from the wire to the column and back, to the last of 64 bits. */
import { INT64_MAX } from '@broadside/core';
import fc from 'fast-check';
import { expect } from 'vitest';
import { idOf, member } from '../support/body.ts';
import { scenarios } from '../support/scenario.ts';

const scenario = scenarios();

/** Amounts around the places where doubles, signed and unsigned integers give out. */
const amount = fc.oneof(
  fc.bigInt({ min: 1n, max: INT64_MAX }),
  fc.bigInt({ min: 2n ** 53n - 5n, max: 2n ** 53n + 5n }),
  fc.bigInt({ min: INT64_MAX - 5n, max: INT64_MAX }),
);

scenario('A-MONEY', async (stage) => {
  const campaign_id = (await stage.campaign()).id;
  await fc.assert(
    fc.asyncProperty(amount, async (total_budget_amount_local_micro) => {
      const changed = await stage.one('campaigns.update', { campaign_id, total_budget_amount_local_micro });
      const read = await stage.one('campaigns.get', { campaign_id });
      for (const { total_budget_amount_local_micro: shown } of [changed, read]) {
        expect(BigInt(String(shown))).toBe(total_budget_amount_local_micro);
      }
    }),
    { numRuns: 30 },
  );
});

scenario('A-MONEY-WIRE', async (stage) => {
  const { world, account_id, funding_instrument_id } = stage;
  const path = `/12/accounts/${account_id}/campaigns`;
  const campaign = await stage.campaign();
  const put = { method: 'PUT', path: `${path}/${campaign.id}` };
  await fc.assert(
    fc.asyncProperty(amount, async (daily) => {
      const params = { daily_budget_amount_local_micro: daily };
      const create = { funding_instrument_id, name: 'x', entity_status: 'DRAFT', ...params };
      const batch = [{ operation_type: 'Update', params: { ...params, campaign_id: campaign.id } }];
      const digits = `"daily_budget_amount_local_micro":${daily}`;
      for (const request of [
        { ...put, query: params },
        { ...put, form: params },
        { ...put, json: params },
        { ...put, json: { daily_budget_amount_local_micro: `${daily}` } },
        { method: 'POST', path, json: create },
        { method: 'POST', path: `/12/batch/accounts/${account_id}/campaigns`, json: batch },
        { path: `${path}/${campaign.id}` },
      ]) {
        const { text, status } = await world.request(request);
        expect(status, text).toBe(200);
        const echoed = 'json' in request || 'query' in request || 'form' in request ? 2 : 1;
        expect(text.split(digits).length - 1, text).toBe(echoed);
      }
    }),
    { numRuns: 15 },
  );
  const instrument = await world.request({
    method: 'POST',
    path: `/12/accounts/${account_id}/funding_instruments`,
    query: { type: 'CREDIT_CARD', currency: 'USD', start_time: '2026-01-01', credit_limit_local_micro: INT64_MAX },
  });
  const read = await world.request({ path: `/12/accounts/${account_id}/funding_instruments/${idOf(instrument.body)}` });
  expect(member(member(read.body, 'data'), 'credit_limit_local_micro')).toBe(INT64_MAX);
  const sorted = await world.request({ path, query: { sort_by: 'daily_budget_amount_local_micro-desc', count: 3 } });
  expect(sorted.status).toBe(200);
});

scenario('A-MONEY-BEYOND', async (stage) => {
  const campaign = await stage.campaign();
  const name = 'total_budget_amount_local_micro';
  for (const value of [INT64_MAX + 1n, 2n ** 64n, 0n, -1n, '1.5', '1e3', '1,000', '0x10']) {
    const errors = await stage.rejected('campaigns.update', { campaign_id: campaign.id, [name]: value });
    expect(errors, String(value)).toMatchObject([{ code: 'INVALID_PARAMETER', parameter: name }]);
  }
  expect(await stage.one('campaigns.get', { campaign_id: campaign.id })).toEqual(campaign);
});
