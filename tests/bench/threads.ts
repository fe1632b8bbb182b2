/**
 * One thread against two, on reads. Generator and servers share the machine, so the thread that has a core with the generator serves less than the
 * other one, whatever it costs. What two cores can serve is taken from the processor time that each thread needs for its own answers: with a
 * core for each, and connections of its own, none waits for another. That time rises where cores and their caches are shared with the
 * generator; two processes that share nothing show by how much.
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
  /** Whether it uses the core of the load generator, too. */
  readonly isCoreShared?: boolean;
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
  // One thread has a core of its own, as the load generator has; of two, one shares a core with it.
  const shared = (server: Threaded): Threaded => ({ ...server, isCoreShared: true });
  return within('1', (one) =>
    within('1', (another) => within('2', (two) => compare(run, one, [shared(one), shared(another)], shared(two)))),
  );
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

async function compare(
  { effort }: Run,
  one: Threaded,
  processes: readonly Threaded[],
  two: Threaded,
): Promise<readonly BenchRow[]> {
  const [singles = [], pairs = [], doubles = []] = await interleaved(effort, [[one], processes, [two]]);
  const ratiosTo = (others: readonly Round[]) =>
    doubles.map(({ capacity }, i) => capacity / (others[i]?.capacity ?? Number.POSITIVE_INFINITY));
  const [single, double] = [middle(singles), middle(doubles)];
  const throughput = double.requests_per_second / single.requests_per_second;
  const row = (
    name: string,
    others: readonly Round[],
    about: Pick<Parameters<typeof benchRow>[0], 'ratio_of' | 'aim' | 'notes'>,
  ): BenchRow => {
    const { cpu_us, requests_per_second, p50_ms, p99_ms, memory_mb } = double;
    const ratios = ratiosTo(others);
    const own = { cpu_us, requests_per_second, p50_ms, p99_ms, memory_mb };
    return benchRow({
      name,
      ratio: median(ratios),
      spread: quartiles(ratios),
      ...about,
      ...own,
      other: sideOf(middle(others)),
    });
  };
  return [
    row('two threads: GET one campaign', singles, {
      ratio_of: 'answers of two threads with a core each / of one, by their processor time',
      aim: 1.6,
      notes: `${throughput.toFixed(2)} times the throughput beside the generator; one thread has ${single.memory_mb.toFixed(0)} MB`,
    }),
    row('two threads against two processes: GET one campaign', pairs, {
      ratio_of: 'answers of two threads / of two processes of one thread under the same load, by their processor time',
      aim: 0.8,
    }),
  ];
}

/** The rounds of several subjects, one after the other, once the code of all is compiled. Servers of one subject are loaded at once. */
export async function interleaved(
  effort: Effort,
  subjects: readonly (readonly Threaded[])[],
): Promise<readonly (readonly Round[])[]> {
  const rounds = Math.max(1, effort.rounds);
  const countOf = (parts: number) => Math.ceil((effort.seconds / parts) * REQUESTS_PER_SECOND);
  const first = countOf(Math.min(rounds, FEW_ROUNDS));
  for (const servers of subjects) {
    const warming = new WarmUp(effort.seconds, await round(servers, first));
    while (!warming.isDone) warming.add(await round(servers, first));
  }
  const measured: Round[][] = subjects.map(() => []);
  for (let i = 0; i < rounds; i++) {
    for (const [at, servers] of subjects.entries()) measured[at]?.push(await round(servers, countOf(rounds)));
  }
  return measured;
}

/** Sends the requests of servers at once, so many in all. */
async function round(servers: readonly Threaded[], count: number): Promise<Round> {
  const shares = await Promise.all(servers.map((server) => share(server, Math.ceil(count / servers.length))));
  const all = await Promise.all(shares.map((send) => send(Math.ceil(CONNECTIONS / servers.length))));
  const sum = (of: (one: Round) => number) => all.reduce((total, one) => total + of(one), 0);
  return {
    cpu_us: sum(({ cpu_us }) => cpu_us) / all.length,
    engine_us: sum(({ engine_us }) => engine_us) / all.length,
    capacity: sum(({ capacity }) => capacity),
    requests_per_second: sum(({ requests_per_second }) => requests_per_second),
    p50_ms: Math.max(...all.map(({ p50_ms }) => p50_ms)),
    p99_ms: Math.max(...all.map(({ p99_ms }) => p99_ms)),
    memory_mb: sum(({ memory_mb }) => memory_mb),
  };
}

/** Signs the request of a server so many times. @returns what sends them over a number of connections */
async function share(server: Threaded, count: number): Promise<(connections: number) => Promise<Round>> {
  const requests = await Promise.all(Array.from({ length: count }, () => wire(server.held, server.request)));
  return async (connections) => {
    const before = new Map(threadsOf(server.child).map(({ id, us }) => [id, us]));
    const engine = engineUs(server.child);
    const answers = new Map<string, number>();
    const seen = (answer: string) => {
      const thread = THREAD.exec(answer)?.[1] ?? 'main';
      answers.set(thread, (answers.get(thread) ?? 0) + 1);
    };
    const result = await load(server.port, requests, connections, { seen, isCoreShared: server.isCoreShared });
    if (result.failures > 0) throw new Error(result.failure);
    const used = threadsOf(server.child).map(({ id, us }) => ({ id, us: us - (before.get(id) ?? 0) }));
    const all = used.reduce((sum, { us }) => sum + us, 0);
    const { per_second: requests_per_second, p50_ms, p99_ms } = result;
    const capacity = capacityOf(server.child, answers, used);
    const memory_mb = memoryMb(server.child, 'now');
    const engine_us = (engineUs(server.child) - engine) / count;
    return { cpu_us: all / count, engine_us, capacity, requests_per_second, p50_ms, p99_ms, memory_mb };
  };
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
