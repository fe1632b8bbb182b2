/**
 * Audience estimates over a seeded platform: how long the index takes and how much it holds, and how long estimates of very
 * different criteria take, in the store alone and over HTTP.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type AudienceCriterion, audienceQuery, interests, locations } from '@broadside/core/rules';
import { World } from '@broadside/server';
import { load, once } from './load.ts';
import { seedPosts } from './posts.ts';
import { Processes } from './processes.ts';
import { type Credentials, wire } from './wire.ts';

/** What was measured. Times in milliseconds. */
export interface AudienceRow {
  readonly users: number;
  readonly posts: number;
  readonly build_ms: number;
  /** Processor time of the build, which other work on the machine does not lengthen. */
  readonly build_cpu_ms: number;
  /** The most processor time between two turns of the event loop while the index was built: how long others waited. */
  readonly longest_turn_ms: number;
  readonly memory_mb: number;
  readonly store: Percentiles;
  /** Processor time of each count, of all threads. */
  readonly store_cpu: Percentiles;
  readonly http: Percentiles;
}

interface Percentiles {
  readonly p50_ms: number;
  readonly p99_ms: number;
}

/** How much is seeded or found, and how many estimates are made. */
export interface AudienceOptions {
  readonly users: number;
  readonly posts: number;
  readonly requests: number;
  /** The main file of the built server. */
  readonly server: string;
  /** A directory that was seeded before; it is left as it is but for the demo of a first start. */
  readonly directory?: string | undefined;
}

/** Seeds a platform and measures it. */
export async function measureAudience(options: AudienceOptions): Promise<AudienceRow> {
  const directory = options.directory ?? mkdtempSync(path.join(tmpdir(), 'broadside-audience-'));
  const processes = new Processes();
  try {
    if (options.directory === undefined) seedPosts(directory, options);
    return { ...(await measureStore(options, directory)), http: await measureHttp(options, directory, processes) };
  } finally {
    processes.kill();
    if (options.directory === undefined) rmSync(directory, { recursive: true, force: true });
  }
}

type Criteria = readonly AudienceCriterion[];

const is = (targeting_type: AudienceCriterion['targeting_type'], targeting_value: string): AudienceCriterion => ({
  targeting_type,
  targeting_value,
  operator_type: 'EQ',
});
const not = (criterion: AudienceCriterion): AudienceCriterion => ({ ...criterion, operator_type: 'NE' });

const WORDS =
  'garden|bakery|train|lighthouse|choir|market|library|bicycle|books|chess|week|people|padaria|semana|jardin|nachtzug|夜行列車|図書館|сад|музыка'.split(
    '|',
  );
const PHRASES = ['the rain garden', 'of the week', 'a long walk', 'la biblioteca', 'der alte Leuchtturm', '古い灯台'];
const COUNTRIES = locations.rows.filter(({ location_type }) => location_type === 'COUNTRIES');
const CITIES = locations.rows.filter(({ location_type }) => location_type === 'CITIES');

function at<Item>(list: readonly Item[], index: number): Item {
  const item = list[index % list.length];
  if (item === undefined) throw new TypeError('an empty list');
  return item;
}

/** The criteria of an estimate: ten kinds in turn, each time with other values. @param known the users with most followers */
export function criteriaOf(i: number, known: readonly string[]): Criteria {
  const word = (n: number) => is('BROAD_KEYWORD', at(WORDS, i + n));
  const interest = (n: number) => is('INTEREST', at(interests.rows, i * 7 + n).targeting_value);
  const similar = (n: number) => is('SIMILAR_TO_FOLLOWERS_OF_USER', at(known, i + n));
  const country = (n: number) => is('LOCATION', at(COUNTRIES, i + n).targeting_value);
  const age = is('AGE', at(['AGE_18_TO_34', 'AGE_25_TO_54', 'AGE_OVER_35', 'AGE_13_TO_24'], i));
  const gender = is('GENDER', at(['1', '2'], i));
  const language = is('LANGUAGE', at(['en', 'pt', 'es', 'ja', 'de'], i));
  const several = (count: number, make: (n: number) => AudienceCriterion) =>
    Array.from({ length: count }, (_, n) => make(n));
  switch (i % 10) {
    case 0:
      return [word(0), is('LOCATION', '96683cc9126741d1')];
    case 1:
      return [is('PHRASE_KEYWORD', at(PHRASES, i)), not(word(1))];
    case 2:
      return [...several(5, interest), age, gender];
    case 3:
      return [similar(0), language];
    case 4:
      return [is('BROAD_KEYWORD', `${at(WORDS, i)} ${at(WORDS, i + 3)}`), is('PLATFORM', '1'), not(country(0))];
    case 5:
      return [...several(20, interest), ...several(10, word)];
    case 6:
      return [is('EXACT_KEYWORD', 'count me in'), word(0), age];
    case 7:
      return [not(word(0)), ...several(30, country), language, age, gender];
    case 8:
      return several(50, (n) => is('BROAD_KEYWORD', `${at(WORDS, i + n)} ${at(WORDS, i * 3 + n)}`));
    default:
      return [
        similar(0),
        similar(1),
        interest(0),
        ...several(20, (n) => is('LOCATION', at(CITIES, i + n).targeting_value)),
      ];
  }
}

