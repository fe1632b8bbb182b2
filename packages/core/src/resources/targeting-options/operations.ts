/** Lookups of targeting options (reference, targeting section 5). They belong to no account and change rarely. */

import * as z from 'zod';
import { defineLookup } from '../../operation/define.ts';
import { cursor } from '../../operation/list.ts';
import { object } from '../../wire/object.ts';
import { countryCode, int, list, oneOf, text, time } from '../../wire/types.ts';
import {
  AppStoreCategory,
  Conversation,
  Device,
  Event,
  Interest,
  Language,
  Location,
  NetworkOperator,
  Platform,
  PlatformVersion,
  TvMarket,
  TvShow,
} from './entities.ts';
import { conversationTypes, eventTypes, locationTypes, tvLocales } from './enums.ts';

const q = text().optional().describe('Only names that hold this text, in any case, with accents or without.');
const count = int({ min: 1, max: 1000 }).default(200).describe('Rows in one answer.');

/** The language of localized names. */
export const lang = text({ min: 2, max: 2, pattern: /^[a-z]{2}$/, format: 'a language code of two small letters' })
  .optional()
  .describe('ISO 639-1 code of a language: adds `localized_name` where there is one.');

/** The locale as the response echoes it (reference, targeting section 5). */
function localeParts(locale: string): { readonly countryCode: string; readonly languageCode: string } {
  return { countryCode: locale.slice(3), languageCode: locale.slice(0, 2) };
}

