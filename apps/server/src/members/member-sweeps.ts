import type { Database } from '../db/database.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { kindAt } from '../jobs/placed-kinds.ts';
import type { Clock } from '../world/clock.ts';
import type { MemberStore } from './member-store.ts';

const SWEEP = 'members.sweep';
const ALL = 'all';
/** Data of members are removed from disk within this time after they have expired (our choice). */
const INTERVAL_MS = 86_400_000;

/** Has expired members removed once a day by the world's clock, from the first use of the store on. */
export class MemberSweeps {
  readonly #services: { readonly database: Database; readonly clock: Clock; readonly jobs: Jobs };
  readonly #kind: string;
  #adding: Promise<void> = Promise.resolve();

  constructor({
    members,
    place = '',
    ...services
  }: {
    readonly members: MemberStore;
    /** Where these members are, on a platform that has some elsewhere. */
    readonly place?: string | undefined;
    readonly database: Database;
    readonly clock: Clock;
    readonly jobs: Jobs;
  }) {
    const { clock, database, jobs } = services;
    this.#services = services;
    this.#kind = kindAt(SWEEP, place);
    jobs.handle(
      this.#kind,
      async () => {
        await members.sweep(Math.floor(clock.now() / 1000));
        return async (writer) => jobs.addOnce(writer, this.#next());
      },
      { unseen: true },
    );
    members.onStart(() => {
      // Where this fails, the next start adds it.
      this.#adding = database.write((writer) => jobs.addOnce(writer, this.#next())).catch(() => {});
    });
  }

  /** Waits for what is being written. */
  async close(): Promise<void> {
    await this.#adding;
  }

  #next() {
    return { kind: this.#kind, subject: ALL, due_ms: this.#services.clock.now() + INTERVAL_MS };
  }
}
