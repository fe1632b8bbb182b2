import * as z from 'zod';
import { defineOperation } from '../../operation/define.ts';
import { account_id, listExclusive, listParams, with_deleted } from '../../operation/list.ts';
import { id } from '../../wire/types.ts';
import { line_item_id } from '../line-items/params.ts';
import { LineItemCuratedCategory } from './entity.ts';

const line_item_curated_category_id = LineItemCuratedCategory.shape.id;
const curated_category_id = id().describe('The curated category; the line item must target a country of it.');

const example = {
  id: 'yav',
  line_item_id: 'bw2rt',
  curated_category_id: '9ddrgesiap6o',
  created_at: '2026-01-15T08:00:00Z',
  updated_at: '2026-01-15T08:00:00Z',
  deleted: false,
} as const;

const list = defineOperation({
  id: 'line_item_curated_categories.list',
  summary: 'List the curated categories of line items',
  http: { method: 'GET', path: '/12/accounts/:account_id/line_item_curated_categories' },
  access: { auth: 'user', capability: 'campaigns.read' },
  rateLimit: 'ads.core_read',
  envelope: 'list',
  params: z.object({ ...listParams(['created_at', 'updated_at']) }),
  exclusive: listExclusive,
  data: LineItemCuratedCategory,
  errors: ['ACCOUNT_DELETED'],
  example: { params: { account_id: '18ce54d4x5t' }, data: example },
});

const get = defineOperation({
  id: 'line_item_curated_categories.get',
  summary: 'Get one curated category of a line item',
  http: {
    method: 'GET',
    path: '/12/accounts/:account_id/line_item_curated_categories/:line_item_curated_category_id',
  },
  access: { auth: 'user', capability: 'campaigns.read' },
  rateLimit: 'ads.core_read',
  envelope: 'entity',
  params: z.object({ account_id, line_item_curated_category_id, with_deleted }),
  data: LineItemCuratedCategory,
  errors: ['ACCOUNT_DELETED', 'NOT_FOUND'],
  example: { params: { account_id: '18ce54d4x5t', line_item_curated_category_id: 'yav' }, data: example },
});

const create = defineOperation({
  id: 'line_item_curated_categories.create',
  summary: 'Give a line item a curated category',
  description:
    'A line item has one curated category, and none beside content categories. It must target a country of the category by location first.',
  http: { method: 'POST', path: '/12/accounts/:account_id/line_item_curated_categories' },
  access: { auth: 'user', capability: 'campaigns.write' },
  rateLimit: 'ads.write',
  envelope: 'entity',
  params: z.object({ account_id, curated_category_id, line_item_id }),
  data: LineItemCuratedCategory,
  errors: ['ACCOUNT_DELETED', 'INCOMPATIBLE_LINE_ITEM', 'LINE_ITEM_NOT_FOUND', 'NOT_FOUND'],
  example: {
    params: { account_id: '18ce54d4x5t', curated_category_id: '9ddrgesiap6o', line_item_id: 'bw2rt' },
    data: example,
  },
});

const update = defineOperation({
  id: 'line_item_curated_categories.update',
  summary: 'Change the curated category of a line item, or its line item',
  description: 'Only the parameters given change; what holds for creating holds for the result.',
  http: {
    method: 'PUT',
    path: '/12/accounts/:account_id/line_item_curated_categories/:line_item_curated_category_id',
  },
  access: { auth: 'user', capability: 'campaigns.write' },
  rateLimit: 'ads.write',
  envelope: 'entity',
  params: z.object({
    account_id,
    line_item_curated_category_id,
    curated_category_id: curated_category_id.optional(),
    line_item_id: line_item_id.optional(),
  }),
  data: LineItemCuratedCategory,
  errors: ['ACCOUNT_DELETED', 'INCOMPATIBLE_LINE_ITEM', 'LINE_ITEM_NOT_FOUND', 'NOT_FOUND'],
  example: {
    params: {
      account_id: '18ce54d4x5t',
      line_item_curated_category_id: 'yav',
      curated_category_id: '9ddrgesiap6o',
    },
    data: example,
  },
});

const remove = defineOperation({
  id: 'line_item_curated_categories.delete',
  summary: 'Take the curated category from a line item',
  http: {
    method: 'DELETE',
    path: '/12/accounts/:account_id/line_item_curated_categories/:line_item_curated_category_id',
  },
  access: { auth: 'user', capability: 'campaigns.write' },
  rateLimit: 'ads.write',
  envelope: 'entity',
  params: z.object({ account_id, line_item_curated_category_id }),
  data: LineItemCuratedCategory,
  errors: ['ACCOUNT_DELETED', 'NOT_FOUND'],
  example: {
    params: { account_id: '18ce54d4x5t', line_item_curated_category_id: 'yav' },
    data: { ...example, deleted: true },
  },
});

export const operations = { list, get, create, update, delete: remove };

export const position = 110;