async function measureStore(
  { users, posts, requests }: AudienceOptions,
  directory: string,
): Promise<Omit<AudienceRow, 'http'>> {
  const world = await World.open({ dataDirectory: directory });
  try {
    const known = await mostFollowed(world);
    const before = process.memoryUsage().rss;
    const turns = watchTurns();
    const began = performance.now();
    const cpu = process.cpuUsage();
    await world.audience.prepare();
    const build_ms = performance.now() - began;
    const build_cpu_ms = cpuSince(cpu);
    const longest_turn_ms = turns.stop();
    const times: number[] = [];
    const cpuTimes: number[] = [];
    // The first of each kind find code that no one has run yet.
    for (let i = -100; i < requests; i++) {
      const query = audienceQuery(criteriaOf(i + 100, known));
      const start = performance.now();
      const cpuStart = process.cpuUsage();
      await world.audience.count(query);
      if (i < 0) continue;
      cpuTimes.push(cpuSince(cpuStart));
      times.push(performance.now() - start);
    }
    const memory_mb = (process.memoryUsage().rss - before) / 1e6;
    return {
      users,
      posts,
      build_ms,
      build_cpu_ms,
      longest_turn_ms,
      memory_mb,
      store: percentiles(times),
      store_cpu: percentiles(cpuTimes),
    };
  } finally {
    await world.close();
  }
}

async function mostFollowed(world: World): Promise<string[]> {
  const rows = await world.seeds.reader.query('SELECT "id" FROM "users" ORDER BY "followers_count" DESC LIMIT 100');
  return rows.map(([id]) => String(id));
}

function cpuSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Watches how much processor time passes between turns of the event loop. */
function watchTurns(): { stop(): number } {
  let longest = 0;
  let running = true;
  let last = process.cpuUsage();
  const turn = () => {
    longest = Math.max(longest, cpuSince(last));
    last = process.cpuUsage();
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

function percentiles(times: readonly number[]): Percentiles {
  const sorted = [...times].sort((a, b) => a - b);
  const share = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  return { p50_ms: share(0.5), p99_ms: share(0.99) };
}

async function measureHttp(
  { requests, server }: AudienceOptions,
  directory: string,
  processes: Processes,
): Promise<Percentiles> {
  await processes.startServer(server, directory);
  const held: Credentials = JSON.parse(readFileSync(path.join(directory, 'credentials.json'), 'utf8'));
  const port = Number(new URL(held.ads_base_url).port);
  const target = `/12/accounts/${held.account_id}/audience_estimate`;
  const known = await knownOf(directory);
  const request = (i: number) =>
    wire(held, { method: 'POST', target, json: JSON.stringify({ targeting_criteria: criteriaOf(i, known) }) });
  // The first estimate waits for the index.
  await once(port, await request(0));
  await load(port, await Promise.all(Array.from({ length: 100 }, (_, i) => request(i))), 1);
  const all = await Promise.all(Array.from({ length: requests }, (_, i) => request(i + 100)));
  const { p50_ms, p99_ms, failures, failure } = await load(port, all, 1);
  if (failures > 0) throw new Error(`${failures} estimates failed, one with ${failure}`);
  return { p50_ms, p99_ms };
}

/** The same users as in the store: the server has the directory now, so they are read beside it. */
async function knownOf(directory: string): Promise<string[]> {
  const { default: Database } = await import('libsql');
  const db = new Database(path.join(directory, 'platform.db'), { readonly: true });
  const rows: unknown = db.prepare('SELECT id FROM users ORDER BY followers_count DESC LIMIT 100').raw(true).all();
  db.close();
  if (!Array.isArray(rows)) throw new TypeError('a statement gives rows');
  return rows.map((row: unknown) => String(Array.isArray(row) ? row[0] : row));
}
