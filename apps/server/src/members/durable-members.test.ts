import { readdirSync, readFileSync, renameSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { WorldClosedError } from '../world/world-closed-error.ts';
import { DurableMembers, type DurableMembersOptions, MemberWorkerError } from './durable-members.ts';
import type { PlatformPerson } from './member-store.ts';
import { batchOf, keyOf } from './testing/batches.ts';

const NOW = 1_800_000_000;
const audience = 'production/a1';
const other = 'sandbox/b2';

const open: DurableMembers[] = [];
afterEach(async () => {
  for (const store of open.splice(0)) await store.close();
});

const someone: PlatformPerson = { user_id: 7n, identifiers: [[1, 'a@b.example']] };
const email = keyOf(1, 'a@b.example');
const phone = keyOf(5, '+41440000000');

function start(options: DurableMembersOptions, people = [someone]): DurableMembers {
  const store = new DurableMembers(options);
  open.push(store);
  store.onStart(async () => {
    await store.setPeople(people);
    await store.peopleLoaded();
  });
  return store;
}

function updateOf(keys: readonly string[], seconds = 100) {
  return batchOf([
    {
      operation_type: 'Update',
      effective_s: NOW,
      expires_s: NOW + seconds,
      default_effective: true,
      default_expires: true,
      users: [keys],
    },
  ]);
}

async function idsIn(store: DurableMembers, name = audience): Promise<bigint[]> {
  return [...(await store.matched(name)).user_ids];
}

/** Names of the files below a directory that contain the hash of a key. */
function filesWith(directory: string, key: string): string[] {
  const hash = Buffer.from(key.slice(2), 'hex');
  // Runs have keys in words, the least byte of each first.
  const words = Buffer.from(key, 'hex').swap32().subarray(4);
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .filter((file) => {
      const bytes = readFileSync(file);
      return bytes.includes(hash) || bytes.includes(words);
    });
}

test('what was acknowledged is there after a restart', async () => {
  const directory = temporaryDirectory();
  const first = start({ directory });
  await first.append(audience, updateOf([email]), NOW);
  await first.close();
  const second = start({ directory });
  await second.settle(audience);
  const { user_ids, from_s, to_s, events_s, version } = await second.matched(audience);
  expect([[...user_ids], [...from_s], [...to_s], [...events_s]]).toEqual([[7n], [NOW], [NOW + 100], [NOW]]);
  expect(version).toBe(1);
});

test('requests after a start of which nothing else came are not taken for earlier ones', async () => {
  const directory = temporaryDirectory();
  for (const key of [email, phone]) {
    const store = start({ directory }, [someone, { user_id: 8n, identifiers: [[5, '+41440000000']] }]);
    await store.append(audience, updateOf([key]), NOW);
    await store.settle(audience);
    await store.close();
    // The log is empty now.
    const idle = start({ directory });
    await idle.settle(audience);
    await idle.sweep(NOW);
    await idle.close();
  }
  const store = start({ directory }, [someone, { user_id: 8n, identifiers: [[5, '+41440000000']] }]);
  await store.settle(audience);
  expect(await idsIn(store)).toEqual([7n, 8n]);
});

test('no thread runs before the first use', async () => {
  const directory = path.join(temporaryDirectory(), 'members');
  const store = start({ directory });
  let starts = 0;
  store.onStart(() => starts++);
  await store.close();
  expect(starts).toBe(0);
  expect(() => readdirSync(directory)).toThrow();
});

test('dropping an audience removes its data, from the log too, for good', async () => {
  const directory = temporaryDirectory();
  const store = start({ directory });
  await store.append(audience, updateOf([email]), NOW);
  await store.append(other, updateOf([phone]), NOW);
  await store.settle(audience);
  await store.append(audience, updateOf([email], 200), NOW);
  expect(filesWith(directory, email).length).toBeGreaterThan(0);
  await store.drop(audience);
  await store.drop(audience);
  expect(filesWith(directory, email)).toEqual([]);
  await store.append(audience, updateOf([email]), NOW);
  await store.settle(audience);
  expect(await idsIn(store)).toEqual([]);
  await store.close();
  const again = start({ directory });
  await again.settle(audience);
  expect(await idsIn(again)).toEqual([]);
  await again.sweep(NOW);
  expect(filesWith(directory, email)).toEqual([]);
  expect(await again.figures(other)).toMatchObject({ keys: 1, pending: 0 });
});

test('an audience that is dropped before its requests are merged is never seen, whenever the process ends', async () => {
  const directory = temporaryDirectory();
  const first = new DurableMembers({ directory });
  first.onStart(() => {});
  await first.append(audience, updateOf([email]), NOW);
  const dropped = first.drop(audience).catch(() => {});
  await expect.poll(() => readdirSync(path.join(directory, 'log')).length).toBe(2);
  await first.close();
  await dropped;
  const second = start({ directory });
  const seen: string[] = [];
  second.onChange((name) => seen.push(name));
  await second.settle(audience);
  expect([await idsIn(second), seen]).toEqual([[], []]);
});

test('a sweep removes the data of members that have expired, and of nobody else', async () => {
  const directory = temporaryDirectory();
  const store = start({ directory });
  const handle = keyOf(3, 'later');
  await store.append(audience, updateOf([email, phone], 100), NOW);
  await store.append(audience, updateOf([handle], 5000), NOW);
  await store.settle(audience);
  await store.sweep(NOW + 99);
  expect(await store.figures(audience)).toMatchObject({ keys: 4 });
  await store.sweep(NOW + 100);
  expect(await store.figures(audience)).toMatchObject({ keys: 1, pending: 0 });
  for (const key of [email, phone]) expect(filesWith(directory, key)).toEqual([]);
  expect(filesWith(directory, handle)).toHaveLength(1);
  await store.sweep(NOW + 5000);
  expect(await store.figures(audience)).toMatchObject({ keys: 0, bytes: 0 });
});

test('a thread that ends rejects what waits, loses nothing, and is started again', async () => {
  const directory = temporaryDirectory();
  const store = start({ directory });
  const errors: Error[] = [];
  store.onError((error) => errors.push(error));
  await store.append(audience, updateOf([email]), NOW);
  await store.settle(audience);
  const run = path.join(directory, 'audiences/production-a1/1.run');
  renameSync(run, `${run}.away`);
  await store.append(audience, updateOf([phone]), NOW);
  await expect(store.settle(audience)).rejects.toThrow(MemberWorkerError);
  expect(errors.map(({ name }) => name)).toContain('MemberWorkerError');
  renameSync(`${run}.away`, run);
  await expect
    .poll(() =>
      store.settle(audience).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  expect(await store.figures(audience)).toMatchObject({ keys: 3, pending: 0 });
  expect(await idsIn(store)).toEqual([7n]);
});

test('a file that is shorter than its manifest says is an error, not an answer', async () => {
  const directory = temporaryDirectory();
  const store = start({ directory });
  await store.append(audience, updateOf([email]), NOW);
  await store.settle(audience);
  truncateSync(path.join(directory, 'audiences/production-a1/1.run'), 30);
  await expect(store.matched(audience)).rejects.toThrow('shorter');
});

test('requests wait while too much is unmerged, and go on when there is room', async () => {
  const store = new DurableMembers({ directory: temporaryDirectory(), most_unmerged_bytes: 500 });
  open.push(store);
  store.onStart(() => {});
  let acknowledged = 0;
  const all = Array.from({ length: 200 }, async (_, i) => {
    // One after the other, so that each sees what those before have written.
    while (acknowledged < i) await new Promise((resolve) => setImmediate(resolve));
    await store.append(audience, updateOf([keyOf(1, `${i}`)]), NOW);
    acknowledged++;
  });
  await expect.poll(() => acknowledged).toBeGreaterThan(1);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(acknowledged).toBeLessThan(20);
  await store.peopleLoaded();
  await Promise.all(all);
  await store.settle(audience);
  expect(await store.figures(audience)).toMatchObject({ keys: 200, pending: 0 });
});

test('figures tell what is not merged yet', async () => {
  const store = new DurableMembers({ directory: temporaryDirectory() });
  open.push(store);
  store.onStart(() => {});
  await store.append(audience, updateOf([email]), NOW);
  await store.append(audience, updateOf([phone]), NOW);
  expect(await store.figures(audience)).toMatchObject({ keys: 0, pending: 2 });
  await store.peopleLoaded();
  await store.settle(audience);
  expect(await store.figures(audience)).toMatchObject({ keys: 2, pending: 0 });
});

test('a name that is no audience is an error of the caller', async () => {
  const store = start({ directory: temporaryDirectory() });
  await expect(store.append('production/../x', updateOf([email]), NOW)).rejects.toThrow(TypeError);
});

test('a store that is closed before it has all people keeps nobody waiting who needs them', async () => {
  const store = new DurableMembers({ directory: temporaryDirectory() });
  open.push(store);
  // They are being read, and do not come any more.
  store.onStart(() => {});
  await store.append(audience, updateOf([email]), NOW);
  const waiting = [store.settle(audience), store.matched(audience), store.sweep(NOW), store.drop(other)];
  // All of them have been sent.
  await store.figures(audience);
  store.endPeople();
  const later = [store.settle(audience), store.sweep(NOW)];
  const outcomes = await Promise.allSettled([...waiting, ...later]);
  expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => 'rejected'));
  for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: expect.any(WorldClosedError) });
  expect(outcomes[2]).toMatchObject({
    reason: { message: expect.stringContaining('before the store of members had') },
  });
  expect(await store.figures(audience)).toMatchObject({ pending: 1 });
});

test('a store that has all people goes on after the last of them', async () => {
  const store = start({ directory: temporaryDirectory() });
  await store.append(audience, updateOf([email]), NOW);
  await store.settle(audience);
  store.endPeople();
  await store.sweep(NOW);
  expect(await idsIn(store)).toEqual([7n]);
});
