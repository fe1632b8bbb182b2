import type { FaultRules } from '../faults/fault-rules.ts';
import type { Journal } from '../journal/journal.ts';
import type { World } from '../world/world.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** All that a server keeps for one open world, beside what is the same for all of them. */
export interface WorldServices {
  readonly world: World;
  readonly limiter: RateLimiter;
  /** The faults of this world. */
  readonly faults?: FaultRules | undefined;
  /** The last calls of the world, where they are kept. */
  readonly journal?: Journal | undefined;
  /** The path that addresses of this world begin with where they carry no credential; empty for the default world. */
  readonly addressPrefix: string;
}
