import { setTimeout as sleep } from 'node:timers/promises';
import { CLOCKS_END_MS } from '@broadside/core/resources/control/clock';
import { expect, test, vi } from 'vitest';
import { RateLimiter } from '../pipeline/rate-limiter.ts';
import { ManualClock } from '../world/clock.ts';
import { ClockRejectedError } from './clock-state.ts';
import type { DueSource } from './due-source.ts';
import { skipRest } from './store.ts';
import { at, closeStages, killed, START, stage } from './testing/stage.ts';
import { LimitsTime, SharedTime, TimeMemory } from './time-memory.ts';

const HOUR_MS = 3_600_000;

closeStages();

test('a clock that nobody has set is the machine’s, also after a restart, and stores nothing', async () => {
  const world = await stage();
  world.wall.advance(1_234);
  expect(at(world)).toBe(1_234);
  world.wall.step(-200);
  expect(at(world), 'as the machine’s').toBe(1_034);
  expect(world.time.state).toMatchObject({ rate: 1, frozen: false, limits: 'wall', follows_machine: true });
  const again = await killed(world);
  expect(again.time.state.follows_machine).toBe(true);
});

test('what is due on the way happens in order, each job at its own time', async () => {
  const world = await stage();
  await world.add('later', 5_000);
  await world.add('other', 2_000, 'house.keeping');
  await world.add('first', 1_000);
  await world.add('beyond', 9_001);
  await world.add('3', 2_500, 'note.chain');
  const { happenings, complete, state } = await world.time.advance({ by: 'PT9S' });
  expect(world.ran).toEqual(['first 1000', 'other 2000', '3 2500', '2 2510', '1 2520', '0 2530', 'later 5000']);
  expect(happenings.told.map(({ at, id }) => `${id} ${Date.parse(at) - START}`)).toEqual(['first 1000', 'later 5000']);
  expect([happenings.total, complete, state.now_ms - START, at(world)]).toEqual([2, true, 9_000, 9_000]);
});

test('an advance tells the time that was asked for exactly, although the clock has gone on until it is told', async () => {
  const world = await stage();
  const next = world.jobs.next.bind(world.jobs);
  // A machine that takes its time.
  vi.spyOn(world.jobs, 'next').mockImplementation(async () => {
    world.wall.advance(7);
    return next();
  });
  const { from_ms, state } = await world.time.advance({ by: 'PT1H' });
  expect(state.now_ms - from_ms).toBe(HOUR_MS);
  expect(world.time.clock.now() - from_ms, 'as it runs').toBeGreaterThan(HOUR_MS);
  const set = await world.time.set({ now: '2026-02-01T00:00:00Z' });
  expect(set.state.now_ms).toBe(Date.UTC(2026, 1, 1));
});

test('a job that fails is tried again at its later time, in order, and the failures are reported', async () => {
  const world = await stage();
  await world.add('x', 1_000, 'note.fail');
  await world.add('between', 3_000);
  const { happenings } = await world.time.advance({ by: 'PT1H' });
  expect(world.ran).toEqual(['failure 0 1000', 'failure 1 2000', 'between 3000', 'failure 2 4000']);
  expect(happenings.told.map(({ what }) => what)).toEqual(['JOB_FAILED', 'JOB_FAILED', 'MEDIA_EXPIRED']);
});

test('next jumps to what is seen, says what it is, and does what is due before it', async () => {
  const world = await stage();
  await world.add('due already', 0);
  await world.add('broom', 1_000, 'house.keeping');
  await world.add('post', 7_000);
  await world.add('at the same time', 7_000);
  const first = await world.time.advance({ next: true });
  expect(first.happenings.told.map(({ id }) => id)).toEqual(['due already', 'post', 'at the same time']);
  expect(at(world)).toBe(7_000);
  expect(world.ran).toContain('broom 1000');
  const second = await world.time.advance({ next: true });
  expect([second.happenings.total, at(world)], 'nothing is left, so the clock stays').toEqual([0, 7_000]);
});

