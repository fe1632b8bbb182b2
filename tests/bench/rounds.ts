/**
 * Measures servers side by side: in each round every server gets the same number of requests, one server after the other, so
 * that a slow spell of the machine hits all of them. What is compared is processor time, which other work on the machine
 * changes least. Rounds are short and many: a machine that is shared stops for a tenth of a second now and then, which hits few of them,
 * and of those the median takes no notice.
 */
import type { ChildProcess } from 'node:child_process';
import { type BenchRow, benchRow, type Side } from './bench-row.ts';
import { type LoadResult, load } from './load.ts';
import { cpuUs, cpuUsSince, memoryMb } from './processes.ts';
import { engineUs, LEAST_SHARE, SETTLED, WarmUp } from './warm-up.ts';

/** A server under load, and the requests that it gets. */
export interface Target {
  readonly child: ChildProcess;
  readonly port: number;
}

/** Duration and load of a run. */
export interface Effort {
  /** The time that each server is under load in all rounds together, about. */
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
}

/** A kind of request. */
export interface Subject {
  readonly name: string;
  /** The least ratio that is good enough. */
  readonly aim?: number;
  /** Requests of the first run, fewer with little effort. More follow until the code is compiled, unless requests use something up. */
  readonly warmup: number;
  /** So many before it is measured at least, where the optimizing compiler begins later than with others; fewer with little effort. */
  readonly least?: number;
  /** At most so many in a round, where what requests use up is limited. */
  readonly most?: number;
  /** Makes requests for a server, each of which is sent once. */
  readonly requests: (count: number, server: keyof Targets) => Promise<readonly Buffer[]> | readonly Buffer[];
}

/** Servers by what they are for. */
export interface Targets {
  readonly ours: Target;
  /** A server that does the same work without anything around it. */
  readonly other?: Target | undefined;
  /** A server that sends the same bytes from memory. */
  readonly floor?: Target | undefined;
}

interface Measured extends LoadResult {
  readonly cpu_us: number;
  /** The part of it that threads of the engine took. */
  readonly engine_us: number;
}

/** The rounds differ by so much: half of them lie within this share of the median. */
const AGREEMENT = 0.1;
/** Rounds are repeated until they agree, up to so many times as many. */
const PATIENCE = 3;
/** A round has at least so many requests; of what takes long, there are fewer rounds for that, */
const LEAST_REQUESTS = 20;
/** but not fewer than these, unless fewer are asked for. */
export const FEW_ROUNDS = 5;

/** The most rounds that an effort can take: they are repeated until they agree. One round is never repeated. */
export function mostRounds({ rounds }: Effort): number {
  return rounds > 1 ? rounds * PATIENCE : 1;
}

/** Measures one kind of request. @throws Error when a request fails */
export async function measureRounds(subject: Subject, targets: Targets, effort: Effort): Promise<BenchRow> {
  const { connections, seconds } = effort;
  const names = (['ours', 'other', 'floor'] as const).filter((name) => targets[name] !== undefined);
  const sides = names.flatMap((name) => (targets[name] ? { name, ...targets[name] } : []));
  let calm = Number.POSITIVE_INFINITY;
  for (const target of sides) {
    const per_second = await warmUp(subject, target, effort);
    if (target.name === 'ours') calm = per_second;
  }
  const rounds = Math.min(effort.rounds, Math.max(FEW_ROUNDS, Math.floor((calm * seconds) / LEAST_REQUESTS)));
  const wanted = Math.max(LEAST_REQUESTS, Math.ceil((calm * seconds) / rounds));
  const count = Math.min(subject.most ?? Number.POSITIVE_INFINITY, wanted);
  const results: Measured[][] = [];
  while (results.length < rounds || (results.length < mostRounds({ ...effort, rounds }) && !agree(ratios(results)))) {
    const round: Measured[] = [];
    for (const target of sides) round.push(await run(subject, target, count, connections));
    results.push(round);
  }
  const [ours, second, third] = sides.map(({ child }, place) =>
    sideOf(
      results.map((round) => round[place]),
      memoryMb(child, 'now'),
    ),
  );
  if (!ours) throw new TypeError('nothing was measured');
  const other = targets.other ? second : undefined;
  const floor = targets.floor ? (targets.other ? third : second) : undefined;
  const all = other ? ratios(results) : [];
  return benchRow({
    name: subject.name,
    ...ours,
    aim: subject.aim ?? null,
    ...(other && {
      other,
      ratio: median(all),
      ratio_of: 'processor time of the other side / ours',
      spread: quartiles(all),
    }),
    floor_cpu_us: floor?.cpu_us ?? null,
  });
}

