/**
 * One round on a platform of several servers: under a steady load of writes, each part is killed in turn and started again, and stopped and
 * let go on. Errors are only those that a client can deal with, `/ready` names the part, all servers come back by themselves,
 * and nothing that was acknowledged is lost or there twice.
 */
import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import { rejectWithAny } from '@broadside/core';
import type { Actor } from '../../apps/server/src/db/change-log.ts';
import { createFundingInstrument } from '../../apps/server/src/resources/funding-instruments/find.ts';
import type { AdsStore } from '../../apps/server/src/world/ads-store.ts';
import { type Environment, environments } from '../../apps/server/src/world/environment.ts';
import { storeDueIn } from '../crash/scheduled.ts';
import { chanceOf, makeAccount } from '../crash/session.ts';
import { checkLoad, checkPublished, checkReplays, checkUploads } from './checks.ts';
import { Client, readiness } from './client.ts';
import { Disturbances } from './disturbances.ts';
import { Load, type Target } from './load.ts';
import { Moves } from './moves.ts';
import type { Part, Platform, ServerPart } from './platform.ts';

/** What is done to a part, and for how long at least. */
export interface Fault {
  readonly part: Part;
  readonly how: 'kill' | 'stop';
  readonly ms: number;
}

/** The outcome of a round. */
export interface Figures {
  readonly acknowledged: number;
  readonly entities: number;
  readonly readBack: number;
  readonly refused: number;
  /** Moves of accounts to another store, writes that were refused for them, and for how many milliseconds an account took none at most. */
  readonly moves: number;
  readonly locked: number;
  readonly longest_closed_ms: number;
  /** Requests without an answer, and answers that say that the outcome is not known. */
  readonly lost: number;
  readonly unknown: number;
  readonly uploads: number;
  readonly posts: number;
  /** The longest time until all servers served again after a part was back, in milliseconds. */
  readonly longest_recovery_ms: number;
}

const WRITERS = 4;
/** Writers of an account where there are shards, so more than one. */
const WRITERS_OF_EACH = 2;
const LOGGED_MS = 2000;
/** Since then accounts of production can pay. */
const START = '2026-01-01T00:00:00Z';
/** Scheduled posts that are due when a fault begins. */
const DUE = 10;
/** Conditions come true within this time, on a slow machine too: after a loss of Redis, requests are refused for half a minute. */
const PATIENCE_MS = 240_000;

/** State that outlives rounds. */
export interface Play {
  /** Is told of each fault that is over. */
  readonly say: (line: string) => void;
  readonly platform: Platform;
  readonly client: Client;
  readonly loads: Load[];
  /** Scheduled posts so far. */
  due: number;
}

/** Begins to play on a platform. */
export function beginPlay(platform: Platform, say: Play['say'] = () => {}): Play {
  return { say, platform, client: new Client(platform), loads: [], due: 0 };
}

/** Plays a round. @throws Error with what the servers have logged, where an assertion does not hold */
export async function playRound(play: Play, seed: number, faults: readonly Fault[]): Promise<Figures> {
  try {
    return await disturbAll(play, seed, faults);
  } catch (error) {
    // A log is written after the answer.
    await sleep(LOGGED_MS);
    throw explained(error, play.platform);
  }
}

/** Adds to an error what the servers have logged. */
function explained(error: unknown, { servers }: Platform): Error {
  const failures = servers.map((server) => server.failures).join('');
  return new Error(`${error instanceof Error ? error.message : String(error)}${failures}`, { cause: error });
}

async function disturbAll(play: Play, seed: number, faults: readonly Fault[]): Promise<Figures> {
  const { platform, client } = play;
  const disturbances = new Disturbances(platform.machine);
  const [first] = platform.servers;
  assert(first);
  const targets = await makeTargets(platform, client, first);
  const moved = targets.filter(({ isMoved }) => isMoved);
  const writers = Math.max(WRITERS, WRITERS_OF_EACH * targets.length);
  const chances = Array.from({ length: writers }, (_, i) => chanceOf(seed * 100 + i));
  const load = new Load(client, platform.servers, disturbances, targets, chances);
  const moves = new Moves(client, platform, disturbances, moved, chanceOf(seed * 100 + writers));
  const duePosts = play.due;
  let longest_recovery_ms = 0;
  try {
    await progress(load, platform);
    for (const [i, fault] of faults.entries()) {
      play.due += await storeDueIn(platform.world, DUE, `${seed} ${i}`);
      const took = await disturb(platform, load, disturbances, fault);
      play.say(`${fault.how} ${fault.part.name}: back after ${took} ms`);
      longest_recovery_ms = Math.max(longest_recovery_ms, took);
      await checkReplays(
        platform,
        client,
        load.writers.flatMap(({ accepted }) => accepted.slice(-1)),
      );
    }
    await moves.end();
  } finally {
    moves.stop();
    await load.end();
  }
  play.loads.push(load);
  await moves.check();
  const entities = await checkLoad(platform, client, load);
  await checkUploads(platform, client, load);
  await checkPublished(platform, play.due);
  const { refused, locked, lost, unknown } = disturbances.counts;
  const { count, longest_closed_ms } = moves;
  const readBack = load.writers.reduce((sum, writer) => sum + writer.readBack, 0);
  const uploads = load.uploaded.length;
  const posts = play.due - duePosts;
  const outcome = { acknowledged: load.total, entities, readBack, refused, lost, unknown, uploads, posts };
  return { ...outcome, moves: count, locked, longest_closed_ms, longest_recovery_ms };
}

