import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { batchOperations } from '../operation/batch.ts';
import { int, list, long, numericId, oneOf, removable, text, time } from '../wire/types.ts';
import { documentOf, only, operation, thing } from './openapi/testing/small-operation.ts';
import { openapiDocument } from './openapi.ts';

describe('an operation', () => {
  test('has its id, its texts, a tag and its path', () => {
    const document = documentOf(operation({ description: 'More about it.' }));
    expect(document.paths).toMatchObject({
      '/things/{thing_id}': {
        get: {
          operationId: 'small_things.get',
          summary: 'Get a thing',
          description: 'More about it.\n\nNeeds no permission on an account.',
          tags: ['Small things'],
        },
      },
    });
    expect(document).toMatchObject({ openapi: '3.1.1', servers: [{ url: 'http://here' }], info: { version: '1.2.3' } });
  });

  test('shares its path with other methods', () => {
    const remove = operation({ id: 'small_things.delete', http: { method: 'DELETE', path: '/things/:thing_id' } });
    expect(Object.keys(documentOf(operation(), remove).paths['/things/{thing_id}'] ?? {})).toEqual(['get', 'delete']);
  });

  test('names permission, rate limit, exclusive parameters and the sandbox', () => {
    const made = only(
      operation({
        access: { auth: 'user', capability: 'campaigns.write' },
        rateLimit: 'ads.write',
        sandboxOnly: true,
        exclusive: [['a', 'b']],
      }),
    );
    expect(made).toMatchObject({
      'x-permission': 'campaigns.write',
      'x-account-permissions': ['ACCOUNT_ADMIN', 'AD_MANAGER'],
      'x-rate-limit': { bucket: 'ads.write', limit: 450, window_seconds: 60, scope: 'category' },
      'x-sandbox-only': true,
      'x-exclusive-parameters': [['a', 'b']],
    });
    expect(only(operation())).not.toHaveProperty('x-sandbox-only');
  });

  test('is left out where its environment does not have it', () => {
    const operations = [operation({ sandboxOnly: true })];
    const document = openapiDocument({ environment: 'production', serverUrl: '', version: '1', operations });
    expect(document.paths).toEqual({});
  });
});

