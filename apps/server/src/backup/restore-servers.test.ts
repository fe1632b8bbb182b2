/** Backups that are restored onto libSQL servers: into empty stores only, whole or not usable, and done again after they were cut off. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { rejectWithAny } from '@broadside/core';
import { sqldMissing, startSqld } from '@broadside/test-servers/sqld';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { check } from '../check/index.ts';
import { fillingOf } from '../db/filling.ts';
import { openDatabase } from '../db/open-database.ts';
import { startSqlServer } from '../db/testing/sql-server.ts';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { World } from '../open-world.ts';
import { createAudience } from '../resources/custom-audiences/writes.ts';
import type { SecretKeys } from '../world/secrets.ts';
import { type BackupCall, restore } from './index.ts';
import { openPlace } from './open-place.ts';
import { RestoredServers } from './restored-servers.ts';
import { backUp } from './testing/backed-up.ts';

const actor = { user_id: null, platform: 'SERVER' } as const;
const stores = ['platform', 'production', 'sandbox', 'east', 'west'] as const;
const shardNames = ['east', 'west'] as const;
const root = mkdtempSync(path.join(tmpdir(), 'broadside-restore-servers-'));
const secretKeys: SecretKeys = [new Uint8Array(32).fill(7)];

/** Where each store is. */
type Urls = Readonly<Record<(typeof stores)[number], string>>;

interface Made {
  readonly user_id: string;
  /** Accounts with an audience each. */
  readonly accounts: readonly string[];
  readonly audience_ids: readonly string[];
}

let source: World;
let made: Made;
let backup = '';

async function addAccount(world: World, user_id: string) {
  const ads = world.ads.production;
  const terms = { name: 'A', business_name: null, timezone: 'UTC', user_id, features: [] };
  const { id } = await ads.createAccount(actor, terms);
  const audience = await ads
    .account(id)
    .write(actor, (writer) => createAudience(rejectWithAny, writer, { name: 'People' }));
  return { id, audience_id: audience.id };
}

beforeAll(async () => {
  source = await World.open({
    dataDirectory: path.join(root, 'source'),
    secretKeys,
    shards: {
      production: shardNames.map((name) => ({ name, url: `file:${path.join(root, `${name}.db`)}` })),
    },
  });
  const { id } = await source.identity.users.create(actor, { screen_name: 'ada', name: 'Ada', password: null });
  const added = [];
  for (let i = 0; i < 5; i += 1) added.push(await addAccount(source, id));
  made = {
    user_id: id,
    accounts: added.map((one) => one.id),
    audience_ids: added.map(({ audience_id }) => audience_id),
  };
  backup = (await backUp(source, openPlace(path.join(root, 'backups'), undefined))).manifest.id;
});

afterAll(async () => {
  await source.close();
  rmSync(root, { recursive: true, force: true });
});

interface Started {
  readonly url: string;
  close(): Promise<unknown>;
}

const start: Readonly<Record<string, (directory: string) => Promise<Started>>> = {
  emulator: (directory) => startSqlServer({ path: `${directory}.db` }),
  sqld: (directory) => startSqld({ directory }),
};

function envOf(urls: Urls, shards: readonly string[] = shardNames.map((name) => `${name}=${urls[name]}`)) {
  return {
    BROADSIDE_DATABASE_URL: urls.platform,
    BROADSIDE_ADS_DATABASE_URL: urls.production,
    BROADSIDE_SANDBOX_DATABASE_URL: urls.sandbox,
    BROADSIDE_MEDIA_SHARED_DIRECTORY: path.join(root, 'media'),
    BROADSIDE_SHARED_URL: 'redis://127.0.0.1:1',
    ...(shards.length > 0 ? { BROADSIDE_ADS_SHARDS: shards.join(',') } : {}),
  };
}

type Env = Readonly<Record<string, string>>;

function restoreInto(
  dataDirectory: string,
  env: Env,
  { id, onProgress = () => {} }: { readonly id?: string; readonly onProgress?: BackupCall['onProgress'] } = {},
) {
  return restore({ env, dataDirectory, at: path.join(root, 'backups'), onProgress }, { id, withoutKeys: true });
}

async function openOn(dataDirectory: string, urls: Urls, shards: readonly string[] = shardNames): Promise<World> {
  mkdirSync(path.join(root, 'media'), { recursive: true });
  const urlOf = (name: string) => new Map<string, string>(Object.entries(urls)).get(name) ?? '';
  const world = await World.open({
    dataDirectory,
    secretKeys,
    serving: { shares: true },
    media: { directory: path.join(root, 'media'), isShared: true },
    stores: { platform: { url: urls.platform }, production: { url: urls.production }, sandbox: { url: urls.sandbox } },
    shards: { production: shards.map((name) => ({ name, url: urlOf(name) })) },
  });
  onTestFinished(() => world.close());
  return world;
}

