/**
 * One round of the crash test: writers change campaigns, line items and their targeting over signed HTTP, others send people to
 * audiences, upload pictures, or write drafts, cards and scheduled posts, others again fall due, the server is killed in the middle,
 * perhaps while it starts again too, and must hold every change that it acknowledged and no half of any other, and publish
 * what is due once.
 *
 * Each writer works on entities of its own, one request after the other, so its model is exact: the last acknowledged state
 * of each entity, and the one request without a response, which took effect either wholly or not at all.
 */
import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownAddress, ServerProcess } from '../src/support/server-process.ts';
import { checkDatabase, checkReplays, checkWriter, everything } from './checks.ts';
import { checkCounts } from './counting.ts';
import { type CreativeWriter, checkCreatives, creativeWriter, writeCreatives } from './creatives.ts';
import { beginIntake, checkIntake, type IntakeWriter, sendPeople } from './intake.ts';
import { checkTotal } from './listing.ts';
import { checkScheduled, countDue, published, type SchedulingWriter, schedulePosts, storeDue } from './scheduled.ts';
import { chanceOf, makeAccount, Session, type Writer } from './session.ts';
import { killStarts } from './starting.ts';
import { checkFiles, checkUploads, libraryPicture, type UploadWriter, upload } from './uploading.ts';
import { write } from './writing.ts';

/** Results of a round. */
export interface Figures {
  /** The number of times that a server was killed, starts included. */
  readonly kills: number;
  readonly acknowledged: number;
  /** Wrong requests, of which nothing is stored. */
  readonly rejected: number;
  /** Entities that read under load as they were acknowledged. */
  readonly readBack: number;
  readonly underWay: number;
  readonly underWayApplied: number;
  /** Acknowledged requests that sent people to audiences. */
  readonly requestsOfPeople: number;
  /** Acknowledged requests of drafts and cards. */
  readonly creatives: number;
  /** Acknowledged requests of uploads. */
  readonly uploads: number;
  /** Acknowledged requests of scheduled posts. */
  readonly scheduled: number;
  /** Scheduled posts that were due when the server started. */
  readonly due: number;
  /** Posts that were due and not published yet when the server was killed. */
  readonly dueAtKill: number;
  /** Responses with 408, after which the request was sent once more. */
  readonly late: number;
}

/** The writers of entities. */
export const WRITERS = 5;
const INTAKE_WRITERS = 2;
const UPLOAD_WRITERS = 2;
/** Scheduled posts that are due at the start: as many as a server publishes in the time until it is killed, more or less. */
const MOST_DUE = 150;
/** Starts that are killed in a round, at most. */
const MOST_STARTS = 2;
/** The time that the writers write, at most, once each has had an answer. */
const LOAD_MS = 500;

/** The state that outlives a round: the server that was verified, and writers whose stores can only be read when none runs. */
export interface Play {
  readonly directory: string;
  server?: ServerProcess | undefined;
  readonly intake: IntakeWriter[];
  readonly scheduling: SchedulingWriter[];
}

/** The writers of a round. */
export interface Writers {
  readonly entities: readonly Writer[];
  readonly creative: CreativeWriter;
  readonly uploading: readonly UploadWriter[];
  readonly intake: readonly IntakeWriter[];
  readonly scheduling: SchedulingWriter;
}

/** Begins to play on a data directory, which may hold what was played before. */
export function beginPlay(directory: string): Play {
  return { directory, intake: [], scheduling: [] };
}

/**
 * Plays a round.
 * @param options `goOn` leaves the server running for the next round where the seed says so
 * @throws AssertionError
 */
export async function playRound(play: Play, seed: number, { goOn = false } = {}): Promise<Figures> {
  const { directory } = play;
  const chance = chanceOf(seed);
  const isFirst = !existsSync(path.join(directory, 'stores.mark'));
  const firstKills = isFirst ? await killStarts(directory, MOST_STARTS, chance) : 0;
  const due = play.server ? 0 : await storeDue(directory, Math.floor(chance() * MOST_DUE), `${seed}`);
  const env = () => ({ ...ownAddress, BROADSIDE_WORKERS: chance() < 0.7 ? '1' : '2' });
  const before = await begin(play.server ?? (await ServerProcess.start(directory, env())));
  // Each start writes its own ports to the credentials. The next server gets this one, which signatures cover.
  const { port } = new URL(before.server.credentials.ads_sandbox_base_url);
  const writers = await load(before, seed, LOAD_MS * chance());
  const dueAtKill = countDue(directory);
  play.intake.push(...writers.intake);
  play.scheduling.push(writers.scheduling);
  const kills = firstKills + 1 + (await killStarts(directory, MOST_STARTS, chance));

  play.server = await ServerProcess.start(directory, { ...env(), BROADSIDE_SANDBOX_PORT: port });
  const after = new Session(play.server, before.account_id, before.funding_instrument_id);
  const figures = await checkServer(play, after, writers);
  if (!goOn || chance() < 0.3) await endPlay(play);
  const sum = (all: readonly { readonly acknowledged: number }[]) =>
    all.reduce((total, { acknowledged }) => total + acknowledged, 0);
  return {
    kills,
    acknowledged: sum(writers.entities),
    ...figures,
    requestsOfPeople: sum(writers.intake),
    creatives: writers.creative.acknowledged,
    uploads: sum(writers.uploading),
    scheduled: writers.scheduling.acknowledged,
    due,
    dueAtKill,
    late: before.late + after.late,
  };
}

