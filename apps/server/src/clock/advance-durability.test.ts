/** What is on disk of a clock while it is advanced: never less than anybody has seen, and with few writes. */
import { expect, test, vi } from 'vitest';
import { at, closeStages, killed, START, stage } from './testing/stage.ts';

closeStages();

test('an advance that is cut off by the end of the world leaves the clock where everything was done', async () => {
  const world = await stage();
  let closing: Promise<void> | undefined;
  world.jobs.handle('note.close', async () => {
    closing = world.time.close();
    return undefined;
  });
  await world.add('x', 1_000, 'note.close');
  await world.add('never', 2_000);
  await expect(world.time.advance({ by: 'P1D' })).rejects.toThrow('closed');
  await closing;
  expect([at(await killed(world)), world.ran]).toEqual([1_000, []]);
});

test('the time of a job is durable before the job begins', async () => {
  const world = await stage();
  const found: number[] = [];
  world.jobs.handle('note.kill', async () => {
    found.push(at(await killed(world)));
    return undefined;
  });
  await world.time.set({ frozen: true });
  await world.add('x', 1_000, 'note.kill');
  await world.time.advance({ by: 'P1D' });
  expect(found).toEqual([1_000]);
});

test('an advance stores the clock in the transactions that end its jobs', async () => {
  const world = await stage();
  await world.time.set({ frozen: true });
  for (let i = 1; i <= 20; i++) await world.add(`${i}`, i * 1_000);
  const writes = vi.spyOn(world.database, 'write');
  await world.time.advance({ by: 'PT30S' });
  // That of the first stop, and one for each job.
  expect([world.ran.length, writes.mock.calls.length]).toEqual([20, 21]);
  expect(at(await killed(world))).toBe(30_000);
});

test('wherever an advance is cut off, the clock has not gone back, and the same advance does the rest, once', async () => {
  const world = await stage();
  await world.time.set({ frozen: true });
  for (const after_ms of [1_000, 2_000, 2_000, 4_000]) await world.add(`${after_ms}`, after_ms);
  await world.add('3', 3_000, 'note.chain');
  await world.add('x', 3_005, 'note.fail');
  const to = new Date(START + 60_000).toISOString();
  const { database } = world;
  const write = database.write.bind(database);
  // As it is on disk after each commit, with what was seen and done until then.
  const cuts: { readonly seen_ms: number; readonly done: readonly string[]; readonly left: typeof world }[] = [];
  vi.spyOn(database, 'write').mockImplementation(async (body, options) => {
    const result = await write(body, options);
    cuts.push({ seen_ms: at(world), done: [...world.ran], left: await killed(world) });
    return result;
  });
  await world.time.advance({ to });
  vi.restoreAllMocks();
  expect(world.ran).toHaveLength(11);
  expect(cuts).toHaveLength(12);
  for (const { seen_ms, done, left } of cuts) {
    expect(at(left)).toBeGreaterThanOrEqual(seen_ms);
    await left.time.advance({ to });
    expect([...done, ...left.ran]).toEqual(world.ran);
    expect(at(left)).toBe(60_000);
  }
});

test('a job that a call adds while the clock stores where it stands next is not passed', async () => {
  const world = await stage();
  const { database, jobs } = world;
  await world.time.set({ frozen: true });
  const write = database.write.bind(database);
  vi.spyOn(database, 'write').mockImplementationOnce(async (body, options) => {
    // A call whose write comes right before that of the clock.
    const added = write((writer) => jobs.add(writer, { kind: 'note.seen', subject: 'x', due_ms: START + 3_600_000 }));
    const [result] = await Promise.all([write(body, options), added]);
    return result;
  });
  const { happenings } = await world.time.advance({ by: 'P90D' });
  vi.restoreAllMocks();
  expect(world.ran).toEqual(['x 3600000']);
  expect(happenings.told.map(({ at, id }) => [id, Date.parse(at) - START])).toEqual([['x', 3_600_000]]);
  expect([at(world), at(await killed(world))]).toEqual([90 * 86_400_000, 90 * 86_400_000]);
});

test('a job that is added behind the end of another, and is due before what comes next, runs in order and takes nothing back', async () => {
  const world = await stage();
  const { database, jobs } = world;
  const found: number[] = [];
  let isOver = false;
  jobs.handle('note.over', async () => {
    isOver = true;
    return undefined;
  });
  jobs.handle('note.kill', async () => {
    found.push(at(world), at(await killed(world)));
    return undefined;
  });
  await world.time.set({ frozen: true });
  await world.add('first', 1_000, 'note.over');
  await world.add('last', 5_000);
  const write = database.write.bind(database);
  vi.spyOn(database, 'write').mockImplementation(async (body, options) => {
    const result = await write(body, options);
    if (isOver) {
      isOver = false;
      // A call whose write comes right behind the one that ends the job.
      await write((writer) => jobs.add(writer, { kind: 'note.kill', subject: 'x', due_ms: START + 1_200 }));
    }
    return result;
  });
  await world.time.advance({ by: 'PT10S' });
  vi.restoreAllMocks();
  const [seen, kept] = found;
  expect(seen).toBe(1_200);
  expect(kept).toBeGreaterThanOrEqual(1_200);
  expect(world.ran).toEqual(['last 5000']);
  expect(at(world)).toBe(10_000);
});
