/**
 * The HTTP application of one listener. Three listeners make a server: authentication and data retrieval, the advertising
 * interface, and its sandbox. The application knows nothing of ports: tests inject requests, `startServer` listens.
 */
import type { Server } from 'node:http';
import {
  type AnyOperation,
  ApiError,
  allAuthOperations,
  allDataOperations,
  allOperatorOperations,
} from '@broadside/core';
import Fastify, { type FastifyBaseLogger, type FastifyError, type FastifyInstance, LogController } from 'fastify';
import type { DirectRoute } from './adapters/direct.ts';
import { registerDocs } from './adapters/docs/routes.ts';
import { registerBodyParser } from './adapters/limits/body-parser.ts';
import { HttpIntake } from './adapters/limits/intake.ts';
import { UnusedConnections } from './adapters/limits/unused-connections.ts';
import { registerMediaFiles } from './adapters/media/serve.ts';
import { registerShortLinks } from './adapters/media/short-links.ts';
import { registerUpload } from './adapters/media/upload.ts';
import { namedBaseUrl, ownHosts, type ReachedRequest } from './adapters/own-host.ts';
import { registerPages } from './adapters/pages/routes.ts';
import { directRoute } from './adapters/rest/direct-route.ts';
import { pathOf, requestIds, requestLog } from './adapters/rest/request-log.ts';
import {
  errorAnswer,
  numberedErrorAnswer,
  operationsOf,
  type RestOptions,
  registerRest,
  sendError,
  sendNumberedError,
  uploadsAndPages,
} from './adapters/rest/routes.ts';
import { commonHeaders } from './adapters/rest/styles.ts';
import { registerTrpc } from './adapters/trpc/routes.ts';
import { handlerOf } from './families.ts';
import type { Services } from './pipeline/execute.ts';
import type { Mode } from './pipeline/mode.ts';
import { RateLimiter, type RateLimitProfile } from './pipeline/rate-limiter.ts';
import { RETRY_AFTER_SECONDS } from './pipeline/unavailable.ts';
import { realProofs } from './pipeline/verify-caller.ts';
import { Readiness } from './readiness.ts';
import type { SharedWindows } from './threads/shared-windows.ts';
import type { Environment } from './world/environment.ts';
import type { World } from './world/world.ts';

/** The part of the platform that a listener serves. */
export type ListenerName = 'api' | 'ads' | 'sandbox';
export const listenerNames: readonly ListenerName[] = ['api', 'ads', 'sandbox'];

export interface AppOptions {
  readonly services: Services;
  readonly listener: ListenerName;
  /**
   * The public base URL that clients sign. By default the one that the request names in its Host header, which must then be an address
   * of the listener.
   */
  readonly baseUrl?: string | undefined;
  /** The address to listen on, as configured. */
  readonly host?: string | undefined;
  /** Reverse proxies whose X-Forwarded-For is trusted: addresses or networks. None by default. */
  readonly trustedProxies?: readonly string[] | undefined;
  /** What clients may make the process hold; shared by its listeners. The default limits without it. */
  readonly intake?: HttpIntake | undefined;
  readonly logger: FastifyBaseLogger;
}

/** Services that the pipeline of a world needs; shared by its three listeners. */
export function createServices(
  world: World,
  options: {
    readonly rateLimits: RateLimitProfile;
    readonly operatorToken: string | undefined;
    /** `production` by default. */
    readonly mode?: Mode | undefined;
    /** The public base URLs of all listeners, once they are known. */
    readonly baseUrls?: (() => readonly string[]) | undefined;
    /** The public base URL of the first port, for a client that reached a listener under another; by default the same. */
    readonly platformUrl?: ((reached: string) => string) | undefined;
    /** What `/ready` says; by default the state of the stores. */
    readonly readiness?: Readiness | undefined;
    /** Windows of rate limits that other threads count in too. */
    readonly windows?: SharedWindows | undefined;
  },
): Services {
  const { rateLimits, operatorToken, mode = 'production', baseUrls = () => [], platformUrl = (url) => url } = options;
  const limiter = new RateLimiter(rateLimits, world.wallClock, options.windows);
  const readiness = options.readiness ?? new Readiness(world);
  return { world, limiter, operatorToken, mode, baseUrls, platformUrl, proofs: realProofs, handlerOf, readiness };
}

/** The settings of the base URLs. */
const baseUrlSettings: Readonly<Record<ListenerName, string>> = {
  api: 'BROADSIDE_BASE_URL',
  ads: 'BROADSIDE_ADS_BASE_URL',
  sandbox: 'BROADSIDE_ADS_SANDBOX_BASE_URL',
};

/** The environment of a listener; the first listener has none. */
export const environmentOf: Readonly<Record<ListenerName, Environment | undefined>> = {
  api: undefined,
  ads: 'production',
  sandbox: 'sandbox',
};

/** How clients reach a listener: the base URL that they sign, and whose hosts are not its own. */
export function reachedAs(
  mode: Mode,
  listener: ListenerName,
  { baseUrl, host }: Pick<AppOptions, 'baseUrl' | 'host'>,
): Pick<RestOptions, 'baseUrlOf' | 'foreign'> {
  const isOwn = ownHosts(mode, host);
  return {
    baseUrlOf: baseUrl === undefined ? namedBaseUrl : () => baseUrl,
    foreign: {
      setting: baseUrlSettings[listener],
      isForeign: (request: ReachedRequest) => baseUrl === undefined && !isOwn(request),
    },
  };
}

