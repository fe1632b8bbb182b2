import { expect, it } from 'vitest';
import { checkPublisher } from './rules.ts';

const sound = {
  monetizable_country_codes: ['US', 'AX', 'ZW'],
  promotion_eligible_country_codes: ['DE'],
  content_category_ids: ['ru', 's0'],
};

it('a publisher has countries and content categories that exist, or none', () => {
  expect(checkPublisher(sound)).toEqual([]);
  const none = { monetizable_country_codes: [], promotion_eligible_country_codes: [], content_category_ids: [] };
  expect(checkPublisher(none)).toEqual([]);
});

it.each([
  ['monetizable_country_codes', 'UK', 'countries'],
  ['promotion_eligible_country_codes', 'EU', 'countries'],
  ['content_category_ids', 'IAB17', 'content categories'],
])('everything in %s that does not exist is named, %s', (parameter, wrong, right) => {
  const issues = checkPublisher({ ...sound, [parameter]: [wrong, 'XX'] });
  expect(issues).toMatchObject([
    { error: 'INVALID_PARAMETER', parameter, value: wrong },
    { error: 'INVALID_PARAMETER', parameter, value: 'XX' },
  ]);
  for (const { message } of issues) expect(message).toContain(right);
});
