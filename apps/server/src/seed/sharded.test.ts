/** Seed files where accounts are spread over shards: one write of the platform, the directory and the shards. */
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { sqldMissing, startSqld } from '@broadside/test-servers/sqld';
import { expect, onTestFinished, test } from 'vitest';
import type { Database } from '../db/database.ts';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { ensureDemo } from '../demo/demo.ts';
import { World } from '../open-world.ts';
import { campaign as campaigns } from '../resources/campaigns/find.ts';
import { ManualClock } from '../world/clock.ts';
import { SeededRandom } from '../world/random.ts';
import type { WorldOptions } from '../world/world-options.ts';
import { applySeedFile } from './apply-file.ts';
import { readSeedFile } from './read-file.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const example = readFileSync(path.join(import.meta.dirname, '../../../../docs/examples/advertising.yaml'), 'utf8');
/** Three accounts of the sandbox, and one of production. */
const four = `${example.replace(/ {4}password: .*\n/, '')}
  - { name: Second, owner: harborbooks, custom_audiences: [{ as: second, name: Of the second }] }
  - { name: Third, owner: norafinch, custom_audiences: [{ as: third, name: Of the third }] }
  - { name: Real, environment: production, owner: harborbooks, custom_audiences: [{ as: real, name: Of production }] }
`;
const names = ['Harbor Books', 'Second', 'Third', 'Real'];

const files = (directory: string): WorldOptions['shards'] => ({
  production: [{ name: 'north', url: path.join(directory, 'north.db') }],
  sandbox: ['east', 'west'].map((name) => ({ name, url: path.join(directory, `${name}.db`) })),
});

async function open(directory = temporaryDirectory(), options: Partial<WorldOptions> = {}): Promise<World> {
  const world = await World.open({
    dataDirectory: path.join(directory, 'data'),
    clock: new ManualClock(NOW),
    random: new SeededRandom('sharded'),
    shards: files(directory),
    ...options,
  });
  onTestFinished(() => world.close());
  return world;
}

const seed = (world: World, text = four) => applySeedFile(world, readSeedFile(text, 'seed.yaml'));

function storesOf(world: World): ReadonlyMap<string, Database> {
  return new Map(
    (['production', 'sandbox'] as const).flatMap((environment) =>
      world.ads[environment].stores.map(({ shard, database }) => [`${environment}/${shard}`, database] as const),
    ),
  );
}

function storeOf(world: World, name: string): Database {
  const found = storesOf(world).get(name);
  if (found === undefined) throw new TypeError(`there is no store ${name}`);
  return found;
}

const count = async (database: Database, table: string) =>
  Number((await database.query(`SELECT count(*) FROM "${table}"`))[0]?.[0]);

/** What each store says of accounts, and how many audiences and changes it has. */
async function contents(world: World): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const [name, database] of storesOf(world)) {
    const places = await database.query('SELECT "shard" FROM "account_shards" ORDER BY "shard"');
    const counts = ['accounts', 'account_access', 'custom_audiences', 'campaigns', 'change_log', 'account_work'];
    const rows = await Promise.all(counts.map((table) => count(database, table)));
    const marks = await database.query(`SELECT "name" FROM "sequences" WHERE "name" LIKE 'joint%'`);
    found[name] = { places, rows, marks };
  }
  return found;
}

/** Has the commit of a store fail from now on, whatever its bodies did. */
function loseWrites(database: Database): void {
  const write = database.write.bind(database);
  database.write = (body, options) =>
    write(async (writer) => {
      await body(writer);
      throw new Error('the power is gone');
    }, options);
}

const ids = async (world: World) => (await seed(world)).ids;

async function placesOf(world: World): Promise<Record<string, string | undefined>> {
  const { accounts } = await ids(world);
  const placed = names.map(async (name) => {
    const { id = '' } = accounts[name] ?? {};
    const { shards } = world.ads[name === 'Real' ? 'production' : 'sandbox'];
    return [name, (await shards?.places.ask(id))?.shard] as const;
  });
  return Object.fromEntries(await Promise.all(placed));
}

const PLACES = { 'Harbor Books': 'east', Second: 'west', Third: 'east', Real: 'north' };

