/** Specification C, lookups, bidding rules and curated categories. */
import { operator, type Requirement, store, typed, wire } from './requirement.ts';

export const lookups = {
  'C-LOOKUP-BUSINESS': {
    clause: 'C Lookups without parameters, advertiser_business_categories',
    text: 'there are 16 kinds of business, each with the IAB categories that name it',
    on: 'every adapter',
  },
  'C-LOOKUP-CONTENT': {
    clause: 'C Lookups without parameters, content_categories',
    text: 'there are 15 kinds of content, each with the IAB categories that target it',
    on: 'every adapter',
  },
  'C-LOOKUP-IAB': {
    clause: 'C Lookups without parameters, iab_categories; R campaign-management 12',
    text: 'the taxonomy has 392 categories, in its order, page by page, counted when asked for',
    on: 'every adapter',
  },
  'C-LOOKUP-IAB-CURSOR': {
    clause: 'A conventions 4; C Lookups without parameters, iab_categories',
    text: 'a cursor of another list, or one beside with_total_count, is refused',
    on: 'every adapter',
  },
  'C-LOOKUP-PUBLISHERS': {
    clause: 'C Lookups without parameters, publishers; R campaign-management 12',
    text: 'publishers come page by page, in the order in which they became publishers, under their present names',
    on: 'every adapter',
  },
  'C-LOOKUP-PLACEMENTS': {
    clause: 'C Lookups without parameters, placements',
    text: 'every valid combination of placements is listed, for all products or for one',
    on: 'every adapter',
  },
  'C-LOOKUP-PLACEMENTS-VALID': {
    clause: 'C Lookups without parameters, placements; C Line item create parameters, placements',
    text: 'a line item takes the combinations that are listed for its product, and no other',
    on: store,
  },
  'C-LOOKUP-ENVELOPES': {
    clause: 'R conventions 1, irregular envelopes',
    text: 'each lookup has the members beside data that belong to it, and no others',
    on: wire,
  },
  'C-LOOKUP-RATE': {
    clause: 'R conventions 9, reads without account_id',
    text: 'each lookup without an account answers 5 times in 15 minutes',
    on: wire,
  },
  'C-BIDDING-RULES': {
    clause: 'C Bidding rules; R campaign-management 17',
    text: 'every currency that accounts are funded in has a rule, and can be asked for alone',
    on: 'every adapter',
  },
  'C-BIDDING-RULES-HOLD': {
    clause: 'C Limits, bid_amount_local_micro',
    text: 'a bid is taken or refused as the rule of its currency says',
    on: store,
  },
  'C-CURATED-LIST': {
    clause: 'C Curated categories, GET; R campaign-management 11',
    text: 'the list holds what is available in one of the countries asked for, or all, with all members',
    on: 'every adapter',
  },
  'C-CURATED-TOTAL': {
    clause: 'C Curated categories, GET; R conventions 1',
    text: 'total_count is there on every page, asked for or not',
    on: 'every adapter',
  },
  'C-CURATED-COUNTRIES': {
    clause: 'C Curated categories, country_codes; R campaign-management 11',
    text: 'up to 200 country codes of two capital letters are taken',
    on: typed,
  },
  'C-CURATED-GET': {
    clause: 'C Curated categories, GET one',
    text: 'one category is found by its id, and an unknown or deleted one is not',
    on: 'every adapter',
  },
  'C-CURATED-ECHO': {
    clause: 'R conventions 2, irregular echoes',
    text: 'the echo calls the id of a curated category `id`',
    on: wire,
  },
  'C-CATALOGUE-APART': {
    clause: 'A conventions 8',
    text: 'publishers and curated categories of one environment are not those of the other',
    on: wire,
  },
  'C-CATALOGUE-OPERATOR': {
    clause: '5 What must work',
    text: 'the operator keeps publishers and curated categories, of users, countries and content categories that exist',
    on: operator,
  },
} as const satisfies Record<string, Requirement>;
