/** From typed parameters to a request: the wire habits of specification A, read from the thin contract. */
import { type Pair, percentEncode } from '@broadside/core/auth';
import type { ThinOperation, ThinUploadOperation } from '@broadside/core/thin';
import { stringifyJson } from '@broadside/core/wire';
import { CallError } from './errors.ts';
import { blobOf } from './media-bytes.ts';

/** A value that a query string or a form can carry. */
export type ParamValue = string | number | bigint | boolean | Date | null | readonly ParamValue[];

/** Parameters by name; those that are `undefined` are not sent. */
export type Params = Readonly<Record<string, unknown>>;

/** A request before it has an address and a signature. */
export interface EncodedRequest {
  readonly method: string;
  /** Encoded, without query. */
  readonly path: string;
  readonly query: readonly Pair[];
  readonly form?: readonly Pair[];
  /** JSON text. */
  readonly json?: string;
  /** A body with parts. */
  readonly parts?: FormData;
}

/**
 * Encodes a call. Parameters of a read or a DELETE go into the query; those of a POST or PUT into a form body, so that
 * names and money do not end up in access logs; the operations of a batch are the JSON body, and what only JSON can hold is
 * an object in it.
 *
 * @throws CallError when a value cannot be sent without changing it, or a part of the path is missing
 */
export function encodeCall(operation: ThinOperation, params: Params): EncodedRequest {
  const { method, removable = [] } = operation;
  const inPath = new Set<string>();
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) => {
    inPath.add(name);
    return encodeSegment(name, params[name]);
  });
  const { body, batch } = operation.kind === 'ads' ? operation : {};
  if (body === 'json') {
    const members = Object.entries(params).filter(([name, value]) => value !== undefined && !inPath.has(name));
    return {
      method,
      path,
      query: [],
      json: stringifyJson(Object.fromEntries(members.map(([name, value]) => [name, plain(value, name)]))),
    };
  }
  const items = batch ? 'operations' : undefined;
  const pairs = Object.entries(params).flatMap(([name, value]): Pair[] => {
    if (value === undefined || inPath.has(name) || name === items) return [];
    if (value === null && !removable.includes(name)) {
      throw new CallError(`"${name}" cannot be removed, so it cannot be null. Leave it out instead.`, name);
    }
    return [[name, encodeValue(name, value)]];
  });
  if (items !== undefined) return { method, path, query: pairs, json: encodeJson(params[items] ?? null, items) };
  if (method === 'GET' || method === 'DELETE') return { method, path, query: pairs };
  return { method, path, query: [], form: pairs };
}

/**
 * Encodes a step of an upload. Bytes are a part of the body; the parameters beside them go into the query, which the signature
 * covers, as it does not cover parts.
 *
 * @throws CallError as {@link encodeCall}, and when there are no bytes
 */
export function encodeUpload(operation: ThinUploadOperation, params: Params): EncodedRequest {
  const { part } = operation;
  const command: Pair[] = operation.command === undefined ? [] : [['command', operation.command]];
  const { media, ...others } = params;
  const encoded = encodeCall(operation, part === undefined ? params : others);
  if (part === undefined) {
    return encoded.form
      ? { ...encoded, form: [...command, ...encoded.form] }
      : { ...encoded, query: [...command, ...encoded.query] };
  }
  const parts = new FormData();
  parts.append(part, blobOf(media), 'media');
  const { method, path, form = [] } = encoded;
  return { method, path, query: [...command, ...form], parts };
}

/** Encodes parameters that no contract describes; `null` is an empty value. @throws CallError */
export function encodePairs(params: Params | undefined): Pair[] {
  return Object.entries(params ?? {}).flatMap(([name, value]): Pair[] =>
    value === undefined ? [] : [[name, encodeValue(name, value)]],
  );
}

/** JSON text with every digit of a `bigint` and dates in ISO form. @throws CallError */
export function encodeJson(value: unknown, name: string): string {
  return stringifyJson(plain(value, name));
}

function encodeSegment(name: string, value: unknown): string {
  const text = value === undefined || value === null ? '' : encodeValue(name, value);
  // URL parsers take dot segments away, so the request would go to another path.
  if (text === '' || text === '.' || text === '..') {
    throw new CallError(
      `"${name}" is part of the path and must be an id, not ${JSON.stringify(value) ?? 'missing'}.`,
      name,
    );
  }
  return percentEncode(text);
}

function encodeValue(name: string, value: unknown): string {
  if (value === null) return '';
  if (Array.isArray(value)) return value.map((item: unknown) => encodeItem(name, item)).join(',');
  const scalar = plainScalar(value, name);
  if (scalar === undefined) {
    throw new CallError(`"${name}" must be text, a number, a bigint, a boolean, a Date or a list of these.`, name);
  }
  return String(scalar);
}

function encodeItem(name: string, item: unknown): string {
  const text = Array.isArray(item) || item === null || item === undefined ? undefined : encodeValue(name, item);
  if (text !== undefined && text !== '' && !text.includes(',')) return text;
  // Lists are joined with commas and have no way of escaping one.
  throw new CallError(`Each value of the list "${name}" must be text without a comma, a number or a date.`, name);
}

/** A value as JSON can carry it. `undefined` members are left out by the writer. */
function plain(value: unknown, name: string): unknown {
  if (value === null || value === undefined) return value;
  if (Array.isArray(value)) return value.map((item: unknown, index) => plain(item, `${name}[${index}]`));
  const scalar = plainScalar(value, name);
  if (scalar !== undefined) return scalar;
  if (typeof value !== 'object') throw new CallError(`"${name}" is a ${typeof value}, which JSON cannot carry.`, name);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member, `${name}.${key}`)]));
}

/** Text, numbers, booleans and dates in the form of the wire; `undefined` for anything else. */
function plainScalar(value: unknown, name: string): string | number | bigint | boolean | undefined {
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw new CallError(`"${name}" is not a valid date.`, name);
    return value.toISOString();
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new CallError(`"${name}" is ${value}; it must be a finite number.`, name);
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      throw new CallError(
        `"${name}" is above 2^53, where numbers are not exact. Give it as a bigint or as text.`,
        name,
      );
    }
    return value;
  }
  return typeof value === 'string' || typeof value === 'bigint' || typeof value === 'boolean' ? value : undefined;
}
