export { AudienceEstimate } from './entity.ts';
export { type AudienceCriterion, type AudienceQuery, audienceQuery, type Trait } from './query.ts';
export { type AudienceIssue, checkCriteria, checkCriteriaCount } from './rules.ts';
export { type AudienceSize, audienceSize, blurOf, blurredCount, SMALLEST_AUDIENCE } from './size.ts';
export { type MarkedWords, markedWordsOf, wordGroupsOf, wordMarks, wordsOf } from './words.ts';
