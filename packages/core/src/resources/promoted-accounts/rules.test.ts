import { describe, expect, it } from 'vitest';
import type { ProductType } from '../line-items/entity.ts';
import { checkPromotedAccount, checkPromotedAccountFilter } from './rules.ts';

const items = (...types: ProductType[]) => types.map((product_type, i) => ({ id: `li${i}`, product_type }));

describe('a list of promoted accounts', () => {
  it.each<[ProductType[], boolean]>([
    [[], true],
    [['PROMOTED_ACCOUNT'], true],
    [['PROMOTED_POSTS', 'PROMOTED_ACCOUNT'], true],
    [['PROMOTED_POSTS'], false],
    [['PROMOTED_POSTS', 'MEDIA'], false],
  ])('of line items of %j is answered: %s', (types, answered) => {
    const issues = checkPromotedAccountFilter(items(...types));
    expect(issues.map(({ error, parameter }) => `${error} ${parameter}`)).toEqual(
      answered ? [] : ['INCOMPATIBLE_LINE_ITEM line_item_ids'],
    );
  });
});

describe('a user', () => {
  it.each<[string, ProductType, string, string | null, string[]]>([
    ['FULL', 'PROMOTED_ACCOUNT', '10', '10', []],
    ['another', 'PROMOTED_ACCOUNT', '20', '10', ['INVALID_USER user_id']],
    ['of an account without FULL user', 'PROMOTED_ACCOUNT', '10', null, ['INVALID_USER user_id']],
    ['FULL', 'PROMOTED_POSTS', '10', '10', ['INCOMPATIBLE_LINE_ITEM line_item_id']],
    ['another', 'MEDIA', '20', '10', ['INCOMPATIBLE_LINE_ITEM line_item_id', 'INVALID_USER user_id']],
  ])('%s on a line item of %s', (_who, product_type, user_id, full, expected) => {
    const issues = checkPromotedAccount({ id: 'li', product_type }, user_id, full);
    expect(issues.map(({ error, parameter }) => `${error} ${parameter}`)).toEqual(expected);
  });
});
