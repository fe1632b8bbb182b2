/**
 * Counts people. The index is built from the platform's rows when it is first needed, and updated with everything
 * committed before each count: triggers record every change in `audience_changes`, in the transaction of the change.
 */
import type { AudienceQuery } from '@broadside/core/resources/audience-estimate';
import type { Database } from '../db/database.ts';
import { Pace } from '../pace.ts';
import type { Clock } from '../world/clock.ts';
import { AudienceIndex, POST_WINDOW_MS } from './audience-index.ts';
import { type AudienceChange, type ChangeMark, changedIds, changesAfter, findMark } from './changes.ts';
import type { AudienceScope, MemberTree } from './members/member-tree.ts';
import { membersIn } from './members/members-in.ts';
import type { MembersOfIndex } from './members/members-of-index.ts';
import type { ActiveCount } from './part-count.ts';
import { ALL_RANGES, covers, isIn, type Ranges, rangeCount } from './ranges.ts';
import {
  type FollowToIndex,
  type PostToIndex,
  readChangedFollows,
  readChangedPeople,
  readChangedPosts,
  scanFollows,
  scanPeople,
  scanPosts,
} from './rows.ts';
import { scanRanges } from './rows-of-ranges.ts';
import type { Person } from './traits.ts';

/** Clocks are set back slightly at times; posts are retained for this much longer than the window. */
const SLACK_MS = 86_400_000;
/** After this time the index is rebuilt, without the posts that no longer count. */
const LONGEST_DRIFT_MS = POST_WINDOW_MS / 4;

/** Rows of more ranges than this are read faster in their order, along with those of others. */
const MOST_FOUND = 256;

/** An index, and what it includes. */
export interface Built {
  readonly index: AudienceIndex;
  /** Posts from this time on are in the index. */
  readonly since_ms: number;
  readonly built_ms: number;
  /** The last change that the index includes. */
  mark: ChangeMark;
  /** The members that the index has. */
  readonly members: MembersOfIndex | undefined;
  /** Whether the index is to have a person. */
  readonly has: (id: bigint) => boolean;
}

interface Services {
  readonly database: Database;
  readonly clock: Clock;
  /** Without it nobody is in any audience. */
  readonly members?: MembersOfIndex | undefined;
  /** The platform's key. */
  readonly key: string;
  /** Who counts in place of this process. */
  readonly elsewhere?: Pick<AudienceStore, 'count' | 'countActive'> | undefined;
  /** Where the people of the platform are shared by ranges: what this process has of them at the moment. */
  readonly share?: RangesOfIndex | undefined;
}

/** Ranges of people for an index. */
interface RangesOfIndex {
  /** What it has to have. */
  readonly takes: Ranges;
  /** And what it is to have when it is built anew. */
  readonly reads: Ranges;
}

/** The index has no such ranges, and is not to have them. */
export class OtherRangesError extends Error {
  override readonly name = 'OtherRangesError';
}

/** The index was not finished because the world was closed. */
class ClosedError extends Error {
  override readonly name = 'ClosedError';
}

export class AudienceStore {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #members: MembersOfIndex | undefined;
  readonly #key: string;
  readonly #elsewhere: Services['elsewhere'];
  readonly #share: Services['share'];
  #built: Built | undefined;
  #fresh_ms: number | undefined;
  #running: Promise<Built> | undefined;
  #next: Promise<Built> | undefined;
  /** Built while another one answered. */
  #spare: Built | undefined;
  #adopting: Promise<unknown> | undefined;
  #closed = false;

  constructor({ database, clock, members, key, elsewhere, share }: Services) {
    this.#share = share;
    this.#elsewhere = elsewhere;
    this.#key = key;
    this.#database = database;
    this.#clock = clock;
    this.#members = members;
  }

