// A post is scheduled, and cannot be published when its time comes.
import { strict as assert } from 'node:assert';
import { connect } from '@broadside/testkit';

await using world = await connect().worlds.create({ ttl_seconds: 600 });
await world.faults.create({ effect: { scheduled_post: { fail: true } } });

const client = world.client();
const { sandbox_account_id: account_id, user_id: as_user_id } = world.credentials;
const { now } = await world.clock.get();
const scheduled_at = new Date(Math.ceil((Date.parse(now) + 3_600_000) / 60_000) * 60_000);
const { id } = await client.scheduled_posts.create({ account_id, as_user_id, scheduled_at, text: 'Open late today' });
await world.clock.advance({ by: 'PT2H' });
const post = await client.scheduled_posts.get({ account_id, scheduled_post_id: id });
assert.equal(post.scheduled_status, 'FAILED');
