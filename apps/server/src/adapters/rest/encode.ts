/** Envelopes and headers of the advertising interface (specification A, shared conventions 3; reference, sections 1, 7, 9). */
import {
  type AnyOperation,
  ApiError,
  BatchError,
  diagnosisOf,
  errorStatus,
  type Issue,
  isLookupResult,
  JsonText,
  numberedError,
  rememberingSerializerOf,
  requestProblem,
  type Serializer,
  serializerOf,
  stringifyJson,
  uploadError,
  uploadErrorStatus,
  wireError,
  wireProblem,
} from '@broadside/core';
import { formEncode } from '@broadside/core/auth';
import { once } from '@broadside/core/data';
import type { OperationDialect } from '@broadside/core/dialect';
import type * as z from 'zod';
import type { LimitStates } from '../../pipeline/rate-limiter.ts';

/** The version in the paths of the advertising interface. */
export const API_VERSION = '12';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Content type of form-encoded responses (reference, auth section 3). */
export const FORM_RESPONSE_TYPE = 'text/html; charset=utf-8';

/** A response before it is sent. */
export interface HttpResponse {
  readonly status: number;
  readonly body: string;
}

/** A body: a text, or where it is large its bytes. */
export type Body = string | Uint8Array;

/** Makes the body of a success, of the echo and the result. */
export type Encoder = (echo: unknown, value: unknown) => Body;

/** The words in which an answer is written: those of the interface, or of a dialect. */
type Wording = Pick<OperationDialect, 'echo' | 'nameOut' | 'problem' | 'remembering' | 'serializer'>;

const ownWords: Wording = {
  echo: (echo) => echo,
  nameOut: (name) => name,
  problem: wireProblem,
  remembering: rememberingSerializerOf,
  serializer: serializerOf,
};

const encoders = new WeakMap<AnyOperation | OperationDialect, Encoder>();

/** Returns the encoder of an operation, in a dialect if one is given. It is made once. */
export function encoderOf(operation: AnyOperation, dialect?: OperationDialect): Encoder {
  const key = dialect ?? operation;
  let encoder = encoders.get(key);
  if (!encoder) {
    encoder = makeEncoder(operation, dialect ?? ownWords);
    encoders.set(key, encoder);
  }
  return encoder;
}

/** Returns the body of a success as a text. */
export function encodeSuccess(
  operation: AnyOperation,
  echo: unknown,
  value: unknown,
  dialect?: OperationDialect,
): string {
  const body = encoderOf(operation, dialect)(echo, value);
  return typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
}

function makeEncoder(operation: AnyOperation, wording: Wording): Encoder {
  const one = wording.remembering(operation.data);
  const written = wording === ownWords ? stringifyJson : (echo: unknown) => stringifyJson(wording.echo(echo));
  const params = (echo: unknown) => `"request":{"params":${written(echo)}}`;
  switch (operation.envelope) {
    case 'lookup':
      return lookupEncoder(one, operation.includes, wording);
    case 'object':
    case 'bare':
      return (_echo, value) => one(value);
    case 'data':
      return (_echo, value) => `{"data":${one(value)}}`;
    case 'nothing':
      return () => '';
    case 'form':
      return (_echo, value) => formOf(value);
    case 'entity':
      return (echo, value) => `{${params(echo)},"data":${one(value)}}`;
    case 'message':
      // Its members follow the request.
      return (echo, value) => `{${params(echo)},${one(value).slice(1)}`;
    case 'values': {
      const { data_type, next_cursor, total_count } = operation.beside ?? {};
      const before =
        (next_cursor === undefined ? '' : '"next_cursor":null,') +
        (data_type === undefined ? '' : `"data_type":${stringifyJson(wording.nameOut(data_type))},`);
      return (echo, value) => {
        const total = total_count && Array.isArray(value) ? `,"total_count":${value.length}` : '';
        return `{${params(echo)},${before}"data":${many(one, value)}${total}}`;
      };
    }
    case 'batch':
      return (echo, value) => `{"request":${written(echo)},"data":${many(one, value)}}`;
    case 'list': {
      const { data_type } = operation.beside ?? {};
      const before = data_type === undefined ? '' : `"data_type":${stringifyJson(wording.nameOut(data_type))},`;
      return (echo, value) => {
        if (!isPage(value)) throw new TypeError(`${operation.id} returned no page`);
        const total = value.total_count === undefined ? '' : `,"total_count":${value.total_count}`;
        return `{${params(echo)},${before}"next_cursor":${stringifyJson(value.next_cursor)},"data":${many(one, value.data)}${total}}`;
      };
    }
  }
}

/** Encodes a form-encoded response (specification A, Credential responses). */
function formOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) throw new TypeError('a form-encoded answer is made of members');
  return formEncode(Object.entries(value).map(([name, member]) => [name, String(member)]));
}

/** Encodes a response of data retrieval: no envelope, and members that would be empty are omitted. */
function lookupEncoder(one: Serializer, includes: z.ZodObject, wording: Wording): Encoder {
  const isOwn = wording === ownWords;
  const included = Object.entries(includes.shape).map(([name, member]) => {
    const write = wording.serializer(member);
    const prefix = `${stringifyJson(wording.nameOut(name))}:`;
    return { name, prefix, one: (value: unknown) => write([value]).slice(1, -1) };
  });
  return (_echo, value) => {
    if (!isLookupResult(value)) throw new TypeError('a lookup returns data, includes and problems');
    const { data, problems, baseUrl } = value;
    const pieces: string[] = ['{'];
    if (data.length > 0) addList(pieces, '"data":', data, one, isOwn);
    const along: Readonly<Record<string, unknown>> = { ...value.includes };
    let first = true;
    for (const { name, prefix, one: oneIncluded } of included) {
      const list = along[name];
      if (!Array.isArray(list)) continue;
      if (first) pieces.push(pieces.length === 1 ? '"includes":{' : ',"includes":{');
      addList(pieces, first ? prefix : `,${prefix}`, list, oneIncluded, isOwn);
      first = false;
    }
    if (!first) pieces.push('}');
    if (problems.length > 0) {
      pieces.push(pieces.length === 1 ? '"errors":' : ',"errors":');
      pieces.push(stringifyJson(problems.map((problem) => wording.problem(problem, baseUrl))));
    }
    pieces.push('}');
    return joined(pieces);
  };
}

