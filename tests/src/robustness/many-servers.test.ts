import { strict as assert } from 'node:assert';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { measureServers } from '../../bench/many-servers-rows.ts';
import { checkLimit, checkReplay } from '../../many-servers/checks.ts';
import { cannotStart, Platform } from '../../many-servers/platform.ts';
import { beginPlay, endPlay, type Fault, type Play, playRound } from '../../many-servers/round.ts';

if (cannotStart !== undefined) console.warn(`tests of several servers are left out: ${cannotStart}`);

/** That of a store that may not be asked at all. */
const IDLE = 'processor time of the store, GET with a replica';

// More of it: `npm run many-servers -- --rounds 8`.
describe.skipIf(cannotStart !== undefined)('three servers of a platform', () => {
  let platform: Platform;
  let play: Play;

  beforeAll(async () => {
    platform = await Platform.start(3, 0, true);
    play = beginPlay(platform);
  });
  afterAll(() => platform[Symbol.asyncDispose]());

  test('accept a request once, and no more than the limit says', async () => {
    await checkReplay(platform, play.client);
    await checkLimit(platform, play.client);
  });

  // The figures say nothing here: `npm run bench:many-servers` has enough requests for that.
  test('are measured', async () => {
    const rows = await measureServers(platform, { warmup: 2, requests: 6, batches: 3, rounds: 1, kills: 1, stops: 0 });
    expect(rows.map(({ name }) => name)).toEqual([
      'processor time of a server, GET',
      'processor time of a server, POST',
      'processor time of a server, batch',
      '2 servers are worth',
      '3 servers are worth',
      'POSTs on one store at 1 ms, one server',
      'POSTs on one store at 1 ms, 3 servers',
      'POSTs on one store at 10 ms, 3 servers',
      'batches of 40 at 10 ms',
      'POSTs on one store at 45 ms, 3 servers',
      'batches of 40 at 45 ms',
      'longest wait of others when a server is killed in a write',
      'processor time of the store, GET',
      'GETs of one server',
      IDLE,
      'GETs of one server with a replica',
      'reads that the replica answered',
    ]);
    for (const { name, value, unit } of rows) {
      if (unit === 'failed') expect(value, name).toBe(0);
      else if (name === IDLE) expect(value, name).toBeGreaterThanOrEqual(0);
      else expect(value, name).toBeGreaterThan(0);
    }
  });

  test('lose nothing and do nothing twice while their parts are killed or stopped', async () => {
    const fault = (name: string, how: Fault['how'], ms: number): Fault => {
      const part = platform.parts.find((one) => one.name === name);
      assert(part, name);
      return { part, how, ms };
    };
    const faults = [
      fault('server 1', 'kill', 200),
      fault('sandbox store', 'kill', 200),
      fault('Redis', 'stop', 2500),
      fault('object store', 'kill', 200),
      fault('server 2', 'stop', 1000),
    ];
    // With it a write can fail after it was stored.
    await platform.markCommits();
    const figures = await playRound(play, 1, faults);
    expect(figures.acknowledged).toBeGreaterThan(50);
    expect(figures.refused).toBeGreaterThan(0);
    await endPlay(play);
  });
});
