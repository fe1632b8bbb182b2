/** The upload of media in a document (reference, media upload). */

import { errorsOf } from '../../errors/operation-errors.ts';
import { fieldsOf, pathParameters } from '../../operation/fields.ts';
import { isRead, type UploadOperation } from '../../operation/operation.ts';
import { type JsonSchema, wireTypeOf } from '../../wire/types.ts';
import { exampleAnswer, exampleParams } from '../example.ts';
import { objectSchema } from '../json-schema.ts';
import { pascalCase, resourceOf, titleOf } from '../names.ts';
import type { Components } from './components.ts';
import { errorResponses, uploadErrors } from './error-responses.ts';
import { pathParameter, queryParameter } from './parameters.ts';
import { uploadProblems } from './problems.ts';
import { callerHeaders, errorHeaders, rateLimitFacts } from './rate-limit-headers.ts';

/** Description of the credentials for uploads. */
export const uploadersProof = 'Signed by an app and the access token of a user.';

/** The smallest PNG: one pixel. */
const EXAMPLE_BYTES =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** The operations of a path and method, the one without a `command` first. */
export type UploadRoute = readonly [UploadOperation, ...UploadOperation[]];

/** Groups operations that share a path and a method, for which a document has one operation. */
export function uploadRoutes(operations: readonly UploadOperation[]): readonly UploadRoute[] {
  const routes = Map.groupBy(operations, ({ http }) => `${http.method} ${http.path}`);
  return [...routes.values()].flatMap((members): UploadRoute[] => {
    const [first, ...others] = members.toSorted((one, other) => rank(one) - rank(other));
    return first ? [[first, ...others]] : [];
  });
}

function rank({ http }: UploadOperation): number {
  return http.command === undefined ? 0 : 1;
}

/** Describes a route. Where several operations share it, the body matches one of them. */
export function describeUploadRoute(route: UploadRoute, components: Components): JsonSchema {
  const [usual, ...others] = route;
  const parameters = parametersOf(usual);
  const body = bodyOf(route, components);
  return {
    operationId: usual.id,
    summary: others.length > 0 ? `${usual.summary}, or in segments` : usual.summary,
    description: notes(route).join('\n\n'),
    tags: [titleOf(resourceOf(usual))],
    security: components.security(['oauth1']),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body ? { requestBody: body } : {}),
    responses: responsesOf(route, components),
    'x-rate-limit': rateLimitFacts(usual.rateLimit),
    ...(others.length > 0 ? { 'x-commands': Object.fromEntries(others.map(commandFacts)) } : {}),
  };
}

function commandFacts({ id, http, summary, rateLimit }: UploadOperation): [string, JsonSchema] {
  return [http.command ?? '', { operation: id, summary, 'x-rate-limit': rateLimitFacts(rateLimit) }];
}

function notes(route: UploadRoute): readonly string[] {
  const [usual, ...others] = route;
  const steps = route.map(({ http, summary, description }) => {
    const name = http.command === undefined ? 'Without `command`' : `\`${http.command}\``;
    return `- ${name}: ${[summary, description ?? []].flat().join('. ').replace(/\.$/, '')}.`;
  });
  return [
    ...(others.length > 0
      ? [`The parameter \`command\` selects the step.\n\n${steps.join('\n')}`]
      : (usual.description ?? [])),
    ...(isRead(usual) ? [] : ['Parameters can stand in the query instead. Those of a body with parts are not signed.']),
    uploadersProof,
  ].flat();
}

function parametersOf(operation: UploadOperation): readonly JsonSchema[] {
  const inPath = pathParameters(operation);
  const example = exampleParams(operation);
  const { command } = operation.http;
  const named = fieldsOf(operation.params).flatMap((field): JsonSchema[] => {
    if (inPath.includes(field[0])) return [pathParameter(field, example)];
    return isRead(operation) ? [queryParameter(field, example)] : [];
  });
  return isRead(operation) && command !== undefined ? [...named, commandParameter(command)] : named;
}

/** A read does one thing only, so its command is implied. */
function commandParameter(command: string): JsonSchema {
  return {
    name: 'command',
    in: 'query',
    description: 'Can be left out.',
    schema: { type: 'string', enum: [command] },
    example: command,
  };
}

const TEXT_TYPES = ['application/x-www-form-urlencoded', 'application/json'] as const;

