/**
 * `npm run soak -- --minutes 10 --posts 1000000 --connections 50`: lookups and writes over a seeded platform for minutes on
 * end. Prints what each minute was like, what memory did, and a verdict; the exit code is 1 when memory grew, when p99 is more
 * than 3 times p50, or when a response was wrong. `soak-verdict.ts` says when memory has grown.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readOptions } from '../../tooling/scripts/options.mjs';
import { idsOf, indexed } from './posts.ts';
import { seedPosts } from './prepared.ts';
import { type Asker, connect, lookupRequests, portOf, press, type Stretch, Writer } from './soak-load.ts';
import { type Memory, SoakServer, starvedMs } from './soak-server.ts';
import { allowances, faultsOf, growthOf, median, quantile } from './soak-verdict.ts';

const options = readOptions({
  options: {
    json: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '10' },
    posts: { type: 'string', default: '1000000' },
    connections: { type: 'string', default: '50' },
    /** The least number of windows; a trend cannot be told from fewer than 10. */
    windows: { type: 'string', default: '20' },
    server: { type: 'string', default: 'apps/server/dist/main.js' },
  },
});
const minutes = Number(options.minutes);
const connections = Number(options.connections);
const posts = Number(options.posts);
const users = Math.ceil(posts / 10);

const MB = 2 ** 20;
/** The load rests after each window, for memory to be read when nothing is under way. */
const WINDOWS = Math.max(Number(options.windows), Math.round(minutes * 2));
const WINDOW_MS = (minutes * 60_000) / WINDOWS;
const SAMPLES = 6;

interface Window extends Stretch {
  /** From the first request to the last response, in milliseconds. */
  readonly took: number;
  /** Under load, in order. */
  readonly samples: readonly Memory[];
  /** At rest, after a collection. */
  readonly rest: Memory;
  /** For how much of the time the server and this process, taken together, had no processor to run on. */
  readonly starved: number;
}

async function sampleUntil(server: SoakServer, until: number): Promise<Memory[]> {
  const samples: Memory[] = [];
  for (let i = 0; i < SAMPLES; i++) {
    await sleep(Math.max(0, (until - performance.now()) / (SAMPLES - i)));
    samples.push(await server.memory());
  }
  return samples;
}

async function soak(server: SoakServer, ids: readonly string[]): Promise<Window[]> {
  const held = server.credentials;
  const next = lookupRequests(held, ids);
  const writer = new Writer(held, server.operatorToken, ids);
  await indexed(held);
  const askers: Asker[] = await connect(portOf(held), connections);
  const windows: Window[] = [];
  for (let i = 0; i < WINDOWS; i++) {
    const began = performance.now();
    const until = began + WINDOW_MS;
    const before = starvedMs(server.pid) + starvedMs('self');
    const [{ latencies, failures }, written, samples] = await Promise.all([
      press(askers, next, until),
      writer.until(until),
      sampleUntil(server, until),
    ]);
    const took = performance.now() - began;
    const starved = (starvedMs(server.pid) + starvedMs('self') - before) / took;
    const rest = await server.memoryAfterCollection();
    const { writes } = written;
    windows.push({ latencies, writes, failures: [...failures, ...written.failures], samples, rest, starved, took });
    progress(i, latencies, rest);
  }
  for (const asker of askers) asker.close();
  return windows;
}

function progress(window: number, latencies: readonly number[], { heap, rss }: Memory): void {
  if (options.json) return;
  const line = `${window + 1} of ${WINDOWS} windows: p50 ${median(latencies).toFixed(0)} ms, heap ${mb(heap)}, RSS ${mb(rss)} MB`;
  process.stderr.write(process.stderr.isTTY ? `\r${line} ` : `${line}\n`);
}

function mb(bytes: number): string {
  return (bytes / MB).toFixed(1);
}

/** One line of the table: a minute, or all of it. */
function figuresOf(windows: readonly Window[]) {
  const latencies = windows.flatMap((window) => window.latencies);
  const failures = windows.flatMap((window) => window.failures);
  return {
    requests: latencies.length,
    per_second: (latencies.length * 1000) / windows.reduce((sum, { took }) => sum + took, 0),
    p50_ms: quantile(latencies, 0.5),
    p99_ms: quantile(latencies, 0.99),
    max_ms: quantile(latencies, 1),
    writes: windows.reduce((sum, { writes }) => sum + writes, 0),
    failures: failures.length,
    failure: failures[0],
    starved: windows.reduce((sum, { starved }) => sum + starved, 0) / windows.length,
    heap_mb: median(windows.map(({ rest }) => rest.heap)) / MB,
    rss_mb: median(windows.flatMap(({ samples }) => samples.map(({ rss }) => rss))) / MB,
  };
}

