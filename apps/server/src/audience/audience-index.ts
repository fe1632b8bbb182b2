/**
 * The traits of people, in memory. People are numbered from 0 in the order in which the platform learned of them, so that
 * a set of them is a bitmap, and a query is a few passes over bitmaps.
 */
import {
  type AudienceQuery,
  blurredCount,
  SMALLEST_AUDIENCE,
  type Trait,
} from '@broadside/core/resources/audience-estimate';
import { Pace } from '../pace.ts';
import { BirthDates } from './birth-dates.ts';
import { fingerprint, fingerprintSeeds, shareOf } from './blur.ts';
import { CompressedSet } from './compressed-set.ts';
import { DenseSet } from './dense-set.ts';
import { FollowGraph } from './follow-graph.ts';
import { IdTable } from './id-table.ts';
import { LastSeen } from './last-seen.ts';
import { keyOf, type MatchedSource, MemberSets } from './members/member-sets.ts';
import {
  type AudienceScope,
  type MemberSetName,
  type MemberTree,
  setsOf,
  TreeEvaluation,
} from './members/member-tree.ts';
import type { TimedSet } from './members/timed-set.ts';
import {
  type ActiveCount,
  audienceIn,
  COMMON_ACCOUNTS,
  MAX_FOLLOWERS_ASKED,
  NO_AUDIENCES,
  namesIn,
  type PartCount,
  type PartOfCount,
  type Question,
} from './part-count.ts';
import { PersonIds } from './person-ids.ts';
import { PostWords, type WordQuery } from './post-words.ts';
import { ALL_RANGES, type Ranges, rangeFlags } from './ranges.ts';
import type { FollowToIndex, PostToIndex } from './rows.ts';
import { SetPool } from './set-pool.ts';
import { Tally } from './tally.ts';
import { type Person, PUBLIC, traitKey } from './traits.ts';

/** Posts count for this long after they were written (our choice). */
export const POST_WINDOW_MS = 365 * 86_400_000;
/** People are active for this long after they joined, posted or reposted (our choice of what activity is). */
const ACTIVE_S = 90 * 86_400;
/** Memory for the members of audiences: some thirty audiences of a million people. */
const MEMBERS_BYTES = 256 << 20;

export interface AudienceIndexOptions {
  /** Without them nobody is in any audience. */
  readonly members?: MatchedSource | undefined;
  /** Memory for them. */
  readonly budget_bytes?: number;
  /** Key of the hashes by which counts are blurred. */
  readonly key: string;
  /** Given where the people of the platform are shared by ranges: those whom the index has. */
  readonly ranges?: Ranges | undefined;
}

/** A trait that is searched in posts. */
type Keyword = Extract<Trait, { readonly kind: 'wrote' | 'wrote_exactly' }>;

export class AudienceIndex {
  readonly #follows = new FollowGraph();
  /** The words of posts. */
  readonly posts: PostWords;
  /** The ranges of the people, where they are shared. */
  readonly ranges: Ranges;
  /** Their ids, likewise. */
  readonly personIds: PersonIds | undefined;
  readonly #ids: IdTable;
  /** Existing people: follows and posts can be read before those who made them. */
  readonly #everybody = new CompressedSet();
  readonly #traits = new Map<string, CompressedSet>();
  readonly #birthDates = new BirthDates();
  readonly #tally = new Tally();
  readonly #pool = new SetPool();
  readonly #lastSeen = new LastSeen();
  readonly #members: MemberSets | undefined;
  readonly #key: string;

  constructor({ members, budget_bytes = MEMBERS_BYTES, key, ranges }: AudienceIndexOptions) {
    this.ranges = ranges ?? ALL_RANGES;
    const personIds = ranges === undefined ? undefined : new PersonIds();
    this.personIds = personIds;
    this.posts = new PostWords({ hasIds: ranges !== undefined });
    this.#ids = new IdTable(personIds && ((low, high) => personIds.push(low, high)));
    if (members) this.#members = new MemberSets({ members, ids: this.#ids, budget_bytes });
    this.#key = key;
  }

  /** Ends the use of the index. */
  close(): void {
    this.#members?.close();
  }

