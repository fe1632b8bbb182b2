// A campaign spends its daily budget, and is served again from midnight on, or as soon as the budget is raised.
import { strict as assert } from 'node:assert';
import { connect } from '@broadside/testkit';

await using world = await connect().worlds.create({ ttl_seconds: 600 });
const client = world.client();
const account_id = world.credentials.sandbox_account_id;
const { data: instruments } = await client.funding_instruments.list({ account_id });
const budget = 55_000_000n;
const { id: campaign_id } = await client.campaigns.create({
  account_id,
  funding_instrument_id: instruments[0]?.id ?? '',
  name: 'Autumn',
  daily_budget_amount_local_micro: budget,
});
await client.line_items.create({
  account_id,
  campaign_id,
  name: 'Readers',
  objective: 'ENGAGEMENTS',
  product_type: 'PROMOTED_POSTS',
  placements: ['PLATFORM_TIMELINE'],
  bid_amount_local_micro: 1_500_000n,
  start_time: new Date(Date.now() - 60_000),
  end_time: new Date(Date.now() + 7 * 86_400_000),
});
const spend = (amount_local_micro: bigint) =>
  world.actions.spend({ environment: 'sandbox', account_id, campaign_id, amount_local_micro });
const reasons = async () => (await client.campaigns.get({ account_id, campaign_id })).reasons_not_servable;

// One micro is left of the budget, and is spent then.
await spend(budget - 1n);
assert.deepEqual(await reasons(), []);
await spend(1n);
assert.deepEqual(await reasons(), ['BUDGET_EXHAUSTED']);

// A day of the account ends at its own midnight, and the longest day of a year has 25 hours.
await world.clock.advance({ by: 'PT25H' });
assert.deepEqual(await reasons(), []);

await spend(budget);
assert.deepEqual(await reasons(), ['BUDGET_EXHAUSTED']);
await client.campaigns.update({ account_id, campaign_id, daily_budget_amount_local_micro: 2n * budget });
assert.deepEqual(await reasons(), []);
