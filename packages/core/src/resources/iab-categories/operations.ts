import { defineLookup } from '../../operation/define.ts';
import { count, cursor, listExclusive, with_total_count } from '../../operation/list.ts';
import { object } from '../../wire/object.ts';
import { IabCategory } from './entity.ts';

export { errors } from './errors.ts';

export const operations = {
  list: defineLookup('iab_categories.list', '/12/iab_categories', {
    summary: 'List the content taxonomy of the Interactive Advertising Bureau',
    description: 'In the order of the taxonomy: each category comes after the one that it is a part of.',
    envelope: 'list',
    params: object(() => ({ count, cursor, with_total_count })),
    exclusive: listExclusive,
    data: IabCategory,
    example: { params: { count: 2 }, data: { id: 'IAB1-1', parent_id: 'IAB1', name: 'Books & Literature' } },
  }),
};

export const position = 190;