  /** Forgets the members of an audience: there are none any more. */
  dropMembers(audience: string): void {
    this.#members?.drop(audience);
  }

  /** The number of people with a number. */
  get size(): number {
    return this.#ids.size;
  }

  /** Returns the number of a person, assigning one if needed. */
  numberOf(id: bigint): number {
    return this.#ids.add(id);
  }

  /** Adds a person, or replaces their traits. */
  setPerson({ id, traits, birth_date, joined_s }: Person): void {
    const person = this.numberOf(id);
    this.#lastSeen.note(person, joined_s);
    // The traits of each person are not stored: changes are few, and trying all traits is quick.
    if (this.#everybody.has(person)) for (const set of this.#traits.values()) set.delete(person);
    this.#everybody.add(person);
    for (const trait of traits) {
      const set = this.#traits.get(trait) ?? new CompressedSet();
      this.#traits.set(trait, set);
      set.add(person);
    }
    this.#birthDates.set(person, birth_date);
  }

  /** Removes a person. Their number is not reused. */
  deletePerson(id: bigint): void {
    this.setPerson({ id, traits: [], birth_date: undefined, joined_s: 0 });
    this.#everybody.delete(this.numberOf(id));
  }

  /** Adds a follow while the index is being built. */
  loadFollow({ follower_id, followed_id }: FollowToIndex): void {
    this.#follows.load(this.numberOf(follower_id), this.numberOf(followed_id));
  }

  /** Ends the loading of follows. */
  seal(pace: Pace): Promise<void> {
    return this.#follows.seal(this.size, pace);
  }

  /** Returns whether one person follows another. */
  setFollow({ follower_id, followed_id }: FollowToIndex, follows: boolean): void {
    this.#follows.set(this.numberOf(follower_id), this.numberOf(followed_id), follows);
  }

  /** Adds a post. */
  addPost({ author_id, ...post }: PostToIndex): void {
    this.posts.add({ ...post, author: this.numberOf(author_id) });
  }

  /** Notes that a person posted something, whether or not it counts. */
  noteActivity(author_id: bigint, created_ms: number): void {
    this.#lastSeen.note(this.numberOf(author_id), Math.floor(created_ms / 1000));
  }

  /** Removes a post. */
  deletePost(id: bigint): void {
    this.posts.delete(id);
  }

  /**
   * Returns the people whose posts anybody may read.
   * @param location a targeting value; everywhere when left out
   * @param ranges those of the people, who are all that the index has when left out
   */
  publicPeople(location?: string, ranges: Ranges = this.ranges): DenseSet {
    const people = new DenseSet(this.size);
    this.#traits.get(PUBLIC)?.addTo(people);
    this.#keepIn(people, ranges);
    if (location === undefined) return people;
    const there = new DenseSet(this.size);
    this.#traits.get(traitKey('location', location))?.addTo(there);
    people.intersect(there);
    return people;
  }

  /** Counts the matching people. Yields to other work between traits. */
  async count(query: AudienceQuery, now_ms: number, scope: AudienceScope = NO_AUDIENCES): Promise<number> {
    const pace = new Pace();
    const sets = await this.#load(namesIn(query, scope), Math.floor(now_ms / 1000), pace);
    const inputs = scope.blur && [...scope.blur, ...this.#fingerprints(sets)];
    const found = await this.#find(query, { now_ms, scope, sets, pace });
    const { count } = found;
    this.#pool.give(found);
    return inputs ? blurredCount(count, shareOf(this.#key, inputs), SMALLEST_AUDIENCE) : count;
  }

  /** Counts the matching people of some ranges of the index. */
  async countPart(
    query: AudienceQuery,
    now_ms: number,
    scope: AudienceScope,
    { ranges, commons }: PartOfCount,
  ): Promise<PartCount> {
    const pace = new Pace();
    const sets = await this.#load(namesIn(query, scope), Math.floor(now_ms / 1000), pace);
    const prints = scope.blur ? this.#partPrints(sets, ranges) : [];
    const found = await this.#find(query, { now_ms, scope, sets, commons, pace });
    this.#keepIn(found, ranges);
    const { count } = found;
    this.#pool.give(found);
    return { count, prints };
  }

  /** The number of followers of a user among the people of some ranges. */
  countFollowers(user_id: string, ranges: Ranges): number {
    return this.#followersIn(user_id, ranges, 1).length;
  }

  /** Counts whom a share of the followers of a user follow, of those in some ranges. People who have left may be among those who are followed. */
  tallyFollowed(user_id: string, ranges: Ranges, share: number): [id: string, count: number][] {
    const tally = this.#tally;
    tally.fit(this.size);
    for (const follower of this.#followersIn(user_id, ranges, share)) this.#follows.countFollowedBy(follower, tally);
    const user = this.#ids.get(BigInt(user_id));
    if (user !== undefined) tally.forget(user);
    return tally.takeAll().map(({ person, count }) => [this.personIds?.idOf(person) ?? '', count]);
  }

  #followersIn(user_id: string, ranges: Ranges, share: number): Uint32Array {
    const [user, ids] = [this.#ids.get(BigInt(user_id)), this.personIds];
    if (user === undefined || !ids) return new Uint32Array();
    const flags = rangeFlags(ranges);
    const isThere = (person: number) => this.#everybody.has(person);
    // Follows of people who have left stay in the graph.
    return this.#follows.followersOf(user).filter((one) => isThere(one) && ids.isSampled(one, flags, share));
  }

  #keepIn(people: DenseSet, ranges: Ranges): void {
    if (ranges !== this.ranges) this.personIds?.keepIn(people, ranges);
  }

  /** Counts the people of an audience who were active lately. */
  async countActive(audience: MemberTree, now_ms: number, ranges: Ranges = this.ranges): Promise<ActiveCount> {
    const pace = new Pace();
    const now_s = Math.floor(now_ms / 1000);
    const sets = await this.#load(setsOf(audience), now_s, pace);
    const found = this.#everyone();
    const members = this.#pool.take(this.size);
    this.#treesOf(sets).addTo(members, audience);
    found.intersect(members);
    this.#pool.give(members);
    this.#keepIn(found, ranges);
    const earliest = await this.#lastSeen.keepSince(found, now_s - ACTIVE_S, pace);
    const { count } = found;
    this.#pool.give(found);
    const changes = [...sets.values()].flatMap(({ next_s }) => next_s ?? []);
    if (earliest !== undefined) changes.push(earliest + ACTIVE_S + 1);
    return { count, until_s: changes.length > 0 ? Math.min(...changes) : undefined };
  }

  /** Returns what identifies the members of sets. */
  #fingerprints(sets: ReadonlyMap<string, TimedSet>): string[] {
    return [...sets].flatMap(([name, members]) => {
      const set = this.#pool.take(this.size);
      members.addTo(set);
      const print = fingerprint(this.#key, set);
      this.#pool.give(set);
      return [name, print];
    });
  }

  #partPrints(sets: ReadonlyMap<string, TimedSet>, ranges: Ranges): PartCount['prints'] {
    const seeds = fingerprintSeeds(this.#key);
    return [...sets].map(([name, members]) => {
      const set = this.#pool.take(this.size);
      members.addTo(set);
      this.personIds?.keepIn(set, ranges);
      const [one, other] = this.personIds?.hashOfSet(set, seeds) ?? [0, 0];
      this.#pool.give(set);
      return [name, one, other] as const;
    });
  }

  async #find({ all, none }: AudienceQuery, question: Question): Promise<DenseSet> {
    const { scope, sets } = question;
    const found = this.#everyone();
    const union = async (traits: readonly Trait[]) => {
      const set = this.#pool.take(this.size);
      const trees = this.#treesOf(sets);
      for (const trait of traits) {
        const tree = audienceIn(scope, trait);
        if (tree) trees.addTo(set, tree);
      }
      await this.#addTraits(set, traits, question);
      return set;
    };
    for (const traits of all) {
      const set = await union(traits);
      found.intersect(set);
      this.#pool.give(set);
    }
    const left = none.length > 0 || scope.without.length > 0 ? await union(none) : undefined;
    if (left) {
      for (const name of scope.without) sets.get(keyOf(name))?.addTo(left);
      found.subtract(left);
      this.#pool.give(left);
    }
    return found;
  }

  async #load(names: readonly MemberSetName[], now_s: number, pace: Pace): Promise<ReadonlyMap<string, TimedSet>> {
    return names.length === 0 || !this.#members ? new Map() : this.#members.at(names, now_s, pace);
  }

  #treesOf(sets: ReadonlyMap<string, TimedSet>): TreeEvaluation {
    return new TreeEvaluation((name, target) => sets.get(keyOf(name))?.addTo(target), this.#pool, this.size);
  }

  #everyone(): DenseSet {
    const everyone = this.#pool.take(this.size);
    this.#everybody.addTo(everyone);
    return everyone;
  }

  /** Adds the people who meet one of some traits, but for members of audiences. */
  async #addTraits(union: DenseSet, traits: readonly Trait[], question: Question): Promise<void> {
    const { now_ms, pace } = question;
    const keywords: WordQuery[] = [];
    for (const trait of traits) {
      if (trait.kind === 'wrote') keywords.push({ groups: trait.groups, exactly: false });
      else if (trait.kind === 'wrote_exactly') keywords.push({ groups: [trait.words], exactly: true });
      else this.#addTo(union, trait, question);
      await pace.step();
    }
    await this.posts.addAuthorsTo(union, keywords, now_ms - POST_WINDOW_MS, pace);
  }

