import { defineEntity, type RowOf } from '../../db/entity.ts';
import { isOneOf } from '../../db/filters.ts';
import { publishers } from './table.ts';

/** A publisher; the id is that of the user. */
export const publisher = defineEntity({
  name: 'PUBLISHER',
  table: publishers,
  missing: { error: 'NOT_FOUND', parameter: 'user_id', message: () => 'The user is no publisher' },
  filters: {
    user_ids: isOneOf(publishers.id),
  },
});

export type PublisherRow = RowOf<typeof publisher>;
