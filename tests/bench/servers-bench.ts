/** What sends the requests of the bench of several servers. */
import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestRequest } from '@broadside/testkit';
import type { Client, Signed } from '../many-servers/client.ts';
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
  readonly unit: 'ms' | 'a second' | 'servers' | 'failed' | '%';
  /** Null where none was set. */
  readonly aim: { readonly least: number } | { readonly most: number } | null;
}

/** Milliseconds of a round trip. */
export const NEAR_MS = 1;
/** That of a server to the store while it is to be caught in a write: from the lock to COMMIT it takes one of them. */
const CAUGHT_MS = 1600;
/** Where nobody else has written for this long, it has the lock. Less than half of that: its COMMIT is not on its way yet. */
const QUIET_MS = 500;
const WRITERS = 3;
/** Clients. */
export const AT_ONCE = 48;

/** What a run of requests took. */
export interface Run {
  /** Processor time of the servers for each request. */
  readonly cpu_ms: number;
  readonly a_second: number;
  readonly failed: number;
}

/** Sends the requests. */
export class ServersBench {
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
  static async on(platform: Platform, client: Client): Promise<ServersBench> {
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
    return new ServersBench(platform, client, account, query, await make(`${account}/campaigns`, query));
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
