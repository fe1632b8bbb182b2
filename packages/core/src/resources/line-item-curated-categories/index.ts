export { LineItemCuratedCategory } from './entity.ts';
export { type CuratedCategoryState, checkCuratedCategory } from './rules.ts';
