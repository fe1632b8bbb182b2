import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { valueSchema } from '../derive/json-schema.ts';
import { fieldsOfAny, membersOf } from '../operation/fields.ts';
import { ShapeCollector } from '../thin/shapes.ts';
import { serializerOf } from './serialize.ts';
import { long, oneOf, text } from './types.ts';
import { anyOf, variantsOf } from './variants.ts';

const Cat = z.object({ name: text(), kind: oneOf(['CAT', 'KITTEN']), mice: text() });
const Dog = z.object({ name: text(), kind: oneOf(['DOG']), bones: text().optional() });
const Pet = anyOf('kind', [Cat, Dog]);

const tom = { name: 'Tom', kind: 'CAT', mice: 'many', bones: 'none', secret: 1 };
const rex = { name: 'Rex', kind: 'DOG', mice: 'none', bones: 'many', secret: 1 };

describe('a union', () => {
  test('writes each value by the schema of its kind', () => {
    expect(serializerOf(z.array(Pet))([tom, rex])).toBe(
      '[{"name":"Tom","kind":"CAT","mice":"many"},{"name":"Rex","kind":"DOG","bones":"many"}]',
    );
  });

  test('rejects a value of no kind', () => {
    for (const wrong of [{ ...tom, kind: 'COW' }, { name: 'Tom' }, null, 'CAT']) {
      expect(() => serializerOf(Pet)(wrong)).toThrow('has no kind of its schema');
    }
  });

  test('is a choice in documents', () => {
    expect(valueSchema(Pet, 'answer')).toEqual({ oneOf: [valueSchema(Cat, 'answer'), valueSchema(Dog, 'answer')] });
  });

  test('has the members of all kinds, each once', () => {
    expect(fieldsOfAny([Cat, Dog]).map(([name]) => name)).toEqual(['name', 'kind', 'mice', 'bones']);
    expect(membersOf(Pet)).toEqual({ isList: false, fields: fieldsOfAny([Cat, Dog]) });
    expect(membersOf(z.array(Pet).optional())).toEqual({ isList: true, fields: fieldsOfAny([Cat, Dog]) });
  });

  test('is passed through by clients, so no kind may have a number', () => {
    expect(new ShapeCollector().typeOf(Pet, 'pets.get: data')).toBe('members');
    const Counted = anyOf('kind', [Cat, z.object({ kind: oneOf(['HERD']), count: long() })]);
    expect(() => new ShapeCollector().typeOf(Counted, 'pets.get: data')).toThrow('pets.get: data.count is long');
  });

  test('is none where a word is of two kinds, or a kind has no word', () => {
    const kindOf = (union: z.ZodType) => () => variantsOf(union)?.of(tom);
    expect(kindOf(anyOf('kind', [Cat, z.object({ kind: oneOf(['KITTEN']) })]))).toThrow('two schemas have kind KITTEN');
    expect(kindOf(anyOf('name', [Cat, Dog]))).toThrow('name is not an enumeration in each schema');
    expect(variantsOf(Cat)).toBeUndefined();
  });
});
