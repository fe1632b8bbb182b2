import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { faultsOf, type Growth, growthOf, median, quantile, type Soaked } from '../../bench/soak-verdict.ts';

const MB = 2 ** 20;
const BASE = 60 * MB;
const LEAST = 4 * MB;

/** Readings every 30 seconds. */
function readings(bytes: readonly number[]) {
  return bytes.map((value, index) => ({ seconds: (index + 1) * 30, value }));
}

function series(length: number, at: (index: number) => number) {
  return readings(Array.from({ length }, (_, index) => at(index)));
}

/** Noise of so many bytes to either side. */
const noise = (length: number, bytes: number) =>
  fc.array(fc.integer({ min: -bytes, max: bytes }), { minLength: length, maxLength: length });

describe('growth', () => {
  test('noise around a level is not growth, however it falls', () => {
    fc.assert(
      fc.property(noise(20, MB), (noises) => {
        expect(growthOf(readings(noises.map((value) => BASE + value)), LEAST).grew).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  test('noise that is larger than the allowance is seldom taken for a trend', () => {
    const wild = fc.sample(noise(20, 40 * MB), { numRuns: 1000, seed: 1 });
    const mistaken = wild.filter((noises) => growthOf(readings(noises.map((value) => BASE + value)), LEAST).grew);
    expect(mistaken.length).toBeLessThan(30);
  });

  test('a leak is growth under any noise that is smaller', () => {
    fc.assert(
      fc.property(noise(20, MB), fc.double({ min: 0.5, max: 50, noNaN: true }), (noises, mbEach) => {
        const leaking = readings(noises.map((value, index) => BASE + index * mbEach * MB + value));
        expect(growthOf(leaking, LEAST)).toMatchObject({ rising: true, grew: true });
      }),
      { numRuns: 500 },
    );
  });

  test('the growth of a straight line is what it rises by after the warm-up', () => {
    // Of 20 readings, 16 count: 15 steps.
    expect(
      growthOf(
        series(20, (index) => BASE + index * MB),
        LEAST,
      ).growth,
    ).toBeCloseTo(15 * MB, 0);
  });

  test('what rises in the first fifth only is a warm-up', () => {
    const warming = series(20, (index) => BASE + Math.min(index, 4) * 20 * MB);
    expect(growthOf(warming, LEAST)).toMatchObject({ growth: 0, rising: false, grew: false });
  });

  test('a leak that sets in late is growth', () => {
    expect(
      growthOf(
        series(20, (index) => BASE + Math.max(0, index - 10) * 4 * MB),
        LEAST,
      ).grew,
    ).toBe(true);
  });

  test('one outlier is not growth, wherever it is', () => {
    for (let spike = 0; spike < 20; spike++) {
      const spiked = series(20, (index) => BASE + (index === spike ? 500 * MB : 0));
      expect(growthOf(spiked, LEAST).grew).toBe(false);
    }
  });

  test('one reading out of line hides no leak', () => {
    for (let spike = 4; spike < 20; spike++) {
      const spiked = series(20, (index) => BASE + index * MB + (index === spike ? 500 * MB : 0));
      expect(growthOf(spiked, LEAST)).toMatchObject({ grew: true });
    }
  });

  test('a fall is not growth', () => {
    expect(
      growthOf(
        series(20, (index) => BASE - index * 2 * MB),
        LEAST,
      ),
    ).toMatchObject({ rising: false, grew: false });
  });

  test('a steady rise within the allowance is reported, and allowed', () => {
    const rising = growthOf(
      series(20, (index) => BASE + index * 0.2 * MB),
      LEAST,
    );
    expect(rising).toMatchObject({ rising: true, grew: false, allowed: LEAST });
  });

  test('the allowance is 5 % of what is large', () => {
    const large = (mbEach: number) =>
      growthOf(
        series(20, (index) => 1000 * MB + index * mbEach * MB),
        LEAST,
      );
    expect(large(3).grew).toBe(false);
    expect(large(4).grew).toBe(true);
  });

  test('the thirds are those of the whole run', () => {
    const { first, last } = growthOf(
      series(12, (index) => index),
      LEAST,
    );
    expect([first, last]).toEqual([2, 10]);
  });

  test('too few readings are rejected', () => {
    expect(() =>
      growthOf(
        series(9, () => BASE),
        LEAST,
      ),
    ).toThrow(RangeError);
  });
});

describe('the verdict', () => {
  const level: Growth = { first: BASE, last: BASE, growth: 0, allowed: LEAST, rising: false, grew: false };
  const grown: Growth = { ...level, growth: 30 * MB, rising: true, grew: true };
  const passed: Soaked = {
    heap: level,
    rss: level,
    requests: 1000,
    p50_ms: 100,
    p99_ms: 300,
    failures: 0,
    failure: undefined,
  };

  test('a soak at the limits is passed', () => {
    expect(faultsOf(passed)).toEqual([]);
  });

  test.each<[string, Partial<Soaked>, string]>([
    ['heap that grew', { heap: grown }, 'heap grew by 30.0 MB, more than 4.0 MB'],
    ['RSS that grew', { rss: grown }, 'rss grew by 30.0 MB, more than 4.0 MB'],
    ['a slow hundredth', { p99_ms: 310 }, 'p99 is 3.1 times p50, more than 3'],
    ['one wrong answer', { failures: 1, failure: 'HTTP/1.1 500' }, '1 answers were wrong, one with HTTP/1.1 500'],
  ])('%s fails it', (_, change, fault) => {
    expect(faultsOf({ ...passed, ...change })).toEqual([fault]);
  });

  test('a run without requests fails', () => {
    const nothing = { requests: 0, p50_ms: Number.NaN, p99_ms: Number.NaN };
    expect(faultsOf({ ...passed, ...nothing })).toContain('nothing was asked');
    expect(faultsOf({ ...passed, ...nothing })).toHaveLength(2);
  });

  test('all failures are reported', () => {
    expect(faultsOf({ ...passed, heap: grown, rss: grown, p99_ms: 999, failures: 2 })).toHaveLength(4);
  });
});

test('quantiles are values of the series, in any order', () => {
  expect(quantile([30, 10, 20], 0)).toBe(10);
  expect(quantile([30, 10, 20], 1)).toBe(30);
  expect(median([9, 100, 8])).toBe(9);
  expect(quantile([], 0.5)).toBeNaN();
});
