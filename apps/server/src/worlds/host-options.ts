/** What a server gives to the host of its worlds. */
import type { Credentials as DemoCredentials } from '../demo/credentials.ts';
import type { WallClock } from '../world/clock.ts';
import type { Random } from '../world/random.ts';
import type { World } from '../world/world.ts';
import type { WorldPlace } from '../world/world-place.ts';

/** The id of the world that is always there. */
export const DEFAULT_ID = 'default';

/** The services of a world, as far as its host is concerned. */
export interface HostedServices {
  readonly world: World;
  readonly journal?: { endWaits(): void; end(): void } | undefined;
}

/** What a server does where its default world is replaced. */
export interface Replacing<Services> {
  /** Why the world cannot be replaced, as one sentence; `undefined` where it can. */
  readonly obstacle: string | undefined;
  /**
   * Opens and closes a world that is to take the place, in the way in which it is opened there, so that nothing is replaced by what cannot be
   * opened. What it leaves in the directory is part of the world.
   * @throws what opening throws
   */
  check(directory: string): Promise<void>;
  /** Has other threads leave the world. */
  pause(): Promise<void>;
  /** Opens the world that is in the place, and has it work. */
  open(place: WorldPlace): Promise<Services>;
  /** Has other threads enter the world that is open. */
  resume(): void;
}

/** What the host needs to run worlds. */
export interface WorldHostOptions<Services> {
  /** The data directory of the server, which is that of the default world. */
  readonly dataDirectory: string;
  /** The services of the default world, which are made with the host. */
  readonly services: () => Services;
  /** How the default world is replaced, where it can be. */
  readonly replacing?: Replacing<Services> | undefined;
  /** Opens a world. @param prefix what its credentials begin with @param seed what its ids follow from */
  readonly open: (directory: string, options: OpenedAs) => Promise<World>;
  /** Makes the services of a world. @param addressPrefix the path that its addresses without a credential begin with */
  readonly servicesOf: (world: World, addressPrefix: string) => Services;
  /** The addresses of the listeners, as `credentials.json` has them. */
  readonly addresses: () => Pick<DemoCredentials, 'base_url' | 'ads_base_url' | 'ads_sandbox_base_url'>;
  /** Makes the demo of a new world. */
  readonly demo: (world: World) => Promise<unknown>;
  /** The most worlds beside the default one, and the most snapshots of each; 10,000 and 100 where it is left out. */
  readonly bounds?: { readonly worlds: number; readonly snapshots: number } | undefined;
  readonly wallClock: WallClock;
  /** Source of the ids of worlds. */
  readonly random: Random;
  /** Is told what went wrong where no caller waits. */
  readonly failed: (error: unknown, world_id: string) => void;
}

/** The way in which a world is opened. */
interface OpenedAs {
  /** Its credentials begin with it. */
  readonly credentialPrefix: string;
  readonly seed?: string | undefined;
  /** The time at which the clock of a new world stands. */
  readonly startsAt?: number | undefined;
}
