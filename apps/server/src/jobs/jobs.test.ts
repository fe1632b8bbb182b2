import path from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Database } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { openDatabase } from '../db/open-database.ts';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { packageFile } from '../package-file.ts';
import { ManualClock } from '../world/clock.ts';
import { WorldClosedError } from '../world/world-closed-error.ts';
import { JobPostponedError } from './job-queue.ts';
import { Jobs } from './jobs.ts';
import { logJobs } from './log-jobs.ts';

interface Stage {
  readonly database: Database;
  readonly clock: ManualClock;
  readonly jobs: Jobs;
  /** Executed jobs, in order. */
  readonly done: string[];
  add(kind: string, subject: string, due_ms: number): Promise<number>;
  left(): Promise<string[]>;
}

async function open(directory = temporaryDirectory()): Promise<Stage> {
  const database = await openDatabase(path.join(directory, 'jobs.db'));
  await migrate(database, packageFile('drizzle/platform'), new Date(0));
  const clock = new ManualClock(1000);
  const jobs = new Jobs({ database, clock });
  const done: string[] = [];
  jobs.handle('note', async (subject) => {
    done.push(subject);
    return undefined;
  });
  return {
    database,
    clock,
    jobs,
    done,
    add: (kind, subject, due_ms) => database.write((writer) => jobs.add(writer, { kind, subject, due_ms })),
    left: async () =>
      (await database.query('SELECT "subject" FROM "jobs" ORDER BY "id"')).map(([subject]) => String(subject)),
  };
}

test('due jobs run once, oldest first', async () => {
  const { jobs, clock, done, add, left } = await open();
  await add('note', 'third', 3000);
  await add('note', 'second', 1000);
  await add('note', 'first', 500);
  expect(await jobs.runDue()).toBe(2);
  expect(done).toEqual(['first', 'second']);
  expect(await left()).toEqual(['third']);
  expect(await jobs.runDue()).toBe(0);
  clock.advance(2000);
  expect(await jobs.runDue()).toBe(1);
  expect(await left()).toEqual([]);
});

test('a job that waits for something is tried again after the same time, and has not failed', async () => {
  const { jobs, clock, add, left } = await open();
  const failures: number[] = [];
  jobs.handle('wait', async (_, failed) => {
    failures.push(failed);
    throw new JobPostponedError('something else is under way', 2000);
  });
  await add('wait', 'x', 1000);
  for (let round = 0; round < 4; round++) {
    expect(await jobs.runDue()).toBe(1);
    clock.advance(1999);
    expect(await jobs.runDue()).toBe(0);
    clock.advance(1);
  }
  expect(failures).toEqual([0, 0, 0, 0]);
  expect(await left()).toEqual(['x']);
});

test('a job that waits is one line of information, and one that fails is an error', () => {
  const lines: Record<string, unknown>[] = [];
  const log = logJobs(pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) }));
  log(new JobPostponedError('accounts are being moved', 2000), { kind: 'wait', failures: 0 });
  log(new Error('broken'), { kind: 'wait', failures: 1 });
  expect(lines).toMatchObject([
    { level: 30, kind: 'wait', reason: 'accounts are being moved', delay_ms: 2000 },
    { level: 50, kind: 'wait', failures: 1, err: { message: 'broken' } },
  ]);
  expect(lines[0]).not.toHaveProperty('err');
});

test('a job that is to be added once is not added beside one of the same kind and subject', async () => {
  const { database, jobs, add, left } = await open();
  const once = (subject: string) =>
    database.write((writer) => jobs.addOnce(writer, { kind: 'note', subject, due_ms: 5 }));
  await add('other', 'x', 3000);
  expect(await jobs.has('note', 'x')).toBe(false);
  for (const subject of ['x', 'x', 'y']) await once(subject);
  expect(await left()).toEqual(['x', 'x', 'y']);
  expect(await jobs.has('note', 'x')).toBe(true);
});

