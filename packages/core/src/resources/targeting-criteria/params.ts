import type * as z from 'zod';
import { object } from '../../wire/object.ts';
import { id, oneOf, textOrInteger } from '../../wire/types.ts';
import { formerTargetingTypes, operatorTypes, targetingTypes } from './entity.ts';

export const targeting_criterion_id = id().describe('The targeting criterion.');

/** The parameters of a criterion, without the line item. */
export const criterionTerms = object(() => ({
  targeting_type: oneOf(targetingTypes, { error: 'INVALID_TARGETING_TYPE', former: formerTargetingTypes }).describe(
    'What is targeted.',
  ),
  // Our choice: TV shows and users are identified by numbers, which other endpoints return as numbers.
  targeting_value: textOrInteger().describe('Which of them: a value of the lookup for the type, a word, an id.'),
  operator_type: oneOf(operatorTypes)
    .default('EQ')
    .describe('How the value is meant: EQ these, NE all but these, GTE from this on, LT below this.'),
}));

/** Parameters for creating a targeting criterion, without the account (reference, targeting section 2). */
export const TargetingCriterionCreate = object(() => ({
  line_item_id: id().describe('The line item whose advertisements it is about.'),
  ...criterionTerms.shape,
}));
export type TargetingCriterionCreate = z.output<typeof TargetingCriterionCreate>;
