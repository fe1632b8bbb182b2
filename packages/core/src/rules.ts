/**
 * The decisions of the platform and the data that they rest on, as pure functions. Apart from the root entry, so that a
 * browser that only calls the platform does not load them.
 */
export * from './data/advertiser-business-categories.ts';
export * from './data/iab-categories.ts';
export * from './money/currencies.ts';
export * from './resources/apps/rules.ts';
export * from './resources/campaigns/limits.ts';
export * from './resources/campaigns/rules.ts';
export * from './resources/funding-instruments/rules.ts';
export * from './resources/line-items/rules.ts';
