/**
 * Intake of users over HTTP into a store that holds many records already: `npm run bench -- --only intake --records 10000000`.
 * The server runs on one core and the load on another, where `taskset` is available.
 */
import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { World } from '@broadside/server';
import { bodyOf, load, once } from './load.ts';
import { type Percentiles, percentiles } from './percentiles.ts';
import { cpuUs, cpuUsSince, memoryMb, Processes, separateCores, stop } from './processes.ts';
import { type Credentials, type Request, wire } from './wire.ts';

/** The rate that the specification allows an account: 1,500 requests of 2,500 operations a minute. */
const ALLOWED_PER_SECOND = 62_500;
const OPERATIONS = 2500;
/** Users in a request with one operation. */
const PACKED = 50_000;
/** Times that reads are measured, on a quiet server and during the intake in turn: other work on the machine comes and goes. */
const ROUNDS = 3;

export interface IntakeOptions {
  /** Records that are in the store before. */
  readonly records: number;
  /** Seconds that each row runs, about. */
  readonly seconds: number;
  readonly server: string;
}

/** One kind of requests, as fast as the server takes them. */
export interface IntakeRate {
  readonly name: string;
  /** Records a second until all of them are merged. */
  readonly per_second: number;
  readonly mb_per_second: number;
  /** Processor time of the server for a record, merging included, in microseconds. */
  readonly cpu_us: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
}

/** Results of a run. */
export interface IntakeRow {
  readonly records: number;
  readonly fill: {
    readonly per_second: number;
    readonly cpu_us: number;
    readonly bytes_per_record: number;
  };
  readonly rates: readonly IntakeRate[];
  /** Reads of another account, on a quiet server and while this one sends as much as it may. */
  readonly reads: { readonly quiet: Percentiles; readonly during: Percentiles };
  readonly allowed: { readonly sent_per_second: number; readonly cpu_share: number; readonly request: Percentiles };
  readonly memory_mb: { readonly before: number; readonly peak: number };
}

