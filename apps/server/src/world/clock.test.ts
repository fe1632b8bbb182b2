import { expect, test } from 'vitest';
import { offsetOf, wallClock } from './clock.ts';

/** Clocks that are 1,000 ms apart; other processes have their turn for some time after each reading. */
function clocks(turns_ms: readonly number[]) {
  let now = 0;
  let reading = 0;
  const pass = () => {
    now += turns_ms[reading++] ?? 0.001;
  };
  return {
    read: () => {
      const read = now;
      pass();
      return read;
    },
    readAhead: () => {
      const read = now + 1000;
      pass();
      return read;
    },
  };
}

test.each([
  ['at once', []],
  ['after the first reading of a clock', [30]],
  ['after the reading of the other one', [0.001, 30]],
  ['again and again', [30, 5, 4, 3, 2, 1, 7, 7, 7]],
])('the distance of two clocks is found where the process is held up: %s', (_, turns_ms) => {
  const { read, readAhead } = clocks(turns_ms);
  expect(Math.abs(offsetOf(read, readAhead) - 1000)).toBeLessThan(0.02);
});

test('where it is held up all the time, the closest readings count', () => {
  const turns_ms = Array.from({ length: 400 }, (_, index) => (index === 150 ? 0.5 : 20));
  const { read, readAhead } = clocks(turns_ms);
  expect(offsetOf(read, readAhead) - 1000).toBeLessThan(21);
});

test('the time that has passed is that since the machine was started', () => {
  const before = process.hrtime.bigint();
  const elapsed = wallClock.elapsed();
  expect(elapsed).toBeGreaterThanOrEqual(Number(before) / 1e6 - 0.1);
});
