/** The store against the plain interpreter of its rules. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { DurableMembers } from './durable-members.ts';
import type { MatchedMembers, PlatformPerson } from './member-store.ts';
import { batchOf, keyOf } from './testing/batches.ts';
import {
  platformKeyOf,
  ReferenceMembers,
  type ReferenceOperation,
  type ReferencePerson,
} from './testing/reference-members.ts';
import { storedPersons } from './testing/stored-persons.ts';

const START = 1_800_000_000;
const DAY = 86_400;
const audience = 'sandbox/x1';
const root = mkdtempSync(path.join(tmpdir(), 'broadside-members-model-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Six identifiers that people of the platform may have, and six that they never have. */
const identifiers = Array.from({ length: 12 }, (_, i): [number, string] => [1 + (i % 6), `identifier ${i}`]);
const keys = identifiers.map(([kind, value]) => keyOf(kind, value));

type People = Map<bigint, readonly number[]>;

type Step =
  | { readonly do: 'append'; readonly operations: readonly DrawnOperation[] }
  | { readonly do: 'advance'; readonly seconds: number }
  | { readonly do: 'people'; readonly user_id: bigint; readonly identifiers: readonly number[] }
  | { readonly do: 'settle' | 'sweep' | 'restart' };

interface DrawnOperation {
  readonly isDelete: boolean;
  readonly effective: number | undefined;
  readonly expires: number | undefined;
  readonly users: readonly (readonly number[])[];
}