async function expectWhole(world: World): Promise<void> {
  const audiences = await Promise.all(
    made.accounts.map(async (id) => {
      const place = await world.ads.production.shards?.places.of(id);
      const rows = await world.ads.production.shards
        ?.database(place?.shard ?? '')
        .query('SELECT id FROM custom_audiences WHERE account_id = ?', [id]);
      return rows?.map(([audience]) => String(audience));
    }),
  );
  expect(audiences).toEqual(made.audience_ids.map((id) => [id]));
  expect(await world.identity.users.get(made.user_id)).toMatchObject({ screen_name: 'ada' });
}

/** Which stores say that they are being filled. */
async function filling(urls: Urls): Promise<string[]> {
  const found = await Promise.all(
    stores.map(async (name) => {
      const database = await openDatabase(urls[name], { isToBeFilled: true });
      return (await fillingOf(database).finally(() => database.close())) === undefined ? [] : [name];
    }),
  );
  return found.flat();
}

// Filling is tested on both; all of it together takes long.
const kind = sqldMissing() === undefined ? 'sqld' : 'emulator';

describe(`onto ${kind}`, { timeout: 60_000 }, () => {
  async function started(): Promise<Urls> {
    const directory = temporaryDirectory();
    const servers = await Promise.all(
      stores.map(async (name) => {
        const server = await start[kind]?.(path.join(directory, name));
        if (server === undefined) throw new TypeError('there is such a server');
        onTestFinished(() => server.close().then(() => {}));
        return server.url;
      }),
    );
    const [platform = '', production = '', sandbox = '', east = '', west = ''] = servers;
    return { platform, production, sandbox, east, west };
  }

  test('all stores and shards have what the backup has; servers start on them without accepting a loss, and give no id again', async () => {
    const urls = await started();
    const [first, second] = [path.join(temporaryDirectory(), 'data'), path.join(temporaryDirectory(), 'data')];
    const shown: number[] = [];
    const restored = await restore(
      {
        env: envOf(urls),
        dataDirectory: first,
        at: path.join(root, 'backups'),
        onProgress: ({ done, total }) => shown.push(done / total),
      },
      { id: undefined, withoutKeys: true },
    );
    expect(restored.servers).toEqual(['platform', 'production', 'sandbox', 'production/east', 'production/west']);
    expect(restored.settings).toEqual({});
    expect(shown.at(-1)).toBeCloseTo(1);
    expect(readdirSync(first, { recursive: true }).filter((name) => /\.db(?:-wal|-shm)?$/.test(String(name)))).toEqual([
      'lock.db',
    ]);
    for (const name of ['restored-stores.json', 'shards']) expect(existsSync(path.join(first, name))).toBe(false);
    expect(await filling(urls)).toEqual([]);
    const world = await openOn(first, urls);
    await expectWhole(world);
    // It has the members; one on another directory does not.
    expect(world.servers?.membersElsewhere).toBeUndefined();
    const other = await openOn(second, urls);
    expect(other.servers?.membersElsewhere).toContain(first);
    await expectWhole(other);
    const [lost, next] = [await addAccount(source, made.user_id), await addAccount(other, made.user_id)];
    expect(Number.parseInt(next.audience_id, 36)).toBeGreaterThan(Number.parseInt(lost.audience_id, 36) + 1_000_000);
    expect(await check({ env: envOf(urls), dataDirectory: second, repair: false, isServed: false })).toEqual([]);
  });

  test('a store that is not empty is refused, and nothing is changed', async () => {
    const urls = await started();
    const west = await openDatabase(urls.west);
    onTestFinished(() => west.close());
    await west.applyMigration([{ sql: 'CREATE TABLE kept (id TEXT)' }, { sql: "INSERT INTO kept VALUES ('a')" }]);
    const directory = path.join(temporaryDirectory(), 'data');
    await expect(restoreInto(directory, envOf(urls))).rejects.toThrow(
      `The store production/west (${urls.west}) is not empty. A backup is restored into empty stores; nothing was changed. Give west in BROADSIDE_ADS_SHARDS the URL of an empty one, or leave out the settings of stores and restore into files.`,
    );
    expect(await filling(urls)).toEqual([]);
    expect(await west.query('SELECT id FROM kept')).toEqual([['a']]);
    await west.applyMigration([{ sql: 'DROP TABLE kept' }]);
    await expect(restoreInto(directory, envOf({ ...urls, west: urls.east }))).rejects.toThrow(
      `west in BROADSIDE_ADS_SHARDS leads to a store (${urls.east}) that another setting leads to as well.`,
    );
    expect(await filling(urls)).toEqual([]);
    await restoreInto(directory, envOf(urls));
    // What was restored is in use.
    await expect(restoreInto(path.join(temporaryDirectory(), 'data'), envOf(urls))).rejects.toThrow(
      /^The store platform \(.*\) is not empty\./,
    );
    await expectWhole(await openOn(directory, urls));
  });

  test('one that was cut off anywhere is opened by no server, and is whole after it was repeated', async () => {
    const urls = await started();
    const directory = path.join(temporaryDirectory(), 'data');
    // While files are put into place, while stores are filled, and while they are compared.
    for (const cutAt of [0.2, 0.5, 0.9]) {
      const cut = restoreInto(directory, envOf(urls), {
        onProgress: ({ done, total }) => {
          if (done > cutAt * total) throw new Error('cut off');
        },
      });
      await expect(cut).rejects.toThrow('cut off');
      expect(await filling(urls)).toEqual(stores);
      await expect(openOn(path.join(temporaryDirectory(), 'data'), urls)).rejects.toThrow(
        /cannot be opened: a backup is being restored into it; if that was cut off, repeat `broadside backup restore`\.$/,
      );
    }
    await restoreInto(directory, envOf(urls));
    await expectWhole(await openOn(directory, urls));
  });

  test('one that was cut off in its last step is ended by the same command', async () => {
    const urls = await started();
    const directory = path.join(temporaryDirectory(), 'data');
    const end = vi.spyOn(RestoredServers.prototype, 'end').mockRejectedValueOnce(new Error('cut off'));
    onTestFinished(() => end.mockRestore());
    await expect(restoreInto(directory, envOf(urls))).rejects.toThrow('cut off');
    await expect(openOn(directory, urls)).rejects.toThrow('a backup is being restored into it');
    await expect(restoreInto(directory, {})).rejects.toThrow(
      `The backup ${backup} has been restored onto servers, but for its last step: set where platform, production, sandbox, production/east, production/west are, as then, and repeat the command.`,
    );
    const swapped = { ...urls, production: urls.sandbox, sandbox: urls.production };
    await expect(restoreInto(directory, envOf(swapped))).rejects.toThrow(
      'does not lead to the store that the backup was restored into',
    );
    expect(await filling(urls)).toEqual(stores);
    expect((await restoreInto(directory, envOf(urls))).servers).toEqual([
      'platform',
      'production',
      'sandbox',
      'production/east',
      'production/west',
    ]);
    await expectWhole(await openOn(directory, urls));
  });

  test('a second restore into the same stores takes over, and the first one ends', async () => {
    const urls = await started();
    const [first, second] = [path.join(temporaryDirectory(), 'data'), path.join(temporaryDirectory(), 'data')];
    let taking: Promise<unknown> | undefined;
    const firstOne = restoreInto(first, envOf(urls), {
      onProgress: () => {
        taking ??= restoreInto(second, envOf(urls));
      },
    });
    await expect(firstOne).rejects.toThrow(/^Another process restores into the store \S+ \(.*\) by now\.$/);
    await taking;
    await expectWhole(await openOn(second, urls));
  });

  test('shards that accounts are on need a store each; further ones begin empty', async () => {
    const urls = await started();
    const directory = path.join(temporaryDirectory(), 'data');
    const advice =
      'To have fewer shards, move their accounts with `broadside admin accounts move` once the platform is restored, and take them out then.';
    await expect(restoreInto(directory, envOf(urls, [`east=${urls.east}`]))).rejects.toThrow(
      `The backup has accounts on 2 shards (east, west): add west=URL to BROADSIDE_ADS_SHARDS. ${advice}`,
    );
    await expect(restoreInto(directory, envOf(urls, []))).rejects.toThrow('add east=URL,west=URL to');
    expect(await filling(urls)).toEqual([]);
    const third = await start[kind]?.(path.join(temporaryDirectory(), 'third'));
    onTestFinished(async () => void (await third?.close()));
    const env = envOf(urls, [`east=${urls.east}`, `west=${urls.west}`, `third=${third?.url}`]);
    expect((await restoreInto(directory, env)).servers).not.toContain('production/third');
    const all: Urls & { third: string } = { ...urls, third: third?.url ?? '' };
    const world = await openOn(directory, all, [...shardNames, 'third']);
    await expectWhole(world);
    const { id } = await addAccount(world, made.user_id);
    expect(await world.ads.production.shards?.places.of(id)).toMatchObject({ shard: 'third' });
  });
});

test('a setting that leads to another file than the one that is restored is refused', async () => {
  const dataDirectory = path.join(temporaryDirectory(), 'data');
  const env = { BROADSIDE_DATABASE_URL: `file:${path.join(root, 'other.db')}` };
  await expect(restoreInto(dataDirectory, env)).rejects.toThrow(
    `BROADSIDE_DATABASE_URL leads to another file than the one that is restored: set it to file:${dataDirectory}/platform.db, to an empty store on a server, or leave it out for the restoring.`,
  );
});