  /**
   * Counts the matching people of the platform, with everything that was committed before the call. The first call builds the
   * index, and concurrent calls wait for it.
   * @param scope what the audiences that the query names consist of, and who is left out
   */
  async count(query: AudienceQuery, scope?: AudienceScope): Promise<number> {
    if (this.#elsewhere) return this.#elsewhere.count(query, scope);
    if (scope) await this.#members?.sync();
    const { index } = await this.prepare();
    return index.count(query, this.#clock.now(), scope);
  }

  /** Counts the people of an audience who were active in the last 90 days. */
  async countActive(audience: MemberTree): Promise<ActiveCount> {
    if (this.#elsewhere) return this.#elsewhere.countActive(audience);
    await this.#members?.sync();
    const { index } = await this.prepare();
    return index.countActive(audience, this.#clock.now());
  }

  /** Forgets the members of an audience that has none any more. */
  dropMembers(audience: string): void {
    this.#built?.index.dropMembers(audience);
  }

  /** The ranges that can be answered for without building anything. */
  get builtRanges(): Ranges {
    return this.#built?.index.ranges ?? 0n;
  }

  /** The index as {@link prepare} gives it, for some ranges. @throws OtherRangesError */
  async prepareFor(ranges: Ranges): Promise<Built> {
    if (!covers(this.builtRanges | (this.#share?.takes ?? ALL_RANGES), ranges)) throw new OtherRangesError();
    const built = await this.prepare();
    if (!covers(built.index.ranges, ranges)) throw new OtherRangesError();
    return built;
  }

  /** Builds an index of other ranges, while the one that is there answers. It takes that one's place then. */
  async adopt(ranges: Ranges): Promise<void> {
    const reading = this.#read(ranges);
    this.#adopting = reading;
    const spare = await reading;
    this.#spare?.index.close();
    this.#spare = spare;
    await this.prepare();
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

  /** Milliseconds of the world since the index was brought up to date; `undefined` until it is built. */
  get age_ms(): number | undefined {
    return this.#fresh_ms === undefined ? undefined : Math.max(0, this.#clock.now() - this.#fresh_ms);
  }

  /** Stops building. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#adopting?.catch(() => {});
    await this.#running?.catch(() => {});
    this.#spare?.index.close();
    this.#built?.index.close();
  }

  async #refresh(): Promise<Built> {
    const now = this.#clock.now();
    if (this.#spare) {
      this.#built?.index.close();
      this.#built = this.#spare;
      this.#spare = undefined;
    }
    let built = this.#built;
    if (built && this.#share && !covers(built.index.ranges, this.#share.takes)) built = undefined;
    if (built && Math.abs(now - built.built_ms) > (now < built.built_ms ? SLACK_MS : LONGEST_DRIFT_MS))
      built = undefined;
    while (!(built && (await this.#catchUp(built)))) built = await this.#build();
    this.#built = built;
    this.#fresh_ms = now;
    return built;
  }

  async #build(): Promise<Built> {
    // Otherwise the old index would be in memory along with the new one.
    this.#built?.index.close();
    this.#built = undefined;
    return this.#read(this.#share?.reads);
  }

  /** @param ranges everybody, if left out */
  async #read(ranges: Ranges | undefined): Promise<Built> {
    const mark = await findMark(this.#database);
    const built_ms = this.#clock.now();
    const has = isIn(ranges ?? ALL_RANGES);
    const members = ranges === undefined ? this.#members : this.#members && membersIn(this.#members, ranges);
    const index = new AudienceIndex({ members, key: this.#key, ranges });
    const pace = new Pace();
    const step = async () => {
      await pace.step();
      this.#checkOpen();
    };
    const since_ms = built_ms - POST_WINDOW_MS - SLACK_MS;
    const seen = (author_id: bigint, created_ms: number) => {
      if (has(author_id)) index.noteActivity(author_id, created_ms);
    };
    const take = {
      person: (person: Person) => has(person.id) && index.setPerson(person),
      follow: (follow: FollowToIndex) => has(follow.follower_id) && index.loadFollow(follow),
      post: (post: PostToIndex) => has(post.author_id) && index.addPost(post),
    };
    try {
      if (ranges !== undefined && rangeCount(ranges) <= MOST_FOUND) {
        const seal = () => index.seal(pace);
        await scanRanges(this.#database, { ranges, since_ms }, { ...take, seal, seen }, step);
      } else {
        await scanPeople(this.#database, take.person, step);
        await scanFollows(this.#database, take.follow, step);
        await index.seal(pace);
        await scanPosts(this.#database, since_ms, take.post, step, seen);
      }
    } catch (error) {
      index.close();
      throw error;
    }
    return { index, since_ms, built_ms, mark, members, has };
  }

  /** Applies changes. @returns false when some of them are unknown */
  async #catchUp(built: Built): Promise<boolean> {
    const pace = new Pace();
    for (;;) {
      const next = await changesAfter(this.#database, built.mark);
      if (next === 'unknown') return false;
      if (next === 'none') return true;
      await this.#apply(built, next.changes);
      built.mark = next.mark;
      await pace.step();
      this.#checkOpen();
    }
  }

  #checkOpen(): void {
    if (this.#closed) throw new ClosedError('the world was closed');
  }

  /** Rereads the current state of what changed: applying a change twice is harmless. */
  async #apply({ index, has }: Built, changes: readonly AudienceChange[]): Promise<void> {
    const database = this.#database;
    const people = new Set([...changedIds(changes, 'user')].filter(has));
    const posts = changedIds(changes, 'post');
    const follows = new Map<string, FollowToIndex>();
    for (const { kind, id, other_id } of changes) {
      if (kind === 'follow' && other_id !== null && has(id))
        follows.set(`${id} ${other_id}`, { follower_id: id, followed_id: other_id });
    }
    const foundPeople = await readChangedPeople(database, [...people]);
    const seen = (author_id: bigint, created_ms: number) => {
      if (has(author_id)) index.noteActivity(author_id, created_ms);
    };
    const foundPosts = (await readChangedPosts(database, [...posts], seen)).filter((post) => has(post.author_id));
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
  }
}
