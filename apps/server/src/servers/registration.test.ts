/** The numbers of the servers of one platform: no two have one at the same time, and no id is handed out twice. */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Database } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { openDatabase } from '../db/open-database.ts';
import { startSqlServer } from '../db/testing/sql-server.ts';
import { packageFile } from '../package-file.ts';
import { ManualClock } from '../world/clock.ts';
import { Snowflakes, snowflakeMs } from '../world/ids.ts';
import { SeededRandom } from '../world/random.ts';
import { LeaseEndedError, SeveralServersError } from './errors.ts';
import { LEASE_MS } from './leases.ts';
import { placeOf } from './place.ts';
import { Registration } from './registration.ts';

const START = Date.parse('2026-05-01T00:00:00Z');
const directory = mkdtempSync(path.join(tmpdir(), 'broadside-registration-'));
const closers: (() => Promise<unknown>)[] = [];
let database: Database;
let isAway = false;

beforeAll(async () => {
  const server = await startSqlServer({
    path: path.join(directory, 'platform.db'),
    fault: () => (isAway ? 'drop-request' : undefined),
  });
  database = await openDatabase(server.url);
  closers.push(
    () => server.close(),
    () => database.close(),
  );
  await migrate(database, packageFile('drizzle/platform'), new Date(0));
});

beforeEach(() => database.write((writer) => writer.run('DELETE FROM servers')));

afterAll(async () => {
  for (const close of closers.reverse()) await close();
  rmSync(directory, { recursive: true, force: true });
});

interface Part {
  readonly place?: string;
  readonly serves?: boolean;
  readonly shares?: boolean;
  readonly wall?: ManualClock;
}

let places = 0;

async function take({ place, serves = true, shares = true, wall }: Part = {}): Promise<Registration> {
  places += 1;
  const registration = await Registration.take({
    database,
    place: place ?? `place ${places}`,
    serves,
    shares,
    wall: wall ?? new ManualClock(START),
  });
  onTestFinished(() => registration.leave());
  return registration;
}

/** Ends all leases, as the clock of the store does. */
const expireAll = () => database.write((writer) => writer.run('UPDATE servers SET lease_until_ms = 0'));

function idsOf(registration: Registration, clock: ManualClock, last = 0n): Snowflakes {
  return new Snowflakes(clock, new SeededRandom('ids'), last, () => {}, registration);
}

const ascending = (ids: readonly string[]) => ids.every((id, i) => i === 0 || BigInt(id) > BigInt(ids[i - 1] ?? id));

test('each server has the lowest number that is free', async () => {
  const [a, b, c] = [await take(), await take(), await take()];
  expect([a.worker, b.worker, c.worker]).toEqual([0, 1, 2]);
  await b.leave();
  expect((await take()).worker).toBe(1);
  expect((await take()).worker).toBe(3);
});

