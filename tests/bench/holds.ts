/**
 * The longest that one request holds the event loop of the built server: generated worst cases of the largest size that each surface
 * takes. While one is handled, probes ask for `/health` on a connection of their own. The hold is the longest time that one of them
 * waits, or the processor time of the server meanwhile where that is less: other work on the machine lengthens a wait, and not what
 * the server uses.
 */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request as send } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type HoldCase, holdCases } from './hold-cases.ts';
import { bodyOf, once } from './load.ts';
import { startedOnce } from './prepared.ts';
import { cpuUs, Processes, stop } from './processes.ts';
import type { Credentials } from './wire.ts';

/** The cost of one case. Times in milliseconds, each the least of several runs. */
export interface HoldRow {
  readonly name: string;
  readonly bytes: number;
  readonly status: number;
  /** The longest that a probe waited, at most the processor time meanwhile. */
  readonly hold_ms: number;
  readonly cpu_ms: number;
  readonly answer_bytes: number;
}

/** Options of a run. */
export interface HoldOptions {
  /** The main file of the built server. */
  readonly server: string;
  /** Runs of each case. */
  readonly runs: number;
  /** One in so many cases is measured. */
  readonly stride: number;
}

/** Measures all cases, the longest hold first. */
export async function measureHolds({ server, runs, stride }: HoldOptions): Promise<readonly HoldRow[]> {
  const directory = mkdtempSync(path.join(tmpdir(), 'broadside-holds-'));
  const processes = new Processes();
  try {
    await startedOnce(directory, server);
    const { child } = await processes.startServer(server, directory);
    const held: Credentials = JSON.parse(readFileSync(path.join(directory, 'credentials.json'), 'utf8'));
    const cases = holdCases(held).filter((_case, i) => i % stride === 0);
    const measured = new Map<string, HoldRow[]>(cases.map(({ name }) => [name, []]));
    for (const holdCase of cases.filter(({ isOnce }) => !isOnce)) {
      for (let run = 0; run < runs; run++) measured.get(holdCase.name)?.push(await measure(child, holdCase));
    }
    await stop(child);
    for (let run = 0; run < runs; run++) {
      const { child: another } = await processes.startServer(server, directory);
      // It listens on other ports.
      const again: Credentials = JSON.parse(readFileSync(path.join(directory, 'credentials.json'), 'utf8'));
      for (const holdCase of holdCases(again).filter(({ isOnce, name }) => isOnce && measured.has(name))) {
        measured.get(holdCase.name)?.push(await measure(another, holdCase));
      }
      await stop(another);
    }
    const rows = [...measured.values()].flatMap((each): HoldRow[] => {
      const [first] = each;
      if (!first) return [];
      const least = (pick: (row: HoldRow) => number) => Math.min(...each.map(pick));
      return [{ ...first, hold_ms: least((row) => row.hold_ms), cpu_ms: least((row) => row.cpu_ms) }];
    });
    return rows.sort((one, other) => other.hold_ms - one.hold_ms);
  } finally {
    processes.kill();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measure(child: ChildProcess, { name, base, make, times = 1 }: HoldCase): Promise<HoldRow> {
  const bytes = await make();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  await probe(base, agent);
  let isOver = false;
  let hold_ms = 0;
  const probing = (async () => {
    while (!isOver) {
      const began = cpuUs(child);
      const waited = await probe(base, agent);
      hold_ms = Math.max(hold_ms, Math.min(waited, (cpuUs(child) - began) / 1000));
    }
  })();
  const before = cpuUs(child);
  const port = Number(new URL(base).port);
  let answer = await once(port, bytes);
  for (let sent = 1; sent < times; sent++) answer = await once(port, bytes);
  isOver = true;
  await probing;
  const cpu_ms = (cpuUs(child) - before) / 1000;
  agent.destroy();
  const status = Number(answer.slice(9, 12));
  return {
    name,
    bytes: bytes.length,
    status,
    hold_ms,
    cpu_ms,
    answer_bytes: bodyOf(answer).length,
  };
}

/** Milliseconds until `/health` is answered. */
function probe(base: string, agent: Agent): Promise<number> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    send(`${base}/health`, { agent }, (response) => {
      response.resume().on('end', () => resolve(performance.now() - began));
    })
      .on('error', reject)
      .end();
  });
}
