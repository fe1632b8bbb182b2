/** Rules on the criteria of an estimate (specification C, Audience estimate; reference, targeting section 3). */
import type { Issue } from '../../wire/issues.ts';
import { targetingTypes } from '../targeting-criteria/entity.ts';
import { criteriaLimits, isPrimary, targetingTypeFacts } from '../targeting-criteria/types.ts';
import { type CriterionReadingIssue, readCriterion, type ValueFacts } from '../targeting-criteria/values.ts';
import { MAX_CRITERIA } from './limits.ts';
import type { AudienceCriterion } from './query.ts';

const PARAMETER = 'targeting_criteria';

/** Rejects a list with too many criteria to check one by one. */
export function checkCriteriaCount(criteria: readonly AudienceCriterion[]): Issue<'REQUEST_TOO_COMPLEX'>[] {
  if (criteria.length <= MAX_CRITERIA) return [];
  const message = `Expected up to ${MAX_CRITERIA} criteria, got ${criteria.length} for ${PARAMETER}`;
  return [{ error: 'REQUEST_TOO_COMPLEX', parameter: PARAMETER, message }];
}

/** An issue of the criteria of an estimate. */
export type AudienceIssue = CriterionReadingIssue | Issue<'INVALID_PARAMETER' | 'REQUEST_TOO_COMPLEX'>;

/**
 * Checks the criteria of an estimate.
 * @param facts stored facts about the entity that the value of each criterion names
 */
export function checkCriteria(criteria: readonly AudienceCriterion[], facts: readonly ValueFacts[]): AudienceIssue[] {
  const issues = criteria.flatMap((criterion, index) =>
    readCriterion(criterion, facts[index] ?? {}).issues.map((issue) => placed(issue, index)),
  );
  return [...issues, ...checkLimits(criteria), ...checkPrimary(criteria)];
}

/** Adds the position of the criterion to the message of an issue. The parameter is the one that was sent. */
function placed({ parameter, message, ...issue }: CriterionReadingIssue, index: number): CriterionReadingIssue {
  return { ...issue, parameter: PARAMETER, message: `${message} (${PARAMETER}[${index}].${parameter})` };
}

/** Checks the limits of a line item, which apply to an estimate as well. */
function checkLimits(criteria: readonly AudienceCriterion[]): Issue<'REQUEST_TOO_COMPLEX'>[] {
  const counts = Map.groupBy(criteria, ({ targeting_type }) => targetingTypeFacts[targeting_type].group);
  return [...counts].flatMap(([group, { length }]): Issue<'REQUEST_TOO_COMPLEX'>[] => {
    if (group === undefined || group === 'publishers' || length <= criteriaLimits[group]) return [];
    const message = `Expected up to ${criteriaLimits[group]} criteria of the kind "${group}", got ${length} for ${PARAMETER}`;
    return [{ error: 'REQUEST_TOO_COMPLEX', parameter: PARAMETER, message }];
  });
}

const primaryTypes = targetingTypes.filter(isPrimary).join(', ');

// Our reading: a primary criterion with NE counts too. Alone, it matches everybody else.
function checkPrimary(criteria: readonly AudienceCriterion[]): Issue<'INVALID_PARAMETER'>[] {
  if (criteria.some(({ targeting_type }) => isPrimary(targeting_type))) return [];
  const message = `Expected at least one criterion of a primary type for ${PARAMETER}; the primary types are ${primaryTypes}`;
  return [{ error: 'INVALID_PARAMETER', parameter: PARAMETER, details: 'no primary criterion', message }];
}
