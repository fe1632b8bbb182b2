/** Deletes apps, as people are deleted: at a time that is a column of the app, by a durable job that finds nothing to do after a cancellation. */
import type { App } from '@broadside/core/resources/apps';
import { deletedAt, type StandingFlags } from '@broadside/core/resources/users';
import type { Actor } from '../db/change-log.ts';
import type { IdentityStore } from '../identity/identity-store.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { type Clock, timestamp } from '../world/clock.ts';
import { dueIn } from './due-in.ts';

const DELETE = 'people.delete_app';
const SERVER: Actor = { user_id: null, platform: 'SERVER' };

interface Services {
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly identity: IdentityStore;
}

export class AppDeletions {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
    const { clock, jobs, identity } = services;
    jobs.handle(DELETE, async (app_id) => {
      const isDue = ({ delete_at }: StandingFlags) => delete_at !== null && delete_at <= timestamp(clock);
      await identity.apps.delete(SERVER, app_id, isDue);
      return undefined;
    });
  }

  /** Has an app be deleted after some days by the clock of the world. @returns how it stands; `undefined` if there is none */
  async schedule(actor: Actor, app_id: string, grace_days: number): Promise<(App & StandingFlags) | undefined> {
    const { clock, jobs, identity } = this.#services;
    const { due_ms, delete_at } = dueIn(clock, grace_days);
    const change = (before: StandingFlags) => deletedAt(before, delete_at);
    const standing = await identity.apps.setStanding(actor, app_id, change, async (writer) => {
      await jobs.add(writer, { kind: DELETE, subject: app_id, due_ms });
    });
    jobs.wake();
    return standing;
  }
}
