/**
 * Audience estimates over a seeded platform: how long the index takes and how much it holds, and how long estimates of very
 * different criteria take, in the store alone and over HTTP.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { interests, locations } from '@broadside/core/data';
import { type AudienceCriterion, audienceQuery } from '@broadside/core/resources/audience-estimate';
import { World } from '@broadside/server';
import { load, once } from './load.ts';
import { type Percentiles, percentiles } from './percentiles.ts';
import { seededOnce } from './prepared.ts';
import { Processes } from './processes.ts';
import { type Credentials, wire } from './wire.ts';

/** Results of a run. Times in milliseconds. */
export interface AudienceRow {
  readonly users: number;
  readonly posts: number;
  readonly build_ms: number;
  /** Processor time of the build, which other work on the machine does not lengthen. */
  readonly build_cpu_ms: number;
  /**
   * The most that the serving thread computed between two turns of its event loop while the index was built: how long others
   * waited. Other threads collect garbage beside it meanwhile, which delays no request.
   */
  readonly longest_turn_ms: number;
  readonly memory_mb: number;
  readonly store: Percentiles;
  /** Processor time of each count, of all threads. */
  readonly store_cpu: Percentiles;
  readonly http: Percentiles;
}

/** Number of records seeded or found, and of estimates made. */
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
    if (options.directory === undefined) seededOnce(directory, options);
    return { ...(await measureStore(options, directory)), http: await measureHttp(options, directory, processes) };
  } finally {
    processes.kill();
    if (options.directory === undefined) rmSync(directory, { recursive: true, force: true });
  }
}

type Criteria = readonly AudienceCriterion[];

/** So many estimates are not measured: the first of each kind find code that no one has run yet. */
const WARM_UP = 240;

const is = (targeting_type: AudienceCriterion['targeting_type'], targeting_value: string): AudienceCriterion => ({
  targeting_type,
  targeting_value,
  operator_type: 'EQ',
});
const not = (criterion: AudienceCriterion): AudienceCriterion => ({ ...criterion, operator_type: 'NE' });

const SUBJECTS =
  'garden|bakery|train|lighthouse|choir|market|library|bicycle|books|chess|week|people|padaria|semana|jardin|nachtzug|夜行列車|図書館|сад|музыка'.split(
    '|',
  );
/** Words that occur in every fifth to every thirtieth post. */
const COMMON_WORDS = 'the|a|about|la|de|el|i|and|on|it|you|of|more|have|today|plan|time|day'.split('|');
const PHRASES = [
  'the rain garden',
  'of the week',
  'about the',
  'see the',
  'good news about',
  'a long walk',
  'la biblioteca',
  'esta semana',
  'der alte Leuchtturm',
  '古い灯台',
];
const COUNTRIES = locations.rows.filter(({ location_type }) => location_type === 'COUNTRIES');
const CITIES = locations.rows.filter(({ location_type }) => location_type === 'CITIES');

function at<Item>(list: readonly Item[], index: number): Item {
  const item = list[index % list.length];
  if (item === undefined) throw new TypeError('an empty list');
  return item;
}

