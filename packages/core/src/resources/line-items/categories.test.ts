import { describe, expect, it } from 'vitest';
import { change, issuesOfNew, newLineItems, resolve, stored } from './testing/line-items.ts';

describe('categories', () => {
  newLineItems([
    ['known ones', { categories: 'IAB1,IAB26-4' }, []],
    [
      'unknown ones',
      { categories: 'IAB1,IAB99,x' },
      ['INVALID_IAB_CATEGORY categories', 'INVALID_IAB_CATEGORY categories'],
    ],
    ['a pre-roll needs them', { objective: 'PREROLL_VIEWS', categories: undefined }, ['MISSING_PARAMETER categories']],
    ['a pre-roll for two businesses', { objective: 'PREROLL_VIEWS', categories: 'IAB18,IAB20' }, []],
    [
      'a pre-roll for three',
      { objective: 'PREROLL_VIEWS', categories: 'IAB18,IAB20,IAB2' },
      ['INVALID_PARAMETER categories'],
    ],
    [
      'a pre-roll without a business',
      { objective: 'PREROLL_VIEWS', categories: 'IAB18,IAB8' },
      ['INVALID_PARAMETER categories'],
    ],
    [
      'a pre-roll with an unknown one',
      { objective: 'PREROLL_VIEWS', categories: 'IAB99' },
      ['INVALID_IAB_CATEGORY categories'],
    ],
  ]);

  it('the issue names each unknown one', () => {
    expect(issuesOfNew({ categories: 'IAB99,IAB1,x' }).map(({ value }) => value)).toEqual(['IAB99', 'x']);
  });

  it('part of an advertiser business category is stored as all of it', () => {
    const objective = 'PREROLL_VIEWS';
    expect(resolve({ objective, categories: ['IAB13', 'IAB20'] }).categories).toEqual([
      'IAB3',
      'IAB13',
      'IAB21',
      'IAB20',
    ]);
    expect(change(stored({ objective }), { categories: 'IAB8-18' }).categories).toEqual(['IAB8-5', 'IAB8-18']);
    expect(resolve({ categories: ['IAB13'] }).categories).toEqual(['IAB13']);
  });
});
