/** The REST adapter: a route for each operation of the contract. Decodes, runs the pipeline, encodes; decides nothing. */
import {
  ApiError,
  allAuthOperations,
  allDataOperations,
  allOperations,
  BatchError,
  errorStatus,
  isOffered,
  type Operation,
} from '@broadside/core';
import { type ParsedRequest, parseRequest } from '@broadside/core/auth';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { execute, type Services } from '../../pipeline/execute.ts';
import type { Environment } from '../../world/environment.ts';
import { type DecodedParams, decodeParams, type HttpInput } from './decode.ts';
import { encodeFailure, encodeNumberedFailure, encodeSuccess, type HttpResponse, limitHeaders } from './encode.ts';
import { type ResponseStyle, type RestKind, type RestOperation, styles, successTypeOf } from './styles.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** Reason for rejecting the request, for the log: codes and names of parameters, never their values. */
    rejectionReason: string | undefined;
  }

  interface FastifyContextConfig {
    /** A JSON body stays bytes. */
    readonly bytes?: true;
  }
}

/** Dependencies of the routes. */
export interface RestOptions {
  readonly services: Services;
  readonly environment: Environment;
  /** Returns the public base URL for a request: the one that the client signed. */
  readonly baseUrlOf: (request: FastifyRequest) => string;
}

/** Methods for which a path may have a route. */
const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'] as const;

/** Methods that are routed on every listener. */
const everywhere: readonly RestOperation[] = [...allOperations, ...allAuthOperations, ...allDataOperations];

/** Operations that exist in an environment. */
export function operationsOf(environment: Environment): readonly Operation[] {
  return allOperations.filter((operation) => isOffered(operation, environment));
}

/** Adds a route for each of these operations, and a 405 response for other methods on their paths. */
export function registerRest(app: FastifyInstance, options: RestOptions, operations: readonly RestOperation[]): void {
  const paths = new Map<string, { readonly style: ResponseStyle; readonly known: string[] }>();
  for (const operation of operations) {
    const { method } = operation.http;
    for (const url of pathsOf(operation)) {
      const config = operation.batch?.users ? { bytes: true as const } : {};
      app.route({ method, url, config, handler: handle(options, operation) });
      const path = paths.get(url) ?? { style: styles[operation.kind], known: [] };
      path.known.push(method);
      paths.set(url, path);
    }
  }
  for (const [url, { style, known }] of paths) {
    // Sandbox-only operations are ROUTE_NOT_FOUND elsewhere (reference, conventions section 11).
    const taken = everywhere.filter((operation) => pathsOf(operation).includes(url)).map(({ http }) => http.method);
    const unknown = methods.filter((method) => !taken.some((name) => name === method));
    app.route({ method: unknown, url, handler: rejectMethod(options, style, known.join(', ')) });
    const sandboxOnly = taken.filter((method) => !known.includes(method));
    if (sandboxOnly.length > 0) app.route({ method: sandboxOnly, url, handler: rejectEnvironment });
  }
}

/** Returns the paths of an operation. */
function pathsOf({ http }: RestOperation): readonly string[] {
  return [http.path, ...(http.aliases ?? [])];
}

function rejectEnvironment(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (lacksPart(request)) return notFound(reply);
  const message = `There is no ${request.method} of this path here; only the sandbox has it`;
  return sendError(reply, new ApiError({ error: 'ROUTE_NOT_FOUND', message }));
}

function rejectMethod({ baseUrlOf }: RestOptions, style: ResponseStyle, known: string) {
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (lacksPart(request)) return notFound(reply);
    const message = `The path exists, but only with ${known}`;
    const error = new ApiError({ error: 'METHOD_NOT_ALLOWED', message });
    return reject(reply.header('allow', known), style, error, style.failure(error, undefined, baseUrlOf(request)));
  };
}

/** Sends an error that occurred before or outside of an operation. */
export function sendError(reply: FastifyReply, error: unknown): FastifyReply {
  return reject(reply, styles.ads, error, encodeFailure(error, undefined));
}

/** The same on the authentication listener, where errors have numbers. */
export function sendNumberedError(reply: FastifyReply, error: unknown): FastifyReply {
  return reject(reply, styles.auth, error, encodeNumberedFailure(error));
}

