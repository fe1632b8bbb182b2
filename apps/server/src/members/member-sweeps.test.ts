import { expect, test } from 'vitest';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { World } from '../open-world.ts';
import { ManualClock } from '../world/clock.ts';
import { batchOf, keyOf } from './testing/batches.ts';

const DAY_MS = 86_400_000;

test('expired members are removed from disk within a day, every day', async () => {
  const clock = new ManualClock(Date.UTC(2027, 0, 15, 8));
  const world = await World.open({ dataDirectory: temporaryDirectory(), clock });
  const add = (name: string, days: number) => {
    const now_s = Math.floor(clock.now() / 1000);
    const users = [[keyOf(1, name)]];
    const times = { effective_s: now_s, expires_s: now_s + days * 86_400 };
    const operation = { operation_type: 'Update' as const, ...times, default_effective: true, default_expires: false };
    return world.members.append('production/a', batchOf([{ ...operation, users }]), now_s);
  };
  const keys = async () => {
    await world.jobs.runDue();
    await world.members.settle('production/a');
    return (await world.members.figures('production/a')).keys;
  };
  await add('one', 1);
  await add('three', 3);
  expect(await keys()).toBe(2);
  clock.advance(2 * DAY_MS);
  expect(await keys()).toBe(1);
  clock.advance(2 * DAY_MS);
  expect(await keys()).toBe(0);
  await world.close();
});