test('a job is not added beside one that is due as early, and is beside a later one', async () => {
  const { database, jobs, add, left } = await open();
  const put = (due_ms: number) =>
    database.write((writer) => jobs.addUnlessSooner(writer, { kind: 'note', subject: 'x', due_ms }));
  await add('other', 'x', 1);
  await put(10);
  await put(10);
  await put(11);
  expect(await left()).toEqual(['x', 'x']);
  await put(9);
  expect(await left()).toEqual(['x', 'x', 'x']);
});

test('jobs run beside those of other kinds, and after those whose kinds begin with the same word', async () => {
  const { clock, jobs, done, add, left } = await open();
  const films = Promise.withResolvers<undefined>();
  let started = 0;
  jobs.handle('film.cut', () => {
    started++;
    return films.promise;
  });
  jobs.handle('film.show', async (subject) => {
    done.push(subject);
    return undefined;
  });
  await add('film.cut', 'long film', 0);
  await add('film.show', 'premiere', 1);
  await add('note', 'review', 2);
  jobs.start(() => {});
  await expect.poll(() => started).toBe(1);
  await expect.poll(() => done).toEqual(['review']);
  await add('note', 'second review', clock.now());
  jobs.wake();
  await expect.poll(() => done).toEqual(['review', 'second review']);
  films.resolve(undefined);
  await expect.poll(() => done).toEqual(['review', 'second review', 'premiere']);
  await jobs.stop();
  expect(await left()).toEqual([]);
});

test('due jobs of several kinds count together against the most that are run', async () => {
  const { jobs, add } = await open();
  jobs.handle('film.show', async () => undefined);
  for (let i = 0; i < 5; i++) {
    await add('note', `${i}`, 0);
    await add('film.show', `${i}`, 0);
  }
  expect(await jobs.runDue(7)).toBe(7);
  expect(await jobs.runDue()).toBe(3);
});

test('all jobs run, even if more are due than are read at once', async () => {
  const { jobs, done, add } = await open();
  for (let i = 0; i < 70; i++) await add('note', `${i}`, i);
  expect(await jobs.runDue(40)).toBe(40);
  expect(await jobs.runDue()).toBe(30);
  expect(done).toEqual(Array.from({ length: 70 }, (_, i) => `${i}`));
});

test('a failed job is retried with growing delay and does not block other jobs', async () => {
  const { jobs, clock, done, add, left } = await open();
  const seen: number[] = [];
  jobs.handle('fail', async (_subject, failures) => {
    seen.push(failures);
    throw new Error('no');
  });
  await add('fail', 'bad', 0);
  await add('note', 'good', 1000);
  await jobs.runDue();
  expect(done).toEqual(['good']);
  for (const wait of [1000, 2000, 4000]) {
    clock.advance(wait - 1);
    expect(await jobs.runDue()).toBe(0);
    clock.advance(1);
    expect(await jobs.runDue()).toBe(1);
  }
  expect(seen).toEqual([0, 1, 2, 3]);
  expect(await left()).toEqual(['bad']);
});

test('a job that the end of its world cuts off stays as it was, and the rest of its queue is left to the next start', async () => {
  const { database, jobs, done, add } = await open();
  jobs.handle('note.cut', async () => {
    throw new WorldClosedError('the world was closed');
  });
  await add('note.cut', 'x', 700);
  await add('note', 'y', 800);
  expect(await jobs.runDue()).toBe(0);
  const errors: unknown[] = [];
  const cutOff = Promise.withResolvers<void>();
  jobs.handle('note.cut', async () => {
    void jobs.stop();
    cutOff.resolve();
    throw new WorldClosedError('the world was closed');
  });
  jobs.start((error) => errors.push(error));
  await cutOff.promise;
  await jobs.stop();
  expect([done, errors]).toEqual([[], []]);
  expect(await database.query('SELECT "subject", "due_ms", "failures" FROM "jobs" ORDER BY "id"')).toEqual([
    ['x', 700n, 0n],
    ['y', 800n, 0n],
  ]);
});

