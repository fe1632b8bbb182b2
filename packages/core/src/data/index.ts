/** The tables that the decisions of the platform rest on: taxonomies, places, what can be targeted. */
export { once } from '../once.ts';
export {
  type AdvertiserBusinessCategory,
  advertiserBusinessCategories,
  advertiserBusinessCategoryOf,
} from './advertiser-business-categories.ts';
export { type ContentCategory, contentCategories } from './content-categories.ts';
export { type IabCategory, iabCategories, isIabCategory } from './iab-categories.ts';
export { type AgeBucket, type AgeRange, ageBuckets, ageRangeOf } from './targeting/ages.ts';
export { type AppStoreCategoryOption, appStoreCategories } from './targeting/app-store-categories.ts';
export { type ConversationOption, conversations } from './targeting/conversations.ts';
export { type DeviceOption, devices, platformOfDevice } from './targeting/devices.ts';
export { type EventOption, events } from './targeting/events.ts';
export { type InterestOption, interests } from './targeting/interests.ts';
export { type LanguageOption, languages } from './targeting/languages.ts';
export { findCity, findCountry, type LocationOption, locations, placesAround } from './targeting/locations.ts';
export { type NetworkOperatorOption, networkOperators } from './targeting/network-operators.ts';
export { entriesOf, headAndRest, itemsOf, OptionTable, type TargetingOption } from './targeting/option-table.ts';
export { type PlatformVersionOption, platformVersions } from './targeting/platform-versions.ts';
export { appPlatforms, localizedPlatformName, type PlatformOption, platforms } from './targeting/platforms.ts';
export { countryOfLocale, type TvMarket, type TvShowOption, tvMarkets, tvShows } from './targeting/tv.ts';
