import {
  type AnyOperation,
  allDataOperations,
  allOperations,
  allOperatorOperations,
  dataContract,
  JsonText,
  rememberJson,
  stringifyJson,
  wireTypeOf,
} from '@broadside/core';
import { wireTransformer } from '@broadside/core/trpc';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { resultWriterOf } from './result-text.ts';
import { outcomeProjectorOf } from './testing/project.ts';

/** The text that tRPC's own way sends: the members of the contract as values, marked, as JSON. */
function expected(operation: AnyOperation, value: unknown): string | undefined {
  return JSON.stringify(wireTransformer.serialize(outcomeProjectorOf(operation)(value)));
}

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const anything = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.string(),
    fc.constantFrom('$bigint', ',1234567890123456789', '"$date"', '🦆é'),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Object.is(n, -0)),
    fc.boolean(),
    fc.constant(null),
    int64,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'id', '$', '$bigint', '$x'), tie('value'), {
      maxKeys: 2,
      noNullPrototype: true,
    }),
  ),
})).value;

/** An object with members of the contract that are no objects of it, each of which is anything, and with others. */
function memberValues({ data }: AnyOperation): fc.Arbitrary<Record<string, unknown>> {
  const shape = data instanceof z.ZodObject ? Object.entries(data.shape) : [];
  const names = shape.flatMap(([name, member]) =>
    member instanceof z.ZodType && wireTypeOf(member) !== undefined ? [name] : [],
  );
  return fc.dictionary(fc.constantFrom('hidden', 'password_hash', ...names), anything, { noNullPrototype: true });
}

/** A result of a handler, made of such values. */
function outcomes(operation: AnyOperation): fc.Arbitrary<unknown> {
  const one = memberValues(operation);
  switch (operation.envelope) {
    case 'list':
      return fc.record(
        { data: fc.array(one, { maxLength: 3 }), next_cursor: fc.option(fc.string()), total_count: fc.nat() },
        { requiredKeys: ['data', 'next_cursor'] },
      );
    case 'values':
    case 'batch':
      return fc.array(one, { maxLength: 3 });
    default:
      return one;
  }
}

const operations: readonly AnyOperation[] = [...allOperations, ...allOperatorOperations].filter(
  // Kinds of a variant have members of their own: see the examples.
  ({ data }) => 'shape' in data,
);

describe('the text of a result', () => {
  test('is what the projected and transformed value is as JSON, whatever its members hold', () => {
    for (const operation of operations) {
      fc.assert(
        fc.property(outcomes(operation), (value) => {
          expect(resultWriterOf(operation)(value)).toBe(expected(operation, value));
        }),
        { numRuns: 10 },
      );
    }
  });

  test('is that of the example of every operation', () => {
    for (const operation of [...allOperations, ...allOperatorOperations]) {
      const { data } = operation.example;
      const value =
        operation.envelope === 'list'
          ? { data: [data], next_cursor: null }
          : operation.envelope === 'values' || operation.envelope === 'batch'
            ? [data]
            : data;
      expect(resultWriterOf(operation)(value)).toBe(expected(operation, value));
    }
    expect(allDataOperations).toHaveLength(1);
  });

  test('passes stored JSON on, with marks where they are needed', () => {
    const { lookup } = dataContract.posts;
    const write = resultWriterOf(lookup);
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('id', 'text', 'lang'), anything), (post) => {
        const stored = new JsonText(stringifyJson({ id: '1503831318555086849', ...post }));
        const result = { data: [stored], includes: { posts: [stored] }, problems: [], baseUrl: '' };
        const given: unknown = JSON.parse(write(result) ?? '');
        expect(wireTransformer.deserialize(given)).toEqual(
          wireTransformer.deserialize(JSON.parse(expected(lookup, result) ?? '')),
        );
      }),
    );
    const plain = '{"id":"1503831318555086849","text":"$5 for 12345678901234567890"}';
    const result = { data: [new JsonText(plain)], includes: {}, problems: [], baseUrl: '' };
    expect(write(result)).toBe(`{"data":[${plain}]}`);
  });

  test('is remembered for an object that is, beside its JSON', () => {
    const operation = allOperations.find(({ id }) => id === 'campaigns.get');
    if (!operation) throw new TypeError('there is campaigns.get');
    let read = 0;
    const campaign = {
      get id() {
        read++;
        return 'a';
      },
    };
    rememberJson(campaign);
    const write = resultWriterOf(operation);
    expect([write(campaign), write(campaign)]).toEqual(['{"id":"a"}', '{"id":"a"}']);
    expect(read).toBe(1);
  });

  test('is no text for a number that JSON cannot represent', () => {
    const operation = operations.find(({ id }) => id === 'campaigns.get');
    if (!operation) throw new TypeError('there is campaigns.get');
    expect(() => resultWriterOf(operation)({ id: Number.NaN })).toThrow(RangeError);
  });
});
