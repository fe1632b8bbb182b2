/**
 * When scheduled posts are published: durable jobs on the world's clock.
 *
 * The job is a row of the platform's store, the scheduled post one of an advertising store, and the published post one of the
 * platform's again. No transaction covers them, so their order does: the job is durable first, then the scheduled post is
 * written. At its time the job is tried until what it publishes is settled, and removed last. A crash in between leaves a job
 * that finds nothing to do, or a publication that the job goes on with; its key makes one post of it.
 *
 * A scheduled post that is moved gets a further job for its new time before it is written. The former one finds a later
 * time when it runs, and sees to it that there is a job for that.
 */
import type { Database, Writer } from '../db/database.ts';
import type { JobHandler } from '../jobs/job-queue.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Clock } from '../world/clock.ts';
import { type Environment, environments } from '../world/environment.ts';
import { snowflakeMs } from '../world/ids.ts';

/** The kind of jobs. None of other kinds begins with the same word, so that nothing delays a publication. */
const PUBLISH = 'posts.publish';
/** A scheduled post that is not there is looked for again after this long. */
const AGAIN_MS = 1_000;
/** It is looked for until it is this old: longer than any request that creates one in another process. */
const AWAITED_MS = 60_000;

/** A scheduled post of an account. */
export interface ScheduledName {
  readonly environment: Environment;
  readonly account_id: string;
  readonly id: string;
}

/**
 * The outcome for a scheduled post at the time of a job: it was published, or has failed; it was settled before; it is not there, or not yet;
 * or its time is a later one, in milliseconds since the epoch.
 */
export type Publication = 'published' | 'failed' | 'settled' | 'missing' | { readonly due_ms: number };

/** Publishes a scheduled post if it is due. May be called again after a crash and after an error. @param failures attempts before */
export type Publish = (name: ScheduledName, failures: number) => Promise<Publication>;

interface Services {
  readonly database: Database;
  readonly clock: Clock;
  readonly jobs: Jobs;
}

export class PublicationJobs {
  readonly #services: Services;
  /** Calls in progress, by the subject of their job. */
  readonly #writing = new Map<string, number>();

  constructor(services: Services) {
    this.#services = services;
  }

  /** Registers what publishes scheduled posts. */
  handle(publish: Publish): void {
    this.#services.jobs.handle(PUBLISH, (subject, failures, report) => this.#run(publish, subject, failures, report));
  }

  /** Runs a write by which a scheduled post is due at a time; it is tried then, even if the process ends in between. */
  async schedule<Result>(name: ScheduledName, due_ms: number, write: () => Promise<Result>): Promise<Result> {
    const { database, jobs } = this.#services;
    const subject = subjectOf(name);
    this.#count(subject, 1);
    try {
      await database.write((writer) => jobs.add(writer, { kind: PUBLISH, subject, due_ms }));
      jobs.wake();
      return await write();
    } finally {
      this.#count(subject, -1);
    }
  }

  async #run(
    publish: Publish,
    subject: string,
    failures: number,
    report: Parameters<JobHandler>[2],
  ): Promise<((writer: Writer) => Promise<void>) | undefined> {
    const name = nameOf(subject);
    if (!name) return undefined;
    const outcome = await publish(name, failures);
    if (outcome === 'published') report({ what: 'SCHEDULED_POST_PUBLISHED', ...name });
    if (outcome === 'failed') report({ what: 'SCHEDULED_POST_FAILED', ...name });
    const due_ms = this.#dueAgain(name, subject, outcome);
    if (due_ms === undefined) return undefined;
    return (writer) => this.#services.jobs.addUnlessSooner(writer, { kind: PUBLISH, subject, due_ms });
  }

  #dueAgain({ id }: ScheduledName, subject: string, outcome: Publication): number | undefined {
    if (typeof outcome === 'object') return outcome.due_ms;
    if (outcome !== 'missing') return undefined;
    const now = this.#services.clock.now();
    const isAwaited = this.#writing.has(subject) || now - snowflakeMs(BigInt(id)) < AWAITED_MS;
    return isAwaited ? now + AGAIN_MS : undefined;
  }

  #count(subject: string, change: 1 | -1): void {
    const count = (this.#writing.get(subject) ?? 0) + change;
    if (count === 0) this.#writing.delete(subject);
    else this.#writing.set(subject, count);
  }
}

/** The key with which a scheduled post is published: once, whatever happens. */
export function publicationKey({ environment, id }: ScheduledName): string {
  return `${environment}/${id}`;
}

function subjectOf({ environment, account_id, id }: ScheduledName): string {
  return `${environment}/${account_id}/${id}`;
}

function nameOf(subject: string): ScheduledName | undefined {
  const [first, account_id, id] = subject.split('/');
  const environment = environments.find((name) => name === first);
  return environment !== undefined && account_id !== undefined && id !== undefined
    ? { environment, account_id, id }
    : undefined;
}