test('accounts are spread as created ones are, each whole on its shard, with the same ids each time; twice is as once', async () => {
  const world = await open();
  const made = await seed(world);
  expect(made.accounts).toEqual({ made: 4, changed: 0, kept: 0 });
  expect(await placesOf(world)).toEqual(PLACES);
  const before = await contents(world);
  expect(before).toMatchObject({
    'production/': { rows: [1, 1, 0, 0, 1, 0] },
    'production/north': { rows: [1, 0, 1, 0, expect.any(Number), 0] },
    'sandbox/': { rows: [3, 4, 0, 0, 4, 0] },
    'sandbox/east': { rows: [2, 0, 2, 1, expect.any(Number), 0] },
    'sandbox/west': { rows: [1, 0, 1, 0, expect.any(Number), 0] },
  });
  const again = await seed(world);
  expect(again.accounts).toEqual({ made: 0, changed: 0, kept: 4 });
  expect(again.ids).toEqual(made.ids);
  expect(await contents(world)).toEqual(before);
  // What was seeded is used like anything else.
  const { id = '', ids: own } = made.ids.accounts['Harbor Books'] ?? {};
  const account = world.ads.sandbox.account(id);
  const actor = { user_id: null, platform: 'OPERATOR' } as const;
  await account.write(actor, async (writer) => {
    const [autumn] = await writer.of(campaigns).every({});
    if (autumn) await writer.of(campaigns).update(autumn, { name: 'Winter' });
  });
  expect(await account.of(campaigns).every({})).toMatchObject([{ id: own?.['autumn'], name: 'Winter' }]);
  const next = await world.ads.sandbox.createAccount(actor, {
    name: 'Next',
    business_name: null,
    timezone: 'UTC',
    user_id: '7',
    features: [],
  });
  expect(await world.ads.sandbox.shards?.places.of(next.id)).toMatchObject({ shard: 'west' });
  expect((await seed(await open())).ids).toEqual(made.ids);
});

let whole: Promise<Record<string, unknown>> | undefined;

/** What stores have where nothing goes wrong. */
function undisturbed(): Promise<Record<string, unknown>> {
  const seeded = async () => {
    const world = await open();
    await seed(world);
    return contents(world);
  };
  whole ??= seeded();
  return whole;
}

test.each(['sandbox/', 'production/north', 'sandbox/west'])(
  'what the platform has decided is completed with the next start where %s lost it',
  async (lost) => {
    const directory = temporaryDirectory();
    const world = await open(directory);
    // Where the directory takes no writes, no file begins that needs more.
    await world.ads.sandbox.takeIds(1000);
    loseWrites(storeOf(world, lost));
    await expect(seed(world)).rejects.toMatchObject({ name: 'CommitUnknownError' });
    expect(await count(storeOf(world, lost), 'accounts')).toBe(0);
    // Numbers of entities that it took itself, other servers could take before it is completed.
    const taken = await world.seeds.reader.query(`SELECT 1 FROM "joint_writes" WHERE "statements" LIKE '%"sequences%'`);
    expect(taken).toEqual([]);
    await world.close();
    const again = await open(directory);
    expect(await contents(again)).toEqual(await undisturbed());
    expect(await again.seeds.reader.query('SELECT 1 FROM "joint_writes" LIMIT 1')).toEqual([]);
    expect(await seed(again)).toMatchObject({ accounts: { made: 0, kept: 4 } });
  },
);

test('what is rejected leaves nothing in any store', async () => {
  const world = await open();
  const before = await contents(world);
  const wrong = four.replace('Of the third }', 'Of the third }], campaigns: [{ name: A, funding_instrument_id: none }');
  await expect(seed(world, wrong)).rejects.toThrow('cannot be seeded');
  expect(await contents(world)).toEqual(before);
  expect((await seed(world)).accounts).toMatchObject({ made: 4 });
});

test('a demo is made on shards', async () => {
  const world = await open();
  const urls = { api: 'http://a.test', ads: 'http://a.test', sandbox: 'http://a.test' };
  await ensureDemo(world, urls, { advertisement: true });
  expect(await contents(world)).toMatchObject({
    'sandbox/': { rows: [1, 1, 0, 0, expect.any(Number), 0] },
    'sandbox/east': { rows: [1, 0, 0, 1, expect.any(Number), 0] },
  });
});

test('a store that takes writes again is given its part by a server that goes on', { timeout: 60_000 }, async () => {
  const world = await open();
  const west = storeOf(world, 'sandbox/west');
  const { write } = west;
  loseWrites(west);
  await expect(seed(world)).rejects.toMatchObject({ name: 'CommitUnknownError' });
  west.write = write;
  await expect.poll(() => count(west, 'accounts')).toBe(1);
  expect(await seed(world)).toMatchObject({ accounts: { made: 0, kept: 4 } });
});

test.skipIf(sqldMissing())('shards on libSQL servers are seeded alike, also where one lost its part', async () => {
  const directory = temporaryDirectory();
  const start = async (name: string) => {
    mkdirSync(path.join(directory, name), { recursive: true });
    const server = await startSqld({ directory: path.join(directory, name) });
    onTestFinished(() => server.close());
    return { name, url: server.url };
  };
  const sandbox = [await start('east'), await start('west')];
  const options: Partial<WorldOptions> = {
    stores: {
      platform: await start('platform'),
      production: await start('production'),
      sandbox: await start('sandbox'),
    },
    shards: { production: files(directory)?.production ?? [], sandbox },
    secretKeys: [new Uint8Array(32).fill(7)],
    media: { directory: path.join(directory, 'media'), isShared: true },
  };
  const world = await open(directory, options);
  loseWrites(storeOf(world, 'sandbox/west'));
  await expect(seed(world)).rejects.toMatchObject({ name: 'CommitUnknownError' });
  await world.close();
  const again = await open(directory, options);
  expect(await placesOf(again)).toEqual(PLACES);
  expect(await contents(again)).toEqual(await undisturbed());
});
