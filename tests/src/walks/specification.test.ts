/** The tables of specification C in literals: what the contract derives everything from, nothing else would miss. */
import { allOperations, wireTypeOf } from '@broadside/core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { about } from '../support/scenario.ts';

const page = 'count cursor sort_by with_deleted with_total_count';
const budgets = 'daily_budget_amount_local_micro total_budget_amount_local_micro';
const campaignFields = `budget_optimization ${budgets} entity_status purchase_order_number standard_delivery`;
/** Reference, campaign-management 9.2: what of a line item can be changed. */
const lineItemFields = `advertiser_domain advertiser_user_id android_app_store_identifier ios_app_store_identifier
  audience_expansion bid_amount_local_micro bid_strategy categories ${budgets} duration_in_days entity_status
  frequency_cap goal name pay_by`;

/** Method, path below the account, required parameters beside those of the path, optional ones. */
type Row = readonly [method: string, path: string, required: string, optional: string];

const rows: Readonly<Record<string, Row>> = {
  'accounts.list': ['GET', '/12/accounts', '', `account_ids q ${page}`],
  'accounts.get': ['GET', '/12/accounts/:account_id', '', 'with_deleted'],
  'accounts.create': ['POST', '/12/accounts', '', ''],
  'accounts.update': ['PUT', '/12/accounts/:account_id', '', 'name industry_type'],
  'accounts.delete': ['DELETE', '/12/accounts/:account_id', '', ''],
  'account_apps.list': ['GET', '/account_apps', '', page],
  'account_history.list': [
    'GET',
    '/account_history',
    'entity_type entity_id start_time end_time',
    'user_id count cursor',
  ],
  'authenticated_user_access.get': ['GET', '/authenticated_user_access', '', ''],
  'campaigns.list': ['GET', '/campaigns', '', `campaign_ids funding_instrument_ids q with_draft ${page}`],
  'campaigns.get': ['GET', '/campaigns/:campaign_id', '', 'with_deleted'],
  'campaigns.create': ['POST', '/campaigns', 'funding_instrument_id name', campaignFields],
  'campaigns.batch': ['POST', '/12/batch/accounts/:account_id/campaigns', 'operations', ''],
  'campaigns.update': ['PUT', '/campaigns/:campaign_id', '', `name ${campaignFields}`],
  'campaigns.delete': ['DELETE', '/campaigns/:campaign_id', '', ''],
  'line_item_curated_categories.list': ['GET', '/line_item_curated_categories', '', page],
  'line_item_curated_categories.get': [
    'GET',
    '/line_item_curated_categories/:line_item_curated_category_id',
    '',
    'with_deleted',
  ],
  'line_item_curated_categories.create': [
    'POST',
    '/line_item_curated_categories',
    'curated_category_id line_item_id',
    '',
  ],
  'line_item_curated_categories.update': [
    'PUT',
    '/line_item_curated_categories/:line_item_curated_category_id',
    '',
    'curated_category_id line_item_id',
  ],
  'line_item_curated_categories.delete': [
    'DELETE',
    '/line_item_curated_categories/:line_item_curated_category_id',
    '',
    '',
  ],
  'features.list': ['GET', '/features', '', 'feature_keys'],
  'features.add': ['POST', '/features', 'feature_keys', ''],
  'features.remove': ['DELETE', '/features', 'feature_keys', ''],
  'funding_instruments.list': ['GET', '/funding_instruments', '', `funding_instrument_ids ${page}`],
  'funding_instruments.get': ['GET', '/funding_instruments/:funding_instrument_id', '', 'with_deleted'],
  'funding_instruments.create': [
    'POST',
    '/funding_instruments',
    'currency start_time type',
    'end_time credit_limit_local_micro funded_amount_local_micro',
  ],
  'funding_instruments.delete': ['DELETE', '/funding_instruments/:funding_instrument_id', '', ''],
  'line_items.list': [
    'GET',
    '/line_items',
    '',
    `campaign_ids funding_instrument_ids line_item_ids q with_draft ${page}`,
  ],
  'line_items.get': ['GET', '/line_items/:line_item_id', '', 'with_deleted'],
  'line_items.create': [
    'POST',
    '/line_items',
    'campaign_id start_time end_time objective placements product_type',
    `${lineItemFields} primary_web_event_tag standard_delivery`,
  ],
  'line_items.batch': ['POST', '/12/batch/accounts/:account_id/line_items', 'operations', ''],
  'line_items.update': ['PUT', '/line_items/:line_item_id', '', `${lineItemFields} start_time end_time`],
  'line_items.delete': ['DELETE', '/line_items/:line_item_id', '', ''],
  'media_creatives.list': ['GET', '/media_creatives', '', `campaign_id line_item_ids media_creative_ids ${page}`],
  'media_creatives.get': ['GET', '/media_creatives/:media_creative_id', '', 'with_deleted'],
  'media_creatives.create': ['POST', '/media_creatives', 'account_media_id line_item_id', 'landing_url'],
  'media_creatives.delete': ['DELETE', '/media_creatives/:media_creative_id', '', ''],
  'promoted_accounts.list': ['GET', '/promoted_accounts', '', `line_item_ids promoted_account_ids ${page}`],
  'promoted_accounts.get': ['GET', '/promoted_accounts/:promoted_account_id', '', 'with_deleted'],
  'promoted_accounts.create': ['POST', '/promoted_accounts', 'line_item_id user_id', ''],
  'promoted_accounts.delete': ['DELETE', '/promoted_accounts/:promoted_account_id', '', ''],
  'promoted_posts.list': ['GET', '/promoted_posts', '', `line_item_ids promoted_post_ids ${page}`],
  'promoted_posts.get': ['GET', '/promoted_posts/:promoted_post_id', '', 'with_deleted'],
  'promoted_posts.create': ['POST', '/promoted_posts', 'line_item_id post_ids', ''],
  'promoted_posts.delete': ['DELETE', '/promoted_posts/:promoted_post_id', '', ''],
  'promotable_users.list': ['GET', '/promotable_users', '', `promotable_user_ids ${page}`],
  'promotable_users.get': ['GET', '/promotable_users/:promotable_user_id', '', 'with_deleted'],
};

