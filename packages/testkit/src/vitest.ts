/** Worlds for files of tests in vitest: each file has its own, which is closed when its tests have ended. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type {
  ConnectedServer,
  ConnectedWorld,
  ControlledWorld,
  CreateWorldOptions,
  TakenSnapshot,
  TestWorld,
} from './index.ts';
import { createWorld } from './index.ts';

/** When a world is put back. */
export interface ResetOptions {
  /** Puts the world back before each test but the first, to how it was when the tests began. */
  readonly resetBetweenTests?: boolean | undefined;
}

/** Options of {@link useWorld}. */
export interface UseWorldOptions extends CreateWorldOptions, ResetOptions {
  /** Makes what the tests need, before the first of them. */
  readonly prepare?: ((world: TestWorld) => Promise<void>) | undefined;
}

/** Options of {@link useServerWorld}. */
export interface UseServerWorldOptions extends ResetOptions {
  /** The server, as `connect()` gives it. It is asked when the tests begin. */
  readonly server: ConnectedServer | (() => ConnectedServer);
  /** The world or snapshot to fork, such as one that a global set-up prepared. A demo when left out. */
  readonly from?: { readonly world: string } | { readonly snapshot: string } | undefined;
  /** The same calls get the same ids in each run with the same seed, as `worlds.create` says. Not foreseeable when left out. */
  readonly seed?: string | undefined;
  /** After so many seconds a server deletes the world by itself, where a run is cut off. An hour when left out. */
  readonly ttlSeconds?: number | undefined;
  /** Makes what the tests need, before the first of them. */
  readonly prepare?: ((world: ConnectedWorld) => Promise<void>) | undefined;
}

/**
 * A world in process for the tests of a file, or of the `describe` in which it is called.
 * @returns gives the world, within tests
 * @example
 * const world = useWorld({ prepare: async (made) => void (await made.createAccount()), resetBetweenTests: true });
 * test('it lists campaigns', async () => {
 *   await world().client().campaigns.list({ account_id: world().credentials.sandbox_account_id });
 * });
 */
export function useWorld(options: UseWorldOptions = {}): () => TestWorld {
  const { prepare, resetBetweenTests, ...creation } = options;
  const make = async () => {
    const world = await createWorld(creation);
    await prepare?.(world);
    return world;
  };
  return used(make, resetBetweenTests);
}

/**
 * A world of a server for the tests of a file, or of the `describe` in which it is called.
 * @returns gives the world, within tests
 * @example
 * const world = useServerWorld({ server: connect(), from: { snapshot: process.env.PREPARED } });
 */
export function useServerWorld(options: UseServerWorldOptions): () => ConnectedWorld {
  const { server, from = { demo: true }, seed, ttlSeconds: ttl_seconds = 3600, prepare, resetBetweenTests } = options;
  const make = async () => {
    const { worlds } = typeof server === 'function' ? server() : server;
    const world = await worlds.create({ from, ttl_seconds, ...(seed === undefined ? {} : { seed }) });
    await prepare?.(world);
    return world;
  };
  return used(make, resetBetweenTests);
}

function used<World extends ControlledWorld>(make: () => Promise<World>, resetBetweenTests = false): () => World {
  let world: World | undefined;
  let snapshot: TakenSnapshot | undefined;
  let isFirst = true;
  beforeAll(async () => {
    world = await make();
    if (resetBetweenTests) snapshot = await world.snapshot();
  });
  beforeEach(async () => {
    if (!isFirst && snapshot) await world?.restore(snapshot);
    isFirst = false;
  });
  afterAll(() => world?.close());
  return () => {
    if (!world) throw new TypeError('the world is there within tests; it is made before the first of them');
    return world;
  };
}