export const operations = {
  app_store_categories: defineLookup(
    'targeting_options.app_store_categories',
    '/12/targeting_criteria/app_store_categories',
    {
      summary: 'Look up categories of app stores',
      rateLimit: 'ads.targeting_lookup',
      envelope: 'values',
      params: object(() => ({
        q,
        os_type: oneOf(['ANDROID', 'IOS']).optional().describe('Only categories of this store.'),
      })),
      data: AppStoreCategory,
      example: {
        params: { os_type: 'IOS', q: 'music' },
        data: { name: 'Games: Music', targeting_type: 'APP_STORE_CATEGORY', targeting_value: 'qouq', os_type: 'IOS' },
      },
    },
  ),
  conversations: defineLookup('targeting_options.conversations', '/12/targeting_criteria/conversations', {
    summary: 'Look up topics that people talk about',
    rateLimit: 'ads.targeting_lookup',
    envelope: 'list',
    params: object(() => ({
      conversation_type: oneOf(conversationTypes).optional().describe('Only topics of this kind.'),
      count,
      cursor,
    })),
    data: Conversation,
    example: {
      params: { conversation_type: 'SPORTS_LEAGUES', count: 1 },
      data: { name: 'NFL', targeting_type: 'CONVERSATION', targeting_value: 'a1', conversation_type: 'SPORTS_LEAGUES' },
    },
  }),
  devices: defineLookup('targeting_options.devices', '/12/targeting_criteria/devices', {
    summary: 'Look up devices',
    rateLimit: 'ads.targeting_lookup',
    envelope: 'values',
    params: object(() => ({ count, q })),
    data: Device,
    example: {
      params: { q: 'iphone', count: 1 },
      data: {
        name: 'iPhone 4',
        targeting_type: 'DEVICE',
        targeting_value: '1r',
        manufacturer: 'Apple',
        os_type: 'iOS',
      },
    },
  }),
  events: defineLookup('targeting_options.events', '/12/targeting_criteria/events', {
    summary: 'Look up events',
    rateLimit: 'ads.targeting_lookup',
    description: 'Events that are going on or ahead at `start_time`, by their beginning.',
    envelope: 'list',
    beside: { data_type: 'events' },
    params: object(() => ({
      event_types: list(oneOf(eventTypes), { max: eventTypes.length }).describe('The kinds of event.'),
      // Our choice: a global event takes place in each country.
      country_codes: list(countryCode(), { max: 200 })
        .optional()
        .describe('Only events in these countries, and global ones.'),
      start_time: time().optional().describe('Only events that end at this time or later; now when left out.'),
      end_time: time().optional().describe('Only events that begin at this time or before.'),
      count,
      cursor,
    })),
    data: Event,
    errors: ['INVALID_TIME_WINDOW'],
    example: {
      params: { event_types: ['SPORTS'], start_time: '2026-06-01T00:00:00Z', count: 1 },
      data: {
        name: 'World Cup 2026',
        targeting_type: 'EVENT',
        targeting_value: '1ex',
        event_type: 'SPORTS',
        start_time: '2026-06-11T00:00:00Z',
        end_time: '2026-07-19T23:59:59Z',
        country_code: null,
        is_global: true,
        reach: { total_reach: null },
        top_users: [],
        top_posts: [],
        top_hashtags: [],
        country_breakdown_percentage: {},
        gender_breakdown_percentage: {},
        device_breakdown_percentage: {},
      },
    },
  }),
  interests: defineLookup('targeting_options.interests', '/12/targeting_criteria/interests', {
    summary: 'Look up interests',
    rateLimit: 'ads.targeting_lookup',
    envelope: 'list',
    params: object(() => ({ count, cursor, q })),
    data: Interest,
    example: {
      params: { q: 'books', count: 1 },
      data: {
        name: 'Books and literature/Biographies and memoirs',
        targeting_type: 'INTEREST',
        targeting_value: '1001',
      },
    },
  }),
  languages: defineLookup('targeting_options.languages', '/12/targeting_criteria/languages', {
    summary: 'Look up languages',
    rateLimit: 'ads.targeting_lookup',
    envelope: 'list',
    params: object(() => ({ count, cursor, q })),
    data: Language,
    example: {
      params: { q: 'english' },
      data: { name: 'English', targeting_type: 'LANGUAGE', targeting_value: 'en' },
    },
  }),
  locations: defineLookup('targeting_options.locations', '/12/targeting_criteria/locations', {
    summary: 'Look up places',
    rateLimit: 'ads.targeting_lookup',
    envelope: 'list',
    params: object(() => ({
      count,
      cursor,
      country_code: countryCode().optional().describe('Only places in this country.'),
      location_type: oneOf(locationTypes).optional().describe('Only places of this kind.'),
      // Our choice: names are those in the language of the place, and many people know it by another.
      q: q.describe(
        'Only names that hold this text, in English or as they are here, in any case, with accents or without.',
      ),
    })),
    data: Location,
    example: {
      params: { location_type: 'CITIES', q: 'los angeles', count: 1 },
      data: {
        name: 'Los Angeles, Los Angeles CA, CA, USA',
        targeting_type: 'LOCATION',
        targeting_value: '3b77caf94bfc81fe',
        country_code: 'US',
        location_type: 'CITIES',
      },
    },
  }),
  network_operators: defineLookup('targeting_options.network_operators', '/12/targeting_criteria/network_operators', {
    summary: 'Look up mobile network operators',
    rateLimit: 'ads.targeting_lookup',
    envelope: 'list',
    params: object(() => ({
      count,
      country_code: countryCode().default('US').describe('The country whose operators are wanted.'),
      cursor,
      q,
    })),
    data: NetworkOperator,
    example: {
      params: { count: 1 },
      data: { name: 'Advantage', targeting_type: 'NETWORK_OPERATOR', targeting_value: '2l', country_code: 'US' },
    },
  }),
  platform_versions: defineLookup('targeting_options.platform_versions', '/12/targeting_criteria/platform_versions', {
    summary: 'Look up versions of what devices run',
    rateLimit: 'ads.targeting_lookup',
    envelope: 'values',
    beside: { data_type: 'targeting_criterion' },
    params: object(() => ({ q })),
    data: PlatformVersion,
    example: {
      params: { q: 'jelly bean' },
      data: {
        name: 'Jelly Bean',
        targeting_type: 'PLATFORM_VERSION',
        targeting_value: '18',
        number: '4.1',
        os_type: 'Android',
      },
    },
  }),
  platforms: defineLookup('targeting_options.platforms', '/12/targeting_criteria/platforms', {
    summary: 'Look up kinds of device by what they run',
    rateLimit: 'ads.targeting_lookup',
    envelope: 'values',
    params: object(() => ({ count, q, lang })),
    data: Platform,
    example: {
      params: { q: 'ios' },
      data: { name: 'iOS', targeting_type: 'PLATFORM', targeting_value: '0' },
    },
  }),
  tv_markets: defineLookup('targeting_options.tv_markets', '/12/targeting_criteria/tv_markets', {
    summary: 'Look up television markets',
    rateLimit: 'ads.tv_lookup',
    envelope: 'values',
    params: z.object({}),
    data: TvMarket,
    example: { params: {}, data: { name: 'France', country_code: 'FR', locale: 'fr-FR' } },
  }),
  tv_shows: defineLookup('targeting_options.tv_shows', '/12/targeting_criteria/tv_shows', {
    summary: 'Look up television shows of a market',
    rateLimit: 'ads.tv_lookup',
    envelope: 'list',
    params: object(() => ({
      locale: oneOf(tvLocales).describe('The market: language and country.'),
      count: int({ min: 1, max: 50 }).default(50).describe('Rows in one answer.'),
      cursor,
      q,
    })),
    echo: (sent) => (typeof sent['locale'] === 'string' ? { ...sent, locale: localeParts(sent['locale']) } : sent),
    data: TvShow,
    example: {
      params: { locale: 'en-US', q: 'newswatch' },
      data: {
        name: 'NewsWatch',
        targeting_type: 'TV_SHOW',
        targeting_value: 10027243420,
        genre: 'PAID',
        locales: [{ language: 'en', country: 'US' }],
      },
    },
  }),
};

export const position = 220;
