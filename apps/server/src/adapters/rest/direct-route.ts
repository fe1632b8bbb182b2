/**
 * The direct route: answers the plain GETs of the contract before the framework gets to see them, which spares most of what a
 * small read costs. It decides nothing by itself: requests go through the same {@link answererOf} as behind the framework, and
 * have the same headers and the same line in the log. A request with a body, an unusual target or an unknown path is left to
 * the framework.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { follow } from '../../pipeline/held.ts';
import { type DirectRoute, hasBody, type RespondOptions, responder } from '../direct.ts';
import { type Answerer, answererOf, type RestAnswer } from './answer.ts';
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
  const table = new RouteTable<Route>();
  for (const operation of operations) {
    if (operation.http.method !== 'GET' || operation.batch !== undefined) continue;
    const route = { operation, answer: answererOf(services, environment, operation) };
    for (const path of pathsOf(operation)) table.add(path, route);
  }
  return (request, response) => {
    const { method, url: target = '', headers } = request;
    if (method !== 'GET' || hasBody(headers)) return false;
    const found = table.find(target);
    if (found === undefined) return false;
    const { operation, answer } = found.route;
    respond(request, response, target, {
      answer() {
        const answered = answer({
          method,
          target,
          path: found.path,
          headers,
          authorization: headers.authorization,
          contentType: headers['content-type'],
          body: undefined,
          bytes: undefined,
          baseUrl: baseUrlOf(request),
          foreignHost: foreign.isForeign(request) ? foreign : undefined,
        });
        return follow(answered, (done) => {
          if (!done.failure) return done;
          const { error } = done.failure;
          if (elsewhere?.(error, request, response)) return undefined;
          logFailure(logger, operation, error);
          return done;
        });
      },
      failed(error) {
        logger.error({ err: error }, 'a request failed unexpectedly');
        return failed(error);
      },
    });
    return true;
  };
}
