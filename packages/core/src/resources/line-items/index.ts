export {
  audienceExpansions,
  type BidStrategy,
  bidStrategies,
  changeableGoals,
  type Goal,
  goals,
  LineItem,
  lineItemSortable,
  type Objective,
  objectives,
  type PayBy,
  type Placement,
  type ProductType,
  payBys,
  placements,
  productTypes,
} from './entity.ts';
export {
  checkLineItemLimits,
  countsAsActiveLineItem,
  type LineItemCounts,
  MAX_ACTIVE_LINE_ITEMS,
  MAX_LINE_ITEMS_PER_CAMPAIGN,
} from './limits.ts';
export type { LineItemChanges, LineItemCreate } from './params.ts';
export { type PlacementCombination, placementCombinations } from './placements.ts';
export { changeLineItem, type LineItemOrigin, resolveLineItem } from './resolve.ts';
export { checkLineItem, type LineItemIssue } from './rules.ts';
export { isLineItemServable } from './servable.ts';
export type { LineItemSurroundings, NewLineItem } from './surroundings.ts';
