/**
 * Writes results of operations as the data of tRPC, in one pass: the members of the contract, with the marks of the data
 * transformer where JSON cannot represent a value. The same text as `wireTransformer` gives with the members cut to the contract.
 */
import {
  type AnyOperation,
  isLookupResult,
  JsonText,
  parseJson,
  quoteJson,
  rememberingSerializersOf,
  type Serializer,
  serializersOf,
  stringifyJson,
  wireProblem,
} from '@broadside/core';
import { wireTransformer } from '@broadside/core/trpc';

const taggedOf = rememberingSerializersOf(serializersOf(writeValue));

/** Writes the result of an operation; `undefined` for one that has none. */
export type ResultWriter = (value: unknown) => string | undefined;

const writers = new WeakMap<AnyOperation, ResultWriter>();

/**
 * Returns the writer of an operation's results, made once.
 * @throws TypeError (the writer) when a list returned no page, or values or a batch no array: a bug in the handler
 */
export function resultWriterOf(operation: AnyOperation): ResultWriter {
  const known = writers.get(operation);
  if (known) return known;
  const made = makeWriter(operation);
  writers.set(operation, made);
  return made;
}

function makeWriter(operation: AnyOperation): ResultWriter {
  const one = taggedOf(operation.data);
  const many = (values: unknown): string => {
    if (!Array.isArray(values)) throw new TypeError(`${operation.id} returned no array`);
    let text = '';
    for (const value of values) text += text === '' ? one(value) : `,${one(value)}`;
    return `[${text}]`;
  };
  switch (operation.envelope) {
    case 'entity':
    case 'message':
    case 'form':
    case 'object':
    case 'bare':
    case 'data':
    case 'nothing':
      return (value) => (value === undefined ? undefined : one(value));
    case 'lookup':
      return lookupWriter(many, taggedOf(operation.includes));
    case 'values':
    case 'batch':
      return many;
    case 'list':
      return (page) => {
        if (!isPage(page)) throw new TypeError(`${operation.id} returned no page`);
        const { data, next_cursor, total_count } = page;
        const total = total_count === undefined ? '' : `,"total_count":${writeValue(total_count)}`;
        return `{"data":${many(data)},"next_cursor":${writeValue(next_cursor)}${total}}`;
      };
  }
}

interface Page {
  readonly data: unknown;
  readonly next_cursor: unknown;
  readonly total_count?: unknown;
}

function isPage(value: unknown): value is Page {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && 'next_cursor' in value;
}

function lookupWriter(many: Serializer, includes: Serializer): ResultWriter {
  return (result) => {
    if (!isLookupResult(result)) throw new TypeError('a lookup returns data, includes and problems');
    const { data, problems, baseUrl } = result;
    const parts: string[] = [];
    if (data.length > 0) parts.push(`"data":${many(data)}`);
    if (Object.keys(result.includes).length > 0) parts.push(`"includes":${includes(result.includes)}`);
    if (problems.length > 0) {
      parts.push(`"errors":${stringifyJson(problems.map((problem) => wireProblem(problem, baseUrl)))}`);
    }
    return `{${parts.join(',')}}`;
  };
}

/** Writes a value that is no object or list of the contract. @throws RangeError for a number that JSON cannot represent */
function writeValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return quoteJson(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'bigint':
      return `{"$bigint":"${value}"}`;
    case 'number':
      if (Number.isFinite(value)) return String(value);
      break;
    case 'object':
      if (value === null) return 'null';
      if (value instanceof JsonText) return tagged(value);
  }
  return JSON.stringify(wireTransformer.serialize(value)) ?? 'null';
}

/** A whole number that a double may not hold, outside of a text; also in some texts, for which the long way is taken. */
const LONG_NUMBER = /(?:^|[:[,])\s*-?\d{16}/;

/** Stored JSON as data: as it is, unless a part of it may need a mark. */
function tagged({ text }: JsonText): string {
  if (!text.includes('"$') && !LONG_NUMBER.test(text)) return text;
  return JSON.stringify(wireTransformer.serialize(parseJson(text)));
}
