import { defineEntity, type RowOf } from '../../db/entity.ts';
import { foldName } from '../../db/fold-name.ts';
import { businesses } from './table.ts';

export const business = defineEntity({
  name: 'BUSINESS',
  table: businesses,
  missing: {
    error: 'NOT_FOUND',
    parameter: 'business_id',
    message: (id) => `There is no business "${id.slice(0, 100)}"`,
  },
  computed: { name_folded: ({ name }) => foldName(name) },
  key: ['name_folded'],
});

export type BusinessRow = RowOf<typeof business>;
