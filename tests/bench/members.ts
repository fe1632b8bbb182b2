/**
 * Estimates with audiences: three of them that everybody of a platform is in, from their upload to the counts. Measures how
 * long the first estimate takes, which loads their members, how long estimates take then, and what the members take.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type AudienceCriterion, audienceQuery } from '@broadside/core/resources/audience-estimate';
import { World } from '@broadside/server';
import Database from 'libsql';
import { type Percentiles, percentiles } from './percentiles.ts';

/** Results of a run. Times in milliseconds. */
export interface MembersRow {
  /** People of the platform, and members of each of three audiences. */
  readonly people: number;
  /** From the first upload until everything is merged and matched. */
  readonly intake_ms: number;
  /** Processor time of all threads meanwhile, which other work on the machine does not lengthen. */
  readonly intake_cpu_ms: number;
  /** The first estimate, which loads the members. */
  readonly load_ms: number;
  /** The most that the serving thread computed between two turns of its event loop meanwhile. */
  readonly longest_turn_ms: number;
  /** Memory of the serving thread for the members, after some estimates. */
  readonly memory_mb: number;
  readonly estimates: Percentiles;
  /** Estimates while people are uploaded to one of the audiences. */
  readonly during_intake: Percentiles;
}

type Scope = NonNullable<Parameters<World['audience']['count']>[1]>;
type Tree = Parameters<World['audience']['countActive']>[0];

const IDS = ['a', 'b', 'c'] as const;
/** Users of a request, as many as a request may have of operations. */
const BATCH = 2500;
/** The kind of a platform id in keys. */
const PLATFORM_ID = 4;
const YEAR_S = 365 * 86_400;

