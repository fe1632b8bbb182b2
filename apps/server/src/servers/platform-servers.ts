/** A platform that several servers may have, as one of them sees it. */
import type { AskedWorker } from '../workers/asked-worker.ts';
import type { WorkerList } from '../workers/worker-list.ts';
import type { WorkerShare } from '../workers/worker-share.ts';
import type { MembersKeeper } from './members-keeper.ts';
import type { PlatformFacts } from './platform-facts.ts';
import type { Registration } from './registration.ts';

export interface PlatformServers {
  /** This process among them. */
  readonly registration: Registration;
  /** What they agree on. */
  readonly facts: PlatformFacts;
  /** Where the members of audiences are, as the end of a sentence, if another process keeps them. */
  readonly membersElsewhere: string | undefined;
  /** The worker that keeps members, if this process has that done. */
  readonly asked: AskedWorker | undefined;
  /** If this process does it for the others. */
  readonly keeper: MembersKeeper | undefined;
  /** The workers among them, if this process asks them or is one. */
  readonly workers: WorkerList | undefined;
  /** The part of the people that this process has, if it is a worker. */
  readonly share: WorkerShare | undefined;
}
