/** The advertising interface in a document. */

import { errorsOf } from '../../errors/operation-errors.ts';
import { capabilities } from '../../operation/access.ts';
import { fieldsOf, isRequired, pathParameters } from '../../operation/fields.ts';
import { type ControlOperation, isRead, type Operation } from '../../operation/operation.ts';
import { rateBucket } from '../../operation/rate-limits.ts';
import type { JsonSchema } from '../../wire/types.ts';
import { exampleAnswer, exampleParams, wireExample } from '../example.ts';
import { objectSchema, valueSchema } from '../json-schema.ts';
import { pascalCase } from '../names.ts';
import { restatedMembers, restatedSentences } from '../reading.ts';
import { type Components, ref } from './components.ts';
import { errorResponses, wordedErrors } from './error-responses.ts';
import type { Family } from './family.ts';
import { pathParameter, queryParameter } from './parameters.ts';
import {
  type AnswerHeader,
  absentWhere,
  accountHeaders,
  callerHeaders,
  errorHeaders,
  versionHeader,
} from './rate-limit-headers.ts';

/** Operations whose requests and successes have the forms of the advertising interface. */
export type Enveloped = Operation | ControlOperation;

/** Describes the operations of the advertising interface. */
export const advertising: Family<Operation> = {
  security: () => ['oauth1'],
  notes,
  parameters,
  body,
  responses: (operation, components) => ({
    200: {
      description: descriptionOfSuccess(operation),
      ...components.headers(successHeaders(operation)),
      content: {
        'application/json': { schema: envelope(operation, components), example: exampleAnswer(operation) },
      },
    },
    ...errorResponses(errorsOf(operation), wordedErrors, components, {
      headers: (status) => [versionHeader, ...errorHeaders(countedHeaders(operation), status)],
      schema: (status) =>
        operation.batch && status === 400
          ? { anyOf: [ref(wordedErrors.body), operationErrors(operation, components)] }
          : undefined,
    }),
  }),
  extensions: ({ access, sandboxOnly, exclusive }) => ({
    ...('capability' in access
      ? { 'x-permission': access.capability, 'x-account-permissions': [...capabilities[access.capability]] }
      : {}),
    ...(sandboxOnly ? { 'x-sandbox-only': true } : {}),
    ...(exclusive?.length ? { 'x-exclusive-parameters': exclusive.map((names) => [...names]) } : {}),
  }),
};

function notes(operation: Operation): readonly string[] {
  const { access, exclusive, sandboxOnly } = operation;
  const restated = restatedMembers(operation);
  return [
    ...(sandboxOnly ? ['Exists in the sandbox only.'] : []),
    'capability' in access
      ? `Needs one of these permissions on the account: ${capabilities[access.capability].join(', ')}.`
      : 'Needs no permission on an account.',
    ...(exclusive ?? []).map(([one, other]) => `\`${one}\` and \`${other}\` cannot be used together.`),
    // Our choice: the schema of the body has what can be changed alone, which is what generators make parameters of.
    ...(restated ? [restatedSentences(restated).join(' ')] : []),
  ];
}

/** Describes the parameters in path and query. */
export function parameters(operation: Enveloped): readonly JsonSchema[] {
  const inPath = pathParameters(operation);
  const example = exampleParams(operation);
  return fieldsOf(operation.params).flatMap((field): JsonSchema[] => {
    if (inPath.includes(field[0])) return [pathParameter(field, example)];
    return hasBody(operation) ? [] : [queryParameter(field, example)];
  });
}

/** Operations that change something have their parameters in a body, unless all of them are in the path. */
function hasBody(operation: Enveloped): boolean {
  if (isRead(operation) || operation.http.method === 'DELETE') return false;
  return Object.keys(operation.params.shape).length > pathParameters(operation).length;
}

/** Describes the body of a request; `undefined` where it has none. */
export function body(operation: Enveloped, components: Components): JsonSchema | undefined {
  if (operation.batch) return batchBody(operation, components);
  if (!hasBody(operation)) return undefined;
  const inPath = pathParameters(operation);
  const fields = fieldsOf(operation.params).filter(([name]) => !inPath.includes(name));
  const schema = components.define(`${pascalCase(operation.id)}Parameters`, objectSchema(fields, 'request'));
  const example = without(exampleParams(operation), inPath);
  // Our choice: of the forms that a body can have, the one of which generators of clients make one method, with lists and null.
  return {
    ...(needsBody(operation) || fields.some(([, field]) => isRequired(field)) ? { required: true } : {}),
    content: { 'application/json': { schema, example } },
  };
}

