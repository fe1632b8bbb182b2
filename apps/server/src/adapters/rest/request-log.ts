import type { FastifyBaseLogger } from 'fastify';

/**
 * Logs a request that was answered.
 * @param target path and query; the query can carry credentials, and is not logged
 * @param ms time that the request took
 * @param refused codes and names of parameters for which it was rejected
 */
export type RequestLog = (
  id: string,
  method: string,
  target: string,
  status: number,
  ms: number,
  refused: string | undefined,
) => void;

/** Returns the function that logs the requests of a listener. */
export function requestLog(logger: FastifyBaseLogger, listener: string): RequestLog {
  return (id, method, target, status, ms, refused) =>
    logger.info(
      { listener, request: id, method, path: pathOf(target), status, ms: Math.round(ms * 10) / 10, refused },
      'request',
    );
}

/** Ids of requests, unique while a listener runs. */
export function requestIds(): () => string {
  let last = 0;
  return () => {
    last += 1;
    return `req-${last.toString(36)}`;
  };
}

/** The path of a target. */
export function pathOf(target: string): string {
  const mark = target.indexOf('?');
  return mark === -1 ? target : target.slice(0, mark);
}
