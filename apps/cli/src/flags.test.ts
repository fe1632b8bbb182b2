import { describe, expect, test } from 'vitest';
import { UsageError } from './errors.ts';
import type { Flag } from './flag.ts';
import { parseFlags } from './flags.ts';

const flag = (name: string, kind: Flag['kind'], more: Partial<Flag> = {}): Flag => ({
  name,
  kind,
  hint: 'value',
  description: '',
  ...more,
});

const flags = [
  flag('account-id', 'text'),
  flag('name', 'text'),
  flag('sort-by', 'list'),
  flag('callback-urls', 'list', { separate: true }),
  flag('with-deleted', 'boolean', { negatable: true }),
  flag('json', 'boolean'),
  flag('include', 'boolean', { short: 'i' }),
];

function read(...argv: string[]) {
  const { words, flags: values } = parseFlags(argv, flags, 'x --help');
  const given = flags.flatMap(({ name }) => (values.has(name) ? [[name, values.text(name)] as const] : []));
  return { words, ...Object.fromEntries(given) };
}

test('values that have a flag each keep their commas', () => {
  const argv = ['--callback-urls', 'http://a.test/?b=1,2', '--callback_urls=http://c.test'];
  const { flags: values } = parseFlags(argv, flags, 'x --help');
  expect(values.all('callback-urls')).toEqual(['http://a.test/?b=1,2', 'http://c.test']);
  expect(values.all('sort-by')).toBeUndefined();
});

describe('flags', () => {
  test.each<[string[], object]>([
    [['--account-id', 'abc'], { 'account-id': 'abc' }],
    [['--account-id=abc'], { 'account-id': 'abc' }],
    [['--account_id', 'abc'], { 'account-id': 'abc' }],
    [['--account_id=a=b'], { 'account-id': 'a=b' }],
    [['--name', ''], { name: '' }],
    [['--name='], { name: '' }],
    [['--name', '-5'], { name: '-5' }],
    [['--name', '--unknown-but-a-value'], { name: '--unknown-but-a-value' }],
    [['--name=--json'], { name: '--json' }],
    [['--sort-by', 'a,b', '--sort_by', 'c'], { 'sort-by': 'a,b,c' }],
    [['--with-deleted'], { 'with-deleted': 'true' }],
    [['--no-with-deleted'], { 'with-deleted': 'false' }],
    [['--with-deleted=false'], { 'with-deleted': 'false' }],
    [['--with-deleted', 'false', 'word'], { 'with-deleted': 'false', words: ['word'] }],
    [['--with-deleted', 'word'], { 'with-deleted': 'true', words: ['word'] }],
    [['one', '--json', 'two', '--', '--name'], { json: 'true', words: ['one', 'two', '--name'] }],
    [['-i'], { include: 'true' }],
    [['--name', 'x', '--name', 'x'], { name: 'x' }],
  ])('%j', (argv, expected) => {
    expect(read(...argv)).toEqual({ words: [], ...expected });
  });

  test.each([
    [['--nmae', 'x'], 'There is no flag --nmae here; did you mean --name?'],
    [['--zzzzz'], 'There is no flag --zzzzz here'],
    [['-x'], 'There is no flag -x here'],
    [['--no-json'], 'There is no flag --no-json here'],
    [['--name'], '--name needs a value: --name <value>'],
    [['--name', '--json'], '--name needs a value before --json'],
    [['--with-deleted=maybe'], '--with-deleted is true or false, not "maybe"'],
    [['--no-with-deleted=true'], '--no-with-deleted takes no value'],
    [
      ['--callback-urls', 'http://a.test,http://b.test'],
      '--callback-urls takes one value; for several give the flag again',
    ],
    [['--name', 'a', '--name', 'b'], '--name is given twice, with different values'],
  ])('%j is rejected', (argv, message) => {
    expect(() => read(...argv)).toThrow(UsageError);
    expect(() => read(...argv)).toThrow(message);
  });
});
