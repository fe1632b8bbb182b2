/** Fixtures of the scenarios of promotion: posts, people, media, and accounts that hold several of each. */
import { families } from '@broadside/server';
import type { TestWorld } from '@broadside/testkit';
import { z } from 'zod';
import { UNITED_STATES } from '../fixtures/targeting-criteria.ts';
import { type Entity, lineItemOf, type Stage } from './scenario.ts';

const SERVER = { user_id: null, platform: 'SERVER' } as const;
let people = 0;

/** A line item of its own campaign, of an objective that takes posts unless it says otherwise. */
export async function lineItemWith(
  stage: Stage,
  objective: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Entity> {
  const campaign = await stage.campaign({ name: objective });
  return stage.lineItem(campaign, {
    ...lineItemOf(campaign),
    bid_amount_local_micro: undefined,
    objective,
    ...(objective === 'FOLLOWERS' ? { product_type: 'PROMOTED_ACCOUNT' } : {}),
    ...more,
  });
}

/** Somebody who is not promotable yet. @returns the user's id */
export async function somebody({ world }: Stage): Promise<string> {
  const screen_name = `person${++people}`;
  const user = await world.platform.identity.users.create(SERVER, {
    screen_name,
    name: screen_name,
    password: 'x'.repeat(12),
  });
  return user.id;
}

/** Lets the account promote what a user posts, behind the interface. @returns the promotable user's id */
export async function lend({ world, account_id }: Stage, user_id: string): Promise<string> {
  const row = await world.platform.ads.sandbox
    .account(account_id)
    .write(SERVER, (writer) =>
      writer.of(families.promotable_users.promotableUser).insert({ user_id, promotable_user_type: 'REPOSTS_ONLY' }),
    );
  return row.id;
}

/** Has a line item target the United States. @returns the criterion's id */
export async function targetUnitedStates(stage: Stage, line_item_id: string): Promise<string> {
  const params = { line_item_id, targeting_type: 'LOCATION', targeting_value: UNITED_STATES };
  return (await stage.one('targeting_criteria.create', params)).id;
}

/** Uploads media of a user and has them processed. @returns their key */
export async function uploadedMedia(world: TestWorld, owner_user_id: string, bytes: Uint8Array): Promise<string> {
  const { media } = world.platform;
  const facts = { owner_user_id, additional_owners: [], category: undefined, declared: undefined };
  const { media_key } = await media.create(facts, await media.receive(bytes));
  await world.runJobs();
  return media_key;
}

/** Posts of a user by id, as the platform shows them to that user. */
export async function shownPost(world: TestWorld, id: unknown): Promise<Readonly<Record<string, unknown>> | undefined> {
  const query = {
    ids: String(id),
    expansions: 'author_id',
    'post.fields': 'author_id,referenced_posts,public_metrics',
    'user.fields': 'public_metrics',
  };
  const { body } = await world.request({ listener: 'api', path: '/2/posts', query });
  const { data } = Shown.parse(body);
  return data?.[0];
}

const Shown = z.looseObject({ data: z.array(z.looseObject({})).optional() });