/** Builds the application of a listener. */
export function createApp({
  services,
  listener,
  baseUrl,
  host,
  trustedProxies,
  intake = new HttpIntake(),
  logger,
}: AppOptions): FastifyInstance {
  const environment = environmentOf[listener];
  const reject = environment ? sendError : sendNumberedError;
  const failed = environment ? errorAnswer : numberedErrorAnswer;
  const nextId = requestIds();
  const log = requestLog(logger, listener);
  const app = Fastify({
    genReqId: nextId,
    // The contract has its own: those of the framework would be loaded at each start, for schemas that no route has.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    loggerInstance: frameworkLogger(logger, listener),
    // Fastify's own lines would contain the query string, which can carry credentials.
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger for each request costs more than the rest of its line; the lines identify the request themselves.
    childLoggerFactory: (parent) => parent,
    requestTimeout: intake.limits.request_ms,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 500 },
    return503OnClosing: false,
    ...(trustedProxies?.length ? { trustProxy: [...trustedProxies] } : {}),
    // A request without a host gets a readable error; signed requests always have one.
    http: { requireHostHeader: false, ...intake.serverOptions },
    clientErrorHandler: intake.fail,
    frameworkErrors: (error, _request, reply) => void reject(reply, frameworkError(error)),
  });
  const unused = new UnusedConnections(app.server);
  const { baseUrlOf, foreign } = reachedAs(services.mode, listener, { baseUrl, host });

  registerBodyParser(app, intake, environment !== undefined);

  app.setErrorHandler((error, request, reply) => {
    // The framework reads a body before it finds that there is no such method.
    const rejected = rejectMethod(request, reply);
    if (rejected) return rejected;
    const known = error instanceof ApiError ? error : frameworkError(error);
    if (!(known instanceof ApiError)) request.log.error({ err: error }, 'a request failed unexpectedly');
    return reject(reply, known);
  });
  let closing = false;
  app.addHook('preClose', (done) => {
    closing = true;
    unused.end();
    done();
  });
  const onFinish = () => {
    // A connection that was busy when closing began is idle only now; keep-alive would delay the shutdown.
    if (closing) setImmediate(() => app.server.closeIdleConnections());
  };
  app.decorateReply('rejectionReason', undefined);
  app.addHook('onResponse', (request, reply, done) => {
    onFinish();
    log(request.id, request.method, request.url, reply.statusCode, reply.elapsedTime, reply.rejectionReason);
    done();
  });

  app.addHook('onSend', (_request, reply, payload, done) => {
    // Says that nothing was done and when to come again: clients repeat writes then, and not after other failures.
    if (reply.statusCode === 503) void reply.header('retry-after', RETRY_AFTER_SECONDS);
    done(null, payload);
  });

  app.get('/health', (_request, reply) => reply.headers(commonHeaders).send({ status: 'ok' }));
  app.get('/ready', async (_request, reply) => {
    const report = await services.readiness.report();
    return reply
      .code(report.status === 'ready' ? 200 : 503)
      .headers(commonHeaders)
      .send(report);
  });

  registerDocs(app, { environment, baseUrlOf });
  // The operator's operations name their environment themselves, and the platform's operations are in none.
  const options = { services, environment: environment ?? 'production', baseUrlOf, foreign };
  const rest = environment ? operationsOf(environment) : [...allAuthOperations, ...allDataOperations];
  const rejectMethod = registerRest(app, options, rest, environment ? [] : uploadsAndPages());
  app.setNotFoundHandler((request, reply) => {
    const rejected = rejectMethod(request, reply);
    if (rejected) return rejected;
    const message = `There is no ${request.method} ${pathOf(request.url)} here`;
    return reject(reply, new ApiError({ error: 'ROUTE_NOT_FOUND', message }));
  });
  if (!environment) {
    registerUpload(app, { ...options, intake, frameworkError });
    registerMediaFiles(app, services.world);
    registerShortLinks(app, services.world);
    registerPages(app, { services, baseUrlOf });
  }
  const operations: AnyOperation[] = [
    ...(environment ? operationsOf(environment) : allDataOperations),
    ...allOperatorOperations,
  ];
  const respond = { logger: app.log, log, nextId, onFinish };
  const direct = directRoute({ ...options, ...respond, operations: rest, failed });
  const trpc = registerTrpc(app, { ...options, operations, baseUrl, frameworkError, respond });
  // The framework closes the connections of requests that still arrive when it closes.
  offerFirst(app.server, (request, response) => !closing && (direct(request, response) || trpc(request, response)));
  // After those listeners, so that the bodies that the direct route reads are watched too.
  intake.apply(app.server);
  return app;
}

function noCompiler(): never {
  throw new TypeError('a route has a schema of the framework; operations declare theirs in the contract');
}

/** Offers requests to `direct`, and passes on to the framework those that it does not take. */
function offerFirst(server: Server, direct: DirectRoute): void {
  const others = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (direct(request, response)) return;
    for (const other of others) other.call(server, request, response);
  });
}

/** The framework's own lines matter from `warn` up: anything below that, the server logs itself. */
function frameworkLogger(logger: FastifyBaseLogger, listener: ListenerName): FastifyBaseLogger {
  const child = logger.child({ listener });
  if (child.level === 'info' || child.level === 'debug' || child.level === 'trace') child.level = 'warn';
  return child;
}

/** Translates errors that the framework raises before a handler runs, to the catalogue. */
function frameworkError(error: unknown): unknown {
  const { code, statusCode }: Partial<FastifyError> = error instanceof Error ? error : {};
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new ApiError({ error: 'UNSUPPORTED_CONTENT_TYPE', message: 'The content type is not valid' });
  }
  if (code === 'FST_ERR_BAD_URL') {
    return new ApiError({ error: 'INVALID_PARAMETER', message: 'The path is not valid: each % needs two hex digits' });
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new ApiError({
      error: 'INVALID_PARAMETER',
      message: error instanceof Error ? error.message : 'Bad request',
    });
  }
  return error;
}
