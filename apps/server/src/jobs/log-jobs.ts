import type { Logger } from 'pino';
import { JobPostponedError, type OnJobFailure } from './job-queue.ts';

/** Logs jobs that fail, and in one line those that wait for something that is expected. @param more members of each line */
export function logJobs(logger: Logger, more: object = {}): OnJobFailure {
  return (error, job) => {
    if (error instanceof JobPostponedError) {
      const { message: reason, delay_ms } = error;
      logger.info({ ...more, ...job, reason, delay_ms }, 'a job waits');
    } else {
      logger.error({ err: error, ...more, ...job }, 'a job failed; it will be tried again');
    }
  };
}
