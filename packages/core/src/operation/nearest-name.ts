import leven from 'leven';

/** Maximum edit distance between a name and the one that was probably meant. */
const MAX_SLIPS = 3;

/**
 * Returns the known name that a misspelt or shortened one probably means; `undefined` when none is near.
 * @param slips the greatest edit distance
 */
export function nearestName(word: string, known: Iterable<string>, slips = MAX_SLIPS): string | undefined {
  let best: string | undefined;
  // Where every letter would be another one, nothing is near.
  let least = Math.min(slips, word.length - 1) + 1;
  let longer: string | undefined;
  for (const candidate of known) {
    if (isBeginning(word, candidate) && candidate.length < (longer?.length ?? Number.POSITIVE_INFINITY)) {
      longer = candidate;
    }
    if (Math.abs(candidate.length - word.length) >= least) continue;
    const distance = leven(word, candidate, { maxDistance: least });
    if (distance >= least) continue;
    [best, least] = [candidate, distance];
  }
  // One slip says more than a beginning, and a beginning more than several slips: `p50` means `p50_ms`, and not `ms`.
  return best !== undefined && least <= 1 ? best : (longer ?? best);
}

/** Returns whether a word is the first of those that make up a name, as `retry` is of `retry_after`. */
function isBeginning(word: string, name: string): boolean {
  return word !== '' && name.charAt(word.length) === '_' && name.startsWith(word);
}
