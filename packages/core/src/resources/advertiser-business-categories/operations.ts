import * as z from 'zod';
import { defineLookup } from '../../operation/define.ts';
import { AdvertiserBusinessCategory } from './entity.ts';

export const operations = {
  list: defineLookup('advertiser_business_categories.list', '/12/advertiser_business_categories', {
    summary: 'List the kinds of business that line items can advertise for',
    description:
      'A line item with objective PREROLL_VIEWS names one or two of them: its `categories` are their `iab_categories`. They are separate from content categories.',
    envelope: 'values',
    beside: { next_cursor: null },
    params: z.object({}),
    data: AdvertiserBusinessCategory,
    example: { params: {}, data: { id: '1ju', name: 'Telecommunication', iab_categories: ['IAB19-6', 'IAB19-18'] } },
  }),
};

export const position = 170;
