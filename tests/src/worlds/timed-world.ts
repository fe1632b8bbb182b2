/** Worlds whose own clock is set and advanced, as copies of one that was prepared. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import { type Client, createClient } from '@broadside/client';
import { type Credentials, createApp, createServices, ManualClock, SeededRandom, World } from '@broadside/server';
import Sqlite from 'libsql';
import { loggerOf } from '../support/reading-worlds.ts';

/** A world, and its advertising client. */
export interface TimedWorld {
  readonly world: World;
  readonly wall: ManualClock;
  readonly client: Client;
  /** Closes it, and returns all that its stores hold, but for the machine's time. */
  end(): Promise<string>;
}

/** Copies a directory and opens the world in it. Its machine has the time `now`. */
export async function openTimed(directory: string, credentials: Credentials, now: number): Promise<TimedWorld> {
  const own = mkdtempSync(path.join(tmpdir(), 'broadside-timed-'));
  cpSync(directory, own, { recursive: true });
  const wall = new ManualClock(now);
  const world = await World.open({ dataDirectory: own, wallClock: wall, random: new SeededRandom('timed') });
  const services = createServices(world, { rateLimits: 'off', operatorToken: undefined, mode: 'development' });
  const failures: unknown[] = [];
  const app = createApp({ services, listener: 'sandbox', logger: loggerOf(failures) });
  const client = createClient(
    { ...credentials, ads_sandbox_base_url: 'http://sandbox.test' },
    {
      environment: 'sandbox',
      retry: false,
      now: () => wall.now(),
      fetch: async (input, init) => {
        const request = new Request(input, init);
        const { url, method, headers } = request;
        const body = Buffer.from(await request.arrayBuffer());
        if (method !== 'GET' && method !== 'POST' && method !== 'PUT' && method !== 'DELETE')
          throw new TypeError(method);
        const answer = await app.inject({
          method,
          url,
          headers: { host: 'sandbox.test', ...Object.fromEntries(headers) },
          ...(body.length === 0 ? {} : { payload: body }),
        });
        return new Response(answer.payload, { status: answer.statusCode });
      },
    },
  );
  return {
    world,
    wall,
    client,
    async end() {
      await app.close();
      await world.close();
      try {
        if (failures.length > 0) throw failures[0];
        return contentOf(own);
      } finally {
        rmSync(own, { recursive: true, force: true });
      }
    },
  };
}

/** Writes out all rows of all stores, but for what must differ: the machine's time, and how often was written. */
function contentOf(directory: string): string {
  const lines: string[] = [];
  for (const name of ['platform.db', 'ads-production.db', 'ads-sandbox.db']) {
    const store = new Sqlite(path.join(directory, name), { readonly: true });
    try {
      const tables = store
        .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
        .pluck()
        .all()
        .map(String);
      for (const table of tables) {
        // The number of commits.
        if (table === '__store') continue;
        const columns = table === 'world_time' ? 'world_ms, rate, frozen, limits' : '*';
        const rows: unknown[] = store.prepare(`SELECT ${columns} FROM "${table}"`).safeIntegers().raw().all();
        lines.push(...rows.map((row) => `${name} ${table} ${inspect(row, { breakLength: Infinity })}`).sort());
      }
    } finally {
      store.close();
    }
  }
  return lines.join('\n');
}