/** Ends the server, and checks what can be read when none runs. @throws AssertionError */
export async function endPlay(play: Play): Promise<void> {
  const { server, directory } = play;
  if (server === undefined) return;
  play.server = undefined;
  assert.equal((await server.end('SIGTERM')).code, 0);
  checkScheduled(directory, play.scheduling.splice(0));
  checkFiles(directory);
  await checkIntake(directory, play.intake.splice(0));
  for (const kind of ['production', 'sandbox']) await checkCounts(path.join(directory, `ads-${kind}.db`));
}

/**
 * Writes until the server is killed, some time after each kind of writer was answered.
 * @param midway what is to be done in the middle of this time; it is told how many changes of entities were acknowledged so far
 */
export async function load(
  session: Session,
  seed: number,
  ms: number,
  midway: (acknowledged: () => number) => Promise<void> = async () => {},
): Promise<Writers> {
  const entities = Array.from(
    { length: WRITERS },
    (): Writer => ({ known: new Map(), sent: [], underWay: undefined, acknowledged: 0, rejected: 0, readBack: 0 }),
  );
  const intake = await Promise.all(
    Array.from({ length: INTAKE_WRITERS }, (_, i) => beginIntake(session, `People ${seed} ${i}`)),
  );
  const picture = await libraryPicture(session);
  const creative = creativeWriter();
  const scheduling: SchedulingWriter = { known: new Map(), underWay: undefined, acknowledged: 0 };
  const uploading = Array.from(
    { length: UPLOAD_WRITERS },
    (): UploadWriter => ({ uploads: new Map(), acknowledged: 0 }),
  );
  const done = Promise.all([
    ...entities.map((writer, i) => write(session, writer, `w${i}`, chanceOf(seed * 100 + i))),
    ...intake.map((writer) => sendPeople(session, writer)),
    ...uploading.map((writer, i) => upload(session, writer, chanceOf(seed * 100 + 90 + i))),
    schedulePosts(session, scheduling, `${seed}`, chanceOf(seed * 100 + 99)),
    writeCreatives(session, creative, picture, `${seed}`, chanceOf(seed * 100 + 98)),
  ]);
  const answered = () =>
    [entities, intake, uploading, [creative], [scheduling]].every((all) =>
      all.some(({ acknowledged }) => acknowledged > 0),
    );
  // A slow machine may take long until the first write is acknowledged.
  const ended = done.then(() => true);
  while (!answered() && !(await Promise.race([sleep(10, false), ended])));
  await sleep(ms / 2);
  await midway(() => entities.reduce((sum, { acknowledged }) => sum + acknowledged, 0));
  await sleep(ms / 2);
  await session.server.end('SIGKILL');
  await done;
  return { entities, creative, uploading, intake, scheduling };
}

/** Checks a server that was started again after it was killed. @throws AssertionError */
export async function checkServer(
  { directory }: Play,
  session: Session,
  { entities, creative, uploading }: Writers,
): Promise<Pick<Figures, 'rejected' | 'readBack' | 'underWay' | 'underWayApplied'>> {
  const stored = await everything(session);
  const applied = entities.map((writer) => checkWriter(writer, stored));
  const expected = entities.reduce((sum, { known }) => sum + known.size, 0);
  const created = entities.reduce(
    (sum, { underWay }, i) => sum + (applied[i] ? (underWay?.creates.length ?? 0) : 0),
    0,
  );
  assert.equal(stored.size, expected + created, 'nothing is there that nobody asked for');
  assert.deepEqual(await everything(session), stored, 'answers that are kept are those that were read');
  for (const name of ['campaigns', 'line_items']) {
    for (const with_deleted of [true, false]) {
      for (const with_draft of [true, false]) await checkTotal(session, name, { with_deleted, with_draft });
    }
  }
  await checkCreatives(session, creative);
  for (const writer of uploading) await checkUploads(session, directory, writer);
  await checkReplays(session, entities);
  checkDatabase(directory, session.account_id);
  await published(directory);
  return {
    rejected: entities.reduce((sum, writer) => sum + writer.rejected, 0),
    readBack: entities.reduce((sum, writer) => sum + writer.readBack, 0),
    underWay: entities.filter(({ underWay }) => underWay).length,
    underWayApplied: applied.filter((one) => one === true).length,
  };
}

/** Makes an account for a round. */
export async function begin(server: ServerProcess): Promise<Session> {
  const bare = new Session(server, '', '');
  const { account_id, funding_instrument_id } = await makeAccount((request) => bare.ok(request));
  return new Session(server, account_id, funding_instrument_id);
}
