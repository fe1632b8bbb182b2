/** The store with as many keys as fill several blocks and tiers of runs, against the plain interpreter. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DurableMembers } from './durable-members.ts';
import { batchOf, keyOf } from './testing/batches.ts';
import { ReferenceMembers, type ReferenceOperation, type ReferencePerson } from './testing/reference-members.ts';
import { storedPersons } from './testing/stored-persons.ts';

const START = 1_800_000_000;
const audience = 'production/big';
const GROUPS = 12_000;
const PEOPLE = 700;
const directory = mkdtempSync(path.join(tmpdir(), 'broadside-members-scale-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Numbers from a seed. */
function chanceOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

/** People of the audience never share identifiers across groups of four, so each group has an interpreter of its own. */
function groupKeys(group: number): string[] {
  return Array.from({ length: 4 }, (_, i) => keyOf(1 + i, `${group} ${i}`));
}

const sorted = (persons: readonly ReferencePerson[]) =>
  persons.map(({ keys, intervals, events }) => JSON.stringify([[...keys].sort(), intervals, events])).sort();

test('the store and the plain interpreter agree on many keys, over many merges', async () => {
  const chance = chanceOf(7);
  const owners = new Map<string, bigint>();
  const people = Array.from({ length: PEOPLE }, (_, i) => {
    const group = i * 13;
    const user_id = 1n + BigInt(i) * 97n;
    for (const key of groupKeys(group).slice(0, 2)) owners.set(key, user_id);
    return { user_id, identifiers: [0, 1].map((k): [number, string] => [1 + k, `${group} ${k}`]) };
  });
  const groups = Array.from({ length: GROUPS }, () => new ReferenceMembers(owners));
  const store = new DurableMembers({ directory });
  const errors: Error[] = [];
  store.onError((error) => errors.push(error));
  store.onStart(async () => {
    await store.setPeople(people);
    await store.peopleLoaded();
  });
  let now_s = START;
  // Many runs of all sizes: some requests name every group, others a few.
  for (let round = 0; round < 14; round++) {
    now_s += 5000;
    const touched = round % 5 === 0 ? Array.from({ length: GROUPS }, (_, i) => i) : [];
    for (let i = 0; i < 300 * (round % 4); i++) touched.push(chance(GROUPS));
    const operations = touched.map((group): ReferenceOperation => {
      const all = groupKeys(group);
      const keys = Array.from({ length: 1 + chance(3) }, () => all[chance(4)] ?? '');
      return {
        operation_type: chance(5) === 0 ? 'Delete' : 'Update',
        effective_s: now_s - chance(2) * 10_000,
        expires_s: now_s + 12_000 + chance(2) * 10_000_000,
        default_effective: false,
        default_expires: false,
        users: [[...new Set(keys)]],
      };
    });
    for (const [i, operation] of operations.entries()) groups[touched[i] ?? 0]?.apply([operation], now_s);
    for (let i = 0; i < operations.length; i += 2500) {
      await store.append(audience, batchOf(operations.slice(i, i + 2500)), now_s);
    }
    if (round % 3 === 0) await store.settle(audience);
  }
  await store.sweep(now_s);
  for (const group of groups) group.sweep(now_s);
  const { user_ids } = await store.matched(audience);
  const figures = await store.figures(audience);
  await store.close();
  expect(errors).toEqual([]);
  const expected = groups.flatMap(({ persons }) => persons);
  expect(sorted(storedPersons(directory, audience))).toEqual(sorted(expected));
  expect(figures.keys).toBe(expected.reduce((sum, { keys }) => sum + keys.size, 0));
  const platform = expected.flatMap(({ keys }) => [...keys].filter((key) => key.startsWith('00')));
  expect([...user_ids]).toEqual(
    platform.map((key) => BigInt(`0x${key.slice(2, 18)}`)).sort((a, b) => (a < b ? -1 : 1)),
  );
  expect(platform.length).toBeGreaterThan(PEOPLE / 3);
});
