/**
 * Jobs on a platform that several servers have: each claims one by a lease before it runs it, and ends it in the transaction that removes or
 * postpones the job. The lease is prolonged while the server lives; when it ended, the next server runs the job again.
 */
import { sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Database, Writer } from '../db/database.ts';
import { rows, statement } from '../db/statement.ts';
import { storeNow } from '../db/store-clock.ts';
import { among, types } from '../db/value-types.ts';
import { LEASE_MS, type Leases } from '../servers/leases.ts';
import { leases } from '../servers/platform-table.ts';
import { jobs } from './platform-table.ts';
import type { Job } from './store.ts';

/** Claims jobs for a process. */
export interface JobLeases {
  /** Claims the job of some kinds that is due first and that nobody runs; `undefined` if there is none. */
  claim(kinds: readonly string[], now_ms: number): Promise<Job | undefined>;
  /** Claims a job. @returns whether nobody else runs it */
  claimOne(job: Job): Promise<boolean>;
  /** Ends the claim in the write that ends the job. @returns false if another process has it by now */
  end(writer: Writer, job: Job): Promise<boolean>;
  /** Prolongs the claim no more. */
  forget(job: Job): void;
}

const PREFIX = 'job ';
const nameOf = ({ id }: Job) => `${PREFIX}${id}`;

const claimed = sql`CAST(substr(${sql.identifier('name')}, ${sql.raw(String(PREFIX.length + 1))}) AS INTEGER)`;
const ofJob = <C extends SQLiteColumn>(column: C) =>
  sql`(SELECT ${column} FROM ${jobs} WHERE ${jobs.id} = ${claimed})`.mapWith(column);

const claimFirst = statement(
  { kinds: types.texts, now: jobs.due_ms, owner: leases.owner, lease_ms: types.int },
  ({ kinds, now, owner, lease_ms }) =>
    rows(
      {
        id: ofJob(jobs.id),
        kind: ofJob(jobs.kind),
        subject: ofJob(jobs.subject),
        due_ms: ofJob(jobs.due_ms),
        failures: ofJob(jobs.failures),
      },
      (columns) => sql`INSERT INTO ${leases} (name, owner, until_ms)
        SELECT ${sql.raw(`'${PREFIX}'`)} || ${jobs.id}, ${owner}, ${storeNow} + ${lease_ms} FROM ${jobs}
        WHERE ${among(jobs.kind, kinds)} AND ${jobs.due_ms} <= ${now} AND NOT EXISTS (
          SELECT 1 FROM ${leases} WHERE ${leases.name} = ${sql.raw(`'${PREFIX}'`)} || ${jobs.id} AND ${leases.until_ms} > ${storeNow}
        )
        ORDER BY ${jobs.due_ms}, ${jobs.id} LIMIT 1
        ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, until_ms = excluded.until_ms
        RETURNING ${columns}`,
    ),
);

/** Leases of jobs in the store of a platform. */
export class StoredJobLeases implements JobLeases {
  readonly #database: Database;
  readonly #leases: Leases;

  constructor(database: Database, own: Leases) {
    this.#database = database;
    this.#leases = own;
  }

  async claim(kinds: readonly string[], now_ms: number): Promise<Job | undefined> {
    const { owner } = this.#leases;
    const [job] = await this.#database.write((writer) =>
      claimFirst.all(writer, { kinds, now: now_ms, owner, lease_ms: LEASE_MS }),
    );
    if (job !== undefined) this.#leases.keep(nameOf(job));
    return job;
  }

  claimOne(job: Job): Promise<boolean> {
    return this.#leases.take(nameOf(job));
  }

  async end(writer: Writer, job: Job): Promise<boolean> {
    if (!(await this.#leases.holds(writer, nameOf(job)))) return false;
    await this.#leases.end(writer, nameOf(job));
    return true;
  }

  forget(job: Job): void {
    this.#leases.forget(nameOf(job));
  }
}
