/** Cost of verifying a signature: the same signed requests to the same server, with and without its checks. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { BenchRow } from './bench-row.ts';
import { bodyOf, once } from './load.ts';
import { startedOnce } from './prepared.ts';
import type { Processes } from './processes.ts';
import { measureRounds, type Subject, type Target } from './rounds.ts';
import { inDirectory, type Run } from './run.ts';
import { type Credentials, type Request, wire } from './wire.ts';

interface Verifying extends Target {
  readonly held: Credentials;
  readonly campaign: string;
}

/** Verification may cost a quarter of the rest of a request. */
const MOST_COST = 0.25;

/** Measures a read and a write, on a server with and on one without its checks. */
export function measureVerification(run: Run): Promise<BenchRow[]> {
  return inDirectory(run, async (directory, processes) => {
    for (const name of ['verify', 'trust']) await startedOnce(path.join(directory, name), run.server);
    const ours = await start(run, processes, path.join(directory, 'verify'), 'verify');
    const other = await start(run, processes, path.join(directory, 'trust'), 'trust');
    const sides = { ours, other, floor: undefined };
    const rows: BenchRow[] = [];
    for (const { name, request } of kinds) {
      const subject: Subject = {
        name: `${name}, taken on trust`,
        aim: 1 / (1 + MOST_COST),
        warmup: 400,
        requests: (count, side) => {
          const target = sides[side] ?? ours;
          return Promise.all(Array.from({ length: count }, () => wire(target.held, request(target))));
        },
      };
      rows.push(await measureRounds(subject, { ours, other }, run.effort));
    }
    return rows;
  });
}

const kinds: readonly { name: string; request: (side: Verifying) => Request }[] = [
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

async function start(
  { server }: Run,
  processes: Processes,
  directory: string,
  mode: 'verify' | 'trust',
): Promise<Verifying> {
  const library = path.resolve(path.dirname(server), 'index.js');
  const { child, said: file } = await processes.startScript('trusting-server.ts', [library, directory, mode], 'stderr');
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
  return { child, held, port, campaign };
}
