export { type CuratedCategoryTerms, checkCuratedTerms } from './rules.ts';
