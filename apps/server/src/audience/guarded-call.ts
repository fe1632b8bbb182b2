/** Calls that have to be followed by a job which another process runs. */
import type { Database } from '../db/database.ts';
import type { Jobs, NewJob } from '../jobs/jobs.ts';

/** Longer than any write takes. */
const GUARD_MS = 60_000;

/**
 * Runs a body, and then has a job run. The process that runs it knows nothing of the body, and would run and remove a job that is due before
 * the body has ended. So a guard is stored first, the same job at a later time and under a subject of its own, in case that this process ends; the
 * job takes its place when the body is done.
 */
export async function guardedCall<Result>(
  { database, jobs }: { readonly database: Database; readonly jobs: Jobs },
  job: () => NewJob,
  body: () => Promise<Result>,
): Promise<Result> {
  const { kind, subject, due_ms } = job();
  const guard = { kind, subject: `${subject}/guard`, due_ms: due_ms + GUARD_MS };
  const id = await database.write((writer) => jobs.add(writer, guard));
  // What fails may have been done nevertheless: then the guard stays.
  const result = await body();
  const replace = database.write(async (writer) => {
    await jobs.cancel(writer, id);
    await jobs.addUnlessSooner(writer, job());
  });
  // The body is done, which is not to be told as a failure.
  await replace.then(
    () => jobs.wake(),
    () => {},
  );
  return result;
}
