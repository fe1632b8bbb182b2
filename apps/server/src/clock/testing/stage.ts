/** A clock with jobs on a store of its own. */
import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach } from 'vitest';
import type { Database } from '../../db/database.ts';
import { migrate } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open-database.ts';
import { temporaryDirectory } from '../../db/testing/temporary.ts';
import { Jobs } from '../../jobs/jobs.ts';
import { packageFile } from '../../package-file.ts';
import { ManualClock } from '../../world/clock.ts';
import { WorldTime } from '../world-time.ts';

/** The time of the machine at the beginning. */
export const START = Date.UTC(2026, 0, 15, 8);
export interface Stage {
  readonly file: string;
  readonly database: Database;
  readonly wall: ManualClock;
  readonly jobs: Jobs;
  readonly time: WorldTime;
  /** The subjects of jobs with the times at which they ran, after the start. */
  readonly ran: string[];
  add(subject: string, after_ms: number, kind?: string): Promise<number>;
}

const open: Stage[] = [];

/** To be called by a file that makes stages: they end with its tests. */
export function closeStages(): void {
  afterEach(async () => {
    for (const { jobs, time, database } of open.splice(0)) {
      await jobs.stop();
      await time.close();
      await database.close();
    }
  });
}

/**
 * @param file a store that is there already, or is made
 * @param given a clock that is held from outside
 */
export async function stage(
  file = path.join(temporaryDirectory(), 'platform.db'),
  wall = new ManualClock(START),
  given?: ManualClock,
): Promise<Stage> {
  const database = await openDatabase(file);
  await migrate(database, packageFile('drizzle/platform'), new Date(0));
  const time = await WorldTime.open({ database, wall, given });
  const jobs = new Jobs({ database, clock: time.clock });
  time.with(jobs);
  const ran: string[] = [];
  const note = (subject: string) => void ran.push(`${subject} ${time.clock.now() - START}`);
  jobs.handle('note.seen', async (subject, _failures, report) => {
    note(subject);
    report({ what: 'MEDIA_EXPIRED', id: subject });
    return undefined;
  });
  jobs.handle(
    'house.keeping',
    async (subject) => {
      note(subject);
      return undefined;
    },
    { unseen: true },
  );
  jobs.handle('note.chain', async (subject) => {
    note(subject);
    const left = Number(subject);
    if (left === 0) return undefined;
    return async (writer) => {
      await jobs.add(writer, { kind: 'note.chain', subject: `${left - 1}`, due_ms: time.clock.now() + 10 });
    };
  });
  jobs.handle('note.fail', async (_subject, failures) => {
    note(`failure ${failures}`);
    if (failures < 2) throw new Error('not yet');
    return undefined;
  });
  await time.begin();
  const add = (subject: string, after_ms: number, kind = 'note.seen') =>
    database.write((writer) => jobs.add(writer, { kind, subject, due_ms: START + after_ms }));
  const made = { file, database, wall, jobs, time, ran, add };
  open.push(made);
  return made;
}

/** Ends as a process that is killed: nothing is written any more. */
export async function killed({ file, wall, database }: Stage): Promise<Stage> {
  const copy = path.join(temporaryDirectory(), 'platform.db');
  await database.query('PRAGMA wal_checkpoint(TRUNCATE)');
  copyFileSync(file, copy);
  return stage(copy, wall);
}

/** The time of the clock, after the start. */
export const at = ({ time }: Stage) => time.clock.now() - START;
