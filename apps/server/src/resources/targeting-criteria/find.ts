export { targetAppPlatforms } from './app-platforms.ts';
export { lineItemsOfAudience } from './audience-criteria.ts';
export { criteriaOf } from './criteria-of.ts';
export { targetingCriterion } from './entity.ts';
export { findFacts, findUsers } from './value-facts.ts';
