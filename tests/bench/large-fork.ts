/**
 * Forks of a world with many posts, while it is read and written: on the file system of `TMPDIR` and, where that cannot share blocks, on one
 * that can. Only forks that share blocks have an aim.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTrpcClient } from '@broadside/client/trpc';
import type { Credentials } from '@broadside/server';
import { type BenchRow, benchRow } from './bench-row.ts';
import { Control } from './control.ts';
import { percentiles } from './percentiles.ts';
import { idsOf, indexed } from './posts.ts';
import { seededOnce } from './prepared.ts';
import { cpuUs, cpuUsSince, memoryMb, type Processes, stop } from './processes.ts';
import { median } from './rounds.ts';
import { inDirectory, type Run } from './run.ts';
import { onSharedBlocks, sharesBlocks } from './shared-blocks.ts';
import { connect } from './soak-load.ts';

/** A fork may take so long where blocks are shared, */
const FORK_MS = 1_000;
/** and a request to its source meanwhile. */
const WAIT_MS = 50;
const FORKS = 5;

/** Measures forks of a seeded world. */
export async function measureLargeFork(run: Run): Promise<BenchRow[]> {
  const copied = await measureIn(run, tmpdir());
  if (sharesBlocks(tmpdir())) return copied;
  const shared = await onSharedBlocks((parent) => measureIn(run, parent));
  if (typeof shared !== 'string') return [...copied, ...shared];
  const name = `fork of ${run.amounts.posts} posts, with shared blocks`;
  return [...copied, benchRow({ name, notes: `not measured: ${shared}` })];
}

function measureIn(run: Run, parent: string): Promise<BenchRow[]> {
  const measured = async (directory: string, processes: Processes) => {
    const { posts } = run.amounts;
    seededOnce(directory, { posts, users: Math.ceil(posts / 10) });
    const ids = idsOf(directory);
    const { child } = await processes.startServer(run.server, directory);
    const held: Credentials = JSON.parse(readFileSync(path.join(directory, 'credentials.json'), 'utf8'));
    await indexed(held);
    const control = new Control(directory);
    const source = await Source.connect(directory, held, ids);
    const alone = await source.during(() => sleep(Math.max(200, run.effort.seconds * 500)));
    const times: number[] = [];
    const cpu: number[] = [];
    const waits: Waits[] = [];
    for (let i = 0; i < Math.min(FORKS, run.effort.rounds); i++) {
      let id = '';
      waits.push(
        await source.during(async () => {
          const before = cpuUs(child);
          const began = performance.now();
          ({ id } = await control.fork('default'));
          times.push(performance.now() - began);
          cpu.push(await cpuUsSince(child, before));
        }),
      );
      await control.delete(id);
    }
    source.close();
    const memory_mb = memoryMb(child, 'peak');
    const shares = sharesBlocks(directory);
    await stop(child);
    const fork = percentiles(times);
    const reads = waits.flatMap((wait) => wait.reads);
    const writes = waits.flatMap((wait) => wait.writes);
    const longest = Math.max(...reads, ...writes);
    const say = ({ reads: r, writes: w }: Waits) =>
      `longest read ${Math.max(...r).toFixed(1)} of ${r.length}, write ${Math.max(...w).toFixed(1)} ms of ${w.length}`;
    return [
      benchRow({
        name: `fork of ${posts} posts, ${shares ? 'with shared blocks' : 'as a plain copy'}`,
        ...fork,
        cpu_us: median(cpu),
        memory_mb,
        ...(shares && { ratio: FORK_MS / fork.p50_ms, ratio_of: `${FORK_MS} ms / p50`, aim: 1 }),
        notes: `${sizeOf(directory)} MB of stores; processor time with reads and writes meanwhile`,
      }),
      benchRow({
        name: `requests to the source of a fork of ${posts} posts${shares ? ', with shared blocks' : ''}`,
        ...percentiles([...reads, ...writes]),
        ratio: WAIT_MS / longest,
        ratio_of: `${WAIT_MS} ms / longest wait`,
        aim: 1,
        notes: `${say({ reads, writes })}; without a fork: ${say(alone)}`,
      }),
    ];
  };
  return inDirectory(run, measured, { parent });
}

/** Times of requests, in milliseconds. */
interface Waits {
  readonly reads: readonly number[];
  readonly writes: readonly number[];
}

/** Reads and writes one after the other, each on a connection of its own. */
class Source {
  readonly #read: () => Promise<unknown>;
  readonly #write: () => Promise<unknown>;
  readonly close: () => void;

  private constructor(read: () => Promise<unknown>, write: () => Promise<unknown>, close: () => void) {
    this.#read = read;
    this.#write = write;
    this.close = close;
  }

  static async connect(directory: string, held: Credentials, ids: readonly string[]): Promise<Source> {
    const { port } = new URL(held.base_url);
    const [asker] = await connect(Number(port), 1);
    if (!asker) throw new TypeError('there is a connection');
    let serial = 0;
    const read = async () => {
      const id = ids[(serial++ * 7919) % ids.length];
      const lines = [
        `GET /2/posts?ids=${id} HTTP/1.1`,
        `host: 127.0.0.1:${port}`,
        `authorization: Bearer ${held.bearer_token}`,
      ];
      const answer = await asker.ask(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`));
      if (!answer.startsWith('HTTP/1.1 200')) throw new Error(answer);
    };
    const operatorToken = readFileSync(path.join(directory, 'operator.token'), 'utf8').trim();
    const { admin } = createTrpcClient({ ads_base_url: held.ads_base_url }, { operatorToken });
    const write = () => admin.posts.create.mutate({ user_id: held.user_id, text: `Calm at ${serial++}` });
    return new Source(read, write, () => asker.close());
  }

  /** Reads and writes while a work is done, and once more afterwards. */
  async during(work: () => Promise<unknown>): Promise<Waits> {
    let isOver = false;
    const timed = async (request: () => Promise<unknown>) => {
      const times: number[] = [];
      let last = false;
      while (!last) {
        last = isOver;
        const began = performance.now();
        await request();
        times.push(performance.now() - began);
      }
      return times;
    };
    const both = Promise.all([timed(this.#read), timed(this.#write)]);
    try {
      await work();
    } finally {
      isOver = true;
    }
    const [reads, writes] = await both;
    return { reads, writes };
  }
}

function sizeOf(directory: string): string {
  const kilobytes = execFileSync(
    'du',
    ['-ck', ...['platform.db', 'ads-production.db', 'ads-sandbox.db'].map((name) => path.join(directory, name))],
    { encoding: 'utf8' },
  );
  return (Number(/(\d+)\s+total/.exec(kilobytes)?.[1] ?? 0) / 1024).toFixed(0);
}
