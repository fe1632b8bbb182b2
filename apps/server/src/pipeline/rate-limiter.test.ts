import { expect, test } from 'vitest';
import { ManualClock } from '../world/clock.ts';
import { RateLimiter } from './rate-limiter.ts';

const NOW = Date.UTC(2026, 0, 15, 8);
const MINUTE_MS = 60_000;
const operation = { id: 'campaigns.list', rateLimit: 'ads.core_read' } as const;

function limiter() {
  const clock = new ManualClock(NOW);
  const limits = new RateLimiter({ 'ads.core_read': { limit: 2 } }, clock);
  const count = () => {
    const states = limits.count(operation, 'u1', undefined, false);
    if (!states || states instanceof Promise) throw new TypeError('there are limits, and they are here');
    const { remaining, reset, exceeded } = states.user;
    return { remaining, exceeded, seconds: reset - clock.now() / 1000 };
  };
  return { clock, count };
}

test.each([-7200, -60, 60, 7200])('a window lasts as long as before when the clock is set by %i seconds', (seconds) => {
  const { clock, count } = limiter();
  count();
  clock.advance(MINUTE_MS);
  clock.step(seconds * 1000);
  expect(count()).toEqual({ remaining: 0, exceeded: false, seconds: 14 * 60 });
  clock.advance(14 * MINUTE_MS - 1);
  expect(count().exceeded).toBe(true);
  clock.advance(1);
  expect(count()).toEqual({ remaining: 1, exceeded: false, seconds: 15 * 60 });
});

test('the end of a window does not move while the clock is adjusted by less than a second', () => {
  const { clock, count } = limiter();
  const reset = () => count().seconds + clock.now() / 1000;
  const first = reset();
  for (const ms of [400, 300, -900]) {
    clock.step(ms);
    expect(reset()).toBe(first);
  }
});
