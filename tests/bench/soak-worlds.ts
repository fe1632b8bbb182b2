/**
 * `npm run soak:worlds -- --worlds 10000 --callers 4`: short-lived worlds on one server. Each is made, used by a few calls, and deleted or
 * left to end by its time to live. After each twentieth of them, or `--readings` times, when none is left, it reads memory after a collection, descriptors, threads,
 * files in the data directory and rows of the default world; the exit code is 1 when one of these grew or an answer was wrong.
 * `soak-verdict.ts` says what has grown.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readOptions } from '../../tooling/scripts/options.mjs';
import { Control, type MadeWorld } from './control.ts';
import { bodyOf, once } from './load.ts';
import { rowsOf, sizesOf } from './sized-directory.ts';
import { SoakServer } from './soak-server.ts';
import { allowances, type Growth, growthOf, LEAST_READINGS, median, quantile } from './soak-verdict.ts';
import { type Request, wire } from './wire.ts';

const options = readOptions({
  options: {
    json: { type: 'boolean', default: false },
    worlds: { type: 'string', default: '10000' },
    callers: { type: 'string', default: '4' },
    /** Readings in all. */
    readings: { type: 'string', default: '20' },
    server: { type: 'string', default: 'apps/server/dist/main.js' },
  },
});
const count = Number(options.readings);
const worlds = Number(options.worlds);
const callers = Number(options.callers);
// Before a run that takes an hour, and not after it.
if (!(Number.isInteger(count) && count >= LEAST_READINGS)) {
  process.stderr.write(
    `--readings ${options.readings}: give ${LEAST_READINGS} or more, from which a trend can be told\n`,
  );
  process.exit(2);
}

/** One world in this number is not deleted, but has a time to live. */
const LEFT = 4;
const TTL_SECONDS = 2;
/** A server looks for worlds whose time is over every few seconds; on a busy machine it takes longer. */
const GONE_MS = 300_000;

/** What is read when no short-lived world is left. Memory and files in bytes. */
interface Reading {
  readonly heap: number;
  readonly rss: number;
  readonly descriptors: number;
  readonly threads: number;
  readonly files: number;
  readonly disk: number;
  readonly rows: number;
}

/** Growth that is allowed in each; 5 % where that is more. */
const leastAllowed: Readonly<Record<keyof Reading, number>> = {
  ...allowances,
  descriptors: 8,
  threads: 2,
  files: 8,
  disk: 2 * 2 ** 20,
  rows: 8,
};

interface Window {
  readonly seconds: number;
  /** From the request for a world until it was deleted, in milliseconds; of those that were. */
  readonly lives: readonly number[];
  readonly failures: readonly string[];
  readonly reading: Reading;
}

const held = ({ credentials }: MadeWorld) => ({ ...credentials, ads_base_url: credentials.ads_sandbox_base_url });

async function send(world: MadeWorld, request: Request): Promise<{ readonly id: string }[]> {
  const port = Number(new URL(held(world).ads_base_url).port);
  const answer = await once(port, await wire(held(world), request));
  if (!answer.startsWith('HTTP/1.1 200')) throw new Error(answer.slice(0, 600));
  const { data }: { data: { readonly id: string } | { readonly id: string }[] } = JSON.parse(bodyOf(answer));
  return [data].flat();
}

/** Reads and writes a world a little, and lets its time pass. */
async function useOf(control: Control, world: MadeWorld): Promise<void> {
  const account = `/12/accounts/${world.credentials.sandbox_account_id}`;
  const [funding] = await send(world, { method: 'GET', target: `${account}/funding_instruments` });
  const form = {
    funding_instrument_id: funding?.id ?? '',
    name: 'Short-lived',
    daily_budget_amount_local_micro: '5000000',
  };
  const [campaign] = await send(world, { method: 'POST', target: `${account}/campaigns`, form });
  await send(world, { method: 'GET', target: `${account}/campaigns/${campaign?.id}` });
  await control.call('POST', `/worlds/${world.id}/clock/advance`, { by: 'P1D' });
}

/** The life of one world. @returns how long it took; `undefined` where it ends by its time to live */
async function live(control: Control, source: string, serial: number): Promise<number | undefined> {
  const began = performance.now();
  const isLeft = serial % LEFT === LEFT - 1;
  const world = await control.fork(source, isLeft ? { ttl_seconds: TTL_SECONDS } : {});
  try {
    await useOf(control, world);
  } catch (error) {
    // It may end while it is used.
    if (!isLeft || performance.now() - began < TTL_SECONDS * 1000) throw error;
  }
  if (isLeft) return undefined;
  await control.delete(world.id);
  return performance.now() - began;
}

async function readingOf(server: SoakServer, directory: string): Promise<Reading> {
  const { heap, rss } = await server.memoryAfterCollection();
  const { files, bytes: disk } = sizesOf(directory);
  const count = (what: string) => readdirSync(`/proc/${server.pid}/${what}`).length;
  return { heap, rss, files, disk, descriptors: count('fd'), threads: count('task'), rows: rowsOf(directory) };
}

/** Worlds that the server has, or that have left something on disk. */
async function remaining(control: Control, directory: string): Promise<number> {
  const listed = await control.call<unknown[]>('GET', '/worlds');
  // The default world has no such directory.
  const places = ['worlds', 'snapshots'].map((name) => readdirSync(path.join(directory, name)).length + 1);
  return Math.max(listed.length, ...places);
}

