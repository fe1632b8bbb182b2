/**
 * One round of losses of power: all kinds of writers write, the power is lost, and with it what was not synced or any part of it.
 * The server that starts on what is left has to have all that it acknowledged. Where the disk lied about syncs, acknowledged
 * writes are gone, and the server has to notice where it can: when a store is older than its mark. Where it cannot, since
 * all files are as they were at a moment, it serves that moment and no mix.
 */
import { strict as assert } from 'node:assert';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkDatabase, everything } from '../crash/checks.ts';
import { checkCounts } from '../crash/counting.ts';
import { begin, beginPlay, checkServer, endPlay, load, WRITERS, type Writers } from '../crash/round.ts';
import { chanceOf, Session } from '../crash/session.ts';
import { checkFiles } from '../crash/uploading.ts';
import { ownAddress, ServerProcess } from '../src/support/server-process.ts';
import { type FaultControl, faults } from './control.ts';
import { FileTrace } from './file-trace.ts';
import { type Places, Power, wayOf } from './power.ts';

/** The treatment of syncs by the disk. */
export type Disk = 'honest' | 'lies about a store' | 'lies about everything';

/** Results of a round. */
export interface PowerFigures {
  readonly disk: Disk;
  readonly acknowledged: number;
  /** Writes to files and names that the disk did not have. */
  readonly dropped: number;
  /** Losses of power while the server started again. */
  readonly again: number;
  /** Of a disk that lies: what the server said of it at start. */
  readonly noticed?: string;
}

const LOAD_MS = 700;
/** More than the half minute for which timestamps are reserved, and less than the five minutes that they may be ahead. */
const AHEAD_SECONDS = 100;

/** Plays a round on a data directory, which may hold those of earlier rounds. @throws AssertionError */
export async function playPowerLoss(
  { directory, scratch }: Places,
  control: FaultControl,
  seed: number,
  disk: Disk,
): Promise<PowerFigures> {
  const chance = chanceOf(seed);
  const boot = path.join(scratch, 'boot');
  const power = new Power({ directory, scratch }, control, chance);
  control.set(0, 0);
  writeFileSync(boot, `boot ${seed}\n`);
  const lost = disk === 'honest' ? undefined : disk === 'lies about a store' ? '/ads-sandbox.db' : '/';
  const session = await begin(await power.start(boot, lost));
  // Signatures cover it, and each start writes the ports that it has to the credentials.
  const { port } = new URL(session.server.credentials.ads_sandbox_base_url);
  const writers = await load(session, seed, LOAD_MS * (0.5 + chance()), async (acknowledged) => {
    if (lost === undefined) return;
    control.set(faults.lostSync, 0);
    // Each writer has one request under way, so one of these was written after the disk began to lie.
    const known = acknowledged();
    while (acknowledged() <= known + WRITERS) await sleep(10);
    // It is in the marks once they are written again.
    const marks = () => readFileSync(path.join(directory, 'stores.mark'), 'latin1');
    const written = marks();
    while (marks() === written) await sleep(10);
  });
  control.set(0, 0);
  const sum = (all: readonly { readonly acknowledged: number }[]) =>
    all.reduce((total, { acknowledged }) => total + acknowledged, 0);
  const acknowledged =
    sum(writers.entities) + sum(writers.intake) + sum(writers.uploading) + sum([writers.creative, writers.scheduling]);
  const figures = { disk, acknowledged };
  const ended = { directory, account_id: session.account_id, writers };
  if (disk === 'lies about everything') return { ...figures, ...(await checkMoment(power, ended)) };
  const way = wayOf(chance);
  if (disk === 'lies about a store') {
    const dropped = power.lose({ kept: 0, torn: 0, whole: 'stores.mark' });
    return { ...figures, dropped, again: 0, noticed: await rejection(directory) };
  }
  let dropped = power.lose(way);
  let again = 0;
  // It may be lost again while the server recovers.
  for (; chance() < 0.4; again += 1) {
    writeFileSync(boot, `boot ${seed} again ${again}\n`);
    const starting = power.spawn(boot);
    await Promise.race([sleep(100 + chance() * 800), starting.ended]);
    await starting.end('SIGKILL');
    dropped += power.lose(way);
  }
  writeFileSync(boot, `boot ${seed} last\n`);
  const same = { ...ownAddress, BROADSIDE_SANDBOX_PORT: port };
  await check(ended, session, { ...control.environment(directory), FAULTS_BOOT: boot, ...same });
  return { ...figures, dropped, again };
}