/** Families whose rows stand above. */
const families = new Set(Object.keys(rows).map((id) => id.split('.')[0]));
// Placements belong to line items by their path alone; they are a lookup.
const described = allOperations.filter(({ id }) => families.has(id.split('.')[0]) && id !== 'line_items.placements');

const words = (text: string) => text.split(/\s+/).filter((word) => word !== '');

function wholeRow([method, path, required, optional]: Row) {
  const whole = path.startsWith('/12/') ? path : `/12/accounts/:account_id${path}`;
  const inPath = [...whole.matchAll(/:(\w+)/g)].flatMap(([, name]) => name ?? []);
  return {
    route: `${method} ${whole}`,
    required: [...inPath, ...words(required)].sort(),
    optional: words(optional).sort(),
  };
}

function namesOf(shape: Readonly<Record<string, z.core.$ZodType>>) {
  const isRequired = (name: string) => !z.safeParse(z.instanceof(z.ZodType).parse(shape[name]), undefined).success;
  const names = Object.keys(shape).sort();
  return { required: names.filter(isRequired), optional: names.filter((name) => !isRequired(name)) };
}

test(about('C-ENDPOINTS'), () => {
  const stated = described.map(({ id, http, params }) => [
    id,
    { route: `${http.method} ${http.path}`, ...namesOf(params.shape) },
  ]);
  const expected = Object.entries(rows).map(([id, row]) => [id, wholeRow(row)]);
  expect(Object.fromEntries(stated)).toEqual(Object.fromEntries(expected));
});

test.for(['campaign', 'line_item'])(`${about('C-ENDPOINTS-BATCH')}: %s`, (entity) => {
  const id = `${entity}s.batch`;
  const items = described.find((operation) => operation.id === id)?.batch;
  for (const [type, verb] of [
    ['Create', 'create'],
    ['Update', 'update'],
    ['Delete', 'delete'],
  ] as const) {
    const row = rows[`${entity}s.${verb}`];
    if (!row) throw new TypeError(`there is no row for ${verb}`);
    const { required, optional } = wholeRow(row);
    const shape = items?.[type]?.shape ?? {};
    expect(namesOf(shape), type).toEqual({ required: required.filter((name) => name !== 'account_id'), optional });
  }
  expect(items?.max).toBe(40);
});

// Reference, conventions 4. Campaigns of version 12 have no times, so these two of its attributes are missing.
const sortable: Readonly<Record<string, string>> = {
  'accounts.list': 'created_at updated_at deleted name',
  'funding_instruments.list': 'created_at updated_at deleted funded_amount_local_micro start_time end_time',
  'campaigns.list': `created_at updated_at deleted name ${budgets} standard_delivery`,
  'line_items.list': 'created_at updated_at deleted bid_amount_local_micro',
  'promoted_accounts.list': 'created_at updated_at deleted paused',
  'promoted_posts.list': 'created_at updated_at deleted paused',
  'promotable_users.list': 'created_at updated_at',
  'media_creatives.list': 'created_at updated_at',
  'account_apps.list': 'created_at updated_at',
  'line_item_curated_categories.list': 'created_at updated_at',
};

test(about('C-SORTABLE'), () => {
  for (const { id, params } of described) {
    const field = params.shape['sort_by'];
    const orders = field ? wireTypeOf(z.instanceof(z.ZodType).parse(field))?.values : [];
    const expected = words(sortable[id] ?? '').flatMap((name) => [`${name}-asc`, `${name}-desc`]);
    expect(new Set(orders), id).toEqual(new Set(expected));
  }
});
