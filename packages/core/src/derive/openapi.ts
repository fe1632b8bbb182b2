/**
 * The OpenAPI 3.1 document of the advertising interface, derived from the contract: nothing in it is stated a second time.
 * Pure; a server gives it its own address and version. The operator's procedures are not in it, having no public path.
 */
import type * as z from 'zod';
import { allOperations } from '../contract.ts';
import { capabilities } from '../operation/access.ts';
import { type Environment, isOffered, isRead, type Operation } from '../operation/define.ts';
import { errorsOf } from '../operation/errors.ts';
import { defaultOf, fieldsOf, isRequired, pathParameters } from '../operation/fields.ts';
import { rateBucket } from '../operation/rate-limits.ts';
import { type ErrorName, errorCatalogue, errorCode, errorStatus, wireError } from '../wire/errors.ts';
import { descriptionOf, type JsonSchema, wireTypeOf } from '../wire/types.ts';
import { exampleAnswer, exampleParams, wireExample } from './example.ts';
import { type Flavour, objectSchema, valueSchema } from './json-schema.ts';
import { namesOf, pascalCase, resourceOf, titleOf } from './names.ts';

// For reference pages, which show what the document says.
export { exampleAnswer, exampleParams } from './example.ts';
export { namesOf, resourceOf, titleOf } from './names.ts';

/** What the document is about, beside the contract. */
export interface OpenApiOptions {
  readonly environment: Environment;
  /** The base URL of the listener, without a slash at the end. */
  readonly serverUrl: string;
  /** The version of the platform. */
  readonly version: string;
  /** All of the advertising interface when left out. */
  readonly operations?: readonly Operation[];
}

/** An OpenAPI document, as data; it can hold a `bigint`, so write it with `stringifyJson`. */
export type OpenApiDocument = JsonSchema & {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> } & JsonSchema;
};

const SECURITY = 'oauth1';

/** Derives the document of an environment. */
export function openapiDocument(options: OpenApiOptions): OpenApiDocument {
  const { environment, serverUrl, version } = options;
  const operations = (options.operations ?? allOperations).filter((operation) => isOffered(operation, environment));
  const derivation = new Derivation(operations);
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const operation of operations) {
    const path = operation.http.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [operation.http.method.toLowerCase()]: derivation.operation(operation) };
  }
  const resources = [...new Set(operations.map(resourceOf))];
  return {
    openapi: '3.1.1',
    info: {
      title: environment === 'sandbox' ? 'Broadside advertising sandbox' : 'Broadside advertising interface',
      summary: `${resources.map(titleOf).join(', ')}.`,
      description: description(environment),
      license: { name: 'MIT', identifier: 'MIT' },
      version,
    },
    servers: [{ url: serverUrl, description: environment === 'sandbox' ? 'Sandbox' : 'Production' }],
    security: [{ [SECURITY]: [] }],
    tags: resources.map((name) => ({ name: titleOf(name) })),
    paths,
    components: {
      securitySchemes: { [SECURITY]: securityScheme },
      headers: rateLimitHeaders,
      examples: derivation.examples(),
      schemas: derivation.schemas(),
    },
  };
}

function description(environment: Environment): string {
  const paragraphs = [
    'Every request is signed with OAuth 1.0a (RFC 5849) by an app and the access token of a user.',
    'Parameters of POST and PUT come in a form body, in a JSON body or in the query string, each name once. Lists are separated by commas in forms and query strings and are arrays in JSON.',
    'Amounts of money are whole numbers in millionths of the currency unit (5.50 is 5500000). They and other 64-bit numbers are exact: read them with a parser that keeps every digit.',
    'An empty value removes a field that can be removed.',
  ];
  if (environment === 'sandbox') {
    paragraphs.push('This is the sandbox: nothing is served and nothing is charged. Some operations exist here only.');
  }
  return paragraphs.join('\n\n');
}

/**
 * OpenAPI's `oauth2` type is OAuth 2 alone. OAuth 1.0a is an HTTP authentication scheme of its own in the IANA registry
 * ("OAuth", RFC 5849 section 3.5.1), which type `http` can name.
 */
