import { account_id, cursor, listExclusive, with_total_count } from '../../operation/list.ts';
import { defineAccountRead } from '../../operation/on-account.ts';
import { object } from '../../wire/object.ts';
import { countryCode, list } from '../../wire/types.ts';
import { CuratedCategory } from './entity.ts';

const MAX_COUNTRIES = 200;

/** A curated category for examples. */
export const exampleCuratedCategory = {
  id: '9ddrgesiap6o',
  name: 'Soccer',
  description: 'Clubs, leagues and those who write about them.',
  country_codes: ['US'],
  publisher_user_ids: ['1503831318555086849', '1503831318555086852'],
  videos_monetized_in_last_thirty_days: 421,
  created_at: '2026-01-15T08:00:00Z',
  updated_at: '2026-01-15T08:00:00Z',
} as const;

export const operations = {
  list: defineAccountRead('curated_categories.list', '/12/accounts/:account_id/curated_categories', {
    summary: 'List the curated categories that line items can have',
    description: 'A page holds up to 200. `total_count` is always there, the number of matches on all pages.',
    capability: 'account.read',
    envelope: 'list',
    // Our choice: the filter `country_codes` is optional, and the total count can be requested though it is always given.
    params: object(() => ({
      account_id,
      country_codes: list(countryCode(), { max: MAX_COUNTRIES })
        .optional()
        .describe(`Only categories that are available in one of these countries: up to ${MAX_COUNTRIES} codes.`),
      cursor,
      with_total_count: with_total_count.describe('Changes nothing: `total_count` is there without it.'),
    })),
    exclusive: listExclusive,
    data: CuratedCategory,
    example: { params: { country_codes: ['US'] }, data: exampleCuratedCategory },
  }),
  get: defineAccountRead('curated_categories.get', '/12/accounts/:account_id/curated_categories/:curated_category_id', {
    summary: 'Get one curated category',
    capability: 'account.read',
    envelope: 'entity',
    params: object(() => ({ account_id, curated_category_id: CuratedCategory.shape.id })),
    echo: ({ curated_category_id, ...sent }) =>
      curated_category_id === undefined ? sent : { ...sent, id: curated_category_id },
    data: CuratedCategory,
    errors: ['NOT_FOUND'],
    example: {
      params: { curated_category_id: exampleCuratedCategory.id },
      data: exampleCuratedCategory,
    },
  }),
};

export const position = 160;
