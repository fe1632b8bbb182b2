import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { errorsOf } from '../../errors/operation-errors.ts';
import type { Operation } from '../../operation/operation.ts';
import { boolean, int, oneOf, text } from '../../wire/types.ts';
import { documentOf, only, operation } from './testing/small-operation.ts';

describe('a response', () => {
  const answer = (changes: Partial<Operation>) => {
    const responses = only(operation(changes))['responses'];
    return (responses as Record<string, { content: Record<string, unknown> }>)['200']?.content['application/json'];
  };
  const data = { $ref: '#/components/schemas/SmallThing' };

  test.each<[string, Partial<Operation>, object]>([
    ['an entity', {}, { schema: { properties: { data } } }],
    ['values', { envelope: 'values' }, { schema: { properties: { data: { type: 'array', items: data } } } }],
    [
      'a message',
      { envelope: 'message', data: z.object({ message: text() }) },
      { schema: { properties: { request: {}, message: { type: 'string' } }, required: ['request', 'message'] } },
    ],
    [
      'a page',
      { envelope: 'list' },
      {
        schema: {
          properties: { data: { items: data }, next_cursor: { type: ['string', 'null'] } },
          required: ['request', 'data', 'next_cursor'],
        },
      },
    ],
    [
      'a page of a list that counts',
      { envelope: 'list', params: z.object({ with_total_count: boolean() }) },
      { schema: { properties: { next_cursor: {}, total_count: { type: 'integer' } } } },
    ],
    [
      'single values',
      { envelope: 'values', data: oneOf(['A']) },
      { schema: { properties: { data: { items: { enum: ['A'] } } } } },
    ],
  ])('with %s', (_, changes, expected) => {
    expect(answer(changes)).toMatchObject(expected);
  });

  test('documents a total count only where it can be requested', () => {
    expect(answer({ envelope: 'list' })).not.toHaveProperty('schema.properties.total_count');
  });

  test('has the entity as a named schema', () => {
    const schemas = documentOf(operation()).components.schemas;
    expect(schemas['SmallThing']).toEqual({
      type: 'object',
      properties: {
        id: { type: 'string', minLength: 1, maxLength: 255, description: 'The thing.' },
        amount: { type: ['integer', 'null'], format: 'int64', minimum: 1 },
        kind: { anyOf: [{ type: 'string', enum: ['A', 'B'] }, { type: 'null' }] },
        inner: { type: ['object', 'null'], properties: { a: { type: 'integer' } }, required: ['a'] },
        many: { type: 'array', items: { type: 'object', properties: { b: { type: 'boolean' } }, required: ['b'] } },
      },
      required: ['id', 'amount', 'inner', 'many'],
    });
  });

  test('keeps the digits of an example past 2^53', () => {
    expect(answer({})).toMatchObject({
      example: { data: { amount: 2n ** 60n }, request: { params: { thing_id: 'x' } } },
    });
  });

  test('gives two entities of a resource different names', () => {
    const other = z.object({ other: int() });
    const more = operation({
      id: 'small_things.stats',
      http: { method: 'GET', path: '/stats' },
      params: z.object({}),
      data: other,
      example: { params: {}, data: { other: 1 } },
    });
    const names = Object.keys(documentOf(operation(), more).components.schemas);
    expect(names).toEqual([
      ...['Diagnosis', 'EchoedRequest', 'Error', 'ErrorCode', 'ErrorNumber', 'Errors'],
      ...['SmallThing', 'SmallThingsStatsResult'],
    ]);
  });

  /** The headers of each response: the number that is always present, and the number that can be absent. */
  const headersOf = (made: Operation) =>
    Object.entries(only(made)['responses'] as Record<string, { headers: Record<string, object> }>).map(
      ([status, { headers }]) => {
        const [always = [], sometimes = []] = [false, true].map((can) =>
          Object.values(headers).filter((header) => 'description' in header === can),
        );
        return [status, always.length, sometimes.length];
      },
    );

  test('names the version and the request, and documents the rate limits wherever a request is or can be counted', () => {
    const made = operation({ access: { auth: 'user', capability: 'account.read' }, rateLimit: 'ads.core_read' });
    expect(headersOf(made)).toEqual([
      ['200', 8, 0],
      ['400', 2, 6],
      ['401', 2, 0],
      ['403', 2, 6],
      ['404', 8, 0],
      ['408', 2, 0],
      ['413', 2, 0],
      ['429', 9, 0],
      ['500', 2, 6],
      ['503', 3, 6],
    ]);
  });

  test('can lack the limits of the account where all matches can be counted', () => {
    const made = operation({
      access: { auth: 'user', capability: 'account.read' },
      rateLimit: 'ads.core_read',
      params: z.object({ with_total_count: boolean().optional() }),
      example: { params: {}, data: { id: 'x' } },
    });
    expect(headersOf(made)).toContainEqual(['200', 5, 3]);
    expect(only(made)).toMatchObject({
      responses: {
        200: {
          headers: {
            'x-account-rate-limit-limit': {
              description: 'Requests that the account has in a window. Absent where `with_total_count` is true.',
            },
          },
        },
      },
    });
  });
});

