import { expect, test } from 'vitest';
import { changeAudience, checkAudienceName, checkChangeable, resolveAudience } from './rules.ts';

test('a new audience is a list of people without a description unless it is given', () => {
  const rest = { audience_type: 'CRM', partner_source: 'OTHER', segments: null };
  expect(resolveAudience({ name: 'Readers' })).toEqual({ name: 'Readers', description: null, ...rest });
  expect(resolveAudience({ name: 'Readers', description: 'x' })).toMatchObject({ description: 'x' });
});

test.for([
  [{}, { name: 'Readers', description: 'by post' }],
  [{ name: 'Writers' }, { name: 'Writers', description: 'by post' }],
  [{ description: 'on line' }, { name: 'Readers', description: 'on line' }],
  [{ description: null }, { name: 'Readers', description: null }],
] as const)('%j changes what is given', ([changes, after]) => {
  expect(changeAudience({ name: 'Readers', description: 'by post' }, changes)).toEqual(after);
});

test('a name that is taken is rejected, and the holder named', () => {
  expect(checkAudienceName('READERS', undefined)).toEqual([]);
  expect(checkAudienceName('READERS', { id: '1nmth', name: 'Readers' })).toEqual([
    {
      error: 'INVALID_PARAMETER',
      parameter: 'name',
      value: 'READERS',
      details: 'duplicate name',
      message: 'The account has an audience "Readers" already, 1nmth; names are unique, and case does not matter',
    },
  ]);
});

test('flexible audiences are immutable', () => {
  const rejected = (audience_type: 'CRM' | 'FLEXIBLE' | 'MOBILE_AUDIENCE' | 'WEB') =>
    checkChangeable({ id: '1nmth', audience_type }).map(({ error, parameter }) => [error, parameter]);
  expect([rejected('CRM'), rejected('WEB')]).toEqual([[], []]);
  for (const type of ['FLEXIBLE', 'MOBILE_AUDIENCE'] as const) {
    expect(rejected(type)).toEqual([['INVALID_PARAMETER', 'custom_audience_id']]);
  }
});
