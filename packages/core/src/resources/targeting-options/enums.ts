/** Enumerations of the targeting option lookups (reference, targeting section 5). */

export const locationTypes = ['COUNTRIES', 'REGIONS', 'METROS', 'CITIES', 'POSTAL_CODES'] as const;
export type LocationType = (typeof locationTypes)[number];

export const eventTypes = [
  'CONFERENCE',
  'HOLIDAY',
  'MUSIC_AND_ENTERTAINMENT',
  'OTHER',
  'POLITICS',
  'RECURRING',
  'SPORTS',
] as const;
export type EventType = (typeof eventTypes)[number];

export const conversationTypes = [
  'ACTORS',
  'ATHLETES',
  'BOOK_GENRES',
  'BOOKS',
  'BRAND_CATEGORIES',
  'BRANDS',
  'CELEBRITIES',
  'COACHES',
  'DIGITAL_CREATORS',
  'ENTERTAINMENT_BRANDS',
  'ENTERTAINMENT_PERSONALITIES',
  'FICTIONAL_CHARACTERS',
  'JOURNALISTS',
  'LIFESTYLES',
  'MOVIE_GENRES',
  'MOVIES',
  'MUSIC_GENRES',
  'MUSICIANS',
  'NEWS_STORIES',
  'NEWS',
  'PERSONS',
  'PLACES',
  'PODCASTS',
  'POLITICAL_AFFILIATIONS',
  'POLITICIANS',
  'PRODUCTS',
  'RADIO_STATIONS',
  'SPORTS_LEAGUES',
  'SPORTS_PERSONALITIES',
  'SPORTS_TEAMS',
  'SPORTS',
  'TRENDS',
  'TV_SHOWS',
  'VIDEO_GAME_PLATFORMS',
  'VIDEO_GAME_PUBLISHERS',
  'VIDEO_GAMES',
] as const;
export type ConversationType = (typeof conversationTypes)[number];

/** Language and country of each television market. */
export const tvLocales = [
  'fr-FR',
  'es-CL',
  'de-DE',
  'nl-NL',
  'en-US',
  'es-VE',
  'pt-BR',
  'es-MX',
  'es-CO',
  'en-GB',
  'es-AR',
  'ja-JP',
  'en-CA',
  'es-ES',
  'it-IT',
  'es-US',
  'en-IE',
] as const;
export type TvLocale = (typeof tvLocales)[number];
