/**
 * The direct route: answers the plain GETs of the contract before the framework gets to see them, which spares most of what a
 * small read costs. It decides nothing by itself: requests go through the same {@link answererOf} as behind the framework, and
 * have the same headers and the same line in the log. A request with a body, an unusual target or an unknown path is left to
 * the framework.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { chain } from '../../awaitable.ts';
import { type Answerer, answererOf, type RestAnswer } from './answer.ts';
import type { RequestLog } from './request-log.ts';
import { RouteTable } from './route-table.ts';
import { logFailure, pathsOf, type RestOptions } from './routes.ts';
import type { RestOperation } from './styles.ts';

/** Dependencies of the direct route. */
export interface DirectOptions extends RestOptions {
  readonly operations: readonly RestOperation[];
  readonly logger: FastifyBaseLogger;
  readonly log: RequestLog;
  /** The id of the next request. */
  readonly nextId: () => string;
  /** The answer to a request for which no answer could be made. */
  readonly failed: (error: unknown) => RestAnswer;
  /** Called when a response is on its way. */
  readonly onFinish: () => void;
}

/** Answers a request; false when it is not one of those that are answered here. */
export type DirectRoute = (request: IncomingMessage, response: ServerResponse) => boolean;

interface Route {
  readonly operation: RestOperation;
  readonly answer: Answerer;
}

/** Makes the direct route of a listener. */
export function directRoute(options: DirectOptions): DirectRoute {
  const { services, environment, operations, baseUrlOf, foreign, logger, log, nextId, failed, onFinish } = options;
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
    const began = performance.now();
    const id = nextId();
    const { operation, answer } = found.route;

    const respond = (answered: RestAnswer) => {
      if (answered.failure) logFailure(logger, operation, answered.failure.error);
      response.on('finish', () => {
        onFinish();
        log(id, method, target, answered.status, performance.now() - began, answered.refused);
      });
      write(response, answered);
    };
    const fail = (error: unknown) => {
      logger.error({ err: error }, 'a request failed unexpectedly');
      respond(failed(error));
    };
    try {
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
      const sent = chain(answered, respond);
      if (sent instanceof Promise) sent.catch(fail);
    } catch (error) {
      fail(error);
    }
    return true;
  };
}

function hasBody(headers: IncomingMessage['headers']): boolean {
  return (
    headers['content-length'] !== undefined ||
    headers['transfer-encoding'] !== undefined ||
    headers.upgrade !== undefined ||
    headers.expect !== undefined
  );
}

function write(response: ServerResponse, { status, headers, body }: RestAnswer): void {
  const length = Buffer.byteLength(body);
  response.writeHead(status, [...headers, 'content-length', `${length}`]);
  // A text of ASCII only has the same bytes in both encodings, and this one takes less to write.
  response.end(body, length === body.length ? 'latin1' : 'utf8');
}
