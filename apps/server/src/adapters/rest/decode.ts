/**
 * From an HTTP request to raw parameters. They come from the path, the query, a form body or a JSON body (DESIGN section 3),
 * for authentication also from the Authorization header; each name once. Later stages do not depend on where a parameter came from.
 */
import {
  type AnyOperation,
  ApiError,
  type Issue,
  jsonFaultMessage,
  type RawParams,
  type ReadJson,
  readJson,
  readJsonInSteps,
} from '@broadside/core';
import type { ParsedRequest } from '@broadside/core/auth';
import type { OperationDialect } from '@broadside/core/dialect';
import type { OtherNames } from '@broadside/core/resources/custom-audiences';
import * as z from 'zod';
import { inTurns } from '../../pace.ts';
import { isJsonAsForm, JSON_AS_FORM } from '../../pipeline/json-as-form.ts';
import { namesOf } from '../parameter-names.ts';

/** Parameters by name, and the body of a batch. */
export interface DecodedParams {
  readonly params: RawParams;
  readonly items?: unknown;
  readonly json?: Uint8Array;
  /** Names under which members of `json` may come beside their own. */
  readonly otherNames?: OtherNames;
}

/** A request, as far as parameters come from it. */
export interface HttpInput {
  readonly operation: AnyOperation;
  readonly parsed: ParsedRequest;
  readonly path: Readonly<Record<string, string>>;
  readonly contentType: string | undefined;
  readonly body: string | undefined;
  /** The body as JSON, where it was read before: see {@link readLargeJson}. */
  readonly read?: ReadJson | undefined;
  /** The body of a batch of users. */
  readonly bytes?: Uint8Array | undefined;
  /** The operation in the dialect of the request. */
  readonly dialect?: OperationDialect | undefined;
}

/** @throws ApiError when a name is repeated, or the body does not match its content type. */
export function decodeParams(input: HttpInput): DecodedParams {
  const { operation, parsed, path, contentType, body, bytes, dialect } = input;
  // As most reads are. An operation that needs a body says below what is missing.
  const isOfPath = parsed.query.length + parsed.form.length === 0 && !body && !bytes && dialect === undefined;
  if (isOfPath && operation.kind !== 'auth' && operation.body !== 'json' && !operation.batch) return { params: path };
  const params: Record<string, unknown> = Object.create(null);
  const issues: Issue[] = [];
  const isJson = operation.body === 'json';
  const put = (name: string, value: unknown) => {
    if (dialect === undefined && !(name in params)) params[name] = value;
    else if (dialect?.add(params, name, value, path) !== true && !restates(operation, path, name, value)) {
      issues.push(twice(name, value));
    }
  };
  for (const name of Object.keys(path)) put(name, path[name]);
  const names = namesOf(operation.params);
  for (const [sent, value] of parsed.query) {
    const name = names.get(sent) ?? sent;
    if (isJson && !((dialect?.nameOf(name) ?? name) in params)) issues.push(misplaced(name, value));
    else put(name, value);
  }
  if (parsed.form.length > 0 && isJsonAsForm({ contentType, body })) {
    throw new ApiError({ error: 'UNSUPPORTED_CONTENT_TYPE', message: JSON_AS_FORM, details: 'body' });
  }
  for (const [sent, value] of parsed.form) put(names.get(sent) ?? sent, value);
  // Of authentication, parameters beside those of the protocol may stand where these do (RFC 5849 section 3.5.1).
  if (operation.kind === 'auth') for (const [name, value] of parsed.header) put(name, value);
  const json = readJsonBody(contentType, body, input.read);
  if (operation.batch) {
    const [first, ...others] = issues;
    if (first) throw new ApiError(first, ...others);
    if (bytes && bytes.length > 0) {
      requireJson(contentType);
      return dialect ? { params, json: bytes, otherNames: dialect.otherNames } : { params, json: bytes };
    }
    if (json === undefined) {
      throw new ApiError({
        error: 'UNSUPPORTED_CONTENT_TYPE',
        message: 'A batch is a JSON array in the body, with Content-Type: application/json',
      });
    }
    return { params, items: dialect ? dialect.items(json) : json };
  }
  // Our choice: a request without a body has no parameters there, so that one of which all are optional needs none.
  const isEmpty = operation.kind === 'control' && !body;
  if (isJson && json === undefined && !isEmpty) {
    throw new ApiError({
      error: 'UNSUPPORTED_CONTENT_TYPE',
      message: 'The parameters are a JSON object in the body, with Content-Type: application/json',
    });
  }
  if (json !== undefined) {
    if (typeof json !== 'object' || json === null || Array.isArray(json)) {
      throw new ApiError({
        error: 'INVALID_PARAMETER',
        message: 'Expected a JSON object as the body',
        details: 'body',
      });
    }
    for (const [name, value] of Object.entries(json)) put(name, value);
  }
  const [first, ...others] = issues;
  if (first) throw new ApiError(first, ...others);
  return { params };
}

/** An update restates what is in its path where that is a member of the entity, such as a `media_key`. */
function restates({ http, data }: AnyOperation, path: HttpInput['path'], name: string, value: unknown): boolean {
  if (http?.method !== 'PUT' || !(data instanceof z.ZodObject) || !Object.hasOwn(data.shape, name)) return false;
  const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
  return isText && `${value}` === path[name];
}

function misplaced(name: string, value: string): Issue {
  return {
    error: 'INVALID_PARAMETER',
    parameter: name.slice(0, 100),
    value,
    message: `"${name.slice(0, 100)}" cannot stand here: the parameters of this operation come as JSON in the body`,
    details: 'misplaced parameter',
  };
}

function twice(name: string, value: unknown): Issue {
  return {
    error: 'INVALID_PARAMETER',
    parameter: name.slice(0, 100),
    ...(value === undefined ? {} : { value }),
    message: `"${name.slice(0, 100)}" is given more than once; send each parameter once`,
    details: 'duplicate parameter',
  };
}

function typeOf(contentType: string | undefined): string | undefined {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase();
}

function requireJson(contentType: string | undefined): void {
  if (isJsonType(contentType)) return;
  throw new ApiError({
    error: 'UNSUPPORTED_CONTENT_TYPE',
    message: 'Send parameters in the query, as application/x-www-form-urlencoded or as application/json',
    value: contentType,
  });
}

/** Characters of a body from which on it is read in turns: our choice, some milliseconds. */
const LARGE_JSON = 250_000;

/** Reads a large body of JSON, while other work goes on; `undefined` for every other body. */
export async function readLargeJson(
  contentType: string | undefined,
  body: string | undefined,
): Promise<ReadJson | undefined> {
  if (body === undefined || body.length < LARGE_JSON || !isJsonType(contentType)) return undefined;
  return inTurns(readJsonInSteps(body));
}

function isJsonType(contentType: string | undefined): boolean {
  return typeOf(contentType) === 'application/json';
}

function readJsonBody(contentType: string | undefined, body: string | undefined, known: ReadJson | undefined): unknown {
  if (body === undefined || body === '') return undefined;
  if (typeOf(contentType) === 'application/x-www-form-urlencoded') return undefined;
  requireJson(contentType);
  const read = known ?? readJson(body);
  if (read.ok) return read.value ?? null;
  const { fault } = read;
  if (fault.name !== undefined) throw new ApiError(twice(fault.name, undefined));
  throw new ApiError({ error: 'INVALID_PARAMETER', message: jsonFaultMessage(fault), details: 'body' });
}
