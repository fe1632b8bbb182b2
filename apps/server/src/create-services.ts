/** What the pipeline of a world needs, made for its listeners. */
import { handlerOf } from './families.ts';
import { Journal } from './journal/journal.ts';
import type { Services } from './pipeline/execute.ts';
import type { Mode } from './pipeline/mode.ts';
import { RateLimiter, type RateLimitProfile } from './pipeline/rate-limiter.ts';
import { realProofs } from './pipeline/verify-caller.ts';
import { Readiness } from './readiness.ts';
import { type Telemetry, watchWorld } from './telemetry/telemetry.ts';
import type { SharedWindows } from './threads/shared-windows.ts';
import type { World } from './world/world.ts';

/** Services that the pipeline of a world needs; shared by its three listeners. */
export function createServices(
  world: World,
  options: {
    readonly rateLimits: RateLimitProfile;
    readonly operatorToken: string | undefined;
    /** `production` by default. */
    readonly mode?: Mode | undefined;
    /** The public base URLs of all listeners, once they are known. */
    readonly baseUrls?: (() => readonly string[]) | undefined;
    /** The public base URL of the first port, for a client that reached a listener under another; by default the same. */
    readonly platformUrl?: ((reached: string) => string) | undefined;
    /** The public base URL of a listener, for a client that reached one under another. */
    readonly listenerUrl?: Services['listenerUrl'];
    /** Returns the answer of `/ready`; by default the state of the stores. */
    readonly readiness?: Readiness | undefined;
    /** Windows of rate limits that other threads count in too. */
    readonly windows?: SharedWindows | undefined;
    /** What the journal of the world keeps; nothing by default. */
    readonly journal?: Journal['limits'] | undefined;
    /** The path that addresses of the world begin with; none for the default world. */
    readonly addressPrefix?: string | undefined;
    /** Measures what is done in the world. */
    readonly telemetry?: Telemetry | undefined;
    /** Whether this thread runs the jobs of the world: it does by default. */
    readonly runsJobs?: boolean | undefined;
    /** All worlds of the server, for its default world. */
    readonly host?: Services['host'];
    /** The worlds that calls can belong to; by default those of the host. */
    readonly worlds?: Services['worlds'];
    /** Backups that the server makes, for its default world. */
    readonly backups?: Services['backups'];
  },
): Services {
  const { rateLimits, operatorToken, mode = 'production', baseUrls = () => [], platformUrl = (url) => url } = options;
  const { listenerUrl = () => undefined } = options;
  const limiter = new RateLimiter(rateLimits, world.limitsClock, options.windows, world.shared);
  const readiness = options.readiness ?? new Readiness((work) => work(world));
  const journal = options.journal?.calls ? new Journal(options.journal, world) : undefined;
  const { addressPrefix = '', host, worlds = host, backups, telemetry, runsJobs = true } = options;
  if (telemetry) watchWorld(telemetry, world, runsJobs);
  // Written out, so that all of it is in one piece of memory: each call reads it, of one of many worlds.
  return {
    world,
    limiter,
    journal,
    faults: world.faults,
    telemetry,
    mode,
    operatorToken,
    proofs: realProofs,
    handlerOf,
    platformUrl,
    addressPrefix,
    backups,
    baseUrls,
    listenerUrl,
    readiness,
    host,
    worlds,
  };
}

/**
 * Services of listeners whose world can be replaced: what belongs to the world is that of the one that is there.
 * @param first the services of the world that is there first; others differ in their world only
 */
export function standingServices(first: Services, host: NonNullable<Services['host']>): Services {
  const own = () => host.here.services;
  return {
    ...first,
    host,
    worlds: host,
    get world() {
      return own().world;
    },
    get limiter() {
      return own().limiter;
    },
    get journal() {
      return own().journal;
    },
    get faults() {
      return own().faults;
    },
  };
}
