/** Jobs of one store on several servers: each is run once, by one that holds its lease. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Database } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { openDatabase } from '../db/open-database.ts';
import { startSqlServer } from '../db/testing/sql-server.ts';
import { packageFile } from '../package-file.ts';
import { Registration } from '../servers/registration.ts';
import { ManualClock } from '../world/clock.ts';
import { WorldClosedError } from '../world/world-closed-error.ts';
import { StoredJobLeases } from './job-leases.ts';
import { Jobs } from './jobs.ts';

interface Server {
  readonly database: Database;
  readonly registration: Registration;
  readonly jobs: Jobs;
}

const NOW = 1000;
const clock = new ManualClock(NOW);
const directory = mkdtempSync(path.join(tmpdir(), 'broadside-job-leases-'));
const closers: (() => Promise<unknown>)[] = [];
let url: string;

beforeAll(async () => {
  const server = await startSqlServer({ path: path.join(directory, 'jobs.db') });
  closers.push(() => server.close());
  url = server.url;
  const database = await openDatabase(url);
  closers.push(() => database.close());
  await migrate(database, packageFile('drizzle/platform'), new Date(0));
});

afterAll(async () => {
  for (const close of closers.reverse()) await close();
  rmSync(directory, { recursive: true, force: true });
});

let places = 0;

/** Opens another server. @param kind of the jobs that a test is about */
async function open(kind: string, work: (subject: string, server: Server) => Promise<void>): Promise<Server> {
  const database = await openDatabase(url);
  places += 1;
  const registration = await Registration.take({ database, place: `place ${places}`, serves: true, shares: true });
  const jobs = new Jobs({ database, clock, leases: new StoredJobLeases(database, registration.leases) });
  const server = { database, registration, jobs };
  jobs.handle(`${kind}.do`, async (subject) => {
    await work(subject, server);
    return undefined;
  });
  closers.push(async () => {
    await jobs.stop();
    await registration.leave();
    await database.close();
  });
  return server;
}

function add({ database, jobs }: Server, kind: string, subject: string, due_ms = 0): Promise<number> {
  return database.write((writer) => jobs.add(writer, { kind: `${kind}.do`, subject, due_ms }));
}

async function left({ database }: Server, kind: string): Promise<string[]> {
  const rows = await database.query('SELECT "subject" FROM "jobs" WHERE "kind" = ? ORDER BY "id"', [`${kind}.do`]);
  return rows.map(([subject]) => String(subject));
}

/** Ends the leases of a server, as the time does when it cannot prolong them. */
async function expire({ database, registration }: Server): Promise<void> {
  await database.write((writer) => writer.run('UPDATE leases SET until_ms = 0 WHERE owner = ?', [registration.id]));
}

test('of fifteen jobs on three servers each is run once, by several at a time', async () => {
  const done: string[] = [];
  let running = 0;
  let most = 0;
  const together = Promise.withResolvers<void>();
  const work = async (subject: string) => {
    running += 1;
    most = Math.max(most, running);
    if (most > 1) together.resolve();
    await together.promise;
    done.push(subject);
    running -= 1;
  };
  const servers = await Promise.all([open('film', work), open('film', work), open('film', work)]);
  for (let i = 0; i < 15; i++) await add(servers[0], 'film', `${i}`, i);
  for (const { jobs } of servers) jobs.start(() => {});
  await expect.poll(() => left(servers[0], 'film')).toEqual([]);
  expect(done.toSorted((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 15 }, (_, i) => `${i}`));
  expect(most).toBeLessThanOrEqual(3);
});

test('servers take the job that is due first', async () => {
  const taken: string[] = [];
  const gate = Promise.withResolvers<void>();
  const work = async (subject: string) => {
    taken.push(subject);
    await gate.promise;
  };
  const [one, other] = [await open('order', work), await open('order', work)];
  await add(one, 'order', 'third', 30);
  await add(one, 'order', 'first', 10);
  await add(one, 'order', 'second', 20);
  const first = one.jobs.runDue(1);
  await expect.poll(() => taken).toEqual(['first']);
  const second = other.jobs.runDue(1);
  await expect.poll(() => taken).toEqual(['first', 'second']);
  gate.resolve();
  await Promise.all([first, second]);
  expect(await left(one, 'order')).toEqual(['third']);
});

