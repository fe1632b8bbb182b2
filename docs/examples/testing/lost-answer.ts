// The campaign is made, and the answer is lost on its way: a client has to look before it tries again.
import { strict as assert } from 'node:assert';
import { connect } from '@broadside/testkit';

await using world = await connect().worlds.create({ ttl_seconds: 600 });
await world.faults.create({ match: { operation: ['campaigns.create'] }, effect: { drop: 'after_commit' }, times: 1 });

const client = world.client();
const account_id = world.credentials.sandbox_account_id;
const { data: instruments } = await client.funding_instruments.list({ account_id });
const autumn = {
  account_id,
  funding_instrument_id: instruments[0]?.id ?? '',
  name: 'Autumn',
  daily_budget_amount_local_micro: 55_000_000n,
};
await assert.rejects(client.campaigns.create(autumn));
const { data: campaigns } = await client.campaigns.list({ account_id });
if (!campaigns.some(({ name }) => name === autumn.name)) await client.campaigns.create(autumn);

const { passed, expectations } = await world.journal.verify({
  expectations: [
    { operation: 'campaigns.create', params: { name: 'Autumn' }, times: 1 },
    'nothing was retried after a lost answer without looking first',
  ],
});
assert.ok(passed, expectations.map(({ message }) => message).join('\n'));
