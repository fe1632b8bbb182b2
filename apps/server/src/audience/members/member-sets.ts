/**
 * The members of audiences as sets of people of an index. A set is loaded from the store of members when it is first asked
 * for, kept up to date with what the store reports, and dropped when others need the memory more.
 */
import type { MatchedMembers, MemberStore, VersionedMembers } from '../../members/member-store.ts';
import type { Pace } from '../../pace.ts';
import type { IdTable } from '../id-table.ts';
import { type EventCondition, whenMet } from './event-condition.ts';
import type { MemberSetName } from './member-tree.ts';
import { type Intervals, TimedSet } from './timed-set.ts';

/** The part of the store of members that sets use. */
export type MatchedSource = Pick<MemberStore, 'matched' | 'onChange' | 'onStart'>;

/** Steps between two checks of the clock. */
const STRIDE = 512;
/** Changes of more people than these and half of the set are not kept until the set is asked for. */
const FEW_CHANGES = 4096;
/** Memory of a person in a set, about: when they leave. */
const PERSON_BYTES = 8;

interface Entry {
  readonly name: MemberSetName;
  /** Work on the set, one after the other; gives the set as of then. */
  work: Promise<TimedSet | undefined>;
  /** Changes that the store reported and the set does not include yet. */
  readonly changes: VersionedMembers[];
  /** People in these changes. */
  changed: number;
  /** Memory of the set when it was last used. */
  bytes: number;
}

export interface MemberSetsOptions {
  readonly members: MatchedSource;
  /** The numbers of people. */
  readonly ids: IdTable;
  /** Memory of all sets; those of one query are held beyond it. */
  readonly budget_bytes: number;
}

export class MemberSets {
  readonly #members: MatchedSource;
  readonly #ids: IdTable;
  readonly #budget_bytes: number;
  /** In the order of their use, last used last. */
  readonly #entries = new Map<string, Entry>();
  readonly #ends: readonly (() => void)[];

  constructor({ members, ids, budget_bytes }: MemberSetsOptions) {
    this.#members = members;
    this.#ids = ids;
    this.#budget_bytes = budget_bytes;
    this.#ends = [
      members.onChange((audience, change) => this.#note(audience, change)),
      // A store that starts again may have merged what it had no time to report.
      members.onStart(() => this.#entries.clear()),
    ];
  }

  /** Approximate memory of all sets. */
  get bytes(): number {
    let sum = 0;
    for (const { bytes, changes } of this.#entries.values()) {
      sum += bytes;
      for (const change of changes) sum += bytesOf(change);
    }
    return sum;
  }

  /** Returns sets as of a time, in seconds. They stay so until the next await of the caller. */
  async at(names: readonly MemberSetName[], now_s: number, pace: Pace): Promise<ReadonlyMap<string, TimedSet>> {
    const sets = new Map<string, TimedSet>();
    for (const name of names) {
      const key = keyOf(name);
      if (!sets.has(key)) sets.set(key, await this.#current(key, name, now_s, pace));
    }
    this.#shrink(sets);
    return sets;
  }

  /** Drops all sets, and learns of no further changes. */
  close(): void {
    for (const end of this.#ends) end();
    this.#entries.clear();
  }

  /** Drops the sets of an audience. */
  drop(audience: string): void {
    for (const [key, { name }] of this.#entries) if (name.audience === audience) this.#entries.delete(key);
  }

  async #current(key: string, name: MemberSetName, now_s: number, pace: Pace): Promise<TimedSet> {
    for (;;) {
      const entry = this.#entries.get(key) ?? {
        name,
        work: Promise.resolve(undefined),
        changes: [],
        changed: 0,
        bytes: 0,
      };
      this.#entries.delete(key);
      this.#entries.set(key, entry);
      const before = entry.work;
      const work = before.then((set) => this.#update(entry, set, now_s, pace));
      // A failure is the caller's, not that of those who come after.
      entry.work = work.catch(() => undefined);
      const set = await work;
      if (set) return set;
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    }
  }

  /** Brings a set up to date, or loads it. @returns `undefined` when it has to be loaded anew */
  async #update(entry: Entry, set: TimedSet | undefined, now_s: number, pace: Pace): Promise<TimedSet | undefined> {
    const current = set ?? (await this.#load(entry, now_s, pace));
    for (let change = entry.changes.shift(); change; change = entry.changes.shift()) {
      entry.changed -= change.user_ids.length;
      await this.#apply(entry, current, change, pace);
    }
    if (current.isWorn || !(await current.moveTo(now_s, pace))) return undefined;
    entry.bytes = current.bytes;
    return current;
  }

  async #load(entry: Entry, now_s: number, pace: Pace): Promise<TimedSet> {
    const { audience, condition } = entry.name;
    const matched = await this.#members.matched(audience);
    // Reported after the load began, but contained in what it gave.
    while (entry.changes[0] && entry.changes[0].version <= matched.version) {
      entry.changed -= entry.changes.shift()?.user_ids.length ?? 0;
    }
    const builder = TimedSet.builder(now_s);
    await this.#each(matched, condition, pace, (person, intervals) => {
      for (let i = 0; i < intervals.length; i += 2) builder.add(person, intervals[i] ?? 0, intervals[i + 1] ?? 0);
    });
    return builder.build(pace);
  }

