/**
 * The decisions of the platform and the data that they rest on, as pure functions. Apart from the root entry, so that a
 * browser that only calls the platform does not load them.
 */
export * from './data/advertiser-business-categories.ts';
export * from './data/content-categories.ts';
export * from './data/iab-categories.ts';
export * from './data/targeting/ages.ts';
export * from './data/targeting/app-store-categories.ts';
export * from './data/targeting/conversations.ts';
export * from './data/targeting/devices.ts';
export * from './data/targeting/events.ts';
export * from './data/targeting/interests.ts';
export * from './data/targeting/languages.ts';
export * from './data/targeting/locations.ts';
export * from './data/targeting/network-operators.ts';
export * from './data/targeting/option-table.ts';
export * from './data/targeting/platform-versions.ts';
export * from './data/targeting/platforms.ts';
export * from './data/targeting/tv.ts';
export * from './money/currencies.ts';
export * from './resources/account-apps/rules.ts';
export * from './resources/account-history/rules.ts';
export * from './resources/account-media/rules.ts';
export * from './resources/apps/rules.ts';
export * from './resources/audience-estimate/query.ts';
export * from './resources/audience-estimate/rules.ts';
export * from './resources/audience-estimate/size.ts';
export * from './resources/audience-estimate/words.ts';
export * from './resources/campaigns/limits.ts';
export * from './resources/campaigns/rules.ts';
export * from './resources/curated-categories/rules.ts';
export * from './resources/funding-instruments/rules.ts';
export * from './resources/line-item-curated-categories/rules.ts';
export {
  checkLineItemLimits,
  countsAsActiveLineItem,
  type LineItemCounts,
  MAX_ACTIVE_LINE_ITEMS,
  MAX_LINE_ITEMS_PER_CAMPAIGN,
} from './resources/line-items/limits.ts';
export { type PlacementCombination, placementCombinations } from './resources/line-items/placements.ts';
export { changeLineItem, type LineItemOrigin, resolveLineItem } from './resources/line-items/resolve.ts';
export { checkLineItem, type LineItemIssue } from './resources/line-items/rules.ts';
export type { LineItemSurroundings, NewLineItem } from './resources/line-items/surroundings.ts';
export * from './resources/media-creatives/rules.ts';
export * from './resources/promoted-accounts/rules.ts';
export * from './resources/promoted-posts/rules.ts';
export * from './resources/publishers/rules.ts';
export * from './resources/targeting-criteria/line-item-targeting.ts';
export * from './resources/targeting-criteria/rules.ts';
export * from './resources/targeting-criteria/types.ts';
export * from './resources/targeting-criteria/values.ts';
export * from './resources/user-access/rules.ts';
export * from './resources/users/rules.ts';
