/** Posts that are not published yet: the parts that drafts and scheduled posts share, for scenarios and fixtures. */
import { families } from '@broadside/server';
import type { TestUser, TestWorld } from '@broadside/testkit';
import { componentsOf } from './card-bodies.ts';
import type { Provocations } from './family-fixture.ts';
import { libraryMediaOf } from './library.ts';
import type { Entity, Stage } from './scenario.ts';

const SERVER = { user_id: null, platform: 'SERVER' } as const;

/** Takes the right to promote a user from an account, behind the interface. */
export async function takePromotable(world: TestWorld, account_id: string, user_id: string): Promise<void> {
  const { promotableUser } = families.promotable_users;
  await world.platform.ads.sandbox.account(account_id).write(SERVER, async (writer) => {
    for (const row of await writer.of(promotableUser).every({ user_ids: [user_id] })) {
      await writer.of(promotableUser).delete(row);
    }
  });
}

let colleagues = 0;

/** Somebody who may write creatives of the account. */
export async function colleagueOf(
  { world, account_id }: Stage,
  permissions: Parameters<TestWorld['grant']>[2] = ['CREATIVE_MANAGER'],
): Promise<TestUser> {
  const colleague = await world.createUser(`composer${++colleagues}`);
  await world.grant(account_id, colleague, permissions);
  return colleague;
}

/** Creates a card. @param account_id by default the account of the scenario */
export async function cardOf(stage: Stage, account_id: string = stage.account_id): Promise<Entity> {
  const media_key = await libraryMediaOf(stage.world, account_id, 'wide_image');
  return stage.one('cards.create', { account_id, name: 'Rain barrels', components: componentsOf(media_key) });
}

let texts = 0;

/** A text that no other post has. */
export function newText(): string {
  return `Autumn reading ${++texts}`;
}

/** Ways to have content rejected. */
export const contentProvocations: Provocations = {
  CARD_NOT_FOUND: () => ({ card_uri: 'card://1' }),
  EXCLUSIVE_PARAMETERS: () => ({ card_uri: 'card://1', media_keys: ['3_1'] }),
  INVALID_MEDIA: async (world, { account_id }) => ({
    media_keys: [
      await libraryMediaOf(world, account_id, 'small_image'),
      await libraryMediaOf(world, account_id, 'gif'),
    ],
  }),
  INVALID_POST: () => ({ text: 'a'.repeat(281) }),
  MEDIA_NOT_FOUND: () => ({ media_keys: ['3_1'] }),
  POST_CANNOT_BE_BLANK: () => ({ text: ' ' }),
};

/** Provokes that a post is in the name of a user who is not promotable any more. */
export const noLongerPromotable: Provocations = {
  INVALID_USER_ID: async (world, { account_id }) => {
    await takePromotable(world, account_id, world.user.user_id);
    return { name: 'Winter' };
  },
};
