import { expect, test } from 'vitest';
import { type CountedWindow, SharedWindows } from './shared-windows.ts';
import { Race } from './testing/race.ts';

const NOW = 5_000_000;
const WALL = 1_700_000_000_000;
const take = (windows: SharedWindows, key: string, window_ms: number, now: number) =>
  windows.take(key, window_ms, now, WALL + now - NOW);

test('of requests that four threads count at once, each is counted, once', async () => {
  await using race = new Race(4);
  const windows = await race.run<CountedWindow[]>(() => ({
    kind: 'take',
    key: 'ads.read u1',
    times: 5000,
    nows: [NOW],
    window_ms: 900_000,
  }));
  const counts = windows.flat().map(({ count }) => count);
  expect(counts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20_000 }, (_, i) => i + 1));
  expect(new Set(windows.flat().map(({ ends_ms }) => ends_ms))).toEqual(new Set([NOW + 900_000]));
});

test('of windows that end while threads count, each counts every one of its requests, once', async () => {
  await using race = new Race(4);
  const nows = Array.from({ length: 50 }, (_, i) => NOW + i * 100);
  const windows = await race.run<CountedWindow[]>(() => ({
    kind: 'take',
    key: 'k',
    times: 5000,
    nows,
    window_ms: 500,
  }));
  const byEnd = Map.groupBy(windows.flat(), ({ ends_ms }) => ends_ms);
  expect(byEnd.size).toBeGreaterThan(5);
  for (const counted of byEnd.values()) {
    const counts = counted.map(({ count }) => count).toSorted((a, b) => a - b);
    expect(counts).toEqual(counts.map((_, i) => i + 1));
  }
});

test('a sweep while threads count loses no count', async () => {
  await using race = new Race(3);
  let swept = 0;
  // Until a sweep has come in between: on a busy machine the threads may have counted all before this one looks.
  for (let round = 0; swept === 0; round++) {
    const counting = race.run<CountedWindow[]>(() => ({
      kind: 'take',
      key: `k${round}`,
      times: 30_000,
      nows: [NOW],
      window_ms: 900_000,
    }));
    const sweeping = setInterval(() => {
      if (race.windows.sweep(NOW, true)) swept++;
    }, 1);
    const windows = await counting;
    clearInterval(sweeping);
    const counts = windows.flat().map(({ count }) => count);
    expect(counts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 90_000 }, (_, i) => i + 1));
  }
});

test('a window begins with its first request and ends to the millisecond', () => {
  const windows = SharedWindows.create();
  expect(take(windows, 'k', 1000, NOW)).toEqual({ count: 1, ends_ms: NOW + 1000, reset_ms: WALL + 1000 });
  expect(take(windows, 'k', 1000, NOW + 999)).toEqual({ count: 2, ends_ms: NOW + 1000, reset_ms: WALL + 1000 });
  expect(take(windows, 'k', 1000, NOW + 1000)).toEqual({ count: 1, ends_ms: NOW + 2000, reset_ms: WALL + 2000 });
  expect(take(windows, 'other', 1000, NOW + 1000)).toEqual({ count: 1, ends_ms: NOW + 2000, reset_ms: WALL + 2000 });
});

test('a window says the same time of its end to everybody, and another one when the clock was set', () => {
  const windows = SharedWindows.create();
  expect(windows.take('k', 1000, NOW, WALL).reset_ms).toBe(WALL + 1000);
  expect(windows.take('k', 1000, NOW + 100, WALL + 130).reset_ms).toBe(WALL + 1000);
  expect(windows.take('k', 1000, NOW + 200, WALL + 7_200_000 + 200)).toEqual({
    count: 3,
    ends_ms: NOW + 1000,
    reset_ms: WALL + 7_200_000 + 1000,
  });
});

test('a sweep keeps what has not ended, and makes room for other keys', () => {
  const windows = SharedWindows.create();
  for (let i = 0; i < 10_000; i++) take(windows, `short ${i}`, 1000, NOW);
  take(windows, 'long', 1_000_000_000, NOW);
  expect(windows.keys).toBe(10_001);
  expect(windows.sweep(NOW + 1000, true)).toBe(true);
  expect(windows.keys).toBe(1);
  expect(take(windows, 'long', 1_000_000_000, NOW + 500_000_000).count).toBe(2);
});

test('a thread that ended while it counted holds up no sweep', () => {
  const windows = SharedWindows.create();
  new Int32Array(windows.memory.head)[2 + 5] = 1;
  take(windows, 'k', 1000, NOW);
  expect(windows.sweep(NOW, true)).toBe(false);
  windows.ended(5);
  expect(windows.sweep(NOW, true)).toBe(true);
});

test('keys beyond the bound share windows, and get no more than their limit', () => {
  const windows = SharedWindows.create();
  for (let i = 0; i < 140_000; i++) take(windows, `key ${i}`, 1_000_000, NOW);
  for (let i = 139_000; i < 140_000; i++) {
    expect(take(windows, `key ${i}`, 1_000_000, NOW).count).toBeGreaterThanOrEqual(2);
  }
  expect(windows.keys).toBeLessThanOrEqual(2 ** 17);
});