test('what happens by the time alone is found in order between jobs, page by page, and next leads to it', async () => {
  const world = await stage();
  const times = Array.from({ length: 1_300 }, (_, i) => ({
    at_ms: START + 1_000 + Math.floor(i / 3),
    id: `${1_000 + i}`,
  }));
  const source: DueSource = {
    what: 'POLL_ENDED',
    list: (place, until_ms, limit) =>
      times
        .filter(({ at_ms, id }) =>
          'after' in place
            ? at_ms > place.after.at_ms || (at_ms === place.after.at_ms && id > place.after.id)
            : at_ms > place.after_ms,
        )
        .filter(({ at_ms }) => at_ms <= until_ms)
        .slice(0, limit),
  };
  world.time.watch(source);
  await world.add('job', 1_001);
  const next = await world.time.advance({ next: true });
  expect([next.happenings.total, at(world)]).toEqual([3, 1_000]);
  const rest = await world.time.advance({ by: 'PT1H' });
  expect(rest.happenings.total).toBe(1_298);
  expect(rest.happenings.told).toHaveLength(1_000);
  expect(rest.happenings.told.slice(0, 4).map(({ id }) => id)).toEqual(['1003', '1004', '1005', 'job']);
  expect(new Set(rest.happenings.told.map(({ id }) => id)).size).toBe(1_000);
});

test('a clock never goes back, and says what is right', async () => {
  const world = await stage();
  await world.time.advance({ by: 'P1D' });
  await expect(world.time.set({ now: '2026-01-15T08:00:00.000Z' })).rejects.toThrow(
    'Expected a time that is not before the world’s, 2026-01-16T08:00:00.000Z: a clock never goes back',
  );
  await expect(world.time.advance({ by: 'PT' })).rejects.toThrow(ClockRejectedError);
  expect(at(world)).toBe(24 * HOUR_MS);
  world.wall.step(-HOUR_MS);
  expect(at(world), 'the machine’s clock is set back').toBe(24 * HOUR_MS);
});

test('a clock that was set goes on from there, also after the process was killed', async () => {
  const world = await stage();
  await world.time.set({ now: '2026-03-01T00:00:00.000Z', rate: 60 });
  const set = world.time.clock.now();
  world.wall.advance(1_000);
  expect(world.time.clock.now() - set).toBe(60_000);
  const again = await killed(world);
  expect(again.time.clock.now() - set).toBe(60_000);
  again.wall.advance(500);
  expect(again.time.clock.now() - set).toBe(90_000);
  const moved = await killed(again);
  moved.wall.step(-HOUR_MS);
  expect(moved.time.clock.now() - set).toBe(90_000);
});

test('a frozen clock stands, survives, and runs on from there', async () => {
  const world = await stage();
  await world.time.set({ frozen: true });
  world.wall.advance(5_000);
  expect(at(world)).toBe(0);
  const again = await killed(world);
  again.wall.advance(5_000);
  expect([at(again), again.time.state.frozen]).toEqual([0, true]);
  await again.time.advance({ by: 'PT1S' });
  expect([at(again), again.time.state.frozen], 'an advance leaves it frozen').toEqual([1_000, true]);
  await again.time.set({ frozen: false });
  again.wall.advance(10);
  expect(at(again)).toBe(1_010);
});

test('a store that rested goes on from where it was', async () => {
  const world = await stage();
  await world.time.set({ rate: 60 });
  await skipRest(world.database, 3_000);
  world.wall.advance(3_000);
  const again = await killed(world);
  expect(at(again)).toBe(0);
});

