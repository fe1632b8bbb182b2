/**
 * A set of people who belong to it during intervals of time. Who belongs at the current time is held as a set; what changes
 * later is held in order of time and applied as the clock passes it, so that nothing ever goes through all members.
 */
import type { Pace } from '../../pace.ts';
import { CompressedSet } from '../compressed-set.ts';
import type { DenseSet } from '../dense-set.ts';
import { NumberList } from '../number-list.ts';
import { inOrderOfTime, type Transitions } from './time-order.ts';

/** Intervals `[from, to)` in seconds of the world's clock, disjoint and ascending: from, to, from, to. */
export type Intervals = readonly number[];

/** A change of one person that came after the set was built. */
interface LaterTransition {
  readonly time: number;
  readonly person: number;
  readonly joins: boolean;
  /** The number of the change of the person that this belongs to. */
  readonly generation: number;
}

/** Changes beyond these, and beyond half of the set, have it built anew. */
const FEW_CHANGES = 8192;
/** Approximate bytes of a changed person, and of a transition that came later. */
const CHANGED_BYTES = 80;

export class TimedSet {
  readonly #members: CompressedSet;
  /** Value: the person twice, plus one where they join. Those before `#passed` are applied. */
  readonly #transitions: Transitions;
  #passed = 0;
  /** A heap by time, leaving before joining. */
  readonly #later: LaterTransition[] = [];
  /** People whose transitions are not those of the columns any more, with the number of their changes. */
  readonly #generations = new Map<number, number>();
  #now_s: number;
  /** The set cannot go back to before this time. */
  #floor_s: number;

  private constructor(members: CompressedSet, transitions: Transitions, now_s: number) {
    this.#members = members;
    this.#transitions = transitions;
    this.#now_s = now_s;
    this.#floor_s = now_s;
  }

  /** Starts a set as of a time. */
  static builder(now_s: number): TimedSetBuilder {
    return new TimedSetBuilder(now_s, (...args) => new TimedSet(...args));
  }

  /** Approximate memory. */
  get bytes(): number {
    return this.#members.bytes + this.#transitions.times.length * 8 + this.#changes * CHANGED_BYTES;
  }

  /** Returns whether so much changed that building the set anew is cheaper than holding the changes. */
  get isWorn(): boolean {
    return this.#changes > FEW_CHANGES + this.#transitions.times.length / 2;
  }

  /** People and transitions that came later. Those that are superseded count too. */
  get #changes(): number {
    return this.#generations.size + this.#later.length;
  }

  /** The next time in seconds at which somebody joins or leaves; `undefined` if that is never. */
  get next_s(): number | undefined {
    const { times } = this.#transitions;
    const next = Math.min(times[this.#passed] ?? Infinity, this.#later[0]?.time ?? Infinity);
    return next === Infinity ? undefined : next;
  }

  /**
   * Moves to a time, and applies everything up to it.
   * @returns false when the set does not know who belonged to it then, and has to be built anew
   */
  async moveTo(now_s: number, pace: Pace): Promise<boolean> {
    if (now_s < this.#floor_s) return false;
    while (!this.#step(now_s)) await pace.step();
    return true;
  }

  /** Sets when a person belongs to the set, in place of what was known of them. */
  change(person: number, intervals: Intervals): void {
    const generation = (this.#generations.get(person) ?? 0) + 1;
    this.#generations.set(person, generation);
    this.#floor_s = this.#now_s;
    let isMember = false;
    for (let i = 0; i < intervals.length; i += 2) {
      const [from = 0, to = 0] = [intervals[i], intervals[i + 1]];
      if (from >= to || to <= this.#now_s) continue;
      if (from <= this.#now_s) isMember = true;
      else push(this.#later, { time: from, person, joins: true, generation });
      push(this.#later, { time: to, person, joins: false, generation });
    }
    if (isMember) this.#members.add(person);
    else this.#members.delete(person);
  }

  /** Adds the people of the set at its time to another set. */
  addTo(set: DenseSet): void {
    this.#members.addTo(set);
  }

  /** Applies some transitions. @returns whether the time is reached */
  #step(now_s: number): boolean {
    const { times, values } = this.#transitions;
    let left = 20_000;
    while (this.#passed > 0 && (times[this.#passed - 1] ?? 0) > now_s) {
      if (left-- === 0) return false;
      this.#passed--;
      this.#apply(values[this.#passed] ?? 0, true);
    }
    while ((times[this.#passed] ?? Infinity) <= now_s) {
      if (left-- === 0) return false;
      this.#apply(values[this.#passed] ?? 0, false);
      this.#passed++;
    }
    for (let first = this.#later[0]; first && first.time <= now_s; first = this.#later[0]) {
      if (left-- === 0) return false;
      pop(this.#later);
      if (this.#generations.get(first.person) !== first.generation) continue;
      if (first.joins) this.#members.add(first.person);
      else this.#members.delete(first.person);
      this.#floor_s = first.time;
    }
    this.#now_s = now_s;
    return true;
  }

  #apply(value: number, backwards: boolean): void {
    const person = value >>> 1;
    if (this.#generations.has(person)) return;
    if (((value & 1) === 1) !== backwards) this.#members.add(person);
    else this.#members.delete(person);
  }
}

/** Collects the people of a set. */
class TimedSetBuilder {
  readonly #now_s: number;
  readonly #make: (members: CompressedSet, transitions: Transitions, now_s: number) => TimedSet;
  readonly #members = new CompressedSet();
  readonly #times = new NumberList();
  readonly #values = new NumberList();

  constructor(now_s: number, make: (members: CompressedSet, transitions: Transitions, now_s: number) => TimedSet) {
    this.#now_s = now_s;
    this.#make = make;
  }

  /** Adds an interval of a person, whose intervals come in ascending order. */
  add(person: number, from_s: number, to_s: number): void {
    if (from_s >= to_s || to_s <= this.#now_s) return;
    if (from_s <= this.#now_s) this.#members.add(person);
    else this.#push(from_s, person * 2 + 1);
    this.#push(to_s, person * 2);
  }

  async build(pace: Pace): Promise<TimedSet> {
    const transitions = { times: this.#times.toArray(), values: this.#values.toArray() };
    return this.#make(this.#members, await inOrderOfTime(transitions, pace), this.#now_s);
  }

  #push(time_s: number, value: number): void {
    this.#times.push(time_s);
    this.#values.push(value);
  }
}

/** Orders transitions: by time, and at one time those who leave first, because one interval may begin where another ends. */
function isBefore(one: LaterTransition, other: LaterTransition): boolean {
  return one.time < other.time || (one.time === other.time && !one.joins && other.joins);
}

/** Adds to a heap. */
function push(heap: LaterTransition[], item: LaterTransition): void {
  let place = heap.push(item) - 1;
  while (place > 0) {
    const above = (place - 1) >>> 1;
    const parent = heap[above];
    if (!parent || !isBefore(item, parent)) break;
    heap[place] = parent;
    place = above;
  }
  heap[place] = item;
}

/** Removes the first of a heap. */
function pop(heap: LaterTransition[]): void {
  const item = heap.pop();
  if (!item || heap.length === 0) return;
  let place = 0;
  for (;;) {
    const [left, right] = [heap[place * 2 + 1], heap[place * 2 + 2]];
    if (!left) break;
    const isRight = right !== undefined && isBefore(right, left);
    const child = isRight ? right : left;
    if (!isBefore(child, item)) break;
    heap[place] = child;
    place = place * 2 + (isRight ? 2 : 1);
  }
  heap[place] = item;
}