interface Ended {
  readonly directory: string;
  readonly account_id: string;
  readonly writers: Writers;
}

/** Checks all that was acknowledged. */
async function check({ directory, writers }: Ended, before: Session, env: Record<string, string>): Promise<void> {
  const play = beginPlay(directory);
  play.intake.push(...writers.intake);
  play.scheduling.push(writers.scheduling);
  play.server = await ServerProcess.start(directory, env);
  const after = new Session(play.server, before.account_id, before.funding_instrument_id);
  after.aheadSeconds = AHEAD_SECONDS;
  await checkServer(play, after, writers);
  await endPlay(play);
  // Otherwise the next round would have to be signed further ahead.
  rmSync(path.join(directory, 'nonces'), { recursive: true });
}

/** Checks that a start is rejected in one line, and goes on when it is told to. @returns the line */
async function rejection(directory: string): Promise<string> {
  const { code, stderr } = await ServerProcess.spawn(directory).ended;
  assert.equal(code, 1, stderr);
  assert.match(
    stderr,
    /^broadside: The store sandbox .* older than it was: it lacks its last (?:commit|\d+ commits)\..*BROADSIDE_ACCEPT_LOSS.*\n$/,
  );
  const server = await ServerProcess.start(directory, { BROADSIDE_ACCEPT_LOSS: '1' });
  assert.equal((await server.end('SIGTERM')).code, 0);
  await checkCounts(path.join(directory, 'ads-sandbox.db'));
  rmSync(path.join(directory, 'nonces'), { recursive: true });
  return stderr.slice(0, stderr.indexOf(' Nothing'));
}

/** Checks that the server serves one moment: each request took effect as a whole or not at all. */
async function checkMoment(
  power: Power,
  { directory, account_id, writers }: Ended,
): Promise<Pick<PowerFigures, 'dropped' | 'again' | 'noticed'>> {
  const dropped = power.lose({ kept: 0, torn: 0 });
  const server = await ServerProcess.start(directory);
  const session = new Session(server, account_id, '');
  session.aheadSeconds = AHEAD_SECONDS;
  const stored = await everything(session);
  for (const { known } of writers.entities) {
    const groups = new Map<string, boolean[]>();
    for (const [id, { kind, name }] of known) {
      const [batch, item] = String(name).split('.');
      if (kind !== 'campaigns' || batch === undefined || item === undefined) continue;
      groups.set(batch, [...(groups.get(batch) ?? []), stored.has(id)]);
    }
    for (const [batch, there] of groups) assert.equal(new Set(there).size, 1, `half of the batch ${batch} is there`);
  }
  checkDatabase(directory, account_id);
  assert.equal((await server.end('SIGTERM')).code, 0);
  checkFiles(directory);
  for (const kind of ['production', 'sandbox']) await checkCounts(path.join(directory, `ads-${kind}.db`));
  rmSync(path.join(directory, 'nonces'), { recursive: true });
  return { dropped, again: 0, noticed: 'nothing' };
}

/**
 * Checks that the trace misses nothing: after an orderly end, all of it makes the files that are there.
 * @throws AssertionError
 */
export async function checkTrace({ directory, scratch }: Places, control: FaultControl, seed: number): Promise<void> {
  const boot = path.join(scratch, 'boot');
  writeFileSync(boot, 'boot\n');
  const trace = path.join(scratch, 'trace');
  const files = new FileTrace(directory, path.join(scratch, 'copy'));
  const server = await ServerProcess.start(directory, control.tracing(directory, trace, boot));
  await begin(server);
  assert.equal((await server.end('SIGTERM')).code, 0);
  files.play(trace);
  const left = path.join(scratch, 'left');
  files.leave(left, { kept: 1, torn: 0, chance: chanceOf(seed) });
  const names = (root: string) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => !name.endsWith('-shm'))
      .sort();
  assert.deepEqual(names(left), names(directory));
  for (const name of names(left)) {
    const [one, other] = [left, directory].map((root) => path.join(root, name));
    assert(one && other && existsSync(other));
    if (
      readdirSync(path.dirname(one), { withFileTypes: true }).some((e) => e.name === path.basename(one) && e.isFile())
    )
      assert(readFileSync(one).equals(readFileSync(other)), `the trace has all writes to ${name}`);
  }
  for (const name of ['copy', 'trace', 'left']) rmSync(path.join(scratch, name), { recursive: true, force: true });
}
