import type { Contract, ErrorName, Page, ParamsOf, Reject } from '@broadside/core';
import {
  appStoreCategories,
  conversations,
  devices,
  events,
  interests,
  languages,
  locations,
  networkOperators,
  type OptionTable,
  platforms,
  platformVersions,
  type TargetingOption,
  tvMarkets,
  tvShows,
} from '@broadside/core/data';
import { foldName } from '../../db/fold-name.ts';
import { mapPage, pageOf } from '../../db/page.ts';
import type { Context, HandlersOf, Rejecting } from '../../pipeline/context.ts';
import { tablePage } from '../../pipeline/table-page.ts';
import { checkLanguage, localizedName } from './localized-names.ts';

type Operations = Contract['targeting_options'];

/** A filter of rows. */
type Matches<Row, Params, Name extends ErrorName = never> = (
  params: Params,
  context: Context & Rejecting<Name>,
) => (row: Row) => boolean;

/** Parameters of a lookup that returns all rows at once. */
interface Whole {
  readonly q?: string | undefined;
  readonly count?: number;
}

/** Parameters of a paginated lookup. */
interface Paged {
  readonly q?: string | undefined;
  readonly count: number;
  readonly cursor?: string | undefined;
}

/** Returns a name without case and accents (our choice: few keyboards have all of them). */
function plainName(name: string): string {
  return foldName(name)
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC');
}

/** A row that people may also know by an English name. */
type Known = Pick<TargetingOption, 'name'> & { readonly english?: string };

/** Search texts of rows. They are cached as long as the server runs. */
const soughtNames = new WeakMap<Known, string>();

function soughtName(row: Known): string {
  const kept = soughtNames.get(row);
  if (kept !== undefined) return kept;
  const made = plainName(`${row.name}\n${row.english ?? ''}`);
  soughtNames.set(row, made);
  return made;
}

/** Filters rows by a text in their name, ignoring case and accents. */
function named({ q }: Whole): (row: Known) => boolean {
  if (q === undefined) return () => true;
  const sought = plainName(q);
  return (row) => soughtName(row).includes(sought);
}

/** A lookup that returns all rows of a table that match, or the first `count` of them. */
function whole<Row extends TargetingOption, Params extends Whole>(
  table: OptionTable<Row>,
  matches: Matches<Row, Params>,
) {
  return (context: Context & Rejecting<never>, params: Params): Row[] =>
    table.rows.filter(matches(params, context)).slice(0, params.count);
}

/** A paginated lookup, in the order of the table. */
function paged<Row extends TargetingOption, Params extends Paged, Name extends ErrorName = never>(
  name: keyof Operations,
  table: OptionTable<Row>,
  matches: Matches<Row, Params, Name>,
) {
  const keyOf = ({ targeting_value }: Row) => `${targeting_value}`;
  return (context: Context & Rejecting<Name>, params: Params): Page<Row> =>
    pageOf(tablePage(name, table, keyOf, params, matches(params, context)), params.cursor);
}

/** Rejects a period that ends before it begins. */
function checkWindow(reject: Reject<'INVALID_TIME_WINDOW'>, start_time: string, end_time: string | undefined): void {
  if (end_time === undefined || end_time >= start_time) return;
  throw reject.error({
    error: 'INVALID_TIME_WINDOW',
    parameter: 'end_time',
    value: end_time,
    message: `Expected a time from start_time (${start_time}) on, got "${end_time}" for end_time`,
  });
}

const listEvents = paged(
  'events',
  events,
  (params: ParamsOf<Operations['events']>, { ads, reject }: Context & Rejecting<'INVALID_TIME_WINDOW'>) => {
    const { event_types, country_codes, start_time = ads.now(), end_time } = params;
    checkWindow(reject, start_time, end_time);
    return (event) =>
      event_types.includes(event.event_type) &&
      // Global events take place in each country too (our choice).
      (country_codes === undefined || event.country_code === null || country_codes.includes(event.country_code)) &&
      event.end_time >= start_time &&
      (end_time === undefined || event.start_time <= end_time);
  },
);

const listPlatforms = whole(platforms, named);

const listShows = paged('tv_shows', tvShows, ({ locale, q }: ParamsOf<Operations['tv_shows']>) => {
  const fits = named({ q });
  return (show) => show.locales.includes(locale) && fits(show);
});

/** The reach and the participants of events are not known yet. */
const unmeasured = {
  reach: { total_reach: null },
  top_users: [],
  top_posts: [],
  top_hashtags: [],
  country_breakdown_percentage: {},
  gender_breakdown_percentage: {},
  device_breakdown_percentage: {},
};

export const handlers: HandlersOf<Operations> = {
  app_store_categories: whole(appStoreCategories, (params: ParamsOf<Operations['app_store_categories']>) => {
    const { os_type } = params;
    const fits = named(params);
    return (category) => (os_type === undefined || category.os_type === os_type) && fits(category);
  }),

  conversations: paged(
    'conversations',
    conversations,
    ({ conversation_type }: ParamsOf<Operations['conversations']>) =>
      (topic) =>
        conversation_type === undefined || topic.conversation_type === conversation_type,
  ),

  devices: whole(devices, named),

  events(context, params) {
    const page = listEvents(context, params);
    return mapPage(page, (event) => ({ ...event, is_global: event.country_code === null, ...unmeasured }));
  },

  interests: paged('interests', interests, named),

  languages: paged('languages', languages, named),

  locations: paged('locations', locations, (params: ParamsOf<Operations['locations']>) => {
    const { country_code, location_type } = params;
    const fits = named(params);
    return (place) =>
      (country_code === undefined || place.country_code === country_code) &&
      (location_type === undefined || place.location_type === location_type) &&
      fits(place);
  }),

  network_operators: paged(
    'network_operators',
    networkOperators,
    (params: ParamsOf<Operations['network_operators']>) => {
      const fits = named(params);
      return (operator) => operator.country_code === params.country_code && fits(operator);
    },
  ),

  platform_versions: whole(platformVersions, named),

  platforms(context, params) {
    const { lang } = params;
    checkLanguage(context.reject, lang);
    const rows = listPlatforms(context, params);
    return lang === undefined ? rows : rows.map((row) => ({ ...row, ...localizedName(row, lang) }));
  },

  tv_markets() {
    return [...tvMarkets()];
  },

  tv_shows(context, params) {
    const page = listShows(context, params);
    return mapPage(page, ({ locales, ...show }) => ({
      ...show,
      locales: locales.map((locale) => ({ language: locale.slice(0, 2), country: locale.slice(3) })),
    }));
  },
};
