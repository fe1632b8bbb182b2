/** Rows of the targeting option lookups (reference, targeting section 5). */

import * as z from 'zod';
import { object } from '../../wire/object.ts';
import { boolean, int, list, long, members, oneOf, text, time } from '../../wire/types.ts';
import { conversationTypes, eventTypes, locationTypes, tvLocales } from './enums.ts';

const name = text().describe('What it is called.');
const targeting_value = text().describe('What a targeting criterion says to mean it.');
const country_code = text().describe('ISO 3166-1 code of the country.');

function row<const Type extends string>(type: Type) {
  return { name, targeting_type: oneOf([type]).describe('The type of such criteria.'), targeting_value };
}

export const AppStoreCategory = object(() => ({
  ...row('APP_STORE_CATEGORY'),
  os_type: oneOf(['ANDROID', 'IOS']).describe('The store that has the category.'),
}));

export const Conversation = object(() => ({
  ...row('CONVERSATION'),
  conversation_type: oneOf(conversationTypes).describe('What kind of topic it is.'),
}));

const deviceOs = oneOf(['iOS', 'Android']).describe('What it runs.');

export const Device = object(() => ({
  ...row('DEVICE'),
  manufacturer: text().describe('Who makes it.'),
  os_type: deviceOs,
}));

const percentages = (what: string) =>
  members().describe(`Shares of the audience by ${what}; empty where none are known.`);
const top = (what: string) => list(text(), { min: 0, max: 100 }).describe(`The most seen ${what}.`);

export const Event = object(() => ({
  ...row('EVENT'),
  event_type: oneOf(eventTypes).describe('What kind of event it is.'),
  start_time: time().describe('When it begins, as if its place were on UTC.'),
  end_time: time().describe('When it ends, as if its place were on UTC.'),
  country_code: country_code.nullable().describe('Where it takes place; null for a global event.'),
  is_global: boolean().describe('Whether it takes place everywhere.'),
  reach: z
    .object({ total_reach: int({ min: 0 }).nullable().describe('How many people it reaches; null where unknown.') })
    .describe('How far it reaches.'),
  top_users: top('users'),
  top_posts: top('posts'),
  top_hashtags: top('hashtags'),
  country_breakdown_percentage: percentages('country'),
  gender_breakdown_percentage: percentages('gender'),
  device_breakdown_percentage: percentages('device'),
}));

export const Interest = object(() => ({ ...row('INTEREST'), name: text().describe('`Category/Sub`.') }));

export const Language = object(() => ({ ...row('LANGUAGE'), targeting_value: text().describe('ISO 639-1 code.') }));

export const Location = object(() => ({
  ...row('LOCATION'),
  country_code,
  location_type: oneOf(locationTypes).describe('What kind of place it is.'),
}));

export const NetworkOperator = object(() => ({ ...row('NETWORK_OPERATOR'), country_code }));

export const PlatformVersion = object(() => ({
  ...row('PLATFORM_VERSION'),
  number: text().describe('The number of the version.'),
  os_type: deviceOs,
}));

export const Platform = object(() => ({
  ...row('PLATFORM'),
  localized_name: text().optional().describe('The name in the language of `lang`, where there is one.'),
}));

export const TvMarket = object(() => ({
  name,
  country_code,
  locale: oneOf(tvLocales).describe('Language and country.'),
}));

export const TvShow = object(() => ({
  ...row('TV_SHOW'),
  targeting_value: long().describe('What a targeting criterion says to mean it, there as text.'),
  genre: text().describe('What kind of show it is.'),
  locales: z
    .array(
      z.object({
        language: text().describe('ISO 639-1 code of the language.'),
        country: text().describe('ISO 3166-1 code of the country.'),
      }),
    )
    .describe('The markets in which it is on.'),
}));
