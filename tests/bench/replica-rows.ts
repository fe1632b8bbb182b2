/** What a replica takes off its primary: one server that reads one, beside one that does not. */
import { strict as assert } from 'node:assert';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@broadside/test-servers/free-port';
import { startSqld } from '@broadside/test-servers/sqld';
import type { ServerPart } from '../many-servers/platform.ts';
import { cpuUs } from './processes.ts';
import { median } from './rounds.ts';
import type { Row, Run, ServersBench, Sizes } from './servers-bench.ts';

/** Clients of one server. */
const AT_ONCE = 8;
const PAUSE_MS = 20;

interface Reads extends Run {
  /** Processor time of the primary for each read. */
  readonly primary_ms: number;
}

/** Measures reads of a campaign that nobody writes. Gives the platform a replica; the two servers are started again. */
export async function* replicaRows(
  bench: ServersBench,
  { requests, warmup, rounds }: Pick<Sizes, 'requests' | 'warmup' | 'rounds'>,
): AsyncGenerator<Row> {
  const { servers, networks, sandboxStore } = bench.platform;
  const [beside, reader] = servers;
  assert(beside && reader, 'two servers are compared');
  const directory = mkdtempSync(path.join(tmpdir(), 'broadside-bench-replica-'));
  const replica = await startSqld({ directory, primary: sandboxStore });
  try {
    const port = await freePort();
    const settings = await networks[1]?.before({ BROADSIDE_SANDBOX_REPLICAS: replica.url });
    // Both measure themselves, and have been started as long ago.
    await beside.restartWith({ BROADSIDE_METRICS_PORT: `${await freePort()}` });
    await reader.restartWith({ ...settings, BROADSIDE_METRICS_PORT: `${port}` });
    for (const server of [beside, reader]) await bench.run([server], bench.get, warmup, AT_ONCE);
    while ((await answersOf(port)).replica === 0) {
      await bench.run([reader], bench.get, 1);
      await sleep(PAUSE_MS);
    }
    const before = await answersOf(port);
    const runs = new Map<ServerPart, Reads[]>([
      [beside, []],
      [reader, []],
    ]);
    for (let round = 0; round < rounds; round += 1) {
      for (const [server, own] of round % 2 === 0 ? runs : [...runs].toReversed()) {
        const cpu = cpuUs(sandboxStore);
        const run = await bench.run([server], bench.get, requests, AT_ONCE);
        own.push({ ...run, primary_ms: (cpuUs(sandboxStore) - cpu) / 1000 / requests });
      }
    }
    const after = await answersOf(port);
    for (const [how, own] of [
      ['', runs.get(beside) ?? []],
      [' with a replica', runs.get(reader) ?? []],
    ] as const) {
      const primary_ms = median(own.map((one) => one.primary_ms));
      yield { name: `processor time of the store, GET${how}`, value: primary_ms, unit: 'ms', aim: null };
      yield {
        name: `GETs of one server${how}`,
        value: median(own.map((one) => one.a_second)),
        unit: 'a second',
        aim: null,
      };
    }
    const share = (after.replica - before.replica) / (after.all - before.all);
    yield { name: 'reads that the replica answered', value: 100 * share, unit: '%', aim: null };
  } finally {
    await replica.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** How many reads a replica has answered of those that one may answer, by the metrics of a server. */
async function answersOf(port: number): Promise<{ readonly replica: number; readonly all: number }> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  let [replica, all] = [0, 0];
  for (const [, by, count] of text.matchAll(/^broadside_replica_reads_total\{.*by="(\w+)".*\} (\d+)$/gm)) {
    all += Number(count);
    if (by === 'replica') replica += Number(count);
  }
  return { replica, all };
}
