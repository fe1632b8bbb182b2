// A test of worlds of either kind: it runs in this process, without a server, and against one.
import { strict as assert } from 'node:assert';
import { type ControlledWorld, connect, createWorld } from '@broadside/testkit';

async function triesAgainInTime(world: ControlledWorld): Promise<void> {
  const { sandbox_account_id: account_id, user_id: as_user_id } = world.credentials;
  const match = { operation: ['scheduled_posts.create'] };
  await world.faults.create({ match, effect: { status: 503, retry_after: 1 }, times: 1 });

  const { now } = await world.clock.get();
  const scheduled_at = new Date(Math.ceil((Date.parse(now) + 3_600_000) / 60_000) * 60_000);
  const client = world.client({ retry: {} });
  const { id } = await client.scheduled_posts.create({ account_id, as_user_id, scheduled_at, text: 'Open late today' });
  await world.verify([{ operation: 'scheduled_posts.create', times: 2 }]);

  const { happened } = await world.clock.advance({ by: 'PT2H' });
  assert.ok(happened.some((one) => one.what === 'SCHEDULED_POST_PUBLISHED' && one.id === id));
}

for (const open of [() => createWorld(), () => connect().worlds.create({ ttl_seconds: 600 })]) {
  await using world = await open();
  await triesAgainInTime(world);
}