/** Checks at the end what all rounds have left behind, and ends the servers. @throws AssertionError */
export async function endPlay({ platform, client, loads }: Play): Promise<void> {
  for (const load of loads) await checkLoad(platform, client, load);
  for (const server of platform.servers) assert.equal(await server.end(), 0, `${server.name} ends properly`);
}

/** @returns the time that the servers took to come back, in milliseconds */
async function disturb(platform: Platform, load: Load, disturbances: Disturbances, fault: Fault): Promise<number> {
  const { part, how, ms } = fault;
  const { back, end } = disturbances.begin(part);
  await (how === 'kill' ? part.kill() : part.stop());
  const least = sleep(ms);
  const others = platform.servers.filter((server) => server !== part);
  if (part.named !== undefined) {
    for (const server of others) {
      await until(`${server.name} names the ${part.name}`, load, async () => {
        const { status, text } = await readiness(server);
        return status === (part.shard === undefined ? 503 : 200) && part.named?.test(text) === true;
      });
    }
  }
  // What serves goes on meanwhile.
  if (part.named === undefined || part.shard !== undefined) await progress(load, { servers: others }, part.shard);
  await least;
  if (how === 'kill') await part.start();
  else part.resume();
  back();
  const began = performance.now();
  for (const server of platform.servers) {
    await until(`${server.name} is ready`, load, async () => (await readiness(server)).status === 200);
  }
  await progress(load, platform);
  // A server is ready without a shard.
  if (part.shard !== undefined) await progressOn(load, platform, part.shard);
  const took = performance.now() - began;
  end();
  // Nothing is wrong any more.
  await progress(load, platform);
  return Math.round(took);
}

/** Makes an account of the sandbox to write to; where there are shards, one on each, and one of each environment that is moved. */
async function makeTargets(platform: Platform, client: Client, server: ServerPart) {
  const first = await makeTarget(platform, client, server, 'sandbox');
  const targets: [Target, ...Target[]] = [first];
  for (const environment of environments) {
    const shards = platform.shardsOf(environment);
    const make = () => makeTarget(platform, client, server, environment);
    // The next account is for the shard that has fewest.
    while (!shards.every((name) => targets.some(({ shard }) => shard === name))) targets.push(await make());
    if (shards.length > 0) targets.push({ ...(await make()), isMoved: true });
  }
  return targets;
}

async function makeTarget(
  { world, credentials }: Platform,
  client: Client,
  server: ServerPart,
  environment: Environment,
): Promise<Target> {
  const made =
    environment === 'sandbox'
      ? await makeAccount((request) => client.ok(server, request))
      : await makeProductionAccount(world.ads.production, credentials.user_id);
  const place = await world.ads[environment].shards?.places.of(made.account_id);
  return { ...made, environment, shard: place?.shard ? `${environment}/${place.shard}` : undefined };
}

/** There only the operator makes them. */
async function makeProductionAccount(ads: AdsStore, user_id: string) {
  const actor: Actor = { user_id: null, platform: 'OPERATOR' };
  const terms = { name: 'Load', business_name: null, timezone: 'UTC', user_id, features: [] };
  const { id } = await ads.createAccount(actor, terms);
  const funding = await ads
    .account(id)
    .write(actor, (writer) =>
      createFundingInstrument(
        rejectWithAny,
        writer,
        { type: 'PARTNER_MANAGED', currency: 'USD', start_time: START },
        'Card',
      ),
    );
  return { account_id: id, funding_instrument_id: funding.id };
}

/** Waits until each server has acknowledged some more writes. @param away a shard whose accounts do not count */
async function progress(load: Load, { servers }: Pick<Platform, 'servers'>, away?: string): Promise<void> {
  for (const server of servers) {
    const goal = load.acknowledgedBut(server, away) + 5;
    await until(`${server.name} accepts writes`, load, async () => load.acknowledgedBut(server, away) >= goal);
  }
}

/** Waits until each server has acknowledged some more writes to accounts on a shard. */
async function progressOn(load: Load, { servers }: Platform, shard: string): Promise<void> {
  for (const server of servers) {
    const goal = load.acknowledgedOn(server, shard) + 2;
    await until(
      `${server.name} accepts writes on ${shard}`,
      load,
      async () => load.acknowledgedOn(server, shard) >= goal,
    );
  }
}

async function until(what: string, load: Load, isTrue: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!(await isTrue())) {
    load.check();
    assert(performance.now() < end, `${what}; the last refusal: ${load.disturbances.lastRefusal}`);
    await sleep(20);
  }
}
