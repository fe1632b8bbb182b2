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
    ...route.flatMap(({ bytes }) => (bytes ? base64Note(bytes) : [])).slice(0, 1),
    ...(isRead(usual) ? [] : ['Parameters can stand in the query instead. Those of a body with parts are not signed.']),
    uploadersProof,
  ].flat();
}

/** The other way to send bytes. */
function base64Note({ part, base64 = part }: NonNullable<UploadOperation['bytes']>): string {
  return `A form or JSON, of which \`${base64}\` is the bytes in base64, is taken as well as parts.`;
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

function bodyOf(route: UploadRoute, components: Components): JsonSchema | undefined {
  const members = route.filter(takesBody);
  if (members.length === 0) return undefined;
  const schema = components.define(`${pascalCase(route[0].id)}Parameters`, bodySchema(members));
  const examples = examplesOf(members);
  const content = { schema, ...(Object.keys(examples).length > 0 ? { examples } : {}) };
  if (!members.some(({ bytes }) => bytes)) return { required: true, content: { 'application/json': content } };
  const lists = members.flatMap(({ params }) =>
    fieldsOf(params).filter(([, field]) => wireTypeOf(field)?.kind === 'list'),
  );
  const encoding = Object.fromEntries(lists.map(([name]) => [name, { style: 'form', explode: false }]));
  const parts = { ...content, ...(lists.length > 0 ? { encoding } : {}) };
  return { required: true, content: { 'multipart/form-data': parts } };
}

function takesBody(operation: UploadOperation): boolean {
  if (isRead(operation)) return false;
  return operation.http.command !== undefined || operation.bytes !== undefined || bodyFields(operation).length > 0;
}

function bodyFields(operation: UploadOperation) {
  const inPath = pathParameters(operation);
  return fieldsOf(operation.params).filter(([name]) => !inPath.includes(name));
}

/**
 * The schema of the body of a route. Steps that share it have one object, since generators send no parts of a choice of objects; a
 * condition, which generators pass over, says which parameters a step takes.
 */
function bodySchema(members: readonly UploadOperation[]): JsonSchema {
  const [bare, ...others] = members.map(stepSchema);
  if (others.length === 0) return bare ?? {};
  const commands = members.flatMap(({ http }) => http.command ?? []);
  const command = { type: 'string', enum: commands, description: 'The step; left out to upload at once.' };
  const properties = Object.assign({}, ...[...others, bare].map((step) => step?.['properties']));
  return {
    type: 'object',
    properties: { command, ...properties },
    if: having('command'),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: {
      oneOf: others.map((step, index) => {
        const { properties: present, required } = having(...namesIn(step['required']));
        return { properties: { ...present, command: { const: commands[index] } }, required };
      }),
    },
    else: having(...namesIn(bare?.['required'])),
  };
}

/** The schema of an object that has members of these names. */
function having(...names: readonly string[]) {
  return { properties: Object.fromEntries(names.map((name) => [name, {}])), required: names };
}

function namesIn(required: unknown): readonly string[] {
  return Array.isArray(required) ? required.map(String) : [];
}

function stepSchema(operation: UploadOperation): JsonSchema {
  const { bytes, version } = operation;
  const { properties, required, additionalProperties, ...others } = objectSchema(bodyFields(operation), 'request');
  const held = bytes ? bytesOf(bytes) : {};
  const needed = [...Object.keys(held), ...namesIn(required)];
  return {
    ...others,
    properties: { ...(typeof properties === 'object' ? properties : {}), ...held },
    ...(needed.length > 0 ? { required: needed } : {}),
    // Version 1.1 ignores unknown parameters.
    ...(version === '2' ? { additionalProperties } : {}),
  };
}

/** The part that contains the bytes as they are: `format` for generators that know binary strings by it only. */
function bytesOf({ part, max_bytes }: NonNullable<UploadOperation['bytes']>): JsonSchema {
  const contentMediaType = 'application/octet-stream';
  return {
    [part]: { type: 'string', format: 'binary', contentMediaType, description: `The bytes, up to ${max_bytes}.` },
  };
}

/** Examples of bodies without bytes, which have no representation in a document. */
function examplesOf(members: readonly UploadOperation[]): JsonSchema {
  return Object.fromEntries(
    members.flatMap((operation) => {
      const { id, summary, http, bytes } = operation;
      if (bytes) return [];
      const inPath = pathParameters(operation);
      const params = Object.entries(exampleParams(operation)).filter(([name]) => !inPath.includes(name));
      const value = { ...(http.command === undefined ? {} : { command: http.command }), ...Object.fromEntries(params) };
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
