import { RETRY_S } from '../rules.ts';
import type { ReplayedOperation } from './batch.ts';
import { addEvent, addInterval, forget, hasEvent, isInEffect } from './person-times.ts';
import type { Times } from './run-format.ts';

const NOBODY = -1;

/**
 * The persons that a merge works on. Each key has a slot; a person is a tree of slots whose root has its times, and a ring of
 * slots to go through its keys. Times that are one interval and one event at most are in columns, since most persons have
 * no others.
 */
export class Persons {
  /** The slot above in the tree, itself for a root, NOBODY for a key without a person. */
  #parents: Int32Array;
  #ring: Int32Array;
  #from: Uint32Array;
  #to: Uint32Array;
  /** 0 for none. */
  #event: Uint32Array;
  /** True where a person has to be written, by its root. */
  #changed: Uint8Array;
  readonly #others = new Map<number, Times>();
  #count: number;

  /** @param count the number of slots, without persons at first */
  constructor(count: number) {
    this.#parents = new Int32Array(count).fill(NOBODY);
    this.#ring = new Int32Array(count);
    this.#from = new Uint32Array(count);
    this.#to = new Uint32Array(count);
    this.#event = new Uint32Array(count);
    this.#changed = new Uint8Array(count);
    this.#count = count;
  }

  /** The number of slots. */
  get count(): number {
    return this.#count;
  }

