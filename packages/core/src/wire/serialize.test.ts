import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { Campaign } from '../resources/campaigns/entity.ts';
import { INT64_MAX, parseJson } from './json.ts';
import { serializerOf } from './serialize.ts';
import { boolean, id, int, list, long, oneOf, text } from './types.ts';

const Nested = z.object({ inner: text() });
const Entity = z.object({
  id: id(),
  note: text().nullable().optional(),
  amount: long().nullable(),
  count: int(),
  flag: boolean(),
  tags: list(oneOf(['a', 'b']), { min: 0, max: 2 }),
  nested: Nested.optional(),
});

describe('serializers', () => {
  test('an entity is written with its members in the order of the contract, and nothing else', () => {
    const row = {
      secret: 'x',
      flag: true,
      id: 'q',
      amount: INT64_MAX,
      note: null,
      count: 2,
      tags: ['a', 'b'],
      seq: 5n,
    };
    expect(serializerOf(Entity)(row)).toBe(
      '{"id":"q","note":null,"amount":9223372036854775807,"count":2,"flag":true,"tags":["a","b"]}',
    );
  });

  test('members of a nested entity are reduced to the contract too', () => {
    const row = { id: 'q', amount: null, count: 0, flag: false, tags: [], nested: { inner: 'i', outer: 'o' } };
    expect(serializerOf(Entity)(row)).toBe(
      '{"id":"q","amount":null,"count":0,"flag":false,"tags":[],"nested":{"inner":"i"}}',
    );
  });

  test('any text is preserved, including quotes, control characters and astral characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.bigInt({ min: -INT64_MAX, max: INT64_MAX }), (name, amount) => {
        const written = serializerOf(Entity)({ id: name, amount, count: 1, flag: false, tags: [] });
        const read = parseJson(written);
        expect(read).toMatchObject({ id: name.toWellFormed() === name ? name : expect.any(String) });
        expect(written).toContain(`"amount":${amount}`);
      }),
    );
  });

  test('the serializer of a campaign writes every member that the contract names', () => {
    const names = Object.keys(Campaign.shape);
    const row = Object.fromEntries(names.map((name) => [name, null]));
    expect(Object.keys(Object(parseJson(serializerOf(Campaign)(row))))).toEqual(names);
  });
});
