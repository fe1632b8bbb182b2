// Clocks in Los Angeles go forward on 14 March 2027: a day of an account there has 23 hours.
import { strict as assert } from 'node:assert';
import { connect } from '@broadside/testkit';

await using world = await connect().worlds.create({ ttl_seconds: 600 });
await world.clock.set({ now: '2027-03-13T20:00:00Z' });
const client = world.client();
const { sandbox_account_id: account_id, user_id: as_user_id } = world.credentials;

// Noon on the next day, there: an hour earlier in UTC than today.
const scheduled_at = new Date('2027-03-14T12:00:00-07:00');
const text = 'Noon in Los Angeles';
const { id } = await client.scheduled_posts.create({ account_id, as_user_id, scheduled_at, text });
const status = async () => (await client.scheduled_posts.get({ account_id, scheduled_post_id: id })).scheduled_status;
await world.clock.advance({ by: 'PT22H59M' });
assert.equal(await status(), 'SCHEDULED');
await world.clock.advance({ by: 'PT1M' });
assert.equal(await status(), 'SUCCESS');
