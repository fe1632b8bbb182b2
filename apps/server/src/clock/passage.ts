/**
 * The passing of a world's time up to an instant: all that is due on the way happens in order, each at its own time. The clock stands at the
 * time of a job while it runs, so what it does, and what calls do meanwhile, has that time. What happens by the time alone is found between
 * the jobs, since a job or a call can change it.
 */
import type { Happened } from '../jobs/job-queue.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Job } from '../jobs/store.ts';
import { Pace } from '../pace.ts';
import { type Due, type DueSource, dueFrom } from './due-source.ts';
import { Happenings } from './happenings.ts';

/** Jobs that one advance runs at most (our choice); it can be called again to go on. */
const MOST_JOBS = 50_000;
/** How often a step is tried again because calls add jobs meanwhile: on a busy world they do so all the time. */
const MOST_TRIES = 10;

/** The world closes. The clock stays at the time that was reached. */
export class ClockClosedError extends Error {
  override readonly name = 'ClockClosedError';
}

/** The parts of a world whose time passes. */
export interface Passing {
  readonly jobs: Jobs;
  readonly sources: readonly DueSource[];
  /** The number of changes of what is due, which others make. */
  readonly changes: () => number;
  now(): number;
  /**
   * Has the clock stand at a later time. Resolves when that is durable.
   * @param isNext whether nothing is due before that, as far as is known
   * @returns false where something was added while the time was stored: the clock stands where it was
   */
  stand(at_ms: number, isNext: () => boolean): Promise<boolean>;
  /** Runs a job, on the way to a time. @returns what happened */
  run(job: Job, until_ms: number): Promise<readonly Happened[]>;
  readonly isClosed: () => boolean;
}

export class Passage {
  readonly happenings: Happenings = new Happenings();
  readonly #world: Passing;
  readonly #pace = new Pace();
  #jobs = 0;

  constructor(world: Passing) {
    this.#world = world;
  }

  /** Whether more jobs were due than one advance runs: the clock stands before the time that was asked for. */
  get isCutOff(): boolean {
    return this.#jobs >= MOST_JOBS;
  }

  /** Lets time pass. With a time that is not later, what is due already happens. */
  async until(until_ms: number): Promise<void> {
    const { jobs, changes } = this.#world;
    for (let tries = 1; ; tries++) {
      this.#checkOpen();
      const at_ms = this.#world.now();
      const seen = changes();
      const next = await jobs.next();
      const job = next !== undefined && next.due_ms <= until_ms ? next : undefined;
      const stop_ms = Math.max(at_ms, job?.due_ms ?? until_ms);
      if (stop_ms > at_ms) {
        const between = await this.#between(at_ms, stop_ms);
        // What a call has added meanwhile may be due earlier.
        const isTriedEnough = tries >= MOST_TRIES;
        const isNext = () => isTriedEnough || changes() === seen;
        if (!isNext() || !(await this.#world.stand(stop_ms, isNext))) continue;
        tries = 0;
        this.happenings.append(between);
      }
      if (job === undefined) return;
      if (this.isCutOff) return;
      this.#jobs++;
      for (const happened of await this.#world.run(job, until_ms)) this.happenings.note(stop_ms, happened);
      await this.#pace.step();
    }
  }

  /** Lets time pass until something happens that is later than now, within a limit. Where nothing does, the clock stays. */
  async untilNext(limit_ms: number): Promise<void> {
    const from_ms = this.#world.now();
    // What is due already is not next: it happens first.
    await this.until(from_ms);
    const before = this.happenings.total;
    while (this.happenings.total === before && !this.isCutOff) {
      const next_ms = await this.#next(limit_ms);
      if (next_ms === undefined) return;
      await this.until(next_ms);
    }
  }

  /** When something that is seen happens next; `undefined` if nothing does within the limit. */
  async #next(limit_ms: number): Promise<number | undefined> {
    const { jobs, sources } = this.#world;
    const now_ms = this.#world.now();
    const times = [(await jobs.next({ seen: true }))?.due_ms];
    for (const source of sources) {
      const [first] = await source.list({ after_ms: now_ms }, limit_ms, 1);
      times.push(first?.at_ms);
    }
    const next_ms = Math.min(...times.filter((time) => time !== undefined));
    return next_ms <= limit_ms ? Math.max(now_ms, next_ms) : undefined;
  }

  /** What happens by the time alone, after one and until another. */
  async #between(after_ms: number, until_ms: number): Promise<Happenings> {
    const found = new Happenings();
    const heads: { due: Due; readonly source: DueSource; readonly rest: AsyncGenerator<Due> }[] = [];
    for (const source of this.#world.sources) {
      const rest = dueFrom(source, after_ms, until_ms);
      const first = await rest.next();
      if (!first.done) heads.push({ due: first.value, source, rest });
    }
    while (heads.length > 0) {
      // The first of those at the same time, so that the order is always the same.
      const head = heads.reduce((first, other) => (other.due.at_ms < first.due.at_ms ? other : first));
      const { at_ms, ...due } = head.due;
      found.note(at_ms, { what: head.source.what, ...due });
      const following = await head.rest.next();
      if (following.done) heads.splice(heads.indexOf(head), 1);
      else head.due = following.value;
      if (this.#pace.isOver) {
        await this.#pace.step();
        this.#checkOpen();
      }
    }
    return found;
  }

  #checkOpen(): void {
    if (this.#world.isClosed()) throw new ClockClosedError('the world was closed while its clock was advanced');
  }
}
