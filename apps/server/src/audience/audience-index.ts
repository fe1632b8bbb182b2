/**
 * The traits of people, in memory. People are numbered from 0 in the order in which the platform learned of them, so that
 * a set of them is a bitmap, and a query is a few passes over bitmaps.
 */
import type { AudienceQuery, Trait } from '@broadside/core/resources/audience-estimate';
import { BirthDates } from './birth-dates.ts';
import { CompressedSet } from './compressed-set.ts';
import { DenseSet } from './dense-set.ts';
import { FollowGraph } from './follow-graph.ts';
import { IdTable } from './id-table.ts';
import { Pace } from './pace.ts';
import { PostWords, type WordQuery } from './post-words.ts';
import type { FollowToIndex, Person, PostToIndex } from './rows.ts';
import { SetPool } from './set-pool.ts';
import { Tally } from './tally.ts';
import { PUBLIC, traitKey } from './traits.ts';

/** Posts count for this long after they were written (our choice). */
export const POST_WINDOW_MS = 365 * 86_400_000;

/** Size of the sample of a user's followers that determines the accounts they have in common. */
const MAX_FOLLOWERS_ASKED = 2000;
/** Number of accounts, those that followers of a user follow most besides that user, that represent the common interest. */
const COMMON_ACCOUNTS = 10;

/** A trait that is searched in posts. */
type Keyword = Extract<Trait, { readonly kind: 'wrote' | 'wrote_exactly' }>;

export class AudienceIndex {
  readonly #follows = new FollowGraph();
  /** The words of posts. */
  readonly posts: PostWords = new PostWords();
  readonly #ids = new IdTable();
  /** Existing people: follows and posts can be read before those who made them. */
  readonly #everybody = new CompressedSet();
  readonly #traits = new Map<string, CompressedSet>();
  readonly #birthDates = new BirthDates();
  readonly #tally = new Tally();
  readonly #pool = new SetPool();

  /** The number of people with a number. */
  get size(): number {
    return this.#ids.size;
  }

  /** Returns the number of a person, assigning one if needed. */
  numberOf(id: bigint): number {
    return this.#ids.add(id);
  }

  /** Adds a person, or replaces their traits. */
  setPerson({ id, traits, birth_date }: Person): void {
    const person = this.numberOf(id);
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
    this.setPerson({ id, traits: [], birth_date: undefined });
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

  /** Removes a post. */
  deletePost(id: bigint): void {
    this.posts.delete(id);
  }

  /**
   * Returns the people whose posts anybody may read.
   * @param location a targeting value; everywhere when left out
   */
  publicPeople(location?: string): DenseSet {
    const people = new DenseSet(this.size);
    this.#traits.get(PUBLIC)?.addTo(people);
    if (location === undefined) return people;
    const there = new DenseSet(this.size);
    this.#traits.get(traitKey('location', location))?.addTo(there);
    people.intersect(there);
    return people;
  }

  /** Counts the matching people. Yields to other work between traits. */
  async count({ all, none }: AudienceQuery, now_ms: number): Promise<number> {
    const { size } = this;
    const pace = new Pace();
    const found = this.#pool.take(size);
    this.#everybody.addTo(found);
    for (const traits of all) {
      const union = await this.#union(traits, now_ms, size, pace);
      found.intersect(union);
      this.#pool.give(union);
    }
    if (none.length > 0) {
      const union = await this.#union(none, now_ms, size, pace);
      found.subtract(union);
      this.#pool.give(union);
    }
    const { count } = found;
    this.#pool.give(found);
    return count;
  }

  async #union(traits: readonly Trait[], now_ms: number, size: number, pace: Pace): Promise<DenseSet> {
    const union = this.#pool.take(size);
    const keywords: WordQuery[] = [];
    for (const trait of traits) {
      if (trait.kind === 'wrote') keywords.push({ groups: trait.groups, exactly: false });
      else if (trait.kind === 'wrote_exactly') keywords.push({ groups: [trait.words], exactly: true });
      else this.#addTo(union, trait, now_ms);
      await pace.step();
    }
    await this.posts.addAuthorsTo(union, keywords, now_ms - POST_WINDOW_MS, pace);
    return union;
  }

  #addTo(set: DenseSet, trait: Exclude<Trait, Keyword>, now_ms: number): void {
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
        this.#withNumber(trait.user_id, (user) => this.#addSimilarTo(set, user));
        return;
      case 'custom_audience':
      case 'unknown':
    }
  }

  #withNumber(user_id: string, use: (user: number) => void): void {
    const user = this.#ids.get(BigInt(user_id));
    if (user !== undefined) use(user);
  }

  /** Adds people who do not follow a user, but at least two of the ten accounts that those who do follow most. */
  #addSimilarTo(set: DenseSet, user: number): void {
    const followers = this.#follows.followersOf(user);
    const [once, twice] = [this.#pool.take(this.size), this.#pool.take(this.size)];
    for (const account of this.#commonAccounts(user, followers)) {
      once.addAll(this.#follows.followersOf(account), twice);
    }
    for (const follower of followers) twice.delete(follower);
    twice.delete(user);
    set.unite(twice);
    this.#pool.give(once);
    this.#pool.give(twice);
  }

  /** Returns the accounts that these followers of a user follow most; on a tie those who joined first. */
  #commonAccounts(user: number, followers: Uint32Array): readonly number[] {
    const asked = Math.min(followers.length, MAX_FOLLOWERS_ASKED);
    const tally = this.#tally;
    tally.fit(this.size);
    for (let i = 0; i < asked; i++) {
      // Evenly over all of them, so that the result is deterministic.
      this.#follows.countFollowedBy(followers[Math.floor((i * followers.length) / asked)] ?? 0, tally);
    }
    tally.forget(user);
    return tally.takeLargest(COMMON_ACCOUNTS);
  }
}
