import { exampleSystemMembers } from '../../operation/entity.ts';
import { createOf, defineFamily, deleteOf, getOf, listOf, updateOf } from '../../operation/family.ts';
import { account_id } from '../../operation/list.ts';
import { object } from '../../wire/object.ts';
import { id } from '../../wire/types.ts';
import { line_item_id } from '../line-items/params.ts';
import { LineItemCuratedCategory, line_item_curated_category_id } from './entity.ts';

const curated_category_id = id().describe('The curated category; the line item must target a country of it.');

const category = defineFamily({
  data: LineItemCuratedCategory,
  key: { line_item_curated_category_id },
  missing: 'NOT_FOUND',
  read: 'campaigns.read',
  write: 'campaigns.write',
  sortable: ['created_at', 'updated_at'],
  example: {
    id: 'yav',
    line_item_id: 'bw2rt',
    curated_category_id: '9ddrgesiap6o',
    ...exampleSystemMembers,
  },
});

export const operations = {
  list: listOf(category, 'line_item_curated_categories.list', '/12/accounts/:account_id/line_item_curated_categories', {
    summary: 'List the curated categories of line items',
  }),
  get: getOf(
    category,
    'line_item_curated_categories.get',
    '/12/accounts/:account_id/line_item_curated_categories/:line_item_curated_category_id',
    {
      summary: 'Get one curated category of a line item',
    },
  ),
  create: createOf(
    category,
    'line_item_curated_categories.create',
    '/12/accounts/:account_id/line_item_curated_categories',
    {
      summary: 'Give a line item a curated category',
      description:
        'A line item has one curated category, and none beside content categories. It must target a country of the category by location first.',
      params: object(() => ({ account_id, curated_category_id, line_item_id })),
      errors: ['INCOMPATIBLE_LINE_ITEM', 'LINE_ITEM_NOT_FOUND', 'NOT_FOUND'],
      example: { curated_category_id: '9ddrgesiap6o', line_item_id: 'bw2rt' },
    },
  ),
  update: updateOf(
    category,
    'line_item_curated_categories.update',
    '/12/accounts/:account_id/line_item_curated_categories/:line_item_curated_category_id',
    {
      summary: 'Change the curated category of a line item, or its line item',
      description: 'Only the parameters given change; what holds for creating holds for the result.',
      params: object(() => ({
        account_id,
        line_item_curated_category_id,
        curated_category_id: curated_category_id.optional(),
        line_item_id: line_item_id.optional(),
      })),
      errors: ['INCOMPATIBLE_LINE_ITEM', 'LINE_ITEM_NOT_FOUND', 'NOT_FOUND'],
      example: { curated_category_id: '9ddrgesiap6o' },
    },
  ),
  delete: deleteOf(
    category,
    'line_item_curated_categories.delete',
    '/12/accounts/:account_id/line_item_curated_categories/:line_item_curated_category_id',
    {
      summary: 'Take the curated category from a line item',
    },
  ),
};

export const position = 110;
