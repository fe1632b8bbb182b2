import type { Pace } from '../pace.ts';
import { NumberList } from './number-list.ts';
import type { Tally } from './tally.ts';

/** Steps of sealing between two checks of the clock. */
const STRIDE = 2000;

/**
 * The follow graph, in both directions. Follows that exist when the index is built are in two flat arrays in which the
 * neighbours of a person are adjacent, four bytes each; later changes are stored separately.
 */
export class FollowGraph {
  #loadedFollowers: NumberList | undefined = new NumberList();
  #loadedFollowed: NumberList | undefined = new NumberList();
  #followers = new Neighbours();
  #followed = new Neighbours();

  /** Adds a follow while the index is being built. */
  load(follower: number, followed: number): void {
    this.#loadedFollowers?.push(follower);
    this.#loadedFollowed?.push(followed);
  }

  /** Ends the loading. @param size the number of people */
  async seal(size: number, pace: Pace): Promise<void> {
    const [followers, followed] = [this.#loadedFollowers, this.#loadedFollowed];
    if (!followers || !followed) return;
    this.#followers = await Neighbours.of(followed, followers, size, pace);
    this.#followed = await Neighbours.of(followers, followed, size, pace);
    this.#loadedFollowers = undefined;
    this.#loadedFollowed = undefined;
  }

  /** Returns whether one person follows another, once loading has ended. */
  set(follower: number, followed: number, follows: boolean): void {
    if (this.#followed.has(follower, followed) === follows) return;
    this.#followers.set(followed, follower, follows);
    this.#followed.set(follower, followed, follows);
  }

  /** Returns the followers of a person, in an arbitrary but stable order. */
  followersOf(followed: number): Uint32Array {
    return this.#followers.of(followed);
  }

  /** Counts the accounts that a person follows. */
  countFollowedBy(follower: number, tally: Tally): void {
    this.#followed.count(follower, tally);
  }
}

/** The neighbours of each person in one direction. */
class Neighbours {
  /** The neighbours of `i` are from `first[i]` to before `first[i + 1]`. */
  readonly #first: Uint32Array;
  readonly #all: Uint32Array;
  readonly #added = new Map<number, Set<number>>();
  readonly #removed = new Map<number, Set<number>>();
  /** Current neighbours of people whose neighbours changed, copied on first access. */
  readonly #merged = new Map<number, Uint32Array>();

  constructor(first = new Uint32Array(1), all = new Uint32Array(0)) {
    this.#first = first;
    this.#all = all;
  }

  static async of(from: NumberList, to: NumberList, size: number, pace: Pace): Promise<Neighbours> {
    const count = from.length;
    const first = new Uint32Array(size + 1);
    for (let i = 0; i < count; i++) {
      const at = from.at(i) + 1;
      first[at] = (first[at] ?? 0) + 1;
      if (i % STRIDE === 0) await pace.step();
    }
    for (let i = 0; i < size; i++) {
      first[i + 1] = (first[i + 1] ?? 0) + (first[i] ?? 0);
      if (i % STRIDE === 0) await pace.step();
    }
    const next = first.slice();
    const all = new Uint32Array(count);
    for (let i = 0; i < count; i++) {
      const at = from.at(i);
      const place = next[at] ?? 0;
      all[place] = to.at(i);
      next[at] = place + 1;
      if (i % STRIDE === 0) await pace.step();
    }
    return new Neighbours(first, all);
  }

  has(one: number, other: number): boolean {
    if (this.#added.get(one)?.has(other)) return true;
    return this.#base(one).includes(other) && !this.#removed.get(one)?.has(other);
  }

  set(one: number, other: number, isThere: boolean): void {
    this.#merged.delete(one);
    const isBase = this.#base(one).includes(other);
    const changed = isBase ? this.#removed : this.#added;
    if (isBase !== isThere) {
      const set = changed.get(one) ?? new Set();
      changed.set(one, set.add(other));
    } else changed.get(one)?.delete(other);
  }

  of(one: number): Uint32Array {
    const base = this.#base(one);
    const [added, removed] = [this.#added.get(one), this.#removed.get(one)];
    if (!added?.size && !removed?.size) return base;
    const known = this.#merged.get(one);
    if (known) return known;
    const all = new Uint32Array(base.length + (added?.size ?? 0));
    let length = 0;
    if (removed?.size) {
      for (const other of base) if (!removed.has(other)) all[length++] = other;
    } else {
      all.set(base);
      length = base.length;
    }
    for (const other of added ?? []) all[length++] = other;
    const merged = all.subarray(0, length);
    this.#merged.set(one, merged);
    return merged;
  }

  count(one: number, tally: Tally): void {
    if (this.#added.get(one)?.size || this.#removed.get(one)?.size) tally.countEach(this.of(one));
    else if (one + 1 < this.#first.length) tally.countEach(this.#all, this.#first[one], this.#first[one + 1]);
  }

  #base(one: number): Uint32Array {
    return one + 1 < this.#first.length
      ? this.#all.subarray(this.#first[one], this.#first[one + 1])
      : this.#all.subarray(0, 0);
  }
}
