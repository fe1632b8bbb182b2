import { expect, test } from 'vitest';
import { runsToCompact } from './compaction.ts';
import type { RunFacts } from './run-format.ts';

const runOf = (entries: number): RunFacts => ({ id: 0, entries, heap: 0, earliest_s: 0 });

test.each([
  ['equal merges', () => 1_000_000],
  ['merges of all sizes', (i: number) => [20_000, 1_000_000, 300, 70_000][i % 4] ?? 0],
])('an entry is written anew once for each tier, and runs stay few, after %s', (_, sizeOf) => {
  let runs: RunFacts[] = [];
  let merged = 0;
  let rewritten = 0;
  let most = 0;
  for (let i = 0; i < 400; i++) {
    merged += sizeOf(i);
    runs.push(runOf(sizeOf(i)));
    for (let count = runsToCompact(runs); count > 0; count = runsToCompact(runs)) {
      const entries = runs.slice(-count).reduce((sum, run) => sum + run.entries, 0);
      rewritten += entries;
      runs = [...runs.slice(0, -count), runOf(entries)];
    }
    most = Math.max(most, runs.length);
  }
  // Four tiers and a bit lie between a million and the sum of all.
  expect(rewritten / merged).toBeLessThan(5);
  expect(most).toBeLessThanOrEqual(24);
});