/** @param isOwn stored values are written as they are stored */
function addList(pieces: string[], prefix: string, values: readonly unknown[], one: Serializer, isOwn: boolean): void {
  pieces.push(prefix);
  let before = '[';
  for (const value of values) {
    pieces.push(before, isOwn && value instanceof JsonText ? value.text : one(value));
    before = ',';
  }
  pieces.push(']');
}

/** So many pieces are cheaper to write one after the other than to put together as a text, which V8 would keep as a tree. */
const MANY_PIECES = 40;

/** Bodies of up to so many bytes are written to a shared buffer first. */
const MOST_SHARED = 2 ** 21;

const shared = once(() => Buffer.allocUnsafeSlow(MOST_SHARED));

/**
 * A body of pieces. How many bytes they take is known when they are written, and memory outside of the engine's heap brings on
 * collections of all of it, so a body has no more of it than it needs.
 */
function joined(pieces: readonly string[]): Body {
  if (pieces.length < MANY_PIECES) return pieces.join('');
  let length = 0;
  for (const piece of pieces) length += piece.length;
  // A UTF-16 unit takes at most three bytes of UTF-8.
  if (3 * length > MOST_SHARED) return Buffer.from(pieces.join(''));
  const bytes = shared();
  let end = 0;
  for (const piece of pieces) end += bytes.write(piece, end);
  return Buffer.from(bytes.subarray(0, end));
}

/** Content type of data-retrieval problems (RFC 9457). */
export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** Encodes the data-retrieval response to a call that failed as a whole (reference, conventions section 8). */
export function encodeProblem(error: unknown, baseUrl: string): HttpResponse {
  const known = error instanceof ApiError ? error : new ApiError('INTERNAL_ERROR');
  const { status, issues } = known;
  return { status, body: stringifyJson({ ...requestProblem(issues, baseUrl), ...diagnosisOf(known) }) };
}

function many(one: Serializer, values: unknown): string {
  if (!Array.isArray(values)) throw new TypeError('a list or a batch gives an array');
  let text = '';
  for (const value of values) text += text === '' ? one(value) : `,${one(value)}`;
  return `[${text}]`;
}

interface AnyPage {
  readonly data: unknown;
  readonly next_cursor: string | null;
  readonly total_count?: number;
}

function isPage(value: unknown): value is AnyPage {
  return typeof value === 'object' && value !== null && 'data' in value && 'next_cursor' in value;
}

/** Encodes the response to a failed call. An error outside the catalogue is a bug and discloses nothing. */
export function encodeFailure(error: unknown, echo: unknown): HttpResponse {
  const request = Array.isArray(echo) ? echo : { params: echo ?? {} };
  if (error instanceof BatchError) {
    const operation_errors = error.items.map((issues) => issues.map(wireError));
    return { status: error.status, body: stringifyJson({ operation_errors, request }) };
  }
  const issues: readonly Issue[] = error instanceof ApiError ? error.issues : [{ error: 'INTERNAL_ERROR' }];
  const status = error instanceof ApiError ? error.status : errorStatus('INTERNAL_ERROR');
  return { status, body: stringifyJson({ errors: issues.map(wireError), request, ...diagnosisOf(error) }) };
}

/** Encodes the response of an authentication endpoint to a failed call: errors by number. */
export function encodeNumberedFailure(error: unknown): HttpResponse {
  const issues: readonly Issue[] = error instanceof ApiError ? error.issues : [{ error: 'INTERNAL_ERROR' }];
  const status = error instanceof ApiError ? error.status : errorStatus('INTERNAL_ERROR');
  return { status, body: stringifyJson({ errors: issues.map(numberedError), ...diagnosisOf(error) }) };
}

/** Encodes the response of version 1.1 of the upload to a failed call. */
export function encodeUploadFailure(error: unknown): HttpResponse {
  if (!(error instanceof ApiError)) return encodeNumberedFailure(error);
  const { issues } = error;
  const body = stringifyJson({ errors: issues.map(uploadError), ...diagnosisOf(error) });
  return { status: uploadErrorStatus(issues[0].error), body };
}

/**
 * Returns the headers that report the state of the rate limits, as names, each followed by its value.
 * @param saysWhen whether a request above the limit is answered with the time to wait: not where another error stands for it
 */
export function limitFields(limits: LimitStates | undefined, saysWhen = true): readonly string[] {
  if (!limits) return NO_FIELDS;
  const { user, account } = limits;
  const own = [
    'x-rate-limit-limit',
    `${user.limit}`,
    'x-rate-limit-remaining',
    `${user.remaining}`,
    'x-rate-limit-reset',
    `${user.reset}`,
  ];
  const wait = Math.max(user.retry_after, account?.retry_after ?? 0);
  if (wait > 0 && saysWhen) own.push('retry-after', `${wait}`);
  if (!account) return own;
  own.push(
    'x-account-rate-limit-limit',
    `${account.limit}`,
    'x-account-rate-limit-remaining',
    `${account.remaining}`,
    'x-account-rate-limit-reset',
    `${account.reset}`,
  );
  return own;
}

const NO_FIELDS: readonly string[] = [];