/** Fills a store and measures the intake. */
export async function measureIntake(options: IntakeOptions): Promise<IntakeRow> {
  const directory = mkdtempSync(path.join(tmpdir(), 'broadside-intake-'));
  const processes = new Processes({ cores: separateCores() });
  try {
    return await new Bench(options, directory, processes).measure();
  } finally {
    processes.kill();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The user of the demo, who owns the accounts. */
type Owner = Credentials & { readonly user_id: string };

/** The times of a period of sending: of reads and of requests, and of the whole until all was sent, and merged. */
interface Sending {
  readonly reads: readonly number[];
  readonly requests: readonly number[];
  readonly sent_ms: number;
  readonly merged_ms: number;
  readonly cpu_ms: number;
}

class Bench {
  readonly #options: IntakeOptions;
  readonly #directory: string;
  readonly #processes: Processes;
  #held: Owner | undefined;
  #audience = '';
  /** The account that is read. */
  #other = '';
  /** Records that were sent as allowed. */
  #allowed = 0;

  constructor(options: IntakeOptions, directory: string, processes: Processes) {
    this.#options = options;
    this.#directory = directory;
    this.#processes = processes;
  }

  async measure(): Promise<IntakeRow> {
    const { records } = this.#options;
    // The first start makes the demo, whose account sends to an audience of its own.
    const first = await this.#start();
    const created = await this.#send({ method: 'POST', target: this.#path('custom_audiences?name=Intake') });
    this.#audience = idOf(created);
    await stop(first);
    await this.#createOther();
    const fill = await this.#fill();
    const server = await this.#start();
    const before = memoryMb(server, 'now');
    const { reads, allowed } = await this.#compareReads(server);
    const rates: IntakeRate[] = [];
    const kinds: [name: string, size: number, body: (i: number) => string][] = [
      ['1 identifier', OPERATIONS, (i) => updates(records + i * OPERATIONS, 1)],
      ['3 identifiers', OPERATIONS, (i) => updates(records * 2 + i * OPERATIONS, 3)],
      ['deletes', OPERATIONS, (i) => deletes((i * 97 * OPERATIONS) % Math.max(OPERATIONS, records))],
      ['packed in one operation', PACKED, (i) => packed(records * 3 + i * PACKED)],
    ];
    for (const [name, size, body] of kinds) rates.push(await this.#rate(server, name, size, body));
    const memory_mb = { before, peak: memoryMb(server, 'peak') };
    await stop(server);
    return { records, fill, rates, reads, allowed, memory_mb };
  }

  /** Creates an account to read from, of the user who sends. */
  async #createOther(): Promise<void> {
    const world = await World.open({ dataDirectory: this.#directory });
    const { user_id } = this.#credentials;
    const fields = { name: 'Other', business_name: null, timezone: 'Etc/UTC', user_id, features: [] };
    this.#other = (await world.ads.production.createAccount({ user_id: null, platform: 'SERVER' }, fields)).id;
    await world.close();
  }

  /** Fills the store without HTTP, as fast as it goes. */
  async #fill(): Promise<IntakeRow['fill']> {
    const { records } = this.#options;
    const world = await World.open({ dataDirectory: this.#directory });
    const name = `production/${this.#audience}`;
    const now_s = Math.floor(Date.now() / 1000);
    const began = performance.now();
    const cpu = process.cpuUsage();
    let next = 0;
    const lane = async () => {
      for (let at = next; at < records; at = next) {
        next += OPERATIONS;
        const operations = Array.from({ length: OPERATIONS }, () => ({
          operation_type: 'Update' as const,
          effective_s: now_s,
          expires_s: now_s + 34_000_000,
          default_effective: true,
          default_expires: true,
          user_count: 1,
        }));
        await world.members.append(name, { operations, users: keysOf(at) }, now_s);
        if (next % 5_000_000 === 0) process.stderr.write(`${next} records\n`);
      }
    };
    await Promise.all(Array.from({ length: 8 }, lane));
    await world.members.settle(name);
    const { user, system } = process.cpuUsage(cpu);
    const figures = await world.members.figures(name);
    await world.close();
    return {
      per_second: (records / (performance.now() - began)) * 1000,
      cpu_us: (user + system) / records,
      bytes_per_record: figures.bytes / figures.keys,
    };
  }

  async #start(): Promise<ChildProcess> {
    const { child } = await this.#processes.startServer(this.#options.server, this.#directory);
    this.#held = JSON.parse(readFileSync(path.join(this.#directory, 'credentials.json'), 'utf8'));
    return child;
  }

  get #credentials(): Owner {
    if (!this.#held) throw new TypeError('the server has not started');
    return this.#held;
  }

  get #port(): number {
    return Number(new URL(this.#credentials.ads_base_url).port);
  }

  #path(rest: string): string {
    return `/12/accounts/${this.#credentials.account_id}/${rest}`;
  }

  async #send(request: Request): Promise<string> {
    const answer = await once(this.#port, await wire(this.#credentials, request));
    if (!answer.startsWith('HTTP/1.1 20')) throw new Error(answer.slice(0, 600));
    return bodyOf(answer);
  }

  /** Measures the time of reads while another account sends nothing, and while it sends as much as it may. */
  async #compareReads(server: ChildProcess): Promise<Pick<IntakeRow, 'reads' | 'allowed'>> {
    // What happens once is not measured: the thread starts, and code runs for the first time.
    await this.#sendAllowed(server);
    const quiet: number[] = [];
    const sendings: Sending[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      quiet.push(...(await this.#readUntil(sleep(this.#options.seconds * 1000))));
      sendings.push(await this.#sendAllowed(server));
    }
    const sum = (figure: (sending: Sending) => number) => sendings.reduce((total, each) => total + figure(each), 0);
    return {
      reads: { quiet: percentiles(quiet), during: percentiles(sendings.flatMap(({ reads }) => reads)) },
      allowed: {
        sent_per_second: (sum(({ requests }) => requests.length) * OPERATIONS * 1000) / sum(({ sent_ms }) => sent_ms),
        cpu_share: sum(({ cpu_ms }) => cpu_ms) / sum(({ merged_ms }) => merged_ms),
        request: percentiles(sendings.flatMap(({ requests }) => requests)),
      },
    };
  }

  /** Reads the other account until something ends. @returns the time of each read */
  async #readUntil(end: Promise<unknown>): Promise<number[]> {
    let isOver = false;
    const over = end.then(() => {
      isOver = true;
    });
    const target = `/12/accounts/${this.#other}/campaigns`;
    const times: number[] = [];
    while (!isOver) {
      const request = await wire(this.#credentials, { method: 'GET', target });
      const began = performance.now();
      await succeed(this.#port, request);
      times.push(performance.now() - began);
      await sleep(2);
    }
    await over;
    return times;
  }

  /** Sends at the rate that the specification allows, while another account reads. */
  async #sendAllowed(server: ChildProcess): Promise<Sending> {
    const { records, seconds } = this.#options;
    const each = (OPERATIONS / ALLOWED_PER_SECOND) * 1000;
    const count = Math.ceil((seconds * 1000) / each);
    const from = records * 4 + this.#allowed;
    this.#allowed += count * OPERATIONS;
    const sent = await this.#requests(count, (i) => updates(from + i * OPERATIONS, 1));
    const cpu = cpuUs(server);
    const began = performance.now();
    const requests: number[] = [];
    const sending = Promise.all(
      sent.map(async (request, i) => {
        await sleep(i * each);
        const start = performance.now();
        await succeed(this.#port, request);
        requests.push(performance.now() - start);
      }),
    );
    const reads = await this.#readUntil(sending);
    const sent_ms = performance.now() - began;
    await this.#merged();
    const merged_ms = performance.now() - began;
    return { reads, requests, sent_ms, merged_ms, cpu_ms: (await cpuUsSince(server, cpu)) / 1000 };
  }

  /** @param size the records of each request */
  async #rate(server: ChildProcess, name: string, size: number, body: (i: number) => string): Promise<IntakeRate> {
    const count = Math.ceil((this.#options.seconds * ALLOWED_PER_SECOND * 2) / size);
    const requests = await this.#requests(count, body);
    const cpu = cpuUs(server);
    const began = performance.now();
    const { failures, failure, p50_ms, p99_ms } = await load(this.#port, requests, 4);
    if (failures > 0) throw new Error(`${name}: ${failures} requests failed, one with ${failure}`);
    await this.#merged();
    const elapsed = (performance.now() - began) / 1000;
    const bytes = requests.reduce((sum, request) => sum + request.length, 0);
    return {
      name,
      per_second: (count * size) / elapsed,
      mb_per_second: bytes / 1e6 / elapsed,
      cpu_us: (await cpuUsSince(server, cpu)) / (count * size),
      p50_ms,
      p99_ms,
    };
  }

  /** Waits until everything is merged, as the audience reports. */
  async #merged(): Promise<void> {
    for (;;) {
      const shown = await this.#send({ method: 'GET', target: this.#path(`custom_audiences/${this.#audience}`) });
      if (!shown.includes('PROCESSING')) return;
      await sleep(20);
    }
  }

  async #requests(count: number, body: (i: number) => string): Promise<Buffer[]> {
    const target = this.#path(`custom_audiences/${this.#audience}/users`);
    const requests: Buffer[] = [];
    for (let i = 0; i < count; i++) {
      requests.push(await wire(this.#credentials, { method: 'POST', target, json: body(i) }));
    }
    return requests;
  }
}

const hashOf = (record: number, part: number) => createHash('sha256').update(`${record} ${part}`).digest('hex');
const user = (record: number, identifiers: number) =>
  [
    `{"email":["${hashOf(record, 0)}"]`,
    ...(identifiers > 1 ? [`"phone_number":["${hashOf(record, 1)}"]`, `"device_id":["${hashOf(record, 2)}"]`] : []),
  ].join(',');
const operations = (first: number, type: string, identifiers: number) =>
  `[${Array.from(
    { length: OPERATIONS },
    (_, i) => `{"operation_type":"${type}","params":{"users":[${user(first + i, identifiers)}}]}}`,
  ).join(',')}]`;
const updates = (first: number, identifiers: number) => operations(first, 'Update', identifiers);
const deletes = (first: number) => operations(first, 'Delete', 1);
const packed = (first: number) =>
  `[{"operation_type":"Update","params":{"users":[${Array.from({ length: PACKED }, (_, i) => `${user(first + i, 1)}}`).join(',')}]}}]`;

/** The keys of records as `updates` names them, as the store takes them. */
function keysOf(first: number): Buffer {
  const users = Buffer.alloc(OPERATIONS * 18);
  for (let i = 0; i < OPERATIONS; i++) {
    users.writeUInt16LE(1, i * 18);
    users.writeUInt8(1, i * 18 + 2);
    users.write(hashOf(first + i, 0).slice(0, 30), i * 18 + 3, 'hex');
  }
  return users;
}

async function succeed(port: number, request: Buffer): Promise<void> {
  const answer = await once(port, request);
  if (!answer.startsWith('HTTP/1.1 200')) throw new Error(answer.slice(0, 600));
}

function idOf(answer: string): string {
  const { data }: { data: { id: string } } = JSON.parse(answer);
  return data.id;
}

/** Formats the results for people. */
export function intakeReport({ records, fill, rates, reads, allowed, memory_mb }: IntakeRow): string {
  const pair = ({ p50_ms, p99_ms }: Percentiles) => `p50 ${p50_ms.toFixed(1)}, p99 ${p99_ms.toFixed(1)} ms`;
  const lines = rates.map(
    ({ name, per_second, mb_per_second, cpu_us, p50_ms, p99_ms }) =>
      `  ${name.padEnd(24)} ${per_second.toFixed(0).padStart(8)} records/s, ${mb_per_second.toFixed(1)} MB/s, processor ${cpu_us.toFixed(2)} us a record (ceiling ${(1e6 / cpu_us).toFixed(0)}/s on one core), requests ${pair({ p50_ms, p99_ms })}`,
  );
  return [
    `intake of users into a store of ${records} records (filled at ${fill.per_second.toFixed(0)} a second without HTTP, processor ${fill.cpu_us.toFixed(2)} us a record; ${fill.bytes_per_record.toFixed(1)} bytes a record on disk)`,
    ...lines,
    `  ${allowed.sent_per_second.toFixed(0)} operations a second, as allowed: ${(allowed.cpu_share * 100).toFixed(0)} % of a core, requests ${pair(allowed.request)}`,
    `  reads of another account: quiet ${pair(reads.quiet)}, during it ${pair(reads.during)}: ratio of p99 ${(reads.during.p99_ms / reads.quiet.p99_ms).toFixed(2)} (aim: at most 2)`,
    `  memory of the server: ${memory_mb.before.toFixed(0)} MB before, ${memory_mb.peak.toFixed(0)} MB at the peak`,
    '',
  ].join('\n');
}
