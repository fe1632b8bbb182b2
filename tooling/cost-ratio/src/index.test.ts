import { expect, test, vi } from 'vitest';
import { costRatio, type Work } from './index.ts';

/** Work that takes these durations in turn by the test's own clock, and repeats the last one. */
function taking(clock: { now: number }, ...times: readonly number[]): Work & { runs: number } {
  const work = Object.assign(
    () => {
      clock.now += times[Math.min(work.runs++, times.length - 1)] ?? 0;
    },
    { runs: 0 },
  );
  return work;
}

function fakeClock() {
  const clock = { now: 0 };
  vi.spyOn(process, 'cpuUsage').mockImplementation((before = { user: 0, system: 0 }) => ({
    user: clock.now / 2 - before.user,
    system: clock.now / 2 - before.system,
  }));
  return clock;
}

test('the ratio is that of the minimum times', async () => {
  const clock = fakeClock();
  expect(await costRatio(taking(clock, 90, 30, 60), taking(clock, 10, 50, 40), 5)).toBe(3);
});

test('a disturbed measurement is repeated until it is below the limit', async () => {
  const clock = fakeClock();
  const work = taking(clock, 100, 100, 100, 100, 20);
  expect(await costRatio(work, taking(clock, 10), 5)).toBe(2);
  expect(work.runs).toBe(5);
});

test('work that stays above the limit is reported', async () => {
  const clock = fakeClock();
  const work = taking(clock, 100);
  expect(await costRatio(work, taking(clock, 10), 5)).toBe(10);
  expect(work.runs).toBe(60);
});

test('work may be asynchronous', async () => {
  const clock = fakeClock();
  const later = async () => {
    await Promise.resolve();
    clock.now += 40;
  };
  expect(await costRatio(later, taking(clock, 10), 5)).toBe(4);
});
