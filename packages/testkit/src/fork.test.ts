/** Forks and snapshots of worlds in process. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
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
  await expect(world.reset()).rejects.toThrow('take a snapshot');
  await world.close();
  expect(existsSync(snapshot.directory) || existsSync(world.directory)).toBe(false);
  expect(await names(fork)).toEqual(began);
});
