import type { Logger } from 'pino';
import type { Report } from './reporting-exporter.ts';

/** Reports to the log that traces cannot be sent, and that they can be again. */
export function reportTraces(logger: Pick<Logger, 'warn' | 'info'>): Report {
  return (problem) => {
    if (problem === undefined) logger.info('traces are sent again');
    else logger.warn({ problem }, 'traces cannot be sent; spans are dropped until they can be');
  };
}