type Figures = ReturnType<typeof figuresOf>;

function reportOf(windows: readonly Window[], seed_seconds: number) {
  const perMinute = Math.max(1, Math.round(60_000 / WINDOW_MS));
  const rows: Figures[] = [];
  for (let from = 0; from < windows.length; from += perMinute)
    rows.push(figuresOf(windows.slice(from, from + perMinute)));
  const all = figuresOf(windows);
  const seconds = (index: number) => ((index + 1) * WINDOW_MS) / 1000;
  const heap = growthOf(
    windows.map(({ rest }, index) => ({ seconds: seconds(index), value: rest.heap })),
    allowances.heap,
  );
  // The least of each window: how much garbage waits when a sample is taken is chance.
  const rss = growthOf(
    windows.map(({ samples }, index) => ({
      seconds: seconds(index),
      value: Math.min(...samples.map((one) => one.rss)),
    })),
    allowances.rss,
  );
  const faults = faultsOf({ heap, rss, ...all });
  return {
    posts,
    users,
    connections,
    minutes,
    seed_seconds,
    seeded_per_second: posts / seed_seconds,
    rows,
    all,
    heap,
    rss,
    faults,
  };
}

function print(report: ReturnType<typeof reportOf>): void {
  const { rows, all, heap, rss, faults } = report;
  const line = (cells: readonly string[]) =>
    process.stdout.write(`${cells.map((cell) => cell.padStart(10)).join('')}\n`);
  process.stdout.write(
    `\n${posts} posts and ${users} users seeded in ${report.seed_seconds.toFixed(1)} s: ${report.seeded_per_second.toFixed(0)} posts a second\n`,
  );
  process.stdout.write(`GET /2/posts with 100 ids, all fields and expansions, ${connections} connections\n\n`);
  line([
    'minute',
    'reads',
    'reads/s',
    'p50 ms',
    'p99 ms',
    'max ms',
    'writes',
    'errors',
    'starved %',
    'heap MB',
    'RSS MB',
  ]);
  for (const [name, row] of [...rows.map((row, i): [string, Figures] => [`${i + 1}`, row]), ['all', all] as const]) {
    const times = [row.per_second, row.p50_ms, row.p99_ms, row.max_ms].map((figure) => figure.toFixed(1));
    line([
      name,
      `${row.requests}`,
      ...times,
      `${row.writes}`,
      `${row.failures}`,
      (row.starved * 100).toFixed(0),
      row.heap_mb.toFixed(1),
      row.rss_mb.toFixed(1),
    ]);
  }
  process.stdout.write('\n');
  line(['MB', 'first 1/3', 'last 1/3', 'growth', 'allowed', 'trend']);
  for (const [name, { first, last, growth, allowed, rising }] of Object.entries({ heap, rss })) {
    line([name, mb(first), mb(last), mb(growth), mb(allowed), rising ? 'rising' : 'none']);
  }
  process.stdout.write(
    'starved: how much of the time server and generator, taken together, had no processor to run on; latencies hold it\n',
  );
  process.stdout.write(
    'heap: after a collection at rest, buffers included; rss: least of each window under load; growth: robust slope after the first fifth\n\n',
  );
  process.stdout.write(
    faults.length === 0
      ? `soak passed: memory does not grow, p99 is ${(all.p99_ms / all.p50_ms).toFixed(2)} times p50, ${all.requests} reads and ${all.writes} writes without an error\n`
      : `soak failed: ${faults.join('; ')}\n`,
  );
}

const directory = mkdtempSync(path.join(tmpdir(), 'broadside-soak-'));
let server: SoakServer | undefined;

function clear(): void {
  server?.kill();
  rmSync(directory, { recursive: true, force: true });
}

// A run takes minutes; allow it to be cancelled.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    clear();
    process.exit(1);
  });
}
try {
  const seedSeconds = seedPosts(directory, { posts, users });
  const ids = idsOf(directory);
  server = await SoakServer.start(options.server, directory);
  const report = reportOf(await soak(server, ids), seedSeconds);
  if (options.json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  else print(report);
  if (report.faults.length > 0) process.exitCode = 1;
} finally {
  clear();
}
