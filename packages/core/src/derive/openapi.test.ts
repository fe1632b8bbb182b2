import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { errorsOf } from '../errors/operation-errors.ts';
import { allUploadOperations } from '../families.ts';
import { batchOperations } from '../operation/batch.ts';
import { defineAuthOperation, defineOperation, definePageOperation } from '../operation/define.ts';
import type { AuthOperation, Operation } from '../operation/operation.ts';
import { boolean, int, list, long, oneOf, removable, text, time } from '../wire/types.ts';
import { openapiDocument } from './openapi.ts';

const Thing = z.object({
  id: text().describe('The thing.'),
  amount: long({ min: 1n }).nullable(),
  kind: oneOf(['A', 'B']).nullable().optional(),
  inner: z.object({ a: int() }).nullable(),
  many: z.array(z.object({ b: boolean() })),
});
const thing = { id: 'x', amount: 2n ** 60n, inner: null, many: [] };

/** A small operation; each row of a table changes the fact under test. */
function operation(changes: Partial<Operation> = {}): Operation {
  const plain = defineOperation({
    id: 'small_things.get',
    summary: 'Get a thing',
    http: { method: 'GET', path: '/things/:thing_id' },
    access: { auth: 'user' },
    rateLimit: 'ads.lookup',
    envelope: 'entity',
    params: z.object({ thing_id: text().describe('The thing.') }),
    data: Thing,
    errors: [],
    example: { params: { thing_id: 'x' }, data: thing },
  });
  return { ...plain, ...changes };
}

const documentOf = (...operations: Operation[]) =>
  openapiDocument({ environment: 'sandbox', serverUrl: 'http://here', version: '1.2.3', operations });

