/**
 * `npm run bench`: the built server against a bare one, on the same rows, the same machine and in the same run. Prints a
 * table for people and, with `--json`, one JSON document. Only the ratios of one run say anything: machines differ.
 */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type AdvertiserPostsRow, measureAdvertiserPosts } from './advertiser-posts.ts';
import { type AudienceRow, measureAudience } from './audience.ts';
import { type FamilyRow, measureFamilies } from './families.ts';
import { type InsightsRow, measureInsights } from './insights.ts';
import { intakeReport, measureIntake } from './intake.ts';
import { type LibraryRow, measureLibrary } from './library.ts';
import { bodyOf, type LoadResult, load, once } from './load.ts';
import { type MembersRow, measureMembers } from './members.ts';
import { measurePages, type PageRow } from './pages.ts';
import type { Percentiles } from './percentiles.ts';
import { measurePosts, type PostsRow } from './posts.ts';
import { memoryMb, Processes, stop } from './processes.ts';
import { measureVerification, type VerificationRow } from './verification.ts';
import { type Credentials, type Request, wire } from './wire.ts';

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    /** Seconds that each row runs, about. */
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '32' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
    /** Number of posts that the bench of data retrieval seeds; 1000000 in a long run. */
    posts: { type: 'string', default: '50000' },
    /** Number of posts of one author that the bench of advertisers' posts lists; 1000000 in a long run. */
    timeline: { type: 'string', default: '50000' },
    /** Number of people, and of posts, that the bench of audience estimates seeds; 1000000 in a long run. */
    users: { type: 'string', default: '20000' },
    /** Number of records in the media library that the bench searches. */
    media: { type: 'string', default: '100000' },
    /** Number of records in the store of members before `--only intake` measures it; 100000000 in a long run. */
    records: { type: 'string', default: '1000000' },
    /** A directory that holds them already. */
    seeded: { type: 'string' },
    server: { type: 'string', default: 'apps/server/dist/main.js' },
  },
});
const seconds = Number(options.seconds);
const connections = Number(options.connections);
const rounds = Number(options.rounds);

const directory = mkdtempSync(path.join(tmpdir(), 'broadside-bench-'));
const processes = new Processes();

/** Starts the server and waits for its greeting. @returns milliseconds to the first response */
async function startServer(): Promise<{ child: ChildProcess; ms: number }> {
  const began = performance.now();
  const { child, greeting } = await processes.startServer(options.server, directory);
  const url = /advertising {3,}(http\S+)/.exec(greeting)?.[1] ?? '';
  await (await fetch(`${url}/health`)).text();
  return { child, ms: performance.now() - began };
}

const credentials = (): Credentials => JSON.parse(readFileSync(path.join(directory, 'credentials.json'), 'utf8'));

interface Scenario {
  readonly name: string;
  readonly aim: number;
  readonly request: (i: number) => Request;
  /** Requests of the first, calibrating run. */
  readonly warmup: number;
}

interface Row {
  readonly name: string;
  readonly aim: number;
  readonly ours: LoadResult;
  readonly bare: LoadResult;
  readonly ratio: number;
}

async function measure(scenario: Scenario, held: Credentials, ports: { ours: number; bare: number }): Promise<Row> {
  let serial = 0;
  const requests = (count: number) =>
    Promise.all(Array.from({ length: count }, () => wire(held, scenario.request(serial++))));
  // A first run warms both up and shows how many requests fill the time.
  const ours = await load(ports.ours, await requests(scenario.warmup), connections);
  const bare = await load(ports.bare, await requests(scenario.warmup), connections);
  const results: { ours: LoadResult; bare: LoadResult }[] = [];
  for (let round = 0; round < rounds; round++) {
    // In turn, so that a slow spell of the machine hits both.
    const share = seconds / rounds;
    results.push({
      ours: await load(ports.ours, await requests(Math.ceil(ours.per_second * share)), connections),
      bare: await load(ports.bare, await requests(Math.ceil(bare.per_second * share)), connections),
    });
  }
  for (const result of results.flatMap(({ ours: a, bare: b }) => [a, b])) {
    if (result.failures > 0)
      throw new Error(`${scenario.name}: ${result.failures} requests failed, one with ${result.failure}`);
  }
  results.sort((a, b) => a.ours.per_second / a.bare.per_second - b.ours.per_second / b.bare.per_second);
  const median = results[Math.floor(results.length / 2)];
  if (!median) throw new Error('a bench needs a round');
  return { name: scenario.name, aim: scenario.aim, ...median, ratio: median.ours.per_second / median.bare.per_second };
}

