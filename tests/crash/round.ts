/**
 * One round of the crash test: writers change campaigns, line items and their targeting over signed HTTP, others send people to
 * audiences or schedule posts, others again fall due, the server is killed in the middle, starts again, and must hold every change
 * that it acknowledged and no half of any other, and publish what is due once.
 *
 * Each writer works on entities of its own, one request after the other, so its model is exact: the last acknowledged state
 * of each entity, and the one request without a response, which took effect either wholly or not at all.
 */
import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import { idOf } from '../src/support/body.ts';
import { ServerProcess } from '../src/support/server-process.ts';
import { checkDatabase, checkReplays, checkWriter, everything } from './checks.ts';
import { beginIntake, checkIntake, sendPeople } from './intake.ts';
import { checkScheduled, countDue, published, type SchedulingWriter, schedulePosts, storeDue } from './scheduled.ts';
import { chanceOf, Session, type Writer } from './session.ts';
import { write } from './writing.ts';

/** Results of a round. */
export interface Figures {
  readonly acknowledged: number;
  readonly underWay: number;
  readonly underWayApplied: number;
  /** Acknowledged requests that sent people to audiences. */
  readonly requestsOfPeople: number;
  /** Scheduled posts that were due when the server started. */
  readonly due: number;
  /** Posts that were due and not published yet when the server was killed. */
  readonly dueAtKill: number;
}

const WRITERS = 6;
const INTAKE_WRITERS = 2;
/** Scheduled posts that are due at the start: as many as a server publishes in the time until it is killed, more or less. */
const MOST_DUE = 150;

/** Plays a round on a data directory, which may hold those of earlier rounds. @throws AssertionError */
export async function playRound(directory: string, seed: number): Promise<Figures> {
  const chance = chanceOf(seed);
  const due = await storeDue(directory, Math.floor(chance() * MOST_DUE), `${seed}`);
  const before = await begin(directory);
  const writers = Array.from(
    { length: WRITERS },
    (): Writer => ({ known: new Map(), sent: [], underWay: undefined, acknowledged: 0 }),
  );
  const intake = await Promise.all(
    Array.from({ length: INTAKE_WRITERS }, (_, i) => beginIntake(before, `People ${seed} ${i}`)),
  );
  const people = intake.map((writer) => sendPeople(before, writer));
  const work = writers.map((writer, i) => write(before, writer, `w${i}`, chanceOf(seed * 100 + i)));
  const scheduling: SchedulingWriter = { known: new Map(), underWay: undefined };
  const posts = schedulePosts(before, scheduling, `${seed}`, chanceOf(seed * 100 + 99));
  const done = Promise.all([...work, ...people, posts]);
  const answered = () => [writers, intake].every((all) => all.some(({ acknowledged }) => acknowledged > 0));
  // A slow machine may take long until the first write is acknowledged.
  const ended = done.then(() => true);
  while (!answered() && !(await Promise.race([sleep(10, false), ended])));
  await sleep(Math.floor(chance() * 900));
  await before.server.end('SIGKILL');
  await done;

  const dueAtKill = countDue(directory);
  const figures = await checkEntities(directory, before, writers);
  checkScheduled(directory, scheduling);
  await checkIntake(directory, intake);
  const requestsOfPeople = intake.reduce((sum, writer) => sum + writer.acknowledged, 0);
  return { ...figures, requestsOfPeople, due, dueAtKill };
}

/** Checks the entities of a server that was killed, by starting it again. */
async function checkEntities(
  directory: string,
  before: Session,
  writers: readonly Writer[],
): Promise<Omit<Figures, 'requestsOfPeople' | 'due' | 'dueAtKill'>> {
  // On the same port, which signatures cover: requests are sent once more.
  const { port } = new URL(before.server.credentials.ads_sandbox_base_url);
  const server = await ServerProcess.start(directory, { BROADSIDE_SANDBOX_PORT: port });
  try {
    const after = new Session(server, before.account_id, before.funding_instrument_id);
    const stored = await everything(after);
    const applied = writers.map((writer) => checkWriter(writer, stored));
    const expected = writers.reduce((sum, { known }) => sum + known.size, 0);
    const created = writers.reduce(
      (sum, { underWay }, i) => sum + (applied[i] ? (underWay?.creates.length ?? 0) : 0),
      0,
    );
    assert.equal(stored.size, expected + created, 'nothing is there that nobody asked for');
    await checkReplays(after, writers);
    checkDatabase(directory, before.account_id);
    await published(directory);
    return {
      acknowledged: writers.reduce((sum, writer) => sum + writer.acknowledged, 0),
      underWay: writers.filter(({ underWay }) => underWay).length,
      underWayApplied: applied.filter((one) => one === true).length,
    };
  } finally {
    await server.end('SIGTERM');
  }
}

async function begin(directory: string): Promise<Session> {
  const server = await ServerProcess.start(directory);
  const bare = new Session(server, '', '');
  const account_id = idOf(await bare.ok({ method: 'POST', path: '/12/accounts' }));
  const query = { type: 'PARTNER_MANAGED', currency: 'USD', start_time: '2026-01-01' };
  const funding = await bare.ok({ method: 'POST', path: `/12/accounts/${account_id}/funding_instruments`, query });
  return new Session(server, account_id, idOf(funding));
}
