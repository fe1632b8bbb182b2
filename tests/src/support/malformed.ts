/** Values that a wire type must reject, derived from the contract's description of the type. */
import type { Operation } from '@broadside/core';
import { type WireType, wireTypeOf } from '@broadside/core';
import { z } from 'zod';

/** A parameter of an operation, as the contract knows it. */
export interface Parameter {
  readonly name: string;
  readonly schema: z.ZodType;
  readonly type: WireType;
  readonly required: boolean;
}

/** The parameters of a schema that have a wire type; the `operations` of a batch have none. */
export function parametersOf(schema: z.ZodObject): Parameter[] {
  return Object.entries(schema.shape).flatMap(([name, field]) => {
    const known = z.instanceof(z.ZodType).parse(field);
    const type = wireTypeOf(known);
    return type ? [{ name, schema: known, type, required: !known.safeParse(undefined).success }] : [];
  });
}

/** Returns the parameters of an operation that are not in its path. */
export function sentParameters(operation: Operation): Parameter[] {
  return parametersOf(operation.params).filter(({ name }) => !operation.http.path.includes(`/:${name}`));
}

const Facts = z.object({
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  maxItems: z.number().optional(),
  pattern: z.string().optional(),
  items: z.looseObject({}).optional(),
});

/** Returns texts that are not values of the type, as in a query or form. */
export function malformedTexts(type: WireType): string[] {
  const facts = Facts.parse(type.json);
  // An empty value unsets what can be removed (specification A, shared conventions 6).
  const empty = type.removable || facts.minLength === 0 ? [] : [''];
  switch (type.kind) {
    case 'text':
      return [
        ...empty,
        'a\0b',
        'a'.repeat((facts.maxLength ?? 19) + 1),
        ...(facts.pattern === undefined ? [] : ['not this, surely!']),
      ];
    case 'long':
    case 'int':
      return [
        ...empty,
        'x',
        '1.5',
        '1e3',
        '0x10',
        ' 1',
        '+1',
        '1,2',
        '9223372036854775808',
        '-9223372036854775809',
        '99999999999999999999999999',
        ...(facts.minimum === undefined ? [] : [String(facts.minimum - 1)]),
        // A bound beyond 2^53 is not exact in JSON Schema; the largest integers are tested above.
        ...(facts.maximum === undefined || facts.maximum > 2 ** 53 ? [] : [String(facts.maximum + 1)]),
      ];
    case 'decimal':
      return [...empty, 'x', '1,2', 'NaN', 'Infinity'];
    case 'boolean':
      return [...empty, 'yes', '2', 'TRUE', 'true '];
    case 'instant':
      return [...empty, 'yesterday', '1767225600', '2026-13-01T00:00:00.000Z'];
    case 'time':
      return [
        ...empty,
        'yesterday',
        '2026-02-30',
        '2026-13-01',
        '2026-01-01T24:00:00Z',
        '2026-01-01 10:00',
        '1767225600',
      ];
    case 'enum':
      return [...empty, 'NO_SUCH_VALUE', inOtherLetters(type.values?.[0] ?? '-'), `${type.values?.[0]},`];
    case 'members':
      return ['x', '[]'];
    case 'items':
      return [...empty, 'x', '{}'];
    case 'list':
      return [
        ...empty,
        ',',
        Array.from({ length: (facts.maxItems ?? 0) + 1 }, (_, i) => type.values?.[0] ?? `a${i}`).join(','),
        ...(type.values ? ['NO_SUCH_VALUE', `${type.values[0]},NO_SUCH_VALUE`] : ['a\0b']),
      ];
  }
}

function inOtherLetters(word: string): string {
  const small = word.toLowerCase();
  return small === word ? word.toUpperCase() : small;
}

/** Returns JSON values that are not values of the type. */
export function malformedJson(type: WireType): unknown[] {
  const none: unknown[] = [{}, { toString: 'x' }, [[]], ...(type.removable ? [] : [null])];
  switch (type.kind) {
    case 'text':
    case 'time':
    case 'instant':
    case 'enum':
      return [...none, true, 1.5, []];
    case 'decimal':
      return [...none, true, []];
    case 'boolean':
      return [...none, 0, 1, []];
    case 'long':
    case 'int':
      return [...none, true, 1.5, 1e300, 2n ** 63n, 2n ** 70n, []];
    case 'members':
      return ['x', true, 7, [], null];
    case 'items':
      return ['x', true, 7, [], {}, [{}], null];
    case 'list':
      return [...none, true, 7, [null], [{}]];
  }
}
