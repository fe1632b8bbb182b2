/**
 * The HTTP application of one listener. Three listeners make a platform: authentication and data retrieval, the advertising
 * interface, and its sandbox; a fourth controls the worlds of a server. The application knows nothing of ports: tests inject requests, `startServer` listens.
 */
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import {
  type AnyOperation,
  ApiError,
  allAuthOperations,
  allControlOperations,
  allDataOperations,
  allOperatorOperations,
  repeatedText,
} from '@broadside/core';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RouteHandlerMethod,
} from 'fastify';
import { registerTransfer } from './adapters/control/transfer.ts';
import { CrossOrigin, registerCrossOrigin } from './adapters/cross-origin.ts';
import { type DirectRoute, isReading } from './adapters/direct.ts';
import { registerDocs } from './adapters/docs/routes.ts';
import { frameworkError, frameworkLogger, noCompiler } from './adapters/framework.ts';
import { registerBodyParser } from './adapters/limits/body-parser.ts';
import { HttpIntake } from './adapters/limits/intake.ts';
import { UnusedConnections } from './adapters/limits/unused-connections.ts';
import { registerMediaFiles } from './adapters/media/serve.ts';
import { registerShortLinks } from './adapters/media/short-links.ts';
import { registerUpload } from './adapters/media/upload.ts';
import { registerMetrics } from './adapters/metrics/route.ts';
import { registerOperatorProof } from './adapters/operator-proof.ts';
import { namedBaseUrl, ownHosts, type ReachedRequest, type Scheme } from './adapters/own-host.ts';
import { noSuchPage, prefersPage, welcomePage } from './adapters/pages/listener-pages.ts';
import { pageHeaders } from './adapters/pages/policy.ts';
import { registerPages } from './adapters/pages/routes.ts';
import { registerSpans, requestSpans } from './adapters/request-spans.ts';
import { countedLog } from './adapters/rest/counted-log.ts';
import { directRoute } from './adapters/rest/direct-route.ts';
import { expectationRoute } from './adapters/rest/expectation-route.ts';
import { listenerTitles, nearestPath } from './adapters/rest/nearest-path.ts';
import { pathOf, REQUEST_ID, requestIds, requestLog } from './adapters/rest/request-log.ts';
import {
  errorAnswer,
  notFound,
  numberedErrorAnswer,
  operationsOf,
  type RestOptions,
  registerRest,
  routedMethods,
  sendError,
  sendNumberedError,
  uploadsAndPages,
} from './adapters/rest/routes.ts';
import { commonHeaders, type RestOperation } from './adapters/rest/styles.ts';
import { Stages } from './adapters/stages.ts';
import { isForeign } from './adapters/trpc/origin.ts';
import { PREFIX as TRPC_PREFIX } from './adapters/trpc/request.ts';
import { registerTrpc } from './adapters/trpc/routes.ts';
import { enterWorld } from './adapters/world-prefix.ts';
import { type CrossOrigins, NO_ORIGINS } from './config/cross-origins.ts';
import type { ListenerDialects } from './dialects/listener-dialects.ts';
import { receivedTarget, type SpokenRequest, spokenBy } from './dialects/spoken.ts';
import { Recorder } from './journal/recorder.ts';
import type { AppName, ListenerName } from './listener-name.ts';
import { keepToHttps, type ListenerTls } from './listening/listener-tls.ts';
import { worldOfRequest } from './pipeline/choose-world.ts';
import type { Services } from './pipeline/execute.ts';
import type { Mode } from './pipeline/mode.ts';
import { asUnavailable, RETRY_AFTER_SECONDS } from './pipeline/unavailable.ts';
import type { Exposition } from './telemetry/exposition.ts';
import { isPassedOn } from './threads/passed-request.ts';
import type { Environment } from './world/environment.ts';
import type { Random } from './world/random.ts';

export type { AppName, ListenerName } from './listener-name.ts';

export const listenerNames: readonly ListenerName[] = ['api', 'ads', 'sandbox'];

