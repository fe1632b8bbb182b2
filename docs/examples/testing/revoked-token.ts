// Somebody revokes the token while a program runs: it has to stop, and not to try again for ever.
import { strict as assert } from 'node:assert';
import { createOAuth } from '@broadside/client';
import { connect } from '@broadside/testkit';

await using world = await connect().worlds.create({ ttl_seconds: 600 });
const client = world.client({ retry: {} });
await client.accounts.list();
await createOAuth(world.credentials).invalidateToken();
await assert.rejects(async () => client.accounts.list(), { status: 401 });

const { data: calls } = await world.journal.list({ operation: 'accounts.list' });
assert.deepEqual(
  calls.map(({ status }) => status),
  [401, 200],
);
