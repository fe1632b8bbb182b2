/**
 * Lists of an account with a thousand to a million campaigns: each order, prefixes, filters, deep pages, drafts and counts, over
 * HTTP. A ratio is the processor time of a size against that of the smallest. To be run by itself:
 *
 *     node tests/bench/sizes.ts --sizes 1000,10000,100000,1000000
 */
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { encodeCursor } from '@broadside/core';
import { campaignSortable } from '@broadside/core/resources/campaigns';
import Database from 'libsql';
import { readOptions } from '../../tooling/scripts/options.mjs';
import { bodyOf, load, once } from './load.ts';
import { startedOnce } from './prepared.ts';
import { cpuUs, cpuUsSince, Processes, stop } from './processes.ts';
import { median } from './rounds.ts';
import { type Credentials, type Request, wire } from './wire.ts';

/** Results of one request at one size. */
export interface SizeRow {
  readonly name: string;
  /** Whether it costs as much as there are rows, as ADR 0018 says, and not the same at all sizes. */
  readonly isUnbounded: boolean;
  /** Number of campaigns. */
  readonly size: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** Processor time of the server for one request. */
  readonly cpu_us: number;
  /** Processor time against that of the smallest size. */
  readonly ratio: number;
}

export interface SizeOptions {
  readonly sizes: readonly number[];
  /** Requests of each kind in each of the rounds; at most as many as pages have lengths. */
  readonly requests: number;
  readonly rounds: number;
  /** The main file of the built server. */
  readonly server: string;
}

/** A kind of request. */
interface Subject {
  readonly name: string;
  /** Returns the path and query of a request by its number: pages of a round have different lengths, so that none is answered from memory. */
  readonly target: (serial: number) => string;
  /** It costs as much as there are rows, so it is asked for rarely. */
  readonly isUnbounded?: true;
}

/** A server with a number of campaigns. */
interface Store {
  readonly size: number;
  readonly child: ChildProcess;
  readonly held: Credentials;
  readonly subjects: readonly Subject[];
  /** The campaign that changes. */
  readonly changed: string;
}

/** Measures all kinds of requests at all sizes, in rounds in which each size has its turn. */
export async function measureSizes(options: SizeOptions): Promise<readonly SizeRow[]> {
  const directories = options.sizes.map(() => mkdtempSync(path.join(tmpdir(), 'broadside-sizes-')));
  const processes = new Processes();
  try {
    const stores: Store[] = [];
    for (const [index, size] of options.sizes.entries()) {
      stores.push(await openStore(processes, options.server, directories[index] ?? '', size));
    }
    return await measure(stores, options);
  } finally {
    processes.kill();
    for (const directory of directories) rmSync(directory, { recursive: true, force: true });
  }
}

async function openStore(processes: Processes, server: string, directory: string, size: number): Promise<Store> {
  await startedOnce(directory, server);
  const first = await processes.startServer(server, directory);
  const credentials = (): Credentials => JSON.parse(readFileSync(path.join(directory, 'credentials.json'), 'utf8'));
  const { account_id } = credentials();
  const held = credentials();
  const [instrument] = (await send(held, { method: 'GET', target: `/12/accounts/${account_id}/funding_instruments` }))
    .data;
  const form = { funding_instrument_id: instrument.id, name: 'Model', daily_budget_amount_local_micro: '1000000' };
  const target = `/12/accounts/${account_id}/campaigns`;
  const { id: changed } = (await send(held, { method: 'POST', target, form })).data;
  await stop(first.child);
  const subjects = fill(path.join(directory, 'ads-production.db'), account_id, size);
  const { child } = await processes.startServer(server, directory);
  return { size, child, held: credentials(), subjects, changed };
}

/**
 * Makes campaigns of the one that is there: a twentieth deleted, the newest eleventh drafts, names in no order, ten funding
 * instruments, and budgets of which some are missing: the total budget where `standard_delivery` is.
 */
