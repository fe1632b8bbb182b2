import {
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import Sqlite from 'libsql';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { World } from '../open-world.ts';
import { StoreLossError } from './store-marks.ts';

const FILES = ['platform.db', 'ads-production.db', 'ads-sandbox.db'] as const;
const ACTOR = { user_id: null, platform: 'SERVER' } as const;

let directory: string;
let people = 0;

beforeEach(() => {
  directory = path.join(temporaryDirectory(), 'data');
});

async function open(where = directory, acceptLoss = false): Promise<World> {
  return World.open({ dataDirectory: where, acceptLoss });
}

/** Writes to every store, and closes unless the process is to have died. */
async function use(where = directory, how: 'close' | 'kill' = 'close'): Promise<World> {
  const world = await open(where);
  people += 1;
  await world.identity.users.create(ACTOR, { screen_name: `person${people}`, name: 'Person', password: null });
  for (const ads of [world.ads.production, world.ads.sandbox]) {
    await ads.createAccount(ACTOR, {
      name: `Account ${people}`,
      business_name: null,
      timezone: 'UTC',
      user_id: '1',
      features: [],
    });
  }
  if (how === 'close') await world.close();
  else onTestFinished(() => world.close());
  return world;
}

/** A copy of the directory as a killed process would leave it: with what the kernel has. */
async function killed(): Promise<string> {
  await use();
  await use(directory, 'kill');
  await new Promise((resolve) => setTimeout(resolve, 30));
  const copy = path.join(temporaryDirectory(), 'copy');
  cpSync(directory, copy, { recursive: true });
  return copy;
}

async function rejection(where = directory): Promise<string> {
  const error: unknown = await open(where).then(
    (world) => world.close().then(() => 'it opened'),
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(StoreLossError);
  const { message } = error instanceof Error ? error : new Error('');
  expect(message).not.toContain('\n');
  expect(message).toContain('Restore');
  expect(message).toContain('BROADSIDE_ACCEPT_LOSS');
  return message;
}

async function opens(where = directory): Promise<void> {
  await (await open(where)).close();
}

test('stores that are as they were left are accepted, again and again', async () => {
  for (let start = 0; start < 3; start += 1) await use();
  await opens(await killed());
});

describe.each(FILES)('%s', (name) => {
  test('missing', async () => {
    await use();
    rmSync(path.join(directory, name));
    expect(await rejection()).toContain(name);
    expect(existsSync(path.join(directory, name))).toBe(false);
    await (await open(directory, true)).close();
    await opens();
  });

  test('missing, of a version without marks', async () => {
    await use();
    for (const file of FILES) {
      const database = new Sqlite(path.join(directory, file));
      database.exec('DROP TABLE __store');
      database.close();
    }
    rmSync(path.join(directory, 'stores.mark'));
    cpSync(directory, `${directory}-whole`, { recursive: true });
    rmSync(path.join(directory, name));
    expect(await rejection()).toContain(name);
    // The others tell of it before it would be made.
    expect(existsSync(path.join(directory, name))).toBe(false);
    // With all of them there, the first start of this version takes them over.
    await opens(`${directory}-whole`);
    rmSync(path.join(`${directory}-whole`, name));
    await rejection(`${directory}-whole`);
  });

  test('an older copy', async () => {
    await use();
    const old = path.join(temporaryDirectory(), name);
    copyFileSync(path.join(directory, name), old);
    await use();
    copyFileSync(old, path.join(directory, name));
    expect(await rejection()).toMatch(/lacks its last (?:commit|\d+ commits)/);
    await (await open(directory, true)).close();
    await opens();
  });

  test('without its last commit', async () => {
    await use();
    const database = new Sqlite(path.join(directory, name));
    database.exec('UPDATE __store SET commits = commits - 1');
    database.close();
    expect(await rejection()).toContain('it lacks its last commit. Nothing was changed.');
  });

  test.each(['cut in half', 'removed'])('its write-ahead log %s', async (how) => {
    const copy = await killed();
    const wal = path.join(copy, `${name}-wal`);
    const bytes = readFileSync(wal);
    if (how === 'removed') rmSync(wal);
    else writeFileSync(wal, bytes.subarray(0, bytes.length / 2));
    expect(await rejection(copy)).toContain('older than it was');
  });

  test('of another platform', async () => {
    await use();
    const other = path.join(temporaryDirectory(), 'other');
    for (let start = 0; start < 3; start += 1) await use(other);
    copyFileSync(path.join(other, name), path.join(directory, name));
    expect(await rejection()).toContain('another platform');
  });
});

test('all stores missing beside their marks', async () => {
  await use();
  for (const name of FILES) rmSync(path.join(directory, name));
  expect(await rejection()).toContain('platform.db');
  for (const name of FILES) expect(existsSync(path.join(directory, name))).toBe(false);
});

test('the stores of both environments in each other’s place', async () => {
  await use();
  const [, production, sandbox] = FILES.map((name) => path.join(directory, name));
  if (production === undefined || sandbox === undefined) throw new TypeError('there are three');
  copyFileSync(production, `${production}.x`);
  copyFileSync(sandbox, production);
  copyFileSync(`${production}.x`, sandbox);
  expect(await rejection()).toContain('holds the data of the store');
});

test('a copy of the directory is accepted, and a backup by VACUUM INTO without the marks', async () => {
  await use();
  const backup = temporaryDirectory();
  for (const name of FILES) {
    const database = new Sqlite(path.join(directory, name));
    database.exec(`VACUUM INTO '${path.join(backup, name)}'`);
    database.close();
  }
  copyFileSync(path.join(directory, 'secret.key'), path.join(backup, 'secret.key'));
  await use();
  cpSync(directory, `${directory}-copy`, { recursive: true });
  await opens(`${directory}-copy`);
  await opens(backup);
});

test('a first start that was cut off is started again', async () => {
  await opens();
  for (const name of FILES) {
    const database = new Sqlite(path.join(directory, name));
    database.exec('DROP TABLE __store');
    database.close();
  }
  rmSync(path.join(directory, 'stores.mark'));
  rmSync(path.join(directory, 'ads-sandbox.db'));
  await opens();
});

test('a store that is missing beside others that nobody has used yet is noticed without marks too', async () => {
  await opens();
  rmSync(path.join(directory, 'stores.mark'));
  rmSync(path.join(directory, 'ads-sandbox.db'));
  expect(await rejection()).toContain('ads-sandbox.db');
});

test('an empty file is what a missing store leaves', async () => {
  await use();
  rmSync(path.join(directory, 'stores.mark'));
  const file = path.join(directory, 'ads-sandbox.db');
  for (const one of [file, `${file}-wal`, `${file}-shm`]) rmSync(one, { force: true });
  writeFileSync(file, '');
  expect(await rejection()).toContain('The file of the store sandbox is missing');
});

test('a rejected start leaves all files as they were, and the writes that are only in a write-ahead log there', async () => {
  const where = await killed();
  const log = path.join(where, 'ads-sandbox.db-wal');
  truncateSync(log, Math.floor(statSync(log).size / 2));
  const files = () =>
    readdirSync(where, { withFileTypes: true })
      // The lock, and what SQLite keeps of a log in memory that processes share, hold no data.
      .filter((entry) => entry.isFile() && !/^lock|-shm$/.test(entry.name))
      .map(({ name }) => [name, readFileSync(path.join(where, name)).toString('base64')]);
  const before = files();
  expect(before.filter(([name, bytes]) => name?.endsWith('-wal') && bytes !== '')).toHaveLength(3);
  await rejection(where);
  expect(files()).toEqual(before);
});

test('marks that were altered are not believed', async () => {
  await use();
  const marks = path.join(directory, 'stores.mark');
  const altered = readFileSync(marks, 'latin1').replace(/"sandbox":\d/g, '"sandbox":9');
  expect(altered).not.toBe(readFileSync(marks, 'latin1'));
  writeFileSync(marks, altered, 'latin1');
  await opens();
});

test('marks that cannot be read are made anew', async () => {
  await use();
  writeFileSync(path.join(directory, 'stores.mark'), 'junk');
  await opens();
  rmSync(path.join(directory, 'stores.mark'));
  await opens();
});
