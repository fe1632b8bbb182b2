import fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { ContractOperation, OperationOf } from '../families.ts';
import type { OutcomeOf, Page } from '../index.ts';
import type { Campaign } from '../resources/campaigns/entity.ts';
import type { User } from '../resources/operator/users.ts';
import { type AppRouter, type ProceduresOf, wireTransformer } from './trpc.ts';

/** Returns the value that arrives at the other side. */
function sent(value: unknown): unknown {
  const text = JSON.stringify(wireTransformer.serialize(value));
  return text === undefined ? undefined : wireTransformer.deserialize(JSON.parse(text));
}

describe('the data transformer', () => {
  const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  const date = fc.date({ noInvalidDate: true });
  const name = fc.oneof(
    fc.string(),
    fc.constantFrom('$', '$bigint', '$date', '$x', '__proto__', 'constructor', 'toJSON'),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      fc.string(),
      fc.constantFrom('$bigint', '12', '2026-01-15T08:00:00.000Z'),
      fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Object.is(n, -0)),
      fc.boolean(),
      fc.constant(null),
      int64,
      date,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  }));

  test('carries any data exactly, whatever the caller names its members', () => {
    fc.assert(
      fc.property(value, (data) => {
        expect(sent(data)).toEqual(data);
      }),
      { numRuns: 2000 },
    );
  });

  test('changes nothing in data that JSON can carry, unless it looks like a tag', () => {
    const plain = { a: [1, 'two', { three: null }], $b: true, c: {} };
    expect(wireTransformer.serialize(plain)).toBe(plain);
    expect(wireTransformer.deserialize(plain)).toBe(plain);
  });

  test.each<[string, unknown, unknown]>([
    ['a bigint', 2n ** 53n + 1n, { $bigint: '9007199254740993' }],
    ['a negative bigint', -1n, { $bigint: '-1' }],
    ['a date', new Date(0), { $date: '1970-01-01T00:00:00.000Z' }],
    ['an object that looks like a tag', { $bigint: '1' }, { $: { $bigint: '1' } }],
    ['one that looks like a wrapped one', { $: { $bigint: '1' } }, { $: { $: { $: { $bigint: '1' } } } }],
    ['one that only looks like a tag in JSON', { $date: 'x', gone: undefined }, { $: { $date: 'x', gone: undefined } }],
    ['one with a second member', { $bigint: '1', other: 1 }, { $bigint: '1', other: 1 }],
  ])('%s', (_, data, wire) => {
    expect(wireTransformer.serialize(data)).toStrictEqual(wire);
  });

  test('no input stays no input', () => {
    expect(sent(undefined)).toBeUndefined();
  });

  test.each([
    ['not a number', Number.NaN],
    ['an infinite number', { amount: Number.POSITIVE_INFINITY }],
    ['a bigint of a thousand digits', 10n ** 1000n],
    ['an invalid date', new Date(Number.NaN)],
  ])('rejects %s instead of sending a substitute', (_, data) => {
    expect(() => wireTransformer.serialize(data)).toThrow(RangeError);
  });

  test.each([
    ['malformed digits', '{"$bigint":"0x10"}'],
    ['an empty number', '{"$bigint":""}'],
    ['a number without quotes', '{"$bigint":5}'],
    ['endless digits', `{"$bigint":"${'9'.repeat(100_000)}"}`],
    ['a malformed date', '{"$date":"yesterday"}'],
    ['an unknown tag', '{"$regexp":"(a+)+"}'],
    ['a wrapped text', '{"$":"x"}'],
    ['a number beyond the range of doubles', '{"count":1e999}'],
    ['endless nesting', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ])('rejects %s', (_, text) => {
    expect(() => wireTransformer.deserialize(JSON.parse(text))).toThrow(/^(?!Maximum call stack)/);
  });

  test('reads a member named __proto__ as a member', () => {
    const read = wireTransformer.deserialize(JSON.parse('{"__proto__":{"admin":true},"n":{"$bigint":"1"}}'));
    expect(read).not.toHaveProperty('admin');
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });
});

describe('the router type', () => {
  type Record = AppRouter['_def']['record'];

  test('has a query where nothing changes and a mutation otherwise', () => {
    expectTypeOf<Record['campaigns']['get']['_def']['type']>().toEqualTypeOf<'query'>();
    expectTypeOf<Record['campaigns']['create']['_def']['type']>().toEqualTypeOf<'mutation'>();
    expectTypeOf<Record['campaigns']['delete']['_def']['type']>().toEqualTypeOf<'mutation'>();
    expectTypeOf<Record['admin']['users']['list']['_def']['type']>().toEqualTypeOf<'query'>();
    expectTypeOf<Record['admin']['users']['create']['_def']['type']>().toEqualTypeOf<'mutation'>();
  });

  test('takes and returns the types of the contract', () => {
    type Types<P extends { _def: { $types: unknown } }> = P['_def']['$types'];
    expectTypeOf<Types<Record['campaigns']['get']>['output']>().toEqualTypeOf<Campaign>();
    expectTypeOf<Types<Record['campaigns']['list']>['output']>().toEqualTypeOf<Page<Campaign>>();
    expectTypeOf<Types<Record['campaigns']['batch']>['output']>().toEqualTypeOf<Campaign[]>();
    expectTypeOf<Types<Record['admin']['users']['list']>['output']>().toEqualTypeOf<Page<User>>();
    type Get = Types<Record['campaigns']['get']>['input'];
    expectTypeOf<Get>().toEqualTypeOf<{
      account_id: string;
      campaign_id: string;
      with_deleted?: boolean | 'true' | 'false' | undefined;
    }>();
  });

  test('allows the input to be omitted where nothing is required', () => {
    type List = Record['accounts']['list']['_def']['$types']['input'];
    type Get = Record['accounts']['get']['_def']['$types']['input'];
    expectTypeOf<undefined>().toExtend<List>();
    expectTypeOf<undefined>().not.toExtend<Get>();
  });

  test('has a procedure for each operation and nothing else', () => {
    type Leaves<Node, Path extends string = ''> = {
      [K in keyof Node & string]: Node[K] extends { procedure: true } | { _def: { procedure: true } }
        ? `${Path}${K}`
        : Leaves<Node[K], `${Path}${K}.`>;
    }[keyof Node & string];
    expectTypeOf<Leaves<Record>>().toEqualTypeOf<ContractOperation['id']>();
  });

  test('follows any tree of operations', () => {
    type Small = ProceduresOf<{ readonly a: { readonly b: OperationOf<'campaigns.get'> } }>;
    expectTypeOf<Small['a']['b']['_def']['$types']['output']>().toEqualTypeOf<
      OutcomeOf<OperationOf<'campaigns.get'>>
    >();
  });
});
