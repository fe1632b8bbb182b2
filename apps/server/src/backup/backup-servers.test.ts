/** Backups and checks of a platform whose stores are on libSQL servers: of one instant, while several servers write, and restored as files. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { rejectWithAny } from '@broadside/core';
import { sqldMissing, startSqld } from '@broadside/test-servers/sqld';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { check } from '../check/index.ts';
import { openDatabase } from '../db/open-database.ts';
import { startSqlServer } from '../db/testing/sql-server.ts';
import { World } from '../open-world.ts';
import { createAudience } from '../resources/custom-audiences/writes.ts';
import { createOffline, restore, verify } from './index.ts';
import { openPlace } from './open-place.ts';
import { backUp } from './testing/backed-up.ts';

const actor = { user_id: null, platform: 'SERVER' } as const;
const names = ['east', 'west'] as const;
const stores = ['platform', 'production', 'sandbox', ...names] as const;

interface Started {
  readonly url: string;
  close(): Promise<unknown>;
}

const start: Readonly<Record<string, (directory: string) => Promise<Started>>> = {
  emulator: (directory) => startSqlServer({ path: `${directory}.db` }),
  sqld: (directory) => startSqld({ directory }),
};

const missing = sqldMissing();

describe.each([
  { kind: 'emulator', reason: undefined },
  { kind: 'sqld', reason: missing },
])('stores on $kind', ({ kind, reason }) => {
  const root = mkdtempSync(path.join(tmpdir(), `broadside-backup-${kind}-`));
  const urls = new Map<string, string>();
  const closers: (() => Promise<unknown>)[] = [];
  const worlds: World[] = [];
  let user_id = '';

  beforeAll(async () => {
    if (reason !== undefined) return;
    const started = await Promise.all(stores.map((name) => start[kind]?.(path.join(root, name))));
    for (const [i, name] of stores.entries()) {
      const server = started[i];
      if (server === undefined) continue;
      urls.set(name, server.url);
      closers.push(() => server.close());
    }
    for (const name of ['first', 'second']) worlds.push(await open(name));
    const { id } = await server(0).identity.users.create(actor, { screen_name: 'ada', name: 'Ada', password: null });
    user_id = id;
  });

  afterAll(async () => {
    for (const world of worlds) await world.close();
    for (const close of closers) await close();
    rmSync(root, { recursive: true, force: true });
  });

  const at = (name: string) => ({ url: urls.get(name) ?? '' });
  const server = (number: number): World => {
    const world = worlds[number];
    if (world === undefined) throw new TypeError('the server is open');
    return world;
  };

  function open(name: string): Promise<World> {
    mkdirSync(path.join(root, 'media'), { recursive: true });
    return World.open({
      dataDirectory: path.join(root, name),
      secretKeys: [new Uint8Array(32).fill(7)],
      media: { directory: path.join(root, 'media'), isShared: true },
      stores: { platform: at('platform'), production: at('production'), sandbox: at('sandbox') },
      shards: { production: names.map((shard) => ({ name: shard, ...at(shard) })) },
    });
  }

  function call(directory: string, env: Record<string, string> = {}) {
    return { env, dataDirectory: path.join(root, directory), at: path.join(root, 'backups'), onProgress: () => {} };
  }

  /** Makes an account with an audience. */
  async function addAccount(world: World): Promise<string> {
    return (await addAudience(world)).id;
  }

  async function addAudience(world: World): Promise<{ readonly id: string; readonly audience_id: string }> {
    const ads = world.ads.production;
    const terms = { name: 'A', business_name: null, timezone: 'UTC', user_id, features: [] };
    const { id } = await ads.createAccount(actor, terms);
    const audience = await ads
      .account(id)
      .write(actor, (writer) => createAudience(rejectWithAny, writer, { name: 'People' }));
    return { id, audience_id: audience.id };
  }

  // A reason is why there is no such server here.
  test.skipIf(reason)(
    'a backup that is made while two servers write is restored as files, with each account once and all that was acknowledged before',
    async () => {
      const before = [await addAccount(server(0)), await addAccount(server(1))];
      let isOver = false;
      let written = 0;
      const writer = async (world: World) => {
        while (!isOver) {
          await addAccount(world);
          written += 1;
          await nextTurn();
        }
      };
      const writers = [writer(server(0)), writer(server(1)), writer(server(1))];
      for (let i = 0; i < 5; i += 1) before.push(await addAccount(server(1)));
      const made = await backUp(server(0), openPlace(path.join(root, 'backups'), undefined));
      isOver = true;
      await Promise.all(writers);
      expect(written).toBeGreaterThan(0);
      expect(made.manifest.worlds[0]?.counts).toMatchObject({ 'platform.users': 1 });
      expect((await verify(call('first'), undefined)).problems).toEqual([]);
      const { settings } = await restore(call('restored'), { id: undefined, withoutKeys: true });
      const records = new Map<string, number>();
      const audiences = new Set<string>();
      for (const name of names) {
        const store = await openDatabase(path.join(root, 'restored', 'shards', 'production', `${name}.db`));
        for (const [id] of await store.query('SELECT id FROM accounts'))
          records.set(String(id), (records.get(String(id)) ?? 0) + 1);
        for (const [id] of await store.query('SELECT account_id FROM custom_audiences')) audiences.add(String(id));
        await store.close();
      }
      expect(before.filter((id) => records.get(id) !== 1 || !audiences.has(id))).toEqual([]);
      expect([...records.values()].filter((count) => count !== 1)).toEqual([]);
      const dataDirectory = path.join(root, 'restored');
      expect(await check({ env: settings, dataDirectory, repair: false, isServed: false })).toEqual([]);
      const restored = await World.open({
        dataDirectory,
        secretKeys: [new Uint8Array(32).fill(7)],
        shards: {
          production: names.map((name) => ({ name, url: path.join(dataDirectory, `shards/production/${name}.db`) })),
        },
      });
      try {
        const [last, next] = [await addAudience(server(0)), await addAudience(restored)];
        // Ids of the time after the instant are not given again.
        const number = ({ audience_id }: typeof last) => Number.parseInt(audience_id, 36);
        expect(number(next) - number(last)).toBeGreaterThan(1_000_000);
      } finally {
        await restored.close();
      }
    },
  );

  test.skipIf(reason)('media that a server copies are removed by no other one meanwhile', async () => {
    const [copying, other] = [server(0), server(1)];
    const removed = async () => {
      const blob = await other.media.receive(Readable.from([Buffer.from('bytes')]));
      await other.media.discard(blob);
      await other.jobs.runDue();
      return (await other.blobs.size(blob.blob_key)) === undefined;
    };
    const release = await copying.media.held.hold();
    expect(await removed()).toBe(false);
    await release();
    expect(await removed()).toBe(true);
  });

  test.skipIf(reason)('what no server has open is not backed up from here', async () => {
    const env = { BROADSIDE_DATABASE_URL: urls.get('platform') ?? '' };
    await expect(
      createOffline(call('none', env), { worlds: false, snapshots: false, keep: undefined }),
    ).rejects.toThrow('Start the server and have it make the backup.');
  });

  test.skipIf(reason)(
    'a check reads all stores at one instant while they are written, says what is wrong in them, and repairs it once no server runs',
    async () => {
      const dataDirectory = path.join(root, 'elsewhere');
      const env = {
        BROADSIDE_DATABASE_URL: at('platform').url,
        BROADSIDE_ADS_DATABASE_URL: at('production').url,
        BROADSIDE_SANDBOX_DATABASE_URL: at('sandbox').url,
        BROADSIDE_ADS_SHARDS: names.map((name) => `${name}=${at(name).url}`).join(','),
        BROADSIDE_MEDIA_SHARED_DIRECTORY: path.join(root, 'media'),
        BROADSIDE_SHARED_URL: 'redis://127.0.0.1:1',
      };
      const call = { env, dataDirectory, isServed: false };
      const [findings] = await Promise.all([check({ ...call, repair: false }), addAccount(server(1))]);
      expect(findings).toEqual([]);
      const id = await addAccount(server(0));
      const found = await Promise.all(
        names.map(async (name) => {
          const store = await openDatabase(at(name).url);
          const rows = await store.query('SELECT 1 FROM accounts WHERE id = ?', [id]);
          if (rows.length > 0)
            await store.applyMigration([{ sql: 'DELETE FROM account_shards WHERE account_id = ?', args: [id] }]);
          await store.close();
          return rows.length > 0 ? [name] : [];
        }),
      );
      const what = 'the shard does not say that the account is on it, so nothing of it can be changed';
      expect(await check({ ...call, repair: false })).toMatchObject([
        { store: `production/${found.flat()[0]}`, id, what },
      ]);
      await expect(check({ ...call, repair: true })).rejects.toThrow(
        /^A process of the platform runs \(\d+ on .+\): stop all servers, then repair\./,
      );
      const store = found.flat()[0];
      for (const world of worlds.splice(0)) await world.close();
      // No server starts while it repairs, and one that has stopped is none.
      const repaired = await check({ ...call, repair: true });
      expect(repaired).toMatchObject([{ store: `production/${store}`, id, what, repaired: true }]);
      expect(readFileSync(path.join(dataDirectory, 'repairs.log'), 'utf8')).toContain(id);
      expect(await check({ ...call, repair: false })).toEqual([]);
      worlds.push(await open('first'));
      expect(await server(0).ads.production.shards?.places.of(id)).toMatchObject({ shard: store });
    },
  );
});
