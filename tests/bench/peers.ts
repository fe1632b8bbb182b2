/**
 * Servers that others mock interfaces with, each with one canned answer, beside ours, which verifies the signature and reads
 * the campaign: `npm run bench -- --only peers`. They are installed from the npm registry into the directory of the run. The Go
 * program that comes with the documented service is beside them where `--playground` names it.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '@broadside/test-servers/free-port';
import type { BenchRow } from './bench-row.ts';
import { answers, bodyOf, once } from './load.ts';
import { measurePlayground } from './playground.ts';
import type { Processes } from './processes.ts';
import { measureRounds, type Target } from './rounds.ts';
import { inDirectory, type Run } from './run.ts';
import { type Credentials, type Request, wire } from './wire.ts';

interface Peer {
  readonly name: string;
  readonly version: string;
  /** Its script below `node_modules`. */
  readonly script: string;
  readonly args: (document: string, port: number) => readonly string[];
}

const peers: readonly Peer[] = [
  {
    name: '@stoplight/prism-cli',
    version: '5.16.0',
    script: '@stoplight/prism-cli/dist/index.js',
    args: (document, port) => ['mock', '--verboseLevel', 'silent', '--port', `${port}`, document],
  },
  {
    name: '@mockoon/cli',
    version: '9.9.0',
    script: '@mockoon/cli/bin/run.js',
    args: (document, port) => [
      'start',
      '--disable-log-to-file',
      '--disable-admin-api',
      '--hostname',
      '127.0.0.1',
      '--port',
      `${port}`,
      '--data',
      document,
    ],
  },
];

/** Measures one read against each of them. */
export function measurePeers(run: Run): Promise<BenchRow[]> {
  return inDirectory(run, async (directory, processes) => {
    const packages = peers.map(({ name, version }) => `${name}@${version}`);
    execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', '--prefix', directory, ...packages], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const data = path.join(directory, 'data');
    const { child } = await processes.startServer(run.server, data);
    const held: Credentials = JSON.parse(readFileSync(path.join(data, 'credentials.json'), 'utf8'));
    const port = Number(new URL(held.ads_base_url).port);
    const account = `/12/accounts/${held.account_id}`;
    const send = async (request: Request) => bodyOf(await once(port, await wire(held, request)));
    const { data: funding }: { data: { id: string }[] } = JSON.parse(
      await send({ method: 'GET', target: `${account}/funding_instruments` }),
    );
    const form = {
      funding_instrument_id: funding[0]?.id ?? '',
      name: 'Campaign',
      entity_status: 'DRAFT',
      daily_budget_amount_local_micro: '55000000',
    };
    const { data: campaign }: { data: { id: string } } = JSON.parse(
      await send({ method: 'POST', target: `${account}/campaigns`, form }),
    );
    const request: Request = { method: 'GET', target: `${account}/campaigns/${campaign.id}` };
    const document = path.join(directory, 'canned.json');
    writeFileSync(document, JSON.stringify(documentOf(request.target, JSON.parse(await send(request)))));
    const rows: BenchRow[] = [];
    for (const peer of peers) {
      const other = await startPeer(processes, directory, peer, document);
      const requests = (count: number) => Promise.all(Array.from({ length: count }, () => wire(held, request)));
      const canned = bodyOf(await once(other.port, (await requests(1))[0] ?? Buffer.of()));
      if (idOf(canned) !== campaign.id) throw new Error(`${peer.name} answers ${canned.slice(0, 300)}`);
      const name = `GET one campaign, against ${peer.name} ${peer.version} with a canned answer`;
      const subject = { name, aim: 1, warmup: 1000, requests };
      rows.push(await measureRounds(subject, { ours: { child, port }, other }, run.effort));
      other.child.kill();
    }
    return [...rows, await measurePlayground(run, directory, processes)];
  });
}

/** The id in an answer, which some write in several lines. */
function idOf(answer: string): string | undefined {
  const { data }: { data?: { id?: string } } = JSON.parse(answer);
  return data?.id;
}

/** An OpenAPI document of one operation with one example, which both know how to serve. */
function documentOf(target: string, example: unknown) {
  // One of them looks for the example in the schema, the other beside it.
  const content = { 'application/json': { schema: { type: 'object', example }, example } };
  return {
    openapi: '3.0.3',
    info: { title: 'Canned', version: '1' },
    paths: { [target]: { get: { responses: { 200: { description: 'A campaign', content } } } } },
  };
}

async function startPeer(processes: Processes, directory: string, peer: Peer, document: string): Promise<Target> {
  const port = await freePort();
  const script = path.join(directory, 'node_modules', peer.script);
  const child = processes.start(process.execPath, [script, ...peer.args(document, port)]);
  await answers(port, peer.name);
  return { child, port };
}
