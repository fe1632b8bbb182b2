import { collatedName } from '@broadside/core/text';
import { defineEntity, type RowOf } from '../../db/entity.ts';
import { beginsWith, isOneOf } from '../../db/filters.ts';
import { foldName } from '../../db/fold-name.ts';
import { customAudiences } from './table.ts';

export const customAudience = defineEntity({
  name: 'CUSTOM_AUDIENCE',
  table: customAudiences,
  quota: 'custom_audiences',
  missing: {
    error: 'NOT_FOUND',
    parameter: 'custom_audience_id',
    message: (id) => `There is no custom audience "${id.slice(0, 100)}" in the account`,
  },
  filters: {
    custom_audience_ids: isOneOf(customAudiences.id),
    q: beginsWith(customAudiences.name_folded),
  },
  computed: { name_folded: ({ name }) => foldName(name), name_collated: ({ name }) => collatedName(name) },
  derived: { processing: true, matched_count: null, size_offset: 0 },
  key: ['name_folded'],
});

export type CustomAudienceRow = RowOf<typeof customAudience>;
