/** Stores on libSQL servers belong together as files do: one of another platform, or of another name, is not taken. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Sqlite from 'libsql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSqlServer } from '../db/testing/sql-server.ts';
import { World } from '../open-world.ts';
import { StoreLossError } from './store-marks.ts';
import type { StoreName } from './world-options.ts';

type Urls = Readonly<Record<StoreName, string>>;

const ACTOR = { user_id: null, platform: 'SERVER' } as const;
const directory = mkdtempSync(path.join(tmpdir(), 'broadside-remote-stores-'));
const closers: (() => Promise<void>)[] = [];
let one: Urls;
let other: Urls;
let people = 0;

const fileOf = (platform: string, name: StoreName) => path.join(directory, `${platform}-${name}.db`);

/** Starts the servers of a platform, which the data directory of its name knows afterwards. */
async function start(platform: string): Promise<Urls> {
  const serve = async (name: StoreName) => {
    const server = await startSqlServer({ path: fileOf(platform, name) });
    closers.push(() => server.close());
    return server.url;
  };
  const urls = {
    platform: await serve('platform'),
    production: await serve('production'),
    sandbox: await serve('sandbox'),
  };
  await use(platform, urls);
  return urls;
}

function open(name: string, urls: Partial<Urls>, acceptLoss = false): Promise<World> {
  return World.open({
    dataDirectory: path.join(directory, name),
    secretKeys: [new Uint8Array(32).fill(7)],
    media: { directory: path.join(directory, 'media'), isShared: true },
    stores: Object.fromEntries(Object.entries(urls).map(([store, url]) => [store, { url }])),
    acceptLoss,
  });
}

async function write(world: World): Promise<void> {
  people += 1;
  await world.identity.users.create(ACTOR, { screen_name: `person${people}`, name: 'Person', password: null });
}

/** Opens, writes and closes. */
async function use(name: string, urls: Urls, acceptLoss?: boolean): Promise<void> {
  const world = await open(name, urls, acceptLoss);
  await write(world);
  await world.close();
}

async function rejection(name: string, urls: Partial<Urls>, acceptLoss?: boolean): Promise<string> {
  const error: unknown = await open(name, urls, acceptLoss).then(
    (world) => world.close().then(() => 'it opened'),
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(StoreLossError);
  const { message } = error instanceof Error ? error : new Error('');
  expect(message).not.toContain('\n');
  expect(message).toContain('BROADSIDE_ACCEPT_LOSS');
  return message;
}

function identityOf(platform: string, name: StoreName): unknown {
  const database = new Sqlite(fileOf(platform, name));
  const row: unknown = database.prepare('SELECT platform, store, commits FROM __store').raw().get();
  database.close();
  return row;
}

beforeAll(async () => {
  one = await start('one');
  other = await start('other');
});
afterAll(async () => {
  for (const close of closers) await close();
  rmSync(directory, { recursive: true, force: true });
});

test.each<StoreName>(['platform', 'production', 'sandbox'])('%s of another platform', async (name) => {
  const before = identityOf('other', name);
  expect(await rejection('one', { ...one, [name]: other[name] })).toContain(
    `The store ${name} (on its server) belongs to another platform`,
  );
  // A data directory without marks compares the stores with each other.
  expect(await rejection(`new-${name}`, { ...one, [name]: other[name] })).toContain('belongs to another platform');
  expect(identityOf('other', name)).toEqual(before);
  await use('other', other);
});

test('stores of both environments in each other’s place, whether or not a loss is accepted', async () => {
  const swapped = { ...one, production: one.sandbox, sandbox: one.production };
  for (const acceptLoss of [false, true]) {
    expect(await rejection('one', swapped, acceptLoss)).toContain('holds the data of the store');
  }
  await use('one', one);
});

test('a file that is missing beside a store on a server is not made', async () => {
  const { platform, production } = one;
  expect(await rejection('beside', { platform, production })).toContain('The file of the store sandbox is missing');
  expect(existsSync(path.join(directory, 'beside', 'ads-sandbox.db'))).toBe(false);
});

test('servers that write the same stores start again, whoever wrote last', async () => {
  const [first, second] = [await open('one', one), await open('second', one)];
  await write(first);
  for (let i = 0; i < 3; i++) await write(second);
  await first.close();
  await second.close();
  await use('one', one);
  await use('second', one);
});

test('a store on a server may be older than it was: what several servers write is restored there', async () => {
  for (const commits of [9, 3]) {
    const database = new Sqlite(fileOf('one', 'sandbox'));
    // As it was when it was a file, which counted.
    database.exec(`UPDATE __store SET commits = ${commits}`);
    database.close();
    await use('one', one);
  }
});

test('an emptied store, and one of another platform that is accepted on demand', async () => {
  const database = new Sqlite(fileOf('other', 'sandbox'));
  database.exec('DROP TABLE __store');
  database.close();
  expect(await rejection('other', other)).toContain('empty or older than it was');
  await use('other', other, true);
  await use('other', other);
  expect(identityOf('other', 'sandbox')).toEqual([expect.any(String), 'sandbox', 0]);

  const mixed = { ...other, sandbox: one.sandbox };
  await rejection('other', mixed);
  await use('other', mixed, true);
  await use('other', mixed);
  expect(await rejection('one', one)).toContain('belongs to another platform');
});
