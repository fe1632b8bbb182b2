/**
 * Writes of several stores as one. A transaction covers one store, so the one of the platform decides: the others are open around it, and
 * it also stores what they change, as statements. If they are committed too, these are removed; if the process ends before, whoever comes
 * next runs them. See ADR 0023.
 */
import { eq } from 'drizzle-orm';
import { CommitUnknownError, type Database, type Writer } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { type Change, RecordingWriter, readChanges, writeChanges } from '../db/recording-writer.ts';
import { sequences } from '../db/sequence-table.ts';
import { statement } from '../db/statement.ts';
import { keepTurn } from '../db/turn-to-write.ts';
import { jointWrites } from './platform-table.ts';

/** A store that takes part in joint writes beside that of the platform. */
export interface JointStore {
  /** The environment, or that and the shard, such as `production/east`. */
  readonly name: string;
  readonly database: Database;
}

/** Statements in a row: its text is made without holding the event loop. */
const ROW_CHANGES = 500;

const { write_id, store, statements } = jointWrites;
const insertPart = statement({ write_id, store, statements }, (row) => query.insert(jointWrites).values(row));
const listParts = statement({}, () =>
  query.select({ write_id, store, statements }).from(jointWrites).orderBy(jointWrites.seq),
);
const findPart = statement({ write_id }, (args) =>
  query.select({ store }).from(jointWrites).where(eq(write_id, args.write_id)).limit(1),
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
 * Runs a body in one write of the platform and of other stores.
 * @param stores in the order of everybody who has several of them open: shards, then environments
 * @param id no other write has it
 * @param body given the databases as seen from inside the write, those of the other stores by name
 * @throws CommitUnknownError also where it is stored, and a store that is away will have its part when it is back
 */
export async function jointWrite<Result>(
  platform: Database,
  stores: readonly JointStore[],
  id: string,
  body: (platform: Database, inside: ReadonlyMap<string, Database>) => Promise<Result>,
): Promise<Result> {
  const failures: unknown[] = [];
  const parts = new Map<string, readonly Change[]>();
  const onFailure = (error: unknown) => void failures.push(error);
  let decided: { readonly result: Result } | undefined;
  const decide = async (inside: ReadonlyMap<string, Database>) => {
    const result = await platform.write(async (writer) => {
      const made = await body(platform.inside(writer, onFailure), inside);
      // It left changes behind that nothing else would undo.
      if (failures.length > 0) throw failures[0];
      for (const [of, changes] of parts) await storePart(writer, id, of, changes);
      return made;
    });
    decided = { result };
  };
  // The other stores are open around the platform, so that no other write comes in between.
  const open = async (left: readonly JointStore[], inside: ReadonlyMap<string, Database>): Promise<void> => {
    const [one, ...others] = left;
    if (one === undefined) return decide(inside);
    const { database } = one;
    await database.write(async (writer) => {
      // On a server a transaction begins with its first statement, which the body may run in another order.
      if (database.isRemote) await keepTurn(writer);
      const recording = new RecordingWriter(writer);
      parts.set(one.name, recording.changes);
      await open(others, new Map([...inside, [one.name, database.inside(recording, onFailure)]]));
      if (recording.changes.length > 0) await insertMark.run(writer, { name: markOf(id), value: 1n });
    });
  };
  try {
    await open(stores, new Map());
    const changed = stores.filter((one) => parts.get(one.name)?.length);
    await forget(platform, id, changed).catch(() => {});
  } catch (error) {
    if (decided === undefined && !(error instanceof CommitUnknownError)) throw error;
    await completeJointWrites(platform, stores).catch((failure: unknown) => {
      throw decided === undefined ? failure : new CommitUnknownError(failure);
    });
    if (decided === undefined) throw error;
  }
  if (decided === undefined) throw new TypeError('a joint write ended without a decision');
  return decided.result;
}

async function storePart(writer: Writer, id: string, of: string, changes: readonly Change[]): Promise<void> {
  for (let from = 0; from < changes.length; from += ROW_CHANGES) {
    const some = changes.slice(from, from + ROW_CHANGES);
    await insertPart.run(writer, { write_id: id, store: of, statements: writeChanges(some) });
  }
}

/**
 * Completes joint writes that the platform has, and other stores need not have.
 * @param stores those that are open; what others need is kept
 */
export async function completeJointWrites(platform: Database, stores: readonly JointStore[]): Promise<void> {
  const parts = Map.groupBy(await listParts.all(platform), (part) => part.write_id);
  for (const [id, rows] of parts) {
    const wanting = Map.groupBy(rows, (row) => row.store);
    const open = stores.filter((one) => wanting.has(one.name));
    for (const { name: of, database } of open) {
      const own = wanting.get(of) ?? [];
      await database.write((writer) => complete(platform, writer, id, own));
    }
    if (open.length === wanting.size) await forget(platform, id, open);
  }
}

async function complete(
  platform: Database,
  writer: Writer,
  id: string,
  rows: readonly { readonly statements: string }[],
): Promise<void> {
  if (await findMark.first(writer, { name: markOf(id) })) return;
  // Another process can have removed the mark since the statements were read, and has removed those before.
  if (!(await findPart.first(platform, { write_id: id }))) return;
  for (const row of rows) {
    for (const [sql, args] of readChanges(row.statements)) await writer.change(sql, args);
  }
  await insertMark.run(writer, { name: markOf(id), value: 1n });
}

/** Removes what was kept of a write that all stores have; the marks last, since they keep it from being done twice. */
async function forget(platform: Database, id: string, stores: readonly JointStore[]): Promise<void> {
  if (stores.length === 0) return;
  await platform.write((writer) => deleteParts.run(writer, { write_id: id }));
  for (const { database } of stores) await database.write((writer) => deleteMark.run(writer, { name: markOf(id) }));
}