/** Measures estimates with audiences over so many people. */
export async function measureMembers(people: number, requests: number): Promise<MembersRow> {
  const directory = mkdtempSync(path.join(tmpdir(), 'broadside-members-'));
  try {
    await (await World.open({ dataDirectory: directory })).close();
    const ids = insertPeople(directory, people);
    const world = await World.open({ dataDirectory: directory });
    try {
      return await measure(world, ids, requests);
    } finally {
      await world.close();
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Inserts plain people, half of whom are in one country and a third of whom speak one language. */
function insertPeople(directory: string, people: number): bigint[] {
  const database = new Database(path.join(directory, 'platform.db'));
  const first = 1_900_000_000_000_000_000n;
  database.exec('UPDATE audience_state SET bulk = 1');
  database.exec(
    `INSERT INTO users (id, screen_name, screen_name_folded, name, password_hash, created_at, country, languages)
     WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${people - 1})
     SELECT CAST(${first} + i * 4194304 AS TEXT), 'person' || i, 'person' || i, 'Name', '', '2026-01-01T00:00:00Z',
       CASE i % 2 WHEN 0 THEN 'US' ELSE 'GB' END, CASE i % 3 WHEN 0 THEN '["en"]' ELSE '["fr"]' END FROM n`,
  );
  database.exec('UPDATE audience_state SET bulk = 0, epoch = epoch + 1');
  database.close();
  return Array.from({ length: people }, (_, i) => first + BigInt(i) * 4_194_304n);
}

async function measure(world: World, ids: readonly bigint[], requests: number): Promise<MembersRow> {
  await world.audience.prepare();
  const intakeBegan = performance.now();
  const cpu = process.cpuUsage();
  for (const [place, id] of IDS.entries()) await upload(world, id, ids, place);
  await Promise.all(IDS.map((id) => world.members.settle(`production/${id}`)));
  const intake_ms = performance.now() - intakeBegan;
  const { user, system } = process.cpuUsage(cpu);
  const intake_cpu_ms = (user + system) / 1000;
  const before = memory();
  const turns = watchTurns();
  const loadBegan = performance.now();
  const found = await count(world, 0);
  if (found !== ids.length) throw new Error(`an estimate found ${found} of ${ids.length} members`);
  const load_ms = performance.now() - loadBegan;
  const longest_turn_ms = turns.stop();
  for (let i = 0; i < 100; i++) await count(world, i);
  const memory_mb = memory() - before;
  const estimates = await timed(world, requests);
  let isDone = false;
  const intake = (async () => {
    for (let i = 0; !isDone; i++) {
      await upload(world, 'a', ids.slice((i * BATCH) % ids.length, ((i * BATCH) % ids.length) + BATCH), i % 7);
    }
  })();
  const during_intake = await timed(world, Math.ceil(requests / 4));
  isDone = true;
  await intake;
  return {
    people: ids.length,
    intake_ms,
    intake_cpu_ms,
    load_ms,
    longest_turn_ms,
    memory_mb,
    estimates,
    during_intake,
  };
}

async function upload(world: World, id: string, people: readonly bigint[], place: number): Promise<void> {
  const now_s = Math.floor(world.clock.now() / 1000);
  for (let begin = 0; begin < people.length; begin += BATCH) {
    const part = people.slice(begin, begin + BATCH);
    const users = Buffer.alloc(part.length * 18);
    for (const [i, person] of part.entries()) {
      users.writeUInt16LE(1, i * 18);
      users[i * 18 + 2] = PLATFORM_ID;
      createHash('sha256')
        .update(`${person}`)
        .digest()
        .copy(users, i * 18 + 3, 0, 15);
    }
    const operation = {
      operation_type: 'Update',
      // Every batch expires at another time.
      effective_s: now_s - place,
      expires_s: now_s + YEAR_S + begin,
      default_effective: false,
      default_expires: false,
      user_count: part.length,
    } as const;
    await world.members.append(`production/${id}`, { operations: [operation], users }, now_s);
  }
}

const is = (targeting_type: AudienceCriterion['targeting_type'], targeting_value: string): AudienceCriterion => ({
  targeting_type,
  targeting_value,
  operator_type: 'EQ',
});

function leaf(id: string, negate = false, frequency?: number): Tree {
  const condition = frequency && { window_s: 7 * 86_400, frequency, frequency_comparator: 'NUM_GTE' as const };
  return { kind: 'leaf', negate, set: { audience: `production/${id}`, ...(condition ? { condition } : {}) } };
}

const scope: Scope = {
  audiences: new Map<string, Tree>([
    ...IDS.map((id) => [id, leaf(id)] as const),
    ['all', { kind: 'and', negate: false, children: IDS.map((id) => leaf(id)) }],
    ['some', { kind: 'or', negate: false, children: [leaf('a', true), leaf('b', false, 1), leaf('c')] }],
  ]),
  without: [],
};

/** Estimates in turn: three audiences beside each other, crossed with other traits, left out, and flexible ones. */
function count(world: World, i: number): Promise<number> {
  const all = IDS.map((id) => is('CUSTOM_AUDIENCE', id));
  const not = (criterion: AudienceCriterion): AudienceCriterion => ({ ...criterion, operator_type: 'NE' });
  const language = is('LANGUAGE', i % 2 === 0 ? 'en' : 'fr');
  const queries = [
    all,
    [...all, language],
    [is('CUSTOM_AUDIENCE', 'a'), not(is('CUSTOM_AUDIENCE', 'b')), not(is('CUSTOM_AUDIENCE', 'c')), language],
    [is('CUSTOM_AUDIENCE', 'all'), language],
    [is('CUSTOM_AUDIENCE', 'some'), is('AGE', 'AGE_OVER_13')],
  ];
  // With what stands in the way of learning about audiences of others, which costs something too.
  const blur = i % 2 === 1 ? [`${i}`] : undefined;
  return world.audience.count(audienceQuery(queries[i % queries.length] ?? []), { ...scope, blur });
}

async function timed(world: World, requests: number): Promise<Percentiles> {
  const times: number[] = [];
  for (let i = 0; i < requests; i++) {
    const began = performance.now();
    await count(world, i);
    times.push(performance.now() - began);
  }
  return percentiles(times);
}

/** Memory of typed arrays in MB: sets consist of them. */
function memory(): number {
  return process.memoryUsage().arrayBuffers / 1e6;
}

/** Watches how much the serving thread computes between turns of its event loop. */
function watchTurns(): { stop(): number } {
  let longest = 0;
  let running = true;
  let last = process.threadCpuUsage();
  const turn = () => {
    const { user, system } = process.threadCpuUsage(last);
    longest = Math.max(longest, (user + system) / 1000);
    last = process.threadCpuUsage();
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    stop() {
      running = false;
      return longest;
    },
  };
}
