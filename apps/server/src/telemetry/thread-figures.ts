/** All that one thread counts and times. Reader threads hand theirs over when somebody asks. */
import { performance } from 'node:perf_hooks';
import { rateBuckets } from '@broadside/core';
import { type StoreName, storeNames } from '../world/world-options.ts';
import { EventLoop } from './event-loop.ts';
import { Counts, counter, Distribution, type Figure, histogram } from './figures.ts';
import { closedCodes, failureReasons } from './known-labels.ts';
import { RequestFigures } from './request-figures.ts';

/** Upper bounds in seconds: a read of a kept page takes microseconds, a commit waits for the disk. */
const STORE_DURATIONS = [0.00005, 0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];
const GROUP_SIZES = [1, 2, 4, 8, 16, 32, 64];
/** Upper bounds in seconds: most jobs are a write, a film takes minutes. */
const JOB_DURATIONS = [0.001, 0.01, 0.1, 1, 10, 60, 600];

interface StoreFigures {
  readonly reads: Distribution;
  readonly writes: Distribution;
  readonly commits: Distribution;
  readonly groups: Distribution;
}

/** See the top of this file. */
export class ThreadFigures {
  readonly requests = new RequestFigures();
  /** Requests whose credentials were rejected. */
  readonly authenticationFailures = Counts.of('reason', failureReasons);
  /** Requests that were rejected by a limit of rates. */
  readonly rateLimited = Counts.of('bucket', Object.keys(rateBuckets));
  /** Connections that were closed with an answer before they had a request. */
  readonly closedConnections = Counts.of('code', closedCodes);
  readonly jobFailures = new Counts('kind');
  readonly stores: Readonly<Record<StoreName, StoreFigures>>;
  readonly #jobs = new Map<string, Distribution>();
  readonly #loop: EventLoop;

  /** @param thread its number; the main thread has 0 */
  constructor(thread: number) {
    const store = (): StoreFigures => ({
      reads: new Distribution(STORE_DURATIONS),
      writes: new Distribution(STORE_DURATIONS),
      commits: new Distribution(STORE_DURATIONS),
      groups: new Distribution(GROUP_SIZES),
    });
    this.stores = { platform: store(), production: store(), sandbox: store() };
    this.#loop = new EventLoop(`${thread}`);
  }

  /** Counts a job that was run. @param began_ms by {@link now} */
  ranJob(kind: string, began_ms: number): void {
    const known = this.#jobs.get(kind) ?? new Distribution(JOB_DURATIONS);
    this.#jobs.set(kind, known);
    known.add(secondsSince(began_ms));
  }

  close(): void {
    this.#loop.close();
  }

  figures(): Figure[] {
    const jobs = Array.from(this.#jobs, ([kind, cell]) => [{ kind }, cell] as const);
    return [
      ...this.requests.figures(),
      counter(
        {
          name: 'broadside_authentication_failures_total',
          help: 'Calls whose credentials were rejected, by the class of the reason',
        },
        this.authenticationFailures,
      ),
      counter(
        { name: 'broadside_rate_limited_total', help: 'Calls that were rejected by a rate limit, by its bucket' },
        this.rateLimited,
      ),
      counter(
        {
          name: 'broadside_http_closed_connections_total',
          help: 'Connections that were closed without a request (full, late or unreadable), by the code of the error',
        },
        this.closedConnections,
      ),
      this.#store('broadside_store_read_duration_seconds', 'Time of reads of a store', 'reads'),
      this.#store(
        'broadside_store_write_duration_seconds',
        'Time of writes of a store from when they are asked for until they are on disk, turn and commit included',
        'writes',
      ),
      this.#store(
        'broadside_store_commit_duration_seconds',
        'Time of commits of a store until they are on disk',
        'commits',
      ),
      this.#store('broadside_store_commit_writes', 'Number of writes that shared a commit', 'groups'),
      histogram({ name: 'broadside_job_duration_seconds', help: 'Time of jobs by kind, failed ones included' }, jobs),
      counter({ name: 'broadside_job_failures_total', help: 'Runs of jobs that failed, by kind' }, this.jobFailures),
      ...this.#loop.figures(),
    ];
  }

  #store(name: string, help: string, part: keyof StoreFigures): Figure {
    return histogram(
      { name, help },
      storeNames.map((store) => [{ store }, this.stores[store][part]]),
    );
  }
}

/** The time in this thread, in milliseconds since it began. */
export function now(): number {
  return performance.now();
}

/** @param began_ms by {@link now} */
export function secondsSince(began_ms: number): number {
  return (performance.now() - began_ms) / 1000;
}
