/** The REST adapter: finds the operation of a request, decodes, runs the pipeline, encodes; decides nothing. */
import type { IncomingMessage } from 'node:http';
import {
  ApiError,
  allOperations,
  allPages,
  allUploadOperations,
  isOffered,
  type Operation,
  type UploadOperation,
} from '@broadside/core';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { receivedTarget, type Spoken, type SpokenRequest, spokenBy } from '../../dialects/spoken.ts';
import type { ForeignHost } from '../../pipeline/credentials.ts';
import type { Services } from '../../pipeline/execute.ts';
import { released } from '../../pipeline/held.ts';
import type { Environment } from '../../world/environment.ts';
import { breakOffReply } from '../deliver.ts';
import type { ReachedRequest } from '../own-host.ts';
import type { SentAnswer } from '../sent-answer.ts';
import { answererOf, inDialect, type RestAnswer, rejection } from './answer.ts';
import { readLargeJson } from './decode.ts';
import { encodeFailure, encodeNumberedFailure } from './encode.ts';
import { callerMembers, type LoggedAnswer } from './request-log.ts';
import { RouteTable } from './route-table.ts';
import { type ResponseStyle, type RestOperation, styles, uploadStyles } from './styles.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** Members of the log line of the answer, besides its status. */
    logged: Omit<LoggedAnswer, 'status'> | undefined;
    /** Logs an answer that does not end. */
    readonly logBrokenOff: () => void;
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
  readonly baseUrlOf: (request: Pick<FastifyRequest, 'headers'> & SpokenRequest) => string;
  /** Tells requests that name a host of others; see `own-host.ts`. */
  readonly foreign: ForeignHost & { readonly isForeign: (request: ReachedRequest & SpokenRequest) => boolean };
}

/** Answers a request for an operation. @param path the parameters of its path */
type OperationHandler = (
  request: FastifyRequest,
  reply: FastifyReply,
  path: Readonly<Record<string, string>>,
) => Promise<FastifyReply>;

/** Methods of the routes of operations with a method: HEAD is answered wherever GET is, by the same handler. */
export function routedMethods<Method extends string>(method: Method): (Method | 'HEAD')[] {
  return method === 'GET' ? [method, 'HEAD'] : [method];
}

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
  /** By method; none where its routes are made elsewhere. */
  readonly handlers?: Map<string, OperationHandler>;
}

/** Uploads and pages of the contract, whose routes are made elsewhere. */
export function* uploadsAndPages(): Generator<readonly [url: string, path: KnownPath]> {
  for (const [url, members] of Map.groupBy(allUploadOperations.flatMap(eachPath), ([path]) => path)) {
    const known = [...new Set(members.flatMap(([, { http }]) => routedMethods(http.method)))];
    for (const [, { version }] of members) yield [url, { style: uploadStyles[version], known, sandboxOnly: [] }];
  }
  // Forms are sent to the path of their page.
  for (const { http } of allPages)
    yield [http.path, { style: styles.auth, known: ['GET', 'HEAD', 'POST'], sandboxOnly: [] }];
}

function eachPath(operation: UploadOperation): (readonly [url: string, operation: UploadOperation])[] {
  return [operation.http.path, ...(operation.http.aliases ?? [])].map((url) => [url, operation]);
}

/** Answers a request for which there is no route; undefined when its path is not one of the contract. */
type MethodRejection = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined;

/** Answers about the paths of a listener. */
interface PathAnswers {
  /** Answers other methods on them. It is for the handler of requests without a route. */
  readonly rejectMethod: MethodRejection;
  /** Makes the answer to an error of a request in the form of its path; `undefined` when that is not one of the contract. */
  readonly answerAt: (error: ApiError, request: IncomingMessage) => RestAnswer | undefined;
  /** The methods of the path of a target; none where the contract has no such path. */
  readonly methodsOf: (target: string) => readonly string[];
}

/**
 * Serves operations. One route of the framework takes the requests that have no other, and finds their operations itself: a route of
 * the framework for each method and path takes a tenth of the time of a start.
 * @param others paths whose routes are made elsewhere
 */
export function registerRest(
  app: FastifyInstance,
  options: RestOptions,
  operations: readonly RestOperation[],
  others: Iterable<readonly [url: string, path: KnownPath]> = [],
): PathAnswers {
  const paths = new Map<string, KnownPath & { readonly handlers: Map<string, OperationHandler> }>();
  for (const operation of operations) {
    const handler = handle(options, operation);
    for (const url of pathsOf(operation)) {
      const path = paths.get(url) ?? {
        style: styles[operation.kind],
        known: [],
        sandboxOnly: sandboxOnlyMethods(url),
        handlers: new Map<string, OperationHandler>(),
      };
      paths.set(url, path);
      for (const method of routedMethods(operation.http.method)) {
        path.known.push(method);
        path.handlers.set(method, handler);
      }
    }
  }
  const table = new RouteTable<KnownPath>();
  for (const [url, path] of [...paths, ...others]) table.add(url, path);
  const rejectMethod: MethodRejection = (request, reply) => {
    const path = table.findDecoded(request.raw.url ?? '/')?.route;
    return path && rejectMethodOf(options, path, request, reply);
  };
  const answerAt: PathAnswers['answerAt'] = (error, request) => {
    const path = table.findDecoded(request.url ?? '/')?.route;
    return path && rejectionAt(options, path, error, request);
  };
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const found = table.findDecoded(request.raw.url ?? '/');
    const own = found?.route.handlers?.get(request.method);
    return own && found ? own(request, reply, found.path) : notFound(reply);
  };
  const method = [...new Set(operations.flatMap(({ http }) => routedMethods(http.method)))];
  app.route({ method, url: '/*', handler });
  for (const operation of operations.filter(({ batch }) => batch?.users)) {
    for (const url of pathsOf(operation))
      app.route({ method: operation.http.method, url, config: { bytes: true }, handler });
  }
  return { rejectMethod, answerAt, methodsOf: (target) => table.findDecoded(target)?.route.known ?? [] };
}

