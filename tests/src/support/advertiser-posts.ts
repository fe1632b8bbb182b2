/** Posts of advertisers, for scenarios: those of a world share one author, so each text is posted once. */
import type { TestUser } from '@broadside/testkit';
import type { Entity, Stage } from './scenario.ts';

let words = 0;

/** A text that nobody has posted yet. */
export function freshText(): string {
  return `Reading number ${++words} of this autumn`;
}

/** A name that no post has yet. */
export function freshName(): string {
  return `N${++words} `;
}

/** Posts something in the name of the stage's user. */
export function posted(
  stage: Stage,
  params: Readonly<Record<string, unknown>> = {},
  as: TestUser = stage.user,
): Promise<Entity> {
  const text = 'media_keys' in params || 'text' in params ? {} : { text: freshText() };
  return stage.one('posts.create', { as_user_id: BigInt(stage.user.user_id), ...text, ...params }, as);
}

/** Published posts as a list shows them. */
export function listed(stage: Stage, params: Readonly<Record<string, unknown>> = {}): Promise<Entity[]> {
  return stage.many('posts.list', { post_type: 'PUBLISHED', ...params });
}

/** The ids of entities, as text. */
export function idsIn(entities: readonly Entity[]): unknown[] {
  return entities.map((entity) => entity['id_str']);
}

/** A caller with these permissions on the stage's account. */
export async function callerWith(
  stage: Stage,
  ...permissions: Parameters<Stage['world']['grant']>[2][number][]
): Promise<TestUser> {
  const user = await stage.world.createUser(`caller${++words}`);
  await stage.world.grant(stage.account_id, user, permissions);
  return user;
}
