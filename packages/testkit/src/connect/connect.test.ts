/** Worlds of a server, as a test that is connected to it uses them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLogger, type RunningServer, readConfig, startServer } from '@broadside/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ControlError, type ControlledWorld, connect } from '../index.ts';
import { workerWorldFixture, worldFixture } from '../playwright.ts';
import { useServerWorld, useWorld } from '../vitest.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'broadside-connect-'));
let server: RunningServer;

beforeAll(async () => {
  const ports = { BROADSIDE_API_PORT: '0', BROADSIDE_ADS_PORT: '0', BROADSIDE_SANDBOX_PORT: '0' };
  const config = readConfig({
    ...ports,
    BROADSIDE_CONTROL_PORT: '0',
    BROADSIDE_DATA_DIR: directory,
    BROADSIDE_WORKERS: '1',
    BROADSIDE_LOG_LEVEL: 'silent',
  });
  server = await startServer(config, createLogger(config));
});
afterAll(async () => {
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});

const connected = () => connect(server.controlUrl, { dataDirectory: directory });

async function names(world: ControlledWorld): Promise<readonly string[]> {
  const { data } = await world.client().campaigns.list({ account_id: world.credentials.sandbox_account_id });
  return data.map(({ name }) => name).sort();
}

async function add(world: ControlledWorld, name: string): Promise<void> {
  const { sandbox_account_id: account_id } = world.credentials;
  const { data } = await world.client().funding_instruments.list({ account_id });
  const funding_instrument_id = data[0]?.id ?? '';
  const budget = { daily_budget_amount_local_micro: 1_000_000n };
  await world.client().campaigns.create({ account_id, name, funding_instrument_id, ...budget });
}

test('a world is made, forked, restored and deleted', async () => {
  // Found by server.json of the data directory.
  const { worlds } = connect(undefined, { dataDirectory: directory });
  const world = await worlds.create({ name: 'prepared' });
  const began = await names(world);
  const { id, bytes } = await world.snapshot('began');
  expect(typeof bytes).toBe('bigint');
  await add(world, 'One');
  {
    await using fork = await world.fork();
    await add(fork, 'Two');
    expect(await names(fork)).toEqual([...began, 'One', 'Two'].sort());
  }
  expect(await names(world)).toEqual([...began, 'One'].sort());
  await world.restore(id);
  expect(await names(world)).toEqual(began);
  await world.close();
  // Twice is once.
  await world.close();
  expect((await worlds.list()).map((one) => one.id)).not.toContain(world.id);
});

test('its clock, faults and journal are those of the contract, without naming the world', async () => {
  await using world = await connected().worlds.create();
  const advanced = await world.clock.advance({ by: 'PT1H' });
  expect(Date.parse(advanced.now) - Date.parse(advanced.from)).toBe(3_600_000);
  await world.faults.create({ match: { operation: ['campaigns.list'] }, effect: { status: 503 }, times: 1 });
  await expect(names(world)).rejects.toMatchObject({ status: 503 });
  await names(world);
  expect(await world.faults.list()).toMatchObject([{ fired: 1 }]);
  const { data: calls } = await world.journal.list();
  expect(calls.map(({ status }) => status)).toEqual([200, 503]);
});

test('what is wrong is said by what the server answered, or by what was not found', async () => {
  const { worlds } = connected();
  const error = await worlds.fork('wnowhere').catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ControlError);
  expect(error).toMatchObject({
    operation: 'control.worlds.fork',
    status: 404,
    message: expect.stringContaining('WORLD_NOT_FOUND'),
  });
  const wrong = connect(server.controlUrl, { operatorToken: 'another token of the operator' });
  await expect(wrong.worlds.list()).rejects.toMatchObject({ status: 401 });
  const nobody = connect('http://127.0.0.1:1', { operatorToken: 'x' });
  await expect(nobody.worlds.list()).rejects.toMatchObject({ status: 0, message: /no answer from http:\/\/127/ });
  expect(() => connect(undefined, { dataDirectory: path.join(directory, 'nothing') })).toThrow('No server runs on');
  expect(() => connect('http://127.0.0.1:1', { dataDirectory: path.join(directory, 'nothing') })).toThrow(
    'No operator token',
  );
  await using empty = await worlds.create({ from: { empty: true } });
  expect(() => empty.client()).toThrow('has no user');
});

test('a fixture of Playwright gives a world while a test runs', async () => {
  const ids: string[] = [];
  const [worker, { scope }] = workerWorldFixture({ server: connected });
  expect(scope).toBe('worker');
  for (const fixture of [worldFixture({ server: connected }), worker]) {
    // Playwright looks for a pattern of names in the text of the function.
    expect(fixture.toString()).toMatch(/^async \(\{\s*\},/);
    await fixture({}, async (world) => {
      ids.push(world.id);
      await names(world);
    });
  }
  const left = (await connected().worlds.list()).map(({ id }) => id);
  expect(new Set(ids).size).toBe(2);
  expect(left.filter((id) => ids.includes(id))).toEqual([]);
});

const used: string[] = [];

describe('a world of a server for a file', () => {
  const world = useServerWorld({
    server: connected,
    prepare: (made) => add(made, 'Prepared'),
    resetBetweenTests: true,
  });

  test('is prepared', async () => {
    used.push(world().id);
    expect(await names(world())).toContain('Prepared');
    await add(world(), 'Of the first');
  });

  test('is put back before the next test', async () => {
    expect(await names(world())).toContain('Prepared');
    expect(await names(world())).not.toContain('Of the first');
  });
});

describe('a world in process for a file', () => {
  const world = useWorld({ prepare: (made) => add(made, 'Prepared'), resetBetweenTests: true });

  test('is prepared', async () => {
    await add(world(), 'Of the first');
    expect(await names(world())).toContain('Prepared');
  });

  test('is put back before the next test', async () => {
    expect(await names(world())).toContain('Prepared');
    expect(await names(world())).not.toContain('Of the first');
  });
});

test('a world of a file is deleted when its tests have ended', async () => {
  expect(used.length).toBe(1);
  expect((await connected().worlds.list()).map(({ id }) => id)).not.toContain(used[0]);
});