/** The only operation of a document. */
function only(...operations: Operation[]): Record<string, unknown> {
  const [methods = {}] = Object.values(documentOf(...operations).paths);
  const [one = {}] = Object.values(methods);
  return one;
}

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

  test('of POST and PUT come in a form or in JSON, those of the path apart', () => {
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
        content: {
          'application/x-www-form-urlencoded': {
            schema,
            example,
            encoding: { tags: { style: 'form', explode: false } },
          },
          'application/json': { schema, example },
        },
      },
    });
    expect(document.components.schemas['ThingsUpdateParameters']).toMatchObject({
      required: ['n'],
      additionalProperties: false,
      properties: { n: { type: 'integer' }, tags: { type: 'array' } },
    });
  });

  test('that can be removed are null in JSON and empty in a form', () => {
    const { schemas } = put(z.object({ thing_id: text(), n: removable(int()).optional() }), { n: 1 }).components;
    expect(schemas['ThingsUpdateParameters']).toMatchObject({
      properties: { n: { anyOf: [{ type: 'integer' }, { type: 'null' }] } },
    });
    expect(schemas['ThingsUpdateParametersForm']).toMatchObject({
      properties: { n: { anyOf: [{ type: 'integer' }, { type: 'string', const: '' }] } },
    });
    expect(schemas['ThingsUpdateParameters']).not.toHaveProperty('required');
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
        kind: { type: ['string', 'null'], enum: ['A', 'B', null] },
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
    expect(names).toEqual(['Diagnosis', 'Error', 'Errors', 'SmallThing', 'SmallThingsStatsResult']);
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

  test('names the version, and documents the rate limits wherever a request is or can be counted', () => {
    const made = operation({ access: { auth: 'user', capability: 'account.read' }, rateLimit: 'ads.core_read' });
    expect(headersOf(made)).toEqual([
      ['200', 7, 0],
      ['400', 1, 6],
      ['401', 1, 0],
      ['403', 1, 6],
      ['404', 7, 0],
      ['429', 7, 0],
      ['500', 1, 6],
    ]);
  });

  test('can lack the limits of the account where all matches can be counted', () => {
    const made = operation({
      access: { auth: 'user', capability: 'account.read' },
      rateLimit: 'ads.core_read',
      params: z.object({ with_total_count: boolean().optional() }),
      example: { params: {}, data: { id: 'x' } },
    });
    expect(headersOf(made)).toContainEqual(['200', 4, 3]);
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

  const signed = ['UNAUTHORIZED_ACCESS', 'TIMESTAMP_OUT_OF_BOUNDS', 'INVALID_TOKEN', 'UNAUTHORIZED_CLIENT_APPLICATION'];
  const basic = ['INVALID_PARAMETER', ...signed, 'TOO_MANY_REQUESTS', 'INTERNAL_ERROR'];
  const writing = ['READONLY_CLIENT_APPLICATION', 'REQUEST_TOO_LARGE', 'UNSUPPORTED_CONTENT_TYPE'];
  const none = z.object({});

  test.each<[string, Partial<Operation>, readonly string[]]>([
    ['reading', { params: none }, basic],
    ['writing', { params: none, http: { method: 'PUT', path: '/x' } }, [...basic, ...writing]],
    [
      'a permission',
      { params: none, access: { auth: 'user', capability: 'account.read' } },
      [...basic, 'ACCOUNT_NOT_FOUND', 'ACTION_NOT_ALLOWED', 'ACCOUNT_DELETED'],
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

describe('an endpoint of authentication', () => {
  const grant = (changes: Partial<AuthOperation> = {}): AuthOperation => ({
    ...defineAuthOperation({
      id: 'oauth.grant',
      summary: 'Get a grant',
      http: { method: 'POST', path: '/oauth/grant' },
      access: { auth: 'app' },
      rateLimit: 'auth.token',
      envelope: 'form',
      params: z.object({ oauth_callback: text().describe('Where to go.'), mode: oneOf(['A', 'B']).optional() }),
      data: z.object({ oauth_token: text(), confirmed: boolean() }),
      errors: ['CALLBACK_NOT_APPROVED'],
      example: { params: { oauth_callback: 'https://a.example/b' }, data: { oauth_token: 'a/b', confirmed: true } },
    }),
    ...changes,
  });
  const documentOfGrant = (changes?: Partial<AuthOperation>) =>
    openapiDocument({ environment: undefined, serverUrl: 'http://here', version: '1', operations: [grant(changes)] });
  const made = (changes?: Partial<AuthOperation>) => documentOfGrant(changes).paths['/oauth/grant']?.['post'];

  test.each<[AuthOperation['access']['auth'], readonly object[]]>([
    ['app', [{ oauth1: [] }]],
    ['request_token', [{ oauth1: [] }]],
    ['access_token', [{ oauth1: [] }]],
    ['basic', [{ basic: [] }]],
    ['owner', [{ oauth1: [] }, { basic: [] }]],
  ])('that requires %s credentials accepts the matching schemes, and the document has no others', (auth, security) => {
    expect(made({ access: { auth } })).toMatchObject({ security, 'x-proof': auth });
    const { securitySchemes } = documentOfGrant({ access: { auth } }).components;
    expect(Object.keys(securitySchemes as object)).toEqual(security.flatMap((one) => Object.keys(one)));
  });

  test('says of parameters of the protocol that they are in the header, the query or a form', () => {
    const parameters = made()?.['parameters'] as readonly Record<string, unknown>[];
    expect(parameters).toMatchObject([
      { name: 'oauth_callback', in: 'query', example: 'https://a.example/b', 'x-protocol-parameter': true },
      { name: 'mode', in: 'query' },
    ]);
    expect(parameters[0]?.['description']).toMatch(
      /^Where to go\. Required: among .* Authorization header, .* query .* form/,
    );
    for (const one of parameters) expect(one).not.toHaveProperty('required');
    expect(made()).not.toHaveProperty('requestBody');
  });

  test('takes other parameters in a form', () => {
    const params = z.object({ mode: oneOf(['A']) });
    const example = { params: { mode: 'A' }, data: { oauth_token: 'x', confirmed: true } };
    expect(made({ params, example })).toMatchObject({
      requestBody: { required: true, content: { 'application/x-www-form-urlencoded': { example: { mode: 'A' } } } },
    });
    expect(made({ params, example })).not.toHaveProperty('parameters');
  });

  test('responds with a form under the type HTML, or with a JSON object', () => {
    const contentSchema = { $ref: '#/components/schemas/OauthGrantResult' };
    expect(made()).toMatchObject({
      responses: {
        200: {
          content: {
            'text/html': {
              schema: { type: 'string', contentMediaType: 'application/x-www-form-urlencoded', contentSchema },
              example: 'oauth_token=a%2Fb&confirmed=true',
            },
          },
        },
      },
    });
    expect(made({ envelope: 'object' })).toMatchObject({
      responses: {
        200: {
          content: { 'application/json': { schema: contentSchema, example: { oauth_token: 'a/b', confirmed: true } } },
        },
      },
    });
  });

  test('names its errors by number', () => {
    expect(made()).toMatchObject({
      responses: {
        403: {
          'x-error-codes': [415],
          description: '`415`: Callback URL not approved for this client application.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/NumberedErrors' } } },
        },
      },
    });
    const { schemas, examples } = documentOfGrant().components;
    expect(schemas['NumberedError']).toMatchObject({
      properties: { code: { type: 'integer', enum: [32, 88, 131, 135, 215, 415] } },
    });
    expect(examples).toMatchObject({ CALLBACK_NOT_APPROVED: { value: { errors: [{ code: 415 }] } } });
    expect(Object.keys(schemas)).toEqual(['Diagnosis', 'NumberedError', 'NumberedErrors', 'OauthGrantResult']);
  });

  test('documents the rate limit where a request was or may have been counted', () => {
    const responses = made()?.['responses'] as Record<string, { headers?: object }>;
    const counted = Object.entries(responses).filter(([, { headers }]) => headers !== undefined);
    expect(counted.map(([status]) => status)).toEqual(['200', '400', '403', '415', '429', '500']);
  });

  test('with a single error has no other response that a caller can cause', () => {
    const responses = made({ rejection: 'UNVERIFIED_CREDENTIALS', errors: [] })?.['responses'];
    expect(Object.keys(responses as object)).toEqual(['200', '403', '413', '415', '500']);
  });

  test('is under its aliases too, with ids of their own', () => {
    const http = { method: 'POST', path: '/oauth/grant', aliases: ['/oauth/one', '/oauth/two'] } as const;
    const { paths } = documentOfGrant({ http });
    expect(Object.keys(paths)).toEqual(['/oauth/grant', '/oauth/one', '/oauth/two']);
    expect(paths['/oauth/two']?.['post']).toMatchObject({
      operationId: 'oauth.grant.alias2',
      'x-alias-of': 'oauth.grant',
      responses: paths['/oauth/grant']?.['post']?.['responses'],
    });
    expect(paths['/oauth/grant']?.['post']).not.toHaveProperty('x-alias-of');
  });

  test('is found in one document with a page, which admits anyone and responds with HTML', () => {
    const page = (id: string) =>
      definePageOperation({
        id,
        summary: 'Ask',
        description: 'Asks.',
        http: { method: 'GET', path: '/oauth/grant' },
        rateLimit: 'auth.page',
        params: z.object({ oauth_token: text(), force_login: boolean().default(false) }),
        example: { params: { oauth_token: 'x' } },
      });
    const documentWith = (id: string) =>
      openapiDocument({ environment: undefined, serverUrl: '', version: '1', operations: [grant(), page(id)] });
    const shown = (id: string) => documentWith(id).paths['/oauth/grant']?.['get'];
    expect(Object.keys(documentWith('oauth.ask').paths['/oauth/grant'] ?? {})).toEqual(['post', 'get']);
    expect(shown('oauth.ask')).toMatchObject({
      security: [],
      parameters: [
        { name: 'oauth_token', in: 'query', required: true },
        { name: 'force_login', schema: { default: false } },
      ],
      responses: { 200: { content: { 'text/html': {} } }, 403: { content: { 'text/html': {} } } },
    });
    expect(Object.keys(shown('oauth.ask')?.['responses'] as object)).toEqual(['200', '400', '403', '429', '500']);
    expect(shown('oauth.authenticate')).toMatchObject({ responses: { 303: { headers: { location: {} } } } });
  });
});

describe('the upload of media', () => {
  const document = openapiDocument({
    environment: undefined,
    serverUrl: 'http://here',
    version: '1',
    operations: allUploadOperations,
  });
  const at = (method: string, path: string) => document.paths[path]?.[method];
  const refs = (value: unknown) =>
    [...JSON.stringify(value).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name);
  const binary = { type: 'string', contentMediaType: 'application/octet-stream' };
  const encoded = { type: 'string', contentEncoding: 'base64' };

  test('takes bytes as a part or in base64, and exactly one of them', () => {
    const { schemas } = document.components;
    const oneOf = [{ required: ['media'] }, { required: ['media_data'] }];
    expect(schemas['MediaUploadParts']).toMatchObject({ properties: { media: binary, media_data: encoded }, oneOf });
    expect(schemas['MediaUploadParameters']).toMatchObject({
      properties: { media: encoded, media_data: encoded },
      oneOf,
      additionalProperties: false,
    });
    expect(at('post', '/2/media/upload')).toMatchObject({
      requestBody: {
        content: {
          'multipart/form-data': { schema: { $ref: '#/components/schemas/MediaUploadParts' } },
          'application/x-www-form-urlencoded': { schema: { $ref: '#/components/schemas/MediaUploadParameters' } },
          'application/json': { schema: { $ref: '#/components/schemas/MediaUploadParameters' } },
        },
      },
    });
  });

  test('has no body where the path is sufficient, and none for a read', () => {
    expect(at('post', '/2/media/upload/{id}/finalize')).not.toHaveProperty('requestBody');
    expect(at('post', '/2/media/upload/{id}/append')).toMatchObject({ parameters: [{ name: 'id', in: 'path' }] });
    expect(at('get', '/2/media/upload')).not.toHaveProperty('requestBody');
    expect(at('get', '/2/media/upload')).toMatchObject({
      parameters: [
        { name: 'media_id', in: 'query', required: true },
        { name: 'command', in: 'query', schema: { enum: ['STATUS'] } },
      ],
    });
  });

  test('puts the steps that share a path into one operation, discriminated by command', () => {
    const shared = at('post', '/1.1/media/upload.json');
    expect(shared).toMatchObject({
      operationId: 'media_v1.upload',
      'x-rate-limit': { bucket: 'media.upload' },
      'x-commands': {
        INIT: { operation: 'media_v1.init', 'x-rate-limit': { bucket: 'media.chunked' } },
        APPEND: { operation: 'media_v1.append' },
        FINALIZE: { operation: 'media_v1.finalize' },
      },
    });
    const body = shared?.['requestBody'] as { content: Record<string, { schema: unknown }> };
    expect(refs(body.content['multipart/form-data']?.schema)).toEqual([
      'MediaV1UploadParts',
      'MediaV1InitParameters',
      'MediaV1AppendParts',
      'MediaV1FinalizeParameters',
    ]);
    const { schemas } = document.components;
    expect(schemas['MediaV1InitParameters']).toMatchObject({
      properties: { command: { const: 'INIT' } },
      required: ['command', 'total_bytes', 'media_type'],
    });
    expect(schemas['MediaV1UploadParts']).toMatchObject({ not: { required: ['command'] } });
    // Version 1.1 ignores unknown parameters.
    expect(schemas['MediaV1UploadParts']).not.toHaveProperty('additionalProperties');
  });

  test('responds to each step with its own status, and an append of version 1.1 without a body', () => {
    const responses = at('post', '/1.1/media/upload.json')?.['responses'] as Record<string, { content?: object }>;
    const statuses = Object.keys(responses).filter((status) => status.startsWith('2'));
    expect(statuses).toEqual(['200', '201', '202', '204']);
    expect(responses['204']).not.toHaveProperty('content');
    expect(responses['200']).toMatchObject({ content: { 'application/json': { example: { size: 48_213 } } } });
    expect(at('post', '/2/media/upload')).toMatchObject({
      responses: {
        200: {
          content: {
            'application/json': {
              schema: { properties: { data: { $ref: '#/components/schemas/MediaUploadResult' } }, required: ['data'] },
              example: { data: { size: 48_213 } },
            },
          },
        },
      },
    });
  });

  test('rejects with a number in version 1.1 and with a problem in version 2, including a missing parameter', () => {
    expect(at('post', '/1.1/media/upload.json')).toMatchObject({
      responses: {
        400: { 'x-error-codes': [215, 324, 325], content: { 'application/json': {} } },
        403: { 'x-error-codes': expect.arrayContaining([38, 220, 261, 416]) },
      },
    });
    expect(at('post', '/2/media/upload')).toMatchObject({
      responses: { 400: { 'x-error-codes': ['invalid-request'], content: { 'application/problem+json': {} } } },
    });
    expect(document.components.schemas['UploadError']).toMatchObject({
      properties: { code: { enum: expect.arrayContaining([38, 324, 325]) } },
    });
  });

  test('accepts only signed requests of people', () => {
    for (const methods of Object.values(document.paths)) {
      for (const one of Object.values(methods)) expect(one['security']).toEqual([{ oauth1: [] }]);
    }
    expect(Object.keys(document.components['securitySchemes'] as object)).toEqual(['oauth1']);
  });

  test('of version 1.1 has another path, with ids of its own', () => {
    expect(at('post', '/1.1/media/upload')).toMatchObject({ operationId: 'media_v1.upload.alias' });
    expect(at('get', '/1.1/media/upload')).toMatchObject({ operationId: 'media_v1.status.alias' });
  });
});