function fill(file: string, account_id: string, size: number): readonly Subject[] {
  const database = new Database(file);
  database.exec('PRAGMA cache_size = -256000');
  const columns = database.prepare("SELECT name FROM pragma_table_info('campaigns')").raw(true).all();
  const made: Readonly<Record<string, string>> = {
    id: `printf('m%x', i)`,
    seq: 'i + 1000000',
    created_at: `strftime('%Y-%m-%dT%H:%M:%fZ', 1767225600 + i / 100.0, 'unixepoch')`,
    updated_at: `strftime('%Y-%m-%dT%H:%M:%fZ', 1767225600 + ((i * 7919) % ${size}) / 100.0, 'unixepoch')`,
    deleted: 'i % 20 = 0',
    entity_status: `CASE WHEN i > ${size} * 0.91 THEN 'DRAFT' ELSE 'PAUSED' END`,
    name: NAME(size),
    name_folded: `lower(${NAME(size)})`,
    name_collated: `lower(${NAME(size)})`,
    funding_instrument_id: `CASE WHEN i % 10 = 0 THEN "funding_instrument_id" ELSE printf('f%d', i % 10) END`,
    daily_budget_amount_local_micro: 'CASE WHEN i % 4 = 1 THEN NULL ELSE ((i * 37) % 500 + 1) * 1000000 END',
    total_budget_amount_local_micro: 'CASE WHEN i % 3 = 0 THEN NULL ELSE ((i * 41) % 900 + 1) * 9000000 END',
    standard_delivery: 'CASE i % 3 WHEN 0 THEN NULL ELSE i % 3 - 1 END',
  };
  const names = columns.map((row) => String(Array.isArray(row) ? row[0] : ''));
  const began = performance.now();
  database.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${size})
    INSERT INTO campaigns (${names.map((name) => `"${name}"`).join()})
    SELECT ${names.map((name) => made[name] ?? `"${name}"`).join()} FROM n CROSS JOIN
      (SELECT * FROM campaigns WHERE account_id = '${account_id}' AND name = 'Model')`);
  const seconds = (performance.now() - began) / 1000;
  if (process.stderr.isTTY) process.stderr.write(`${size} campaigns in ${seconds.toFixed(1)} s\n`);
  const subjects = subjectsOf(database, account_id, size);
  database.close();
  return subjects;
}

const NAME = (size: number) =>
  `CASE WHEN i % (${size} / 20) = 7 THEN 'Rare ' || i WHEN i % 10 = 3 THEN 'Sale ' || ((i * 7919) % ${size})
    WHEN i % 10 = 4 THEN 'summer ' || i ELSE printf('Campaign %07d', (i * 7919) % ${size}) END`;

function subjectsOf(database: Database.Database, account_id: string, size: number): readonly Subject[] {
  const campaigns = `/12/accounts/${account_id}/campaigns`;
  const list = (query: string) => (serial: number) =>
    `${campaigns}?count=${LONGEST_PAGE - (serial % LENGTHS)}${query === '' ? '' : `&${query}`}`;
  const some = (count: number) =>
    Array.from({ length: count }, (_, i) => `m${(1 + Math.floor((i * size) / count)).toString(16)}`);
  /** Cursors of the default order and by name, from the middle on. */
  const deep = (sort: string, column: string, descending: boolean) => {
    const rows = database
      .prepare(`SELECT "${column}", "seq" FROM campaigns WHERE account_id = ? AND deleted = 0 AND entity_status <> 'DRAFT'
        ORDER BY 1 ${descending ? 'DESC' : 'ASC'}, 2 ${descending ? 'DESC' : 'ASC'} LIMIT 10 OFFSET ${Math.floor(size / 2)}`)
      .raw(true)
      .safeIntegers(true)
      .all(account_id);
    const order = `${column}-${descending ? 'desc' : 'asc'}`;
    const pages = rows.map((row) =>
      list(`sort_by=${sort}&cursor=${encodeCursor({ order, after: row as (string | bigint)[] })}`),
    );
    return (serial: number) => inTurn(pages, serial)(serial);
  };
  const one = (name: string, query: string): Subject => ({ name, target: list(query) });
  const ids = some(1000);
  return [
    { name: 'one', target: (serial) => `${campaigns}/${inTurn(ids, serial)}?with_deleted=true` },
    one('first page, behind drafts', ''),
    { name: 'deep page', target: deep('created_at-desc', 'created_at', true) },
    { name: 'deep page by name', target: deep('name-asc', 'name_collated', false) },
    ...campaignSortable.flatMap((attribute) =>
      ['asc', 'desc'].map((direction) => one(`sort_by=${attribute}-${direction}`, `sort_by=${attribute}-${direction}`)),
    ),
    one('sort_by two, with ties', 'sort_by=standard_delivery-desc,name-asc'),
    one('sort_by three, with ties', 'sort_by=standard_delivery-asc,daily_budget_amount_local_micro-desc,name-asc'),
    {
      ...one(
        'sort_by three, all ties at the far end',
        'sort_by=standard_delivery-asc,total_budget_amount_local_micro-desc,name-asc',
      ),
      isUnbounded: true,
    },
    one('with_draft', 'with_draft=true'),
    one('with_deleted', 'with_deleted=true'),
    one('with both', 'with_draft=true&with_deleted=true'),
    one('with both, by name', 'with_draft=true&with_deleted=true&sort_by=name-asc'),
    one('with_deleted, by deleted', 'with_deleted=true&sort_by=deleted-desc'),
    one('q common', 'q=campaign'),
    one('q a tenth', 'q=sale'),
    one('q rare', 'q=rare'),
    one('q none', 'q=zzz'),
    one('q common, by name', 'q=CAMPAIGN&sort_by=name-asc'),
    one('q rare, by name', 'q=rare&sort_by=name-desc'),
    one('one funding instrument', 'funding_instrument_ids=f1'),
    one('3 funding instruments', 'funding_instrument_ids=f1,f2,f3'),
    one('3 funding instruments, by name', 'funding_instrument_ids=f1,f2,f3&sort_by=name-asc'),
    one('no such funding instrument', 'funding_instrument_ids=none'),
    one('funding instrument and q', 'funding_instrument_ids=f3&q=sale'),
    one('funding instrument, with both', 'funding_instrument_ids=f1&with_draft=true&with_deleted=true'),
    one('200 campaign_ids', `with_draft=true&with_deleted=true&campaign_ids=${some(200).join()}`),
    one('200 campaign_ids, by name', `sort_by=name-asc&with_draft=true&campaign_ids=${some(200).join()}`),
    one('total count', 'with_total_count=true'),
    one('total count, with both', 'with_total_count=true&with_draft=true&with_deleted=true'),
    one('total count of funding instruments', 'with_total_count=true&funding_instrument_ids=f1,f2'),
    one('total count of q', 'with_total_count=true&q=sale'),
  ];
}

const portOf = (held: Credentials) => Number(new URL(held.ads_base_url).port);

/** Sends a request. @returns the answer @throws Error when it is not a success */
async function send(held: Credentials, request: Request) {
  const answer = await once(portOf(held), await wire(held, request));
  if (!answer.startsWith('HTTP/1.1 200')) throw new Error(answer);
  return JSON.parse(bodyOf(answer));
}

/** Changes a campaign, so that no list of the account is in memory. */
async function change({ held, changed }: Store): Promise<void> {
  const target = `/12/accounts/${held.account_id}/campaigns/${changed}`;
  await send(held, { method: 'PUT', target, form: { purchase_order_number: randomUUID() } });
}

function inTurn<T>(all: readonly T[], serial: number): T {
  const one = all[serial % all.length];
  if (one === undefined) throw new TypeError('nothing to take in turn');
  return one;
}

/** The longest page. An account of a thousand fills it, but for lists that find few at any size. */
const LONGEST_PAGE = 80;
/** Pages of so many lengths are asked for, one after the other. */
const LENGTHS = 60;

/** So many times the requests of a round are sent before the first kind is measured, so that the code that all use is compiled. */
const WARMING_ROUNDS = 160;
/** The requests of a round of a kind that costs as much as there are rows. */
const FEW = 2;

async function measure(stores: readonly Store[], { rounds, ...options }: SizeOptions): Promise<readonly SizeRow[]> {
  const requests = Math.min(options.requests, LENGTHS);
  let serial = 0;
  const ask = async ({ child, held, subjects }: Store, count: number, subjectOf: (i: number) => number) => {
    const signed = await Promise.all(
      Array.from({ length: count }, (_, i) =>
        wire(held, { method: 'GET', target: inTurn(subjects, subjectOf(i)).target(serial + i) }),
      ),
    );
    const before = cpuUs(child);
    const { failures, failure, p50_ms, p99_ms } = await load(portOf(held), signed, 1);
    if (failures > 0) throw new Error(`a request over ${held.account_id} failed: ${failure}`);
    return { cpu: (await cpuUsSince(child, before)) / count, p50_ms, p99_ms };
  };
  const kinds = (stores[0]?.subjects ?? []).map((subject, index) => ({ ...subject, index }));
  const bounded = kinds.filter(({ isUnbounded }) => !isUnbounded);
  for (const store of stores) await ask(store, requests * WARMING_ROUNDS, (i) => inTurn(bounded, i).index);
  const rows: SizeRow[] = [];
  for (const { name, index, isUnbounded = false } of kinds) {
    const taken: Awaited<ReturnType<typeof ask>>[][] = [];
    for (let round = 0; round <= rounds; round++) {
      const all: (typeof taken)[number] = [];
      for (const store of stores) {
        await change(store);
        all.push(await ask(store, isUnbounded ? FEW : requests, () => index));
      }
      serial += requests;
      // The first round prepares the statement of a list.
      if (round > 0) taken.push(all);
    }
    for (const [at, { size }] of stores.entries()) {
      const all = taken.flatMap((round) => round[at] ?? []);
      rows.push({
        name,
        isUnbounded,
        size,
        p50_ms: median(all.map(({ p50_ms }) => p50_ms)),
        p99_ms: median(all.map(({ p99_ms }) => p99_ms)),
        cpu_us: median(all.map(({ cpu }) => cpu)),
        ratio: median(taken.flatMap(({ [0]: least, [at]: one }) => (least && one ? one.cpu / least.cpu : []))),
      });
    }
  }
  return rows;
}

/** A table for people: processor time at each size, and the ratio of the largest. */
export function sizesReport(rows: readonly SizeRow[]): string {
  const sizes = [...new Set(rows.map(({ size }) => size))];
  const lines = [...Map.groupBy(rows, ({ name }) => name)].map(([name, all]) => {
    const cells = all.map(
      ({ cpu_us, p50_ms, p99_ms }) => `${cpu_us.toFixed(0)} us (${p50_ms.toFixed(1)}, ${p99_ms.toFixed(1)} ms)`,
    );
    return `| ${[name, ...cells, (all.at(-1)?.ratio ?? 0).toFixed(2)].join(' | ')} |`;
  });
  const head = ['Request', ...sizes.map((size) => `${size}: processor time (p50, p99)`), 'Ratio'];
  return [`| ${head.join(' | ')} |`, `|${'---|'.repeat(head.length)}`, ...lines, ''].join('\n');
}

if (import.meta.main) {
  const values = readOptions({
    options: {
      sizes: { type: 'string', default: '1000,30000' },
      requests: { type: 'string', default: '60' },
      rounds: { type: 'string', default: '3' },
      server: { type: 'string', default: 'apps/server/dist/main.js' },
    },
  });
  const sizes = values.sizes.split(',').map(Number);
  const { server } = values;
  const rows = await measureSizes({ sizes, requests: Number(values.requests), rounds: Number(values.rounds), server });
  process.stdout.write(sizesReport(rows));
}