/** A second of effort has a first run of up to so many requests. */
const FIRST_RUN = 400;

/** The effort with which a subject has all the requests that it asks for before it is measured. */
const FULL_SECONDS = 1.5;

/** Puts a server under load until its code is compiled. @returns the rate of the last run */
async function warmUp(
  subject: Subject,
  target: Target & { readonly name: keyof Targets },
  { seconds, connections }: Effort,
): Promise<number> {
  const first = Math.min(subject.warmup, Math.max(connections, Math.ceil(seconds * FIRST_RUN)));
  const least = (subject.least ?? 0) * Math.min(1, seconds / FULL_SECONDS);
  let last = await run(subject, target, first, connections);
  const warming = new WarmUp(seconds, last);
  for (let sent = first; subject.most === undefined && (sent < least || !warming.isDone); ) {
    const count = Math.max(first, Math.ceil((last.per_second * seconds * LEAST_SHARE) / SETTLED));
    last = await run(subject, target, count, connections);
    warming.add(last);
    sent += count;
  }
  return last.per_second;
}

async function run(
  subject: Subject,
  target: Target & { readonly name: keyof Targets },
  count: number,
  connections: number,
): Promise<Measured> {
  const requests = await subject.requests(count, target.name);
  const before = cpuUs(target.child);
  const engine = engineUs(target.child);
  const result = await load(target.port, requests, connections);
  const cpu_us = (await cpuUsSince(target.child, before)) / requests.length;
  const engine_us = (engineUs(target.child) - engine) / requests.length;
  if (result.failures > 0) {
    throw new Error(`${subject.name}: ${result.failures} requests failed, one with ${result.failure}`);
  }
  return { ...result, cpu_us, engine_us };
}

/** The processor time of the second side divided by that of the first, of each round. */
function ratios(rounds: readonly (readonly Measured[])[]): readonly number[] {
  return rounds.flatMap(([ours, other]) => (ours && other ? other.cpu_us / ours.cpu_us : []));
}

/** Returns whether half of the values lie close to each other. */
function agree(values: readonly number[]): boolean {
  if (values.length === 0) return true;
  const [lower, upper] = quartiles(values);
  return upper - lower <= AGREEMENT * median(values);
}

/** What half of the values lie between. @throws TypeError without values */
export function quartiles(values: readonly number[]): [lower: number, upper: number] {
  const sorted = [...values].sort((a, b) => a - b);
  const [lower, upper] = [0.25, 0.75].map((share) => sorted[Math.round((sorted.length - 1) * share)]);
  if (lower === undefined || upper === undefined) throw new TypeError('quartiles of nothing');
  return [lower, upper];
}

function sideOf(results: readonly (Measured | undefined)[], memory_mb: number): Side {
  const all = results.flatMap((result) => result ?? []);
  return {
    cpu_us: median(all.map(({ cpu_us }) => cpu_us)),
    requests_per_second: median(all.map(({ per_second }) => per_second)),
    p50_ms: median(all.map(({ p50_ms }) => p50_ms)),
    p99_ms: median(all.map(({ p99_ms }) => p99_ms)),
    memory_mb,
  };
}

/** The value in the middle. @throws TypeError when there is none */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.floor(sorted.length / 2)];
  if (value === undefined) throw new TypeError('a median of nothing');
  return value;
}
