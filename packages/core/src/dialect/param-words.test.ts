/** What each switch of tolerance accepts, and that none is accepted without it. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { int, list, oneOf, text } from '../wire/types.ts';
import { Dialect, dialectOperations } from './dialect.ts';
import { DialectFile, type Tolerance } from './format.ts';
import { type Params, ParamWords } from './param-words.ts';
import { Translation } from './translation.ts';
import { Vocabulary } from './vocabulary.ts';

const file = (tolerance: Partial<Tolerance> = {}) =>
  DialectFile.parse({
    name: 'example',
    description: 'For tests.',
    names: { tweet_id: 'post_id', tweet_image: 'post_image' },
    values: { PROMOTED_TWEETS: 'PROMOTED_POSTS' },
    accepted: { piece_id: 'post_id' },
    tolerance,
  });

const schema = z.object({
  post_id: text().optional(),
  count: int({ min: 1, max: 1000 }).optional(),
  size: int({ min: 1, max: 10 }).optional(),
  kinds: list(oneOf(['PROMOTED_POSTS', 'MEDIA']), { max: 5 }).optional(),
  media_category: oneOf(['post_image', 'dm_image']).optional(),
  other_category: oneOf(['post_image', 'dm_image']).optional(),
});
/** What an update may restate beside its parameters: lists as the entity has them. */
const entity = z.object({
  media_keys: z.array(text()).nullable(),
  parts: z.array(z.object({ a: text() })),
  kind: oneOf(['PROMOTED_POSTS', 'MEDIA']),
});

type Pair = readonly [name: string, value: unknown];

/** The parameters of pairs in their order; the name of one that was given before. */
function read(tolerance: Partial<Tolerance>, pairs: readonly Pair[], path?: Readonly<Record<string, string>>) {
  const translation = new Translation(new Vocabulary(file()), []);
  const words = new ParamWords(schema, translation, file(tolerance).tolerance, entity);
  const params: Params = { ...path };
  const again = pairs.filter(([name, value]) => !words.add(params, name, value, path)).map(([name]) => name);
  return again.length > 0 ? again : params;
}

const path = { post_id: '7' };

test.for<[keyof Tolerance, readonly Pair[], object, object, Record<string, string>?]>([
  [
    'repeated_names',
    [
      ['kinds', 'PROMOTED_TWEETS'],
      ['kinds', 'MEDIA'],
    ],
    { kinds: 'PROMOTED_POSTS,MEDIA' },
    ['kinds'],
  ],
  [
    'repeated_names',
    [
      ['media_keys', '3_1'],
      ['media_keys', '3_2'],
      ['media_keys', '3_3'],
    ],
    { media_keys: '3_1,3_2,3_3' },
    ['media_keys', 'media_keys'],
  ],
  ['repeated_path_parameters', [['tweet_id', '7']], path, ['tweet_id'], path],
  ['repeated_path_parameters', [['piece_id', 7]], path, ['piece_id'], path],
  ['large_counts', [['count', '5000']], { count: '1000' }, { count: '5000' }],
  ['large_counts', [['count', 5000n.toString()]], { count: '1000' }, { count: '5000' }],
  [
    'undocumented_list_parameters',
    [
      ['sort_by', 'a'],
      ['with_deleted', 'b'],
    ],
    {},
    { sort_by: 'a', with_deleted: 'b' },
  ],
  [
    'upload_categories',
    [['media_category', 'PostImage']],
    { media_category: 'post_image' },
    { media_category: 'PostImage' },
  ],
  [
    'upload_categories',
    [['media_category', 'TWEET_IMAGE']],
    { media_category: 'post_image' },
    { media_category: 'TWEET_IMAGE' },
  ],
  [
    'upload_categories',
    [['media_category', 'tweetimage']],
    { media_category: 'post_image' },
    { media_category: 'tweetimage' },
  ],
])('with and without %s: %j', ([name, pairs, tolerant, strict, given]) => {
  expect(read({ [name]: true }, pairs, given)).toEqual(tolerant);
  const others = Object.keys(file().tolerance).filter((other) => other !== name);
  expect(read(Object.fromEntries(others.map((other) => [other, true])), pairs, given)).toEqual(strict);
  expect(read({}, pairs, given)).toEqual(strict);
});

