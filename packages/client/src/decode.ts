/**
 * From an answer to typed results, by the contract's schemas: amounts and other 64-bit numbers are `bigint` whatever their
 * size. A server may be newer than this client, so members that the contract does not know are kept as they came, and a
 * new word of an enumeration or a figure beyond known bounds passes. A member that is missing or of another kind does not.
 */
import {
  type AuthOperation,
  type DataOperation,
  type ErrorName,
  errorStatus,
  innerType,
  type Lookup,
  type Operation,
  parseJson,
  type UploadOperation,
  type WireError,
  type WireProblem,
  wireTypeOf,
} from '@broadside/core';
import { formPairs } from '@broadside/core/auth';
import { elementOf, isObjectSchema, membersOf, type Schema } from './schema.ts';

/** The answer does not fit the contract. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError';
}

type Members = Readonly<Record<string, unknown>>;

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The body of an answer as JSON data, whole numbers exact; `undefined` when it is not JSON. */
export function readJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** What a successful answer holds: an entity, an array, or a page. @throws ShapeError */
export function decodeOutcome(operation: Operation, text: string): unknown {
  const body = readJson(text);
  if (!isMembers(body) || !('data' in body)) throw new ShapeError('it is not a JSON object with "data"');
  const { data, next_cursor = null, total_count } = body;
  if (operation.envelope === 'entity') return decode(operation.data, data, 'data');
  if (!Array.isArray(data)) throw new ShapeError('"data" is not a list');
  const entities = data.map((item: unknown, index) => decode(operation.data, item, `data[${index}]`));
  if (operation.envelope !== 'list') return entities;
  if (next_cursor !== null && typeof next_cursor !== 'string') throw new ShapeError('"next_cursor" is no cursor');
  if (total_count === undefined) return { data: entities, next_cursor };
  if (typeof total_count !== 'number') throw new ShapeError('"total_count" is no number');
  return { data: entities, next_cursor, total_count };
}

/** What a step of an upload gives. @throws ShapeError */
export function decodeUpload({ envelope, data: schema }: UploadOperation, text: string): unknown {
  if (envelope === 'nothing') return {};
  const body = readJson(text);
  if (!isMembers(body)) throw new ShapeError('it is not a JSON object');
  return envelope === 'data' ? decode(schema, body['data'], 'data') : decode(schema, body, '');
}

/** What data retrieval gives. @throws ShapeError */
export function decodeLookup(operation: DataOperation, text: string): Lookup<unknown, unknown> {
  const body = readJson(text);
  if (!isMembers(body)) throw new ShapeError('it is not a JSON object');
  const { data, includes, errors } = body;
  if (data !== undefined && !Array.isArray(data)) throw new ShapeError('"data" is not a list');
  if (errors !== undefined && !isProblems(errors)) throw new ShapeError('"errors" is not a list of problems');
  return {
    ...(data === undefined
      ? {}
      : { data: data.map((item: unknown, index) => decode(operation.data, item, `data[${index}]`)) }),
    ...(includes === undefined ? {} : { includes: decode(operation.includes, includes, 'includes') }),
    ...(errors === undefined ? {} : { errors: [...errors] }),
  };
}

function isProblems(value: unknown): value is readonly WireProblem[] {
  return Array.isArray(value) && value.every(isProblem);
}

function isProblem(value: unknown): value is Problem {
  return isMembers(value) && ['type', 'title', 'detail'].every((name) => typeof value[name] === 'string');
}

/** What an endpoint of authentication gives: the members of a form or of a JSON object. @throws ShapeError */
export function decodeGrant(operation: AuthOperation, text: string): unknown {
  if (operation.envelope === 'object') {
    const body = readJson(text);
    if (!isMembers(body)) throw new ShapeError('it is not a JSON object');
    return decode(operation.data, body, '');
  }
  const pairs = formPairs(text, MAX_MEMBERS);
  if (pairs === undefined || pairs === 'too many') throw new ShapeError('it is not form-encoded');
  return decode(operation.data, Object.fromEntries(pairs), '');
}

/** A form of so many members is none that this client asked for. */
const MAX_MEMBERS = 100;

function decode(schema: Schema, value: unknown, at: string): unknown {
  const bare = unwrapped(schema);
  if (isObjectSchema(bare) && isMembers(value)) return decodeMembers(bare, value, at);
  const element = elementOf(bare);
  if (element && Array.isArray(value)) {
    return value.map((item: unknown, index) => decode(element, item, `${at}[${index}]`));
  }
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const tolerated = tolerate(wireTypeOf(schema)?.kind, value);
  if (tolerated !== undefined) return tolerated;
  throw new ShapeError(value === undefined ? `"${at}" is missing` : `"${at}" is not what the contract says`);
}