const securityScheme = {
  type: 'http',
  scheme: 'OAuth',
  description:
    'OAuth 1.0a (RFC 5849) with HMAC-SHA1 or HMAC-SHA256. The signature covers the method, the URL, the query and a form body. The parameters go into the Authorization header, the query or the form body.',
} as const;

const integer = { type: 'integer' } as const;

const rateLimitHeaders = {
  'x-rate-limit-limit': { description: 'Requests that the user has in a window.', schema: integer },
  'x-rate-limit-remaining': { description: 'Requests left in the window.', schema: integer },
  'x-rate-limit-reset': { description: 'When the window ends, in seconds since 1970.', schema: integer },
  'x-account-rate-limit-limit': { description: 'Requests that the account has in a window.', schema: integer },
  'x-account-rate-limit-remaining': { description: 'Requests left in that window.', schema: integer },
  'x-account-rate-limit-reset': { description: 'When that window ends, in seconds since 1970.', schema: integer },
} as const satisfies Record<string, JsonSchema>;

const UNCOUNTED: readonly number[] = [401, 403, 413, 500];

type HeaderName = keyof typeof rateLimitHeaders;

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** Collects the named schemas while the operations are derived. */
class Derivation {
  readonly #schemas = new Map<string, JsonSchema>();
  readonly #errors = new Set<ErrorName>();
  readonly #entities: ReadonlyMap<z.ZodType, string>;

  constructor(operations: readonly Operation[]) {
    this.#entities = namesOf(operations);
  }

  /** The named schemas, once all operations are derived. */
  schemas(): Readonly<Record<string, JsonSchema>> {
    this.#schemas.set('Error', errorSchema([...new Set([...this.#errors].map(errorCode))].sort()));
    this.#schemas.set('Errors', errorsSchema);
    return Object.fromEntries([...this.#schemas].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  /** An example of each error that was met. */
  examples(): JsonSchema {
    return Object.fromEntries(
      [...this.#errors].sort().map((name) => {
        const value = { errors: [wireError({ error: name })], request: { params: {} } };
        return [name, { summary: errorCatalogue[name].message, value }];
      }),
    );
  }

  operation(operation: Operation): JsonSchema {
    const { id, summary, rateLimit, sandboxOnly, exclusive, access } = operation;
    const { scope, limit, window_ms } = rateBucket(rateLimit);
    const parameters = this.#parameters(operation);
    const body = this.#body(operation);
    return {
      operationId: id,
      summary,
      description: this.#description(operation),
      tags: [titleOf(resourceOf(operation))],
      ...(parameters.length === 0 ? {} : { parameters }),
      ...(body ? { requestBody: body } : {}),
      responses: this.#responses(operation),
      ...('capability' in access
        ? { 'x-permission': access.capability, 'x-account-permissions': [...capabilities[access.capability]] }
        : {}),
      'x-rate-limit': { bucket: rateLimit, limit, window_seconds: window_ms / 1000, scope },
      ...(sandboxOnly ? { 'x-sandbox-only': true } : {}),
      ...(exclusive?.length ? { 'x-exclusive-parameters': exclusive.map((names) => [...names]) } : {}),
    };
  }

  #description({ description: text, access, exclusive, sandboxOnly }: Operation): string {
    const parts = text === undefined ? [] : [text];
    if (sandboxOnly) parts.push('Exists in the sandbox only.');
    if ('capability' in access) {
      parts.push(`Needs one of these permissions on the account: ${capabilities[access.capability].join(', ')}.`);
    } else parts.push('Needs no permission on an account.');
    for (const [one, other] of exclusive ?? []) parts.push(`\`${one}\` and \`${other}\` cannot be used together.`);
    return parts.join('\n\n');
  }

  #parameters(operation: Operation): readonly JsonSchema[] {
    const inPath = pathParameters(operation);
    const sent = exampleParams(operation);
    return fieldsOf(operation.params).flatMap(([name, schema]): JsonSchema[] => {
      const path = inPath.includes(name);
      if (!path && hasBody(operation)) return [];
      const text = descriptionOf(schema);
      return [
        {
          name,
          in: path ? 'path' : 'query',
          ...(path || isRequired(schema) ? { required: true } : {}),
          ...(text === undefined ? {} : { description: text }),
          // Lists are separated by commas. In a path there are none.
          ...(path ? {} : { style: 'form', explode: false }),
          schema: this.#value(schema, 'form'),
          ...(name in sent ? { example: sent[name] } : {}),
        },
      ];
    });
  }

