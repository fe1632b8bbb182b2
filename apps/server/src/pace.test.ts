import { expect, test } from 'vitest';
import { Pace } from './pace.ts';

/** Returns the length of the slice after a turn in which other work took the given time, by the test's own clock. */
async function sliceAfter(others_ms: number): Promise<number> {
  let now = 0;
  const pace = new Pace(() => now);
  while (!pace.isOver) now += 0.5;
  setImmediate(() => {
    now += others_ms;
  });
  await pace.step();
  const began = now;
  while (!pace.isOver) now += 0.5;
  return now - began;
}

test('long work gets a tenth of a busy process, 4 ms at least, and blocks other work for 20 ms at most', async () => {
  expect(await sliceAfter(0)).toBe(4);
  expect(await sliceAfter(20)).toBe(4);
  expect(await sliceAfter(120)).toBe(12);
  expect(await sliceAfter(300)).toBe(20);
});

test('work within its slice continues at once', async () => {
  const pace = new Pace(() => 0);
  let others = false;
  setImmediate(() => {
    others = true;
  });
  await pace.step();
  expect(others).toBe(false);
});

test('work beyond its slice yields to others', async () => {
  let now = 0;
  const pace = new Pace(() => now);
  now = 4;
  let others = false;
  setImmediate(() => {
    others = true;
  });
  await pace.step();
  expect(others).toBe(true);
});