function decodeMembers(schema: Parameters<typeof membersOf>[0], value: Members, at: string): Members {
  const decoded: Record<string, unknown> = { ...value };
  for (const [name, member] of membersOf(schema)) {
    const result = decode(member, value[name], at === '' ? name : `${at}.${name}`);
    if (result !== undefined) decoded[name] = result;
  }
  return decoded;
}

function unwrapped(schema: Schema): Schema {
  const inner = innerType(schema);
  return inner ? unwrapped(inner) : schema;
}

/** The value, if it is of the right kind though not one that this version of the contract knows. */
function tolerate(kind: NonNullable<ReturnType<typeof wireTypeOf>>['kind'] | undefined, value: unknown): unknown {
  switch (kind) {
    case 'text':
    case 'enum':
    case 'time':
    case 'instant':
      return typeof value === 'string' ? value : undefined;
    case 'decimal':
      return typeof value === 'number' ? value : undefined;
    case 'int':
      return Number.isSafeInteger(value) ? value : undefined;
    case 'long':
      if (typeof value === 'bigint') return value;
      return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : undefined;
    case 'list':
      return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;
    default:
      return undefined;
  }
}

/** Why the server refused. */
export interface Reasons {
  readonly errors: readonly WireError[];
  readonly operation_errors?: readonly (readonly WireError[])[];
  readonly request: unknown;
  readonly problem?: Problem;
}

/** A refusal of data retrieval as a whole. */
export interface Problem {
  /** An address that stands for the kind of problem; `about:blank` where the status says it all. */
  readonly type: string;
  readonly title: string;
  readonly detail: string;
}

/** Reads the body of a refusal; `undefined` when it is not one of the contract. */
export function readReasons(status: number, text: string): Reasons | undefined {
  const body = readJson(text);
  if (!isMembers(body)) return undefined;
  if (isProblem(body)) return reasonsOf(status, body);
  const { errors = [], operation_errors, request } = body;
  if (!isErrors(errors)) return undefined;
  if (operation_errors === undefined) return errors.length === 0 ? undefined : { errors, request };
  if (!Array.isArray(operation_errors) || !operation_errors.every(isErrors)) return undefined;
  return { errors, operation_errors, request };
}

/** Problems have no codes; they get those that the other interfaces have for the same. */
const PROBLEM_CODES: readonly ErrorName[] = [
  'INVALID_PARAMETER',
  'UNAUTHORIZED_ACCESS',
  'UNAUTHORIZED_CLIENT_APPLICATION',
  'ROUTE_NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'REQUEST_TOO_LARGE',
  'UNSUPPORTED_CONTENT_TYPE',
  'TOO_MANY_REQUESTS',
];

function reasonsOf(status: number, body: Problem & Members): Reasons {
  const { type, title, detail, errors } = body;
  const code = PROBLEM_CODES.find((name) => errorStatus(name) === status) ?? 'INTERNAL_ERROR';
  const causes: readonly unknown[] = Array.isArray(errors) ? errors : [];
  const told = causes.flatMap((cause) => reasonOf(code, cause));
  return {
    errors: told.length > 0 ? told : [{ code, message: detail }],
    request: undefined,
    problem: { type, title, detail },
  };
}

/** An entry of `errors`: with a code for a token that is no longer valid, otherwise with parameters and their values. */
function reasonOf(code: ErrorName, cause: unknown): WireError[] {
  if (isWireError(cause)) return [cause];
  if (!isMembers(cause) || typeof cause['message'] !== 'string') return [];
  const { message, parameters } = cause;
  const [[parameter, values] = []] = isMembers(parameters) ? Object.entries(parameters) : [];
  if (parameter === undefined) return [{ code, message }];
  const value: unknown = Array.isArray(values) && values.length > 0 ? values[0] : undefined;
  return [{ code, message, parameter, ...(value === undefined ? {} : { value }) }];
}

function isErrors(value: unknown): value is readonly WireError[] {
  return Array.isArray(value) && value.every(isWireError);
}

function isWireError(value: unknown): value is WireError {
  if (!isMembers(value) || typeof value['message'] !== 'string') return false;
  return typeof value['code'] === 'string' || typeof value['code'] === 'number';
}
