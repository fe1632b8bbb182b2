export {
  type ConversationType,
  conversationTypes,
  type EventType,
  eventTypes,
  type LocationType,
  locationTypes,
  type TvLocale,
  tvLocales,
} from './enums.ts';
