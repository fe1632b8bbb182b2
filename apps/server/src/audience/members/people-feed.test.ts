import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../db/database.ts';
import { migrate } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open-database.ts';
import { temporaryDirectory } from '../../db/testing/temporary.ts';
import type { MemberStore, PlatformPerson, VersionedMembers } from '../../members/member-store.ts';
import { packageFile } from '../../package-file.ts';
import { WorldClosedError } from '../../world/world-closed-error.ts';
import { inBulk } from '../bulk.ts';
import { PeopleFeed } from './people-feed.ts';

const nobody: VersionedMembers = {
  user_ids: new BigUint64Array(),
  interval_ends: new Uint32Array(),
  from_s: new Uint32Array(),
  to_s: new Uint32Array(),
  event_ends: new Uint32Array(),
  events_s: new Uint32Array(),
  version: 0,
};

/** A store that starts with its first use, and waits for people as the real one does. */
class WaitingStore implements MemberStore {
  readonly backlog = { bytes: 0, lag_ms: 0 };
  readonly known = new Map<bigint, PlatformPerson['identifiers']>();
  /** The number of people of each call of `setPeople`. */
  readonly calls: number[] = [];
  failing = false;
  readonly #listeners = new Set<() => void>();
  #isStarted = false;
  #loaded = Promise.withResolvers<void>();

  restart(): void {
    this.known.clear();
    this.#isStarted = false;
    this.#loaded = Promise.withResolvers<void>();
  }

  #start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    for (const listener of this.#listeners) listener();
  }

  async matched() {
    this.#start();
    await this.#loaded.promise;
    return nobody;
  }

  async settle() {
    await this.matched();
  }

  async setPeople(people: readonly PlatformPerson[]) {
    if (this.failing) throw new Error('no');
    this.calls.push(people.length);
    for (const { user_id, identifiers } of people) {
      if (identifiers.length > 0) this.known.set(user_id, identifiers);
      else this.known.delete(user_id);
    }
  }

  async peopleLoaded() {
    this.#loaded.resolve();
  }

  endPeople() {
    this.#loaded.reject(new Error('no more people'));
    this.#loaded.promise.catch(() => {});
  }

  onStart(listener: () => void) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onChange() {
    return () => {};
  }

  onError() {
    return () => {};
  }

  async append() {}
  async drop() {}
  async sweep() {}
  async close() {}

  async figures() {
    return { keys: 0, bytes: 0, pending: 0 };
  }
}

let database: Database;
let store: WaitingStore;
let feed: PeopleFeed;

beforeEach(async () => {
  database = await openDatabase(pathToFileURL(path.join(temporaryDirectory(), 'platform.db')).href);
  await migrate(database, packageFile('drizzle/platform'), new Date(0));
  store = new WaitingStore();
  feed = new PeopleFeed({ database, members: store });
});
afterEach(async () => {
  await feed.close();
  await database.close();
});

const run = (sql: string) => database.write((writer) => writer.run(sql));
const addPeople = (first: number, count: number) =>
  run(`INSERT INTO users (id, screen_name, screen_name_folded, name, password_hash, created_at)
    WITH RECURSIVE n(i) AS (SELECT ${first} UNION ALL SELECT i + 1 FROM n WHERE i < ${first + count - 1})
    SELECT CAST(i AS TEXT), 'P' || i, 'p' || i, 'Name', '', '2026-01-01T00:00:00Z' FROM n`);
const handlesOf = (user: bigint) => store.known.get(user)?.map(([, value]) => value);

test('nobody is fed until members are used, and then everybody', async () => {
  await addPeople(1, 1200);
  await feed.sync();
  expect(store.calls).toEqual([]);
  await feed.settle('production/a');
  expect(store.known.size).toBe(1200);
  expect(handlesOf(7n)).toEqual(['7', 'p7']);
});

test('people who change, join or leave are fed again, and no others', async () => {
  await addPeople(1, 10);
  await feed.matched('production/a');
  store.calls.length = 0;
  await run(`UPDATE users SET screen_name = 'New', screen_name_folded = 'new' WHERE id = '3'`);
  await run(`DELETE FROM users WHERE id = '4'`);
  await addPeople(11, 1);
  await feed.matched('production/a');
  expect([handlesOf(3n), handlesOf(4n), handlesOf(11n)]).toEqual([['3', 'new'], undefined, ['11', 'p11']]);
  expect(store.calls.reduce((sum, count) => sum + count, 0)).toBe(3);
  store.calls.length = 0;
  await feed.sync();
  expect(store.calls).toEqual([]);
});

test('after a bulk of rows, and after a start of the store, everybody is fed again', async () => {
  await addPeople(1, 10);
  await feed.matched('production/a');
  await database.write((writer) =>
    inBulk(writer, () => writer.run(`UPDATE users SET screen_name = 'Bulk' WHERE id = '5'`)),
  );
  await feed.matched('production/a');
  expect(handlesOf(5n)).toEqual(['5', 'bulk']);
  store.restart();
  await feed.settle('production/a');
  expect(store.known.size).toBe(10);
});

test('a feed that fails is reported to who waits for it, and tried again with the next call', async () => {
  await addPeople(1, 10);
  store.failing = true;
  await expect(feed.settle('production/a')).rejects.toThrow('no');
  store.failing = false;
  await feed.settle('production/a');
  expect(store.known.size).toBe(10);
});

test('a closed feed ends what is under way, and takes no more', async () => {
  await addPeople(1, 3000);
  const rejected = expect(feed.settle('production/a')).rejects.toThrow(WorldClosedError);
  while (store.calls.length === 0) await new Promise(setImmediate);
  await feed.close();
  await rejected;
  await expect(feed.settle('production/a')).rejects.toThrow(WorldClosedError);
});

test('whoever uses the store itself is not kept waiting by a feed that is closed', async () => {
  await feed.close();
  await expect(store.matched()).rejects.toThrow('no more people');
});
