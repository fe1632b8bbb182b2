/** Cost of verifying a signature: the same signed requests to the same server, with and without its checks. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bodyOf, type LoadResult, load, once } from './load.ts';
import { cpuMs } from './processes.ts';
import { type Credentials, type Request, wire } from './wire.ts';

/** One kind of request. */
export interface VerificationRow {
  readonly name: string;
  readonly verified: LoadResult;
  readonly trusted: LoadResult;
  /** Processor time of the server for one request, in microseconds. */
  readonly cpu_us: { readonly verified: number; readonly trusted: number };
  /** Relative overhead of verification: 0.25 is a quarter. By processor time, which other processes disturb least. */
  readonly cost: number;
}

interface Side {
  readonly child: ChildProcess;
  readonly directory: string;
  readonly held: Credentials;
  readonly port: number;
  readonly campaign: string;
}

/** Duration and load of a run. */
export interface VerificationOptions {
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
  /** The main file of the built server; its library lies beside it. */
  readonly server: string;
}

/** Measures a read and a write, in turn on both sides. */
export async function measureVerification(options: VerificationOptions): Promise<VerificationRow[]> {
  const sides = { verified: await start(options, 'verify'), trusted: await start(options, 'trust') };
  try {
    const rows: VerificationRow[] = [];
    for (const { name, request } of kinds) rows.push(await measure(options, sides, name, request));
    return rows;
  } finally {
    for (const { child, directory } of Object.values(sides)) {
      child.kill('SIGKILL');
      rmSync(directory, { recursive: true, force: true });
    }
  }
}

const kinds: readonly { name: string; request: (side: Side) => Request }[] = [
  {
    name: 'signed GET of one campaign',
    request: ({ held, campaign }) => ({
      method: 'GET',
      target: `/12/accounts/${held.account_id}/campaigns/${campaign}`,
    }),
  },
  {
    name: 'signed POST of a draft',
    request: ({ held }) => ({ method: 'POST', target: `/12/accounts/${held.account_id}/campaigns`, form: draft(held) }),
  },
];

const fundings = new Map<string, string>();

function draft({ account_id }: Credentials): Readonly<Record<string, string>> {
  return {
    funding_instrument_id: fundings.get(account_id) ?? '',
    name: 'Campaign',
    daily_budget_amount_local_micro: '55000000',
    entity_status: 'DRAFT',
  };
}

async function start({ server }: VerificationOptions, mode: 'verify' | 'trust'): Promise<Side> {
  const directory = mkdtempSync(path.join(tmpdir(), 'broadside-verification-'));
  const library = path.resolve(path.dirname(server), 'index.js');
  const child = spawn(
    process.execPath,
    [path.join(import.meta.dirname, 'trusting-server.ts'), library, directory, mode],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const file = await new Promise<string>((resolve, reject) => {
    child.stderr?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
    child.once('exit', (code) => reject(new Error(`the server of the verification bench ended with ${code}`)));
  });
  const held: Credentials = JSON.parse(readFileSync(file, 'utf8'));
  const port = Number(new URL(held.ads_base_url).port);
  const send = async (request: Request) => {
    const answer = await once(port, await wire(held, request));
    if (!answer.startsWith('HTTP/1.1 200')) throw new Error(answer);
    const body: { data: { id: string } & { id: string }[] } = JSON.parse(bodyOf(answer));
    return body.data;
  };
  const account = `/12/accounts/${held.account_id}`;
  const [funding] = await send({ method: 'GET', target: `${account}/funding_instruments` });
  fundings.set(held.account_id, funding?.id ?? '');
  const { id: campaign } = await send({ method: 'POST', target: `${account}/campaigns`, form: draft(held) });
  return { child, directory, held, port, campaign };
}

async function measure(
  { seconds, rounds, connections }: VerificationOptions,
  { verified, trusted }: { readonly verified: Side; readonly trusted: Side },
  name: string,
  request: (side: Side) => Request,
): Promise<VerificationRow> {
  const run = async (side: Side, count: number) => {
    const bytes = await Promise.all(Array.from({ length: count }, () => wire(side.held, request(side))));
    const before = cpuMs(side.child);
    const result = await load(side.port, bytes, connections);
    const cpu_us = ((cpuMs(side.child) - before) * 1000) / count;
    if (result.failures > 0) throw new Error(`${name}: ${result.failures} requests failed, one with ${result.failure}`);
    return { ...result, cpu_us };
  };
  const { per_second } = await run(trusted, 4000);
  await run(verified, 4000);
  const results: Omit<VerificationRow, 'name'>[] = [];
  for (let round = 0; round < rounds; round++) {
    const count = Math.ceil((per_second * seconds) / rounds);
    const pair = { verified: await run(verified, count), trusted: await run(trusted, count) };
    const cpu_us = { verified: pair.verified.cpu_us, trusted: pair.trusted.cpu_us };
    results.push({ ...pair, cpu_us, cost: cpu_us.verified / cpu_us.trusted - 1 });
  }
  results.sort((a, b) => a.cost - b.cost);
  const median = results[Math.floor(results.length / 2)];
  if (!median) throw new Error('a bench needs a round');
  return { name, ...median };
}
