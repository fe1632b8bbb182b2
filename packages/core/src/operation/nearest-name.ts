import leven from 'leven';

/** Maximum edit distance between a name and the one that was probably meant. */
const MAX_SLIPS = 3;

/**
 * Returns the known name that a misspelt one probably means; `undefined` when none is near.
 * @param slips the greatest edit distance
 */
export function nearestName(word: string, known: Iterable<string>, slips = MAX_SLIPS): string | undefined {
  let best: string | undefined;
  let least = slips + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) >= least) continue;
    const distance = leven(word, candidate, { maxDistance: least });
    if (distance >= least) continue;
    [best, least] = [candidate, distance];
  }
  return best;
}