export interface AppOptions {
  readonly services: Services;
  readonly listener: AppName;
  /**
   * The public base URL that clients sign. By default the one that the request names in its Host header, which must then be an address
   * of the listener.
   */
  readonly baseUrl?: string | undefined;
  /** The address to listen on, as configured. */
  readonly host?: string | undefined;
  /** Reverse proxies whose X-Forwarded-For is trusted: addresses or networks. None by default. */
  readonly trustedProxies?: readonly string[] | undefined;
  /** Origins whose pages may call what takes a signature or a token. None by default. */
  readonly crossOrigins?: CrossOrigins | undefined;
  /** Limits what clients may make the process hold; shared by its listeners. The default limits without it. */
  readonly intake?: HttpIntake | undefined;
  /** The dialects that the listener understands. */
  readonly dialects?: ListenerDialects | undefined;
  /** Makes the server of a listener that speaks TLS itself. */
  readonly tls?: ListenerTls | undefined;
  /** The metrics of the server, for the listener that controls worlds. */
  readonly metrics?: Exposition | undefined;
  /** The source of the ids of requests; that of the world's credentials without it. */
  readonly requestRandom?: Random | undefined;
  readonly logger: FastifyBaseLogger;
}

/** The settings of the base URLs. */
const baseUrlSettings: Readonly<Record<AppName, string>> = {
  control: 'BROADSIDE_CONTROL_HOST',
  api: 'BROADSIDE_BASE_URL',
  ads: 'BROADSIDE_ADS_BASE_URL',
  sandbox: 'BROADSIDE_ADS_SANDBOX_BASE_URL',
};

/** Titles of the pages at `/`. The first listener has pages of its own. */
const greetings: Readonly<Record<Environment, string>> = {
  production: 'The advertising interface',
  sandbox: 'The sandbox of the advertising interface',
};

/** The environment of a listener; the first listener has none. */
export const environmentOf: Readonly<Record<AppName, Environment | undefined>> = {
  control: undefined,
  api: undefined,
  ads: 'production',
  sandbox: 'sandbox',
};

