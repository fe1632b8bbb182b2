/**
 * One round of the test of faults: writers create and rename campaigns over signed HTTP while calls to the file system fail
 * now and then; the server is killed and starts again on a sound disk. What it acknowledged must be there, what it answered
 * with 503 must not, and what it answered with 500 may be either, but not half.
 */
import { strict as assert } from 'node:assert';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Chance, chanceOf, Session } from '../crash/session.ts';
import { idOf, member } from '../src/support/body.ts';
import { ServerProcess } from '../src/support/server-process.ts';
import { type FaultControl, faults } from './control.ts';

/** Results of a round. */
export interface FaultFigures {
  readonly acknowledged: number;
  /** Answers with 503. */
  readonly rejected: number;
  /** Answers with 500, or none. */
  readonly unknown: number;
  /** Reads that were answered while calls failed. */
  readonly reads: number;
  /** Calls that failed. */
  readonly injected: number;
}

const WRITERS = 4;
const ROUND_MS = 2500;

/** The knowledge of a writer: the names that a campaign can have, by its id; and names of campaigns that may or must not exist. */
interface Known {
  readonly names: Map<string, Set<string>>;
  readonly possible: Set<string>;
  readonly impossible: Set<string>;
}

interface Counts {
  acknowledged: number;
  rejected: number;
  unknown: number;
  reads: number;
}

/** Plays a round on a data directory, which may hold those of earlier rounds. @throws AssertionError */
export async function playFaults(directory: string, control: FaultControl, seed: number): Promise<FaultFigures> {
  const chance = chanceOf(seed);
  control.set(0, 0);
  const failed = control.injected;
  const server = await ServerProcess.start(directory, control.environment(directory));
  const session = await openAccount(server);
  const known: Known = { names: new Map(), possible: new Set(), impossible: new Set() };
  const counts: Counts = { acknowledged: 0, rejected: 0, unknown: 0, reads: 0 };
  const until = performance.now() + ROUND_MS;
  let isKilled = false;
  const work = Array.from({ length: WRITERS }, (_, i) =>
    write(session, known, counts, { prefix: `${seed}-${i}`, chance: chanceOf(seed * 10 + i), isOver: () => isKilled }),
  );
  // A slow machine may take long until something was acknowledged, and something failed.
  while (performance.now() < until || counts.acknowledged === 0 || control.injected === failed) {
    control.set(1 + Math.floor(chance() * 15), [30, 200, 1000][Math.floor(chance() * 3)] ?? 0);
    await sleep(50 + chance() * 300);
    control.set(0, 0);
    await sleep(chance() * 200);
  }
  // Half of the servers die on a disk that fails.
  if (chance() < 0.5) control.set(faults.writeError | faults.syncError, 500);
  isKilled = true;
  await server.end('SIGKILL');
  await Promise.all(work);
  control.set(0, 0);
  // Where nonces could not be logged, the next half minute is rejected: not to be waited for in each round.
  rmSync(path.join(directory, 'nonces'), { recursive: true });
  await check(directory, session, known);
  return { ...counts, injected: control.injected - failed };
}

async function openAccount(server: ServerProcess): Promise<Session> {
  const bare = new Session(server, '', '');
  const account_id = idOf(await bare.ok({ method: 'POST', path: '/12/accounts' }));
  const query = { type: 'PARTNER_MANAGED', currency: 'USD', start_time: '2026-01-01' };
  const funding = `/12/accounts/${account_id}/funding_instruments`;
  return new Session(server, account_id, idOf(await bare.ok({ method: 'POST', path: funding, query })));
}

interface Writing {
  /** The beginning of the names that no other writer uses. */
  readonly prefix: string;
  readonly chance: Chance;
  /** Whether the server is being killed. */
  readonly isOver: () => boolean;
}

async function write(
  session: Session,
  known: Known,
  counts: Counts,
  { prefix, chance, isOver }: Writing,
): Promise<void> {
  const campaigns = `/12/accounts/${session.account_id}/campaigns`;
  const own: string[] = [];
  for (let turn = 0; !isOver(); turn += 1) {
    const name = `${prefix}-${turn}`;
    // An account has up to 200 active campaigns.
    const id = own.length === 40 || chance() < 0.5 ? own[Math.floor(chance() * own.length)] : undefined;
    const before = id === undefined ? undefined : (known.names.get(id) ?? new Set());
    const request =
      id === undefined
        ? { method: 'POST', path: campaigns, query: { funding_instrument_id: session.funding_instrument_id, name } }
        : { method: 'PUT', path: `${campaigns}/${id}`, query: { name } };
    const answer = await session.send(await session.sign(request)).catch(() => undefined);
    if (answer === undefined || answer.status === 500) {
      counts.unknown += 1;
      if (before === undefined) known.possible.add(name);
      else before.add(name);
    } else if (answer.status === 503) {
      counts.rejected += 1;
      if (before === undefined) known.impossible.add(name);
    } else {
      assert.equal(answer.status, 200, answer.text);
      counts.acknowledged += 1;
      const stored = idOf(answer.body);
      if (id === undefined) own.push(stored);
      known.names.set(stored, new Set([name]));
    }
    const [seen] = own;
    if (seen === undefined) continue;
    const read = await session.send(await session.sign({ path: `${campaigns}/${seen}` })).catch(() => undefined);
    if (read === undefined) continue;
    // A request whose nonce cannot even be noted in place is not served.
    assert([200, 503].includes(read.status), read.text);
    if (read.status === 200) counts.reads += 1;
  }
}

async function check(directory: string, { account_id }: Session, known: Known): Promise<void> {
  const server = await ServerProcess.start(directory);
  try {
    const session = new Session(server, account_id, '');
    const found = new Map<string, string>();
    let cursor: unknown;
    do {
      const query = { count: 1000, ...(typeof cursor === 'string' ? { cursor } : {}) };
      const body = await session.ok({ path: `/12/accounts/${account_id}/campaigns`, query });
      const data = member(body, 'data');
      assert(Array.isArray(data));
      for (const entity of data) found.set(String(member(entity, 'id')), String(member(entity, 'name')));
      cursor = member(body, 'next_cursor');
    } while (typeof cursor === 'string');
    for (const [id, names] of known.names) {
      const name = found.get(id);
      assert(name !== undefined && names.has(name), `${id} is ${name}, not ${[...names].join(' or ')}`);
    }
    for (const [id, name] of found) {
      assert(!known.impossible.has(name), `${name} was answered with 503 and is there`);
      assert(known.names.has(id) || known.possible.has(name), `${name} is there, and nobody asked for it`);
    }
  } finally {
    assert.equal((await server.end('SIGTERM')).code, 0);
  }
}
