/**
 * The direct route: answers plain GETs and HEADs of the contract, and writes of the advertising interface with small bodies, before the
 * framework gets to see them, which spares most of what they cost. It decides nothing by itself: requests go through the same
 * {@link answererOf} as behind the framework, and have the same headers and the same line in the log. A request with an unusual
 * target or body or an unknown path is left to the framework.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { receivedTarget } from '../../dialects/spoken.ts';
import { follow } from '../../pipeline/held.ts';
import { type DirectRoute, hasBody, isReading, type RespondOptions, responder } from '../direct.ts';
import { hasSmallBody } from '../limits/small-body.ts';
import { readText } from '../limits/text.ts';
import { type Answerer, answererOf, NOT_UTF8, type RestAnswer } from './answer.ts';
import { RouteTable } from './route-table.ts';
import { logFailure, pathsOf, type RestOptions } from './routes.ts';
import type { RestOperation } from './styles.ts';

/** Dependencies of the direct route. */
export interface DirectOptions extends RestOptions, RespondOptions {
  readonly operations: readonly RestOperation[];
  /** The answer to a request for which no answer could be made. */
  readonly failed: (error: unknown) => RestAnswer;
  /** Takes over a request that failed here with an error, if it can be answered elsewhere; false when it cannot. */
  readonly elsewhere?: (error: unknown, request: IncomingMessage, response: ServerResponse) => boolean;
}

interface Route {
  readonly operation: RestOperation;
  readonly answer: Answerer;
}

/** Makes the direct route of a listener. */
export function directRoute(options: DirectOptions): DirectRoute {
  const { services, environment, operations, baseUrlOf, foreign, logger, failed, elsewhere } = options;
  const respond = responder(options);
  const reads = new RouteTable<Route>();
  const writes = new Map<string, RouteTable<Route>>();
  for (const operation of operations) {
    if (!isTaken(operation)) continue;
    const table = tableOf(operation.http.method);
    const route = { operation, answer: answererOf(services, environment, operation) };
    for (const path of pathsOf(operation)) table.add(path, route);
  }
  return (request, response) => {
    const { method = '', url = '', headers } = request;
    const reading = isReading(method);
    if (reading ? hasBody(headers) : !hasSmallBody(request)) return false;
    const found = reading ? reads.find(url) : writes.get(method)?.find(url);
    if (found === undefined) return false;
    const { operation, answer } = found.route;
    const target = receivedTarget(request);
    respond(request, response, target, {
      reads: !reading && headers['content-length'] !== undefined,
      answer(id, bytes) {
        const body = bytes && readText(bytes);
        if (bytes && body === undefined) return closing(failed(NOT_UTF8));
        const answered = answer({
          method,
          target,
          path: found.path,
          headers,
          authorization: headers.authorization,
          contentType: headers['content-type'],
          body,
          bytes: undefined,
          baseUrl: baseUrlOf(request),
          foreignHost: foreign.isForeign(request) ? foreign : undefined,
          dialect: request.spoken?.dialect,
        });
        return follow(answered, (done) => {
          if (!done.failure) return done;
          const { error } = done.failure;
          if (elsewhere?.(error, request, response)) return undefined;
          logFailure(logger, id, done, error);
          return done;
        });
      },
      failed(error, id) {
        logger.error({ err: error, operation: operation.id, request: id }, 'a request failed unexpectedly');
        return { ...failed(error), operation: operation.id };
      },
    });
    return true;
  };

  function tableOf(method: string): RouteTable<Route> {
    if (method === 'GET') return reads;
    const table = writes.get(method) ?? new RouteTable<Route>();
    writes.set(method, table);
    return table;
  }
}

/** Batches of users are read as streams. Endpoints of authentication are too rare to matter. */
function isTaken({ kind, http, batch }: RestOperation): boolean {
  return http.method === 'GET' ? batch === undefined : kind === 'ads' && batch?.users === undefined;
}

/** The framework closes connections with bodies that it cannot read. */
function closing(answer: RestAnswer): RestAnswer {
  return { ...answer, headers: ['connection', 'close', ...answer.headers] };
}
