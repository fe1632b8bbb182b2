/** The changes that triggers record, for those who hold copies of what changed. */
import { eq, gt, sql } from 'drizzle-orm';
import type { Reader } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { orNull } from '../db/value-types.ts';
import { audienceChanges, audienceState } from './platform-table.ts';

/** A recorded change. */
export type AudienceChange = typeof audienceChanges.$inferSelect;

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

/**
 * Returns the next changes after a state, none at the end; `unknown` where changes are missing: all is to be read again. With
 * them the state has the sequence number of the last of them.
 */
export async function changesAfter(reader: Reader, mark: ChangeMark): Promise<readonly AudienceChange[] | 'unknown'> {
  const { epoch, last } = await findMark(reader);
  if (epoch !== mark.epoch || last < mark.last) return 'unknown';
  if (last === mark.last) return [];
  const changes = await listChanges.all(reader, { seq: mark.last });
  // The table contains the latest changes only: where the next one is missing, so are others.
  return changes[0]?.seq === mark.last + 1n ? changes : 'unknown';
}

/** Posts that changed, and the state that includes these changes. */
export interface PostChanges {
  readonly posts: readonly bigint[];
  readonly mark: ChangeMark;
}

/** Returns the posts of the next changes after a state; `unknown` where changes are missing: all is to be read again. */
export async function readPostChanges(reader: Reader, mark: ChangeMark): Promise<PostChanges | 'none' | 'unknown'> {
  const changes = await changesAfter(reader, mark);
  if (changes === 'unknown') return changes;
  const last = changes.at(-1)?.seq;
  if (last === undefined) return 'none';
  const posts = new Set(changes.flatMap(({ kind, id }) => (kind === 'post' ? [id] : [])));
  return { posts: [...posts], mark: { ...mark, last } };
}
