import type { FastifyBaseLogger } from 'fastify';
import { infoLines, infoStart } from '../../log.ts';

/**
 * Logs a request that was answered.
 * @param target path and query; the query can carry credentials, and is not logged
 * @param ms time that the request took
 * @param rejected codes and names of parameters for which it was rejected
 */
export type RequestLog = (
  id: string,
  method: string,
  target: string,
  status: number,
  ms: number,
  rejected: string | undefined,
) => void;

/** Returns the function that logs the requests of a listener. */
export function requestLog(logger: FastifyBaseLogger, listener: string): RequestLog {
  const write = infoLines(logger);
  if (write === undefined) {
    return (id, method, target, status, ms, rejected) =>
      logger.info({ listener, request: id, method, path: pathOf(target), status, ms: tenths(ms), rejected }, 'request');
  }
  // Few pieces: each costs again when the lines are put together.
  const start = `"listener":${JSON.stringify(listener)},"request":"`;
  return (id, method, target, status, ms, rejected) => {
    if (!ofInfo.has(logger.level)) return;
    const path = pathOf(target);
    const quoted = PLAIN.test(path) ? `"${path}"` : JSON.stringify(path);
    const called = method === 'GET' ? '","method":"GET","path":' : `","method":${JSON.stringify(method)},"path":`;
    const why = rejected === undefined ? '' : `,"rejected":${JSON.stringify(rejected)}`;
    write(`${infoStart(start)}${id}${called}${quoted},"status":${status},"ms":${tenths(ms)}${why},"msg":"request"}\n`);
  };
}

/** Levels at which lines of level `info` are written. */
const ofInfo: ReadonlySet<string> = new Set(['info', 'debug', 'trace']);

/** A path that JSON has as it is. */
const PLAIN = /^[\w\-.~,:/]*$/;

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}

/** Ids of requests, unique while a listener runs. @param prefix tells the ids of one thread from those of another */
export function requestIds(prefix = 'req-'): () => string {
  let last = 0;
  return () => {
    last += 1;
    return `${prefix}${last.toString(36)}`;
  };
}

/** The path of a target. */
export function pathOf(target: string): string {
  const mark = target.indexOf('?');
  return mark === -1 ? target : target.slice(0, mark);
}
