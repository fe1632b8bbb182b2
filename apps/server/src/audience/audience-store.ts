/**
 * Counts people. The index is built from the platform's rows when it is first needed, and updated with everything
 * committed before each count: triggers record every change in `audience_changes`, in the transaction of the change.
 */
import type { AudienceQuery } from '@broadside/core/resources/audience-estimate';
import type { Database } from '../db/database.ts';
import type { Clock } from '../world/clock.ts';
import { AudienceIndex, POST_WINDOW_MS } from './audience-index.ts';
import { findMark, listChanges } from './changes.ts';
import { Pace } from './pace.ts';
import {
  type FollowToIndex,
  readChangedFollows,
  readChangedPeople,
  readChangedPosts,
  scanFollows,
  scanPeople,
  scanPosts,
} from './rows.ts';

/** Clocks are set back slightly at times; posts are retained for this much longer than the window. */
const SLACK_MS = 86_400_000;
/** After this time the index is rebuilt, without the posts that no longer count. */
const LONGEST_DRIFT_MS = POST_WINDOW_MS / 4;

/** An index, and what it includes. */
export interface Built {
  readonly index: AudienceIndex;
  /** Posts from this time on are in the index. */
  readonly since_ms: number;
  readonly epoch: bigint;
  readonly built_ms: number;
  /** The last change that the index includes. */
  seq: bigint;
}

/** The index was not finished because the world was closed. */
class ClosedError extends Error {
  override readonly name = 'ClosedError';
}

export class AudienceStore {
  readonly #database: Database;
  readonly #clock: Clock;
  #built: Built | undefined;
  #running: Promise<Built> | undefined;
  #next: Promise<Built> | undefined;
  #closed = false;

  constructor({ database, clock }: { readonly database: Database; readonly clock: Clock }) {
    this.#database = database;
    this.#clock = clock;
  }

  /**
   * Counts the matching people of the platform, with everything that was committed before the call. The first call builds the
   * index, and concurrent calls wait for it.
   */
  async count(query: AudienceQuery): Promise<number> {
    const { index } = await this.prepare();
    return index.count(query, this.#clock.now());
  }

  /** Builds the index if there is none, and brings it up to date. */
  prepare(): Promise<Built> {
    if (!this.#running) {
      this.#running = this.#refresh().finally(() => {
        this.#running = undefined;
      });
      return this.#running;
    }
    // The running update may have read already. All calls that arrive meanwhile share the next one.
    const again = () => {
      this.#next = undefined;
      return this.prepare();
    };
    this.#next ??= this.#running.then(again, again);
    return this.#next;
  }

  /** Stops building. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running?.catch(() => {});
  }

  async #refresh(): Promise<Built> {
    const now = this.#clock.now();
    let built = this.#built;
    if (built && Math.abs(now - built.built_ms) > (now < built.built_ms ? SLACK_MS : LONGEST_DRIFT_MS))
      built = undefined;
    while (!(built && (await this.#catchUp(built)))) built = await this.#build();
    this.#built = built;
    return built;
  }

  async #build(): Promise<Built> {
    // Otherwise the old index would be in memory along with the new one.
    this.#built = undefined;
    const { epoch, last } = await findMark(this.#database);
    const built_ms = this.#clock.now();
    const index = new AudienceIndex();
    const pace = new Pace();
    const step = async () => {
      await pace.step();
      if (this.#closed) throw new ClosedError('the world was closed');
    };
    await scanPeople(this.#database, (person) => index.setPerson(person), step);
    await scanFollows(this.#database, (follow) => index.loadFollow(follow), step);
    await index.seal(pace);
    const since_ms = built_ms - POST_WINDOW_MS - SLACK_MS;
    await scanPosts(this.#database, since_ms, (post) => index.addPost(post), step);
    return { index, since_ms, epoch, built_ms, seq: last };
  }

  /** Applies changes. @returns false when some of them are unknown */
  async #catchUp(built: Built): Promise<boolean> {
    const pace = new Pace();
    for (;;) {
      const { epoch, last } = await findMark(this.#database);
      if (epoch !== built.epoch || last < built.seq) return false;
      if (last === built.seq) return true;
      if (!(await this.#applyPage(built))) return false;
      await pace.step();
      if (this.#closed) throw new ClosedError('the world was closed');
    }
  }

  /** Rereads the current state of what changed: applying a change twice is harmless. */
  async #applyPage(built: Built): Promise<boolean> {
    const { index } = built;
    const database = this.#database;
    const changes = await listChanges.all(database, { seq: built.seq });
    const last = changes.at(-1)?.seq;
    // The table contains the latest changes only: where the next one is missing, so are others.
    if (last === undefined || changes[0]?.seq !== built.seq + 1n) return false;
    const people = new Set<bigint>();
    const posts = new Set<bigint>();
    const follows = new Map<string, FollowToIndex>();
    for (const { kind, id, other_id } of changes) {
      if (kind === 'user') people.add(id);
      else if (kind === 'post') posts.add(id);
      else if (other_id !== null) follows.set(`${id} ${other_id}`, { follower_id: id, followed_id: other_id });
    }
    const foundPeople = await readChangedPeople(database, [...people]);
    const foundPosts = await readChangedPosts(database, [...posts]);
    const foundFollows = await readChangedFollows(database, [...follows.values()]);
    // Synchronous from here on: a concurrent count must not miss those who are being replaced.
    for (const person of foundPeople) {
      index.setPerson(person);
      people.delete(person.id);
    }
    for (const id of people) index.deletePerson(id);
    for (const post of foundPosts) {
      index.addPost(post);
      posts.delete(post.id);
    }
    for (const id of posts) index.deletePost(id);
    for (const follow of foundFollows) {
      index.setFollow(follow, true);
      follows.delete(`${follow.follower_id} ${follow.followed_id}`);
    }
    for (const follow of follows.values()) index.setFollow(follow, false);
    built.seq = last;
    return true;
  }
}