test('servers that come at the same time have different numbers', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => take()));
  expect(all.map(({ worker }) => worker).toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

test('a server does not start beside another one unless both share their state', async () => {
  const first = await take({ shares: false });
  for (const shares of [false, true]) {
    const refused: unknown = await take({ shares }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(SeveralServersError);
    const { message } = refused instanceof Error ? refused : new Error('');
    expect(message).toContain(`process ${process.pid} on `);
    expect(message).toContain('BROADSIDE_SHARED_URL');
    expect(message).not.toContain('\n');
  }
  // Commands that work in the stores are no servers.
  expect((await take({ serves: false, shares: false })).worker).toBe(1);
  await first.leave();
  await take({ shares: true });
  await expect(take({ shares: false })).rejects.toThrow(SeveralServersError);
});

test('of servers that start at the same time and share nothing, one starts', async () => {
  const all = await Promise.allSettled(Array.from({ length: 5 }, () => take({ shares: false })));
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('a server that was killed starts again at once, and one of another place when the lease has ended', async () => {
  const killed = await take({ place: 'killed', shares: false });
  expect(await killed.leases.take('its work')).toBe(true);
  await expect(take({ place: 'other', shares: false })).rejects.toThrow(SeveralServersError);
  const again = await take({ place: 'killed', shares: false });
  expect(again.worker).toBe(0);
  // What it held is free too.
  expect(await again.leases.take('its work')).toBe(true);
  await expireAll();
  expect((await take({ place: 'other', shares: false })).worker).toBe(0);
});

test('a server that cannot prolong its lease writes nothing before another can have its number, and goes on by itself', async () => {
  const wall = new ManualClock(START);
  const server = await take({ wall });
  const reported: (string | undefined)[] = [];
  server.onProblem((problem) => reported.push(problem?.name));
  expect(server.problem).toBeUndefined();
  isAway = true;
  try {
    wall.advance(LEASE_MS - 1);
    expect(server.problem).toBeUndefined();
    wall.advance(1);
    expect(server.problem).toBeInstanceOf(LeaseEndedError);
    expect(reported).toEqual(['LeaseEndedError']);
    expect(() => idsOf(server, wall).next()).toThrow(LeaseEndedError);
    await server.renew();
    expect(server.problem).toBeInstanceOf(LeaseEndedError);
  } finally {
    isAway = false;
  }
  await expect.poll(() => server.renew().then(() => server.problem)).toBeUndefined();
  expect(server.worker).toBe(0);
  expect(reported).toEqual(['LeaseEndedError', undefined]);
  // Either clock of the machine may be the one that shows it.
  wall.step(LEASE_MS);
  expect(server.problem).toBeInstanceOf(LeaseEndedError);
});

test('a server whose number another one has by now takes another, and its ids go on ascending', async () => {
  const wall = new ManualClock(START);
  const [server, clock] = [await take({ wall }), wall];
  const ids = idsOf(server, clock);
  const before = [ids.next(), ids.next()];
  await expireAll();
  const successor = await take({ wall: new ManualClock(START) });
  expect(successor.worker).toBe(0);
  wall.advance(LEASE_MS);
  await server.renew();
  expect(server.worker).toBe(1);
  const all = [...before, ids.next(), ids.next()];
  expect(ascending(all)).toBe(true);
  const others = idsOf(successor, clock);
  expect(all).not.toContain(others.next());
});

test('ids of several servers never meet, however many are of one millisecond, and ascend on each', async () => {
  const clock = new ManualClock(START);
  const servers = await Promise.all([take(), take(), take()]);
  const lists = servers.map((server) => {
    const ids = idsOf(server, clock);
    return Array.from({ length: 10_000 }, () => ids.next());
  });
  expect(new Set(lists.flat()).size).toBe(30_000);
  expect(lists.map(ascending)).toEqual([true, true, true]);
  // 4096 are of one millisecond.
  expect(new Set(lists[0]?.map((id) => snowflakeMs(BigInt(id)))).size).toBe(3);
  expect((BigInt(lists[2]?.[0] ?? 0) >> 12n) & 1023n).toBe(2n);
});

test.each([
  ['after an orderly end', true],
  ['after a crash', false],
])('ids go on past those of the number before when the clock was set back (%s)', async (_, isOrderly) => {
  const wall = new ManualClock(START);
  const first = await take({ wall, place: 'a' });
  const ids = idsOf(first, wall);
  wall.advance(LEASE_MS - 1);
  const before = [ids.next(), ids.next()];
  if (isOrderly) await first.leave();
  // Another machine, or this one, with a clock that is an hour behind.
  const behind = new ManualClock(START - 3_600_000);
  const next = await take({ wall: behind, place: 'a' });
  expect(next.worker).toBe(0);
  const later = idsOf(next, behind);
  expect(ascending([...before, later.next(), later.next()])).toBe(true);
});

test('a world whose clock is set far ahead gets ids as soon as the store knows of it', async () => {
  const clock = new ManualClock(START);
  const server = await take();
  await server.follow(clock);
  const ids = idsOf(server, clock);
  ids.next();
  clock.advance(365 * 86_400_000);
  expect(() => ids.next()).toThrow(LeaseEndedError);
  await expect.poll(() => server.renew().then(() => snowflakeMs(BigInt(ids.next())))).toBe(clock.now());
});

test('a data directory is one place as long as it is where it is, and a copy of it is another', () => {
  const own = path.join(directory, 'own');
  mkdirSync(own);
  const place = placeOf(own);
  expect(placeOf(own)).toBe(place);
  const copy = path.join(directory, 'copy');
  cpSync(own, copy, { recursive: true });
  expect(placeOf(copy)).not.toBe(place);
});