test('a running clock stops where clocks end, also while its world is closed, and all threads see it stand there', async () => {
  const world = await stage();
  const reader = new SharedTime(new TimeMemory(world.time.buffer), world.wall);
  await world.time.set({ rate: 86_400, limits: 'world' });
  await world.add('beyond', CLOCKS_END_MS - START + 1);
  expect(await world.jobs.runDue()).toBe(0);
  const closed = await killed(world);
  const limits = new LimitsTime(new TimeMemory(world.time.buffer), world.wall);
  // A century.
  world.wall.advance(100 * 366_000);
  expect([world.time.clock.now(), world.time.state.now_ms, reader.now(), limits.now()]).toEqual(
    Array.from({ length: 4 }, () => CLOCKS_END_MS),
  );
  expect(await world.jobs.runDue()).toBe(0);
  world.wall.advance(1_000);
  expect(world.time.clock.now()).toBe(CLOCKS_END_MS);
  const opened = await killed(closed);
  expect(opened.time.clock.now()).toBe(CLOCKS_END_MS);
  const { state } = await opened.time.set({ rate: 1 });
  expect(state).toMatchObject({ now_ms: CLOCKS_END_MS, rate: 1, frozen: false });
  world.wall.advance(1_000);
  expect(opened.time.clock.now()).toBe(CLOCKS_END_MS);
  await expect(opened.time.advance({ by: 'PT1S' })).rejects.toThrow('until 2100-01-01T00:00:00.000Z');
  expect((await opened.time.advance({ next: true })).happenings.total).toBe(0);
});

test('a clock that has come to its end is not looked at all the time', async () => {
  const world = await stage();
  await world.time.set({ rate: 86_400 });
  world.wall.advance(100 * 366_000);
  const looks = vi.spyOn(world.jobs, 'next');
  world.jobs.start((error) => world.ran.push(String(error)));
  await expect.poll(() => looks.mock.calls.length).toBeGreaterThan(0);
  await sleep(100);
  // Those of one look.
  expect(looks.mock.calls.length).toBeLessThan(10);
  expect(world.ran).toEqual([]);
});

test('a running clock does not pass a job before it has run, however far it is behind', async () => {
  const world = await stage();
  await world.time.set({ rate: 3_600 });
  await world.add('5', 1_000, 'note.chain');
  await world.add('x', 60_000);
  await world.add('y', 90_000);
  world.wall.advance(20);
  expect(at(world)).toBe(1_000);
  expect(await world.jobs.runDue()).toBe(7);
  expect(at(world)).toBe(72_000);
  expect(world.ran).toEqual(['5 1000', '4 1010', '3 1020', '2 1030', '1 1040', '0 1050', 'x 60000']);
  world.wall.advance(20);
  const again = await killed(world);
  expect(at(again), 'also not after a restart').toBe(90_000);
  expect(await again.jobs.runDue()).toBe(1);
  expect(at(again)).toBe(144_000);
});

test('a running clock does not pass the job of a write that is not committed yet', async () => {
  const world = await stage();
  await world.time.set({ rate: 1_000 });
  await world.database.write(async (writer) => {
    await world.jobs.add(writer, { kind: 'note.seen', subject: 'x', due_ms: START + 500 });
    world.wall.advance(10);
    await world.jobs.runDue();
    expect(at(world)).toBe(500);
  });
  await world.jobs.runDue();
  expect(world.ran).toEqual(['x 500']);
  expect(at(world)).toBe(10_000);
});

