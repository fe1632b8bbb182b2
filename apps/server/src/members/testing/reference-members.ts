/**
 * The rules of members in their plainest form: a person is an object, and each operation looks at everybody. The store is
 * held against it.
 */
import type { MemberOperation } from '../member-store.ts';
import { KEPT_EVENTS, KEPT_EVENTS_S, KEPT_INTERVALS, RETRY_S } from '../rules.ts';

/** A person of an audience. Keys are in hexadecimal. */
export interface ReferencePerson {
  readonly keys: Set<string>;
  /** Disjoint and ascending, from inclusive, to exclusive. */
  intervals: [from_s: number, to_s: number][];
  /** Ascending. */
  events: number[];
}

/** An operation with the keys of each of its users. */
export interface ReferenceOperation extends Omit<MemberOperation, 'user_count'> {
  readonly users: readonly (readonly string[])[];
}

/** The key of a person of the platform. */
export function platformKeyOf(user_id: bigint): string {
  return `00${user_id.toString(16).padStart(16, '0')}${'00'.repeat(7)}`;
}

/** The members of one audience. */
export class ReferenceMembers {
  persons: ReferencePerson[];
  /** The keys of people of the platform: key of an identifier to lowest id. */
  readonly #people: ReadonlyMap<string, bigint>;
  /** The latest time of a request or of a sweep. */
  now_s: number;

  constructor(people: ReadonlyMap<string, bigint>, persons: readonly ReferencePerson[] = [], now_s = 0) {
    this.#people = people;
    this.persons = [...persons];
    this.now_s = now_s;
  }

  /** Applies a request, given at a time. */
  apply(operations: readonly ReferenceOperation[], now_s: number): void {
    this.now_s = Math.max(this.now_s, now_s);
    for (const operation of operations) {
      for (const user of operation.users) {
        const keys = this.#withPlatform(user);
        const found = this.persons.filter((person) => keys.some((key) => person.keys.has(key)));
        this.persons = this.persons.filter((person) => !found.includes(person));
        if (operation.operation_type === 'Delete') continue;
        const live = found.filter((person) => endOf(person) > now_s);
        this.persons.push(update(joined(live, keys), operation, now_s));
      }
    }
  }

  /** Removes what has expired. */
  sweep(now_s: number): void {
    this.now_s = Math.max(this.now_s, now_s);
    this.persons = this.persons.filter((person) => endOf(person) > now_s);
  }

  /** Matches everybody again, after people of the platform changed. */
  rematch(): void {
    this.sweep(this.now_s);
    for (const { keys } of this.persons) for (const key of [...keys]) if (key.startsWith('00')) keys.delete(key);
    for (const person of [...this.persons]) {
      if (!this.persons.includes(person)) continue;
      for (;;) {
        const keys = this.#withPlatform([...person.keys]);
        const others = this.persons.filter((other) => other !== person && keys.some((key) => other.keys.has(key)));
        const sum = joined([person, ...others], keys);
        for (const key of sum.keys) person.keys.add(key);
        [person.intervals, person.events] = [sum.intervals, sum.events];
        this.persons = this.persons.filter((other) => !others.includes(other));
        if (others.length === 0) break;
      }
    }
  }

  #withPlatform(keys: readonly string[]): string[] {
    const ids = keys.flatMap((key) => this.#people.get(key) ?? []);
    return [...keys, ...ids.map(platformKeyOf)];
  }
}

function endOf(person: ReferencePerson): number {
  return person.intervals.at(-1)?.[1] ?? 0;
}

function joined(persons: readonly ReferencePerson[], keys: readonly string[]): ReferencePerson {
  const sum: ReferencePerson = { keys: new Set(keys), intervals: [], events: [] };
  for (const person of persons) {
    for (const key of person.keys) sum.keys.add(key);
    for (const interval of person.intervals) sum.intervals = withInterval(sum.intervals, interval);
    for (const event of person.events) sum.events = withEvent(sum.events, event);
  }
  return sum;
}

function update(
  person: ReferencePerson,
  { effective_s, expires_s, default_effective, default_expires }: ReferenceOperation,
  now_s: number,
): ReferencePerson {
  const recent = person.events.some((event) => event > now_s - RETRY_S && event <= now_s);
  const inEffect = person.intervals.some(([from, to]) => from <= now_s && now_s < to);
  const repeated = default_effective && recent && inEffect;
  if (!repeated) person.events = withEvent(person.events, effective_s);
  if (!(repeated && default_expires)) person.intervals = withInterval(person.intervals, [effective_s, expires_s]);
  person.events = person.events.filter((event) => event > now_s - KEPT_EVENTS_S);
  return person;
}

function withEvent(events: readonly number[], event: number): number[] {
  return [...new Set([...events, event])].sort((a, b) => a - b).slice(-KEPT_EVENTS);
}

function withInterval(
  intervals: readonly [number, number][],
  [from, to]: readonly [number, number],
): [number, number][] {
  const apart = intervals.filter(([start, end]) => end < from || start > to);
  const touching = intervals.filter(([start, end]) => end >= from && start <= to);
  const starts = touching.map(([start]) => start);
  const ends = touching.map(([, end]) => end);
  const sum: [number, number][] = [...apart, [Math.min(from, ...starts), Math.max(to, ...ends)]];
  sum.sort((a, b) => a[0] - b[0]);
  while (sum.length > KEPT_INTERVALS) joinNearest(sum);
  return sum;
}

/** Joins the two neighbours with the smallest gap, the earliest of them if there are several. */
function joinNearest(intervals: [number, number][]): void {
  const gaps = intervals.slice(1).map(([start], i) => start - (intervals[i]?.[1] ?? 0));
  const at = gaps.indexOf(Math.min(...gaps));
  intervals.splice(at, 2, [intervals[at]?.[0] ?? 0, intervals[at + 1]?.[1] ?? 0]);
}
