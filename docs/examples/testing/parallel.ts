// One world is prepared, and each test that runs at the same time has a fork of it.
import { strict as assert } from 'node:assert';
import { connect } from '@broadside/testkit';

const { worlds } = connect();
await using prepared = await worlds.create({ name: 'prepared', ttl_seconds: 600 });
const { id: snapshot } = await prepared.snapshot();

async function testOf(name: string): Promise<number> {
  await using world = await worlds.create({ from: { snapshot }, name, ttl_seconds: 600 });
  const client = world.client();
  const account_id = world.credentials.sandbox_account_id;
  const { data } = await client.campaigns.list({ account_id });
  for (const { id: campaign_id } of data) await client.campaigns.delete({ account_id, campaign_id });
  return (await client.campaigns.list({ account_id })).data.length;
}

assert.deepEqual(await Promise.all(['one', 'two', 'three'].map(testOf)), [0, 0, 0]);
const account_id = prepared.credentials.sandbox_account_id;
assert.equal((await prepared.client().campaigns.list({ account_id })).data.length, 1);
