/** One test body for both kinds of worlds: in process, and of a server. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLogger, type RunningServer, readConfig, startServer } from '@broadside/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ControlledWorld, connect, createWorld, importWorld, UnmetExpectationsError } from './index.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'broadside-controlled-'));
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

const worlds = () => connect(server.controlUrl, { dataDirectory: directory }).worlds;

/** What alone differs between the kinds: how a world is opened. */
interface Kind {
  readonly kind: string;
  open(): Promise<ControlledWorld>;
  read(file: Uint8Array): Promise<ControlledWorld>;
}

const inProcess: Kind = { kind: 'in process', open: () => createWorld(), read: (file) => importWorld(file) };
const ofServer: Kind = { kind: 'of a server', open: () => worlds().create(), read: (file) => worlds().import(file) };

async function names(world: ControlledWorld): Promise<readonly string[]> {
  const { data } = await world.client().campaigns.list({ account_id: world.credentials.sandbox_account_id });
  return data.map(({ name }) => name).sort();
}

async function add(world: ControlledWorld, name: string) {
  const { sandbox_account_id: account_id } = world.credentials;
  const { data } = await world.client().funding_instruments.list({ account_id });
  const funding_instrument_id = data[0]?.id ?? '';
  const budget = { daily_budget_amount_local_micro: 1_000_000n };
  return world.client().campaigns.create({ account_id, name, funding_instrument_id, ...budget });
}

const timeOf = async (world: ControlledWorld) => Date.parse((await world.clock.get()).now);
const later = (now: number, ms: number) => new Date(Math.ceil((now + ms) / 60_000) * 60_000).toISOString();