describe('all switches leave as it is', () => {
  const all = Object.fromEntries(Object.keys(file().tolerance).map((name) => [name, true]));

  test.for<[string, readonly Pair[], object, Record<string, string>?]>([
    [
      'a text that is given twice',
      [
        ['post_id', '1'],
        ['tweet_id', '2'],
      ],
      ['tweet_id'],
    ],
    [
      'a list of objects that is given twice',
      [
        ['parts', '1'],
        ['parts', '2'],
      ],
      ['parts'],
    ],
    [
      'a list that is given as JSON and as text',
      [
        ['kinds', ['MEDIA']],
        ['kinds', 'MEDIA'],
      ],
      ['kinds'],
    ],
    ['a parameter of the path with another value', [['tweet_id', '8']], ['tweet_id'], path],
    ['a number that is no count', [['size', '11']], { size: '11' }],
    ['a count that is none', [['count', '1e9']], { count: '1e9' }],
    ['a value that is no category of an upload', [['other_category', 'PostImage']], { other_category: 'PostImage' }],
    ['a category that is none', [['media_category', 'nix']], { media_category: 'nix' }],
    ['a name that nobody knows', [['nix', 'a']], { nix: 'a' }],
  ])('%s', ([, pairs, expected, given]) => {
    expect(read(all, pairs, given)).toEqual(expected);
  });
});

test('`sort_by` of a list that has it is read', () => {
  const list = dialectOperations.find(({ id }) => id === 'campaigns.list');
  if (!list) throw new TypeError('campaigns are listed');
  const params: Params = {};
  const dialect = new Dialect(file({ undocumented_list_parameters: true }));
  expect(dialect.of(list).add(params, 'sort_by', 'name-asc', {})).toBe(true);
  expect(params).toEqual({ sort_by: 'name-asc' });
});

describe('items of a batch', () => {
  const batch = dialectOperations.find(({ id }) => id === 'line_items.batch');
  const items = (operation_type: string, params: object, tolerance: Partial<Tolerance> = { to_delete: true }) => {
    if (!batch) throw new TypeError('line items have a batch');
    return new Dialect(file(tolerance)).of(batch).items([{ operation_type, params }]);
  };

  test('say whether they delete, which must be so', () => {
    expect(items('Delete', { to_delete: 'true' })).toEqual([{ operation_type: 'Delete', params: {} }]);
    expect(items('Update', { to_delete: 'False' })).toEqual([{ operation_type: 'Update', params: {} }]);
    for (const [type, to_delete, tolerance] of [
      ['Delete', 'false', undefined],
      ['Update', true, undefined],
      ['Delete', 'true', {}],
    ] as const) {
      const params = { to_delete };
      expect(items(type, params, tolerance)).toEqual([{ operation_type: type, params }]);
    }
  });

  test('restate values of the entity in words of the dialect, but for one that is made', () => {
    const params = { product_type: 'PROMOTED_TWEETS', creative_source: 'PROMOTED_TWEETS' };
    const read = { ...params, product_type: 'PROMOTED_POSTS' };
    for (const type of ['Create', 'Update', 'Delete']) {
      expect(items(type, params)).toEqual([{ operation_type: type, params: read }]);
    }
  });
});

test('orders have the name of their attribute, and keep their direction', () => {
  const list = dialectOperations.find(({ id }) => id === 'campaigns.list');
  if (!list) throw new TypeError('campaigns are listed');
  const dialect = new Dialect(DialectFile.parse({ name: 'a', description: 'b', names: { title: 'name' } })).of(list);
  const params: Params = {};
  dialect.add(params, 'sort_by', 'title-desc', {});
  expect(params).toEqual({ sort_by: 'name-desc' });
  expect(dialect.echo({ sort_by: ['name-desc'] })).toEqual({ sort_by: ['title-desc'] });
});

test('an update restates values of its entity in words of the dialect, and another operation has none to restate', () => {
  const read = (id: string) => {
    const found = dialectOperations.find((operation) => operation.id === id);
    if (!found) throw new TypeError(`there is no ${id}`);
    const params: Params = {};
    new Dialect(file()).of(found).add(params, 'product_type', 'PROMOTED_TWEETS', {});
    return params;
  };
  expect(read('line_items.update')).toEqual({ product_type: 'PROMOTED_POSTS' });
  expect(read('line_items.delete')).toEqual({ product_type: 'PROMOTED_TWEETS' });
});
