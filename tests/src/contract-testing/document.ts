/** An OpenAPI document, read without knowledge of the contract from which it was generated. */
import { z } from 'zod';

/** A part of a document: an object of JSON. */
export type Json = Readonly<Record<string, unknown>>;

/** A value in a request: a parameter of path or query, or a member of a body. */
export interface Field {
  readonly name: string;
  readonly in: 'path' | 'query' | 'body';
  readonly schema: Json;
}

/** Description of an operation in a document. */
export interface Described {
  readonly id: string;
  readonly method: string;
  /** With the names of parameters in braces. */
  readonly path: string;
  readonly fields: readonly Field[];
  /** The media types of bodies. */
  readonly bodyTypes: readonly string[];
  /** The names of the headers of each response. */
  readonly answers: ReadonlyMap<number, readonly string[]>;
}

const JsonObject = z.record(z.string(), z.unknown());

const Operation = z.looseObject({
  operationId: z.string(),
  parameters: z
    .array(
      z.looseObject({
        name: z.string(),
        in: z.enum(['path', 'query']),
        schema: JsonObject,
      }),
    )
    .default([]),
  requestBody: z.looseObject({ content: z.record(z.string(), z.looseObject({ schema: JsonObject })) }).optional(),
  responses: z.record(z.string(), z.looseObject({ headers: JsonObject.default({}) })),
});

const Body = z.looseObject({
  properties: z.record(z.string(), JsonObject).default({}),
});

/** All operations of a document, read off its paths. */
export function operationsOf(document: Json): Described[] {
  return Object.entries(objectAt(document, 'paths')).flatMap(([path, methods]) =>
    Object.entries(JsonObject.parse(methods)).map(([method, value]): Described => {
      const { operationId, parameters, requestBody, responses } = Operation.parse(value);
      const [content] = Object.values(requestBody?.content ?? {});
      return {
        id: operationId,
        method: method.toUpperCase(),
        path,
        fields: [...parameters, ...(content ? membersOf(resolved(document, content.schema)) : [])],
        bodyTypes: Object.keys(requestBody?.content ?? {}),
        answers: new Map(
          Object.entries(responses).map(([status, { headers }]) => [Number(status), Object.keys(headers)]),
        ),
      };
    }),
  );
}

function membersOf(schema: Json): Field[] {
  const { properties } = Body.parse(schema);
  return Object.entries(properties).map(([name, member]) => ({
    name,
    in: 'body',
    schema: member,
  }));
}

function objectAt(part: Json, name: string): Json {
  const found = part[name];
  if (!isPart(found)) throw new TypeError(`the document has no ${name}`);
  return found;
}

/** A schema in place of a reference to it. */
function resolved(document: Json, schema: Json): Json {
  const { $ref } = schema;
  if (typeof $ref !== 'string') return schema;
  return $ref.replace(/^#\//, '').split('/').reduce(objectAt, document);
}

/** A part of a copy, for changing. */
type Part = Record<string, unknown>;

/** Returns whether a value has members. */
function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null;
}

/**
 * A copy of a document in which some parts are changed: those that the names lead to, of which `*` is any.
 * @throws TypeError when there are none
 */
export function altered(document: Json, names: readonly string[], change: (part: Part) => void): Part {
  const copy: Part = structuredClone({ ...document });
  const found = partsAlong(copy, names);
  if (found.length === 0) throw new TypeError(`the document has nothing at ${names.join('/')}`);
  for (const part of found) change(part);
  return copy;
}

function partsAlong(part: Part, names: readonly string[]): Part[] {
  return names.reduce((parts, name) => parts.flatMap((one) => partsAt(one, name)), [part]);
}

function partsAt(part: Part, name: string): Part[] {
  return (name === '*' ? Object.values(part) : [part[name]]).filter(isPart);
}

/** One of several parts of a document, each with as many of its operations as the others. */
export interface Shard {
  /** From 0. */
  readonly index: number;
  readonly count: number;
}

/** A copy of a document with the operations of a shard. */
export function shardOf(document: Json, { index, count }: Shard): Json {
  let position = 0;
  return withOnly(document, () => position++ % count === index);
}

/** A copy of a document with some of its operations. */
export function withOnly(document: Json, kept: (operation: Json) => boolean): Json {
  const paths = Object.entries(objectAt(document, 'paths')).map(([path, methods]) => {
    const operations = Object.entries(JsonObject.parse(methods));
    return [path, Object.fromEntries(operations.filter(([, operation]) => kept(JsonObject.parse(operation))))] as const;
  });
  return { ...document, paths: Object.fromEntries(paths.filter(([, methods]) => Object.keys(methods).length > 0)) };
}

const ANSWERS = ['paths', '*', '*', 'responses', '*'] as const;

/** Changes every response of every operation. */
export function withAnswers(document: Json, change: (answer: Part) => void): Part {
  return altered(document, ANSWERS, change);
}

/** Changes the contents of every response, by media type. */
export function withContents(document: Json, change: (content: Part) => void): Part {
  return altered(document, [...ANSWERS, 'content', '*'], change);
}

/**
 * A stricter document: an object of a response has no members but those that are named, and a header
 * that is named is there, unless a description beside the reference to it says when. It names the dialect of its schemas too:
 * without, the tester takes them for an older one, and rejects numbers beyond 2^53.
 */
export function strictly(document: Json): Json {
  const closed = new Set<unknown>();
  const close = (part: unknown): void => {
    if (!isPart(part) || closed.has(part)) return;
    closed.add(part);
    if (typeof part['$ref'] === 'string') close(resolved(strict, part));
    if (part['type'] === 'object' && isPart(part['properties'])) part['additionalProperties'] ??= false;
    for (const member of Object.values(part)) close(member);
  };
  const strict = withAnswers(document, (answer) => {
    for (const header of partsAlong(answer, ['headers', '*'])) {
      if (header['description'] === undefined) header['required'] = true;
    }
  });
  for (const content of partsAlong(strict, [...ANSWERS, 'content', '*'])) close(content['schema']);
  return { ...strict, jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema' };
}
