/** The REST adapter: a route for each operation of the contract. Decodes, runs the pipeline, encodes; decides nothing. */
import {
  ApiError,
  allOperations,
  allPages,
  allUploadOperations,
  isOffered,
  type Operation,
  type UploadOperation,
} from '@broadside/core';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import type { ForeignHost } from '../../pipeline/credentials.ts';
import type { Services } from '../../pipeline/execute.ts';
import { released } from '../../pipeline/held.ts';
import type { Environment } from '../../world/environment.ts';
import type { ReachedRequest } from '../own-host.ts';
import { answererOf, type RestAnswer, rejection } from './answer.ts';
import { encodeFailure, encodeNumberedFailure } from './encode.ts';
import { RouteTable } from './route-table.ts';
import { type ResponseStyle, type RestOperation, styles, uploadStyles } from './styles.ts';

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
  readonly baseUrlOf: (request: Pick<FastifyRequest, 'headers'>) => string;
  /** Tells requests that name a host of others; see `own-host.ts`. */
  readonly foreign: ForeignHost & { readonly isForeign: (request: ReachedRequest) => boolean };
}

/** Methods for which a path may have a route. */
const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'] as const;

const onlyInSandbox: readonly RestOperation[] = allOperations.filter(({ sandboxOnly }) => sandboxOnly);

/** Operations that exist in an environment. */
export function operationsOf(environment: Environment): readonly Operation[] {
  return allOperations.filter((operation) => isOffered(operation, environment));
}

/** A path of the contract, as a listener has it. */
interface KnownPath {
  readonly style: ResponseStyle;
  /** The methods that it has here. */
  readonly known: string[];
  /** Methods that only the sandbox has. */
  readonly sandboxOnly: readonly string[];
}

/** Uploads and pages of the contract, whose routes are made elsewhere. */
export function* uploadsAndPages(): Generator<readonly [url: string, path: KnownPath]> {
  for (const [url, members] of Map.groupBy(allUploadOperations.flatMap(eachPath), ([path]) => path)) {
    const known = [...new Set(members.map(([, { http }]) => http.method))];
    for (const [, { version }] of members) yield [url, { style: uploadStyles[version], known, sandboxOnly: [] }];
  }
  // Forms are sent to the path of their page.
  for (const { http } of allPages) yield [http.path, { style: styles.auth, known: ['GET', 'POST'], sandboxOnly: [] }];
}

function eachPath(operation: UploadOperation): (readonly [url: string, operation: UploadOperation])[] {
  return [operation.http.path, ...(operation.http.aliases ?? [])].map((url) => [url, operation]);
}

/** Answers a request for which there is no route; undefined when its path is not one of the contract. */
export type MethodRejection = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined;

/**
 * Adds a route for each of these operations.
 * @param others paths whose routes are made elsewhere
 * @returns what answers other methods on their paths. It is for the handler of requests without a route: a route of the framework
 * for each method and path would take longer to make than all operations do.
 */
export function registerRest(
  app: FastifyInstance,
  options: RestOptions,
  operations: readonly RestOperation[],
  others: Iterable<readonly [url: string, path: KnownPath]> = [],
): MethodRejection {
  const paths = new Map<string, KnownPath>();
  for (const operation of operations) {
    const { method } = operation.http;
    for (const url of pathsOf(operation)) {
      const config = operation.batch?.users ? { bytes: true as const } : {};
      app.route({ method, url, config, handler: handle(options, operation) });
      const path = paths.get(url);
      if (path) path.known.push(method);
      else paths.set(url, { style: styles[operation.kind], known: [method], sandboxOnly: sandboxOnlyMethods(url) });
    }
  }
  const table = new RouteTable<KnownPath>();
  const rejectMethod: MethodRejection = (request, reply) => {
    const path = table.findDecoded(request.raw.url ?? '/')?.route;
    return path && rejectMethodOf(options, path, request, reply);
  };
  const patterns = [...paths]
    .filter(([url]) => url.includes(':'))
    .map(([url, { known }]) => ({ url, known, segments: url.split('/') }));
  for (const [url, path] of paths) {
    table.add(url, path);
    const segments = url.split('/');
    const others = patterns.flatMap((other) =>
      other.url !== url && fits(other.segments, segments) ? other.known : [],
    );
    // The framework would take these to the operation whose path has a parameter there.
    const taken = methods.filter((method) => others.includes(method) && !path.known.includes(method));
    if (taken.length > 0) {
      const handler: RouteHandlerMethod = (request, reply) => rejectMethod(request, reply) ?? notFound(reply);
      app.route({ method: taken, url, handler });
    }
  }
  for (const [url, path] of others) table.add(url, path);
  return rejectMethod;
}

