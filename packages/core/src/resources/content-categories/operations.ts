import * as z from 'zod';
import { defineOperation } from '../../operation/define.ts';
import { ContentCategory } from './entity.ts';

const list = defineOperation({
  id: 'content_categories.list',
  summary: 'List the kinds of content that line items can target',
  description:
    'A line item targets one by criteria of type IAB_CATEGORY for all of its `iab_categories`, in one batch. `publishers.list` says who makes it.',
  http: { method: 'GET', path: '/12/content_categories' },
  access: { auth: 'user' },
  rateLimit: 'ads.lookup',
  envelope: 'values',
  beside: { next_cursor: null, total_count: true },
  params: z.object({}),
  data: ContentCategory,
  errors: [],
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
});

export const operations = { list };

export const position = 180;
