/** A platform that several servers may have, as one of them sees it. */
import type { AskedWorkers } from '../workers/asked-workers.ts';
import type { WorkerList } from '../workers/worker-list.ts';
import type { WorkerShare } from '../workers/worker-share.ts';
import type { AudiencePlaces } from './audience-places.ts';
import type { MembersKeeper } from './members-keeper.ts';
import type { PlatformFacts } from './platform-facts.ts';
import type { Registration } from './registration.ts';

export interface PlatformServers {
  /** This process among them. */
  readonly registration: Registration;
  /** What they agree on. */
  readonly facts: PlatformFacts;
  /** Where the members of audiences are, as the end of a sentence, if this process keeps none. */
  readonly membersElsewhere: string | undefined;
  /** The workers of the platform, if this process asks them or is one. */
  readonly working?: PlatformWorkers;
}

/** The workers of a platform, as one of its servers sees them. */
export interface PlatformWorkers {
  /** If this process keeps members for the others. */
  readonly keeper: MembersKeeper | undefined;
  /** Who keeps which audience. */
  readonly places: AudiencePlaces;
  /** Those that keep audiences, to be asked. */
  readonly asked: AskedWorkers;
  readonly workers: WorkerList;
  /** The part of the people that this process has, if it is a worker. */
  readonly share: WorkerShare | undefined;
}
