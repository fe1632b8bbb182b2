import type { Pace } from '../../pace.ts';

const DIGITS = 1 << 16;
/** Steps between two checks of the clock. */
const STRIDE = 8192;

/** Changes of a set at times: a time in seconds with a value, in columns. */
export interface Transitions {
  readonly times: Uint32Array;
  readonly values: Uint32Array;
}

/** Sorts by time; equal times keep their order. In slices: a million take some tens of milliseconds. */
export async function inOrderOfTime({ times, values }: Transitions, pace: Pace): Promise<Transitions> {
  const low = await sortedByDigit({ times, values }, 0, pace);
  return sortedByDigit(low, 16, pace);
}

/** One pass of a radix sort. */
async function sortedByDigit({ times, values }: Transitions, shift: number, pace: Pace): Promise<Transitions> {
  const places = new Uint32Array(DIGITS);
  for (let i = 0; i < times.length; i++) {
    const digit = ((times[i] ?? 0) >>> shift) & (DIGITS - 1);
    places[digit] = (places[digit] ?? 0) + 1;
    if (i % STRIDE === 0 && pace.isOver) await pace.step();
  }
  let place = 0;
  for (let digit = 0; digit < DIGITS; digit++) {
    const count = places[digit] ?? 0;
    // All have this digit: the order stays.
    if (count === times.length) return { times, values };
    places[digit] = place;
    place += count;
  }
  const sorted = { times: new Uint32Array(times.length), values: new Uint32Array(times.length) };
  for (let i = 0; i < times.length; i++) {
    const time = times[i] ?? 0;
    const digit = (time >>> shift) & (DIGITS - 1);
    const at = places[digit] ?? 0;
    places[digit] = at + 1;
    sorted.times[at] = time;
    sorted.values[at] = values[i] ?? 0;
    if (i % STRIDE === 0 && pace.isOver) await pace.step();
  }
  return sorted;
}
