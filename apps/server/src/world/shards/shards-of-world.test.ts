/** The sweeps that end what other processes have left. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openDatabase } from '../../db/open-database.ts';
import { Shards } from './shards.ts';
import { ShardsOfWorld } from './shards-of-world.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'broadside-sweeps-'));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
  rmSync(scratch, { recursive: true, force: true });
});

test('one sweep begins some time after the one before has ended, and closing waits for the last', async () => {
  const directory = await openDatabase(path.join(scratch, 'directory.db'));
  const shards = new ShardsOfWorld({ production: new Shards(directory, [], () => 0) });
  let begun = 0;
  let closed = false;
  let end = () => {};
  const endLeftWork = () => {
    begun += 1;
    return new Promise<void>((resolve) => {
      end = resolve;
    });
  };
  shards.begin({ production: { endLeftWork }, sandbox: { endLeftWork } }, async () => {});
  await vi.advanceTimersByTimeAsync(60_000);
  expect(begun).toBe(1);
  end();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(begun).toBe(2);
  const closing = shards.close().then(() => {
    closed = true;
  });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(closed).toBe(false);
  end();
  await closing;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(begun).toBe(2);
  await directory.close();
});
