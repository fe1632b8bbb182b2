/** The REST face: a route for each operation of the contract. Decodes, runs the pipeline, encodes; decides nothing. */
import {
  ApiError,
  type AuthOperation,
  allAuthOperations,
  allDataOperations,
  allOperations,
  BatchError,
  type DataOperation,
  errorStatus,
  type HttpRoute,
  isAuthOperation,
  isDataOperation,
  isOffered,
  type Operation,
} from '@broadside/core';
import { type ParsedRequest, parseRequest } from '@broadside/core/auth';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { execute, type Services } from '../../pipeline/execute.ts';
import type { Environment } from '../../world/world.ts';
import { decodeParams } from './decode.ts';
import {
  API_VERSION,
  encodeFailure,
  encodeNumberedFailure,
  encodeProblem,
  encodeSuccess,
  FORM_ANSWER_TYPE,
  type HttpAnswer,
  JSON_TYPE,
  limitHeaders,
  PROBLEM_TYPE,
} from './encode.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** Why the request was refused, for the log: codes and names of parameters, never what was sent. */
    refused: string | undefined;
  }
}

/** What has a route of its own. */
type RestOperation = Operation | AuthOperation | DataOperation;

/** Where the face is mounted. */
export interface RestOptions {
  readonly services: Services;
  readonly environment: Environment;
  /** The public base URL for a request: what the client signed. */
  readonly baseUrlOf: (request: FastifyRequest) => string;
}

const methods: readonly HttpRoute['method'][] = ['GET', 'POST', 'PUT', 'DELETE'];

/** Operations that exist in an environment. */
export function operationsOf(environment: Environment): readonly Operation[] {
  return allOperations.filter((operation) => isOffered(operation, environment));
}

/** Adds the routes of the advertising interface. */
export function registerRest(app: FastifyInstance, options: RestOptions): void {
  const byPath = Map.groupBy(operationsOf(options.environment), ({ http }) => http.path);
  for (const [url, operations] of byPath) {
    for (const operation of operations) {
      const handler = handle(options, operation);
      app.route({ method: operation.http.method, url, handler });
    }
    const known = operations.map(({ http }) => http.method);
    // What only the sandbox has is left without a route elsewhere: ROUTE_NOT_FOUND (reference, conventions section 11).
    const taken = allOperations.filter(({ http }) => http.path === url).map(({ http }) => http.method);
    const unknown = [...methods, 'PATCH', 'HEAD', 'OPTIONS'].filter((method) => !taken.some((name) => name === method));
    app.route({
      method: unknown,
      url,
      handler: (request, reply) => {
        if (lacksPart(request)) return notFound(reply);
        reply.header('allow', known.join(', '));
        const message = `The path exists, but only with ${known.join(', ')}`;
        return sendError(reply, new ApiError({ error: 'METHOD_NOT_ALLOWED', message }));
      },
    });
  }
}

/** Sends an error that came up before or beside an operation. */
export function sendError(reply: FastifyReply, error: unknown): FastifyReply {
  const { status, body } = encodeFailure(error, undefined);
  reply.refused = reasonOf(error);
  return reply.code(status).header('content-type', JSON_TYPE).header('x-current-api-version', API_VERSION).send(body);
}

/** The same on the listener of authentication, where errors have numbers. */
export function sendNumberedError(reply: FastifyReply, error: unknown): FastifyReply {
  const { status, body } = encodeNumberedFailure(error);
  reply.refused = reasonOf(error);
  return reply.code(status).header('content-type', JSON_TYPE).send(body);
}

/** Adds data retrieval. */
export function registerData(app: FastifyInstance, options: RestOptions): void {
  for (const operation of allDataOperations) {
    const { method, path: url } = operation.http;
    app.route({ method, url, handler: handle(options, operation) });
    app.route({
      method: [...methods, 'PATCH', 'HEAD', 'OPTIONS'].filter((name) => name !== method),
      url,
      handler: (request, reply) => {
        const error = new ApiError({
          error: 'METHOD_NOT_ALLOWED',
          message: `The path exists, but only with ${method}`,
        });
        const { status, body } = encodeProblem(error, options.baseUrlOf(request));
        reply.refused = reasonOf(error);
        return reply.code(status).headers({ allow: method, 'content-type': PROBLEM_TYPE }).send(body);
      },
    });
  }
}