/** The way in which clients reach a listener: the base URL that they sign, and whose hosts are not its own. */
export function reachedAs(
  mode: Mode,
  listener: AppName,
  { baseUrl, host, scheme = 'http' }: Pick<AppOptions, 'baseUrl' | 'host'> & { readonly scheme?: Scheme },
): Pick<RestOptions, 'baseUrlOf' | 'foreign'> {
  const isOwn = ownHosts(mode, host, scheme);
  const own =
    baseUrl === undefined ? (request: Pick<ReachedRequest, 'headers'>) => namedBaseUrl(request, scheme) : () => baseUrl;
  return {
    baseUrlOf: (request) => spokenBy(request)?.baseUrl ?? own(request),
    foreign: {
      setting: baseUrlSettings[listener],
      isForeign: (request: ReachedRequest & SpokenRequest) =>
        baseUrl === undefined && spokenBy(request)?.baseUrl === undefined && !isOwn(request),
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
  crossOrigins = NO_ORIGINS,
  intake = new HttpIntake(),
  dialects,
  tls,
  metrics,
  requestRandom = services.world.credentialRandom,
  logger,
}: AppOptions): FastifyInstance {
  const scheme = tls ? 'https' : 'http';
  const environment = environmentOf[listener];
  const isControl = listener === 'control';
  const inWords = environment !== undefined || isControl;
  const reject = inWords ? sendError : sendNumberedError;
  const failed = inWords ? errorAnswer : numberedErrorAnswer;
  const nextId = requestIds(requestRandom);
  const log = countedLog(requestLog(logger, listener), services.telemetry?.figures?.requests.listener(listener));
  const { host: worldHost } = services;
  const enter = (request: IncomingMessage) => {
    if (worldHost) enterWorld(request, (id) => worldHost.has(id));
    dialects?.enter(request);
  };
  const recorder = new Recorder(
    listener,
    (request) => {
      if (isControl) return undefined;
      const world = worldHost && worldOfRequest(worldHost, request);
      // Our choice: what is for no operation opens no world, so only one that is open has it in its journal.
      if (world === undefined || !worldHost?.has(world)) return services.journal;
      return worldHost.openServices(world)?.journal;
    },
    scheme,
  );
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
    // What arrives at a port has entered before the direct route; here enters what is made in this process.
    rewriteUrl: (request: IncomingMessage) => {
      enter(request);
      return request.url ?? '/';
    },
    // A request without a host gets a readable error; signed requests always have one.
    http: { requireHostHeader: false, ...intake.serverOptions },
    ...(tls ? { serverFactory: (handler: RequestListener) => tls.serverFor(intake, handler) } : {}),
    clientErrorHandler: intake.failing((error, request) => formOf(error, request)),
    // These have no route, so no hook is run for them.
    frameworkErrors: (error, request, reply) => {
      void reject(reply.header(REQUEST_ID, request.id), frameworkError(error));
      if (services.journal !== undefined) recorder.recordReply(request, reply, undefined);
      reply.raw.once('finish', () => logReply(request, reply));
    },
  });
  const spans = requestSpans(services.telemetry?.tracing, listener);
  const logReply = ({ id, method, raw, headers, routeOptions }: FastifyRequest, reply: FastifyReply) => {
    const target = receivedTarget(raw);
    const answer = { ...reply.logged, status: reply.statusCode, route: routeOptions.url };
    const logged = spans ? spans.answered(raw, id, target, answer) : answer;
    log(id, method, target, logged, reply.elapsedTime, headers[REQUEST_ID]);
  };
  const othersOf = (request: FastifyRequest) =>
    listenerNames
      .filter((name) => name !== listener)
      .flatMap((name) => {
        const url = services.listenerUrl(name, baseUrlOf(request));
        return url === undefined ? [] : [{ title: listenerTitles[name], url }];
      });
  const unused = new UnusedConnections(app.server);
  const { baseUrlOf, foreign } = reachedAs(services.mode, listener, { baseUrl, host, scheme });

  registerSpans(app, spans);
  registerBodyParser(app, intake, inWords);

  app.setErrorHandler((error, request, reply) => {
    // The framework reads a body before it finds that there is no such method.
    const rejected = rejectMethod(request, reply);
    if (rejected) return rejected;
    const known = error instanceof ApiError ? error : frameworkError(error);
    if (known instanceof ApiError) return reject(reply, known);
    request.log.error({ err: error, request: request.id }, 'a request failed unexpectedly');
    return reject(reply, asUnavailable(error));
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
  app.decorateReply('logged', undefined);
  app.decorateReply('logBrokenOff', function logBrokenOff(this: FastifyReply) {
    onFinish();
    if (services.journal !== undefined) recorder.recordReply(this.request, this, undefined, 'unanswered');
    logReply(this.request, this);
  });
  app.addHook('onResponse', (request, reply, done) => {
    onFinish();
    logReply(request, reply);
    done();
  });

  app.addHook('onSend', (request, reply, payload, done) => {
    void reply.header(REQUEST_ID, request.id);
    void reply.headers(commonHeaders);
    const isEmpty = payload === undefined || payload === null || payload === '';
    // The framework leaves it out, though GET has it.
    if (isEmpty && request.method === 'HEAD' && reply.statusCode !== 304 && !reply.hasHeader('content-length')) {
      void reply.header('content-length', 0);
    }
    // Says that nothing was done and when to come again: clients repeat writes then, and not after other failures.
    if (reply.statusCode === 503 && !reply.hasHeader('retry-after')) {
      void reply.header('retry-after', RETRY_AFTER_SECONDS);
    }
    if (tls?.isStrict) keepToHttps(reply);
    if (services.journal !== undefined) recorder.recordReply(request, reply, payload);
    done(null, payload);
  });

  const isElsewhere = (request: IncomingMessage) => isControl && isForeign(request.headers, baseUrl, scheme);
  if (isControl) {
    app.addHook('onRequest', async (request, reply) => {
      if (isElsewhere(request.raw) || foreign.isForeign(request)) return reject(reply, FOREIGN_PAGE);
    });
  }
  const cross = new CrossOrigin(isControl ? NO_ORIGINS : crossOrigins);
  registerCrossOrigin(app, cross, (target) => methodsOf(target));

  const get = (url: string, handler: RouteHandlerMethod) => app.route({ method: routedMethods('GET'), url, handler });
  get('/health', (_request, reply) => reply.send({ status: 'ok' }));
  get('/ready', async (_request, reply) => {
    const report = await services.readiness.report();
    return reply.code(report.status === 'ready' ? 200 : 503).send(report);
  });

  registerDocs(app, {
    environment: isControl ? 'control' : environment,
    baseUrlOf,
    isForeign: foreign.isForeign,
    listenerUrl: services.listenerUrl,
    demoDirectory: services.mode === 'development' && !isControl ? services.world.dataDirectory : undefined,
  });
  registerOperatorProof(app, {
    operatorToken: services.operatorToken,
    baseUrl,
    setting: baseUrlSettings[listener],
    scheme,
    isOwn: ownHosts(services.mode, host, scheme),
  });
  // The operator's operations name their environment themselves, and the platform's operations are in none.
  const options = { services, environment: environment ?? 'production', baseUrlOf, foreign };
  const rest: readonly RestOperation[] = isControl
    ? allControlOperations
    : environment
      ? operationsOf(environment)
      : [...allAuthOperations, ...allDataOperations];
  const { rejectMethod, answerAt, methodsOf } = registerRest(app, options, rest, inWords ? [] : uploadsAndPages());
  const formOf = (error: ApiError, request?: IncomingMessage) =>
    (request && answerAt(error, request)) ?? failed(error, request && spokenBy(request));
  app.setNotFoundHandler((request, reply) => {
    const rejected = rejectMethod(request, reply);
    if (rejected) return rejected;
    const path = pathOf(receivedTarget(request.raw));
    const { listenerUrl } = services;
    const spoken = spokenBy(request);
    const place = { reached: baseUrlOf(request), listenerUrl, spoken, dialects };
    const hint = isControl ? undefined : nearestPath({ ...place, listener }, request.method, path);
    const said = `There is no ${request.method} ${repeatedText(path)} here`;
    void reply.header('vary', 'accept');
    if (isReading(request.method) && prefersPage(request.headers.accept)) {
      const page = noSuchPage({ said, hint, prefix: spoken?.prefix, others: othersOf(request) });
      return reply.code(404).headers(pageHeaders()).send(page);
    }
    const message = `${said}. ${hint ?? `The reference of this listener is at ${spoken?.prefix ?? ''}/docs`}`;
    return reject(reply, new ApiError({ error: 'ROUTE_NOT_FOUND', message }), message);
  });
  if (isControl) {
    registerTransfer(app, { services, intake, baseUrlOf });
    registerMetrics(app, { services, baseUrlOf, exposition: metrics });
    get('/', (_request, reply) => reply.redirect('/docs', 302));
  } else if (environment) {
    get('/', (request, reply) => {
      if (!prefersPage(request.headers.accept)) return notFound(reply);
      const page = welcomePage({
        title: greetings[environment],
        prefix: spokenBy(request)?.prefix,
        others: othersOf(request),
      });
      return reply.headers({ ...pageHeaders(), vary: 'accept' }).send(page);
    });
  } else {
    registerUpload(app, { ...options, intake, frameworkError });
    registerMediaFiles(app, services);
    registerShortLinks(app, services);
    registerPages(app, { services, baseUrlOf });
  }
  const operations: AnyOperation[] = [
    ...(isControl ? allControlOperations : environment ? operationsOf(environment) : allDataOperations),
    ...allOperatorOperations,
  ];
  const stages = new Stages();
  // Where no world has a journal, it is not looked for: that reads the credentials of the request again.
  const respond = {
    logger: app.log,
    log,
    nextId,
    stages,
    onFinish,
    cross,
    spans,
    ...(services.journal && { recorder }),
  };
  const direct = directRoute({ ...options, ...respond, operations: rest, failed });
  const unmet = expectationRoute(formOf, respond);
  const trpc = registerTrpc(app, { ...options, operations, baseUrl, scheme, frameworkError, respond });
  // The framework closes the connections of requests that still arrive when it closes.
  offerFirst(app.server, intake, (request, response) => {
    // It was read together with those for which the connection was closed.
    if (request.socket.destroyed) return true;
    // Connections between threads stay: one that ends while its thread writes the end of a body would lose the answer.
    if (intake.isEnding && !isPassedOn(request.socket)) response.shouldKeepAlive = false;
    enter(request);
    if (closing || isElsewhere(request) || (isControl && foreign.isForeign(request))) return false;
    const own = request.url?.startsWith(TRPC_PREFIX) ? trpc : direct;
    return own(request, response) || unmet(request, response);
  });
  // After those listeners, so that the bodies that the direct route reads are watched too.
  intake.apply(app.server, formOf);
  return app;
}

/** The rejection of requests to the control listener that a page of another origin can have sent. */
const FOREIGN_PAGE = new ApiError({
  error: 'ACTION_NOT_ALLOWED',
  message: 'Pages of other origins may not control worlds; call this listener by its own address',
});

/** Offers requests to `direct`, and passes on to the framework those that it does not take. */
function offerFirst(server: Server, intake: HttpIntake, direct: DirectRoute): void {
  const others = server.listeners('request');
  server.removeAllListeners('request');
  server.on(
    'request',
    intake.inOrder((request, response) => {
      if (direct(request, response)) return;
      for (const other of others) other.call(server, request, response);
    }),
  );
}
