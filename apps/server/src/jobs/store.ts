/** The statements on jobs. */
import { and, count, eq, lte, sql } from 'drizzle-orm';
import type { Writer } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { among, types } from '../db/value-types.ts';
import { jobs } from './platform-table.ts';

/** A job as it is stored. */
export type Job = typeof jobs.$inferSelect;

const { id, kind, subject, due_ms, failures } = jobs;

const insert = statement({ kind, subject, due_ms }, (job) => query.insert(jobs).values(job).returning({ id }));

/** Stores a job. @returns its id */
export async function insertJob(writer: Writer, job: Pick<Job, 'kind' | 'subject' | 'due_ms'>): Promise<number> {
  const stored = await insert.first(writer, job);
  if (!stored) throw new TypeError('a job got no id');
  return stored.id;
}

export const deleteJob = statement({ id }, (args) => query.delete(jobs).where(eq(id, args.id)));

export const deleteSame = statement({ kind, subject }, (args) =>
  query.delete(jobs).where(and(eq(kind, args.kind), eq(subject, args.subject))),
);

/** Finds a job of a kind and subject. */
export const findSame = statement({ kind, subject }, (args) =>
  query
    .select({ id })
    .from(jobs)
    .where(and(eq(kind, args.kind), eq(subject, args.subject)))
    .limit(1),
);

/** Finds a job of a kind and subject that is due at a time or before. */
export const findSameBy = statement({ kind, subject, due_ms }, (args) =>
  query
    .select({ id })
    .from(jobs)
    .where(and(eq(kind, args.kind), eq(subject, args.subject), lte(due_ms, args.due_ms)))
    .limit(1),
);

/** Finds the next of the jobs of some kinds. */
export const findNext = statement({ kinds: types.texts }, ({ kinds }) =>
  query.select({ due_ms }).from(jobs).where(among(kind, kinds)).orderBy(due_ms).limit(1),
);

/** Finds the first job of a kind. */
export const findFirst = statement({ kind }, (args) =>
  query.select().from(jobs).where(eq(kind, args.kind)).orderBy(due_ms, id).limit(1),
);

/** Finds a job. */
export const findJob = statement({ id }, (args) => query.select({ id }).from(jobs).where(eq(id, args.id)).limit(1));

/** Lists the due jobs of some kinds, oldest first. */
export const listDue = statement({ kinds: types.texts, now: due_ms, count: types.int }, ({ kinds, now, count }) =>
  query
    .select()
    .from(jobs)
    .where(and(among(kind, kinds), lte(due_ms, now)))
    .orderBy(due_ms, id)
    .limit(count.placeholder),
);

/** Counts the jobs of each kind, with the time at which the first of them is due. */
export const countKinds = statement({}, () =>
  query
    .select({ kind, count: count(), due_ms: sql`min(${due_ms})`.mapWith(due_ms) })
    .from(jobs)
    .groupBy(kind),
);

/** Lists the kinds of which there are jobs. */
export const listKinds = statement({}, () => query.selectDistinct({ kind }).from(jobs));

export const setTime = statement({ id, due_ms }, (args) =>
  query.update(jobs).set({ due_ms: args.due_ms }).where(eq(id, args.id)),
);

export const postpone = statement({ id, due_ms }, (args) =>
  query
    .update(jobs)
    .set({ failures: sql`${failures} + 1`, due_ms: args.due_ms })
    .where(eq(id, args.id)),
);
