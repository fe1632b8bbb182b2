/** Bodies of the largest size that the advertising interface takes: users of an audience, against a bare server that stores as many. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { MAX_BODY_BYTES } from '@broadside/core/wire';
import type { BenchRow } from './bench-row.ts';
import { bodyOf, once } from './load.ts';
import { startedOnce } from './prepared.ts';
import { measureRounds, type Subject } from './rounds.ts';
import { inDirectory, type Run } from './run.ts';
import { type Credentials, wire } from './wire.ts';

/** More at once would measure how long they wait for each other. */
const CONNECTIONS = 4;
/** Requests of a round: each keeps 5 MB of the generator's memory. */
const MOST = 20;

/** Measures requests of five million bytes. */
export function measureLargeBodies(run: Run): Promise<readonly BenchRow[]> {
  return inDirectory(run, async (directory, processes) => {
    await startedOnce(directory, run.server);
    const { child } = await processes.startServer(run.server, directory);
    const held: Credentials = JSON.parse(readFileSync(path.join(directory, 'credentials.json'), 'utf8'));
    const port = Number(new URL(held.ads_base_url).port);
    const audiences = `/12/accounts/${held.account_id}/custom_audiences`;
    const created = await once(port, await wire(held, { method: 'POST', target: `${audiences}?name=Large` }));
    const { data: audience }: { data: { id: string } } = JSON.parse(bodyOf(created));
    const bare = await processes.startBare('bare-bodies-server.ts', [path.join(directory, 'users.log')]);
    const json = usersOf(MAX_BODY_BYTES);
    const target = `${audiences}/${audience.id}/users`;
    const request = () => wire(held, { method: 'POST', target, json });
    const subject: Subject = {
      name: `POST ${(json.length / 1e6).toFixed(1)} MB of users`,
      warmup: CONNECTIONS,
      most: Math.min(MOST, Math.max(CONNECTIONS, Math.ceil(run.effort.seconds * MOST))),
      requests: (count) => Promise.all(Array.from({ length: count }, request)),
    };
    const effort = { ...run.effort, connections: CONNECTIONS };
    return [await measureRounds(subject, { ours: { child, port }, other: bare }, effort)];
  });
}

/** One operation with as many users as fit. */
function usersOf(size: number): string {
  const before = '[{"operation_type":"Update","params":{"users":[';
  const after = ']}}]';
  const one = (i: number) => `{"email":["${createHash('sha256').update(`${i}`).digest('hex')}"]}`;
  const count = Math.floor((size - before.length - after.length) / (one(0).length + 1));
  return before + Array.from({ length: count }, (_, i) => one(i)).join() + after;
}
