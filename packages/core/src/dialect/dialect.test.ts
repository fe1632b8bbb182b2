/** Properties of dialects, over all schemas of the contract. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { openapiDocument } from '../derive/openapi.ts';
import { resultOf } from '../steps.ts';
import { parseJson, stringifyJson } from '../wire/json.ts';
import { serializerOf } from '../wire/serialize.ts';
import { dialectOperations } from './dialect.ts';
import { type Texts, valuesOf } from './testing/arbitrary.ts';
import { same, shippedWords, twitter } from './testing/twitter.ts';
import { type PathOperation, paramSchemas, visitOperation } from './words.ts';

const { names, values } = shippedWords();
const ours = [...Object.values(names), ...Object.values(values)];

/** Texts that are words of the interface: where a text is free, they stay. */
const wordy: Texts = {
  texts: fc.oneof(fc.constantFrom(...ours), fc.string()),
  names: fc.constantFrom('id', 'name', ...Object.values(names)),
};

/** Texts that are none. */
const plain: Texts = { texts: fc.string({ unit: fc.constantFrom('a', '"', 'é', ' ') }), names: wordy.names };

const schemas = new Map<z.ZodType, PathOperation>();
for (const operation of dialectOperations) {
  if (!('data' in operation) || operation.envelope === 'nothing') continue;
  if (!schemas.has(operation.data)) schemas.set(operation.data, operation);
  if (operation.kind === 'data') schemas.set(operation.includes, operation);
}
const cases = [...schemas].map(([schema, operation]) => [operation.id, operation, schema] as const);

const RUNS = { numRuns: 12 };

describe('answers', () => {
  test.each(cases)(
    'of %s are written in the same words byte by byte as without a dialect',
    (_id, operation, schema) => {
      const [own, dialect] = [serializerOf(schema), same.of(operation).serializer(schema)];
      fc.assert(
        fc.property(valuesOf(schema, wordy), (value) => {
          expect(dialect(value)).toBe(own(value));
        }),
        RUNS,
      );
    },
  );

  test.each(cases)('of %s are the same again when they are read back', (_id, operation, schema) => {
    const [own, dialect] = [serializerOf(schema), twitter.of(operation).serializer(schema)];
    fc.assert(
      fc.property(valuesOf(schema, wordy), (value) => {
        expect(twitter.readLoose(parseJson(dialect(value)))).toEqual(parseJson(own(value)));
      }),
      RUNS,
    );
  });

  test.each(cases)('of %s hold no word of the interface that has another form', (_id, operation, schema) => {
    const dialect = twitter.of(operation).serializer(schema);
    fc.assert(
      fc.property(valuesOf(schema, plain), (value) => {
        expect(wordsIn(parseJson(dialect(value))).filter((word) => ours.includes(word))).toEqual([]);
      }),
      RUNS,
    );
  });
});

test.each(dialectOperations.map((operation) => [operation.id, operation] as const))(
  'parameters of %s are the same again when they are read back',
  (_id, operation) => {
    const dialect = twitter.of(operation);
    const [schema = z.object({})] = paramSchemas(operation);
    fc.assert(
      fc.property(valuesOf(schema, wordy), (params) => {
        const shown = Object.entries(Object(dialect.echo(params)));
        const read: Record<string, unknown> = {};
        for (const [name, value] of shown) expect(dialect.add(read, name, value, {})).toBe(true);
        expect(read).toEqual(params);
        // As text, as in a query: lists are separated by commas.
        for (const [name, value] of shown) {
          if (typeof value !== 'string') continue;
          const again: Record<string, unknown> = {};
          dialect.add(again, name, value, {});
          expect(Object.values(again)).toEqual([read[dialect.nameOf(name)]]);
        }
      }),
      RUNS,
    );
  },
);

test('what the contract has with "post" or "platform" in it has another form, or stands in both vocabularies', () => {
  const both = new Set([
    'PLATFORM',
    'PLATFORM_VERSION',
    'POSTAL_CODES',
    'VIDEO_GAME_PLATFORMS',
    'entities.note.mentions.username',
    'platform',
    'posted',
    'poster_media_key',
    'poster_media_url',
    'video_poster_height',
    'video_poster_url',
    'video_poster_width',
  ]);
  const words = new Set<string>();
  for (const operation of dialectOperations) {
    visitOperation(operation, (name, ofName) => {
      for (const word of [name, ...ofName]) if (/post|platform/i.test(word)) words.add(word);
    });
  }
  const { vocabulary } = twitter;
  const left = [...words].filter((word) => vocabulary.nameOut(word) === word && vocabulary.valueOut(word) === word);
  expect(left.filter((word) => !both.has(word))).toEqual([]);
});

test.each(['production', undefined] as const)('the document of %s has no other words', (environment) => {
  const own = openapiDocument({ environment, serverUrl: 'https://example.com', version: '1' });
  expect(stringifyJson(resultOf(same.documentInSteps(own)))).toBe(stringifyJson(own));
  const document = parseJson(stringifyJson(resultOf(twitter.documentInSteps(own))));
  // A method of HTTP is a key of a path.
  const left = wordsIn(document).filter((word) => word !== 'post' && ours.includes(word));
  expect(left).toEqual([]);
  expect(wordsIn(document)).toEqual(
    expect.arrayContaining(environment ? ['tweet_id', 'PROMOTED_TWEETS'] : ['tweet.fields']),
  );
});

/** The keys and the texts of a value. */
function wordsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(wordsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...wordsIn(member)]);
}
