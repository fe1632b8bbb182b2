// The rate limit is used up for two seconds: a client that waits until its end gets through.
import { strict as assert } from 'node:assert';
import { connect } from '@broadside/testkit';

await using world = await connect().worlds.create({ ttl_seconds: 600 });
const match = { operation: ['campaigns.list'] };
await world.faults.create({ match, effect: { rate_limit: { seconds: 2 } }, ttl_seconds: 2 });

const params = { account_id: world.credentials.sandbox_account_id };
await assert.rejects(async () => world.client().campaigns.list(params), { status: 429 });
const waited: number[] = [];
const patient = world.client({ retry: {}, onResponse: ({ retryInMs = 0 }) => waited.push(retryInMs) });
assert.equal((await patient.campaigns.list(params)).data.length, 1);
assert.ok(Math.max(...waited) > 0);
