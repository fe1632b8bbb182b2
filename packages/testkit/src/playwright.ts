/** A fixture of Playwright that gives each test, or each worker, a world of a server. Playwright itself is not needed here. */
import type { ConnectedServer, ConnectedWorld } from './index.ts';
import { connect } from './index.ts';

/** Options of {@link worldFixture} and {@link workerWorldFixture}. */
export interface WorldFixtureOptions {
  /** The server; `connect()` when left out. */
  readonly server?: (() => ConnectedServer) | undefined;
  /** The world or snapshot to fork, such as one that a global set-up prepared. A demo when left out. */
  readonly from?: (() => { readonly world: string } | { readonly snapshot: string }) | undefined;
  /** After so many seconds a server deletes the world by itself, where a run is cut off. An hour when left out. */
  readonly ttlSeconds?: number | undefined;
}

/** A fixture as Playwright takes it. Its first argument, other fixtures, is not used. */
export type Fixture = (
  // biome-ignore lint/complexity/noBannedTypes: Playwright reads which fixtures are used from an empty pattern
  fixtures: {},
  use: (world: ConnectedWorld) => Promise<void>,
) => Promise<void>;

/**
 * A world for each test, deleted after it.
 * @example
 * const test = base.extend<{ world: ConnectedWorld }>({ world: worldFixture() });
 * test('signs in', async ({ page, world }) => {
 *   await page.goto(`${world.credentials.base_url}${world.facts.address_prefix}/sign-in`);
 * });
 */
export function worldFixture(options: WorldFixtureOptions = {}): Fixture {
  const { server = connect, from = () => ({ demo: true }), ttlSeconds: ttl_seconds = 3600 } = options;
  // biome-ignore lint/correctness/noEmptyPattern: Playwright demands a pattern of names as first parameter
  return async ({}, use) => {
    await using world = await server().worlds.create({ from: from(), ttl_seconds });
    await use(world);
  };
}

/**
 * A world for each worker, deleted when it ends.
 * @example
 * const test = base.extend<object, { world: ConnectedWorld }>({ world: workerWorldFixture() });
 */
export function workerWorldFixture(options: WorldFixtureOptions = {}): [Fixture, { scope: 'worker' }] {
  return [worldFixture(options), { scope: 'worker' }];
}
