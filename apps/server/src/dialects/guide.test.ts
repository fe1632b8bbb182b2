/** The guide documents each member of the format, and its example is a dialect. */
import { readFileSync } from 'node:fs';
import { Dialect, DialectFile } from '@broadside/core/dialect';
import { expect, test } from 'vitest';
import { readDialectFile } from './read-file.ts';

const guide = readFileSync(new URL('../../../../docs/guides/dialects.md', import.meta.url), 'utf8');
const [, example = ''] = /```yaml\n(.*?)```/s.exec(guide) ?? [];
const documented = Array.from(guide.matchAll(/^\| `(\w+)` *\|/gm), ([, name]) => name).filter(
  (name) => !name?.startsWith('BROADSIDE_'),
);

test('each member and each switch has a row, and there are no others', () => {
  const { tolerance } = DialectFile.parse({ name: 'a', description: 'b' });
  const members = Object.keys(DialectFile.shape);
  expect(documented.toSorted()).toEqual([...members, ...Object.keys(tolerance)].toSorted());
});

test('the example is a dialect, and means what the guide says', () => {
  const file = readDialectFile(example, 'example.yaml');
  expect(Object.keys(file).toSorted()).toEqual(Object.keys(DialectFile.shape).toSorted());
  const dialect = new Dialect(file);
  expect(dialect.pathOf('/11/accounts/a/promoted_pieces')).toBe('/12/accounts/a/promoted_posts');
  expect(dialect.pathOf('/12/adverts/a/8wku2')).toBe('/12/accounts/a/promoted_posts/8wku2');
  expect(dialect.vocabulary.nameIn('advert_ids')).toBe('promoted_post_ids');
});

test('the mistake in the guide is reported as it says', () => {
  const wrong = example.replace(/^hosts:\n.*\n/m, '').replace('piece_id: post_id', 'piece_id: pots_id');
  const [, said = ''] = /broadside: (\.\/example\.yaml:.*)/.exec(guide) ?? [];
  const [, message = ''] = /^\S+ (.*)$/.exec(said) ?? [];
  expect(() => readDialectFile(wrong, './example.yaml')).toThrow(message);
});
