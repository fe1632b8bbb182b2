import { expect, test } from 'vitest';
import { Entry, Recency } from './recency.ts';

/** Entries of ten bytes each in as much room as is given, and the names of those that were dropped. */
function filled(limit: number, names: string) {
  const recency = new Recency(limit);
  const dropped: string[] = [];
  const entries = new Map<string, Entry>();
  const add = (name: string) => {
    const entry = new Entry(10, () => dropped.push(name));
    entries.set(name, entry);
    recency.add(entry);
  };
  const use = (name: string) => {
    const entry = entries.get(name);
    if (entry) recency.use(entry);
  };
  for (const name of names) add(name);
  return { recency, dropped, add, use };
}

test('the least recently used go first', () => {
  const { recency, dropped, add, use } = filled(30, 'abc');
  use('a');
  for (const name of 'de') add(name);
  expect(dropped).toEqual(['b', 'c']);
  expect(recency.size).toBe(30);
});

test('what is used stays, however much is added beside it', () => {
  const { dropped, add, use } = filled(6400, 'x');
  for (let i = 0; i < 10_000; i++) {
    use('x');
    add(`${i}`);
  }
  expect(dropped).not.toContain('x');
  expect(dropped.slice(0, 3)).toEqual(['0', '1', '2']);
});

test('an entry is not moved again before something is added', () => {
  const { recency, dropped, add, use } = filled(1_000_000, 'abc');
  for (const name of 'aba') use(name);
  // They were added in this stretch, so they are where they were.
  for (let i = 0; i < 3; i++) recency.removeOldest();
  expect(dropped).toEqual(['a', 'b', 'c']);
  add('d');
  expect(recency.size).toBe(10);
});
