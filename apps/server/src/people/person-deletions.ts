/**
 * Deletes people. The time at which that is due is a column of the person, and a durable job; cancelling clears the column, and the job
 * finds nothing to do. When it is due, the write that verifies so replaces the job by another one, which marks that the deletion has begun:
 * from then on nothing takes it back, and nobody is given anything that belongs to the person. A deletion is many writes: each deletes a
 * number of rows, or leaves what is gone already, and the last one deletes the row of the person. So one that a crash interrupts is begun
 * again, and goes on with what is left.
 */
import { deletedAt, kept, type StandingFlags } from '@broadside/core/resources/users';
import { forgetChanges } from '../audit/forget.ts';
import type { Actor } from '../db/change-log.ts';
import type { Database, Reader, Writer } from '../db/database.ts';
import type { IdentityStore } from '../identity/identity-store.ts';
import type { Standing } from '../identity/user-store.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { MediaStore } from '../media/media-store.ts';
import { voteId } from '../polls/votes.ts';
import { countForPost, countForUser } from '../posts/counters.ts';
import type { PostStore } from '../posts/post-store.ts';
import type { Clock } from '../world/clock.ts';
import { dueIn } from './due-in.ts';
import { likesOf, mediaOf, postsOf, votesOf } from './held.ts';
import * as statements from './statements.ts';

const DELETE = 'people.delete';
/** Carries a deletion out. While there is such a job, the deletion has begun. */
const CARRY_OUT = 'people.carry_out_deletion';
const SERVER: Actor = { user_id: null, platform: 'SERVER' };
/** Rows of one write. */
const BATCH = 100;

interface Services {
  readonly database: Database;
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly media: MediaStore;
  readonly posts: PostStore;
  readonly identity: IdentityStore;
}

/** What is done in advertising accounts. Each may be repeated. */
export interface InAccounts {
  /** Deletes what they hold on a person, and their access. */
  leaveAccounts(actor: Actor, user_id: string): Promise<void>;
  /** Takes erased media out of libraries. @returns which of them something of an account may still show */
  leaveMedia(actor: Actor, media_keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Rejects what promotes posts that are gone. */
  rejectOfGone(actor: Actor): Promise<void>;
}

/** The deletion of a person has begun: nothing takes it back. */
export class DeletionBegunError extends Error {
  override readonly name = 'DeletionBegunError';
}

export class PersonDeletions {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Registers what deletes the part of people in accounts. */
  handle(accounts: InAccounts): void {
    const { jobs } = this.#services;
    jobs.handle(DELETE, async (user_id) => (writer) => this.#begin(writer, user_id));
    jobs.handle(CARRY_OUT, (user_id) => this.#carryOut(user_id, accounts));
  }

  /** Returns whether the deletion of a person has begun. @param reader a write whose changes count already */
  hasBegun(user_id: string, reader?: Reader): Promise<boolean> {
    return this.#services.jobs.has(CARRY_OUT, user_id, reader);
  }

  /**
   * Has a person be deleted after some days by the clock of the world.
   * @returns how they stand; `undefined` if there is no such person
   * @throws DeletionBegunError
   */
  async schedule(actor: Actor, user_id: string, grace_days: number): Promise<Standing | undefined> {
    const { clock, jobs, identity } = this.#services;
    const { due_ms, delete_at } = dueIn(clock, grace_days);
    const change = (before: StandingFlags) => deletedAt(before, delete_at);
    const beside = async (writer: Writer) => {
      await jobs.add(writer, { kind: DELETE, subject: user_id, due_ms });
    };
    const verify = (writer: Writer) => this.#verifyPending(writer, user_id);
    const standing = await identity.users.setStanding(actor, user_id, change, beside, verify);
    jobs.wake();
    return standing;
  }

  /** Cancels a deletion. @returns how the person stands; `undefined` if there is no such person @throws DeletionBegunError */
  cancel(actor: Actor, user_id: string): Promise<Standing | undefined> {
    const verify = (writer: Writer) => this.#verifyPending(writer, user_id);
    return this.#services.identity.users.setStanding(actor, user_id, kept, undefined, verify);
  }

  async #verifyPending(writer: Writer, user_id: string): Promise<void> {
    if (await this.hasBegun(user_id, writer)) throw new DeletionBegunError(`the deletion of ${user_id} has begun`);
  }

  /** Marks a deletion as begun if it is due. */
  async #begin(writer: Writer, user_id: string): Promise<void> {
    const { clock, identity, jobs } = this.#services;
    const standing = await identity.users.standing(user_id, writer);
    const isDue = standing && standing.delete_at !== null && Date.parse(standing.delete_at) <= clock.now();
    if (isDue) await jobs.addOnce(writer, { kind: CARRY_OUT, subject: user_id, due_ms: clock.now() });
  }

