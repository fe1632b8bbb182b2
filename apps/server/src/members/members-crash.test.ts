import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startChild } from '../db/testing/child.ts';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { DurableMembers } from './durable-members.ts';
import { CRASH_NOW, crashAudience, crashBatch, crashKeys } from './testing/crash-batches.ts';
import { storedPersons } from './testing/stored-persons.ts';

const rounds = Number(process.env['BROADSIDE_CRASH_ROUNDS'] ?? 3);

/** Merges everything. */
async function settleAll(directory: string): Promise<void> {
  const store = new DurableMembers({ directory });
  const errors: Error[] = [];
  store.onError((error) => errors.push(error));
  for (const number of [0, 1, 2]) await store.settle(crashAudience(number));
  await store.close();
  expect(errors).toEqual([]);
}

/** The requests that are there, each of which must be there as a whole. */
function storedRequests(directory: string, upTo: number): Set<number> {
  const ends = new Map<string, number>();
  for (const number of [0, 1, 2]) {
    for (const { keys, intervals } of storedPersons(directory, crashAudience(number))) {
      for (const key of keys) ends.set(`${number} ${key}`, intervals[0]?.[1] ?? 0);
    }
  }
  const there = new Set<number>();
  let found = 0;
  for (let number = 0; number <= upTo; number++) {
    const all = crashKeys(number).map((key) => ends.get(`${number % 3} ${key}`));
    found += all.filter((end) => end !== undefined).length;
    if (all.every((end) => end === undefined)) continue;
    there.add(number);
    const later = CRASH_NOW + 2_000_000;
    const rest = all.slice(5).map(() => CRASH_NOW + 1_000_000);
    expect(all).toEqual([later, later, undefined, undefined, undefined, ...rest]);
  }
  expect(found, 'nobody else is there').toBe(ends.size);
  return there;
}

test(`kill -9 during intake and merging: nothing acknowledged is lost, no request is applied in part (${rounds} rounds)`, async () => {
  const directory = temporaryDirectory();
  const acknowledged: number[] = [];
  let next = 0;
  for (let round = 0; round < rounds; round++) {
    const child = startChild('../../members/testing/member-writer.ts', [directory, `${next}`]);
    const killAfter = 1 + ((round * 7919) % 1500);
    let seen = 0;
    for await (const line of child.lines) {
      acknowledged.push(Number(line));
      if (++seen === killAfter) child.kill();
    }
    expect(await child.ended).toEqual({ code: null, stderr: '' });
    next = Math.max(next, ...acknowledged) + 10;
    // In some rounds the next child finds what this one left.
    if (round % 2 === 1) await settleAll(directory);
  }
  await settleAll(directory);
  const there = storedRequests(directory, next);
  expect(acknowledged.filter((number) => !there.has(number))).toEqual([]);
});

test.each([
  ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length - 11)],
  ['changed', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, bytes.length - 11), Buffer.alloc(11, 0xee)])],
])(
  'a request at the end of the log that was %s while it was written is not applied, and others are',
  async (_, damage) => {
    const directory = temporaryDirectory();
    const store = new DurableMembers({ directory });
    // People who never come: nothing is merged.
    store.onStart(() => {});
    for (const number of [0, 3, 6]) await store.append(crashAudience(0), crashBatch(number), CRASH_NOW);
    await store.close();
    const log = path.join(directory, 'log');
    const segment = path.join(log, readdirSync(log)[0] ?? '');
    writeFileSync(segment, damage(readFileSync(segment)));
    await settleAll(directory);
    expect(storedRequests(directory, 9)).toEqual(new Set([0, 3]));
    const again = new DurableMembers({ directory });
    await again.append(crashAudience(0), crashBatch(6), CRASH_NOW);
    await again.close();
    await settleAll(directory);
    expect(storedRequests(directory, 9)).toEqual(new Set([0, 3, 6]));
  },
);

test('files that no manifest lists are removed', async () => {
  const directory = temporaryDirectory();
  const store = new DurableMembers({ directory });
  await store.append(crashAudience(0), crashBatch(0), CRASH_NOW);
  await store.settle(crashAudience(0));
  await store.close();
  const audience = path.join(directory, 'audiences', 'production-crash0');
  appendFileSync(path.join(audience, '99.run'), 'left by a merge that was cut off');
  appendFileSync(path.join(audience, 'manifest.json.new'), '{');
  await settleAll(directory);
  expect(storedRequests(directory, 0)).toEqual(new Set([0]));
  expect(readdirSync(audience)).not.toContain('99.run');
  expect(readdirSync(audience)).not.toContain('manifest.json.new');
});

test('a process with nothing else to do stays until there is room for its requests', async () => {
  const child = startChild('../../members/testing/waiting-writer.ts', [temporaryDirectory()]);
  const lines: string[] = [];
  for await (const line of child.lines) lines.push(line);
  expect(await child.ended).toEqual({ code: 0, stderr: '' });
  expect(lines).toEqual(['done']);
});
