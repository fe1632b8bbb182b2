/** Members of audiences that several workers keep, for one of the servers of the platform. */
import { membersIn } from '../audience/members/members-in.ts';
import type { Marks, MembersOfIndex } from '../audience/members/members-of-index.ts';
import { ALL_RANGES, type Ranges } from '../audience/ranges.ts';
import type { MemberStore, VersionedMembers } from '../members/member-store.ts';
import type { AudiencePlaces } from '../servers/audience-places.ts';
import type { AskedWorkers } from './asked-workers.ts';
import type { RemoteMembers } from './marked-members.ts';

interface Services {
  readonly places: Pick<AudiencePlaces, 'isOwn'>;
  /** Of this process. */
  readonly own: Pick<MemberStore, 'matched' | 'settle'>;
  readonly asked: Pick<AskedWorkers, 'matched' | 'settle'>;
}

/** Answers from the store of this process for the audiences that it keeps, and asks the workers that keep others. */
export class MembersByPlace implements Pick<MemberStore, 'matched' | 'settle'> {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  /** See {@link MemberStore.settle}. */
  async settle(audience: string): Promise<void> {
    const { places, own, asked } = this.#services;
    await ((await places.isOwn(audience)) ? own : asked).settle(audience);
  }

  /** See {@link MemberStore.matched}. */
  async matched(audience: string): Promise<VersionedMembers> {
    const { places, own, asked } = this.#services;
    if (await places.isOwn(audience)) return own.matched(audience);
    return (await asked.matched(audience, ALL_RANGES)).members;
  }
}

interface OfIndex {
  readonly places: Pick<AudiencePlaces, 'isOwn'>;
  readonly own: MembersOfIndex;
  readonly others: RemoteMembers;
}

/** The members for the index of a worker that keeps some audiences: it hears of changes in these, and has marks for the others. */
export class IndexedByPlace implements MembersOfIndex {
  readonly #services: OfIndex;
  /** Audiences that were loaded from the store of this process, which tells of what changes. */
  readonly #heardOf = new Set<string>();

  constructor(services: OfIndex) {
    this.#services = services;
  }

  in(ranges: Ranges): IndexedByPlace {
    const { places, own, others } = this.#services;
    return new IndexedByPlace({ places, own: membersIn(own, ranges), others: others.in(ranges) });
  }

  async matched(audience: string): Promise<VersionedMembers> {
    const { places, own, others } = this.#services;
    if (!(await places.isOwn(audience))) return others.matched(audience);
    this.#heardOf.add(audience);
    return own.matched(audience);
  }

  outdated(marks: Marks): string[] {
    const others = Object.entries(marks).filter(([audience]) => !this.#heardOf.has(audience));
    return this.#services.others.outdated(Object.fromEntries(others));
  }

  sync(): Promise<void> {
    return this.#services.own.sync();
  }

  onChange(...[listener]: Parameters<MembersOfIndex['onChange']>): () => void {
    return this.#services.own.onChange(listener);
  }

  onStart(...[listener]: Parameters<MembersOfIndex['onStart']>): () => void {
    return this.#services.own.onStart(listener);
  }
}