/** Of the control, an operation of which all parameters are optional needs no body. */
function needsBody({ body: only, kind }: Enveloped): boolean {
  return only === 'json' && kind !== 'control';
}

function batchBody({ id, batch, example }: Enveloped, components: Components): JsonSchema | undefined {
  if (!batch) return undefined;
  const alternatives = (['Create', 'Update', 'Delete'] as const).flatMap((type) => {
    const params = batch[type];
    if (!params) return [];
    const name = `${pascalCase(id)}${type}`;
    const schema = components.define(name, {
      type: 'object',
      properties: {
        operation_type: { type: 'string', const: type },
        params: objectSchema(fieldsOf(params), 'request'),
      },
      required: ['operation_type', 'params'],
      additionalProperties: false,
    });
    return [{ type, schema }];
  });
  const mapping = Object.fromEntries(alternatives.map(({ type, schema }) => [type, schema['$ref']]));
  const items = {
    oneOf: alternatives.map(({ schema }) => schema),
    discriminator: { propertyName: 'operation_type', mapping },
  };
  const schema = { type: 'array', minItems: 1, maxItems: batch.max, items };
  const { operations } = example.params;
  return { required: true, content: { 'application/json': { schema, example: wireExample(operations) } } };
}

function operationErrors(operation: Enveloped, components: Components): JsonSchema {
  const name = operation.envelope === 'batch' ? 'OperationErrors' : 'OperationErrorsOfOne';
  const properties = { ...operationErrorsSchema.properties, request: echoOf(operation, components) };
  return components.define(name, { ...operationErrorsSchema, properties });
}

/** The parameters that were sent, repeated in a response. */
function echoOf({ envelope: wrap }: Enveloped, components: Components): JsonSchema {
  return wrap === 'batch'
    ? components.define('EchoedOperations', batchRequestSchema)
    : components.define('EchoedRequest', requestSchema);
}

/** The headers of a success. A request that counts all matches draws on a bucket without a count for each account. */
function successHeaders(operation: Operation): readonly AnswerHeader[] {
  return [versionHeader, ...countedHeaders(operation)];
}

function countedHeaders({ rateLimit, access, params }: Operation): readonly AnswerHeader[] {
  if (!rateBucket(rateLimit).account || !('capability' in access)) return callerHeaders;
  const canCount = 'with_total_count' in params.shape;
  return [...callerHeaders, ...(canCount ? absentWhere('`with_total_count` is true', accountHeaders) : accountHeaders)];
}

/** Describes the body of a success. */
export function envelope(operation: Enveloped, components: Components): JsonSchema {
  if (operation.envelope === 'message') return messageEnvelope(operation, components);
  const one = components.entity(operation.data);
  const many = { type: 'array', items: one };
  const list = operation.envelope === 'list';
  const counts = list && 'with_total_count' in operation.params.shape;
  const { beside = {} } = operation;
  return {
    type: 'object',
    properties: {
      request: echoOf(operation, components),
      ...(list ? { next_cursor: nextCursorSchema } : {}),
      ...(beside.next_cursor === undefined ? {} : { next_cursor: { type: 'null' } }),
      ...(beside.data_type === undefined ? {} : { data_type: { const: beside.data_type } }),
      data: operation.envelope === 'entity' ? one : many,
      ...(counts || beside.total_count ? { total_count: totalCountSchema } : {}),
    },
    required: ['request', 'data', ...(list ? ['next_cursor'] : []), ...Object.keys(beside)],
  };
}

/** The members of a message, beside the request. */
function messageEnvelope(operation: Enveloped, components: Components): JsonSchema {
  const { properties, required } = valueSchema(operation.data, 'answer');
  return {
    type: 'object',
    properties: { request: echoOf(operation, components), ...(typeof properties === 'object' ? properties : {}) },
    required: ['request', ...(Array.isArray(required) ? required : [])],
  };
}

/** Says in a few words with what an operation answers. */
export function descriptionOfSuccess({ envelope: wrap }: Enveloped): string {
  switch (wrap) {
    case 'entity':
      return 'The entity.';
    case 'message':
      return 'The message.';
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

const operationErrorsSchema = {
  type: 'object',
  description: 'The batch was rejected because of its items; nothing was changed.',
  properties: {
    operation_errors: {
      type: 'array',
      description: 'One list for each item, in their order, empty where the item is sound.',
      items: { type: 'array', items: ref('Error') },
    },
  },
  required: ['operation_errors', 'request'],
} as const;