/** Sandbox-only operations are ROUTE_NOT_FOUND elsewhere (reference, conventions section 11). */
function sandboxOnlyMethods(url: string): string[] {
  return onlyInSandbox.filter((operation) => pathsOf(operation).includes(url)).map(({ http }) => http.method);
}

/** Returns whether a path is one of those that a pattern stands for. */
function fits(pattern: readonly string[], path: readonly string[]): boolean {
  return pattern.length === path.length && pattern.every((name, at) => name === path[at] || name.startsWith(':'));
}

/** Returns the paths of an operation. */
export function pathsOf({ http }: RestOperation): readonly string[] {
  return [http.path, ...(http.aliases ?? [])];
}

function rejectMethodOf(
  { baseUrlOf }: RestOptions,
  { style, known, sandboxOnly }: KnownPath,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined {
  const { method } = request;
  if (known.includes(method)) return undefined;
  if (sandboxOnly.includes(method)) {
    const message = `There is no ${method} of this path here; only the sandbox has it`;
    return sendError(reply, new ApiError({ error: 'ROUTE_NOT_FOUND', message }));
  }
  const allow = known.join(', ');
  const error = new ApiError({ error: 'METHOD_NOT_ALLOWED', message: `The path exists, but only with ${allow}` });
  const response = style.failure(error, undefined, baseUrlOf(request));
  return send(reply.header('allow', allow), rejection(style, error, response));
}

/** The answer to an error that occurred before or outside of an operation. */
export function errorAnswer(error: unknown): RestAnswer {
  return rejection(styles.ads, error, encodeFailure(error, undefined));
}

/** The same on the authentication listener, where errors have numbers. */
export function numberedErrorAnswer(error: unknown): RestAnswer {
  return rejection(styles.auth, error, encodeNumberedFailure(error));
}

/** Sends {@link errorAnswer}. */
export function sendError(reply: FastifyReply, error: unknown): FastifyReply {
  return send(reply, errorAnswer(error));
}

/** Sends {@link numberedErrorAnswer}. */
export function sendNumberedError(reply: FastifyReply, error: unknown): FastifyReply {
  return send(reply, numberedErrorAnswer(error));
}

function send(reply: FastifyReply, { status, headers, body, rejected }: RestAnswer): FastifyReply {
  reply.rejectionReason = rejected;
  for (let at = 0; at < headers.length; at += 2) reply.header(`${headers[at]}`, headers[at + 1]);
  return reply.code(status).send(body);
}

function handle(options: RestOptions, operation: RestOperation) {
  const { services, environment, baseUrlOf, foreign } = options;
  const answer = answererOf(services, environment, operation);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (lacksPart(request)) return notFound(reply);
    const { method = 'GET', url: target = '/' } = request.raw;
    const { headers } = request;
    const answered = await released(
      answer({
        method,
        target,
        path: pathParams(request.params),
        headers,
        authorization: headers.authorization,
        contentType: headers['content-type'],
        body: typeof request.body === 'string' ? request.body : undefined,
        bytes: request.body instanceof Uint8Array ? request.body : undefined,
        baseUrl: baseUrlOf(request),
        foreignHost: foreign.isForeign(request) ? foreign : undefined,
      }),
    );
    if (answered.failure) logFailure(request.log, operation, answered.failure.error);
    return send(reply, answered);
  };
}

/** Logs that an operation failed in a way that it should not. */
export function logFailure(logger: FastifyBaseLogger, { id }: RestOperation, error: unknown): void {
  logger.error({ err: error, operation: id }, 'an operation failed unexpectedly');
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
