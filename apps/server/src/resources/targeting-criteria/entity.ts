import { collatedName } from '@broadside/core/text';
import { defineEntity, type RowOf } from '../../db/entity.ts';
import { isOneOf } from '../../db/filters.ts';
import { lineItem } from '../line-items/find.ts';
import { targetingCriteria } from './table.ts';

export const targetingCriterion = defineEntity({
  name: 'TARGETING_CRITERIA',
  table: targetingCriteria,
  quota: 'targeting_criteria',
  parent: { entity: lineItem, column: targetingCriteria.line_item_id },
  missing: { error: 'TARGETING_CRITERION_NOT_FOUND', parameter: 'targeting_criterion_id' },
  filters: {
    line_item_ids: isOneOf(targetingCriteria.line_item_id),
    targeting_criterion_ids: isOneOf(targetingCriteria.id),
  },
  computed: { name_collated: ({ name }) => collatedName(name) },
  internal: ['automatic'],
});

export type TargetingCriterionRow = RowOf<typeof targetingCriterion>;
