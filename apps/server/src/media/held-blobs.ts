/**
 * Blobs that no server of a platform removes for a while, because one of them copies what the stores referred to at an instant. The hold is a job that
 * ends it when it is due, so that one of a server that was killed ends too.
 */
import type { Database } from '../db/database.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Clock } from '../world/clock.ts';

interface Services {
  readonly database: Database;
  readonly jobs: Jobs;
  readonly clock: Clock;
}

/** The kind of the job. Nothing is done when it is due. */
const HOLD = 'media.hold_blobs';
const HELD_MS = 600_000;
const RENEWED_MS = 60_000;

export class HeldBlobs {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
    services.jobs.handle(HOLD, async () => undefined, { unseen: true });
  }

  /** Whether some server holds them. False where there is one server, which knows by itself. */
  async areHeld(): Promise<boolean> {
    const { database, jobs } = this.#services;
    return database.isRemote && (await jobs.has(HOLD, ''));
  }

  /** Holds all blobs that are in use now, or later. @returns ends it */
  async hold(): Promise<() => Promise<void>> {
    const { database, jobs, clock } = this.#services;
    if (!database.isRemote) return async () => {};
    const due = () => clock.now() + HELD_MS;
    const id = await database.write((writer) => jobs.add(writer, { kind: HOLD, subject: '', due_ms: due() }));
    const renew = () => database.write((writer) => jobs.reschedule(writer, id, due()));
    // What cannot be renewed now is renewed with the next turn.
    const timer = setInterval(() => void renew().catch(() => {}), RENEWED_MS).unref();
    return async () => {
      clearInterval(timer);
      // What stays, ends when it is due.
      await database.write((writer) => jobs.cancel(writer, id)).catch(() => {});
    };
  }
}
