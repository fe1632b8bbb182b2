/** Forks and snapshots of worlds in process. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createWorld, type TestWorld } from './index.ts';

const names = async (world: TestWorld) => {
  const { data } = await world.client().campaigns.list({ account_id: world.credentials.sandbox_account_id });
  return data.map(({ name }) => name).sort();
};

const add = async (world: TestWorld, name: string) => {
  const { sandbox_account_id: account_id } = world.credentials;
  const { data } = await world.client().funding_instruments.list({ account_id });
  const funding_instrument_id = data[0]?.id ?? '';
  const budget = { daily_budget_amount_local_micro: 1_000_000n };
  return (await world.client().campaigns.create({ account_id, name, funding_instrument_id, ...budget })).id;
};

test('a fork has what the world had, at its time, and neither sees what the other does', async () => {
  await using world = await createWorld();
  await add(world, 'Before');
  world.clock.advance(3_600_000);
  await using fork = await world.fork();
  const common = await names(world);
  expect(await names(fork)).toEqual(common);
  expect(fork.clock.now()).toBe(world.clock.now());
  // The same calls get the same ids.
  expect(await add(fork, 'After')).toBe(await add(world, 'After'));
  await add(world, 'In the world');
  expect(await names(fork)).toEqual([...common, 'After'].sort());
  await fork.reset();
  expect(await names(fork)).toEqual(common);
  expect([...world.failures, ...fork.failures]).toEqual([]);
});

test('a world is restored to a snapshot, with the ids that came after it', async () => {
  const world = await createWorld();
  const began = await names(world);
  const snapshot = await world.snapshot();
  const id = await add(world, 'Gone');
  world.clock.advance(1000);
  await world.restore(snapshot);
  expect(await names(world)).toEqual(began);
  expect(await add(world, 'Again')).toBe(id);
  await using fork = await world.fork(snapshot);
  expect(await names(fork)).toEqual(began);
  await world.reset();
  expect(await names(world)).toEqual(began);
  expect(await add(world, 'Once more')).toBe(id);
  await world.close();
  expect(existsSync(snapshot.directory) || existsSync(world.directory)).toBe(false);
  expect(await names(fork)).toEqual(began);
});

test('the same calls get the same ids, whichever listeners were called before and however often the world was opened', async () => {
  await using world = await createWorld();
  const snapshot = await world.snapshot();
  const made = async (one: TestWorld) => {
    const { user_id, access_token } = await one.createUser('somebody');
    return [await add(one, 'Made'), await one.createAccount(), user_id, access_token];
  };
  await world.fetch(`${world.urls.api}/health`);
  const first = await made(world);
  await world.restore(snapshot);
  expect(await made(world)).toEqual(first);
  await using fork = await world.fork(snapshot);
  await fork.reopen();
  await names(fork);
  await fork.reopen();
  expect(await made(fork)).toEqual(first);
});

test('a world that is opened again gives its requests other ids than before', async () => {
  await using world = await createWorld();
  await names(world);
  await world.reopen();
  await names(world);
  const ids = (await world.calls()).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThan(1);
});

/** Snapshots that are on disk. */
const snapshots = () => readdirSync(tmpdir()).filter((name) => name.startsWith('broadside-snapshot-'));

test('forks of a world that has not changed begin with one snapshot, which goes with the last of them', async () => {
  // A place of its own, since other processes take snapshots too.
  const place = mkdtempSync(path.join(tmpdir(), 'forks-'));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  vi.stubEnv('TMPDIR', place);
  const world = await createWorld();
  const first = await world.fork();
  const second = await world.fork();
  const taken = snapshots();
  expect(taken).toHaveLength(1);
  const began = await names(world);
  await add(world, 'Later');
  const third = await world.fork();
  expect([await names(second), await names(third)]).toEqual([began, [...began, 'Later'].sort()]);
  await world.reopen();
  await add(world, 'After a restart');
  const fourth = await world.fork();
  expect(await names(fourth)).toContain('After a restart');
  world.clock.advance(1000);
  const fifth = await world.fork();
  expect(fifth.clock.now()).toBe(world.clock.now());
  await world.reset();
  for (const other of [world, third, fourth, fifth, first]) await other.close();
  await add(second, 'Own');
  await second.reset();
  expect(await names(second)).toEqual(began);
  const [directory = ''] = taken;
  expect(snapshots()).toEqual([directory]);
  await second.close();
  expect(snapshots()).toEqual([]);
});
