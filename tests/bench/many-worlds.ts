/**
 * `npm run soak:many-worlds -- --worlds 1000 --active 200`: many worlds on one server, most of them idle. Prints memory after a collection,
 * resident memory, descriptors and open worlds at each stage, and how long requests take in the active ones.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readOptions } from '../../tooling/scripts/options.mjs';
import { Control, type MadeWorld } from './control.ts';
import { load, once } from './load.ts';
import { percentiles } from './percentiles.ts';
import { SoakServer } from './soak-server.ts';
import { wire } from './wire.ts';

const options = readOptions({
  options: {
    json: { type: 'boolean', default: false },
    worlds: { type: 'string', default: '1000' },
    active: { type: 'string', default: '200' },
    connections: { type: 'string', default: '16' },
    /** Requests in each of the active worlds. */
    requests: { type: 'string', default: '100' },
    /** Seconds of rest: a server looks every few seconds for worlds that it can close. */
    rest: { type: 'string', default: '12' },
    server: { type: 'string', default: 'apps/server/dist/main.js' },
  },
});

/** What the server has at a stage. */
interface Stage {
  readonly stage: string;
  readonly heap_mb: number;
  readonly rss_mb: number;
  readonly descriptors: number;
  readonly open_worlds: number;
  /** Of the requests of the stage, if any. */
  readonly p50_ms?: number;
  readonly p99_ms?: number;
  readonly per_second?: number;
}

const MB = 2 ** 20;
const MAKERS = 4;

const held = ({ credentials }: MadeWorld) => ({ ...credentials, ads_base_url: credentials.ads_sandbox_base_url });

function requestOf(world: MadeWorld): Promise<Buffer> {
  const target = `/12/accounts/${world.credentials.sandbox_account_id}/campaigns`;
  return wire(held(world), { method: 'GET', target });
}

async function stageOf(stage: string, server: SoakServer, control: Control): Promise<Stage> {
  const { heap, rss } = await server.memoryAfterCollection();
  const listed = await control.call<readonly { readonly state: string }[]>('GET', '/worlds');
  return {
    stage,
    heap_mb: heap / MB,
    rss_mb: rss / MB,
    descriptors: readdirSync(`/proc/${server.pid}/fd`).length,
    open_worlds: listed.filter(({ state }) => state === 'OPEN').length,
  };
}

async function measure(server: SoakServer, directory: string): Promise<Stage[]> {
  const control = new Control(directory);
  const stages: Stage[] = [];
  const add = async (stage: string, figures: Omit<Stage, keyof Awaited<ReturnType<typeof stageOf>>> | object = {}) => {
    stages.push({ ...(await stageOf(stage, server, control)), ...figures });
    process.stderr.write(`${stage}\n`);
  };
  const { id: source } = await control.create({ from: { demo: true } });
  await add('the default world and one more');
  const worlds: MadeWorld[] = [];
  const count = Number(options.worlds);
  let begun = 0;
  await Promise.all(
    Array.from({ length: MAKERS }, async () => {
      while (begun++ < count) worlds.push(await control.fork(source));
    }),
  );
  await add(`${count} forks that nobody has used`);
  const times: number[] = [];
  let used = 0;
  await Promise.all(
    Array.from({ length: MAKERS }, async () => {
      for (let world = worlds[used++]; world; world = worlds[used++]) {
        const began = performance.now();
        const answer = await once(Number(new URL(held(world).ads_base_url).port), await requestOf(world));
        times.push(performance.now() - began);
        if (!answer.startsWith('HTTP/1.1 200')) throw new Error(answer.slice(0, 600));
      }
    }),
  );
  await add(`a request in each of ${count}, one after the other`, percentiles(times));
  await sleep(Number(options.rest) * 1000);
  await add('the same at rest');
  const active = worlds.slice(0, Number(options.active));
  const [first] = active;
  if (!first) throw new TypeError('there are no active worlds');
  const port = Number(new URL(held(first).ads_base_url).port);
  const each = Number(options.requests);
  const requests = await Promise.all(
    Array.from({ length: active.length * each }, (_, i) => requestOf(active[i % active.length] ?? first)),
  );
  // They are opened before it counts.
  await load(port, requests.slice(0, active.length), Number(options.connections));
  const { failures, failure, p50_ms, p99_ms, per_second } = await load(
    port,
    requests.slice(active.length),
    Number(options.connections),
  );
  if (failures > 0) throw new Error(`${failures} requests failed, one with ${failure}`);
  await add(`${each} requests in each of ${active.length}`, { p50_ms, p99_ms, per_second });
  return stages;
}

function print(stages: readonly Stage[]): void {
  const columns = ['heap MB', 'RSS MB', 'descriptors', 'open', 'p50 ms', 'p99 ms', 'req/s'];
  const width = Math.max(...stages.map(({ stage }) => stage.length));
  const line = (stage: string, cells: readonly string[]) =>
    process.stdout.write(`${stage.padEnd(width)}${cells.map((cell) => cell.padStart(12)).join('')}\n`);
  line('', columns);
  const figure = (value: number | undefined) => value?.toFixed(1) ?? '';
  for (const { stage, heap_mb, rss_mb, descriptors, open_worlds, p50_ms, p99_ms, per_second } of stages) {
    line(stage, [
      figure(heap_mb),
      figure(rss_mb),
      `${descriptors}`,
      `${open_worlds}`,
      figure(p50_ms),
      figure(p99_ms),
      per_second?.toFixed(0) ?? '',
    ]);
  }
  process.stdout.write('heap: after a collection at rest, buffers included; open: worlds of which stores are open\n');
}

const directory = mkdtempSync(path.join(tmpdir(), 'broadside-many-worlds-'));
let server: SoakServer | undefined;

function clear(): void {
  server?.kill();
  rmSync(directory, { recursive: true, force: true });
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    clear();
    process.exit(1);
  });
}
try {
  server = await SoakServer.start(options.server, directory);
  const stages = await measure(server, directory);
  if (options.json) process.stdout.write(`${JSON.stringify({ stages }, null, 2)}\n`);
  else print(stages);
} finally {
  clear();
}
