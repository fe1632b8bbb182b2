/** Posts that the scenarios of promotion share. */
import { postBy } from '../../fixtures/promoted-posts.ts';
import { lend, shownPost, somebody } from '../../support/promotion.ts';
import type { Entity, Stage } from '../../support/scenario.ts';

export const SERVER = { user_id: null, platform: 'SERVER' } as const;

export const idsOf = (entities: readonly Entity[]) => entities.map(({ id }) => id);

/** Some posts of the account's FULL user. */
export async function posts({ world, user }: Stage, count: number): Promise<bigint[]> {
  const made: bigint[] = [];
  for (let i = 0; i < count; i++) made.push(await postBy(world, user.user_id, `Post ${i}`));
  return made;
}

/** A post of somebody whose posts the account may promote. */
export async function lentPost(stage: Stage): Promise<bigint> {
  const author_id = await somebody(stage);
  await lend(stage, author_id);
  return postBy(stage.world, author_id, 'Said by somebody else');
}

/** Returns the number of reposts of a post. */
export async function repostsOf({ world }: Stage, id: bigint): Promise<unknown> {
  return (await shownPost(world, id))?.['public_metrics'];
}
