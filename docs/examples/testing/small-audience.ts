// An audience of three people is counted, and is too small to be targeted.
import { strict as assert } from 'node:assert';
import { connect } from '@broadside/testkit';

await using world = await connect().worlds.create({ ttl_seconds: 600 });
const client = world.client();
const account_id = world.credentials.sandbox_account_id;
const { id: custom_audience_id } = await client.custom_audiences.create({ account_id, name: 'Readers' });
const people = ['ann', 'ben', 'cleo'].map((handle) => ({ handle }));
await client.custom_audiences.upload(people, { account_id, custom_audience_id });

const get = () => client.custom_audiences.get({ account_id, custom_audience_id });
assert.ok((await get()).reasons_not_targetable.includes('PROCESSING'));
await world.clock.advance({ by: 'PT12H' });
assert.deepEqual((await get()).reasons_not_targetable, ['TOO_SMALL']);
