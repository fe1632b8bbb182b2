import { expect, test } from 'vitest';
import { faultsOf } from './fixtures.mjs';

const one = { tag: '0000_one', hash: 'a' };
const two = { tag: '0001_two', hash: 'b' };
const migrations = { platform: [one], ads: [one, two] };
const state = { version: '0.2.0', isReleased: true, isNext: true, migrations, fixtures: { '0.2.0': migrations } };

test('a version is released with the fixture of its schema, and not without', () => {
  expect(faultsOf(state)).toEqual([]);
  expect(faultsOf({ ...state, fixtures: {} })).toEqual([expect.stringMatching(/no fixture of version 0\.2\.0/)]);
  expect(faultsOf({ ...state, fixtures: { '0.2.0': { ...migrations, ads: [one] } } })).toEqual([
    expect.stringMatching(/lacks the migration 0001_two \(ads\)/),
  ]);
});

test('between releases the fixture of the last one is needed, and migrations may be added', () => {
  const between = { ...state, isNext: false, fixtures: { '0.2.0': { platform: [one], ads: [one] } } };
  expect(faultsOf(between)).toEqual([]);
  expect(faultsOf({ ...between, fixtures: {} })).toHaveLength(1);
  expect(faultsOf({ ...between, isReleased: false, fixtures: {} })).toEqual([]);
});

test('a migration that is in a fixture is not changed, removed or moved', () => {
  const fixtures = { '0.1.0': { platform: [one], ads: [one, two] } };
  for (const ads of [[one, { ...two, hash: 'c' }], [one], [two, one]]) {
    expect(
      faultsOf({ ...state, isNext: false, isReleased: false, migrations: { platform: [one], ads }, fixtures }),
    ).toEqual([expect.stringMatching(/was changed or removed after the fixture 0\.1\.0/)]);
  }
});
