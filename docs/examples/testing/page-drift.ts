// A campaign is made while a list is read page by page: none of the others may come twice, and none may be missing.
import { strict as assert } from 'node:assert';
import { connect } from '@broadside/testkit';

await using world = await connect().worlds.create({ ttl_seconds: 600 });
const client = world.client();
const account_id = world.credentials.sandbox_account_id;
const { data: instruments } = await client.funding_instruments.list({ account_id });
const create = (name: string) =>
  client.campaigns.create({
    account_id,
    funding_instrument_id: instruments[0]?.id ?? '',
    name,
    daily_budget_amount_local_micro: 55_000_000n,
  });
for (const name of ['Spring', 'Summer', 'Autumn', 'Winter']) await create(name);

const { data: before } = await client.campaigns.list({ account_id });
const seen: string[] = [];
for await (const { data } of client.campaigns.list({ account_id, count: 2 }).pages()) {
  seen.push(...data.map(({ id }) => id));
  if (seen.length === 2) await create('In between');
}
assert.equal(new Set(seen).size, seen.length);
for (const { id } of before) assert.ok(seen.includes(id));
