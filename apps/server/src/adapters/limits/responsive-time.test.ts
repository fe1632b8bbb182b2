import { expect, test } from 'vitest';
import { ResponsiveTime } from './responsive-time.ts';

/** A clock that a test moves. */
class Hand {
  ms = 5_000;
  readonly now = () => this.ms;
}

test('time passes as by the clock while the process is not delayed', () => {
  const hand = new Hand();
  const time = new ResponsiveTime(60_000, hand.now);
  for (let i = 0; i < 50; i++) {
    hand.ms += 100 + (i % 7);
    time.tick();
  }
  expect(time.elapsed).toBe(hand.ms - 5_000);
  expect(time.delays(60_000)).toBe(0);
});

test('a delay does not count, and is known for as long as it matters', () => {
  const hand = new Hand();
  const time = new ResponsiveTime(60_000, hand.now);
  hand.ms += 20_000;
  time.tick();
  expect(time.elapsed).toBe(200);
  expect(time.delays(10_000)).toBe(19_800);
  for (let i = 0; i < 200; i++) {
    hand.ms += 100;
    time.tick();
  }
  expect(time.elapsed).toBe(20_200);
  expect(time.delays(10_000), 'it was over before that').toBe(0);
  expect(time.delays(30_000)).toBe(19_800);
});

test('a delay that is not over yet is found when it is asked for', () => {
  const hand = new Hand();
  const time = new ResponsiveTime(60_000, hand.now);
  time.tick();
  hand.ms += 3_000;
  expect(time.delays(10_000)).toBe(2_800);
});
