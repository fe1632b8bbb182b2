/**
 * Answers to requests for an operation: decodes the request, runs the operation, encodes its result. Used alike by the routes of
 * the framework and by the direct route before it, so that a request gets the same bytes on either way.
 */
import { ApiError, BatchError, errorStatus, type ReadJson } from '@broadside/core';
import { type ParsedRequest, parseRequest, type ReceivedRequest } from '@broadside/core/auth';
import type { Dialect, OperationDialect } from '@broadside/core/dialect';
import type { Awaitable } from '../../awaitable.ts';
import type { Credentials } from '../../pipeline/credentials.ts';
import { execute, type Reply, type Services } from '../../pipeline/execute.ts';
import { follow, type Held } from '../../pipeline/held.ts';
import { causeOf, retryAfter } from '../../pipeline/unavailable.ts';
import type { Environment } from '../../world/environment.ts';
import { delivered } from '../deliver.ts';
import type { SentAnswer } from '../sent-answer.ts';
import { type DecodedParams, decodeParams, type HttpInput } from './decode.ts';
import { encoderOf, type HttpResponse, limitFields } from './encode.ts';
import { type ResponseStyle, type RestKind, type RestOperation, styles, successTypeOf } from './styles.ts';

/** A request for an operation, as far as HTTP goes. */
interface RestRequest {
  readonly method: string;
  /** Path and query as they came. */
  readonly target: string;
  /** Parameters of the path, decoded. */
  readonly path: Readonly<Record<string, string>>;
  /** Headers by name in lower case. */
  readonly headers: Credentials['headers'];
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  readonly body: string | undefined;
  /** The body as JSON, where it was read before. */
  readonly read?: ReadJson | undefined;
  /** The body of a batch of users, instead of `body`. */
  readonly bytes: Uint8Array | undefined;
  /** The public base URL that the client signed. */
  readonly baseUrl: string;
  readonly foreignHost: Credentials['foreignHost'];
  /** The dialect that it is in. `path` is in the words of the interface, everything else as it was sent. */
  readonly dialect: Dialect | undefined;
}

/** An answer to a request. */
export interface RestAnswer extends SentAnswer {
  /** Set when the server failed, and not the request. */
  readonly failure: { readonly error: unknown } | undefined;
}

/** Answers requests for one operation. Rejects only when an answer cannot be encoded, which is a bug. */
export type Answerer = (request: RestRequest) => Awaitable<RestAnswer> | Held<RestAnswer>;

/** Returns the function that answers requests for an operation. It is made with the first one, since a start makes many. */
export function answererOf(services: Services, environment: Environment, operation: RestOperation): Answerer {
  let made: Answerer | undefined;
  return (request) => {
    made ??= makeAnswerer(services, environment, operation);
    return made(request);
  };
}

function makeAnswerer(services: Services, environment: Environment, operation: RestOperation): Answerer {
  const style = styles[operation.kind];
  const { id } = operation;
  const fixed = flat({ ...style.headers, 'content-type': successTypeOf(operation) });
  const encode = encoderOf(operation);
  const decode = decoderOf(operation);
  return (request) => {
    const { method, target, authorization, contentType, body, bytes, headers, baseUrl, foreignHost } = request;
    if (isTooLong(target)) {
      const failure = style.failure(TARGET_TOO_LONG, undefined, baseUrl);
      return { ...rejection(style, TARGET_TOO_LONG, failure), operation: id };
    }
    const sent: ReceivedRequest = { method, target, authorization, contentType, body };
    const parsed = parseRequest(sent);
    const dialect = request.dialect?.of(operation);
    const { params, items, json, otherNames, problem } = decode(parsed, request, dialect);
    // A hash of the body is rare; without one, nothing that concerns the signature needs the text of a large body.
    const received = bytes && parsed.oauth?.bodyHash !== undefined ? { ...sent, body: textOf(bytes) } : sent;
    const credentials = { request: parsed, received, headers, baseUrl, foreignHost };
    const reply = execute(services, {
      operation,
      environment,
      credentials,
      params,
      items,
      json,
      otherNames,
      problem,
    });
    return follow(reply, answer);

    function answer(reply: Reply): RestAnswer {
      return reply.faulted ? delivered(encoded(reply), reply.faulted) : encoded(reply);
    }

    function encoded({ outcome, echo, limits, caller, account_id, recorded }: Reply): RestAnswer {
      if (!outcome.ok) {
        const { error } = outcome;
        const failure = inDialect(style.failure(error, echo, baseUrl), dialect);
        const states = limitFields(limits, failure.status === errorStatus('TOO_MANY_REQUESTS'));
        return { ...rejection(style, error, failure, states), operation: id, caller, account_id, recorded };
      }
      const before = limitFields(limits);
      const all = before.length === 0 ? fixed : [...before, ...fixed];
      const body = dialect ? encoderOf(operation, dialect)(echo, outcome.value) : encode(echo, outcome.value);
      return { status: 200, operation: id, headers: all, body, caller, account_id, recorded, failure: undefined };
    }
  };
}

