/** The workers of a platform that keep members of audiences, for a server that has work done by them. */
import type { AudienceName } from '../audience/audience-names.ts';
import { memberKey } from '../audience/members/member-tree.ts';
import type { Ranges } from '../audience/ranges.ts';
import type { MemberBatch } from '../members/member-store.ts';
import type { AudiencePlaces } from '../servers/audience-places.ts';
import { AskedWorker, type AskedWorkerOptions } from './asked-worker.ts';
import type { AudienceWork } from './calls.ts';
import type { MarkedMembers } from './marked-members.ts';

interface Services extends Omit<AskedWorkerOptions, 'at'> {
  readonly places: Pick<AudiencePlaces, 'of'>;
}

export class AskedWorkers implements Pick<AudienceWork, 'take'> {
  readonly #services: Services;
  readonly #byPlace = new Map<string, AskedWorker>();

  constructor(services: Services) {
    this.#services = services;
  }

  /** The one that keeps the audiences of a place. */
  at(place: string): AskedWorker {
    const known = this.#byPlace.get(place);
    if (known) return known;
    const { places, ...options } = this.#services;
    const worker = new AskedWorker({ ...options, at: place });
    this.#byPlace.set(place, worker);
    return worker;
  }

  /** Has the worker of an audience take members. */
  async take(audience: AudienceName, batch: MemberBatch, now_s: number): Promise<void> {
    const worker = await this.#of(memberKey(audience.environment, audience.id));
    await worker.take(audience, batch, now_s);
  }

  /** Waits until everything is merged that was acknowledged for an audience. */
  async settle(audience: string): Promise<void> {
    await (await this.#of(audience)).settle(audience);
  }

  /** The matched members of an audience in some ranges, and the mark of that state. */
  async matched(audience: string, ranges: Ranges): Promise<MarkedMembers> {
    return (await this.#of(audience)).matched(audience, ranges);
  }

  async #of(audience: string): Promise<AskedWorker> {
    return this.at(await this.#services.places.of(audience));
  }
}
