/** Campaigns of an account over REST, read and written, against a bare server on the same rows. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type BenchRow, benchRow } from './bench-row.ts';
import { bodyOf, once } from './load.ts';
import { startedOnce } from './prepared.ts';
import { memoryMb, stop } from './processes.ts';
import { measureRounds, type Subject } from './rounds.ts';
import { inDirectory, type Run } from './run.ts';
import { type Credentials, type Request, wire } from './wire.ts';

function parse(answer: string): { data: { id: string } & { id: string }[] } {
  if (!answer.startsWith('HTTP/1.1 200')) throw new Error(answer);
  return JSON.parse(bodyOf(answer));
}

/** Measures one read, a full page, one creation and a batch of 40. */
export function measureCampaigns(run: Run): Promise<BenchRow[]> {
  return inDirectory(run, async (directory, processes) => {
    await startedOnce(directory, run.server);
    const { child } = await processes.startServer(run.server, directory);
    const held: Credentials = JSON.parse(readFileSync(path.join(directory, 'credentials.json'), 'utf8'));
    const port = Number(new URL(held.ads_base_url).port);
    const account = `/12/accounts/${held.account_id}`;
    const send = async (request: Request, to = port) => once(to, await wire(held, request));
    const funding = parse(await send({ method: 'GET', target: `${account}/funding_instruments` })).data[0]?.id ?? '';
    const fields = (i: number) => ({
      funding_instrument_id: funding,
      name: `Campaign ${i}`,
      daily_budget_amount_local_micro: '55000000',
    });
    for (let i = 0; i < 200; i++) await send({ method: 'POST', target: `${account}/campaigns`, form: fields(i) });
    const campaign = parse(await send({ method: 'GET', target: `${account}/campaigns?count=1` })).data[0]?.id ?? '';
    const file = path.join(directory, 'ads-production.db');
    const bare = await processes.startBare('bare-server.ts', [file, held.account_id, campaign]);
    const staged = await processes.startBare('bare-server.ts', [file, held.account_id, campaign, 'in stages']);

    let serial = 0;
    const requestsOf = (request: (i: number) => Request) => (count: number) =>
      Promise.all(Array.from({ length: count }, () => wire(held, request(serial++))));
    const subject = (name: string, aim: number, warmup: number, request: (i: number) => Request): Subject => ({
      name,
      aim,
      warmup,
      requests: requestsOf(request),
    });
    const rows: BenchRow[] = [];
    const reads: readonly (readonly [string, number, number, Request])[] = [
      ['GET one campaign', 0.9, 400, { method: 'GET', target: `${account}/campaigns/${campaign}` }],
      ['GET 200 campaigns', 1.5, 60, { method: 'GET', target: `${account}/campaigns?count=200` }],
    ];
    for (const [name, aim, warmup, request] of reads) {
      const [a, b] = [bodyOf(await send(request)), bodyOf(await send(request, bare.port))];
      if (a !== b) throw new Error(`the servers answer differently:\n${a.slice(0, 900)}\n${b.slice(0, 900)}`);
      const kept = path.join(directory, 'floor.json');
      writeFileSync(kept, a);
      const floor = await processes.startBare('bare-bytes-server.ts', [kept]);
      const targets = { ours: { child, port }, other: bare, floor };
      rows.push(
        await measureRounds(
          subject(name, aim, warmup, () => request),
          targets,
          run.effort,
        ),
      );
      rows.push(
        await measureRounds(
          { name: `both in stages: ${name}`, warmup, requests: requestsOf(() => request) },
          { ours: { child, port }, other: staged },
          run.effort,
        ),
      );
      floor.child.kill();
    }
    staged.child.kill();
    // Drafts do not count towards the limit of active campaigns, which a bench would run into.
    const draft = (i: number) => ({ ...fields(i), entity_status: 'DRAFT' });
    const batch = (i: number) =>
      JSON.stringify(
        Array.from({ length: 40 }, (_, k) => ({
          operation_type: 'Create',
          params: { ...draft(i * 40 + k), daily_budget_amount_local_micro: 55_000_000 },
        })),
      );
    const writes: readonly Subject[] = [
      {
        ...subject('POST a campaign', 0.6, 100, (i) => {
          return { method: 'POST', target: `${account}/campaigns`, form: draft(i) };
        }),
        least: 14_000,
      },
      subject('batch of 40', 1, 60, (i) => {
        return { method: 'POST', target: `/12/batch/accounts/${held.account_id}/campaigns`, json: batch(i) };
      }),
    ];
    for (const each of writes) {
      rows.push(await measureRounds(each, { ours: { child, port }, other: bare }, run.effort));
    }
    const memory = { ours: memoryMb(child, 'peak'), bare: memoryMb(bare.child, 'peak') };
    await stop(child);
    const notes = `${memory.ours.toFixed(0)} MB, the bare server ${memory.bare.toFixed(0)} MB`;
    return [...rows, benchRow({ name: 'peak memory after campaigns', notes })];
  });
}