/** Waits until the server has deleted what has come to its end. */
async function gone(control: Control, directory: string, least: number): Promise<void> {
  const until = performance.now() + GONE_MS;
  while ((await remaining(control, directory)) > least) {
    if (performance.now() > until) throw new Error('worlds outlive their time to live');
    await sleep(200);
  }
}

async function soak(server: SoakServer, directory: string): Promise<Window[]> {
  const control = new Control(directory);
  const { id: source } = await control.create({ from: { demo: true } });
  const present = await remaining(control, directory);
  const windows: Window[] = [];
  const began = performance.now();
  let serial = 0;
  for (let window = 1; window <= count; window++) {
    const end = Math.round((worlds * window) / count);
    const lives: number[] = [];
    const failures: string[] = [];
    await Promise.all(
      Array.from({ length: callers }, async () => {
        while (serial < end) {
          try {
            lives.push(...[(await live(control, source, serial++)) ?? []].flat());
          } catch (error) {
            failures.push(String(error));
          }
        }
      }),
    );
    await gone(control, directory, present);
    const reading = await readingOf(server, directory);
    windows.push({ seconds: (performance.now() - began) / 1000, lives, failures, reading });
    progress(end, reading, lives);
  }
  return windows;
}

const mb = (bytes: number) => (bytes / 2 ** 20).toFixed(1);

function progress(made: number, { heap, rss, descriptors, files, rows }: Reading, lives: readonly number[]): void {
  if (options.json) return;
  const line = `${made} of ${worlds} worlds: life p50 ${median(lives).toFixed(0)} ms, heap ${mb(heap)}, RSS ${mb(rss)} MB, ${descriptors} descriptors, ${files} files, ${rows} rows`;
  process.stderr.write(process.stderr.isTTY ? `\r${line} ` : `${line}\n`);
}

function reportOf(windows: readonly Window[]) {
  const lives = windows.flatMap((window) => window.lives);
  const failures = windows.flatMap((window) => window.failures);
  const growth = (name: keyof Reading): Growth =>
    growthOf(
      windows.map(({ seconds, reading }) => ({ seconds, value: reading[name] })),
      leastAllowed[name],
    );
  const growths: Readonly<Record<keyof Reading, Growth>> = {
    heap: growth('heap'),
    rss: growth('rss'),
    descriptors: growth('descriptors'),
    threads: growth('threads'),
    files: growth('files'),
    disk: growth('disk'),
    rows: growth('rows'),
  };
  const faults = [
    ...(failures.length > 0 ? [`${failures.length} worlds failed, one with ${failures[0]}`] : []),
    ...Object.entries(growths).flatMap(([name, { grew, growth: by, allowed }]) =>
      grew ? [`${name} grew by ${by.toFixed(0)}, more than ${allowed.toFixed(0)}`] : [],
    ),
  ];
  const seconds = windows.at(-1)?.seconds ?? 0;
  return {
    worlds,
    callers,
    seconds,
    worlds_per_second: worlds / seconds,
    life_p50_ms: median(lives),
    life_p99_ms: quantile(lives, 0.99),
    readings: windows.map((window) => window.reading),
    growths,
    faults,
  };
}

function print({ growths, faults, ...report }: ReturnType<typeof reportOf>): void {
  const line = (cells: readonly string[]) =>
    process.stdout.write(`${cells.map((cell) => cell.padStart(12)).join('')}\n`);
  process.stdout.write(
    `\n${report.worlds} worlds by ${report.callers} callers in ${report.seconds.toFixed(0)} s: ${report.worlds_per_second.toFixed(1)} a second, life p50 ${report.life_p50_ms.toFixed(0)} ms, p99 ${report.life_p99_ms.toFixed(0)} ms\n\n`,
  );
  line(['', 'first 1/3', 'last 1/3', 'growth', 'allowed', 'trend']);
  for (const [name, { first, last, growth, allowed, rising }] of Object.entries(growths)) {
    const isBytes = name === 'heap' || name === 'rss' || name === 'disk';
    const figure = (value: number) => (isBytes ? mb(value) : value.toFixed(0));
    const unit = isBytes ? `${name} MB` : name;
    line([unit, figure(first), figure(last), figure(growth), figure(allowed), rising ? 'rising' : 'none']);
  }
  process.stdout.write(
    '\nread when no short-lived world is left, memory after a collection; growth: robust slope after the first fifth\n\n',
  );
  process.stdout.write(
    faults.length === 0 ? 'soak passed: nothing grows, no world failed\n' : `soak failed: ${faults.join('; ')}\n`,
  );
}

const directory = mkdtempSync(path.join(tmpdir(), 'broadside-soak-worlds-'));
let server: SoakServer | undefined;

function clear(): void {
  server?.kill();
  rmSync(directory, { recursive: true, force: true });
}

// A run takes long; allow it to be cancelled.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    clear();
    process.exit(1);
  });
}
try {
  server = await SoakServer.start(options.server, directory);
  const report = reportOf(await soak(server, directory));
  if (options.json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  else print(report);
  if (report.faults.length > 0) process.exitCode = 1;
} finally {
  clear();
}
