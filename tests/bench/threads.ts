/**
 * One thread against two, on reads. Generator and servers share the machine, so the thread that has a core with the generator serves less than the
 * other one, whatever it costs. What two cores can serve is taken from the processor time that each thread needs for its own answers: with a
 * core for each, and connections of its own, none waits for another.
 */
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type BenchRow, benchRow, type Side } from './bench-row.ts';
import { bodyOf, load, once } from './load.ts';
import { startedOnce } from './prepared.ts';
import { memoryMb, onAllCores, threadsOf } from './processes.ts';
import { type Effort, FEW_ROUNDS, median, quartiles } from './rounds.ts';
import { inDirectory, type Run } from './run.ts';
import { engineUs, WarmUp } from './warm-up.ts';
import { type Credentials, type Request, wire } from './wire.ts';

/** Requests of a round for each second that it may take, about. */
const REQUESTS_PER_SECOND = 8000;
/** Connections, of which each thread gets about its share. */
const CONNECTIONS = 64;

/** A server, and the request that it is measured with. */
export interface Threaded {
  readonly child: ChildProcess;
  readonly held: Credentials;
  readonly port: number;
  readonly request: Request;
}

/** The times of a round. */
interface Round extends Side {
  readonly engine_us: number;
  /** Answers a second of all threads that serve, as they would be with a core for each. */
  readonly capacity: number;
}

/** Measures one GET with one thread and with two. */
export function measureThreads(run: Run): Promise<readonly BenchRow[]> {
  const cores = onAllCores(run.cores);
  const within = (workers: string, body: (server: Threaded) => Promise<readonly BenchRow[]>) =>
    inDirectory(
      { ...run, cores },
      async (directory, processes) => {
        await startedOnce(directory, run.server);
        const { child } = await processes.startServer(run.server, directory);
        return body(await prepare(child, directory));
      },
      { settings: { BROADSIDE_WORKERS: workers } },
    );
  return within('1', (one) => within('2', (two) => compare(run, one, two)));
}

/** Makes a campaign, and the request that reads it. */
export async function prepare(child: ChildProcess, directory: string): Promise<Threaded> {
  const held: Credentials = JSON.parse(readFileSync(path.join(directory, 'credentials.json'), 'utf8'));
  const port = Number(new URL(held.ads_base_url).port);
  const account = `/12/accounts/${held.account_id}`;
  while (!(await once(port, Buffer.from('GET /ready HTTP/1.1\r\nhost: h\r\n\r\n'))).startsWith('HTTP/1.1 200')) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const send = async (request: Request) => JSON.parse(bodyOf(await once(port, await wire(held, request))));
  const funding = await send({ method: 'GET', target: `${account}/funding_instruments` });
  const form = {
    funding_instrument_id: String(funding.data[0].id),
    name: 'Campaign',
    daily_budget_amount_local_micro: '55000000',
  };
  const made = await send({ method: 'POST', target: `${account}/campaigns`, form });
  return { child, held, port, request: { method: 'GET', target: `${account}/campaigns/${made.data.id}` } };
}

async function compare({ effort }: Run, one: Threaded, two: Threaded): Promise<readonly BenchRow[]> {
  const [singles, doubles] = await interleaved(effort, one, two);
  const ratios = doubles.map(({ capacity }, i) => capacity / (singles[i]?.capacity ?? Number.POSITIVE_INFINITY));
  const [single, double] = [middle(singles), middle(doubles)];
  const throughput = double.requests_per_second / single.requests_per_second;
  return [
    benchRow({
      name: 'two threads: GET one campaign',
      ratio: median(ratios),
      ratio_of: 'answers of two threads with a core each / of one, by their processor time',
      aim: 1.6,
      spread: quartiles(ratios),
      cpu_us: double.cpu_us,
      requests_per_second: double.requests_per_second,
      p50_ms: double.p50_ms,
      p99_ms: double.p99_ms,
      memory_mb: double.memory_mb,
      other: sideOf(single),
      notes: `${throughput.toFixed(2)} times the throughput beside the generator; one thread has ${single.memory_mb.toFixed(0)} MB`,
    }),
  ];
}

/** The rounds of two servers, one after the other, once the code of both is compiled. */
export async function interleaved(
  effort: Effort,
  one: Threaded,
  other: Threaded,
): Promise<readonly [readonly Round[], readonly Round[]]> {
  const rounds = Math.max(1, effort.rounds);
  const countOf = (parts: number) => Math.ceil((effort.seconds / parts) * REQUESTS_PER_SECOND);
  const first = countOf(Math.min(rounds, FEW_ROUNDS));
  for (const server of [one, other]) {
    const warming = new WarmUp(effort.seconds, await round(server, first));
    while (!warming.isDone) warming.add(await round(server, first));
  }
  const [ones, others]: [Round[], Round[]] = [[], []];
  for (let i = 0; i < rounds; i++) {
    ones.push(await round(one, countOf(rounds)));
    others.push(await round(other, countOf(rounds)));
  }
  return [ones, others];
}

/** Sends the request of a server so many times. */
async function round(server: Threaded, count: number): Promise<Round> {
  const requests = await Promise.all(Array.from({ length: count }, () => wire(server.held, server.request)));
  const before = new Map(threadsOf(server.child).map(({ id, us }) => [id, us]));
  const engine = engineUs(server.child);
  const answers = new Map<string, number>();
  const result = await load(server.port, requests, CONNECTIONS, (answer) => {
    const thread = THREAD.exec(answer)?.[1] ?? 'main';
    answers.set(thread, (answers.get(thread) ?? 0) + 1);
  });
  if (result.failures > 0) throw new Error(result.failure);
  const used = threadsOf(server.child).map(({ id, us }) => ({ id, us: us - (before.get(id) ?? 0) }));
  const all = used.reduce((sum, { us }) => sum + us, 0);
  const { per_second: requests_per_second, p50_ms, p99_ms } = result;
  const capacity = capacityOf(server.child, answers, used);
  const memory_mb = memoryMb(server.child, 'now');
  const engine_us = (engineUs(server.child) - engine) / count;
  return { cpu_us: all / count, engine_us, capacity, requests_per_second, p50_ms, p99_ms, memory_mb };
}

/** The thread that has answered, if it is not the main thread, as ids of requests tell. */
const THREAD = /\r\nx-request-id: \w+-(t\d+)-/i;

interface Used {
  readonly id: string;
  readonly us: number;
}

/** @param answers of each thread, one reader at most @param used processor time of all threads of the process, which are more than those that serve */
function capacityOf({ pid }: ChildProcess, answers: ReadonlyMap<string, number>, used: readonly Used[]): number {
  const main = used.find(({ id }) => id === `${pid}`);
  const reader = used.filter((one) => one !== main).toSorted((one, other) => other.us - one.us)[0];
  let capacity = 0;
  for (const [thread, count] of answers) {
    const { us = Number.POSITIVE_INFINITY } = (thread === 'main' ? main : reader) ?? {};
    capacity += (count / us) * 1_000_000;
  }
  return capacity;
}

/** The round in the middle. */
export function middle(rounds: readonly Round[]): Round {
  const by = median(rounds.map(({ cpu_us }) => cpu_us));
  const found = rounds.find(({ cpu_us }) => cpu_us === by);
  if (!found) throw new Error('no rounds');
  return found;
}

/** The report of a round. */
export function sideOf({ cpu_us, requests_per_second, p50_ms, p99_ms, memory_mb }: Round): Side {
  return { cpu_us, requests_per_second, p50_ms, p99_ms, memory_mb };
}
