/** Requests in a reader thread: reads that it can serve are served here, everything else by the main thread. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { allDataOperations } from '@broadside/core';
import type { FastifyBaseLogger } from 'fastify';
import { CrossOrigin } from './adapters/cross-origin.ts';
import type { Scheme } from './adapters/own-host.ts';
import { requestSpans } from './adapters/request-spans.ts';
import { countedLog } from './adapters/rest/counted-log.ts';
import { directRoute } from './adapters/rest/direct-route.ts';
import { requestIds, requestLog } from './adapters/rest/request-log.ts';
import { errorAnswer, numberedErrorAnswer, operationsOf } from './adapters/rest/routes.ts';
import { Stages } from './adapters/stages.ts';
import { environmentOf, type ListenerName, reachedAs } from './app.ts';
import { type CrossOrigins, NO_ORIGINS } from './config/cross-origins.ts';
import type { ListenerDialects } from './dialects/listener-dialects.ts';
import { receivedTarget } from './dialects/spoken.ts';
import { Recorder } from './journal/recorder.ts';
import type { Services } from './pipeline/execute.ts';
import { servedByAnyThread } from './pipeline/main-thread.ts';
import { MainThreadError } from './threads/main-thread-error.ts';

export interface ReaderRouteOptions {
  readonly services: Services;
  readonly listener: ListenerName;
  readonly baseUrl: string | undefined;
  /** The address to listen on, as configured. */
  readonly host: string;
  /** What the listener speaks. */
  readonly scheme?: Scheme;
  /** The dialects that the listener understands. */
  readonly dialects?: ListenerDialects | undefined;
  /** Pages of other origins that may call. None by default. */
  readonly crossOrigins?: CrossOrigins;
  readonly logger: FastifyBaseLogger;
  /** The number of this thread. */
  readonly thread: number;
  /** Called when a response of this thread is on its way. */
  readonly onFinish: () => void;
  /** Passes a request on to the main thread. */
  readonly pass: (request: IncomingMessage, response: ServerResponse) => void;
}

/** Makes the function that answers the requests of a listener. */
export function readerRoute(options: ReaderRouteOptions): (request: IncomingMessage, response: ServerResponse) => void {
  const { services, listener, baseUrl, host, scheme = 'http', dialects, logger, thread } = options;
  // As it was received: the main thread finds the dialect for itself.
  const pass: typeof options.pass = (request, response) => {
    request.url = receivedTarget(request);
    options.pass(request, response);
  };
  const stages = new Stages();
  const environment = environmentOf[listener];
  const operations = environment ? operationsOf(environment) : allDataOperations;
  const direct = directRoute({
    services,
    environment: environment ?? 'production',
    ...reachedAs(services.mode, listener, { baseUrl, host, scheme }),
    operations: operations.filter((operation) => servedByAnyThread(services, operation)),
    logger,
    log: countedLog(requestLog(logger, listener), services.telemetry?.figures?.requests.listener(listener)),
    cross: new CrossOrigin(options.crossOrigins ?? NO_ORIGINS),
    nextId: requestIds(services.world.credentialRandom, thread),
    stages,
    failed: environment ? errorAnswer : numberedErrorAnswer,
    spans: requestSpans(services.telemetry?.tracing, listener),
    recorder: new Recorder(listener, () => services.journal, scheme),
    onFinish: options.onFinish,
    elsewhere: (error, request, response) => {
      if (!(error instanceof MainThreadError)) return false;
      pass(request, response);
      return true;
    },
  });
  return (request, response) => {
    dialects?.enter(request);
    if (!direct(request, response)) pass(request, response);
  };
}