  #addTo(set: DenseSet, trait: Exclude<Trait, Keyword>, { now_ms, commons }: Question): void {
    switch (trait.kind) {
      case 'location':
      case 'language':
      case 'platform':
      case 'gender':
      case 'interest':
        this.#traits.get(traitKey(trait.kind, trait.value))?.addTo(set);
        return;
      case 'age':
        this.#birthDates.addAgedTo(set, trait.from, trait.to, now_ms);
        return;
      case 'followers_of':
        this.#withNumber(trait.user_id, (user) => set.addAll(this.#follows.followersOf(user)));
        return;
      case 'similar_to_followers_of':
        if (commons)
          this.#addFollowersOfTwo(set, this.#ids.get(BigInt(trait.user_id)), this.#numbersOf(commons, trait));
        else this.#withNumber(trait.user_id, (user) => this.#addFollowersOfTwo(set, user, this.#commonAccounts(user)));
        return;
      // The caller adds these.
      case 'custom_audience':
      case 'unknown':
    }
  }

  #withNumber(user_id: string, use: (user: number) => void): void {
    const user = this.#ids.get(BigInt(user_id));
    if (user !== undefined) use(user);
  }

  /** Adds people who follow two or more of some accounts, but not a user, whom the index may not know where none of their followers is in it. */
  #addFollowersOfTwo(set: DenseSet, user: number | undefined, accounts: readonly number[]): void {
    const [once, twice] = [this.#pool.take(this.size), this.#pool.take(this.size)];
    for (const account of accounts) once.addAll(this.#follows.followersOf(account), twice);
    if (user !== undefined) {
      for (const follower of this.#follows.followersOf(user)) twice.delete(follower);
      twice.delete(user);
    }
    set.unite(twice);
    this.#pool.give(once);
    this.#pool.give(twice);
  }

  #numbersOf(commons: PartOfCount['commons'], { user_id }: { readonly user_id: string }): number[] {
    return (commons.get(user_id) ?? []).flatMap((id) => this.#ids.get(BigInt(id)) ?? []);
  }

  /** Returns the accounts that the followers of a user follow most; on a tie those who joined first. */
  #commonAccounts(user: number): readonly number[] {
    const followers = this.#follows.followersOf(user);
    const asked = Math.min(followers.length, MAX_FOLLOWERS_ASKED);
    const tally = this.#tally;
    tally.fit(this.size);
    for (let i = 0; i < asked; i++) {
      // Evenly over all of them, so that the result is deterministic.
      const follower = followers[Math.floor((i * followers.length) / asked)] ?? 0;
      // Follows of people who have left stay in the graph.
      if (this.#everybody.has(follower)) this.#follows.countFollowedBy(follower, tally);
    }
    tally.forget(user);
    return tally.takeLargest(COMMON_ACCOUNTS, (person) => this.#everybody.has(person));
  }
}
