/**
 * Writes of several stores as one. A transaction covers one store, so the one of the platform decides: the others are open around it, and
 * it also stores what they change, as statements. If they are committed too, these are removed; if the process ends before, the next
 * start runs them. See ADR 0023.
 */
import { eq } from 'drizzle-orm';
import { CommitUnknownError, type Database, type Writer } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { type Change, RecordingWriter, readChanges, writeChanges } from '../db/recording-writer.ts';
import { sequences } from '../db/sequence-table.ts';
import { statement } from '../db/statement.ts';
import type { Environment } from './environment.ts';
import { jointWrites } from './platform-table.ts';

type Databases = Readonly<Record<Environment | 'platform', Database>>;

/** Statements in a row: its text is made without holding the event loop. */
const ROW_CHANGES = 500;

const { write_id, store, statements } = jointWrites;
const insertPart = statement({ write_id, store, statements }, (row) => query.insert(jointWrites).values(row));
const listParts = statement({}, () =>
  query.select({ write_id, store, statements }).from(jointWrites).orderBy(jointWrites.seq),
);
const deleteParts = statement({ write_id }, (args) => query.delete(jointWrites).where(eq(write_id, args.write_id)));

// A store says that it has its part by a row that is written with it.
const { name, value } = sequences;
const insertMark = statement({ name, value }, (row) => query.insert(sequences).values(row));
const findMark = statement({ name }, (args) =>
  query.select({ value }).from(sequences).where(eq(name, args.name)).limit(1),
);
const deleteMark = statement({ name }, (args) => query.delete(sequences).where(eq(name, args.name)));
const markOf = (id: string) => `joint write ${id}`;

/**
 * Runs a body in one write of the platform and of environments.
 * @param id no other write has it
 * @param body given the databases as seen from inside the write
 */
export async function jointWrite<Result>(
  databases: Databases,
  environments: readonly Environment[],
  id: string,
  body: (inside: Databases) => Promise<Result>,
): Promise<Result> {
  const failures: unknown[] = [];
  const parts = new Map<Environment, readonly Change[]>();
  const onFailure = (error: unknown) => void failures.push(error);
  let decided: { readonly result: Result } | undefined;
  const decide = async (inside: Databases) => {
    const result = await databases.platform.write(async (writer) => {
      const made = await body({ ...inside, platform: databases.platform.inside(writer, onFailure) });
      // It left changes behind that nothing else would undo.
      if (failures.length > 0) throw failures[0];
      for (const [environment, changes] of parts) await storePart(writer, id, environment, changes);
      return made;
    });
    decided = { result };
  };
  // The environments are open around the platform, so that no other write comes in between; everybody who has both open has them in this order.
  const open = async (left: readonly Environment[], inside: Databases): Promise<void> => {
    const [environment, ...others] = left;
    if (environment === undefined) return decide(inside);
    const database = databases[environment];
    await database.write(async (writer) => {
      const recording = new RecordingWriter(writer);
      parts.set(environment, recording.changes);
      await open(others, { ...inside, [environment]: database.inside(recording, onFailure) });
      await insertMark.run(writer, { name: markOf(id), value: 1n });
    });
  };
  try {
    await open([...new Set(environments)], databases);
    await forget(databases, id, environments).catch(() => {});
  } catch (error) {
    if (decided === undefined && !(error instanceof CommitUnknownError)) throw error;
    await completeJointWrites(databases);
    if (decided === undefined) throw error;
  }
  if (decided === undefined) throw new TypeError('a joint write ended without a decision');
  return decided.result;
}

async function storePart(
  writer: Writer,
  id: string,
  environment: Environment,
  changes: readonly Change[],
): Promise<void> {
  for (let from = 0; from < changes.length; from += ROW_CHANGES) {
    const some = changes.slice(from, from + ROW_CHANGES);
    await insertPart.run(writer, { write_id: id, store: environment, statements: writeChanges(some) });
  }
}

/** Completes joint writes that the platform has, and other stores need not have. To be called before anything else is written. */
export async function completeJointWrites(databases: Databases): Promise<void> {
  const parts = Map.groupBy(await listParts.all(databases.platform), (part) => part.write_id);
  for (const [id, rows] of parts) {
    const stores = Map.groupBy(rows, (row) => row.store);
    for (const [environment, own] of stores) {
      await databases[environment].write(async (writer) => {
        if (await findMark.first(writer, { name: markOf(id) })) return;
        for (const row of own) {
          for (const [sql, args] of readChanges(row.statements)) await writer.change(sql, args);
        }
        await insertMark.run(writer, { name: markOf(id), value: 1n });
      });
    }
    await forget(databases, id, [...stores.keys()]);
  }
}

/** Removes what was kept of a write that all stores have; the marks last, since they keep it from being done twice. */
async function forget(databases: Databases, id: string, environments: readonly Environment[]): Promise<void> {
  if (environments.length === 0) return;
  await databases.platform.write((writer) => deleteParts.run(writer, { write_id: id }));
  for (const environment of environments)
    await databases[environment].write((writer) => deleteMark.run(writer, { name: markOf(id) }));
}
