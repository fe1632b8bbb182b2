import * as z from 'zod';
import { defineOperation } from '../../operation/define.ts';
import { AdvertiserBusinessCategory } from './entity.ts';

const list = defineOperation({
  id: 'advertiser_business_categories.list',
  summary: 'List the kinds of business that line items can advertise for',
  description:
    'A line item with objective PREROLL_VIEWS names one or two of them: its `categories` are their `iab_categories`. They are separate from content categories.',
  http: { method: 'GET', path: '/12/advertiser_business_categories' },
  access: { auth: 'user' },
  rateLimit: 'ads.lookup',
  envelope: 'values',
  beside: { next_cursor: null },
  params: z.object({}),
  data: AdvertiserBusinessCategory,
  errors: [],
  example: { params: {}, data: { id: '1ju', name: 'Telecommunication', iab_categories: ['IAB19-6', 'IAB19-18'] } },
});

export const operations = { list };

export const position = 170;