/** Adds the endpoints of authentication. */
export function registerAuth(app: FastifyInstance, options: RestOptions): void {
  for (const operation of allAuthOperations) {
    const { method, path, aliases = [] } = operation.http;
    for (const url of [path, ...aliases]) {
      app.route({ method, url, handler: handle(options, operation) });
      app.route({
        method: [...methods, 'PATCH', 'HEAD', 'OPTIONS'].filter((name) => name !== method),
        url,
        handler: (_request, reply) => {
          reply.header('allow', method);
          const message = `The path exists, but only with ${method}`;
          return sendNumberedError(reply, new ApiError({ error: 'METHOD_NOT_ALLOWED', message }));
        },
      });
    }
  }
}

function handle(options: RestOptions, operation: RestOperation) {
  const { services, environment, baseUrlOf } = options;
  const failureType = isDataOperation(operation) ? PROBLEM_TYPE : JSON_TYPE;
  const fixed: Readonly<Record<string, string>> = isAuthOperation(operation)
    ? {
        'content-type': operation.envelope === 'form' ? FORM_ANSWER_TYPE : JSON_TYPE,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      }
    : isDataOperation(operation)
      ? { 'content-type': JSON_TYPE, 'x-content-type-options': 'nosniff' }
      : { 'content-type': JSON_TYPE, 'x-current-api-version': API_VERSION };
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (lacksPart(request)) return notFound(reply);
    const { method, url = '/' } = request.raw;
    const contentType = request.headers['content-type'];
    const { authorization } = request.headers;
    const body = typeof request.body === 'string' ? request.body : undefined;
    const received = { method: method ?? 'GET', target: url, authorization, contentType, body };
    const parsed = parseRequest(received);
    const decoded = decode(operation, parsed, request, contentType, body);
    const baseUrl = baseUrlOf(request);
    const result = await execute(services, {
      operation,
      environment,
      credentials: { request: parsed, received, headers: request.headers, baseUrl },
      ...decoded,
    });
    const { outcome } = result;
    const answer = outcome.ok
      ? { status: 200, body: encodeSuccess(operation, result.echo, outcome.value) }
      : failureOf(operation, outcome.error, result.echo, baseUrl);
    if (!outcome.ok && answer.status >= errorStatus('INTERNAL_ERROR')) {
      request.log.error({ err: outcome.error, operation: operation.id }, 'an operation failed unexpectedly');
    }
    if (!outcome.ok) reply.refused = reasonOf(outcome.error);
    const headers = Object.assign(limitHeaders(result.limits), fixed);
    if (!outcome.ok) headers['content-type'] = failureType;
    return reply.code(answer.status).headers(headers).send(answer.body);
  };
}

function failureOf(operation: RestOperation, error: unknown, echo: unknown, baseUrl: string): HttpAnswer {
  if (isDataOperation(operation)) return encodeProblem(error, baseUrl);
  return isAuthOperation(operation) ? encodeNumberedFailure(error) : encodeFailure(error, echo);
}

/** Why a request was refused, for the log. */
export function reasonOf(error: unknown): string | undefined {
  const issues = error instanceof ApiError ? error.issues : error instanceof BatchError ? error.items.flat() : [];
  const reasons = issues.map(({ error: code, parameter }) => (parameter === undefined ? code : `${code} ${parameter}`));
  return reasons.length === 0 ? undefined : [...new Set(reasons)].join(', ').slice(0, 200);
}

interface Decoded {
  readonly params: Readonly<Record<string, unknown>>;
  readonly items?: unknown;
  readonly problem?: ApiError;
}

/** A request that cannot be decoded still goes through authentication: who does not sign learns nothing about it. */
function decode(
  operation: RestOperation,
  parsed: ParsedRequest,
  request: FastifyRequest,
  contentType: string | undefined,
  body: string | undefined,
): Decoded {
  const path = pathParams(request.params);
  try {
    const decoded = decodeParams({ operation, parsed, path, contentType, body });
    return isAuthOperation(operation) ? { params: { ...decoded.params, ...protocolParams(parsed) } } : decoded;
  } catch (error) {
    if (error instanceof ApiError) return { params: path, problem: error };
    throw error;
  }
}

/** Parameters of the flow, which stand among those of the signature. */
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

/** The router takes an empty part of a path for a parameter's value; no entity has an empty id, so there is no such path. */
export function lacksPart(request: FastifyRequest): boolean {
  return Object.values(pathParams(request.params)).includes('');
}

/** Answers as where there is no route. */
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
