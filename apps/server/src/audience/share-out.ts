/** Decides who has which ranges of people: a pure function of who there is and what they have. See ADR 0033. */
import { RANGES, type Ranges, rangeCount, rangesOf } from './ranges.ts';

/** A process that shares the people of a platform. */
export interface Sharer {
  readonly id: string;
  /** The ranges that it answers for. */
  readonly takes: Ranges;
}

/**
 * Returns the ranges that each is to have: as many as any other, or one more, and as many as possible of those that it has.
 * Whoever asks with the same sharers, in whatever order, gets the same answer.
 */
export function shareOut(sharers: readonly Sharer[]): ReadonlyMap<string, Ranges> {
  const shares = new Map<string, number[]>(sharers.map(({ id }) => [id, []]));
  const least = Math.floor(RANGES / Math.max(1, sharers.length));
  // So many have one more, whoever has a use for it first.
  let more = RANGES - least * sharers.length;
  const give = (range: number, to: readonly Sharer[]): boolean => {
    for (const { id } of to) {
      const share = shares.get(id);
      if (!share || share.length > least || (share.length === least && more === 0)) continue;
      if (share.length === least) more--;
      share.push(range);
      return true;
    }
    return false;
  };
  // A range that two have is being handed over: it is that of the one with fewer.
  const fewestFirst = [...sharers].sort(
    (one, other) => rangeCount(one.takes) - rangeCount(other.takes) || (one.id < other.id ? -1 : 1),
  );
  const ranges = Array.from({ length: RANGES }, (_, range) => {
    const holders = fewestFirst.filter(({ takes }) => ((takes >> BigInt(range)) & 1n) === 1n);
    return { range, holders };
  }).sort((one, other) => one.holders.length - other.holders.length);
  const open = ranges.filter(({ range, holders }) => !give(range, holders));
  for (const { range } of open) give(range, fewestFirst);
  return new Map([...shares].map(([id, share]) => [id, rangesOf(share)]));
}