  #value(schema: z.ZodType, flavour: Flavour): JsonSchema {
    const standing = defaultOf(schema);
    const { description: _, ...value } = valueSchema(schema, flavour);
    return standing === undefined ? value : { ...value, default: standing };
  }

  #body(operation: Operation): JsonSchema | undefined {
    if (operation.batch) return this.#batchBody(operation);
    if (!hasBody(operation)) return undefined;
    const inPath = pathParameters(operation);
    const fields = fieldsOf(operation.params).filter(([name]) => !inPath.includes(name));
    const name = `${pascalCase(operation.id)}Parameters`;
    const json = objectSchema(fields, 'json');
    const form = objectSchema(fields, 'form');
    this.#schemas.set(name, json);
    // They differ where a field can be removed: null in JSON, nothing between the signs of a form.
    const alike = JSON.stringify(json) === JSON.stringify(form);
    if (!alike) this.#schemas.set(`${name}Form`, form);
    const example = without(exampleParams(operation), inPath);
    const lists = fields.filter(([, schema]) => wireTypeOf(schema)?.kind === 'list');
    const encoding = Object.fromEntries(lists.map(([field]) => [field, { style: 'form', explode: false }]));
    return {
      ...(fields.some(([, schema]) => isRequired(schema)) ? { required: true } : {}),
      content: {
        'application/x-www-form-urlencoded': {
          schema: ref(alike ? name : `${name}Form`),
          example,
          ...(lists.length > 0 ? { encoding } : {}),
        },
        'application/json': { schema: ref(name), example },
      },
    };
  }

  #batchBody(operation: Operation): JsonSchema | undefined {
    const { batch } = operation;
    if (!batch) return undefined;
    const mapping: Record<string, string> = {};
    for (const type of ['Create', 'Update', 'Delete'] as const) {
      const params = batch[type];
      if (!params) continue;
      const name = `${pascalCase(operation.id)}${type}`;
      this.#schemas.set(name, {
        type: 'object',
        properties: { operation_type: { type: 'string', const: type }, params: objectSchema(fieldsOf(params), 'json') },
        required: ['operation_type', 'params'],
        additionalProperties: false,
      });
      mapping[type] = `#/components/schemas/${name}`;
    }
    const items = {
      oneOf: Object.values(mapping).map(($ref) => ({ $ref })),
      discriminator: { propertyName: 'operation_type', mapping },
    };
    const schema = { type: 'array', minItems: 1, maxItems: batch.max, items };
    const { operations } = operation.example.params;
    return { required: true, content: { 'application/json': { schema, example: wireExample(operations) } } };
  }

  #responses(operation: Operation): JsonSchema {
    const byStatus = Map.groupBy(errorsOf(operation), errorStatus);
    const responses: Record<string, JsonSchema> = {
      200: {
        description: descriptionOfSuccess(operation),
        ...this.#headers(operation, 200),
        content: {
          'application/json': { schema: this.#envelope(operation), example: exampleAnswer(operation) },
        },
      },
    };
    for (const [status, names] of byStatus) responses[status] = this.#failure(operation, status, names);
    return responses;
  }

  /** Requests are counted once the caller is known to be let in, and a body that is too large is not read so far. */
  #headers(operation: Operation, status: number): { readonly headers?: JsonSchema } {
    if (UNCOUNTED.includes(status)) return {};
    const names: HeaderName[] = ['x-rate-limit-limit', 'x-rate-limit-remaining', 'x-rate-limit-reset'];
    if (rateBucket(operation.rateLimit).account && 'capability' in operation.access) {
      names.push('x-account-rate-limit-limit', 'x-account-rate-limit-remaining', 'x-account-rate-limit-reset');
    }
    return { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) };
  }

  #envelope(operation: Operation): JsonSchema {
    const one = this.#data(operation);
    const many = { type: 'array', items: one };
    const list = operation.envelope === 'list';
    return {
      type: 'object',
      properties: {
        request: operation.batch ? batchRequestSchema : requestSchema,
        ...(list ? { next_cursor: nextCursorSchema } : {}),
        data: operation.envelope === 'entity' ? one : many,
        ...(list ? { total_count: totalCountSchema } : {}),
      },
      required: ['request', 'data', ...(list ? ['next_cursor'] : [])],
    };
  }

  #data({ data }: Operation): JsonSchema {
    const name = this.#entities.get(data);
    if (name === undefined) return valueSchema(data, 'answer');
    if (!this.#schemas.has(name)) this.#schemas.set(name, valueSchema(data, 'answer'));
    return ref(name);
  }

  #failure(operation: Operation, status: number, names: readonly ErrorName[]): JsonSchema {
    const codes = [...new Set(names.map(errorCode))];
    const inBatch = operation.batch !== undefined && status === 400;
    if (inBatch) this.#schemas.set('OperationErrors', operationErrorsSchema);
    for (const name of names) this.#errors.add(name);
    const examples = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/examples/${name}` }]));
    return {
      description: names.map((name) => `\`${errorCode(name)}\`: ${errorCatalogue[name].message}.`).join('\n\n'),
      'x-error-codes': codes,
      ...this.#headers(operation, status),
      content: {
        'application/json': {
          schema: inBatch ? { anyOf: [ref('Errors'), ref('OperationErrors')] } : ref('Errors'),
          examples,
        },
      },
    };
  }
}