describe('parameters', () => {
  test.each<[string, z.ZodType, unknown]>([
    ['a text', text({ max: 5 }), { required: true, schema: { type: 'string', minLength: 1, maxLength: 5 } }],
    ['an optional one', int().optional(), { schema: { type: 'integer' } }],
    ['a default', int({ min: 1 }).default(7), { schema: { type: 'integer', minimum: 1, default: 7 } }],
    ['a list', list(text(), { max: 2 }), { style: 'form', explode: false, schema: { type: 'array', maxItems: 2 } }],
    ['a 64-bit number', long(), { schema: { type: 'integer', format: 'int64' } }],
    ['a time', time(), { schema: { type: 'string', format: 'date-time' } }],
    ['words', oneOf(['A', 'B']), { schema: { type: 'string', enum: ['A', 'B'] } }],
    ['a description', int().optional().describe('Why.'), { description: 'Why.' }],
  ])('%s in a query', (_, schema, expected) => {
    const made = only(operation({ params: z.object({ thing_id: text(), p: schema }) }));
    expect(made['parameters']).toMatchObject([
      { name: 'thing_id', in: 'path', required: true },
      { name: 'p', in: 'query' },
    ]);
    expect(made['parameters']).toMatchObject([{}, expected as object]);
    expect(made).not.toHaveProperty('requestBody');
  });

  const put = (params: z.ZodObject, example: Record<string, unknown>) =>
    documentOf(
      operation({
        id: 'things.update',
        http: { method: 'PUT', path: '/things/:thing_id' },
        params,
        example: { params: { thing_id: 'x', ...example }, data: thing },
      }),
    );

  test('of POST and PUT come in JSON, those of the path apart', () => {
    const document = put(z.object({ thing_id: text(), n: int(), tags: list(text(), { max: 2 }).optional() }), {
      n: '3',
      tags: 'a,b',
    });
    const example = { n: 3, tags: ['a', 'b'] };
    const schema = { $ref: '#/components/schemas/ThingsUpdateParameters' };
    expect(document.paths['/things/{thing_id}']?.['put']).toMatchObject({
      parameters: [{ name: 'thing_id', in: 'path', example: 'x' }],
      requestBody: {
        required: true,
        content: { 'application/json': { schema, example } },
      },
    });
    const { content } = z
      .looseObject({ content: z.looseObject({}) })
      .parse(document.paths['/things/{thing_id}']?.['put']?.['requestBody']);
    // Generators make one method of one form of a body.
    expect(Object.keys(content)).toEqual(['application/json']);
    expect(document.components.schemas['ThingsUpdateParameters']).toMatchObject({
      required: ['n'],
      additionalProperties: false,
      properties: { n: { type: 'integer' }, tags: { type: 'array' } },
    });
  });

  test('that can be removed are null, a word of an enumeration too', () => {
    const kind = removable(oneOf(['A', 'B'])).optional();
    const { schemas } = put(z.object({ thing_id: text(), n: removable(int()).optional(), kind }), { n: 1 }).components;
    expect(schemas['ThingsUpdateParameters']).toMatchObject({
      properties: {
        n: { type: ['integer', 'null'] },
        kind: { anyOf: [{ type: 'string', enum: ['A', 'B'] }, { type: 'null' }] },
      },
    });
    expect(schemas['ThingsUpdateParameters']).not.toHaveProperty('required');
  });

  test('that are ids in digits are texts, which keep all digits, also in lists', () => {
    const params = z.object({ thing_id: text(), n: numericId(), all: list(numericId(), { max: 3 }) });
    const { schemas } = put(params, { n: '1', all: ['1'] }).components;
    expect(schemas['ThingsUpdateParameters']).toMatchObject({
      properties: { n: { type: 'string' }, all: { items: { type: 'string' } } },
    });
  });

  test('of a body name a default in words: generators take `default` for a value that is always there', () => {
    const params = z.object({ thing_id: text(), n: int().default(7).describe('How many.'), m: int().default(8) });
    const { schemas } = put(params, { n: 1 }).components;
    expect(schemas['ThingsUpdateParameters']).toEqual({
      type: 'object',
      properties: {
        n: { type: 'integer', description: 'How many. `7` when left out.' },
        m: { type: 'integer', description: '`8` when left out.' },
      },
      additionalProperties: false,
    });
  });

  test('that are arrays have their bounds', () => {
    const all = z
      .array(z.object({ n: int() }))
      .min(1)
      .max(3);
    const { schemas } = put(z.object({ thing_id: text(), all }), { all: [{ n: 1 }] }).components;
    expect(schemas['ThingsUpdateParameters']).toMatchObject({ properties: { all: { minItems: 1, maxItems: 3 } } });
  });

  test('of a DELETE come in the query', () => {
    const made = only(
      operation({
        http: { method: 'DELETE', path: '/things/:thing_id' },
        params: z.object({ thing_id: text(), n: int() }),
      }),
    );
    expect(made['parameters']).toMatchObject([{ in: 'path' }, { in: 'query', name: 'n', required: true }]);
    expect(made).not.toHaveProperty('requestBody');
  });

  test('a POST without parameters of its own has no body', () => {
    expect(only(operation({ http: { method: 'POST', path: '/things/:thing_id' } }))).not.toHaveProperty('requestBody');
  });
});

describe('a batch', () => {
  const items = {
    max: 3,
    Create: z.object({ n: int() }),
    Update: z.object({ id: text() }),
    Delete: z.object({ id: text() }),
  };
  const operations = [{ operation_type: 'Create', params: { n: '1' } }];
  const document = documentOf(
    operation({
      id: 'things.batch',
      http: { method: 'POST', path: '/batch/:thing_id' },
      envelope: 'batch',
      params: z.object({ thing_id: text(), operations: batchOperations(items) }),
      batch: items,
      example: { params: { thing_id: 'x', operations }, data: thing },
    }),
  );
  const made = document.paths['/batch/{thing_id}']?.['post'];

  test('takes an array of items discriminated by their operation_type', () => {
    expect(made).toMatchObject({
      parameters: [{ name: 'thing_id' }],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'array',
              minItems: 1,
              maxItems: 3,
              items: { discriminator: { propertyName: 'operation_type' } },
            },
            example: operations,
          },
        },
      },
    });
    expect(document.components.schemas['ThingsBatchCreate']).toMatchObject({
      properties: { operation_type: { const: 'Create' }, params: { required: ['n'] } },
    });
  });

  test('responds with an entity for each item, or with the errors of each', () => {
    expect(made).toMatchObject({
      responses: {
        200: {
          content: {
            'application/json': {
              schema: { properties: { data: { type: 'array', items: { $ref: '#/components/schemas/Thing' } } } },
              example: {
                request: [{ params: { n: 1, thing_id: 'x' }, operation_type: 'Create' }],
                data: [{ id: 'x' }],
              },
            },
          },
        },
        400: {
          content: {
            'application/json': { schema: { anyOf: [{}, { $ref: '#/components/schemas/OperationErrors' }] } },
          },
        },
      },
    });
  });
});