test('a job is not run by another server while its lease is prolonged, and is when it ended', async () => {
  const gate = Promise.withResolvers<void>();
  const runs: Server[] = [];
  const work = async (_: string, server: Server) => {
    runs.push(server);
    if (runs.length === 1) await gate.promise;
  };
  const [slow, next] = [await open('long', work), await open('long', work)];
  await add(slow, 'long', 'film');
  const begun = slow.jobs.runDue();
  await expect.poll(() => runs).toHaveLength(1);
  expect(await next.jobs.runDue()).toBe(0);
  // The lease is prolonged while the handler works, also just before it would end.
  await expire(slow);
  await slow.registration.renew();
  expect(await next.jobs.runDue()).toBe(0);
  await expire(slow);
  expect(await next.jobs.runDue()).toBe(1);
  expect(runs).toEqual([slow, next]);
  gate.resolve();
  await begun;
});

test('a job that the end of a server cuts off is run by another one once the first has left, and not as one that failed', async () => {
  const runs: string[] = [];
  const ending = await open('cut', async (subject) => {
    runs.push(`${subject} ending`);
    throw new WorldClosedError('the world was closed');
  });
  const next = await open('cut', async (subject) => void runs.push(`${subject} next`));
  const failures = () => next.database.query(`SELECT "due_ms", "failures" FROM "jobs" WHERE "kind" = 'cut.do'`);
  for (const subject of ['first', 'second']) await add(ending, 'cut', subject);
  expect(await ending.jobs.runDue()).toBe(0);
  expect(await failures()).toEqual([
    [0n, 0n],
    [0n, 0n],
  ]);
  await ending.registration.leave();
  expect(await next.jobs.runDue()).toBe(2);
  expect(runs).toEqual(['first ending', 'first next', 'second next']);
});

test('a server whose job was taken over writes nothing of it', async () => {
  const gate = Promise.withResolvers<void>();
  const slow = await open('taken', async () => {});
  let isFirst = true;
  const handler = async (subject: string) => {
    const mine = isFirst ? 'slow' : 'next';
    isFirst = false;
    if (mine === 'slow') await gate.promise;
    return async (writer: Parameters<Parameters<Database['write']>[0]>[0]) => {
      await slow.jobs.add(writer, { kind: 'taken.result', subject: `${subject} by ${mine}`, due_ms: 9000 });
    };
  };
  const next = await open('taken', async () => {});
  for (const { jobs } of [slow, next]) jobs.handle('taken.write', handler);
  await slow.database.write((writer) => slow.jobs.add(writer, { kind: 'taken.write', subject: 'film', due_ms: 0 }));
  const begun = slow.jobs.runDue();
  await expect.poll(() => isFirst).toBe(false);
  await expire(slow);
  // The next server has claimed it and is at work when the first one ends.
  const claimed = await new StoredJobLeases(next.database, next.registration.leases).claim(['taken.write'], NOW);
  expect(claimed?.subject).toBe('film');
  gate.resolve();
  await begun;
  const results = () => next.database.query("SELECT subject FROM jobs WHERE kind = 'taken.result'");
  expect(await results()).toEqual([]);
  expect(await next.database.query("SELECT subject FROM jobs WHERE kind = 'taken.write'")).toHaveLength(1);
  await expire(next);
  expect(await next.jobs.runDue()).toBe(1);
  expect(await results()).toEqual([['film by next']]);
});

test('a job that failed is postponed for all, and its lease is gone', async () => {
  const seen: string[] = [];
  const work = async (subject: string) => {
    seen.push(subject);
    if (seen.length === 1) throw new Error('no');
  };
  const [one, other] = [await open('fails', work), await open('fails', work)];
  await add(one, 'fails', 'x');
  await one.jobs.runDue();
  expect(await other.jobs.runDue()).toBe(0);
  clock.advance(1000);
  expect(await other.jobs.runDue()).toBe(1);
  expect(await left(one, 'fails')).toEqual([]);
  expect(
    await one.database.query("SELECT * FROM leases WHERE name LIKE 'job %' AND owner = ?", [other.registration.id]),
  ).toEqual([]);
});

test('jobs of kinds that another server runs are left to it', async () => {
  const here = await open('here', async () => {});
  const jobs = new Jobs({ database: here.database, clock, elsewhere: ['there'] });
  jobs.handle('there.do', () => Promise.reject(new Error('it has not what is needed')));
  await add(here, 'there', 'x');
  await add(here, 'nobody', 'y');
  expect(await jobs.runDue()).toBe(0);
  const reported: string[] = [];
  jobs.start((_error, { kind }) => reported.push(kind));
  onTestFinished(() => jobs.stop());
  await expect.poll(() => reported).toContain('nobody.do');
  expect(reported).not.toContain('there.do');
  expect(await left(here, 'there')).toEqual(['x']);
});
