/**
 * What the operator holds against posts. Whether a post is hidden is a column of it, written together with the reason; what follows in advertising
 * accounts, which are in other stores, is settled by a durable job that goes by how the post stands.
 */
import { decodeCursor, encodeCursor, formatTimestamp, type Page } from '@broadside/core';
import type { ApprovalStatus } from '@broadside/core/resources/accounts';
import type { ModeratedPost, ModerationState } from '@broadside/core/resources/operator';
import { type Actor, recordChange } from '../db/change-log.ts';
import type { Database, Reader, Writer } from '../db/database.ts';
import { storageFailure } from '../db/storage-failure.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { listAllReposts } from '../posts/erase-post.ts';
import type { PostStore } from '../posts/post-store.ts';
import { isTakenDown, type PostRow, readPosts } from '../posts/store.ts';
import { type Clock, timestamp } from '../world/clock.ts';
import type { Environment } from '../world/environment.ts';
import * as statements from './statements.ts';

const SETTLE = 'moderation.settle';
const SERVER: Actor = { user_id: null, platform: 'SERVER' };
const ORDER = 'moderated';
const LATEST = 2n ** 63n - 1n;

interface Services {
  readonly database: Database;
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly posts: PostStore;
}

/** Which posts are listed. */
export interface ModerationQuery {
  readonly state?: ModerationState | undefined;
  readonly count: number;
  readonly cursor?: string | undefined;
}

/** A decision that promotions do not follow yet. */
interface Unsettled {
  /** `undefined` for a deletion. */
  readonly taken_down: boolean | undefined;
  /** The job that has them follow. */
  readonly job_id: number;
}

interface Decision {
  readonly state: ModerationState;
  readonly reason: string;
}

/** What a promotion's review had come to before its post was taken down. */
export interface HeldPromotion {
  readonly environment: Environment;
  readonly account_id: string;
  readonly promoted_post_id: string;
  readonly approval_status: ApprovalStatus;
}

/** Has promotions of a post in advertising accounts follow how it stands. May be repeated. */
export type SettlePromotions = (actor: Actor, post_id: bigint) => Promise<void>;

export class Moderation {
  readonly #services: Services;
  #settle: SettlePromotions = async () => {};

  constructor(services: Services) {
    this.#services = services;
  }

