/** A platform that several servers may have, as one of them sees it. */
import type { PlatformFacts } from './platform-facts.ts';
import type { Registration } from './registration.ts';

export interface PlatformServers {
  /** This process among them. */
  readonly registration: Registration;
  /** What they agree on. */
  readonly facts: PlatformFacts;
  /** Where the members of audiences are, as the end of a sentence, if another process keeps them. */
  readonly membersElsewhere: string | undefined;
}
