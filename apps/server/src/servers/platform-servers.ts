/** A platform that several servers may have, as one of them sees it. */
import type { AskedWorker } from '../workers/asked-worker.ts';
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
  /** The worker that does the work on audiences, if this process has it done. */
  readonly asked: AskedWorker | undefined;
  /** If this process does it for the others. */
  readonly keeper: MembersKeeper | undefined;
}