test('jobs run by themselves at the rate of the clock, and when it is changed', async () => {
  const world = await stage(
    undefined,
    new (class extends ManualClock {
      readonly #began = performance.now();
      override now() {
        return Math.floor(super.now() + performance.now() - this.#began);
      }
      override elapsed() {
        return super.elapsed() + performance.now() - this.#began;
      }
    })(START),
  );
  world.jobs.start((error) => world.ran.push(String(error)));
  await world.add('by the machine', 30);
  world.jobs.wake();
  await expect.poll(() => world.ran.length).toBe(1);
  await world.add('x', 10 * HOUR_MS);
  await world.time.set({ rate: 86_400 });
  await expect.poll(() => world.ran.slice(1)).toEqual([`x ${10 * HOUR_MS}`]);
  await world.time.set({ frozen: true });
  const due = at(world);
  await world.database.write((writer) =>
    world.jobs.add(writer, { kind: 'note.seen', subject: 'now', due_ms: START + due }),
  );
  world.jobs.wake();
  await expect.poll(() => world.ran.slice(2)).toEqual([`now ${due}`]);
});

test('a second advance waits for the first, and calls meanwhile have the time at which the clock stands', async () => {
  const world = await stage();
  const seen: number[] = [];
  world.jobs.handle('note.look', async () => {
    seen.push(at(world));
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(at(world));
    expect(world.time.state.advancing).toBe(true);
    return undefined;
  });
  await world.add('x', 1_000, 'note.look');
  const [first, second] = await Promise.all([world.time.advance({ by: 'PT5S' }), world.time.advance({ by: 'PT5S' })]);
  expect(seen).toEqual([1_000, 1_000]);
  expect([first, second].map(({ state }) => state.now_ms - START)).toEqual([5_000, 10_000]);
  expect(world.time.state.advancing).toBe(false);
});

test('other threads see the same time, and the limits clock follows the world only when it is told to', async () => {
  const world = await stage();
  const { wall } = world;
  const memory = new TimeMemory(world.time.buffer);
  const [reader, limits] = [new SharedTime(memory, wall), new LimitsTime(memory, wall)];
  const check = () => {
    expect(reader.now()).toBe(world.time.clock.now());
    expect([limits.now(), limits.elapsed()]).toEqual([world.time.limits.now(), world.time.limits.elapsed()]);
  };
  check();
  await world.time.advance({ by: 'P1D' });
  check();
  expect(limits.now()).toBe(wall.now());
  const before = limits.elapsed();
  await world.time.set({ limits: 'world', rate: 10 });
  expect(limits.elapsed(), 'windows go on').toBe(before);
  wall.advance(1_000);
  check();
  expect(limits.elapsed() - before).toBe(10_000);
  expect(limits.now()).toBe(world.time.clock.now());
  await world.time.advance({ by: 'P1D' });
  check();
  expect(limits.elapsed() - before).toBe(10_000 + 24 * HOUR_MS);
  await world.time.set({ limits: 'wall' });
  check();
  expect(limits.elapsed() - before).toBe(10_000 + 24 * HOUR_MS);
  expect(limits.now()).toBe(wall.now());
});

test('a window of a rate limit is over when the world’s time has passed, once limits follow it', async () => {
  const world = await stage();
  const limiter = new RateLimiter({ 'ads.core_read': { limit: 1 } }, world.time.limits);
  const operation = { id: 'campaigns.list', rateLimit: 'ads.core_read' } as const;
  const rejected = async () => (await limiter.count(operation, 'u1', undefined, false))?.user.exceeded;
  expect([await rejected(), await rejected()]).toEqual([false, true]);
  await world.time.advance({ by: 'P1D' });
  expect(await rejected(), 'on the wall clock').toBe(true);
  await world.time.set({ limits: 'world' });
  expect(await rejected()).toBe(true);
  await world.time.advance({ by: 'P1D' });
  expect(await rejected()).toBe(false);
});

test('a clock that a test holds is advanced likewise, and cannot be given a rate', async () => {
  const held = new ManualClock(START);
  const world = await stage(undefined, new ManualClock(0), held);
  await world.add('x', 1_000);
  await world.add('y', 2_000);
  const { happenings } = await world.time.advance({ by: 'PT1.5S' });
  expect([world.ran, happenings.total, held.now() - START]).toEqual([['x 1000'], 1, 1_500]);
  held.advance(10_000);
  expect(await world.jobs.runDue()).toBe(1);
  await expect(world.time.set({ rate: 2 })).rejects.toThrow('only its time can be set, not rate');
  await expect(world.time.set({ frozen: false })).rejects.toThrow('only its time can be set, not frozen');
  // It stands already, as a test asks of the clock of a server.
  await world.time.set({ now: new Date(START + 20_000).toISOString(), frozen: true });
  expect(world.time.state).toMatchObject({ now_ms: START + 20_000, frozen: true });
});
