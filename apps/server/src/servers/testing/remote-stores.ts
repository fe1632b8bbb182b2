/** The stores of a platform on servers, for tests of several processes on it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startSqlServer } from '../../db/testing/sql-server.ts';
import { World } from '../../open-world.ts';
import { storeNames, type WorldOptions } from '../../world/world-options.ts';

/** A platform of which worlds can be opened in directories of their own. */
export interface RemotePlatform {
  /** The directory that holds everything. */
  readonly directory: string;
  readonly stores: NonNullable<WorldOptions['stores']>;
  /** Opens a world as a server does that shares its state with others. It is closed with the platform. */
  open(name: string, options?: Partial<WorldOptions>): Promise<World>;
  close(): Promise<void>;
}

/** Starts empty stores. */
export async function startRemotePlatform(): Promise<RemotePlatform> {
  const directory = mkdtempSync(path.join(tmpdir(), 'broadside-platform-'));
  const servers = await Promise.all(
    storeNames.map((name) => startSqlServer({ path: path.join(directory, `${name}.db`) })),
  );
  const stores = Object.fromEntries(storeNames.map((name, i) => [name, { url: servers[i]?.url ?? '' }]));
  const worlds: World[] = [];
  return {
    directory,
    stores,
    open: async (name, options = {}) => {
      const world = await World.open({
        dataDirectory: path.join(directory, name),
        stores,
        secretKeys: [new Uint8Array(32).fill(7)],
        serving: { shares: true },
        media: { directory: path.join(directory, 'media'), isShared: true },
        ...options,
      });
      worlds.push(world);
      return world;
    },
    close: async () => {
      for (const world of worlds) await world.close();
      for (const server of servers) await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