function parse(answer: string): { data: { id: string } & { id: string }[] } {
  if (!answer.startsWith('HTTP/1.1 200')) throw new Error(answer);
  return JSON.parse(bodyOf(answer));
}

async function main(): Promise<void> {
  // Runs by itself: it fills a disk, and takes a core for the server alone.
  if (options.only === 'intake') {
    const row = await measureIntake({ records: Number(options.records), seconds, server: options.server });
    process.stdout.write(options.json ? `${JSON.stringify(row, null, 2)}\n` : intakeReport(row));
    return;
  }
  await stop((await startServer()).child);
  // The first start made the demo; cold starts are those of a server that has data.
  const cold: number[] = [];
  for (let i = 0; i < 5; i++) {
    const { child, ms } = await startServer();
    cold.push(ms);
    await stop(child);
  }
  cold.sort((a, b) => a - b);

  const { child } = await startServer();
  const held = credentials();
  const ours = Number(new URL(held.ads_base_url).port);
  const account = `/12/accounts/${held.account_id}`;
  const send = async (request: Request) => once(ours, await wire(held, request));
  const funding = parse(await send({ method: 'GET', target: `${account}/funding_instruments` })).data[0]?.id ?? '';
  const fields = (i: number) => ({
    funding_instrument_id: funding,
    name: `Campaign ${i}`,
    daily_budget_amount_local_micro: '55000000',
  });
  for (let i = 0; i < 200; i++) await send({ method: 'POST', target: `${account}/campaigns`, form: fields(i) });
  const campaign = parse(await send({ method: 'GET', target: `${account}/campaigns?count=1` })).data[0]?.id ?? '';
  const file = path.join(directory, 'ads-production.db');
  const bare = await processes.startBare('bare-server.ts', [file, held.account_id, campaign]);
  const ports = { ours, bare: bare.port };

  const getOne: Request = { method: 'GET', target: `${account}/campaigns/${campaign}` };
  const getMany: Request = { method: 'GET', target: `${account}/campaigns?count=200` };
  for (const request of [getOne, getMany]) {
    const [a, b] = [bodyOf(await send(request)), bodyOf(await once(bare.port, await wire(held, request)))];
    if (a !== b) throw new Error(`the servers answer differently:\n${a.slice(0, 900)}\n${b.slice(0, 900)}`);
  }
  const batch = (i: number) =>
    JSON.stringify(
      Array.from({ length: 40 }, (_, k) => ({
        operation_type: 'Create',
        params: { ...fields(i * 40 + k), daily_budget_amount_local_micro: 55_000_000, entity_status: 'DRAFT' },
      })),
    );
  const all: Scenario[] = [
    { name: 'GET one campaign', aim: 0.5, warmup: 4000, request: () => getOne },
    { name: 'GET 200 campaigns', aim: 0.5, warmup: 600, request: () => getMany },
    {
      name: 'POST a campaign',
      aim: 0.4,
      warmup: 1000,
      // Drafts do not count towards the limit of active campaigns, which a bench would run into.
      request: (i) => ({
        method: 'POST',
        target: `${account}/campaigns`,
        form: { ...fields(i), entity_status: 'DRAFT' },
      }),
    },
    {
      name: 'batch of 40',
      aim: 0.4,
      warmup: 60,
      request: (i) => ({ method: 'POST', target: `/12/batch/accounts/${held.account_id}/campaigns`, json: batch(i) }),
    },
  ];
  const scenarios = all.filter(({ name }) => options.only === undefined || name.includes(options.only));
  const rows: Row[] = [];
  for (const scenario of scenarios) rows.push(await measure(scenario, held, ports));
  const wanted = options.only === undefined || 'verification'.includes(options.only);
  const verification = wanted
    ? await measureVerification({ seconds, rounds, connections, server: options.server })
    : [];
  const looksUp = options.only === undefined || 'lookup of posts'.includes(options.only);
  const count = Number(options.posts);
  const lookup = looksUp
    ? await measurePosts({
        posts: count,
        users: Math.ceil(count / 10),
        seconds,
        rounds,
        connections: 50,
        server: options.server,
      })
    : undefined;
  const estimates = options.only === undefined || 'audience estimates'.includes(options.only);
  const audience = estimates
    ? await measureAudience({
        users: Number(options.users),
        posts: Number(options.users),
        requests: Math.max(100, Math.ceil(seconds * 100)),
        server: options.server,
        directory: options.seeded,
      })
    : undefined;
  const withMembers = options.only === undefined || 'members of audiences'.includes(options.only);
  const members = withMembers
    ? await measureMembers(Number(options.users), Math.max(100, Math.ceil(seconds * 100)))
    : undefined;
  const looksInto = options.only === undefined || 'insights'.includes(options.only);
  const insights = looksInto
    ? await measureInsights({
        users: Math.ceil(count / 10),
        posts: count,
        requests: Math.max(100, Math.ceil(seconds * 100)),
        server: options.server,
        directory: options.seeded,
      })
    : undefined;
  const everyFamily = options.only === undefined || 'resource families'.includes(options.only);
  const families = everyFamily ? await measureFamilies({ seconds, connections, server: options.server }) : [];
  const searches = options.only === undefined || 'media library search'.includes(options.only);
  const library = searches
    ? await measureLibrary({ media: Number(options.media), seconds, connections, server: options.server })
    : [];
  const advertises = options.only === undefined || 'list posts, create post'.includes(options.only);
  const timeline = advertises
    ? await measureAdvertiserPosts({ posts: Number(options.timeline), seconds, connections, server: options.server })
    : [];
  const showsPages = options.only === undefined || 'preview page'.includes(options.only);
  const pages = showsPages ? await measurePages({ seconds, connections, server: options.server }) : [];
  const memory = { ours: memoryMb(child, 'peak'), bare: memoryMb(bare.child, 'peak') };
  await stop(child);
  bare.child.kill();
  report(rows, verification, families, library, timeline, pages, lookup, audience, members, insights, memory, cold);
}