describe('errors', () => {
  test('are grouped by status, by their codes on the wire', () => {
    const made = only(operation({ errors: ['CAMPAIGN_NOT_FOUND', 'ACCOUNT_DELETED'] }));
    expect(made['responses']).toMatchObject({
      404: {
        'x-error-codes': ['ACCOUNT_NOT_FOUND', 'CAMPAIGN_NOT_FOUND'],
        content: {
          'application/json': { examples: { ACCOUNT_DELETED: { $ref: '#/components/examples/ACCOUNT_DELETED' } } },
        },
      },
      429: { 'x-error-codes': ['TOO_MANY_REQUESTS'] },
    });
  });

  const signed = [
    ...['UNAUTHORIZED_ACCESS', 'TIMESTAMP_OUT_OF_BOUNDS', 'INVALID_TOKEN', 'UNAUTHORIZED_CLIENT_APPLICATION'],
    'CURRENT_USER_SUSPENDED',
  ];
  const basic = [
    ...['INVALID_PARAMETER', ...signed, 'REQUEST_TOO_LARGE', 'CANCELLED_REQUEST', 'TOO_MANY_REQUESTS'],
    ...['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'],
  ];
  const writing = ['READONLY_CLIENT_APPLICATION', 'UNSUPPORTED_CONTENT_TYPE'];
  const none = z.object({});

  test.each<[string, Partial<Operation>, readonly string[]]>([
    ['reading', { params: none }, basic],
    ['writing', { params: none, http: { method: 'PUT', path: '/x' } }, [...basic, ...writing]],
    [
      'a permission',
      { params: none, access: { auth: 'user', capability: 'account.read' } },
      [...basic, 'ACCOUNT_NOT_FOUND', 'ACTION_NOT_ALLOWED', 'ACCOUNT_DELETED'],
    ],
    [
      'writing with a permission',
      {
        params: none,
        access: { auth: 'user', capability: 'account.write' },
        http: { method: 'PUT', path: '/x' },
      },
      [
        ...basic,
        ...writing,
        'ACCOUNT_NOT_FOUND',
        'ACTION_NOT_ALLOWED',
        'ACCOUNT_DELETED',
        'ACCOUNT_LOCKED_OUT',
        'LOCK_ACQUISITION_TIMEOUT',
      ],
    ],
    ['a text of the path', {}, [...basic, 'ILLEGAL_CHARACTERS']],
    ['a required number', { params: z.object({ n: int() }) }, [...basic, 'MISSING_PARAMETER']],
    ['an optional number', { params: z.object({ n: int().optional() }) }, basic],
    ['exclusive parameters', { params: none, exclusive: [['a', 'b']] }, [...basic, 'EXCLUSIVE_PARAMETERS']],
    ['what it declares', { params: none, errors: ['INVALID', 'INVALID_PARAMETER'] }, [...basic, 'INVALID']],
    [
      'a batch',
      { params: none, batch: { max: 2, Delete: z.object({ id: text() }) } },
      [...basic, 'MISSING_PARAMETER', 'ILLEGAL_CHARACTERS', 'REQUEST_TOO_COMPLEX'],
    ],
  ])('follow from %s', (_, changes, names) => {
    expect([...errorsOf(operation(changes))].sort()).toEqual([...names].sort());
  });
});
