/** Reference, targeting 5: lookups of targeting options. */
import type { OperationRows } from '../support/operation-row.ts';
import { type Requirements, typed, wire } from '../support/requirement.ts';

export const requirements: Requirements = {
  'T-LOOKUP-ROWS': {
    clause: 'R targeting 5, row fields and sample rows',
    text: 'each lookup gives the rows that the reference knows',
    on: 'every adapter',
  },
  'T-LOOKUP-ENVELOPE': {
    clause: 'R conventions 1, targeting option lookups',
    text: 'next_cursor is there only where a cursor is offered, data_type where the reference has it',
    on: wire,
  },
  'T-LOOKUP-Q': {
    clause: 'R targeting 5',
    text: 'names are found by a part of them, in any case, with accents or without, those of places in English too',
    on: 'every adapter',
  },
  'T-LOOKUP-FILTERS': {
    clause: 'R targeting 5, parameters',
    text: 'rows are chosen by store, kind, country, market',
    on: 'every adapter',
  },
  'T-LOOKUP-COUNT': {
    clause: 'R targeting 5, parameters',
    text: 'a lookup gives as many rows as asked for, TV shows up to 50',
    on: 'every adapter',
  },
  'T-LOOKUP-BOUNDS': {
    clause: 'R targeting 5, parameters',
    text: 'a count out of bounds, a word that is none and a missing parameter are refused',
    on: typed,
  },
  'T-LOOKUP-PAGES': {
    clause: 'R targeting 5, cursor',
    text: 'following the cursors of a lookup gives each row once, whatever the filters',
    on: 'every adapter',
  },
  'T-LOOKUP-CURSOR': {
    clause: 'R targeting 5, cursor',
    text: 'a cursor of another lookup, or no cursor at all, is refused',
    on: 'every adapter',
  },
  'T-LOOKUP-TARGETS': {
    clause: 'R targeting 3 and 5',
    text: 'what a lookup offers can be targeted under the name that it gives',
    on: 'every adapter',
  },
  'T-EVENTS-TIME': {
    clause: 'R targeting 5, events',
    text: 'events are those that go on or lie ahead, from now or from the time given',
    on: 'every adapter',
  },
  'T-OPERATORS-US': {
    clause: 'R targeting 5, network_operators',
    text: 'network operators are those of the United States unless another country is named',
    on: 'every adapter',
  },
  'T-PLATFORM-LANG': {
    clause: 'R targeting 5, platforms',
    text: 'platforms are named in another language on demand',
    on: 'every adapter',
  },
  'T-TV-ECHO': {
    clause: 'R targeting 5, tv_shows echo',
    text: 'the market is echoed as countryCode and languageCode',
    on: wire,
  },
  'T-LOOKUP-RATE': {
    clause: 'R conventions 9',
    text: 'the lookups share 400 requests in 15 minutes; those of television have 2,000 each',
    on: wire,
  },
};

export const operations: OperationRows = {
  'targeting_options.app_store_categories': {
    route: 'GET /12/targeting_criteria/app_store_categories',
    optional: 'q os_type',
  },
  'targeting_options.conversations': {
    route: 'GET /12/targeting_criteria/conversations',
    optional: 'conversation_type count cursor',
  },
  'targeting_options.devices': { route: 'GET /12/targeting_criteria/devices', optional: 'count q' },
  'targeting_options.events': {
    route: 'GET /12/targeting_criteria/events',
    required: 'event_types',
    optional: 'country_codes start_time end_time count cursor',
  },
  'targeting_options.interests': { route: 'GET /12/targeting_criteria/interests', optional: 'count cursor q' },
  'targeting_options.languages': { route: 'GET /12/targeting_criteria/languages', optional: 'count cursor q' },
  'targeting_options.locations': {
    route: 'GET /12/targeting_criteria/locations',
    optional: 'count cursor country_code location_type q',
  },
  'targeting_options.network_operators': {
    route: 'GET /12/targeting_criteria/network_operators',
    optional: 'count country_code cursor q',
  },
  'targeting_options.platform_versions': { route: 'GET /12/targeting_criteria/platform_versions', optional: 'q' },
  'targeting_options.platforms': { route: 'GET /12/targeting_criteria/platforms', optional: 'count q lang' },
  'targeting_options.tv_markets': { route: 'GET /12/targeting_criteria/tv_markets' },
  'targeting_options.tv_shows': {
    route: 'GET /12/targeting_criteria/tv_shows',
    required: 'locale',
    optional: 'count cursor q',
  },
};