function reject(
  reply: FastifyReply,
  { headers, failureType }: ResponseStyle,
  error: unknown,
  { status, body }: HttpResponse,
): FastifyReply {
  reply.rejectionReason = reasonOf(error);
  return reply
    .code(status)
    .headers({ ...headers, 'content-type': failureType })
    .send(body);
}

function handle(options: RestOptions, operation: RestOperation) {
  const { services, environment, baseUrlOf } = options;
  const style = styles[operation.kind];
  const success = { ...style.headers, 'content-type': successTypeOf(operation) };
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (lacksPart(request)) return notFound(reply);
    const { method, url = '/' } = request.raw;
    const contentType = request.headers['content-type'];
    const { authorization } = request.headers;
    const bytes = request.body instanceof Uint8Array ? request.body : undefined;
    const body = typeof request.body === 'string' ? request.body : undefined;
    const received = { method: method ?? 'GET', target: url, authorization, contentType, body };
    const parsed = parseRequest(received);
    const decoded = decode(operation, parsed, request, { contentType, body, bytes });
    const baseUrl = baseUrlOf(request);
    const { outcome, echo, limits } = await execute(services, {
      operation,
      environment,
      credentials: {
        request: parsed,
        // A hash of the body is rare; without one, nothing that concerns the signature needs the text of a large body.
        received: bytes && parsed.oauth?.bodyHash !== undefined ? { ...received, body: textOf(bytes) } : received,
        headers: request.headers,
        baseUrl,
      },
      ...decoded,
    });
    if (outcome.ok) {
      const headers = Object.assign(limitHeaders(limits), success);
      return reply
        .code(200)
        .headers(headers)
        .send(encodeSuccess(operation, echo, outcome.value));
    }
    const { error } = outcome;
    const response = style.failure(error, echo, baseUrl);
    if (response.status >= errorStatus('INTERNAL_ERROR')) {
      request.log.error({ err: error, operation: operation.id }, 'an operation failed unexpectedly');
    }
    return reject(reply.headers(limitHeaders(limits)), style, error, response);
  };
}

/** Returns the reason for rejecting a request, for the log. */
export function reasonOf(error: unknown): string | undefined {
  const issues = error instanceof ApiError ? error.issues : error instanceof BatchError ? error.items.flat() : [];
  const reasons = issues.map(({ error: code, parameter }) => (parameter === undefined ? code : `${code} ${parameter}`));
  return reasons.length === 0 ? undefined : [...new Set(reasons)].join(', ').slice(0, 200);
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}

interface Decoded extends DecodedParams {
  readonly problem?: ApiError;
}

/** A request that cannot be decoded still goes through authentication: unauthenticated callers learn nothing about it. */
function decode(
  operation: RestOperation,
  parsed: ParsedRequest,
  request: FastifyRequest,
  sent: Pick<HttpInput, 'contentType' | 'body' | 'bytes'>,
): Decoded {
  const path = pathParams(request.params);
  try {
    const decoded = decodeParams({ operation, parsed, path, ...sent });
    return withSigned[operation.kind](decoded, parsed);
  } catch (error) {
    if (error instanceof ApiError) return { params: path, problem: error };
    throw error;
  }
}

/** Adds parameters of the operation that are sent among the OAuth parameters, by kind. */
const withSigned: Readonly<Record<RestKind, (decoded: Decoded, parsed: ParsedRequest) => Decoded>> = {
  ads: (decoded) => decoded,
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

/** The router accepts an empty path segment as a parameter's value; no entity has an empty id, so there is no such path. */
export function lacksPart(request: FastifyRequest): boolean {
  return Object.values(pathParams(request.params)).includes('');
}

/** Responds as if there were no route. */
export function notFound(reply: FastifyReply): FastifyReply {
  reply.callNotFound();
  return reply;
}

/** The parameters in the path of a request. */
export function pathParams(params: unknown): Record<string, string> {
  const path: Record<string, string> = {};
  if (typeof params !== 'object' || params === null) return path;
  for (const [name, value] of Object.entries(params)) path[name] = String(value);
  return path;
}
