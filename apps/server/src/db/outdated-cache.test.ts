import { expect, test } from 'vitest';
import { Generations } from './generations.ts';
import { OutdatedCache } from './outdated-cache.ts';

test('what is kept in one thread is outdated with a write in another', () => {
  const writer = new Generations();
  const reader = new Generations(writer.buffer);
  const written = new OutdatedCache<{ value: number }>(writer, 'things', 10);
  const read = new OutdatedCache<{ value: number }>(reader, 'things', 10);
  const other = new OutdatedCache<{ value: number }>(reader, 'other things', 10);
  read.set('k', { value: 1 }, read.generation);
  other.set('k', { value: 1 }, other.generation);
  expect(read.get('k')).toEqual({ value: 1 });
  written.forget();
  expect(read.get('k')).toBeUndefined();
  expect(other.get('k')).toEqual({ value: 1 });
});

test('what was read before a write is not kept after it', () => {
  const writer = new Generations();
  const read = new OutdatedCache<{ value: number }>(new Generations(writer.buffer), 'things', 10);
  const { generation } = read;
  new OutdatedCache(writer, 'things', 10).forget();
  read.set('k', { value: 1 }, generation);
  expect(read.get('k')).toBeUndefined();
  read.set('k', { value: 2 }, read.generation);
  expect(read.get('k')).toEqual({ value: 2 });
});
