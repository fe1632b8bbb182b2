/**
 * The HTTP application of one listener. Three listeners make a server: authentication and data retrieval, the advertising
 * interface, and its sandbox. The application knows nothing of ports: tests inject requests, `startServer` listens.
 */
import { ApiError } from '@broadside/core';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { MAX_BODY_BYTES } from './faces/rest/decode.ts';
import { registerRest, sendError } from './faces/rest/routes.ts';
import { handlerOf } from './pipeline/registry.ts';
import { RateLimiter, type RateLimitProfile } from './pipeline/rate-limiter.ts';
import type { Services } from './pipeline/execute.ts';
import type { Environment, World } from './world/world.ts';

/** Which part of the platform a listener serves. */
export type ListenerName = 'api' | 'ads' | 'sandbox';
export const listenerNames: readonly ListenerName[] = ['api', 'ads', 'sandbox'];

export interface AppOptions {
  readonly services: Services;
  readonly listener: ListenerName;
  /** The public base URL that clients sign. By default the one that the request names in its Host header. */
  readonly baseUrl?: string | undefined;
  readonly logger: FastifyBaseLogger;
}

/** What the pipeline of a world works on; the same for its three listeners. */
export function createServices(
  world: World,
  { rateLimits, operatorToken }: { rateLimits: RateLimitProfile; operatorToken: string | undefined },
): Services {
  return { world, limiter: new RateLimiter(rateLimits, world.wallClock), operatorToken, handlerOf };
}

const environmentOf: Readonly<Record<ListenerName, Environment | undefined>> = {
  api: undefined,
  ads: 'production',
  sandbox: 'sandbox',
};

/** Builds the application of a listener. */
export function createApp({ services, listener, baseUrl, logger }: AppOptions): FastifyInstance {
  const app = Fastify({
    loggerInstance: logger,
    // Fastify's own lines would hold the query string, which can carry credentials.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: MAX_BODY_BYTES,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 500 },
    return503OnClosing: false,
    frameworkErrors: (error, _request, reply) => void sendError(reply, frameworkError(error)),
  });
  const baseUrlOf = baseUrl === undefined ? hostOf : () => baseUrl;

  // Bodies stay text until the pipeline knows what they are: the signature covers a form as it was sent.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));

  app.setErrorHandler((error, request, reply) => {
    const known = error instanceof ApiError ? error : frameworkError(error);
    if (!(known instanceof ApiError)) request.log.error({ err: error }, 'a request failed unexpectedly');
    return sendError(reply, known);
  });
  app.setNotFoundHandler((request, reply) => {
    const message = `There is no ${request.method} ${pathOf(request)} here`;
    return sendError(reply, new ApiError({ error: 'ROUTE_NOT_FOUND', message }));
  });
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      { method: request.method, path: pathOf(request), status: reply.statusCode, ms: Math.round(reply.elapsedTime * 10) / 10 },
      'request',
    );
    done();
  });

  app.get('/health', (_request, reply) => reply.send({ status: 'ok' }));
  app.get('/ready', async (_request, reply) => {
    const unready = await services.world.unready();
    return reply
      .code(unready.length === 0 ? 200 : 503)
      .send(unready.length === 0 ? { status: 'ready' } : { status: 'not ready', stores: unready });
  });

  const environment = environmentOf[listener];
  if (environment) registerRest(app, { services, environment, baseUrlOf });
  return app;
}

function pathOf(request: FastifyRequest): string {
  const { url } = request;
  const mark = url.indexOf('?');
  return mark === -1 ? url : url.slice(0, mark);
}

function hostOf(request: FastifyRequest): string {
  return `http://${request.headers.host ?? 'localhost'}`;
}

/** What the framework refuses before a handler sees it, in terms of the catalogue. */
function frameworkError(error: unknown): unknown {
  const { code, statusCode }: Partial<FastifyError> = error instanceof Error ? error : {};
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new ApiError({ error: 'REQUEST_TOO_LARGE', message: `The body may have up to ${MAX_BODY_BYTES} bytes` });
  }
  if (code === 'FST_ERR_BAD_URL') {
    return new ApiError({ error: 'INVALID_PARAMETER', message: 'The path is not valid: each % needs two hex digits' });
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new ApiError({ error: 'INVALID_PARAMETER', message: error instanceof Error ? error.message : 'Bad request' });
  }
  return error;
}
