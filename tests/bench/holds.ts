/**
 * The longest that one request holds the event loop of the built server: generated worst cases of the largest size that each surface
 * takes, signed. While one is handled, probes ask for `/health` on a connection of their own. The hold is the longest time that one of them
 * waits, or the processor time of the server where that is less: other work on the machine lengthens a wait, and not what it uses.
 */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request as send } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MAX_BODY_BYTES } from '@broadside/core/wire';
import { bodyOf, once } from './load.ts';
import { cpuUs, Processes, stop } from './processes.ts';
import { type Credentials, type Request, wire } from './wire.ts';

/** What one case cost. Times in milliseconds, each the least of several runs. */
export interface HoldRow {
  readonly name: string;
  readonly bytes: number;
  readonly status: number;
  /** The longest that a probe waited, at most the processor time. */
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
}

const SIZE = MAX_BODY_BYTES - 1000;
/** Longest form that the advertising interface takes. */
const FORM = 250_000 - 1000;

const filled = (unit: string, size = SIZE) => unit.repeat(Math.floor(size / unit.length));
const members = (count: number, name = 'k') =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${name}${i}`, 1]));

/** Bodies of a batch of campaigns. */
const bodies: Readonly<Record<string, () => string>> = {
  'a number of millions of digits': () => `[${filled('1')}]`,
  'numbers as long as they may be': () => `[${Array(9_990).fill('1'.repeat(99)).join(',')}]`,
  'open arrays': () => filled('['),
  'empty objects': () => `[${filled('{},')}{}]`,
  'as many names as there may be': () => JSON.stringify([{ operation_type: 'Create', params: members(9_900) }]),
  'unknown names in every item': () =>
    JSON.stringify(
      Array.from({ length: 40 }, () => ({ operation_type: 'Create', params: members(240, 'campaign_nam') })),
    ),
  'a long name twice': () =>
    `[{"operation_type":"Create","params":{"${filled('x', SIZE / 2)}":1,"${filled('x', SIZE / 2 - 100)}":2}}]`,
  'a text': () => JSON.stringify([{ operation_type: 'Create', params: { name: filled('x', SIZE - 100) } }]),
  escapes: () => `[{"operation_type":"Create","params":{"name":"${filled('\\u0041', SIZE - 100)}"}}]`,
  'escaped quotes': () => `[{"operation_type":"Create","params":{"name":"${filled('\\"', SIZE - 100)}"}}]`,
  'combining characters': () =>
    JSON.stringify([{ operation_type: 'Create', params: { name: filled('a\u0301', SIZE / 2) } }]),
  blanks: () => `${filled(' ')}[]`,
  'no JSON': () => filled('x'),
};

const forms: Readonly<Record<string, (name: string) => Record<string, string>>> = {
  'quotes in a form': (name) => ({ [name]: filled("'", FORM / 3) }),
  'blanks in a form': (name) => ({ [name]: filled(' ', FORM) }),
  'commas in a form': (name) => ({ [name]: filled('a,', FORM / 4) }),
  'many parameters in a form': () =>
    Object.fromEntries(Array.from({ length: 980 }, (_, i) => [`p${i}`, filled('%', 300)])),
};

function cases(held: Credentials): readonly (readonly [name: string, request: Request])[] {
  const account = `/12/accounts/${held.account_id}`;
  const batch = `/12/batch/accounts/${held.account_id}/campaigns`;
  return [
    ...Object.entries(bodies).map(([name, json]) => [name, { method: 'POST', target: batch, json: json() }] as const),
    ...Object.entries(bodies).map(
      ([name, json]) => [`tRPC: ${name}`, { method: 'POST', target: '/trpc/campaigns.batch', json: json() }] as const,
    ),
    ...Object.entries(forms).map(
      ([name, form]) => [name, { method: 'POST', target: `${account}/campaigns`, form: form('name') }] as const,
    ),
    ['a query', { method: 'GET', target: `${account}/campaigns?campaign_ids=${filled('a,', 15_000)}` }],
    ['a cursor', { method: 'GET', target: `${account}/campaigns?cursor=${filled('W10', 15_000)}` }],
  ];
}

/** Measures all cases, the longest hold first. */
export async function measureHolds({ server, runs }: HoldOptions): Promise<readonly HoldRow[]> {
  const directory = mkdtempSync(path.join(tmpdir(), 'broadside-holds-'));
  const processes = new Processes();
  try {
    const { child } = await processes.startServer(server, directory);
    const held: Credentials = JSON.parse(readFileSync(path.join(directory, 'credentials.json'), 'utf8'));
    const rows: HoldRow[] = [];
    for (const [name, request] of cases(held)) {
      const measured: HoldRow[] = [];
      for (let run = 0; run < runs; run++) measured.push(await measure(child, held, name, request));
      const [first] = measured;
      if (!first) continue;
      const least = (pick: (row: HoldRow) => number) => Math.min(...measured.map(pick));
      rows.push({ ...first, hold_ms: least((row) => row.hold_ms), cpu_ms: least((row) => row.cpu_ms) });
    }
    await stop(child);
    return rows.sort((one, other) => other.hold_ms - one.hold_ms);
  } finally {
    processes.kill();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measure(child: ChildProcess, held: Credentials, name: string, request: Request): Promise<HoldRow> {
  const bytes = await wire(held, request);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  await probe(held.ads_base_url, agent);
  let isOver = false;
  let hold_ms = 0;
  const probing = (async () => {
    while (!isOver) hold_ms = Math.max(hold_ms, await probe(held.ads_base_url, agent));
  })();
  const before = cpuUs(child);
  const answer = await once(Number(new URL(held.ads_base_url).port), bytes);
  isOver = true;
  await probing;
  const cpu_ms = (cpuUs(child) - before) / 1000;
  agent.destroy();
  const status = Number(answer.slice(9, 12));
  return {
    name,
    bytes: bytes.length,
    status,
    hold_ms: Math.min(hold_ms, cpu_ms),
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