const index = fc.nat({ max: keys.length - 1 });
const operation: fc.Arbitrary<DrawnOperation> = fc.record({
  isDelete: fc.boolean().map((no) => no),
  effective: fc.option(fc.constantFrom(-40 * DAY, -DAY, -7200, -1800, 0, 1800, DAY), { nil: undefined, freq: 1 }),
  expires: fc.option(fc.constantFrom(60, 1800, 7200, 2 * DAY, 60 * DAY), { nil: undefined, freq: 1 }),
  users: fc.array(fc.uniqueArray(index, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('append' as const),
      operations: fc.array(operation, { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 4, arbitrary: fc.constant({ do: 'settle' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('advance' as const), seconds: fc.constantFrom(1, 600, 3600, 7200, DAY) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('people' as const),
      user_id: fc.bigInt({ min: 1n, max: 4n }).map((id) => id * 255n + (id << 40n)),
      identifiers: fc.uniqueArray(fc.nat({ max: 5 }), { maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'sweep' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'restart' as const }) },
);

function operationsAt(drawn: readonly DrawnOperation[], now_s: number): ReferenceOperation[] {
  return drawn.map(({ isDelete, effective, expires, users }) => {
    const effective_s = now_s + (effective ?? 0);
    return {
      operation_type: isDelete ? 'Delete' : 'Update',
      effective_s,
      expires_s: expires === undefined ? Math.max(now_s, effective_s) + 395 * DAY : effective_s + expires,
      default_effective: effective === undefined,
      default_expires: expires === undefined,
      users: users.map((user) => user.map((i) => keys[i] ?? '')),
    };
  });
}

function personsOf(people: People): PlatformPerson[] {
  return [...people].map(([user_id, own]) => ({
    user_id,
    identifiers: own.flatMap((i) => identifiers.slice(i, i + 1)),
  }));
}

/** The lowest id for each key. */
function ownersOf(people: People): Map<string, bigint> {
  const owners = new Map<string, bigint>();
  const descending = [...people].sort(([one], [other]) => (one < other ? 1 : -1));
  for (const [id, own] of descending) for (const i of own) owners.set(keys[i] ?? '', id);
  return owners;
}

interface Plain {
  readonly intervals: readonly (readonly [number, number])[];
  readonly events: readonly number[];
}

/** Leaves out what may differ: what is over, and events that no lookback reaches. */
function plain({ intervals, events }: Plain, now_s: number): Plain {
  return {
    intervals: intervals.filter(([, to]) => to > now_s),
    events: events.filter((event) => event > now_s - 30 * DAY),
  };
}

function rowsOf({ user_ids, interval_ends, from_s, to_s, event_ends, events_s }: MatchedMembers): Map<bigint, Plain> {
  return new Map(
    [...user_ids].map((id, i) => [
      id,
      {
        intervals: Array.from(
          from_s.subarray(interval_ends[i - 1] ?? 0, interval_ends[i]),
          (from, k): [number, number] => [from, to_s[(interval_ends[i - 1] ?? 0) + k] ?? 0],
        ),
        events: [...events_s.subarray(event_ends[i - 1] ?? 0, event_ends[i])],
      },
    ]),
  );
}

function livingRows(rows: Iterable<readonly [bigint, Plain]>, now_s: number) {
  return [...rows]
    .map(([id, person]) => [id, plain(person, now_s)] as const)
    .filter(([, { intervals }]) => intervals.length > 0)
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

function livingPersons(persons: readonly ReferencePerson[], now_s: number) {
  return persons
    .map((person) => ({ keys: [...person.keys].sort(), ...plain(person, now_s) }))
    .filter(({ intervals }) => intervals.length > 0)
    .sort((one, other) => ((one.keys[0] ?? '') < (other.keys[0] ?? '') ? -1 : 1));
}

function matchedOf(persons: readonly ReferencePerson[]): [bigint, Plain][] {
  return persons.flatMap((person) =>
    [...person.keys]
      .filter((key) => key.startsWith('00'))
      .map((key): [bigint, Plain] => [BigInt(`0x${key.slice(2, 18)}`), person]),
  );
}

/** A store beside the interpreter, and beside what its changes add up to. */
class Pair {
  readonly #directory = mkdtempSync(path.join(root, 'store-'));
  readonly #people: People = new Map();
  #reference = new ReferenceMembers(new Map());
  #store = this.#open();
  #now_s = START;
  /** The last version that was seen, of which `#seen` are the people; `undefined` after a start, until they have been read. */
  #version: number | undefined;
  #seen = new Map<bigint, Plain>();

  async take(step: Step): Promise<void> {
    const store = this.#store;
    if (step.do === 'append') {
      const operations = operationsAt(step.operations, this.#now_s);
      await store.append(audience, batchOf(operations), this.#now_s);
      this.#reference.apply(operations, this.#now_s);
    } else if (step.do === 'advance') {
      this.#now_s += step.seconds;
    } else if (step.do === 'people') {
      await store.settle(audience);
      this.#people.set(step.user_id, step.identifiers);
      await store.setPeople([
        {
          user_id: step.user_id,
          identifiers: personsOf(new Map([[step.user_id, step.identifiers]]))[0]?.identifiers ?? [],
        },
      ]);
      await store.settle(audience);
      this.#rematch();
    } else if (step.do === 'sweep') {
      await store.sweep(this.#now_s);
      this.#reference.sweep(this.#now_s);
    } else if (step.do === 'settle') {
      await store.settle(audience);
      await this.#check();
    } else {
      await store.close();
      this.#version = undefined;
      this.#store = this.#open();
    }
  }

  async end(): Promise<void> {
    await this.#store.settle(audience);
    await this.#check();
    await this.#store.close();
    const stored = storedPersons(this.#directory, audience);
    expect(livingPersons(stored, this.#now_s)).toEqual(livingPersons(this.#reference.persons, this.#now_s));
    rmSync(this.#directory, { recursive: true });
  }

  async #check(): Promise<void> {
    const { version, ...columns } = await this.#store.matched(audience);
    const rows = rowsOf(columns);
    const expected = livingRows(matchedOf(this.#reference.persons), this.#now_s);
    expect(livingRows(rows, this.#now_s)).toEqual(expected);
    if (this.#version === undefined) this.#seen = rows;
    else expect(version).toBe(this.#version);
    this.#version = version;
    expect(livingRows(this.#seen, this.#now_s)).toEqual(expected);
  }

  #rematch(): void {
    const { persons } = this.#reference;
    const now_s = this.#reference.now_s;
    this.#reference = new ReferenceMembers(ownersOf(this.#people), persons, now_s);
    this.#reference.rematch();
  }

  #open(): DurableMembers {
    const store = new DurableMembers({ directory: this.#directory });
    store.onError((error) => {
      throw error;
    });
    store.onStart(async () => {
      await store.setPeople(personsOf(this.#people));
      await store.peopleLoaded();
    });
    store.onChange((_, { version, ...changed }) => {
      if (this.#version === undefined) return;
      expect(version).toBe(++this.#version);
      for (const [id, person] of rowsOf(changed)) this.#seen.set(id, person);
    });
    return store;
  }
}

test('the store and the plain interpreter agree after any requests, restarts, changes of people and expiry', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const pair = new Pair();
      for (const one of steps) await pair.take(one);
      await pair.end();
    }),
    { numRuns: Number(process.env['MEMBERS_RUNS'] ?? 15) },
  );
});

test('platform keys are in order of ids', () => {
  expect(platformKeyOf(255n) < platformKeyOf(256n)).toBe(true);
});
