/**
 * The businesses that a PREROLL_VIEWS line item can advertise for. A line item names one or two of them by their IAB
 * categories; no IAB category belongs to two of them.
 */

/** A business and the IAB categories that represent it (specification C, advertiser business category). */
export interface AdvertiserBusinessCategory {
  readonly id: string;
  readonly name: string;
  readonly iab_categories: readonly string[];
}

// biome-ignore format: one id a line would fill pages
export const advertiserBusinessCategories: readonly AdvertiserBusinessCategory[] = [
  { id: '1jl', name: 'Consumer Packaged Goods', iab_categories: [
    'IAB9-26', 'IAB9-18', 'IAB9-29', 'IAB9-1', 'IAB9-8', 'IAB9-22', 'IAB6', 'IAB9-5', 'IAB9-12', 'IAB9-11', 'IAB9-23',
    'IAB9-14', 'IAB4', 'IAB9-25', 'IAB9-17', 'IAB23', 'IAB9-24', 'IAB9-13', 'IAB16', 'IAB9-4', 'IAB9-9', 'IAB9-20',
    'IAB22', 'IAB9-28', 'IAB9-27', 'IAB9-16', 'IAB9-31', 'IAB9-3', 'IAB9-19', 'IAB10', 'IAB9-2', 'IAB9-6', 'IAB9-21',
    'IAB9-10', 'IAB9-15',
  ] },
  { id: '1jm', name: 'Health & Pharma', iab_categories: ['IAB7'] },
  { id: '1jn', name: 'Alcohol', iab_categories: ['IAB8-5', 'IAB8-18'] },
  { id: '1jo', name: 'Dining', iab_categories: [
    'IAB8-10', 'IAB8-8', 'IAB8-7', 'IAB8-15', 'IAB8-3', 'IAB8-4', 'IAB8-1', 'IAB8-16', 'IAB8-12', 'IAB8-13',
    'IAB8-17', 'IAB8-11', 'IAB8-6', 'IAB8-9', 'IAB8-2', 'IAB8-14',
  ] },
  { id: '1jp', name: 'Financial Services', iab_categories: ['IAB3', 'IAB13', 'IAB21'] },
  { id: '1jq', name: 'Retail', iab_categories: ['IAB18'] },
  { id: '1jr', name: 'Travel', iab_categories: ['IAB20'] },
  { id: '1js', name: 'Gaming', iab_categories: ['IAB9-30'] },
  { id: '1jt', name: 'Technology', iab_categories: [
    'IAB19-22', 'IAB19-13', 'IAB19-4', 'IAB19-33', 'IAB19-26', 'IAB19-3', 'IAB19-16', 'IAB19-9', 'IAB19-32',
    'IAB19-25', 'IAB19-30', 'IAB19-36', 'IAB19-21', 'IAB5', 'IAB19-12', 'IAB19-28', 'IAB19-17', 'IAB19-8', 'IAB19-7',
    'IAB19-24', 'IAB15', 'IAB19-11', 'IAB19-31', 'IAB19-20', 'IAB19-15', 'IAB19-1', 'IAB19-35', 'IAB19-29',
    'IAB19-34', 'IAB19-23', 'IAB19-2', 'IAB19-5', 'IAB19-14', 'IAB19-27', 'IAB19-10', 'IAB19-19',
  ] },
  { id: '1ju', name: 'Telecommunication', iab_categories: ['IAB19-6', 'IAB19-18'] },
  { id: '1jv', name: 'Auto', iab_categories: ['IAB2'] },
  { id: '1jw', name: 'Media & Entertainment', iab_categories: [
    'IAB14-8', 'IAB14-4', 'IAB1-5', 'IAB14-7', 'IAB1-7', 'IAB17', 'IAB14-3', 'IAB1-1', 'IAB12', 'IAB1-6', 'IAB25-1',
    'IAB1-2', 'IAB14-2', 'IAB14-6', 'IAB1-3', 'IAB1-4', 'IAB14-5',
  ] },
  { id: '1jx', name: 'Politics', iab_categories: ['IAB11-4'] },
  { id: '1jy', name: 'Gambling', iab_categories: ['IAB9-7'] },
  { id: '1jz', name: 'Dating', iab_categories: ['IAB14-1'] },
  { id: '1k0', name: 'Non-Profit', iab_categories: ['IAB11-1', 'IAB11-2', 'IAB11-3', 'IAB11-5'] },
];

const byIabCategory: ReadonlyMap<string, AdvertiserBusinessCategory> = new Map(
  advertiserBusinessCategories.flatMap((business) => business.iab_categories.map((id) => [id, business] as const)),
);

/** Returns the business that an IAB category represents; `undefined` if there is none. */
export function advertiserBusinessCategoryOf(iabCategory: string): AdvertiserBusinessCategory | undefined {
  return byIabCategory.get(iabCategory);
}
