import { expect, test } from 'vitest';
import { didYouMean, suggest } from './suggest.ts';

const names = ['campaigns', 'line-items', 'accounts', 'features', 'list', 'delete'];

test.each([
  ['campagns', ['campaigns']],
  ['camapigns', ['campaigns']],
  ['camp', ['campaigns']],
  ['Delete', ['delete']],
  ['lsit', ['list']],
  ['zebra', []],
  ['', []],
])('%j is near to %j', (wrong, near) => {
  expect(suggest(wrong, names)).toEqual(near);
});

test('nothing is suggested where nothing is near', () => {
  expect(didYouMean('zebra', names)).toBeUndefined();
});
