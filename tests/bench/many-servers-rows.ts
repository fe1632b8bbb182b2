/** The figures of a platform of several servers. */
import http from 'node:http';
import { Client } from '../many-servers/client.ts';
import type { Platform, ServerPart } from '../many-servers/platform.ts';
import { replicaRows } from './replica-rows.ts';
import { median } from './rounds.ts';
import { AT_ONCE, NEAR_MS, type Row, ServersBench, type Sizes } from './servers-bench.ts';

/** Returns whether a row misses its aim. */
export function misses({ value, aim }: Row): boolean {
  if (aim === null) return false;
  return 'least' in aim ? value < aim.least : value > aim.most;
}

/** Milliseconds of a server's processor for one request. */
const CPU_AIMS = { GET: 1.5, POST: 3, batch: 25 } as const;
const POSTS_A_SECOND = 300;
/** What each of several servers adds at least, in parts of one alone. */
const WORTH = 0.8;
/** Milliseconds that others wait at most where a server dies in a write. */
const STALL_MS = 1000;
const FAR_MS = [10, 45] as const;

/** Measures a platform that has networks, and writes nobody else. @param say is told each row as soon as it is known */
export async function measureServers(
  platform: Platform,
  sizes: Sizes,
  say: (row: Row) => void = () => {},
): Promise<Row[]> {
  const agent = new http.Agent({ keepAlive: true });
  try {
    const bench = await ServersBench.on(platform, new Client(platform, agent));
    const rows: Row[] = [];
    for await (const row of rowsOf(bench, sizes)) {
      rows.push(row);
      say(row);
    }
    return rows;
  } finally {
    agent.destroy();
    for (const network of platform.networks) network.delay(0);
  }
}

async function* rowsOf(bench: ServersBench, sizes: Sizes): AsyncGenerator<Row> {
  const { requests, batches, warmup, rounds, kills, stops } = sizes;
  const { servers } = bench.platform;
  const first = servers.slice(0, 1);
  // What is compiled and connected at first use is not what a request takes.
  for (const server of servers) await bench.run([server], bench.post, warmup);
  for (const [name, request, times, at_once] of [
    ['GET', bench.get, requests, 8],
    ['POST', bench.post, requests, 8],
    ['batch', bench.batch, batches, 1],
  ] as const) {
    const measured = await bench.repeat(rounds, () => bench.run(first, request, times, at_once));
    const value = median(measured.map(({ cpu_ms }) => cpu_ms));
    yield { name: `processor time of a server, ${name}`, value, unit: 'ms', aim: { most: CPU_AIMS[name] } };
  }
  yield* worthRows(bench, rounds, requests);
  bench.delay(NEAR_MS);
  for (const some of [first, servers]) {
    const runs = await bench.repeat(rounds, () => bench.run(some, bench.post, requests, AT_ONCE));
    yield rateRow(NEAR_MS, some, median(runs.map(({ a_second }) => a_second)), { least: POSTS_A_SECOND });
  }
  for (const ms of FAR_MS) {
    bench.delay(ms);
    yield rateRow(ms, servers, (await bench.run(servers, bench.post, requests, AT_ONCE)).a_second, null);
    const { failed } = await bench.run(servers, bench.batch, batches, servers.length);
    yield { name: `batches of 40 at ${ms} ms`, value: failed, unit: 'failed', aim: { most: 0 } };
  }
  bench.delay(NEAR_MS);
  for (const [how, times] of [
    ['kill', kills],
    ['stop', stops],
  ] as const) {
    if (times === 0) continue;
    const waits = await bench.repeat(times, () => bench.longestWait(how));
    const aim = how === 'kill' ? { most: STALL_MS } : null;
    const name = `longest wait of others when a server is ${how === 'kill' ? 'killed' : 'stopped'} in a write`;
    yield { name, value: Math.max(...waits), unit: 'ms', aim };
  }
  // The last ones: from then on each commit is marked.
  bench.delay(0);
  yield* replicaRows(bench, { requests, warmup, rounds });
}

function rateRow(ms: number, { length }: readonly ServerPart[], value: number, aim: Row['aim']): Row {
  return { name: `POSTs on one store at ${ms} ms, ${count(length)}`, value, unit: 'a second', aim };
}

function count(servers: number): string {
  return servers === 1 ? 'one server' : `${servers} servers`;
}

/**
 * What several servers are worth, in servers that are alone, by processor time for each request. Each has as many clients as one that is alone: a
 * group that is committed is half of the clients of its server, so those of the same clients spread over more servers would be smaller.
 */
async function* worthRows(bench: ServersBench, rounds: number, requests: number): AsyncGenerator<Row> {
  const { servers } = bench.platform;
  const times = servers.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [i, own] of times.entries()) {
      // Each server in its turn: none has run for longer than the others.
      const some = Array.from({ length: i + 1 }, (_, place) => servers[(round + place) % servers.length]);
      const picked = some.filter((server) => server !== undefined);
      const { cpu_ms } = await bench.run(picked, bench.post, requests * (i + 1), AT_ONCE * (i + 1));
      own.push(cpu_ms);
    }
  }
  const [alone = []] = times;
  for (const [i, own] of times.entries()) {
    if (i === 0) continue;
    const value = ((i + 1) * median(alone)) / median(own);
    yield {
      name: `${count(i + 1)} are worth`,
      value,
      unit: 'servers',
      aim: { least: Number((WORTH * (i + 1)).toFixed(1)) },
    };
  }
}