/** Returns an error in the words of a dialect. @param stays a part of its sentence that stays as it is */
export function inDialect(
  response: HttpResponse,
  dialect: Pick<Dialect, 'failure'> | undefined,
  stays?: string,
): HttpResponse {
  return dialect ? { status: response.status, body: dialect.failure(response.body, stays) } : response;
}

/** Maximum characters of a request target: our choice, twice what most servers accept. */
const MAX_TARGET_LENGTH = 16_384;

/** Returns whether a request target is longer than any operation needs. */
export function isTooLong(target: string): boolean {
  return target.length > MAX_TARGET_LENGTH;
}

/** The rejection of such a target. */
export const TARGET_TOO_LONG = new ApiError({
  error: 'REQUEST_TOO_LARGE',
  message: `The path and the query may have up to ${MAX_TARGET_LENGTH} characters; send parameters in the body`,
});

/** The rejection of a body that is not UTF-8. */
export const NOT_UTF8 = new ApiError({
  error: 'INVALID_PARAMETER',
  message: 'The body is not valid UTF-8',
  details: 'body',
});

/** The answer to a request that failed, in the style of its kind. @param before headers that precede those of the style */
export function rejection(
  { headers, failureType }: ResponseStyle,
  error: unknown,
  { status, body }: HttpResponse,
  before: readonly string[] = [],
): RestAnswer {
  const isUnavailable = status === errorStatus('SERVICE_UNAVAILABLE');
  // That a disk cannot be written is logged once, and not with each request.
  const failure = status >= errorStatus('INTERNAL_ERROR') && !isUnavailable ? { error } : undefined;
  const after = retryAfter(status);
  const wait = after === undefined ? [] : ['retry-after', after];
  const all = [...before, ...flat({ ...headers, 'content-type': failureType }), ...wait];
  return { status, headers: all, body, rejected: reasonOf(error), failure };
}

function flat(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flat();
}

/** Returns the reason for rejecting a request, for the log: codes, and what was away where that is why. */
export function reasonOf(error: unknown): string | undefined {
  const issues = error instanceof ApiError ? error.issues : error instanceof BatchError ? error.items.flat() : [];
  const reasons = issues.map(({ error: code, parameter }) => (parameter === undefined ? code : `${code} ${parameter}`));
  if (reasons.length === 0) return undefined;
  const cause = causeOf(error);
  return [...new Set(reasons)].join(', ').slice(0, 200) + (cause === undefined ? '' : `: ${cause.slice(0, 200)}`);
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}

interface Decoded extends DecodedParams {
  readonly problem?: ApiError;
}

type Decoder = (
  parsed: ParsedRequest,
  sent: Pick<HttpInput, 'path' | 'contentType' | 'body' | 'read' | 'bytes'>,
  dialect: OperationDialect | undefined,
) => Decoded;

/** A request that cannot be decoded still goes through authentication: unauthenticated callers learn nothing about it. */
function decoderOf(operation: RestOperation): Decoder {
  const add = withSigned[operation.kind];
  return (parsed, { path, contentType, body, read, bytes }, dialect) => {
    try {
      return add(decodeParams({ operation, parsed, path, contentType, body, read, bytes, dialect }), parsed);
    } catch (error) {
      if (error instanceof ApiError) return { params: path, problem: error };
      throw error;
    }
  };
}

/** Adds parameters of the operation that are sent among the OAuth parameters, by kind. */
const withSigned: Readonly<Record<RestKind, (decoded: Decoded, parsed: ParsedRequest) => Decoded>> = {
  ads: (decoded) => decoded,
  control: (decoded) => decoded,
  auth: (decoded, parsed) => ({ params: { ...decoded.params, ...protocolParams(parsed) } }),
  data: (decoded) => decoded,
};

/** Parameters of the three-legged flow. */
function protocolParams({ oauth }: ParsedRequest): Record<string, string> {
  const found = {
    oauth_callback: oauth?.callback,
    oauth_token: oauth?.token,
    oauth_verifier: oauth?.verifier,
  };
  const params: Record<string, string> = {};
  for (const [name, value] of Object.entries(found)) if (value !== undefined) params[name] = value;
  return params;
}
