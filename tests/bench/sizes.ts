/**
 * Lists of an account with a thousand to a million campaigns: each order, prefixes, filters, deep pages, drafts and counts, over
 * HTTP. A ratio is the processor time of a size against that of the smallest. To be run by itself:
 *
 *     node tests/bench/sizes.ts --sizes 1000,10000,100000,1000000
 */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { encodeCursor } from '@broadside/core';
import { campaignSortable } from '@broadside/core/resources/campaigns';
import Database from 'libsql';
import { readOptions } from '../../tooling/scripts/options.mjs';
import { bodyOf, load, once } from './load.ts';
import { startedOnce } from './prepared.ts';
import { cpuUs, Processes, stop } from './processes.ts';
import { type Credentials, wire } from './wire.ts';

/** Results of one request at one size. */
export interface SizeRow {
  readonly name: string;
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
  /** Requests of each kind in each of the rounds. */
  readonly requests: number;
  readonly rounds: number;
  /** The main file of the built server. */
  readonly server: string;
}

/** A kind of request. */
interface Subject {
  readonly name: string;
  /** Paths with queries below the account, asked for in turn. */
  readonly targets: readonly string[];
}

/** A server with a number of campaigns. */
interface Store {
  readonly size: number;
  readonly child: ChildProcess;
  readonly held: Credentials;
  readonly subjects: readonly Subject[];
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
  const port = (held: Credentials) => Number(new URL(held.ads_base_url).port);
  const held = credentials();
  const send = async (method: 'GET' | 'POST', target: string, form?: Readonly<Record<string, string>>) =>
    JSON.parse(bodyOf(await once(port(held), await wire(held, { method, target, ...(form ? { form } : {}) }))));
  const [instrument] = (await send('GET', `/12/accounts/${account_id}/funding_instruments`)).data;
  const form = { funding_instrument_id: instrument.id, name: 'Model', daily_budget_amount_local_micro: '1000000' };
  await send('POST', `/12/accounts/${account_id}/campaigns`, form);
  await stop(first.child);
  const subjects = fill(path.join(directory, 'ads-production.db'), account_id, size);
  const { child } = await processes.startServer(server, directory);
  return { size, child, held: credentials(), subjects };
}

/**
 * Makes campaigns of the one that is there: a twentieth deleted, the newest eleventh drafts, names in no order, ten funding
 * instruments, and budgets of which a third is missing.
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
    daily_budget_amount_local_micro: 'CASE WHEN i % 3 = 0 THEN NULL ELSE ((i * 37) % 500 + 1) * 1000000 END',
    total_budget_amount_local_micro: 'CASE WHEN i % 3 = 1 THEN NULL ELSE ((i * 41) % 900 + 1) * 9000000 END',
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
  const list = (query: string) => `${campaigns}?${query}`;
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
    return rows.map((row) =>
      list(`sort_by=${sort}&cursor=${encodeCursor({ order, after: row as (string | bigint)[] })}`),
    );
  };
  const one = (name: string, query: string): Subject => ({ name, targets: [list(query)] });
  return [
    { name: 'one', targets: some(50).map((id) => `${campaigns}/${id}?with_deleted=true`) },
    one('first page, behind drafts', ''),
    { name: 'deep page', targets: deep('created_at-desc', 'created_at', true) },
    { name: 'deep page by name', targets: deep('name-asc', 'name_collated', false) },
    ...campaignSortable.flatMap((attribute) =>
      ['asc', 'desc'].map((direction) => one(`sort_by=${attribute}-${direction}`, `sort_by=${attribute}-${direction}`)),
    ),
    one('sort_by two, with ties', 'sort_by=standard_delivery-desc,name-asc'),
    one('sort_by three, with ties', 'sort_by=standard_delivery-asc,daily_budget_amount_local_micro-desc,name-asc'),
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

async function measure(stores: readonly Store[], { requests, rounds }: SizeOptions): Promise<readonly SizeRow[]> {
  const rows: SizeRow[] = [];
  for (const [index, { name }] of (stores[0]?.subjects ?? []).entries()) {
    const taken = stores.map((): { cpu: number; p50: number; p99: number }[] => []);
    for (let round = 0; round <= rounds; round++) {
      for (const [at, { child, held, subjects }] of stores.entries()) {
        const targets = subjects[index]?.targets ?? [];
        const signed = await Promise.all(
          Array.from({ length: requests }, (_, i) =>
            wire(held, { method: 'GET', target: targets[i % targets.length] ?? '' }),
          ),
        );
        const before = cpuUs(child);
        const result = await load(Number(new URL(held.ads_base_url).port), signed, 1);
        const cpu = (cpuUs(child) - before) / requests;
        if (result.failures > 0) throw new Error(`${name}: ${result.failure}`);
        // The first round warms up.
        if (round > 0) taken[at]?.push({ cpu, p50: result.p50_ms, p99: result.p99_ms });
      }
    }
    const middle = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
    const cpus = taken.map((all) => middle(all.map(({ cpu }) => cpu)));
    for (const [at, { size }] of stores.entries()) {
      const cpu_us = cpus[at] ?? 0;
      const all = taken[at] ?? [];
      const [p50_ms, p99_ms] = [middle(all.map(({ p50 }) => p50)), middle(all.map(({ p99 }) => p99))];
      rows.push({ name, size, p50_ms, p99_ms, cpu_us, ratio: cpu_us / (cpus[0] || 1) });
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
