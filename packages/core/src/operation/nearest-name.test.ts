import { expect, test } from 'vitest';
import { nearestName } from './nearest-name.ts';

const latencies = ['ms', 'min_ms', 'max_ms', 'p50_ms', 'p90_ms', 'p99_ms'];

test.each([
  ['p50', latencies, 'p50_ms'],
  ['p99', latencies, 'p99_ms'],
  ['min', latencies, 'min_ms'],
  ['p50ms', latencies, 'p50_ms'],
  // The shortest of those that it begins, and one slip before any of them.
  ['retry', ['retry_after_seconds', 'retry_after'], 'retry_after'],
  ['name', ['name_of_it', 'names'], 'names'],
  ['campaing_id', ['campaign_ids', 'campaign_id'], 'campaign_id'],
  // Nothing of the word is left.
  ['xyz', ['ms', 'abc'], undefined],
  ['a', ['b', 'cd'], undefined],
  ['', ['a', '_a'], undefined],
])('%s of %j means %s', (word, known, meant) => {
  expect(nearestName(word, known)).toBe(meant);
});
