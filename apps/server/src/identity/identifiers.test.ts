import { hashNormalized } from '@broadside/core/identifiers';
import { expect, test } from 'vitest';
import { identifiersOf } from './identifiers.ts';

const nobody = { id: '143567', screen_name: 'Jack', email: null, phone_numbers: null, devices: null };

test('a person has an id and a handle, and whatever else they gave', () => {
  expect(identifiersOf(nobody)).toEqual([
    [4, '143567'],
    [3, 'jack'],
  ]);
  expect(
    identifiersOf({
      ...nobody,
      email: 'jack@example.com',
      phone_numbers: ['+15005550100', '+15005550101'],
      devices: ['af3802a465767e36'],
    }),
  ).toEqual([
    [4, '143567'],
    [3, 'jack'],
    [1, 'jack@example.com'],
    [5, '+15005550100'],
    [5, '+15005550101'],
    [2, 'af3802a465767e36'],
  ]);
});

test('the reference’s handle hashes to the reference’s hash', async () => {
  const [, [, handle] = []] = identifiersOf({ ...nobody, screen_name: 'AdsAPI' });
  expect(await hashNormalized(handle ?? '')).toBe('49e0be2aeccfb51a8dee4c945c8a70a9ac500cf6f5cb08112575f74db9b1470d');
});
