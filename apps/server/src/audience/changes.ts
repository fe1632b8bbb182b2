/** The changes that triggers record, for those who hold copies of what changed. */
import { eq, gt, sql } from 'drizzle-orm';
import type { Reader } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { orNull } from '../db/value-types.ts';
import { audienceChanges, audienceState } from './platform-table.ts';

/** A recorded change. */
export interface AudienceChange {
  readonly seq: bigint;
  readonly kind: 'user' | 'follow' | 'post';
  /** The user, the follower or the post. */
  readonly id: bigint;
  /** The followed user. */
  readonly other_id: bigint | null;
}

const listChanges = statement({ seq: audienceChanges.seq }, ({ seq }) =>
  query.select().from(audienceChanges).where(gt(audienceChanges.seq, seq)).orderBy(audienceChanges.seq).limit(200),
);

const findState = statement({}, () =>
  query
    .select({
      epoch: audienceState.epoch,
      last: sql`(SELECT max(${audienceChanges.seq}) FROM ${audienceChanges})`.mapWith(orNull(audienceChanges.seq)),
    })
    .from(audienceState)
    .where(eq(audienceState.id, 1))
    .limit(1),
);

/** A state of the data. */
export interface ChangeMark {
  /** Incremented by each bulk of rows that were not recorded one by one. */
  readonly epoch: bigint;
  /** The last change. */
  readonly last: bigint;
}

/** Returns the current state. */
export async function findMark(reader: Reader): Promise<ChangeMark> {
  const state = await findState.first(reader);
  return { epoch: state?.epoch ?? 0n, last: state?.last ?? 0n };
}

/** Changes that follow a state, in order, and the state that includes them. */
export interface NextChanges {
  readonly changes: readonly AudienceChange[];
  readonly mark: ChangeMark;
}

/** Returns the next changes after a state; `unknown` where changes are missing: everything has to be read again. */
export async function changesAfter(reader: Reader, mark: ChangeMark): Promise<NextChanges | 'none' | 'unknown'> {
  const { epoch, last } = await findMark(reader);
  if (epoch !== mark.epoch || last < mark.last) return 'unknown';
  if (last === mark.last) return 'none';
  const changes = await listChanges.all(reader, { seq: mark.last });
  const latest = changes.at(-1);
  // The table contains the latest changes only: where the next one is missing, so are others.
  if (!latest || changes[0]?.seq !== mark.last + 1n) return 'unknown';
  return { changes, mark: { ...mark, last: latest.seq } };
}

/** Returns the ids of what changed of one kind. */
export function changedIds(changes: readonly AudienceChange[], kind: 'user' | 'post'): Set<bigint> {
  return new Set(changes.flatMap((change) => (change.kind === kind ? change.id : [])));
}
