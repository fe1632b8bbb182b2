/** A store of members in memory: what the sets of an index see of the real one. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MatchedMembers, MemberStore, VersionedMembers } from '../../members/member-store.ts';
import { type EventCondition, whenMet } from '../members/event-condition.ts';
import type { MembersOfIndex } from '../members/members-of-index.ts';

/** A person of an audience. */
export interface SyntheticMember {
  readonly user_id: bigint;
  /** From, to, from, to; none for a person who is no member any more. */
  readonly intervals: readonly number[];
  readonly events: readonly number[];
}

type Listener = Parameters<MemberStore['onChange']>[0];

export class SyntheticMembers implements MembersOfIndex {
  readonly #audiences = new Map<string, { version: number; readonly members: Map<bigint, SyntheticMember> }>();
  readonly #listeners = new Set<Listener>();
  readonly #startListeners = new Set<() => void>();
  /** The audiences that were loaded, in order. */
  readonly loads: string[] = [];
  /** Turns of the event loop before and after a load reads. */
  delays: readonly [before: number, after: number] = [0, 0];

  async matched(audience: string): Promise<VersionedMembers> {
    this.loads.push(audience);
    const [before, after] = this.delays;
    for (let i = 0; i < before; i++) await nextTurn();
    const { version, members } = this.#of(audience);
    const found = { ...columnsOf([...members.values()]), version };
    for (let i = 0; i < after; i++) await nextTurn();
    return found;
  }

  async sync(): Promise<void> {}

  onChange(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onStart(listener: () => void): () => void {
    this.#startListeners.add(listener);
    return () => this.#startListeners.delete(listener);
  }

  get listeners(): number {
    return this.#listeners.size + this.#startListeners.size;
  }

  /** Starts again, without a report of what changed meanwhile. */
  restart(audience: string, people: readonly SyntheticMember[]): void {
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    this.put(audience, people);
    for (const listener of listeners) this.#listeners.add(listener);
    for (const listener of this.#startListeners) listener();
  }

  /** Sets people of an audience, and reports that. */
  put(audience: string, people: readonly SyntheticMember[]): void {
    const state = this.#of(audience);
    state.version++;
    for (const person of people) {
      if (person.intervals.length > 0) state.members.set(person.user_id, person);
      else state.members.delete(person.user_id);
    }
    const changed = { ...columnsOf(people), version: state.version };
    for (const listener of this.#listeners) listener(audience, changed);
  }

  /** Returns the members in effect at a time, one by one: the reference of the sets. */
  at(audience: string, now_s: number, condition?: EventCondition): bigint[] {
    return this.inEffect(audience, now_s)
      .filter(({ events }) => !condition || meets(events, now_s, condition))
      .map(({ user_id }) => user_id);
  }

  /** Returns the members in effect at a time. */
  inEffect(audience: string, now_s: number): SyntheticMember[] {
    return [...this.#of(audience).members.values()].filter(({ intervals }) => isIn(intervals, now_s));
  }

  #of(audience: string) {
    const state = this.#audiences.get(audience) ?? { version: 0, members: new Map<bigint, SyntheticMember>() };
    this.#audiences.set(audience, state);
    return state;
  }
}

function isIn(intervals: readonly number[], now_s: number): boolean {
  for (let i = 0; i < intervals.length; i += 2) {
    if ((intervals[i] ?? 0) <= now_s && now_s < (intervals[i + 1] ?? 0)) return true;
  }
  return false;
}

function meets(events: readonly number[], now_s: number, condition: EventCondition): boolean {
  const { window_s, frequency_comparator: comparator, frequency } = condition;
  const count = events.filter((event) => now_s - window_s < event && event <= now_s).length;
  if (comparator === 'NUM_GTE') return count >= frequency;
  if (comparator === 'NUM_GT') return count > frequency;
  if (comparator === 'NUM_LTE') return count <= frequency;
  return comparator === 'NUM_LT' ? count < frequency : count === frequency;
}

function columnsOf(people: readonly SyntheticMember[]): MatchedMembers {
  const sorted = people.toSorted((one, other) => (one.user_id < other.user_id ? -1 : 1));
  const ends = (lengthOf: (person: SyntheticMember) => number) => {
    let end = 0;
    return Uint32Array.from(sorted, (person) => (end += lengthOf(person)));
  };
  const intervals = sorted.flatMap((person) => person.intervals);
  return {
    user_ids: BigUint64Array.from(sorted, ({ user_id }) => user_id),
    interval_ends: ends((person) => person.intervals.length / 2),
    from_s: Uint32Array.from(intervals.filter((_, i) => i % 2 === 0)),
    to_s: Uint32Array.from(intervals.filter((_, i) => i % 2 === 1)),
    event_ends: ends((person) => person.events.length),
    events_s: Uint32Array.from(sorted.flatMap(({ events }) => events)),
  };
}

/** Returns when a condition holds, for times up to a bound, by trying each second. */
export function triedWhenMet(
  intervals: readonly number[],
  events: readonly number[],
  condition: EventCondition,
  bound: number,
): boolean[] {
  return Array.from({ length: bound }, (_, now) => isIn(intervals, now) && meets(events, now, condition));
}

/** Returns the same by the intervals. */
export function foundWhenMet(
  intervals: readonly number[],
  events: readonly number[],
  condition: EventCondition,
  bound: number,
): boolean[] {
  const met = whenMet(intervals, events, condition);
  return Array.from({ length: bound }, (_, now) => isIn(met, now));
}
