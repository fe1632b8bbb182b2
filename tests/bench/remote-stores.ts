/**
 * Stores on a real libSQL server against files: processor time of the server for each request, and creations in a second with a network in
 * between. To be run by itself: `node --conditions=@broadside/source tests/bench/remote-stores.ts`.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Client, createClient } from '@broadside/client';
import { startProxy } from '@broadside/test-servers/proxy';
import { sqldMissing, startSqld } from '@broadside/test-servers/sqld';
import { ServerProcess } from '../src/support/server-process.ts';

/** Milliseconds of a server's processor for one request, at most. */
const AIMS = { GET: 1.5, POST: 3, batch: 25 } as const;
const POSTS_A_SECOND = 300;
const AT_ONCE = 32;

const missing = sqldMissing();
if (missing !== undefined) {
  process.stdout.write(`not measured: ${missing}\n`);
  process.exit(0);
}

const directory = mkdtempSync(path.join(tmpdir(), 'broadside-remote-bench-'));
const closers: (() => Promise<unknown>)[] = [];

/** Servers of the three stores, each behind a network of its own. */
async function stores() {
  const names = ['BROADSIDE_DATABASE_URL', 'BROADSIDE_ADS_DATABASE_URL', 'BROADSIDE_SANDBOX_DATABASE_URL'] as const;
  const started = await Promise.all(
    names.map(async (name) => {
      const server = await startSqld({ directory: path.join(directory, name) });
      const proxy = await startProxy(server.port);
      closers.push(
        () => proxy.close(),
        () => server.close(),
      );
      return { name, proxy, server };
    }),
  );
  return {
    env: Object.fromEntries(started.map(({ name, proxy }) => [name, `http://127.0.0.1:${proxy.port}`])),
    delay: (ms: number) => {
      for (const { proxy } of started) proxy.delay(ms);
    },
  };
}

/** Processor time of a process so far, in milliseconds. Linux counts hundredths of a second. */
function cpuMs(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

interface Stage {
  readonly pid: number;
  readonly get: () => Promise<unknown>;
  readonly post: () => Promise<unknown>;
  readonly batch: () => Promise<unknown>;
}

async function start(name: string, env: Readonly<Record<string, string>>): Promise<Stage> {
  const server = await ServerProcess.start(path.join(directory, name), env);
  closers.push(() => server.end('SIGTERM'));
  const client: Client = createClient(server.credentials, { environment: 'sandbox', retry: false });
  const account = await client.accounts.create();
  const account_id = account.id;
  const instrument = await client.funding_instruments.create({
    account_id,
    currency: 'USD',
    type: 'CREDIT_CARD',
    start_time: '2026-01-01T00:00:00Z',
  });
  let made = 0;
  const params = () => {
    made += 1;
    return {
      funding_instrument_id: instrument.id,
      name: `c${made}`,
      daily_budget_amount_local_micro: 1_000_000,
      entity_status: 'DRAFT' as const,
    };
  };
  const first = await client.campaigns.create({ account_id, ...params() });
  const { pid } = server;
  if (pid === undefined) throw new Error('the server has no process');
  return {
    pid,
    get: () => client.campaigns.get({ account_id, campaign_id: first.id }),
    post: () => client.campaigns.create({ account_id, ...params() }),
    batch: () =>
      client.campaigns.batch({
        account_id,
        operations: Array.from({ length: 40 }, () => ({ operation_type: 'Create', params: params() })),
      }),
  };
}

/** Runs a work so often, some at once. @returns milliseconds of the processor and of the clock for each */
async function measure(pid: number, times: number, atOnce: number, work: () => Promise<unknown>) {
  for (let i = 0; i < Math.min(60, times / 4); i += 1) await work();
  const cpu = cpuMs(pid);
  const began = performance.now();
  let left = times;
  const line = async () => {
    while (left > 0) {
      left -= 1;
      await work();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, line));
  return { cpu_ms: (cpuMs(pid) - cpu) / times, ms: (performance.now() - began) / times };
}

function report(name: string, figure: string, aim: string): void {
  process.stdout.write(`${name.padEnd(34)} ${figure.padStart(16)}   ${aim}\n`);
}

try {
  const far = await stores();
  const stages = { files: await start('files', {}), sqld: await start('sqld', far.env) };
  for (const [name, { pid, get, post, batch }] of Object.entries(stages)) {
    const works = [
      ['GET', 600, get],
      ['POST', 400, post],
      ['batch', 30, batch],
    ] as const;
    for (const [kind, times, work] of works) {
      const { cpu_ms } = await measure(pid, times, kind === 'batch' ? 1 : 8, work);
      report(`${kind} over ${name}`, `${cpu_ms.toFixed(2)} ms`, `processor of the server, aim ${AIMS[kind]} ms`);
    }
  }
  far.delay(0.5);
  for (const [kind, times, work] of [
    ['GET', 300, stages.sqld.get],
    ['POST', 300, stages.sqld.post],
  ] as const) {
    const { ms } = await measure(stages.sqld.pid, times, 1, work);
    report(`${kind}, 1 ms of network, one at a time`, `${ms.toFixed(1)} ms`, '');
  }
  const { ms } = await measure(stages.sqld.pid, 1000, AT_ONCE, stages.sqld.post);
  report(`POSTs, 1 ms of network, ${AT_ONCE} at once`, `${(1000 / ms).toFixed(0)} a second`, `aim ${POSTS_A_SECOND}`);
} finally {
  for (const close of closers.reverse()) await close();
  rmSync(directory, { recursive: true, force: true });
}
