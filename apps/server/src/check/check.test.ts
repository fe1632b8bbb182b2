/** Each kind of damage is planted, found, and repaired where that is promised. */
import { existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { sharedDemo } from '../backup/testing/backed-up.ts';
import { copyWorld } from '../copies/copy-world.ts';
import { lockDataDirectory } from '../db/data-lock.ts';
import { openDatabase } from '../db/open-database.ts';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { pathOfBlob } from '../media/blobs/disk-store.ts';
import { World } from '../open-world.ts';
import { fileOf } from '../world/store-locations.ts';
import type { StoreName } from '../world/world-options.ts';
import { type CheckOptions, checkDirectory } from './check-directory.ts';
import { jobKinds } from './job-kinds.ts';

const demo = sharedDemo();

/** A copy of the demo that no process has open. */
async function closedDemo(): Promise<string> {
  const directory = path.join(temporaryDirectory(), 'data');
  await copyWorld(demo().world, directory);
  return directory;
}

function check(dataDirectory: string, options: Partial<CheckOptions> = {}) {
  return checkDirectory({
    dataDirectory,
    repair: false,
    shards: {},
    isServed: false,
    objects: undefined,
    now: () => 0,
    ...options,
  });
}

async function change(directory: string, store: StoreName, ...sql: string[]): Promise<void> {
  const database = await openDatabase(path.join(directory, fileOf(store)));
  await database.applyMigration(sql.map((text) => ({ sql: text })));
  await database.close();
}

async function firstOf(directory: string, store: StoreName, sql: string): Promise<string> {
  const database = await openDatabase(path.join(directory, fileOf(store)));
  const [row] = await database.query(sql);
  await database.close();
  return String(row?.[0]);
}

test('nothing is wrong with a platform that was used in an orderly way, served or not', async () => {
  expect(await check(await closedDemo())).toEqual([]);
  expect(await check(demo().world.dataDirectory, { isServed: true })).toEqual([]);
});

test('the kinds of jobs are those that a world does', () => {
  expect([...demo().world.jobs.kinds].sort()).toEqual(jobKinds);
});

test('what can be repaired is found and repaired, at once, and noted', async () => {
  const directory = await closedDemo();
  const line = await firstOf(directory, 'sandbox', 'SELECT id FROM line_items LIMIT 1');
  await change(
    directory,
    'sandbox',
    `UPDATE line_items SET parent_deleted = 1 WHERE id = '${line}'`,
    `UPDATE list_counts SET count = count + 7 WHERE list = 'campaigns' AND "of" = ''`,
  );
  const orphan = path.join(directory, 'media', 'blobs', pathOfBlob('nobodys'));
  mkdirSync(path.dirname(orphan), { recursive: true });
  writeFileSync(orphan, 'bytes');
  const members = path.join(directory, 'members', 'audiences', 'sandbox-nobody');
  mkdirSync(members, { recursive: true });
  const found = await check(directory);
  const short = found.map(({ store, table, id, what, repairable }) => `${store} ${table} ${id}: ${what} ${repairable}`);
  const account = await firstOf(directory, 'sandbox', `SELECT account_id FROM line_items WHERE id = '${line}'`);
  expect(short).toEqual([
    `sandbox line_items ${line}: it is hidden, and its parent is not true`,
    ...readdirShort(short),
    `sandbox list_counts ${account}: the counts of the lists of campaigns are not those of its rows true`,
    'media blobs nobodys: no medium refers to these bytes true',
    'members audiences sandbox-nobody: there is no audience and no list whose members these are true',
  ]);
  const before = readFileSync(path.join(directory, fileOf('sandbox')));
  expect(before.length).toBeGreaterThan(0);
  const repaired = await check(directory, { repair: true });
  expect(repaired.every((one) => one.repaired)).toBe(true);
  expect(await check(directory)).toEqual([]);
  expect([existsSync(orphan), existsSync(members)]).toEqual([false, false]);
  const log = readFileSync(path.join(directory, 'repairs.log'), 'utf8').trim().split('\n');
  expect(log).toHaveLength(found.length);
  // And the platform goes on.
  const world = await World.open({ dataDirectory: directory });
  await world.close();
});

/** Children of a row that was hidden are found too. */
function readdirShort(lines: readonly string[]): string[] {
  return lines.filter((line) => / its parent is deleted or hidden/.test(line));
}

/** Inserts a row; columns that are not given are empty. */
async function insert(directory: string, store: StoreName, table: string, values: Record<string, string>) {
  const database = await openDatabase(path.join(directory, fileOf(store)));
  const columns = await database.query(`SELECT "name", "type" FROM pragma_table_info('${table}')`);
  const literals = columns.map(
    ([name, type]) => values[String(name)] ?? (String(type).toLowerCase() === 'integer' ? '0' : "''"),
  );
  const names = columns.map(([name]) => `"${String(name)}"`);
  await database.applyMigration([{ sql: `INSERT INTO "${table}" (${names.join()}) VALUES (${literals.join()})` }]);
  await database.close();
}

test('what is of people and accounts that do not exist is removed, and counted no more', async () => {
  const directory = await closedDemo();
  const post = `(SELECT "id" FROM "posts" ORDER BY "like_count" LIMIT 1)`;
  const person = `(SELECT CAST("id" AS INTEGER) FROM "users" ORDER BY "followers_count" LIMIT 1)`;
  const counters = async () => [
    await firstOf(directory, 'platform', 'SELECT sum(like_count) FROM posts'),
    await firstOf(directory, 'platform', 'SELECT sum(followers_count) FROM users'),
    await firstOf(directory, 'platform', 'SELECT coalesce(sum(votes_1), 0) FROM polls'),
  ];
  const before = await counters();
  await insert(directory, 'platform', 'polls', { id: '77', choices: `'[]'` });
  await change(
    directory,
    'platform',
    `INSERT INTO likes (post_id, user_id, created_ms) VALUES (${post}, 42, 0)`,
    `UPDATE posts SET like_count = like_count + 1 WHERE id = (SELECT post_id FROM likes WHERE user_id = 42)`,
    `INSERT INTO follows (follower_id, followed_id, state, created_ms) VALUES (42, ${person}, 'approved', 0)`,
    `UPDATE users SET followers_count = followers_count + 1 WHERE id = (SELECT followed_id FROM follows WHERE follower_id = 42)`,
    'INSERT INTO poll_votes (poll_id, user_id, choice, created_ms) VALUES (77, 42, 1, 0)',
    'UPDATE polls SET votes_1 = votes_1 + 1 WHERE id = 77',
  );
  await insert(directory, 'platform', 'sessions', { id_hash: `'x'`, user_id: `'42'` });
  const account = `(SELECT "id" FROM "accounts" LIMIT 1)`;
  await insert(directory, 'sandbox', 'account_access', { account_id: account, user_id: `'42'`, permissions: `'[]'` });
  await insert(directory, 'sandbox', 'custom_audiences', { account_id: account, id: `'aud'` });
  await insert(directory, 'sandbox', 'audience_grants', {
    account_id: account,
    id: `'grant'`,
    custom_audience_id: `'aud'`,
    granted_account_id: `'nowhere'`,
  });
  const found = (await check(directory)).filter(({ table }) => table !== 'list_counts');
  expect(found.map(({ store, table, id, repairable }) => `${store} ${table} ${id} ${repairable}`).toSorted()).toEqual([
    'platform follows 42 true',
    'platform likes 42 true',
    'platform poll_votes 42 true',
    'platform sessions 42 true',
    'sandbox account_access 42 true',
    'sandbox audience_grants grant true',
  ]);
  await check(directory, { repair: true });
  expect(await check(directory)).toEqual([]);
  expect(await counters()).toEqual(before);
});

test('objects that no medium has are found and removed, but not where other worlds have theirs', async () => {
  const directory = await closedDemo();
  const root = path.join(directory, 'media', 'blobs');
  const [nobodys, backup] = ['z'.repeat(32), 'media/0123'];
  const keys = new Set([nobodys, backup]);
  const objects: CheckOptions['objects'] = {
    size: async (key) => (existsSync(path.join(root, pathOfBlob(key))) ? 1 : undefined),
    delete: async (key) => {
      keys.delete(key);
    },
    async *list() {
      yield* keys;
    },
  };
  const said = async (options: Partial<CheckOptions> = {}) =>
    (await check(directory, { objects, ...options })).map(({ table, id, repaired }) => `${table} ${id} ${repaired}`);
  expect(await said()).toEqual([`objects ${nobodys} false`]);
  mkdirSync(path.join(directory, 'worlds', 'another'), { recursive: true });
  expect(await said({ repair: true })).toEqual([]);
  rmSync(path.join(directory, 'worlds'), { recursive: true });
  expect(await said({ repair: true })).toEqual([`objects ${nobodys} true`]);
  expect([...keys]).toEqual([backup]);
  expect(await said()).toEqual([]);
});

describe('by hand', () => {
  const plant: Record<string, { store: StoreName; sql: string[]; says: RegExp }> = {
    'rows of an account that does not exist': {
      store: 'sandbox',
      sql: [`UPDATE campaigns SET account_id = 'nowhere' WHERE rowid IN (SELECT rowid FROM campaigns LIMIT 1)`],
      says: /^sandbox campaigns nowhere: 1 rows belong to an account that does not exist/m,
    },
    'a parent that does not exist': {
      store: 'sandbox',
      sql: [`UPDATE line_items SET campaign_id = 'gone'`],
      says: /^sandbox line_items \w+: its campaign_id gone does not exist in campaigns/m,
    },
    'a gap in the change log': {
      store: 'platform',
      sql: ['DELETE FROM change_log WHERE seq = 2'],
      says: /^platform change_log 3: the changes after 1 and before it are missing/m,
    },
    'the end of the change log': {
      store: 'platform',
      sql: ['DELETE FROM change_log WHERE seq = (SELECT max(seq) FROM change_log)'],
      says: /^platform change_log \d+: the changes after \d+ are missing/m,
    },
    'a job that nobody does': {
      store: 'platform',
      sql: [`INSERT INTO jobs (kind, subject, due_ms) VALUES ('future.work', 'x', 0)`],
      says: /^platform jobs \d+: nobody does jobs of the kind future\.work/m,
    },
    'a post whose medium does not exist': {
      store: 'platform',
      sql: [`UPDATE posts SET media_keys = '["3_999"]' WHERE id = (SELECT min(id) FROM posts)`],
      says: /^platform posts \d+: it shows the medium 3_999, which does not exist/m,
    },
    'a post whose author does not exist': {
      store: 'platform',
      sql: [`UPDATE posts SET author_id = 42 WHERE id = (SELECT max(id) FROM posts)`],
      says: /^platform posts 42: 1 rows have it as their author_id, and there is no such person false/m,
    },
    'advertising whose medium does not exist': {
      store: 'sandbox',
      sql: [
        `INSERT INTO account_media (account_id, id, seq, created_at, updated_at, deleted, media_key, creative_type)
          SELECT id, 'zzz', 1, created_at, updated_at, 0, '3_999', 'BANNER' FROM accounts LIMIT 1`,
      ],
      says: /^sandbox account_media zzz: it refers to the medium 3_999, which does not exist/m,
    },
  };
  const named = Object.entries(plant);
  let found = '';
  beforeAll(async () => {
    const root = path.join(demo().world.dataDirectory, '..', 'planted');
    await copyWorld(demo().world, root);
    for (const { store, sql } of Object.values(plant)) {
      for (const text of sql)
        await change(root, store, text).catch((error: unknown) => (found += `${String(error)}\n`));
    }
    rmSync(path.join(root, 'media', 'blobs'), { recursive: true });
    const findings = await check(root, { repair: true });
    found += findings
      .map(({ store, table, id, what, repaired }) => `${store} ${table} ${id}: ${what} ${repaired}`)
      .join('\n');
  });

  test.each(named)('%s is found', (_, { says }) => {
    expect(found).toMatch(says);
  });

  test('media without bytes are found', () => {
    expect(found).toMatch(/^platform media \d+: its bytes \S+ are missing false/m);
  });
});

test('a store that is damaged or missing is the one finding', async () => {
  const directory = await closedDemo();
  const world = await World.open({ dataDirectory: directory });
  await world.close();
  truncateSync(path.join(directory, fileOf('production')), 20_000);
  rmSync(path.join(directory, fileOf('sandbox')));
  const found = await check(directory);
  expect(new Set(found.map(({ store, repairable }) => `${store} ${repairable}`))).toEqual(
    new Set(['production false', 'sandbox false']),
  );
  expect(existsSync(path.join(directory, fileOf('sandbox')))).toBe(false);
});

test('a directory that a process has locked is not repaired', async () => {
  const directory = await closedDemo();
  const lock = lockDataDirectory(directory);
  onTestFinished(() => lock.release());
  await expect(check(directory, { repair: true })).rejects.toThrow('is in use by another running server');
  expect(await check(directory, { repair: true, isServed: true })).toEqual([]);
});
