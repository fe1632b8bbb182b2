/** The default world of a server: opened, at work, and opened again when another state of it has taken its place. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import { dataNames } from './data-names.ts';
import { logJobs } from './jobs/log-jobs.ts';
import { syncDirectory } from './members/durable-file.ts';
import { World } from './open-world.ts';
import type { Services } from './pipeline/services.ts';
import { FIRST_PLACE } from './servers/audience-places.ts';
import type { OpenShared } from './shared/shared-state.ts';
import type { ReaderThreads } from './threads/reader-threads.ts';
import type { SharedMemory } from './threads/shared-memory.ts';
import { SharedWindows } from './threads/shared-windows.ts';
import { secretKeyFile } from './world/secret-key.ts';
import { fileOf } from './world/store-locations.ts';
import type { WorldOptions } from './world/world-options.ts';
import type { WorldPlace } from './world/world-place.ts';
import type { Replacing } from './worlds/host-options.ts';

/** The audience index is built so long after the world was opened. */
const WARM_UP_MS = 1000;

/** Parts of the server that the world works with. */
interface StandingOptions {
  readonly config: Config;
  readonly logger: Logger;
  /** What threads share, where there are several. */
  readonly shared: SharedMemory | undefined;
  /** Opens what servers share, where there can be several. */
  readonly servers?: OpenShared | undefined;
}

/** Makes the services of a world. @param windows of rate limits that threads share */
type MakeServices = (world: World, windows: SharedWindows | undefined) => Services;

export class StandingWorld implements Replacing<Services> {
  readonly #config: Config;
  readonly #logger: Logger;
  readonly #options: WorldOptions;
  /** What is to be known of the stores as they were opened: sentences. */
  readonly notices: readonly string[];
  #world: World;
  #windows: SharedWindows | undefined;
  #makeServices: MakeServices | undefined;
  #refresh: ((world: World) => Promise<unknown>) | undefined;
  #readers: ReaderThreads | undefined;
  #services: Services | undefined;
  #warmUp: NodeJS.Timeout | undefined;
  #isWorking = false;

  private constructor(
    { config, logger, shared }: StandingOptions,
    options: WorldOptions,
    world: World,
    notices: readonly string[],
  ) {
    this.notices = notices;
    this.#config = config;
    this.#logger = logger;
    this.#options = options;
    this.#world = world;
    this.#windows = shared?.windows;
  }

  /** Opens the world of the data directory. @throws as `World.open` does */
  static async open(options: StandingOptions): Promise<StandingWorld> {
    const { config, logger, shared, servers } = options;
    const worldOptions: WorldOptions = {
      sharedNonces: shared,
      shared: servers,
      dataDirectory: config.dataDirectory,
      stores: config.stores,
      shards: config.shards,
      replicas: config.replicas,
      onShard: (shard, problem) =>
        problem === undefined
          ? logger.info({ shard }, 'a shard responds')
          : logger.error({ shard }, `accounts of a shard cannot be used: ${problem}`),
      serving: { shares: config.shared !== undefined, role: config.role, keepsMembers: config.keepsMembers },
      media: config.media,
      secretKeys: config.secretKeys,
      quotas: config.quotas,
      audienceProcessing: config.audienceProcessing,
      acceptLoss: config.acceptLoss,
      onPlaceChange: (notice) => logger.warn(`${notice} Other servers have to agree (BROADSIDE_ACCEPT_LOSS).`),
      acceptWeakDurability: config.acceptWeakDurability,
      onWeakDurability: (warning) => logger.warn(warning),
      onMigration: (store, step) => logger.info({ store, step }, 'migrating'),
    };
    const isHere =
      Object.values(config.stores).every((store) => store === undefined) && Object.keys(config.shards).length === 0;
    const notices: string[] = [];
    const opened = await World.open({
      ...worldOptions,
      // A world that takes its place later never has marks.
      onUnmarked: (notice) => notices.push(notice),
      ...(isHere ? { beforeMigration: keepBefore(options) } : {}),
    });
    const standing = new StandingWorld(options, worldOptions, opened, notices);
    standing.#reportStorage();
    standing.#reportServers();
    return standing;
  }

  /** The world that is open. */
  get world(): World {
    return this.#world;
  }

  /**
   * Makes the services of the world.
   * @param make also for each world that takes its place
   */
  serve(make: MakeServices): Services {
    this.#makeServices = make;
    this.#services = make(this.#world, this.#windows);
    return this.#services;
  }

  /**
   * Begins the work of the world itself: its jobs, and what is prepared for requests.
   * @param refresh brings a world up to date with where the server listens, when it has taken the place
   */
  begin(readers: ReaderThreads | undefined, refresh: (world: World) => Promise<unknown>): void {
    this.#readers = readers;
    this.#refresh = refresh;
    this.#isWorking = true;
    this.#work();
  }

  get obstacle(): string | undefined {
    const { stores, media, shared, shards } = this.#config;
    if (Object.keys(shards).length > 0) {
      return 'Accounts of the default world are on shards, so it cannot be replaced here: restore a backup into empty stores instead.';
    }
    if (shared !== undefined) return 'Other servers may serve the default world too, so it cannot be replaced here.';
    if (Object.values(stores).some((store) => store !== undefined)) {
      return 'The stores of the default world are on a libSQL server, so it cannot be replaced here: restore a backup into empty stores instead.';
    }
    if (media !== undefined) {
      return 'The media of the default world are not in the data directory, so it cannot be replaced; fork it and work there.';
    }
    return undefined;
  }