/** Sandbox-only operations are ROUTE_NOT_FOUND elsewhere (reference, conventions section 11). */
function sandboxOnlyMethods(url: string): string[] {
  return onlyInSandbox
    .filter((operation) => pathsOf(operation).includes(url))
    .flatMap(({ http }) => routedMethods(http.method));
}

/** Returns the paths of an operation. */
export function pathsOf({ http }: RestOperation): readonly string[] {
  return [http.path, ...(http.aliases ?? [])];
}

function rejectMethodOf(
  options: RestOptions,
  path: KnownPath,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined {
  const { known, sandboxOnly } = path;
  const { method } = request;
  if (known.includes(method)) return undefined;
  if (sandboxOnly.includes(method)) {
    const url = options.services.listenerUrl('sandbox', options.baseUrlOf(request));
    const message = `There is no ${method} of this path here; only the sandbox has it${url === undefined ? '' : `, ${url}`}`;
    return sendError(reply, new ApiError({ error: 'ROUTE_NOT_FOUND', message }));
  }
  const allow = known.join(', ');
  const error = new ApiError({ error: 'METHOD_NOT_ALLOWED', message: `The path exists, but only with ${allow}` });
  return sendAnswer(reply.header('allow', allow), rejectionAt(options, path, error, request));
}

function rejectionAt(
  { baseUrlOf }: RestOptions,
  { style }: KnownPath,
  error: ApiError,
  request: FastifyRequest | IncomingMessage,
): RestAnswer {
  const response = inDialect(style.failure(error, undefined, baseUrlOf(request)), spokenBy(request)?.dialect);
  return rejection(style, error, response);
}

/**
 * The answer to an error that occurred before or outside of an operation.
 * @param spoken the dialect of the request
 * @param stays a part of the message that was sent, and stays in its own words
 */
export function errorAnswer(error: unknown, spoken?: Spoken, stays?: string): RestAnswer {
  return rejection(styles.ads, error, inDialect(encodeFailure(error, undefined), spoken?.dialect, stays));
}

/** The same on the authentication listener, where errors have numbers. */
export function numberedErrorAnswer(error: unknown, spoken?: Spoken, stays?: string): RestAnswer {
  return rejection(styles.auth, error, inDialect(encodeNumberedFailure(error), spoken?.dialect, stays));
}

/** Sends {@link errorAnswer}. */
export function sendError(reply: FastifyReply, error: unknown, stays?: string): FastifyReply {
  return sendAnswer(reply, errorAnswer(error, spokenBy(reply.request), stays));
}

/** Sends {@link numberedErrorAnswer}. */
export function sendNumberedError(reply: FastifyReply, error: unknown, stays?: string): FastifyReply {
  return sendAnswer(reply, numberedErrorAnswer(error, spokenBy(reply.request), stays));
}

/** Sends an answer. */
export function sendAnswer(reply: FastifyReply, answer: SentAnswer): FastifyReply {
  const { status, headers, body, ends, ...logged } = answer;
  reply.logged = logged;
  for (let at = 0; at < headers.length; at += 2) reply.header(`${headers[at]}`, headers[at + 1]);
  reply.code(status);
  if (ends !== undefined) return breakOffReply(reply, ends, body);
  // Of an empty text the framework would name a type.
  return body === '' && !reply.hasHeader('content-type') ? reply.send() : reply.send(body);
}

function handle(options: RestOptions, operation: RestOperation): OperationHandler {
  const { services, environment, baseUrlOf, foreign } = options;
  const answer = answererOf(services, environment, operation);
  return async (request, reply, path) => {
    const { method = 'GET' } = request.raw;
    const { headers } = request;
    const body = typeof request.body === 'string' ? request.body : undefined;
    const read = await readLargeJson(headers['content-type'], body);
    const answered = await released(
      answer({
        method,
        target: receivedTarget(request.raw),
        path,
        headers,
        authorization: headers.authorization,
        contentType: headers['content-type'],
        body,
        read,
        bytes: request.body instanceof Uint8Array ? request.body : undefined,
        baseUrl: baseUrlOf(request),
        foreignHost: foreign.isForeign(request) ? foreign : undefined,
        dialect: spokenBy(request)?.dialect,
      }),
    );
    if (answered.failure) logFailure(request.log, request.id, answered, answered.failure.error);
    return sendAnswer(reply, answered);
  };
}

/**
 * Logs that an operation failed in a way that it should not.
 * @param id that of the request
 */
export function logFailure(
  logger: FastifyBaseLogger,
  id: string,
  answer: Pick<LoggedAnswer, 'operation' | 'caller' | 'account_id'>,
  error: unknown,
): void {
  const { operation } = answer;
  logger.error({ err: error, operation, request: id, ...callerMembers(answer) }, 'an operation failed unexpectedly');
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
