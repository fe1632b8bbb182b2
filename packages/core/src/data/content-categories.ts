/** The content of publishers, in categories that advertisements can be shown with. */

/** A content category and the IAB categories that represent it (specification C, content category). */
export interface ContentCategory {
  readonly id: string;
  readonly name: string;
  readonly iab_categories: readonly string[];
  readonly publishers_in_last_thirty_days: number;
  readonly videos_monetized_in_last_thirty_days: number;
}

// biome-ignore format: one id a line would fill pages
export const contentCategories: readonly ContentCategory[] = [
  { id: 'ru', name: 'Automotive (Cars, Trucks, Racing)', iab_categories: ['IAB2'],
    publishers_in_last_thirty_days: 12, videos_monetized_in_last_thirty_days: 316 },
  { id: 'sk', name: 'Comedy', iab_categories: ['IAB1-4'],
    publishers_in_last_thirty_days: 19, videos_monetized_in_last_thirty_days: 174 },
  { id: 'sl', name: 'Digital Creators', iab_categories: ['IAB25-1'],
    publishers_in_last_thirty_days: 110, videos_monetized_in_last_thirty_days: 1257 },
  { id: 'sm', name: 'Entertainment & Pop Culture', iab_categories: ['IAB1-1', 'IAB1-2', 'IAB1-3', 'IAB1-5'],
    publishers_in_last_thirty_days: 120, videos_monetized_in_last_thirty_days: 3482 },
  { id: 'sn', name: 'Financial & Business News', iab_categories: ['IAB3', 'IAB13', 'IAB21'],
    publishers_in_last_thirty_days: 29, videos_monetized_in_last_thirty_days: 1461 },
  { id: 'so', name: 'Food & Drink', iab_categories: [
    'IAB8-8', 'IAB8-12', 'IAB8-17', 'IAB8-2', 'IAB8-3', 'IAB8-7', 'IAB8-11', 'IAB8-4', 'IAB8-14', 'IAB8-10',
    'IAB8-15', 'IAB8-13', 'IAB8-9', 'IAB8-16', 'IAB8-6', 'IAB8-1',
  ], publishers_in_last_thirty_days: 24, videos_monetized_in_last_thirty_days: 516 },
  { id: 'sp', name: 'Lifestyle (Fashion, Travel, Wellness)', iab_categories: [
    'IAB16', 'IAB9-21', 'IAB9-4', 'IAB9-25', 'IAB9-8', 'IAB4', 'IAB9-3', 'IAB9-15', 'IAB7', 'IAB6', 'IAB9-11',
    'IAB9-16', 'IAB9-7', 'IAB9-20', 'IAB9-24', 'IAB9-17', 'IAB9-12', 'IAB9-31', 'IAB9-27', 'IAB10', 'IAB9-10',
    'IAB9-23', 'IAB9-6', 'IAB9-18', 'IAB9-13', 'IAB9-1', 'IAB9-28', 'IAB20', 'IAB9-5', 'IAB9-26', 'IAB22', 'IAB23',
    'IAB9-9', 'IAB9-22', 'IAB18', 'IAB9-2', 'IAB9-19', 'IAB9-14', 'IAB9-29',
  ], publishers_in_last_thirty_days: 67, videos_monetized_in_last_thirty_days: 2412 },
  { id: 'sq', name: 'Music', iab_categories: ['IAB1-6'],
    publishers_in_last_thirty_days: 31, videos_monetized_in_last_thirty_days: 518 },
  { id: 'sr', name: 'News & Current Events', iab_categories: ['IAB12', 'IAB14'],
    publishers_in_last_thirty_days: 125, videos_monetized_in_last_thirty_days: 5507 },
  { id: 's4', name: 'Politics', iab_categories: ['IAB11'],
    publishers_in_last_thirty_days: 19, videos_monetized_in_last_thirty_days: 1402 },
  { id: 'ss', name: 'Science & Education', iab_categories: ['IAB5', 'IAB15'],
    publishers_in_last_thirty_days: 7, videos_monetized_in_last_thirty_days: 132 },
  { id: 'se', name: 'Sports', iab_categories: ['IAB17'],
    publishers_in_last_thirty_days: 403, videos_monetized_in_last_thirty_days: 18281 },
  { id: 'sg', name: 'Technology', iab_categories: ['IAB19'],
    publishers_in_last_thirty_days: 13, videos_monetized_in_last_thirty_days: 1089 },
  { id: 'sh', name: 'Television', iab_categories: ['IAB1-7'],
    publishers_in_last_thirty_days: 58, videos_monetized_in_last_thirty_days: 1307 },
  { id: 's0', name: 'Esports & Video Games', iab_categories: ['IAB9-30'],
    publishers_in_last_thirty_days: 109, videos_monetized_in_last_thirty_days: 1844 },
];