  async check(directory: string): Promise<void> {
    const { secretKeys } = this.#config;
    const { sharedNonces: _, shared: __, ...options } = this.#options;
    const world = await World.open({ ...options, dataDirectory: directory });
    await world.close();
    // A key that is given by a setting is not written beside the stores that it protects.
    if (secretKeys) await rm(secretKeyFile(directory), { force: true });
  }

  async pause(): Promise<void> {
    clearTimeout(this.#warmUp);
    await this.#readers?.pause();
  }

  async open(place: WorldPlace): Promise<Services> {
    const world = await World.open({ ...this.#options, place });
    try {
      await this.#refresh?.(world);
      this.#world = world;
      this.#windows = this.#windows && SharedWindows.create();
      if (!this.#makeServices) throw new TypeError('a world is replaced when it serves');
      this.#services = this.#makeServices(world, this.#windows);
    } catch (error) {
      await world.vacate();
      throw error;
    }
    this.#reportStorage();
    if (this.#isWorking) this.#work();
    return this.#services;
  }

  resume(): void {
    const { stores, platformKey, time, faults } = this.#world;
    const windows = this.#windows;
    if (!windows) return;
    const shown = { generations: stores.generations, platformKey, time: time.buffer, faults: faults.memory };
    this.#readers?.resume(shown, windows);
  }

  /** Has calls end that wait for nothing but time. */
  endWaits(): void {
    this.#world.faults.endWaits();
    this.#services?.journal?.end();
  }

  async close(): Promise<void> {
    this.#isWorking = false;
    clearTimeout(this.#warmUp);
    await this.#world.close();
  }

  #work(): void {
    const world = this.#world;
    const logger = this.#logger;
    const readers = this.#readers;
    if (readers) this.#services?.journal?.addSource(() => readers.journal());
    world.members.onError((error) => logger.error({ err: error }, 'merging members failed; it will be tried again'));
    world.jobs.start(logJobs(logger));
    // Who asks workers has no index, and further workers build theirs when they know of whom.
    const { working } = world.servers ?? {};
    if (working && working.keeper?.place !== FIRST_PLACE) return;
    // So that the first estimate need not wait for it, and not yet, so that the first requests need not either. If it fails, that
    // estimate reports the error.
    this.#warmUp = setTimeout(() => {
      world.audience
        .prepare()
        .catch((error: unknown) => logger.warn({ err: error }, 'the audience index was not built'));
    }, WARM_UP_MS);
  }

  #reportServers(): void {
    const { servers } = this.#world;
    if (servers === undefined) return;
    const { registration, membersElsewhere } = servers;
    const { worker } = registration;
    this.#logger.info({ worker, membersElsewhere }, 'the platform knows this server by its number');
    registration.onProblem((problem) => {
      if (problem === undefined) this.#logger.info({ worker: registration.worker }, 'the server has a number again');
      else this.#logger.error({ err: problem }, 'the lease of the server has ended; writes are answered with 503');
    });
  }

  #reportStorage(): void {
    this.#world.stores.onProblem((store, problem) => {
      if (problem === undefined) this.#logger.info({ store }, 'the store is written again');
      else this.#logger.error({ store, problem }, 'the store cannot be written; writes are answered with 503');
    });
  }
}

/** Makes a copy of a world before its stores are migrated, and says where it is. A start does not fail for it. */
function keepBefore({ config, logger }: StandingOptions): WorldOptions['beforeMigration'] {
  return async (databases, pending) => {
    // Loaded when it is used: few starts are those of an upgrade.
    const { keepBeforeUpgrade } = await import('./copies/before-upgrade.ts');
    const advice = 'the stores are migrated without a copy for the way back to the version before';
    try {
      const kept = await keepBeforeUpgrade(config.dataDirectory, databases, pending);
      if (kept === undefined) return;
      if ('reason' in kept) logger.warn(kept, `${advice}; \`broadside backup create\` makes one before an upgrade`);
      else logger.info(kept, 'the stores are migrated; a copy of before is kept for the way back');
    } catch (error) {
      logger.warn({ err: error }, advice);
    }
  };
}

/**
 * Returns whether no server has worked on a data directory yet; `broadside seed` may have. A server with a demo writes the token of its
 * operator, unless one is set.
 */
export function isFirstStart({ dataDirectory, demo, operatorToken }: Config): boolean {
  const isThere = (name: string) => existsSync(path.join(dataDirectory, name));
  return (
    isThere(dataNames.unfinishedOrigin) ||
    !isThere(fileOf('platform')) ||
    (demo && operatorToken === undefined && !isThere(dataNames.operatorToken))
  );
}

/** Marks a data directory as one whose first start has not ended, which a later one finishes. */
export function beginFirstStart(dataDirectory: string): void {
  writeFileSync(path.join(dataDirectory, dataNames.unfinishedOrigin), '', { mode: 0o600 });
  syncDirectory(dataDirectory);
}

/** Ends what {@link beginFirstStart} began. */
export function endFirstStart(dataDirectory: string): void {
  rmSync(path.join(dataDirectory, dataNames.unfinishedOrigin), { force: true });
}
