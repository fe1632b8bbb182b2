import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { contract, rememberingSerializerOf } from '@broadside/core';
import { expect, test } from 'vitest';
import { Generations } from './db/generations.ts';
import { KeptRows, KeptTable } from './db/kept-rows.ts';
import { campaign } from './resources/campaigns/find.ts';
import { ShownRows } from './world/shown-rows.ts';

const MIB = 2 ** 20;
const LIMIT = 8 * MIB;
/** Many times as many as are kept: what is left of each of the others would show. */
const ROWS = 150_000;

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

function heap(): number {
  if (typeof collect !== 'function') throw new TypeError('the garbage cannot be collected');
  collect();
  return process.memoryUsage().heapUsed;
}

function rowOf(n: number) {
  return campaign.complete({
    account_id: '18ce54d4x5t',
    id: `c${n}`,
    seq: BigInt(n),
    created_at: `2026-01-01T00:00:${n % 60}Z`,
    updated_at: `2026-01-01T00:00:${n % 60}Z`,
    name: `Campaign number ${n} of an account with very many of them`,
    budget_optimization: 'CAMPAIGN',
    entity_status: 'ACTIVE',
    purchase_order_number: `${n}`,
    daily_budget_amount_local_micro: BigInt(n),
    total_budget_amount_local_micro: null,
    funding_instrument_id: `f${n}`,
    duration_in_days: null,
    standard_delivery: true,
    frequency_cap: null,
    currency: 'USD',
  });
}

test('150,000 rows that are read, shown and written as JSON take no more memory than the bound says', async () => {
  const store = new KeptRows(new Generations(), { bytes: LIMIT });
  const scope = new KeptTable<ReturnType<typeof rowOf>>(store, { table: 'campaigns', keyOf: ({ id }) => id }).scope(
    'a',
  );
  const shown = new ShownRows<object, object>();
  const write = rememberingSerializerOf(contract.campaigns.get.data);
  const status = { servable: true, reasons_not_servable: [], effective_status: 'ACTIVE' };
  let read = 0;
  let letters = 0;
  const before = heap();
  for (let n = 0; n < ROWS; n++) {
    // Twice, so that all is remembered that ever is.
    for (let time = 0; time < 2; time++) {
      const row = await scope.row(`c${n}`, () => {
        read++;
        return rowOf(n);
      });
      letters += write(shown.show(row ?? {}, [], () => ({ ...row, ...status }))).length;
    }
    if (n % 1000 === 0) expect(store.recency.size).toBeLessThanOrEqual(LIMIT);
  }
  const held = heap() - before;
  expect(read).toBe(ROWS);
  expect(letters).toBeGreaterThan(ROWS * 1000);
  expect(held).toBeLessThan(LIMIT * 1.1);
  // The estimate does not leave most of the memory unused either. The heap grows and shrinks by other things beside.
  expect(held).toBeGreaterThan(LIMIT / 16);
});
