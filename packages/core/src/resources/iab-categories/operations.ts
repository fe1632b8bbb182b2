import * as z from 'zod';
import { defineOperation } from '../../operation/define.ts';
import { count, cursor, listExclusive, with_total_count } from '../../operation/list.ts';
import { IabCategory } from './entity.ts';

export { errors } from './errors.ts';

const list = defineOperation({
  id: 'iab_categories.list',
  summary: 'List the content taxonomy of the Interactive Advertising Bureau',
  description: 'In the order of the taxonomy: each category comes after the one that it is a part of.',
  http: { method: 'GET', path: '/12/iab_categories' },
  access: { auth: 'user' },
  rateLimit: 'ads.lookup',
  envelope: 'list',
  params: z.object({ count, cursor, with_total_count }),
  exclusive: listExclusive,
  data: IabCategory,
  errors: [],
  example: { params: { count: 2 }, data: { id: 'IAB1-1', parent_id: 'IAB1', name: 'Books & Literature' } },
});

export const operations = { list };

export const position = 190;