  /** Registers what settles promotions. */
  handle(settle: SettlePromotions): void {
    this.#settle = settle;
    this.#services.jobs.handle(SETTLE, async (post_id) => {
      await settle(SERVER, BigInt(post_id));
      return undefined;
    });
  }

  /** Returns a page of the posts that something is held against, the newest first. @returns `undefined` when the cursor is not one of such a list */
  async list({ state, count, cursor }: ModerationQuery): Promise<Page<ModeratedPost> | undefined> {
    const before = cursor === undefined ? LATEST : readCursor(cursor);
    if (before === undefined) return undefined;
    const { database } = this.#services;
    const asked = { before, count: count + 1 };
    const found = await (state === undefined
      ? statements.listDecided.all(database, asked)
      : statements.listInState.all(database, { ...asked, state }));
    const data = found.slice(0, count).map(({ id, author_id, text, decided_ms, ...decision }) => ({
      id: `${id}`,
      author_id: `${author_id}`,
      text,
      ...decision,
      decided_at: formatTimestamp(decided_ms),
    }));
    const last = data.at(-1);
    const isOver = found.length <= count || !last;
    return { data, next_cursor: isOver ? null : encodeCursor({ order: ORDER, after: [BigInt(last.id)] }) };
  }

  /** Notes that a post was reported; one that is taken down stays so. @returns the post; `undefined` if it is not there */
  report(actor: Actor, post_id: string, reason: string): Promise<ModeratedPost | undefined> {
    return this.#decide(actor, post_id, (before) =>
      before?.state === 'TAKEN_DOWN' ? before : { state: 'REPORTED', reason },
    );
  }

  /** Hides a post from all but its author. @returns the post; `undefined` if it is not there */
  takeDown(actor: Actor, post_id: string, reason: string): Promise<ModeratedPost | undefined> {
    return this.#decide(actor, post_id, () => ({ state: 'TAKEN_DOWN', reason }));
  }

  /** Ends what is held against a post. @returns the post; `undefined` if it is not there */
  restore(actor: Actor, post_id: string): Promise<ModeratedPost | undefined> {
    return this.#decide(actor, post_id, () => undefined);
  }

  /**
   * Deletes a post and its reposts. What promotes them follows; where a store is away, later.
   * @returns whether there was one
   */
  async delete(actor: Actor, post_id: string): Promise<boolean> {
    const { posts, jobs, clock } = this.#services;
    let job_id: number | undefined;
    const isDeleted = await posts.delete(actor, post_id, async (writer) => {
      job_id = await jobs.add(writer, { kind: SETTLE, subject: post_id, due_ms: clock.now() });
    });
    if (job_id === undefined) return isDeleted;
    try {
      await this.#settleNow(actor, BigInt(post_id), { taken_down: undefined, job_id });
    } catch (error) {
      // The post is gone, which the answer has to say. The job is left.
      if (storageFailure(error) === undefined) throw error;
    }
    return isDeleted;
  }

  /** Returns whether a post itself was taken down; `undefined` if it is not there. */
  async isTakenDown(post_id: bigint): Promise<boolean | undefined> {
    return isTakenDownIn(this.#services.database, post_id);
  }

  /** Returns which of some posts are not there. */
  async goneOf(post_ids: readonly bigint[]): Promise<ReadonlySet<bigint>> {
    const gone = new Set(post_ids);
    for (const post of await readPosts(this.#services.database, [...gone])) if (!post.deleted) gone.delete(post.id);
    return gone;
  }

  /** Returns whether a post is hidden: it was taken down or deleted, or what it passes on was. */
  async isHidden(post_id: bigint): Promise<boolean> {
    return isHidden(this.#services.database, post_id);
  }

  /** Returns the ids of a post and of its reposts, which show it. */
  async showing(post_id: bigint): Promise<readonly bigint[]> {
    return [post_id, ...(await listAllReposts(this.#services.database, post_id))];
  }

  /** Keeps what the review of a promotion of a post has come to. */
  async hold(post_id: bigint, promotion: HeldPromotion): Promise<void> {
    await this.#services.database.write((writer) => statements.holdPromotion.run(writer, { post_id, ...promotion }));
  }

  /** Returns which of a post and its reposts have reviews that are kept. */
  async heldAmong(post_id: bigint): Promise<readonly bigint[]> {
    const found = await statements.listHeldPosts.all(this.#services.database, { post_id });
    return found.map((held) => held.post_id);
  }

  /** Returns some of the reviews that are kept for a post. */
  async held(post_id: bigint, count: number): Promise<readonly HeldPromotion[]> {
    return statements.listHeld.all(this.#services.database, { post_id, count });
  }

  /** Ends keeping a review, unless the post is hidden again. @returns whether it is not */
  async release(post_id: bigint, { environment, account_id, promoted_post_id }: HeldPromotion): Promise<boolean> {
    const key = { post_id, environment, account_id, promoted_post_id };
    return this.#services.database.write(async (writer) => {
      if (await isHidden(writer, post_id)) return false;
      await statements.releasePromotion.run(writer, key);
      return true;
    });
  }

  async #decide(
    actor: Actor,
    id: string,
    decide: (before: Decision | undefined) => Decision | undefined,
  ): Promise<ModeratedPost | undefined> {
    const { database, jobs, clock } = this.#services;
    const post_id = BigInt(id);
    const decided = await database.write(async (writer) => {
      const [post] = await readPosts(writer, [post_id]);
      if (!post || post.deleted) return undefined;
      const before = await statements.findDecision.first(writer, { post_id });
      const after = decide(before);
      const isSame = before?.state === after?.state && before?.reason === after?.reason;
      if (isSame) return { shown: shown(post, before) };
      const decision = after && { ...after, decided_ms: clock.now() };
      if (decision) await statements.putDecision.run(writer, { post_id, ...decision });
      else await statements.deleteDecision.run(writer, { post_id });
      await this.#record(writer, actor, id, before, after);
      const [was, is] = [before, after].map((one) => one?.state === 'TAKEN_DOWN');
      if (was === is) return { shown: shown(post, decision) };
      await statements.setTakenDown.run(writer, { id: post_id, taken_down_ms: is ? clock.now() : null });
      const job_id = await jobs.add(writer, { kind: SETTLE, subject: id, due_ms: clock.now() });
      return { shown: shown(post, decision), unsettled: { taken_down: is === true, job_id } };
    });
    if (decided?.unsettled) await this.#settleNow(actor, post_id, decided.unsettled);
    return decided?.shown;
  }

  /** Settles what a decision is about at once, so that whoever reads after the answer sees it. Its job is for what fails in between. */
  async #settleNow(actor: Actor, post_id: bigint, { taken_down, job_id }: Unsettled): Promise<void> {
    const { database, jobs } = this.#services;
    try {
      await this.#settle(actor, post_id);
      await database.write(async (writer) => {
        // A decision to the contrary may have been settled in between, and part of it undone here: then the job goes by how the post stands.
        if ((await isTakenDownIn(writer, post_id)) === taken_down) await jobs.cancel(writer, job_id);
      });
    } finally {
      jobs.wake();
    }
  }

  #record(
    writer: Writer,
    actor: Actor,
    id: string,
    before: Decision | undefined,
    after: Decision | undefined,
  ): unknown {
    const fields = (decision: Decision | undefined) => ({
      id,
      moderation: decision?.state ?? null,
      moderation_reason: decision?.reason ?? null,
    });
    return recordChange(writer, actor, timestamp(this.#services.clock), {
      account_id: null,
      entity: 'POST',
      entity_id: id,
      before: fields(before),
      after: fields(after),
    });
  }
}

async function isTakenDownIn(reader: Reader, post_id: bigint): Promise<boolean | undefined> {
  const [post] = await readPosts(reader, [post_id]);
  return post && !post.deleted ? post.taken_down : undefined;
}

async function isHidden(reader: Reader, post_id: bigint): Promise<boolean> {
  const [post] = await readPosts(reader, [post_id]);
  return post !== undefined && (post.deleted || isTakenDown(post));
}

function shown(
  { id, author_id, text }: PostRow,
  decision: (Decision & { readonly decided_ms: number }) | undefined,
): ModeratedPost {
  return {
    id: `${id}`,
    author_id: `${author_id}`,
    text,
    state: decision?.state ?? null,
    reason: decision?.reason ?? null,
    decided_at: decision ? formatTimestamp(decision.decided_ms) : null,
  };
}

function readCursor(text: string): bigint | undefined {
  const cursor = decodeCursor(text);
  const [before, ...more] = cursor?.order === ORDER ? cursor.after : [];
  return typeof before === 'bigint' && more.length === 0 ? before : undefined;
}