/** A whole number that looks like chance, and is the same each time. */
function scatter(i: number, n: number): number {
  const mixed = Math.imul(Math.imul(i + 1, 0x9e3779b1) ^ Math.imul(n + 1, 0x85ebca6b), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** Users that estimates name. */
interface KnownUsers {
  /** Those with most followers, most first. */
  readonly popular: readonly string[];
  /** Those whose followers can be asked for: over HTTP the promotable ones of the account. */
  readonly promotable: readonly string[];
}

/**
 * The criteria of an estimate: twelve kinds in turn, from one keyword to a hundred criteria of all kinds, each time with other
 * values. Accounts with many followers are named more often than others, and keywords are of words that are common, too.
 */
export function criteriaOf(i: number, { popular, promotable }: KnownUsers): Criteria {
  const some = <Item>(list: readonly Item[], n: number) => at(list, scatter(i, n));
  const word = (n: number) => is('BROAD_KEYWORD', some(SUBJECTS, n));
  const pair = (n: number) => is('BROAD_KEYWORD', `${some(SUBJECTS, n)} ${some(SUBJECTS, n + 500)}`);
  const commonPair = (n: number) => is('BROAD_KEYWORD', `${some(COMMON_WORDS, n)} ${some(COMMON_WORDS, n + 600)}`);
  const phrase = (n: number) => is('PHRASE_KEYWORD', some(PHRASES, n + 700));
  const interest = (n: number) => is('INTEREST', at(interests.rows, i * 7 + n).targeting_value);
  // A third of all are the ten with most followers.
  const similar = (n: number) =>
    is('SIMILAR_TO_FOLLOWERS_OF_USER', at(popular, Math.floor((scatter(i, n + 800) / 2 ** 32) ** 2 * popular.length)));
  const country = (n: number) => is('LOCATION', at(COUNTRIES, i + n).targeting_value);
  const city = (n: number) => is('LOCATION', at(CITIES, i + n).targeting_value);
  const age = is('AGE', some(['AGE_18_TO_34', 'AGE_25_TO_54', 'AGE_OVER_35', 'AGE_13_TO_24'], 900));
  const gender = is('GENDER', some(['1', '2'], 901));
  const language = is('LANGUAGE', some(['en', 'pt', 'es', 'ja', 'de'], 902));
  const several = (count: number, make: (n: number) => AudienceCriterion) =>
    Array.from({ length: count }, (_, n) => make(n));
  switch (i % 12) {
    case 0:
      return [word(0), is('LOCATION', '96683cc9126741d1')];
    case 1:
      return [phrase(0), not(word(1))];
    case 2:
      return [...several(5, interest), age, gender];
    case 3:
      return [similar(0), language];
    case 4:
      return [pair(0), is('PLATFORM', '1'), not(country(0))];
    case 5:
      return [...several(20, interest), ...several(10, word)];
    case 6:
      return [is('EXACT_KEYWORD', 'count me in'), word(0), age];
    case 7:
      return [not(word(0)), ...several(30, country), language, age, gender];
    case 8:
      return [...several(40, pair), ...several(10, commonPair)];
    case 9:
      return [similar(0), similar(1), interest(0), ...several(20, city)];
    case 10:
      return [is('FOLLOWERS_OF_USER', some(promotable, 0)), ...several(3, commonPair), not(similar(0)), age];
    default:
      return [
        ...several(3, similar),
        ...several(3, phrase),
        ...several(20, pair),
        ...several(20, commonPair),
        ...several(10, interest),
        not(phrase(10)),
        not(commonPair(50)),
        ...several(20, city),
        ...several(15, country),
        ...['en', 'pt', 'es'].map((code) => is('LANGUAGE', code)),
        ...['0', '1', '4'].map((platform) => is('PLATFORM', platform)),
        age,
        gender,
      ];
  }
}

/** Measures the index over a directory that was seeded. */
export async function measureStore(
  { users, posts, requests }: AudienceOptions,
  directory: string,
): Promise<Omit<AudienceRow, 'http'>> {
  const world = await World.open({ dataDirectory: directory });
  try {
    const popular = await mostFollowed(world);
    const known = { popular, promotable: popular };
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
    for (let i = -WARM_UP; i < requests; i++) {
      const query = audienceQuery(criteriaOf(i + WARM_UP, known));
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

async function measureHttp(
  { requests, server }: AudienceOptions,
  directory: string,
  processes: Processes,
): Promise<Percentiles> {
  await processes.startServer(server, directory);
  const held: Credentials & { readonly user_id: string } = JSON.parse(
    readFileSync(path.join(directory, 'credentials.json'), 'utf8'),
  );
  const port = Number(new URL(held.ads_base_url).port);
  const target = `/12/accounts/${held.account_id}/audience_estimate`;
  const known = { popular: await knownOf(directory), promotable: [held.user_id] };
  const request = (i: number) =>
    wire(held, { method: 'POST', target, json: JSON.stringify({ targeting_criteria: criteriaOf(i, known) }) });
  // The first estimate waits for the index.
  await once(port, await request(0));
  await load(port, await Promise.all(Array.from({ length: WARM_UP }, (_, i) => request(i))), 1);
  const all = await Promise.all(Array.from({ length: requests }, (_, i) => request(i + WARM_UP)));
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
