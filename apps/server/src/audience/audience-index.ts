/**
 * Who has which trait, in memory. People are numbered from 0 in the order in which the platform came to know them, so that
 * a set of them is a row of bits, and a query is a few passes over such rows.
 */
import type { AudienceQuery, Trait } from '@broadside/core/resources/audience-estimate';
import { BirthDates } from './birth-dates.ts';
import { CompressedSet } from './compressed-set.ts';
import type { DenseSet } from './dense-set.ts';
import { FollowGraph } from './follow-graph.ts';
import { IdTable } from './id-table.ts';
import { Pace } from './pace.ts';
import { PostWords, type WordQuery } from './post-words.ts';
import type { FollowToIndex, Person, PostToIndex } from './rows.ts';
import { SetPool } from './set-pool.ts';
import { Tally } from './tally.ts';
import { traitKey } from './traits.ts';

/** Posts count for so long after they were written (our choice). */
export const POST_WINDOW_MS = 365 * 86_400_000;

/** Of the followers of a user, this many say whom the others like them follow. */
const MAX_FOLLOWERS_ASKED = 2000;
/** So many accounts, those whom followers of a user follow most beside that user, stand for what they have in common. */
const COMMON_ACCOUNTS = 10;

/** A trait that is looked for in posts. */
type Keyword = Extract<Trait, { readonly kind: 'wrote' | 'wrote_exactly' }>;

export class AudienceIndex {
  readonly #follows = new FollowGraph();
  readonly #posts = new PostWords();
  readonly #ids = new IdTable();
  /** People who are there: follows and posts can be read before those who made them. */
  readonly #everybody = new CompressedSet();
  readonly #traits = new Map<string, CompressedSet>();
  readonly #birthDates = new BirthDates();
  readonly #tally = new Tally();
  readonly #pool = new SetPool();

  /** How many people have a number. */
  get size(): number {
    return this.#ids.size;
  }

  /** The number of a person, who gets one here if need be. */
  numberOf(id: bigint): number {
    return this.#ids.add(id);
  }

  /** Adds a person, or replaces what is known of them. */
  setPerson({ id, traits, birth_date }: Person): void {
    const person = this.numberOf(id);
    // Which traits somebody has is not kept for each person: changes are few, and trying all traits is quick.
    if (this.#everybody.has(person)) for (const set of this.#traits.values()) set.delete(person);
    this.#everybody.add(person);
    for (const trait of traits) {
      const set = this.#traits.get(trait) ?? new CompressedSet();
      this.#traits.set(trait, set);
      set.add(person);
    }
    this.#birthDates.set(person, birth_date);
  }

  /** Takes a person out. Their number stays theirs. */
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

  /** Says whether somebody follows somebody. */
  setFollow({ follower_id, followed_id }: FollowToIndex, follows: boolean): void {
    this.#follows.set(this.numberOf(follower_id), this.numberOf(followed_id), follows);
  }

  /** Adds a post. */
  addPost({ author_id, ...post }: PostToIndex): void {
    this.#posts.add({ ...post, author: this.numberOf(author_id) });
  }

  /** Takes a post out. */
  deletePost(id: bigint): void {
    this.#posts.delete(id);
  }

  /** How many people are asked for. Gives way to other work between traits. */
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
    await this.#posts.addAuthorsTo(union, keywords, now_ms - POST_WINDOW_MS, pace);
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

  /** The accounts that these followers of a user follow most; of equals those who joined first. */
  #commonAccounts(user: number, followers: Uint32Array): readonly number[] {
    const asked = Math.min(followers.length, MAX_FOLLOWERS_ASKED);
    const tally = this.#tally;
    tally.fit(this.size);
    for (let i = 0; i < asked; i++) {
      // Evenly over all of them, so that the answer does not depend on chance.
      this.#follows.countFollowedBy(followers[Math.floor((i * followers.length) / asked)] ?? 0, tally);
    }
    tally.forget(user);
    return tally.takeLargest(COMMON_ACCOUNTS);
  }
}