  /** Adds a slot. @returns its number */
  addSlot(): number {
    const slot = this.#count++;
    if (slot === this.#parents.length) this.#grow();
    this.#parents[slot] = NOBODY;
    return slot;
  }

  /** Returns the root of the person of a slot; negative if there is none. */
  find(slot: number): number {
    const parents = this.#parents;
    let at = slot;
    let above = parents[at] ?? NOBODY;
    while (above !== at && above >= 0) {
      const next = parents[above] ?? NOBODY;
      parents[at] = next;
      at = above;
      above = next;
    }
    return above;
  }

  /** Makes a person of a slot that has none. */
  create(slot: number, from: number, to: number, event: number): void {
    this.#parents[slot] = slot;
    this.#ring[slot] = slot;
    this.#from[slot] = from;
    this.#to[slot] = to;
    this.#event[slot] = event;
    this.#changed[slot] = 0;
  }

  /** Adds a slot that has no person to one. */
  attach(root: number, slot: number): void {
    this.#parents[slot] = root;
    this.#ring[slot] = this.#ring[root] ?? root;
    this.#ring[root] = slot;
  }

  /** Gives a person times that may be more than columns hold. */
  setTimes(root: number, times: Times): void {
    const { intervals, events } = times;
    const last = intervals.at(-1) ?? 0;
    this.#to[root] = last;
    if (intervals.length === 2 && events.length <= 1) {
      this.#from[root] = intervals[0] ?? 0;
      this.#event[root] = events[0] ?? 0;
      this.#others.delete(root);
    } else {
      this.#others.set(root, times);
    }
  }

  /** Gives a person whose times are in columns an event, or none by 0. */
  setEvent(root: number, event: number): void {
    this.#event[root] = event;
  }

  /** Returns the times of a person. */
  times(root: number): Times {
    const others = this.#others.get(root);
    if (others) return others;
    const event = this.#event[root] ?? 0;
    return { intervals: [this.#from[root] ?? 0, this.#to[root] ?? 0], events: event > 0 ? [event] : [] };
  }

  /** Returns whether the times of a person are in columns: one interval, and no event but at its beginning. */
  isPlain(root: number): boolean {
    if (this.#others.size > 0 && this.#others.has(root)) return false;
    const event = this.#event[root];
    return event === 0 || event === this.#from[root];
  }

  from(root: number): number {
    return this.#from[root] ?? 0;
  }
  /** The end of a person's last interval. */
  to(root: number): number {
    return this.#to[root] ?? 0;
  }
  event(root: number): number {
    return this.#event[root] ?? 0;
  }
  isChanged(root: number): boolean {
    return this.#changed[root] === 1;
  }
  setChanged(root: number): void {
    this.#changed[root] = 1;
  }
  /** The slot after one, among those of the same person. */
  next(slot: number): number {
    return this.#ring[slot] ?? slot;
  }

  /** Removes a person: its keys have none then. */
  remove(root: number): void {
    if (this.#others.size > 0) this.#others.delete(root);
    let slot = root;
    do {
      this.#parents[slot] = NOBODY;
      slot = this.next(slot);
    } while (slot !== root);
  }

  /** Takes a key from its person, which goes on with the others. */
  detach(slot: number): void {
    const root = this.find(slot);
    const slots: number[] = [];
    for (let at = this.next(slot); at !== slot; at = this.next(at)) slots.push(at);
    const times = this.times(root);
    this.remove(root);
    const first = slots[0];
    if (first === undefined) return;
    this.create(first, 0, 0, 0);
    for (const other of slots.slice(1)) this.attach(first, other);
    this.setTimes(first, times);
    this.setChanged(first);
  }

  /** Makes one person of two. @returns its root */
  join(one: number, other: number): number {
    const times = this.times(one);
    const more = this.times(other);
    for (let at = 0; at < more.intervals.length; at += 2) {
      addInterval(times, more.intervals[at] ?? 0, more.intervals[at + 1] ?? 0);
    }
    for (const event of more.events) addEvent(times, event);
    this.#others.delete(other);
    this.#parents[other] = one;
    const next = this.next(one);
    this.#ring[one] = this.next(other);
    this.#ring[other] = next;
    this.setTimes(one, times);
    this.setChanged(one);
    return one;
  }

  /** Applies an operation to the user whose keys have some slots. */
  apply(operation: ReplayedOperation, slots: Int32Array, count: number): void {
    const { now_s } = operation;
    let root = NOBODY;
    for (let i = 0; i < count; i++) {
      const found = this.find(slots[i] ?? 0);
      if (found < 0 || found === root) continue;
      if (operation.isDelete || this.to(found) <= now_s) this.remove(found);
      else root = root < 0 ? found : this.join(root, found);
    }
    if (operation.isDelete || count === 0) return;
    if (root < 0) {
      root = slots[0] ?? 0;
      this.create(root, operation.effective_s, operation.expires_s, operation.effective_s);
      this.setChanged(root);
    } else {
      this.#update(root, operation);
    }
    for (let i = 0; i < count; i++) {
      const slot = slots[i] ?? 0;
      if ((this.#parents[slot] ?? NOBODY) >= 0) continue;
      this.attach(root, slot);
      this.setChanged(root);
    }
  }

  #update(
    root: number,
    { now_s, effective_s, expires_s, default_effective, default_expires }: ReplayedOperation,
  ): void {
    const times = this.times(root);
    const repeated = default_effective && hasEvent(times, now_s - RETRY_S, now_s) && isInEffect(times, now_s);
    if (repeated && default_expires) return;
    const added = !repeated && addEvent(times, effective_s);
    const extended = addInterval(times, effective_s, expires_s);
    if (!(added || extended)) return;
    forget(times, now_s);
    this.setTimes(root, times);
    this.setChanged(root);
  }

  #grow(): void {
    const size = Math.max(16, this.#parents.length * 2);
    this.#parents = grown(new Int32Array(size), this.#parents);
    this.#ring = grown(new Int32Array(size), this.#ring);
    this.#from = grown(new Uint32Array(size), this.#from);
    this.#to = grown(new Uint32Array(size), this.#to);
    this.#event = grown(new Uint32Array(size), this.#event);
    this.#changed = grown(new Uint8Array(size), this.#changed);
  }
}

function grown<List extends Int32Array | Uint32Array | Uint8Array>(larger: List, list: List): List {
  larger.set(list);
  return larger;
}
