import type { CountRequest } from '../../telemetry/request-figures.ts';
import type { RequestLog } from './request-log.ts';

/** Returns a log that counts the requests too, where they are counted. */
export function countedLog(log: RequestLog, count: CountRequest | undefined): RequestLog {
  if (count === undefined) return log;
  return (id, method, target, answer, ms, sent) => {
    count(method, answer, ms);
    log(id, method, target, answer, ms, sent);
  };
}