/** Operations that change something take their parameters in a body, unless all of them are in the path. */
function hasBody(operation: Operation): boolean {
  if (isRead(operation) || operation.http.method === 'DELETE') return false;
  return Object.keys(operation.params.shape).length > pathParameters(operation).length;
}

function descriptionOfSuccess({ envelope }: Operation): string {
  switch (envelope) {
    case 'entity':
      return 'The entity.';
    case 'list':
      return 'A page of the list.';
    case 'values':
      return 'The values.';
    case 'batch':
      return 'The entities, in the order of the operations.';
  }
}

function without(params: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !names.includes(name)));
}

const paramsSchema = {
  type: 'object',
  description: 'The parameters that were sent, those of the path included, in typed form.',
} as const;

const requestSchema = { type: 'object', properties: { params: paramsSchema }, required: ['params'] } as const;

const batchRequestSchema = {
  type: 'array',
  description: 'The operations that were sent.',
  items: {
    type: 'object',
    properties: { params: paramsSchema, operation_type: { type: ['string', 'null'] } },
    required: ['params', 'operation_type'],
  },
} as const;

const nextCursorSchema = {
  type: ['string', 'null'],
  description: 'The `cursor` of the next page; null on the last.',
} as const;

const totalCountSchema = {
  type: 'integer',
  minimum: 0,
  description: 'The number of matches on all pages; with `with_total_count` only.',
} as const;

const errorSchema = (codes: readonly string[]) => ({
  type: 'object',
  description: 'Why a request was refused.',
  properties: {
    code: { type: 'string', enum: codes, description: 'What a program decides by.' },
    message: { type: 'string', description: 'What a person reads.' },
    parameter: { type: 'string', description: 'The parameter at fault.' },
    details: { type: 'string', description: 'A finer reason.' },
    value: { description: 'The value received.' },
    attribute: { type: 'string', description: 'In place of `parameter` where an entity as a whole does not validate.' },
  },
  required: ['code', 'message'],
});

const errorsSchema = {
  type: 'object',
  description: 'A refusal. All faults that were found are listed; the first decides the status.',
  properties: {
    errors: { type: 'array', minItems: 1, items: ref('Error') },
    request: { description: 'What was sent, as far as it could be read.' },
  },
  required: ['errors', 'request'],
} as const;

const operationErrorsSchema = {
  type: 'object',
  description: 'A refusal of a batch for its items; nothing of it was carried out.',
  properties: {
    operation_errors: {
      type: 'array',
      description: 'One list for each item, in their order, empty where the item is sound.',
      items: { type: 'array', items: ref('Error') },
    },
    request: batchRequestSchema,
  },
  required: ['operation_errors', 'request'],
} as const;
