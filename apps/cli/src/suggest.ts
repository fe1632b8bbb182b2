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
function distance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let best = Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] ?? 0) + 1);
      next.push(best);
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? Number.POSITIVE_INFINITY;
}
