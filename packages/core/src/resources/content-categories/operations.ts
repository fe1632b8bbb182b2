import * as z from 'zod';
import { defineLookup } from '../../operation/define.ts';
import { ContentCategory } from './entity.ts';

export const operations = {
  list: defineLookup('content_categories.list', '/12/content_categories', {
    summary: 'List the kinds of content that line items can target',
    description:
      'A line item targets one by criteria of type IAB_CATEGORY for all of its `iab_categories`, in one batch. `publishers.list` says who makes it.',
    envelope: 'values',
    beside: { next_cursor: null, total_count: true },
    params: z.object({}),
    data: ContentCategory,
    example: {
      params: {},
      data: {
        id: 'se',
        name: 'Sports',
        iab_categories: ['IAB17'],
        publishers_in_last_thirty_days: 403,
        videos_monetized_in_last_thirty_days: 18281,
      },
    },
  }),
};

export const position = 180;
