/**
 * Small reads of other interfaces: one post with a bearer token against a bare server and against one that sends the same bytes
 * from memory, and queries of tRPC against the same operation on REST.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BenchRow } from './bench-row.ts';
import { bodyOf, once } from './load.ts';
import { bearerWire, idsOf, indexed, lookupsOf } from './posts.ts';
import { seededOnce } from './prepared.ts';
import type { Processes } from './processes.ts';
import { measureRounds, type Subject } from './rounds.ts';
import { inDirectory, type Run } from './run.ts';
import { type Credentials, type Request, wire } from './wire.ts';

/** Fewer than other parts seed, where those seed many: what one read costs does not depend on it. */
const MOST_POSTS = 5000;
/** So many answers are compared before they are measured: texts, with and without media. */
const COMPARED = 50;

/** Seeds a small platform and measures reads of it. */
export function measureLookup(run: Run): Promise<readonly BenchRow[]> {
  return inDirectory(run, async (directory, processes) => {
    const posts = Math.min(MOST_POSTS, run.amounts.posts);
    seededOnce(directory, { posts, users: Math.ceil(posts / 10) });
    const { child } = await processes.startServer(run.server, directory);
    const held: Held = JSON.parse(readFileSync(path.join(directory, 'credentials.json'), 'utf8'));
    await indexed(held);
    const given = { run, directory, processes, child, held };
    return [...(await measurePost(given)), ...(await measureTrpc(given))];
  });
}

interface Held extends Credentials {
  readonly base_url: string;
  readonly bearer_token: string;
}

interface Given {
  readonly run: Run;
  readonly directory: string;
  readonly processes: Processes;
  /** The server. */
  readonly child: Awaited<ReturnType<Processes['startServer']>>['child'];
  readonly held: Held;
}

async function measurePost({ run, directory, processes, child, held }: Given): Promise<BenchRow[]> {
  const port = Number(new URL(held.base_url).port);
  const ids = idsOf(directory);
  const bare = await processes.startBare('bare-posts-server.ts', [path.join(directory, 'platform.db'), held.base_url]);
  const lookups = lookupsOf(ids);
  const whole = () => lookups().replace(/ids=(\d+)[^&]*/, 'ids=$1');
  let next = 0;
  const plain = () => `/2/posts?ids=${ids[next++ % ids.length]}`;
  const subject = (name: string, target: () => string): Subject => ({
    name,
    warmup: 300,
    requests: (count) => Array.from({ length: count }, () => bearerWire(target(), port, held.bearer_token)),
  });

  const compared = async (target: string) => {
    const asked = bearerWire(target, port, held.bearer_token);
    const [a, b] = [bodyOf(await once(port, asked)), bodyOf(await once(bare.port, asked))];
    if (a !== b) throw new Error(`the servers answer differently:\n${a.slice(0, 900)}\n${b.slice(0, 900)}`);
    return a;
  };
  for (let i = 0; i < COMPARED; i++) await compared(plain());
  const all = { ...subject('GET one post with a bearer token, all fields and expansions', whole), aim: 0.9 };
  const ours = { child, port };
  const floorOf = async (body: string) => {
    const kept = path.join(directory, 'floor.json');
    writeFileSync(kept, body);
    return processes.startBare('bare-bytes-server.ts', [kept]);
  };
  const rows: BenchRow[] = [];
  const floor = await floorOf(await compared(whole()));
  rows.push(await measureRounds(all, { ours, other: bare, floor }, run.effort));
  floor.child.kill();
  const small = await floorOf(await compared(plain()));
  const least = { ...subject('GET one post with a bearer token', plain), aim: 1 };
  rows.push(await measureRounds(least, { ours, other: bare, floor: small }, run.effort));
  bare.child.kill();
  small.child.kill();
  return rows;
}

async function measureTrpc({ run, child, held }: Given): Promise<BenchRow[]> {
  const port = Number(new URL(held.ads_base_url).port);
  const { account_id } = held;
  const account = `/12/accounts/${account_id}`;
  const send = async (request: Request) => bodyOf(await once(port, await wire(held, request)));
  const funding: { data: { id: string }[] } = JSON.parse(
    await send({ method: 'GET', target: `${account}/funding_instruments` }),
  );
  const form = {
    funding_instrument_id: funding.data[0]?.id ?? '',
    name: 'Bench',
    daily_budget_amount_local_micro: '55000000',
  };
  const made: { data: { id: string } } = JSON.parse(
    await send({ method: 'POST', target: `${account}/campaigns`, form }),
  );
  const campaign_id = made.data.id;
  const inputOf = (value: unknown) => `input=${encodeURIComponent(JSON.stringify(value))}`;
  const call = { account_id, campaign_id };
  const rest: Request = { method: 'GET', target: `${account}/campaigns/${campaign_id}` };
  const query: Request = { method: 'GET', target: `/trpc/campaigns.get?${inputOf(call)}` };
  const five = Array.from({ length: 5 }, () => 'campaigns.get');
  const batch: Request = {
    method: 'GET',
    target: `/trpc/${five.join(',')}?batch=1&${inputOf(Object.fromEntries(five.map((_, at) => [at, call])))}`,
  };
  const signed = (count: number, request: Request) =>
    Promise.all(Array.from({ length: count }, () => wire(held, request)));
  const ours = { child, port };
  const single = await measureRounds(
    {
      name: 'tRPC query of one campaign, against REST',
      aim: 0.95,
      warmup: 200,
      requests: (count, server) => signed(count, server === 'ours' ? query : rest),
    },
    { ours, other: ours },
    run.effort,
  );
  const batched = await measureRounds(
    { name: 'tRPC batch of five queries', warmup: 60, requests: (count) => signed(count, batch) },
    { ours },
    run.effort,
  );
  const each = ((batched.cpu_us ?? 0) / five.length).toFixed(0);
  return [single, { ...batched, notes: `${each} us of processor time for each query` }];
}