describe.each([inProcess, ofServer])('a world $kind', ({ open, read }) => {
  test('has calls fail by rules, and its journal shows and verifies them', async () => {
    await using world = await open();
    const match = { operation: ['campaigns.list'] };
    const rule = await world.faults.create({ match, effect: { status: 503, retry_after: 7 }, times: 1 });
    await expect(names(world)).rejects.toMatchObject({ status: 503 });
    await names(world);
    expect(await world.faults.list()).toMatchObject([{ id: rule.id, fired: 1, active: false }]);
    const calls = await world.calls();
    expect(calls.map(({ operation, status }) => [operation, status])).toEqual([
      ['campaigns.list', 503],
      ['campaigns.list', 200],
    ]);
    expect((await world.journal.list({ failed: true })).data).toMatchObject([{ id: calls[0]?.id, fired: [rule.id] }]);
    await world.verify([{ operation: 'campaigns.list', times: 2 }, 'no write was rejected']);
    await expect(world.verify([{ operation: 'campaigns.list', never: true }])).rejects.toThrow(UnmetExpectationsError);
    expect(await world.journal.clear()).toEqual({ requests: 2 });
    expect(await world.calls()).toEqual([]);
    await world.faults.delete({ fault_id: rule.id });
    expect(await world.faults.list()).toEqual([]);
    await expect(world.faults.delete({ fault_id: rule.id })).rejects.toMatchObject({
      operation: 'control.faults.delete',
      status: 404,
    });
  });

  test('loses an answer after the commit', async () => {
    await using world = await open();
    await world.faults.create({
      match: { operation: ['campaigns.create'] },
      effect: { drop: 'after_commit' },
      times: 1,
    });
    await expect(add(world, 'Lost')).rejects.toThrow();
    expect(await names(world)).toContain('Lost');
    await world.verify(['nothing was retried after a lost answer without looking first']);
  });

  test('has a clock by which posts are published', async () => {
    await using world = await open();
    const { sandbox_account_id: account_id, user_id: as_user_id } = world.credentials;
    const schedule = async (text: string) => {
      const scheduled_at = later(await timeOf(world), 3_600_000);
      return world.client().scheduled_posts.create({ account_id, as_user_id, text, scheduled_at });
    };
    const published = { what: 'SCHEDULED_POST_PUBLISHED', account_id };
    const first = await schedule('First');
    const advanced = await world.clock.advance({ by: 'PT2H' });
    expect(Date.parse(advanced.now) - Date.parse(advanced.from)).toBe(7_200_000);
    expect(advanced.happened).toContainEqual(expect.objectContaining({ ...published, id: first.id }));
    const second = await schedule('Second');
    const { happened, now } = await world.advance({ by: 'PT2H' });
    expect(happened).toContainEqual(expect.objectContaining({ ...published, id: second.id }));
    const third = await schedule('Third');
    const set = await world.clock.set({ now: later(now, 86_400_000), frozen: true });
    expect(set).toMatchObject({ frozen: true, follows_machine: false });
    expect((await world.clock.get()).now).toBe(new Date(later(now, 86_400_000)).toISOString());
    const { scheduled_status } = await world.client().scheduled_posts.get({ account_id, scheduled_post_id: third.id });
    expect(scheduled_status).toBe('SUCCESS');
    await expect(world.clock.set({ now: '2020-01-01T00:00:00Z' })).rejects.toMatchObject({ status: 400 });
    await expect(world.advance({ by: '90 days' })).rejects.toThrow('P90D');
  });

  test('does what a platform does', async () => {
    await using world = await open();
    const { id: campaign_id } = await add(world, 'Spent');
    const { sandbox_account_id: account_id } = world.credentials;
    await world.actions.spend({
      environment: 'sandbox',
      account_id,
      campaign_id,
      amount_local_micro: 1_000_000n,
    });
    const { reasons_not_servable } = await world.client().campaigns.get({ account_id, campaign_id });
    expect(reasons_not_servable).toContain('BUDGET_EXHAUSTED');
  });

  test('is forked, and neither sees what the other does', async () => {
    await using world = await open();
    await add(world, 'Before');
    const common = await names(world);
    await using fork = await world.fork({ name: 'other ending', ttl_seconds: 600 });
    await add(fork, 'Of the fork');
    await fork.faults.create({ match: { operation: ['campaigns.list'] }, effect: { status: 503 }, times: 1 });
    await add(world, 'Of the world');
    expect(await names(world)).toEqual([...common, 'Of the world'].sort());
    await expect(names(fork)).rejects.toMatchObject({ status: 503 });
    expect(await names(fork)).toEqual([...common, 'Of the fork'].sort());
    await fork.reset();
    expect(await names(fork)).toEqual(common);
  });

  test('is restored to snapshots, and reset to how it began', async () => {
    await using world = await open();
    const began = await names(world);
    await add(world, 'One');
    const snapshot = await world.snapshot('prepared');
    expect(snapshot.name).toBe('prepared');
    const prepared = await names(world);
    const change = async () => {
      await add(world, 'Two');
      return (await world.advance({ by: 'P1D' })).now;
    };
    for (const put of [
      () => world.restore(snapshot),
      () => world.restore(snapshot.id),
      () => world.reset(snapshot),
      () => world.reset(snapshot.id),
    ]) {
      const changed = await change();
      await put();
      expect(await names(world)).toEqual(prepared);
      expect(await timeOf(world)).toBeLessThan(changed);
    }
    const changed = await change();
    await world.reset();
    expect(await names(world)).toEqual(began);
    expect(await timeOf(world)).toBeLessThan(changed);
    await add(world, 'Again');
    await expect(world.restore('snowhere')).rejects.toThrow(/snapshot/i);
  });

  test('is exported as a file, from which another begins', async () => {
    await using world = await open();
    await add(world, 'Packed');
    const packed = await names(world);
    const { now } = await world.advance({ by: 'P1D' });
    const file = await world.export();
    await add(world, 'Later');
    await using other = await read(file);
    expect(await names(other)).toEqual(packed);
    expect(await timeOf(other)).toBeGreaterThanOrEqual(now);
    await add(other, 'Own');
    await other.advance({ by: 'P1D' });
    expect(await names(other)).toEqual([...packed, 'Own'].sort());
    expect(await names(world)).toEqual([...packed, 'Later'].sort());
    await using again = await read(await other.export());
    expect(await names(again)).toEqual(await names(other));
    expect(await timeOf(again)).toBeGreaterThanOrEqual(now + 86_400_000);
    await other.reset();
    expect(await names(other)).toEqual(packed);
    await expect(read(file.subarray(0, 1000))).rejects.toThrow(/cut off|damaged/);
  });

  test('is reached by its addresses', async () => {
    await using world = await open();
    for (const url of Object.values(world.urls)) {
      const response = await world.fetch(`${url}/health`);
      expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
    }
  });
});

test.each([
  { from: inProcess, to: ofServer },
  { from: ofServer, to: inProcess },
])('a world $from.kind goes on as one $to.kind', async ({ from, to }) => {
  await using world = await from.open();
  await add(world, 'Moved');
  const { now } = await world.advance({ by: 'P1D' });
  await using moved = await to.read(await world.export());
  expect(await names(moved)).toEqual(await names(world));
  expect(await timeOf(moved)).toBeGreaterThanOrEqual(now);
  await add(moved, 'Further');
});

test('a file without a demo is no world of the testkit in process', async () => {
  await using empty = await worlds().create({ from: { empty: true } });
  const file = await empty.export();
  await expect(importWorld(file)).rejects.toThrow('has a demo');
  await using again = await worlds().import(file, { name: 'again', ttl_seconds: 600 });
  expect([again.name, again.facts.credentials]).toEqual(['again', null]);
});