function bodyOf(route: UploadRoute, components: Components): JsonSchema | undefined {
  const members = route.filter(takesBody);
  if (members.length === 0) return undefined;
  const isShared = route.length > 1;
  const alternatives = (where: Where) => {
    const [first, ...others] = members.map((operation) => alternative(operation, where, isShared, components));
    return others.length > 0 ? { oneOf: [first, ...others] } : first;
  };
  const text = { schema: alternatives('text'), examples: examplesOf(members, 'text') };
  const lists = members.flatMap(({ params }) =>
    fieldsOf(params).filter(([, field]) => wireTypeOf(field)?.kind === 'list'),
  );
  const encoding = Object.fromEntries(lists.map(([name]) => [name, { style: 'form', explode: false }]));
  const withLists = Object.keys(encoding).length > 0 ? { encoding } : {};
  const parts = examplesOf(members, 'parts');
  return {
    required: true,
    content: {
      'multipart/form-data': {
        schema: alternatives('parts'),
        ...(Object.keys(parts).length > 0 ? { examples: parts } : {}),
        ...withLists,
      },
      [TEXT_TYPES[0]]: { ...text, ...withLists },
      [TEXT_TYPES[1]]: text,
    },
  };
}

function takesBody(operation: UploadOperation): boolean {
  if (isRead(operation)) return false;
  return operation.http.command !== undefined || operation.bytes !== undefined || bodyFields(operation).length > 0;
}

function bodyFields(operation: UploadOperation) {
  const inPath = pathParameters(operation);
  return fieldsOf(operation.params).filter(([name]) => !inPath.includes(name));
}

/** A part can contain bytes as they are; texts contain them in base64. */
type Where = 'parts' | 'text';

function alternative(operation: UploadOperation, where: Where, isShared: boolean, components: Components): JsonSchema {
  const { id, http, bytes, version } = operation;
  const { properties, required, additionalProperties, ...others } = objectSchema(bodyFields(operation), 'json');
  const command = http.command === undefined ? {} : { command: { type: 'string', const: http.command } };
  const needed = [...Object.keys(command), ...(Array.isArray(required) ? required : [])];
  const held = bytes ? bytesOf(bytes, where) : {};
  // Version 1.1 ignores unknown parameters, so only the absence of `command` distinguishes the first of its operations.
  const isBare = isShared && http.command === undefined;
  const schema = {
    ...others,
    properties: { ...command, ...(typeof properties === 'object' ? properties : {}), ...held },
    ...(needed.length > 0 ? { required: needed } : {}),
    ...(bytes ? { oneOf: Object.keys(held).map(has) } : {}),
    ...(isBare ? { not: { properties: { command: {} }, required: ['command'] } } : {}),
    ...(version === '2' ? { additionalProperties } : {}),
  };
  return components.define(`${pascalCase(id)}${bytes && where === 'parts' ? 'Parts' : 'Parameters'}`, schema);
}

/** Returns the schema of an object with a text of this name. */
function has(name: string): JsonSchema {
  return { properties: { [name]: { type: 'string' } }, required: [name] };
}

function bytesOf({ part, base64, max_bytes }: NonNullable<UploadOperation['bytes']>, where: Where): JsonSchema {
  const encoded = { type: 'string', contentEncoding: 'base64', minLength: 1 };
  const description = `The bytes, up to ${max_bytes}`;
  return {
    [part]:
      where === 'parts'
        ? { type: 'string', contentMediaType: 'application/octet-stream', description: `${description}.` }
        : { ...encoded, description: `${description}, in base64.` },
    ...(base64 === undefined ? {} : { [base64]: { ...encoded, description: `${description}, in base64.` } }),
  };
}

function examplesOf(members: readonly UploadOperation[], where: Where): JsonSchema {
  return Object.fromEntries(
    members.flatMap((operation) => {
      const { id, summary, http, bytes } = operation;
      // Raw bytes have no representation in a document.
      if (bytes && where === 'parts') return [];
      const inPath = pathParameters(operation);
      const params = Object.entries(exampleParams(operation)).filter(([name]) => !inPath.includes(name));
      const value = {
        ...(http.command === undefined ? {} : { command: http.command }),
        ...Object.fromEntries(params),
        ...(bytes ? { [bytes.base64 ?? bytes.part]: EXAMPLE_BYTES } : {}),
      };
      return [[id, { summary, value }] as const];
    }),
  );
}

function responsesOf(route: UploadRoute, components: Components): Readonly<Record<number, JsonSchema>> {
  const [{ version }] = route;
  const style = version === '2' ? uploadProblems : uploadErrors;
  const names = [...new Set(route.flatMap(errorsOf))];
  return {
    ...Object.fromEntries(route.map((operation) => [operation.http.status ?? 200, success(operation, components)])),
    ...errorResponses(names, style, components, {
      headers: (status) => errorHeaders(callerHeaders, status),
    }),
  };
}

function success(operation: UploadOperation, components: Components): JsonSchema {
  const { http, summary, envelope } = operation;
  const description = http.command === undefined ? `${summary}.` : `\`${http.command}\`: ${summary}.`;
  const head = { description, ...components.headers(callerHeaders) };
  if (envelope === 'nothing') return head;
  const one = components.entity(operation.data);
  const schema = envelope === 'data' ? { type: 'object', properties: { data: one }, required: ['data'] } : one;
  return { ...head, content: { 'application/json': { schema, example: exampleAnswer(operation) } } };
}
