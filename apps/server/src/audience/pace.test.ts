import { expect, test } from 'vitest';
import { Pace } from './pace.ts';

function spin(ms: number): void {
  for (const began = performance.now(); performance.now() - began < ms; );
}

/** How long a slice is that follows a turn in which everything else took so long. */
async function sliceAfter(others_ms: number): Promise<number> {
  const pace = new Pace();
  while (!pace.isOver);
  setImmediate(() => spin(others_ms));
  await pace.step();
  const began = performance.now();
  while (!pace.isOver);
  return performance.now() - began;
}

test('long work gets a tenth of a busy process, and holds the rest up for 20 ms at most', async () => {
  expect(await sliceAfter(120)).toBeGreaterThan(11);
  // The least of several: the process may be interrupted in any of them.
  const idle: number[] = [];
  const flooded: number[] = [];
  for (let i = 0; i < 5; i++) {
    idle.push(await sliceAfter(0));
    flooded.push(await sliceAfter(300));
  }
  expect(Math.min(...idle)).toBeLessThan(8);
  expect(Math.min(...flooded)).toBeGreaterThan(19);
  expect(Math.min(...flooded)).toBeLessThan(25);
});

test('work that is not over its slice goes on at once', async () => {
  const pace = new Pace();
  let others = false;
  setImmediate(() => {
    others = true;
  });
  await pace.step();
  expect(others).toBe(false);
});
