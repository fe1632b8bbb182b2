import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AppSettings } from '@broadside/core/resources/apps';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Database } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { openDatabase } from '../db/open-database.ts';
import { TableCache } from '../db/table-cache.ts';
import { packageFile } from '../package-file.ts';
import { ManualClock } from '../world/clock.ts';
import { Snowflakes } from '../world/ids.ts';
import { SeededRandom } from '../world/random.ts';
import { SecretBox } from '../world/secrets.ts';
import { AppStore } from './app-store.ts';
import { BearerTokens } from './bearer-tokens.ts';
import { IdentityWrites } from './identity-writes.ts';

const actor = { user_id: null, platform: 'OPERATOR' } as const;
const directory = mkdtempSync(path.join(tmpdir(), 'broadside-bearers-'));
const clock = new ManualClock(Date.UTC(2026, 0, 15));
const random = new SeededRandom('bearers');
let database: Database;
let kept: BearerTokens;
let fresh: BearerTokens;
let apps: AppStore;

beforeAll(async () => {
  database = await openDatabase(path.join(directory, 'platform.db'));
  await migrate(database, packageFile('drizzle/platform'), new Date(0));
  kept = new BearerTokens({ database, clock, random, key: 'key', cache: true });
  fresh = new BearerTokens({ database, clock, random, key: 'key', cache: false });
  apps = new AppStore({
    database,
    clock,
    random,
    ids: new Snowflakes(clock, random),
    secrets: new SecretBox([new Uint8Array(32)]),
    bearers: kept,
    writes: new IdentityWrites(database, clock, () => {}),
  });
});
afterAll(async () => {
  await database.close();
  rmSync(directory, { recursive: true, force: true });
});

let made = 0;
const settings = (): Omit<AppSettings, 'frame_origins'> & { owner_user_id: string } => ({
  owner_user_id: '1',
  name: `App ${made++}`,
  description: '',
  callback_urls: [],
  sign_in_enabled: false,
  oob_enabled: false,
  access_level: 'read',
});

/** Counts how often the store is read while a token is looked up. */
async function readsFor(token: string): Promise<number> {
  const read = vi.spyOn(database, 'read');
  try {
    await kept.appOf(token);
    return read.mock.calls.length;
  } finally {
    read.mockRestore();
  }
}

describe('a bearer token', () => {
  test('is read once while nothing is written, and only when it opens something', async () => {
    const { id } = await apps.create(actor, settings());
    const token = await kept.tokenOf(actor, id);
    expect(await readsFor(token)).toBe(1);
    expect(await readsFor(token)).toBe(0);
    expect(await readsFor(`${token}0`)).toBe(1);
    expect(await readsFor(`${token}0`)).toBe(1);
    await apps.update(actor, id, { suspended: true });
    expect(await kept.appOf(token)).toEqual({ app_id: id, suspended: true });
    expect(await readsFor(token)).toBe(1);
    expect(await readsFor(token)).toBe(1);
  });

  test('opens nothing from the moment that its revocation is acknowledged', async () => {
    const { id } = await apps.create(actor, settings());
    for (const end of [
      (token: string) => kept.invalidate(actor, id, token),
      () => kept.invalidateOf(actor, id),
      () => apps.regenerateKeys(actor, id),
    ]) {
      const token = await kept.tokenOf(actor, id);
      await kept.appOf(token);
      expect(await kept.appOf(token)).toEqual({ app_id: id, suspended: false });
      await end(token);
      expect(await kept.appOf(token)).toBeUndefined();
    }
  });

  test('is kept as it is in the store, whatever is written', async () => {
    const ids = [(await apps.create(actor, settings())).id, (await apps.create(actor, settings())).id];
    const tokens = new Set<string>();
    const at = (app: number) => ids[app] ?? '';
    const command = fc.oneof(
      fc.nat(1).map((app) => async () => tokens.add(await kept.tokenOf(actor, at(app)))),
      fc.nat(1).map((app) => () => kept.invalidateOf(actor, at(app))),
      fc.nat(1).map((app) => () => apps.regenerateKeys(actor, at(app))),
      fc.tuple(fc.nat(1), fc.boolean()).map(
        ([app, suspended]) =>
          () =>
            apps.update(actor, at(app), { suspended }),
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 15 }), async (commands) => {
        for (const run of commands) {
          await run();
          for (const token of tokens) {
            const expected = await fresh.appOf(token);
            expect(await kept.appOf(token)).toEqual(expected);
            expect(await kept.appOf(token)).toEqual(expected);
          }
        }
        tokens.clear();
      }),
      { numRuns: 30 },
    );
  });
});

describe('a cache of tables', () => {
  test('keeps no more than its size, twice at most', () => {
    const cache = new TableCache<number>(database.generations, ['apps'], 10);
    for (let i = 0; i < 1000; i++) cache.set(`${i}`, i, cache.state());
    const held = Array.from({ length: 1000 }, (_, i) => cache.get(`${i}`)).filter((value) => value !== undefined);
    expect(held.length).toBeLessThanOrEqual(20);
    expect(held).toContain(999);
  });

  test('keeps nothing over a write', async () => {
    const cache = new TableCache<string>(database.generations, ['apps'], 10);
    const before = cache.state();
    await apps.create(actor, settings());
    cache.set('before', 'x', before);
    expect(cache.get('before')).toBeUndefined();
    cache.set('after', 'x', cache.state());
    expect(cache.get('after')).toBe('x');
    await apps.create(actor, settings());
    expect(cache.get('after')).toBeUndefined();
  });
});