test('a job without a handler stays queued, and a runner reports it', async () => {
  const { jobs, add, left } = await open();
  await add('later version', 'x', 0);
  await jobs.runDue();
  const reported: string[] = [];
  jobs.start((_error, { kind }) => reported.push(kind));
  await expect.poll(() => reported).toEqual(['later version']);
  await jobs.stop();
  expect(await left()).toEqual(['x']);
});

test('the write of a job and its removal are one transaction', async () => {
  const { database, jobs, clock, add, left } = await open();
  let failing = true;
  jobs.handle('write', async (subject) => async (writer) => {
    await jobs.add(writer, { kind: 'note', subject: `after ${subject}`, due_ms: 9000 });
    if (failing) throw new Error('in the middle');
  });
  await add('write', 'x', 0);
  await jobs.runDue();
  expect(await left()).toEqual(['x']);
  failing = false;
  clock.advance(1000);
  await jobs.runDue();
  expect(await left()).toEqual(['after x']);
  await database.close();
});

test('the write of a job that was cancelled meanwhile is dropped', async () => {
  const { database, jobs, add, left } = await open();
  const calledOff: boolean[] = [];
  jobs.handle('write', async () => {
    calledOff.push(await database.write((writer) => jobs.cancel(writer, id)));
    return async (writer) => {
      await jobs.add(writer, { kind: 'note', subject: 'wrong', due_ms: 9000 });
    };
  });
  const id = await add('write', 'x', 0);
  await jobs.runDue();
  expect(calledOff).toEqual([true]);
  expect(await left()).toEqual([]);
  expect(await database.write((writer) => jobs.cancel(writer, id))).toBe(false);
});

test('two concurrent runners run each job once', async () => {
  const { jobs, done, add } = await open();
  for (let i = 0; i < 10; i++) await add('note', `${i}`, 0);
  await Promise.all([jobs.runDue(), jobs.runDue(), jobs.runDue()]);
  expect(done).toHaveLength(10);
});

test('a started runner runs jobs by itself; a stopped one starts none', async () => {
  const { jobs, clock, done, add } = await open();
  const failures: unknown[] = [];
  await add('note', 'waiting', 0);
  jobs.start((error) => failures.push(error));
  await expect.poll(() => done).toEqual(['waiting']);
  await add('note', 'new', 0);
  jobs.wake();
  await expect.poll(() => done).toEqual(['waiting', 'new']);
  // Nothing signals that a job is due: the runner waits for the next job by itself.
  await add('note', 'soon', clock.now() + 50);
  jobs.wake();
  await new Promise((resolve) => setTimeout(resolve, 20));
  clock.advance(50);
  await expect.poll(() => done).toHaveLength(3);
  await jobs.stop();
  await add('note', 'never', 0);
  jobs.wake();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(done).toHaveLength(3);
  expect(failures).toEqual([]);
});

test('jobs that wait are counted by kind, with how long the first of them has been due', async () => {
  const { jobs, clock, add } = await open();
  await add('note', 'x', 400);
  await add('note', 'y', clock.now() + 5000);
  await add('other', 'x', clock.now() + 1);
  expect(await jobs.waiting()).toEqual([
    { kind: 'note', count: 2, overdue_ms: clock.now() - 400 },
    { kind: 'other', count: 1, overdue_ms: 0 },
  ]);
});

test('a job that is watched is told to have ended, and why when it failed', async () => {
  const { jobs, add } = await open();
  const seen: string[] = [];
  jobs.handle('fail', async () => {
    throw new Error('no');
  });
  jobs.watch((kind) => ({
    run: (work) => work(),
    ended: (failure) => seen.push(`${kind} ${failure ? 'failed' : 'done'}`),
  }));
  await add('note', 'x', 0);
  await add('fail', 'x', 0);
  await jobs.runDue();
  expect(seen.toSorted()).toEqual(['fail failed', 'note done']);
});

test('jobs survive the process', async () => {
  const directory = temporaryDirectory();
  const before = await open(directory);
  await before.add('note', 'x', 0);
  await before.database.close();
  const after = await open(directory);
  await after.jobs.runDue();
  expect(after.done).toEqual(['x']);
});