function report(
  rows: readonly Row[],
  verification: readonly VerificationRow[],
  families: readonly FamilyRow[],
  library: readonly LibraryRow[],
  timeline: readonly AdvertiserPostsRow[],
  pages: readonly PageRow[],
  lookup: PostsRow | undefined,
  audience: AudienceRow | undefined,
  members: MembersRow | undefined,
  insights: InsightsRow | undefined,
  memory: { ours: number; bare: number },
  cold: readonly number[],
): void {
  const coldMs = cold[Math.floor(cold.length / 2)] ?? 0;
  const single = rows.find((row) => row.name === 'POST a campaign');
  const many = rows.find((row) => row.name === 'batch of 40');
  const cheaper = single && many ? (many.ours.per_second * 40) / single.ours.per_second : undefined;
  if (options.json) {
    process.stdout.write(
      `${JSON.stringify({ connections, rows, verification, families, library, timeline, pages, lookup, audience, members, insights, memory_mb: memory, cold_start_ms: cold, batch_item_advantage: cheaper }, null, 2)}\n`,
    );
    return;
  }
  const line = (cells: readonly string[]) =>
    `${cells.map((cell, i) => (i === 0 ? cell.padEnd(20) : cell.padStart(12))).join('')}\n`;
  process.stdout.write(
    `${connections} connections, median of ${rounds} rounds of about ${(seconds / rounds).toFixed(1)} s each\n\n`,
  );
  process.stdout.write(line(['', 'req/s', 'p50 ms', 'p99 ms', 'bare req/s', 'bare p50', 'bare p99', 'ratio', 'aim']));
  for (const { name, ours, bare, ratio, aim } of rows) {
    const figures = (result: LoadResult) => [
      result.per_second.toFixed(0),
      result.p50_ms.toFixed(2),
      result.p99_ms.toFixed(2),
    ];
    process.stdout.write(line([name, ...figures(ours), ...figures(bare), ratio.toFixed(2), aim.toFixed(1)]));
  }
  for (const { name, verified, trusted, cpu_us, cost } of verification) {
    process.stdout.write(
      `\n${name}: verified ${verified.per_second.toFixed(0)} req/s (${cpu_us.verified.toFixed(0)} us of processor), taken on trust ${trusted.per_second.toFixed(0)} (${cpu_us.trusted.toFixed(0)} us); verification costs ${(cost * 100).toFixed(0)} % (aim: at most 25 %)`,
    );
  }
  if (families.length > 0) {
    process.stdout.write(
      '\n\nresource families of the sandbox, one run each after a warm-up; lookups have no bare counterpart\n',
    );
    for (const { name, ours, bare, ratio } of families) {
      const figures = (result: LoadResult) =>
        [result.per_second.toFixed(0), result.p50_ms.toFixed(2), result.p99_ms.toFixed(2)] as const;
      const beside = bare && ratio !== undefined ? [...figures(bare), ratio.toFixed(2)] : [];
      process.stdout.write(
        `${name.padEnd(36)}${[...figures(ours), ...beside].map((cell) => cell.padStart(12)).join('')}\n`,
      );
    }
  }
  for (const { name, ours } of [...library, ...timeline, ...pages]) {
    process.stdout.write(
      `\n${name}: ${ours.per_second.toFixed(0)} req/s (p50 ${ours.p50_ms.toFixed(1)}, p99 ${ours.p99_ms.toFixed(1)} ms)`,
    );
  }
  if (lookup) {
    const { posts, ours, bare, ratio, seeded_per_second, memory_mb } = lookup;
    process.stdout.write(
      `\n\nGET /2/posts with 100 ids, all fields and expansions, over ${posts} posts, 50 connections: ${ours.per_second.toFixed(0)} req/s (p50 ${ours.p50_ms.toFixed(1)}, p99 ${ours.p99_ms.toFixed(1)} ms), bare ${bare.per_second.toFixed(0)}: ratio ${ratio.toFixed(2)} (aim 0.5); memory ${memory_mb.map((mb) => mb.toFixed(0)).join(' to ')} MB; seeded ${seeded_per_second.toFixed(0)} posts a second`,
    );
  }
  const pair = ({ p50_ms, p99_ms }: Percentiles) => `p50 ${p50_ms.toFixed(1)}, p99 ${p99_ms.toFixed(1)} ms`;
  if (audience) {
    const { users, posts, build_ms, build_cpu_ms, longest_turn_ms, memory_mb, store, store_cpu, http } = audience;
    process.stdout.write(
      `\n\nPOST audience_estimate over ${users} people and ${posts} posts: ${pair(http)}; the count alone ${pair(store)} (processor ${pair(store_cpu)}); aim: p99 below 50 ms. Index: ${(build_ms / 1000).toFixed(1)} s to build (processor ${(build_cpu_ms / 1000).toFixed(1)} s), longest turn ${longest_turn_ms.toFixed(1)} ms, ${memory_mb.toFixed(0)} MB`,
    );
  }
  if (members) {
    const { people, intake_ms, load_ms, longest_turn_ms, memory_mb, estimates, during_intake } = members;
    process.stdout.write(
      `\n\nEstimates with three audiences of ${people} members each: ${pair(estimates)}; while members are uploaded ${pair(during_intake)}; aim: p99 below 50 ms. Upload and matching ${(intake_ms / 1000).toFixed(1)} s, loading all three ${(load_ms / 1000).toFixed(1)} s (longest turn ${longest_turn_ms.toFixed(1)} ms), ${memory_mb.toFixed(0)} MB`,
    );
  }
  if (insights) {
    const { posts, build_ms, build_cpu_ms, memory_mb, store, store_cpu, http, past_ms } = insights;
    const past = past_ms.map((ms) => ms.toFixed(0)).join(' ms, then ');
    process.stdout.write(
      `\n\nGET insights/keywords/search over ${posts} posts: ${pair(http)}; the search alone ${pair(store)} (processor ${pair(store_cpu)}); aim: p99 below 50 ms. A window of last year ${past} ms. Index: ${(build_ms / 1000).toFixed(1)} s to build (processor ${(build_cpu_ms / 1000).toFixed(1)} s), ${memory_mb.toFixed(0)} MB`,
    );
  }
  process.stdout.write(`\n\npeak memory: ${memory.ours.toFixed(0)} MB, bare ${memory.bare.toFixed(0)} MB\n`);
  process.stdout.write(
    `cold start to the first answer: median ${coldMs.toFixed(0)} ms of ${cold.map((ms) => ms.toFixed(0)).join(', ')}\n`,
  );
  if (cheaper !== undefined)
    process.stdout.write(`an item of a batch is ${cheaper.toFixed(1)} times cheaper than a single request\n`);
}

try {
  await main();
} finally {
  processes.kill();
  rmSync(directory, { recursive: true, force: true });
}
