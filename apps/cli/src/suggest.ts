import leven from 'leven';

/** The known names nearest to a misspelt one, best first; empty when none is near. */
export function suggest(wrong: string, names: Iterable<string>, most = 3): string[] {
  const word = wrong.toLowerCase();
  const near: { name: string; far: number }[] = [];
  for (const name of names) {
    // A beginning is what a person stopped typing, or what they call the thing for short.
    const far = name.startsWith(word) && word.length >= 2 ? 0.5 : distance(word, name);
    if (far <= Math.max(1, Math.floor(name.length / 3))) near.push({ name, far });
  }
  near.sort((a, b) => a.far - b.far || a.name.length - b.name.length);
  return near.slice(0, most).map(({ name }) => name);
}

/** `did you mean "x" or "y"?`, or nothing when no name is near. */
export function didYouMean(wrong: string, names: Iterable<string>): string | undefined {
  const found = suggest(wrong, names);
  return found.length === 0 ? undefined : `did you mean ${found.map((name) => `"${name}"`).join(' or ')}?`;
}

/** Edit distance in which two swapped neighbours count as one slip. */
function distance(word: string, name: string): number {
  let best = leven(word, name);
  for (let at = 0; at + 1 < word.length && best > 1; at++) {
    const swapped = word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2);
    best = Math.min(best, 1 + leven(swapped, name, { maxDistance: best }));
  }
  return best;
}
