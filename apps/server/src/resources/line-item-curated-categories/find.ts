export { lineItemCuratedCategory } from './entity.ts';
