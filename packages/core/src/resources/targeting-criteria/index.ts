export {
  formerTargetingTypes,
  type OperatorType,
  operatorTypes,
  TargetingCriterion,
  type TargetingType,
  targetingCriterionSortable,
  targetingTypes,
} from './entity.ts';
export { LineItemTargeting } from './line-item-targeting.ts';
export { type LookedAt, lookedAtByCreation, lookedAtByDeletion } from './looked-at.ts';
export type { TargetingCriterionCreate } from './params.ts';
export {
  type CriterionIssue,
  type CriterionState,
  checkCriterion,
  checkTargeting,
  PUBLISHERS_OF_CURATED,
  type TargetingFault,
  type TargetingIssue,
} from './rules.ts';
export {
  criteriaLimits,
  isPrimary,
  type LimitGroup,
  type TargetingTypeFacts,
  targetingTypeFacts,
  typesOfGroup,
  type ValueKind,
} from './types.ts';
export {
  type CriterionReading,
  type CriterionReadingIssue,
  type CriterionTerms,
  readCriterion,
  type ValueFacts,
} from './values.ts';
