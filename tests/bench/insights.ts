/**
 * Keyword insights over a seeded platform: how long searches of very different keywords and windows take, in the store alone
 * and over HTTP, and how much the index takes.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { formatTimestamp, timestampMs } from '@broadside/core';
import { findCountry } from '@broadside/core/data';
import { type Granularity, unitsOf } from '@broadside/core/resources/keyword-insights';
import { World } from '@broadside/server';
import { load, once } from './load.ts';
import { type Percentiles, percentiles } from './percentiles.ts';
import { seededOnce } from './prepared.ts';
import { Processes } from './processes.ts';
import { type Credentials, wire } from './wire.ts';

/** Results of a run. Times in milliseconds. */
export interface InsightsRow {
  readonly posts: number;
  readonly build_ms: number;
  /** Processor time of the build, which other work on the machine does not lengthen. */
  readonly build_cpu_ms: number;
  /** Of the whole index, with people and follows. */
  readonly memory_mb: number;
  readonly store: Percentiles;
  /** Processor time of each search. */
  readonly store_cpu: Percentiles;
  readonly http: Percentiles;
  /** A window of more than a year ago: when it is read, and afterwards. */
  readonly past_ms: readonly [first: number, again: number];
}

/** Number of records seeded, and of searches. */
export interface InsightsOptions {
  readonly users: number;
  readonly posts: number;
  readonly requests: number;
  /** The main file of the built server. */
  readonly server: string;
  /** A directory that was seeded before; it is left as it is but for the demo of a first start. */
  readonly directory?: string | undefined;
}

/** Seeds a platform and measures it. */
export async function measureInsights(options: InsightsOptions): Promise<InsightsRow> {
  const directory = options.directory ?? mkdtempSync(path.join(tmpdir(), 'broadside-insights-'));
  const processes = new Processes();
  try {
    if (options.directory === undefined) seededOnce(directory, options);
    const { last_ms, ...row } = await measureStore(options, directory);
    return { ...row, http: await measureHttp(options, directory, last_ms, processes) };
  } finally {
    processes.kill();
    if (options.directory === undefined) rmSync(directory, { recursive: true, force: true });
  }
}

const WARM_UP = 60;
const DAY_MS = 86_400_000;

const WORDS =
  'coffee|espresso|astronomy|nebula|football|penalty|café|fútbol|astronomía|Kaffee|кофе|телескоп|قهوة|珈琲|エスプレッソ|望遠鏡|커피|rain garden|the old lighthouse|of the week|about the|the|la|de|market|#RainGarden|library|biblioteca|古い灯台|図書館'.split(
    '|',
  );
/** Some with many people, and some with few. */
const COUNTRIES = 'US GB DE FR ES BR PT JP KR IN EG TR RU IT MX CA AU CH'
  .split(' ')
  .flatMap((code) => findCountry(code) ?? []);

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

interface Search {
  readonly granularity: Granularity;
  readonly keywords: readonly string[];
  readonly negative_keywords: readonly string[];
  readonly start_time: string;
  readonly end_time: string;
  readonly location?: string;
}

/** A search: one to ten keywords, some of them very common, a window of up to a week within the last 300 days, half in a country. */
export function searchOf(i: number, last_ms: number): Search {
  const word = (n: number) => at(WORDS, scatter(i, n));
  const count = i % 5 === 4 ? 8 : 1 + (i % 3);
  const keywords = [...new Set(Array.from({ length: count }, (_, n) => word(n)))];
  const negative = i % 4 === 0 ? [word(100)].filter((one) => !keywords.includes(one)) : [];
  const days = at([1, 3, 7, 7], i);
  const end_ms = last_ms - (scatter(i, 200) % 300) * DAY_MS;
  return {
    granularity: i % 2 === 0 ? 'DAY' : 'HOUR',
    keywords,
    negative_keywords: negative,
    start_time: formatTimestamp(end_ms - days * DAY_MS),
    end_time: formatTimestamp(end_ms),
    ...(i % 2 === 0 ? { location: at(COUNTRIES, scatter(i, 300)).targeting_value } : {}),
  };
}

function queryOf({ granularity, start_time, end_time, location, ...search }: Search) {
  return {
    ...search,
    from_ms: timestampMs(start_time),
    to_ms: timestampMs(end_time),
    units: unitsOf(granularity, start_time, end_time),
    location,
  };
}

function cpuSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

async function measureStore(
  { posts, requests }: InsightsOptions,
  directory: string,
): Promise<Omit<InsightsRow, 'http'> & { readonly last_ms: number }> {
  const world = await World.open({ dataDirectory: directory });
  try {
    const [[last] = []] = await world.seeds.reader.query('SELECT max("id") >> 22 FROM "posts"');
    const last_ms = Number(last) + Date.UTC(2015, 0, 1);
    const before = process.memoryUsage().rss;
    const began = performance.now();
    const cpu = process.cpuUsage();
    await world.audience.prepare();
    const build_ms = performance.now() - began;
    const build_cpu_ms = cpuSince(cpu);
    const memory_mb = (process.memoryUsage().rss - before) / 1e6;
    const times: number[] = [];
    const cpuTimes: number[] = [];
    for (let i = -WARM_UP; i < requests; i++) {
      const query = queryOf(searchOf(i + WARM_UP, last_ms));
      const start = performance.now();
      const cpuStart = process.cpuUsage();
      await world.insights.search(query);
      if (i < 0) continue;
      cpuTimes.push(cpuSince(cpuStart));
      times.push(performance.now() - start);
    }
    const past = queryOf(searchOf(3, last_ms - 400 * DAY_MS));
    const timed = async () => {
      const start = performance.now();
      await world.insights.search(past);
      return performance.now() - start;
    };
    const past_ms = [await timed(), await timed()] as const;
    return {
      posts,
      build_ms,
      build_cpu_ms,
      memory_mb,
      store: percentiles(times),
      store_cpu: percentiles(cpuTimes),
      past_ms,
      last_ms,
    };
  } finally {
    await world.close();
  }
}

async function measureHttp(
  { requests, server }: InsightsOptions,
  directory: string,
  last_ms: number,
  processes: Processes,
): Promise<Percentiles> {
  await processes.startServer(server, directory);
  const held: Credentials = JSON.parse(readFileSync(path.join(directory, 'credentials.json'), 'utf8'));
  const port = Number(new URL(held.ads_base_url).port);
  const request = (i: number) => wire(held, { method: 'GET', target: targetOf(searchOf(i, last_ms)) });
  // The first search waits for the index.
  await once(port, await request(0));
  await load(port, await Promise.all(Array.from({ length: WARM_UP }, (_, i) => request(i))), 1);
  const all = await Promise.all(Array.from({ length: requests }, (_, i) => request(i + WARM_UP)));
  const { p50_ms, p99_ms, failures, failure } = await load(port, all, 1);
  if (failures > 0) throw new Error(`${failures} searches failed, one with ${failure}`);
  return { p50_ms, p99_ms };
}

function targetOf({ keywords, negative_keywords, ...search }: Search): string {
  const query = Object.entries({
    ...search,
    keywords: keywords.join(),
    ...(negative_keywords.length > 0 ? { negative_keywords: negative_keywords.join() } : {}),
  });
  return `/12/insights/keywords/search?${query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
}
