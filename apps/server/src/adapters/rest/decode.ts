/**
 * From an HTTP request to raw parameters. They come from the path, the query, a form body or a JSON body (DESIGN section 3);
 * each name once. Later stages do not depend on where a parameter came from.
 */
import { type AnyOperation, ApiError, type Issue, jsonFaultMessage, type RawParams, readJson } from '@broadside/core';
import type { ParsedRequest } from '@broadside/core/auth';

/** Parameters by name, and the body of a batch. */
export interface DecodedParams {
  readonly params: RawParams;
  readonly items?: unknown;
  readonly json?: Uint8Array;
}

/** A request, as far as parameters come from it. */
export interface HttpInput {
  readonly operation: AnyOperation;
  readonly parsed: ParsedRequest;
  readonly path: Readonly<Record<string, string>>;
  readonly contentType: string | undefined;
  readonly body: string | undefined;
  /** The body of a batch of users. */
  readonly bytes?: Uint8Array | undefined;
}

/** @throws ApiError when a name is repeated, or the body does not match its content type. */
export function decodeParams({ operation, parsed, path, contentType, body, bytes }: HttpInput): DecodedParams {
  const params: Record<string, unknown> = Object.create(null);
  const issues: Issue[] = [];
  const isJson = operation.body === 'json';
  const put = (name: string, value: unknown) => {
    if (name in params) issues.push(twice(name, value));
    else params[name] = value;
  };
  for (const name of Object.keys(path)) put(name, path[name]);
  for (const [name, value] of parsed.query) {
    if (isJson && !(name in params)) issues.push(misplaced(name, value));
    else put(name, value);
  }
  for (const [name, value] of parsed.form) put(name, value);
  const json = readJsonBody(contentType, body);
  if (operation.batch) {
    const [first, ...others] = issues;
    if (first) throw new ApiError(first, ...others);
    if (bytes && bytes.length > 0) {
      requireJson(contentType);
      return { params, json: bytes };
    }
    if (json === undefined) {
      throw new ApiError({
        error: 'UNSUPPORTED_CONTENT_TYPE',
        message: 'A batch is a JSON array in the body, with Content-Type: application/json',
      });
    }
    return { params, items: json };
  }
  if (isJson && json === undefined) {
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
  if (typeOf(contentType) === 'application/json') return;
  throw new ApiError({
    error: 'UNSUPPORTED_CONTENT_TYPE',
    message: 'Send parameters in the query, as application/x-www-form-urlencoded or as application/json',
    value: contentType,
  });
}

function readJsonBody(contentType: string | undefined, body: string | undefined): unknown {
  if (body === undefined || body === '') return undefined;
  if (typeOf(contentType) === 'application/x-www-form-urlencoded') return undefined;
  requireJson(contentType);
  const read = readJson(body);
  if (read.ok) return read.value ?? null;
  const { fault } = read;
  if (fault?.name !== undefined) throw new ApiError(twice(fault.name, undefined));
  throw new ApiError({ error: 'INVALID_PARAMETER', message: jsonFaultMessage(fault), details: 'body' });
}
