/** Values of the schemas of the contract, for properties that hold for all of them. */
import fc from 'fast-check';
import * as z from 'zod';
import { fieldsOf, isRequired } from '../../operation/fields.ts';
import { innerType, type WireType, wireTypeOf } from '../../wire/types.ts';
import { variantsOf } from '../../wire/variants.ts';

/** Texts that a value can hold where its schema does not say which, and names that an object can have whose members it does not name. */
export interface Texts {
  readonly texts: fc.Arbitrary<string>;
  readonly names: fc.Arbitrary<string>;
}

/** Returns the values of a schema. */
export function valuesOf(schema: z.ZodType, given: Texts): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodNullable) {
    const inner = innerType(schema);
    return inner ? fc.option(valuesOf(inner, given), { nil: null }) : fc.constant(null);
  }
  const inner = innerType(schema);
  if (inner) return valuesOf(inner, given);
  if (schema instanceof z.ZodObject) {
    const fields = fieldsOf(schema);
    const requiredKeys = fields.filter(([, field]) => isRequired(field)).map(([name]) => name);
    return fc.record(Object.fromEntries(fields.map(([name, field]) => [name, valuesOf(field, given)])), {
      requiredKeys,
      noNullPrototype: true,
    });
  }
  const variants = variantsOf(schema);
  if (variants) return fc.oneof(...variants.schemas.map((one) => valuesOf(one, given)));
  if (schema instanceof z.ZodArray && schema.element instanceof z.ZodType) {
    return fc.array(valuesOf(schema.element, given), { maxLength: 3 });
  }
  const type = wireTypeOf(schema);
  return type ? wireValues(type, given) : given.texts;
}

function wireValues(type: WireType, given: Texts): fc.Arbitrary<unknown> {
  const { kind, values, item } = type;
  switch (kind) {
    case 'list':
      return fc.array(item ? wireValues(item, given) : given.texts, { maxLength: 3 });
    case 'enum':
      return fc.constantFrom(...(values ?? ['']));
    case 'long':
      return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    case 'int':
      return fc.integer();
    case 'decimal':
      return fc.integer().map((whole) => whole / 8);
    case 'boolean':
      return fc.boolean();
    case 'members':
      return fc.dictionary(given.names, fc.oneof(given.texts, fc.array(fc.dictionary(given.names, given.texts))), {
        maxKeys: 4,
        noNullPrototype: true,
      });
    case 'items':
      return fc.array(fc.dictionary(given.names, given.texts, { noNullPrototype: true }), { maxLength: 3 });
    default:
      return values ? fc.constantFrom(...values) : given.texts;
  }
}