  #apply(entry: Entry, set: TimedSet, change: VersionedMembers, pace: Pace): Promise<void> {
    return this.#each(change, entry.name.condition, pace, (person, intervals) => set.change(person, intervals));
  }

  /** Calls back with each person's number and the intervals in which they belong to a set. */
  async #each(
    matched: MatchedMembers,
    condition: EventCondition | undefined,
    pace: Pace,
    take: (person: number, intervals: Intervals) => void,
  ): Promise<void> {
    const { user_ids, interval_ends, from_s, to_s, event_ends, events_s } = matched;
    const halves = new Uint32Array(user_ids.buffer, user_ids.byteOffset, user_ids.length * 2);
    let [interval, event] = [0, 0];
    for (let i = 0; i < user_ids.length; i++) {
      const person = this.#ids.addHalves(halves[i * 2] ?? 0, halves[i * 2 + 1] ?? 0);
      const end = interval_ends[i] ?? 0;
      const intervals: number[] = [];
      for (; interval < end; interval++) intervals.push(from_s[interval] ?? 0, to_s[interval] ?? 0);
      const lastEvent = event_ends[i] ?? 0;
      take(person, condition ? whenMet(intervals, events_s.subarray(event, lastEvent), condition) : intervals);
      event = lastEvent;
      if (i % STRIDE === 0 && pace.isOver) await pace.step();
    }
  }

  #note(audience: string, change: VersionedMembers): void {
    for (const [key, entry] of this.#entries) {
      if (entry.name.audience !== audience) continue;
      entry.changes.push(change);
      entry.changed += change.user_ids.length;
      // Loading is cheaper than so many changes. Whoever is loading has the state of when they asked.
      if (entry.changed > FEW_CHANGES + entry.bytes / PERSON_BYTES / 2) this.#entries.delete(key);
    }
  }

  /** Drops the sets that were not used for longest, until the others fit. */
  #shrink(used: ReadonlyMap<string, TimedSet>): void {
    let { bytes } = this;
    for (const [key, entry] of this.#entries) {
      if (bytes <= this.#budget_bytes) return;
      if (used.has(key)) continue;
      this.#entries.delete(key);
      bytes -= entry.bytes;
    }
  }
}

/** Returns the key of a set. */
export function keyOf({ audience, condition }: MemberSetName): string {
  if (!condition) return audience;
  return `${audience} ${condition.frequency_comparator} ${condition.frequency} in ${condition.window_s}`;
}

function bytesOf(change: MatchedMembers): number {
  return change.user_ids.byteLength * 2 + change.from_s.byteLength * 2 + change.events_s.byteLength;
}
