/** The follow graph. Following a protected user takes their approval. */
import { and, eq, getTableColumns } from 'drizzle-orm';
import { type Actor, recordChange } from '../db/change-log.ts';
import type { Database, Reader, Writer } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { users } from '../identity/platform-table.ts';
import { countForUser } from '../posts/counters.ts';
import { PostRejectedError } from '../posts/new-post.ts';
import { isRowId } from '../posts/store.ts';
import { type Clock, timestamp } from '../world/clock.ts';
import { follows } from './platform-table.ts';

const { follower_id, followed_id, state } = follows;

const findUser = statement({ id: users.id }, ({ id }) =>
  query.select({ protected: users.protected }).from(users).where(eq(users.id, id)).limit(1),
);
const findFollow = statement({ follower_id, followed_id }, (key) =>
  query
    .select({ state })
    .from(follows)
    .where(and(eq(follower_id, key.follower_id), eq(followed_id, key.followed_id)))
    .limit(1),
);
const insertFollow = statement(getTableColumns(follows), (follow) => query.insert(follows).values(follow));
const approveFollow = statement({ follower_id, followed_id }, (key) =>
  query
    .update(follows)
    .set({ state: 'approved' })
    .where(and(eq(follower_id, key.follower_id), eq(followed_id, key.followed_id), eq(state, 'requested'))),
);
const deleteFollow = statement({ follower_id, followed_id }, (key) =>
  query.delete(follows).where(and(eq(follower_id, key.follower_id), eq(followed_id, key.followed_id))),
);

/** States of a follow. */
export type FollowState = 'requested' | 'approved';

/** The state of a follow; `undefined` when there is none. */
export async function readFollowState(
  reader: Reader,
  follower: string,
  followed: string,
): Promise<FollowState | undefined> {
  return (await findFollow.first(reader, keyOf(follower, followed)))?.state;
}

export class FollowStore {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor({ database, clock }: { readonly database: Database; readonly clock: Clock }) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Follows a user; a protected one gets a request. @returns the state of the follow. @throws PostRejectedError */
  async follow(actor: Actor, follower: string, followed: string): Promise<FollowState> {
    if (follower === followed) {
      throw new PostRejectedError('followed_user_id', 'not_allowed', 'Nobody follows themselves');
    }
    return this.#database.write(async (writer) => {
      const user = await findUser.first(writer, { id: followed });
      if (!user) throw new PostRejectedError('followed_user_id', 'not_found', `No user has the id ${followed}`);
      const key = keyOf(follower, followed);
      const known = await findFollow.first(writer, key);
      if (known) return known.state;
      const state = user.protected ? 'requested' : 'approved';
      await insertFollow.run(writer, { ...key, state, created_ms: this.#clock.now() });
      if (state === 'approved') await count(writer, follower, followed, 1);
      await this.#record(writer, actor, key, undefined, state);
      return state;
    });
  }

  /** Returns whether a person follows a user, or has asked to. */
  async has(follower: string, followed: string): Promise<boolean> {
    return (await readFollowState(this.#database, follower, followed)) !== undefined;
  }

  /** Approves a request to follow. @returns whether there was one */
  async approve(actor: Actor, follower: string, followed: string): Promise<boolean> {
    const key = keyOf(follower, followed);
    if (!isStorableKey(key)) return false;
    return this.#database.write(async (writer) => {
      const changed = await approveFollow.run(writer, key);
      if (changed === 0) return false;
      await count(writer, follower, followed, 1);
      await this.#record(writer, actor, key, 'requested', 'approved');
      return true;
    });
  }

  /** Ends a follow, or a request for one. @returns whether there was one */
  async unfollow(actor: Actor, follower: string, followed: string): Promise<boolean> {
    const key = keyOf(follower, followed);
    if (!isStorableKey(key)) return false;
    return this.#database.write(async (writer) => {
      const known = await findFollow.first(writer, key);
      if (!known) return false;
      await deleteFollow.run(writer, key);
      if (known.state === 'approved') await count(writer, follower, followed, -1);
      await this.#record(writer, actor, key, known.state, undefined);
      return true;
    });
  }

  async #record(
    writer: Writer,
    actor: Actor,
    { follower_id, followed_id }: FollowKey,
    before: FollowState | undefined,
    after: FollowState | undefined,
  ): Promise<void> {
    const id = `${follower_id}/${followed_id}`;
    const people = { follower_id: `${follower_id}`, followed_id: `${followed_id}` };
    await recordChange(writer, actor, timestamp(this.#clock), {
      account_id: null,
      entity: 'FOLLOW',
      entity_id: id,
      before: before && { id, ...people, state: before, deleted: false },
      after: { id, ...people, state: after ?? before, deleted: after === undefined },
    });
  }
}

interface FollowKey {
  readonly follower_id: bigint;
  readonly followed_id: bigint;
}

function keyOf(follower: string, followed: string): FollowKey {
  return { follower_id: BigInt(follower), followed_id: BigInt(followed) };
}

function isStorableKey({ follower_id, followed_id }: FollowKey): boolean {
  return isRowId(follower_id) && isRowId(followed_id);
}

async function count(writer: Writer, follower: string, followed: string, by: 1 | -1): Promise<void> {
  await countForUser(writer, 'following_count', follower, by);
  await countForUser(writer, 'followers_count', followed, by);
}