  async #carryOut(user_id: string, accounts: InAccounts): Promise<undefined> {
    const { identity } = this.#services;
    await accounts.leaveAccounts(SERVER, user_id);
    const person = BigInt(user_id);
    for (;;) {
      const ids = await postsOf(this.#services.database, person, BATCH);
      if (ids.length === 0) break;
      await this.#services.posts.erase(SERVER, ids);
    }
    await accounts.rejectOfGone(SERVER);
    await this.#eraseMedia(person, accounts);
    await this.#takeBack(person);
    await this.#unfollow(person);
    for (
      let apps = await identity.apps.ownedBy(user_id);
      apps.length > 0;
      apps = await identity.apps.ownedBy(user_id)
    ) {
      for (const app of apps) await identity.apps.delete(SERVER, app.id);
    }
    await identity.users.delete(SERVER, user_id, async (writer) => {
      await statements.deleteRequestTokens.run(writer, { user_id });
      await statements.deleteNotifications.run(writer, { user_id });
    });
    // What was on its way when the deletion began has been written by now.
    await accounts.leaveAccounts(SERVER, user_id);
  }

  async #eraseMedia(person: bigint, accounts: InAccounts): Promise<void> {
    const { database, media } = this.#services;
    for await (const ids of mediaOf(database, person)) {
      const left = await media.erase(ids);
      if (left.length === 0) continue;
      const keys = left.map(({ media_key }) => media_key);
      const shown = await accounts.leaveMedia(SERVER, keys);
      await media.forget(left.flatMap(({ id, media_key }) => (shown.has(media_key) ? [] : [id])));
    }
  }

  /** Takes likes and votes back. */
  async #takeBack(user_id: bigint): Promise<void> {
    const { database } = this.#services;
    for await (const likes of likesOf(database, user_id)) {
      await database.write(async (writer) => {
        for (const { post_id } of likes) {
          const changed = await statements.deleteLike.run(writer, { post_id, user_id });
          if (changed > 0) await countForPost(writer, 'like_count', post_id, -1);
        }
      });
    }
    for await (const votes of votesOf(database, user_id)) {
      await database.write(async (writer) => {
        for (const { poll_id, choice } of votes) {
          const changed = await statements.deleteVote.run(writer, { poll_id, user_id });
          if (changed > 0) await statements.uncountVote[choice - 1]?.run(writer, { id: poll_id });
          // That they voted stays in the log, and what for does not.
          await forgetChanges(writer, 'VOTE', voteId(poll_id, user_id));
        }
      });
    }
  }

  async #unfollow(user_id: bigint): Promise<void> {
    const { database } = this.#services;
    for (const list of [statements.listFollowing, statements.listFollowers]) {
      for (;;) {
        const found = await list.all(database, { user_id, count: BATCH });
        if (found.length === 0) break;
        await database.write(async (writer) => {
          for (const { follower_id, followed_id, state } of found) {
            const changed = await statements.deleteFollow.run(writer, { follower_id, followed_id });
            if (changed === 0 || state !== 'approved') continue;
            await countForUser(writer, 'following_count', `${follower_id}`, -1);
            await countForUser(writer, 'followers_count', `${followed_id}`, -1);
          }
        });
      }
    }
  }
}
