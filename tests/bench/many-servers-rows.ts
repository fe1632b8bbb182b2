/** The figures of a platform of several servers. */
import { strict as assert } from 'node:assert';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestRequest } from '@broadside/testkit';
import { Client, type Signed } from '../many-servers/client.ts';
import type { Platform, ServerPart } from '../many-servers/platform.ts';
import { idOf } from '../src/support/body.ts';
import { cpuUs } from './processes.ts';

/** How much is measured. */
export interface Sizes {
  /** Requests of each figure. */
  readonly requests: number;
  /** Batches of 40 likewise. */
  readonly batches: number;
  /** Requests to each server before anything is measured. */
  readonly warmup: number;
  /** Rounds of which the median counts. */
  readonly rounds: number;
  /** How often a server is killed in a write, and how often one is stopped. */
  readonly kills: number;
  readonly stops: number;
}

/** A figure. */
export interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: 'ms' | 'a second' | 'servers' | 'failed';
  /** Null where none was set. */
  readonly aim: { readonly least: number } | { readonly most: number } | null;
}

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
/** Milliseconds of a round trip. */
const NEAR_MS = 1;
const FAR_MS = [10, 45] as const;
/** That of a server to the store while it is to be caught in a write: from the lock to COMMIT it takes one of them. */
const CAUGHT_MS = 1600;
/** Where nobody else has written for this long, it has the lock. Less than half of that: its COMMIT is not on its way yet. */
const QUIET_MS = 500;
const WRITERS = 3;
const AT_ONCE = 48;

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Measures a platform that has networks, and writes nobody else. @param say is told each row as soon as it is known */
export async function measureServers(
  platform: Platform,
  sizes: Sizes,
  say: (row: Row) => void = () => {},
): Promise<Row[]> {
  const agent = new http.Agent({ keepAlive: true });
  try {
    const bench = await Bench.on(platform, new Client(platform, agent));
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

async function* rowsOf(bench: Bench, sizes: Sizes): AsyncGenerator<Row> {
  const { requests, batches, rounds, kills, stops } = sizes;
  const { servers } = bench.platform;
  const first = servers.slice(0, 1);
  // What is compiled and connected at first use is not what a request takes.
  for (const server of servers) await bench.run([server], bench.post, sizes.warmup);
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
}

function rateRow(ms: number, { length }: readonly ServerPart[], value: number, aim: Row['aim']): Row {
  return { name: `POSTs on one store at ${ms} ms, ${count(length)}`, value, unit: 'a second', aim };
}

function count(servers: number): string {
  return servers === 1 ? 'one server' : `${servers} servers`;
}

/** What several servers are worth, in servers that are alone, by processor time for each request. */
async function* worthRows(bench: Bench, rounds: number, requests: number): AsyncGenerator<Row> {
  const { servers } = bench.platform;
  const times = servers.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [i, own] of times.entries()) {
      // Each server in its turn: none has run for longer than the others.
      const some = Array.from({ length: i + 1 }, (_, place) => servers[(round + place) % servers.length]);
      const picked = some.filter((server) => server !== undefined);
      const { cpu_ms } = await bench.run(picked, bench.post, requests * (i + 1), AT_ONCE);
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

/** What a run of requests took. */
interface Run {
  /** Processor time of the servers for each request. */
  readonly cpu_ms: number;
  readonly a_second: number;
  readonly failed: number;
}

class Bench {
  readonly platform: Platform;
  readonly #client: Client;
  readonly get: () => TestRequest;
  readonly post: () => TestRequest;
  readonly batch: () => TestRequest;

  private constructor(platform: Platform, client: Client, account: string, query: Fields, campaign_id: string) {
    this.platform = platform;
    this.#client = client;
    this.get = () => ({ path: `${account}/campaigns/${campaign_id}` });
    this.post = () => ({ method: 'POST', path: `${account}/campaigns`, query });
    const operations = Array.from({ length: 40 }, () => ({ operation_type: 'Create', params: query }));
    this.batch = () => ({
      method: 'POST',
      path: `${account.replace('/12/', '/12/batch/')}/campaigns`,
      json: operations,
    });
  }

  /** Makes an account with a campaign in the sandbox. */
  static async on(platform: Platform, client: Client): Promise<Bench> {
    const [server] = platform.servers;
    assert(server);
    const make = async (path: string, query: Fields = {}) =>
      idOf(await client.ok(server, { method: 'POST', path, query }));
    const account = `/12/accounts/${await make('/12/accounts')}`;
    const instrument = { type: 'PARTNER_MANAGED', currency: 'USD', start_time: '2026-01-01' };
    const funding_instrument_id = await make(`${account}/funding_instruments`, instrument);
    const query = {
      funding_instrument_id,
      name: 'c',
      daily_budget_amount_local_micro: 1_000_000,
      entity_status: 'DRAFT',
    };
    return new Bench(platform, client, account, query, await make(`${account}/campaigns`, query));
  }

  delay(ms: number): void {
    for (const network of this.platform.networks) network.delay(ms);
  }

  async repeat<Result>(times: number, work: () => Promise<Result>): Promise<Result[]> {
    const results: Result[] = [];
    for (let i = 0; i < times; i += 1) results.push(await work());
    return results;
  }

  /** Sends so many requests, spread over servers. They are signed before. */
  async run(servers: readonly ServerPart[], request: () => TestRequest, times: number, atOnce = AT_ONCE): Promise<Run> {
    const signed: Signed[] = [];
    for (let i = 0; i < times; i += 1) signed.push(await this.#client.sign(request()));
    const cpu = () => servers.reduce((sum, server) => sum + cpuUs(server), 0);
    const before = cpu();
    const began = performance.now();
    let failed = 0;
    const line = async (server: ServerPart) => {
      for (let next = signed.pop(); next !== undefined; next = signed.pop()) {
        const { status, text } = await this.#client.send(server, next);
        assert(status === 200 || status === 503, text);
        if (status !== 200) failed += 1;
      }
    };
    const picked = Array.from({ length: atOnce }, (_, i) => servers[i % servers.length]);
    await Promise.all(picked.map((server) => server && line(server)));
    const a_second = (times - failed) / ((performance.now() - began) / 1000);
    return { cpu_ms: (cpu() - before) / 1000 / times, a_second, failed };
  }

  /** Writes, and again where the server says that nothing was done. */
  async #write(server: ServerPart): Promise<void> {
    for (;;) {
      const { status, text } = await this.#client.send(server, await this.#client.sign(this.post()));
      if (status === 200) return;
      assert.equal(status, 503, text);
    }
  }

  /** Writes, whatever becomes of it. */
  async #writeUntil(server: ServerPart, isOver: () => boolean): Promise<void> {
    while (!isOver()) await this.#write(server).catch(() => {});
  }

  /** Kills or stops the last server while it holds the lock of the store. @returns how many milliseconds a write of others waited from then on */
  async longestWait(how: 'kill' | 'stop'): Promise<number> {
    const { servers, networks } = this.platform;
    const victim = servers.at(-1);
    const network = networks.at(-1);
    assert(victim && network && servers.length > 1, 'others go on');
    const state = { isOver: false, failedAt: Number.POSITIVE_INFINITY, last: performance.now(), longest: 0, since: 0 };
    const write = async (server: ServerPart) => {
      while (!state.isOver) {
        const began = performance.now();
        await this.#write(server);
        state.last = performance.now();
        if (state.last < state.failedAt) continue;
        state.longest = Math.max(state.longest, state.last - Math.max(began, state.failedAt));
        state.since += 1;
      }
    };
    const others = servers.slice(0, -1).flatMap((server) => Array.from({ length: WRITERS }, () => write(server)));
    const writing = Promise.all(others);
    writing.catch(() => {});
    network.delay(CAUGHT_MS, 'BROADSIDE_SANDBOX_DATABASE_URL');
    const own = this.#writeUntil(victim, () => performance.now() > state.failedAt);
    try {
      while (performance.now() - state.last < QUIET_MS) await Promise.race([sleep(5), writing]);
      state.failedAt = performance.now();
      await (how === 'kill' ? victim.kill() : victim.stop());
      while (state.since < 10 * others.length) await Promise.race([sleep(5), writing]);
      return state.longest;
    } finally {
      state.isOver = true;
      network.delay(NEAR_MS);
      if (how === 'kill') await victim.start();
      else victim.resume();
      await Promise.allSettled([writing, own]);
    }
  }
}

type Fields = Readonly<Record<string, string | number>>;
