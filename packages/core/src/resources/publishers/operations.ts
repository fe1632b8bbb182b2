import { defineLookup } from '../../operation/define.ts';
import { count, cursor } from '../../operation/list.ts';
import { object } from '../../wire/object.ts';
import { Publisher } from './entity.ts';

/** A publisher for examples. */
export const examplePublisher = {
  username: 'radioseven',
  user_id: '1503831318555086849',
  monetizable_country_codes: ['CA', 'US'],
  promotion_eligible_country_codes: ['US'],
  monetization_restricted: false,
  content_category_ids: ['sq', 'sr'],
} as const;

export const operations = {
  list: defineLookup('publishers.list', '/12/publishers', {
    summary: 'List the publishers of content',
    description: 'In the order in which they became publishers.',
    envelope: 'list',
    // Our choice: the specification shows no parameters, and a `next_cursor` in the response.
    params: object(() => ({ count, cursor })),
    data: Publisher,
    example: { params: {}, data: examplePublisher },
  }),
};

export const position = 200;
