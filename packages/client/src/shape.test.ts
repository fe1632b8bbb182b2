/** Decoding by the thin contract equals decoding by the schemas, for every value that a response can contain. */
import {
  type AnyOperation,
  allAuthOperations,
  allDataOperations,
  allOperations,
  allUploadOperations,
  wireTypeOf,
} from '@broadside/core';
import { type ThinShapes, thin } from '@broadside/core/thin';
import { thinAuth } from '@broadside/core/thin/auth';
import { describe, expect, test } from 'vitest';
import { readValue } from './shape.ts';
import { elementOf, membersOf, readBySchema, type Schema, unwrapped } from './testing/schema-reader.ts';

/** Returns a value of a schema with all members that it can have. */
function sampleOf(schema: Schema): unknown {
  const bare = unwrapped(schema);
  const fields = membersOf(bare);
  if (fields) return Object.fromEntries(fields.map(([name, member]) => [name, sampleOf(member)]));
  const element = elementOf(bare);
  if (element) return [sampleOf(element)];
  const type = wireTypeOf(bare);
  const [first = '1'] = type?.values ?? [];
  switch (type?.kind) {
    case 'boolean':
      return true;
    case 'int':
    case 'long':
      return 5;
    case 'decimal':
      return 0.5;
    case 'time':
    case 'instant':
      return '2026-01-15T08:00:00Z';
    case 'list':
      return [first];
    case 'members':
      return { any: 'thing' };
    case 'items':
      return [{ any: 'thing' }];
    default:
      return first;
  }
}

/** Replacements for a valid value. */
const replacements: readonly unknown[] = [
  undefined,
  null,
  '',
  'x',
  'A_NEW_WORD',
  '5',
  '-5',
  '0.5',
  'true',
  'one,two,one',
  '2026-01-15T10:00:00+02:00',
  '2026-01-15T08:00:00.123Z',
  '2026-01-15',
  0,
  5,
  -5,
  1.5,
  2 ** 53,
  9_007_199_254_740_993n,
  true,
  false,
  [],
  ['one', 'two', 'one'],
  ['5'],
  [5],
  [null],
  [{}],
  {},
  { any: 5n },
];

/** Yields a value with one part replaced, for each part and each replacement. */
function* variants(value: unknown): Generator<unknown> {
  yield* replacements;
  if (Array.isArray(value)) {
    for (const varied of variants(value[0])) yield [varied];
  } else if (typeof value === 'object' && value !== null) {
    yield { ...value, added_later: { colour: 'blue' } };
    for (const [name, member] of Object.entries(value)) {
      for (const varied of variants(member)) yield { ...value, [name]: varied };
    }
  }
}

function outcomeOf(read: () => unknown): unknown {
  try {
    return { value: read() };
  } catch (error) {
    return String(error);
  }
}

function compare(shapes: ThinShapes, type: string | undefined, schema: Schema): number {
  let count = 0;
  for (const value of variants(sampleOf(schema))) {
    const thinly = outcomeOf(() => readValue(shapes, type ?? '', value, 'data'));
    const fully = outcomeOf(() => readBySchema(schema, value, 'data'));
    count++;
    if (!Object.is(JSON.stringify(thinly, show), JSON.stringify(fully, show)))
      expect({ value, outcome: thinly }).toEqual({ value, outcome: fully });
  }
  return count;
}

function show(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}

const called: readonly AnyOperation[] = [...allOperations, ...allDataOperations, ...allUploadOperations];

describe('values of responses are decoded by their schemas', () => {
  test.each(called.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
    const found = thin.operations.find((one) => one.id === id);
    expect(compare(thin.shapes, found?.data, operation.data)).toBeGreaterThan(20);
  });

  // Member by member: a whole has too many variants.
  test.each(allDataOperations.map((operation) => [operation.id, operation] as const))(
    'includes of %s',
    (id, operation) => {
      const found = thin.operations.find((one) => one.id === id);
      const shape = found?.kind === 'data' ? thin.shapes[Number(found.includes)] : undefined;
      for (const [name, schema] of membersOf(operation.includes) ?? []) {
        expect(compare(thin.shapes, shape?.[name], schema)).toBeGreaterThan(20);
      }
    },
  );

  test.each(allAuthOperations.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
    expect(compare(thinAuth.shapes, thinAuth.operations[id]?.data, operation.data)).toBeGreaterThan(20);
  });
});
