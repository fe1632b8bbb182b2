/** Takes personal data out of the change logs: of a change, ids, time and author stay. */
import { and, eq, inArray, sql } from 'drizzle-orm';
import { changeLog } from '../db/change-log-table.ts';
import type { Writer } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { types } from '../db/value-types.ts';

const { entity, entity_id } = changeLog;

const { account_id, change_by_user_id } = changeLog;
const blanked = { changes: '{}', entity_data: sql`json_object('id', ${entity_id})` };

const blank = statement({ entity, entity_id }, (args) =>
  query
    .update(changeLog)
    .set(blanked)
    .where(and(eq(entity, args.entity), eq(entity_id, args.entity_id))),
);

/** The same, of an account. */
export const forgetInAccount = statement({ account_id: types.text, entity, entity_id }, (args) =>
  query
    .update(changeLog)
    .set(blanked)
    .where(and(eq(account_id, args.account_id), eq(entity, args.entity), eq(entity_id, args.entity_id))),
);

const blankPostsBy = statement({ user_id: types.text }, ({ user_id }) =>
  query
    .update(changeLog)
    .set(blanked)
    .where(and(eq(change_by_user_id, user_id), inArray(entity, ['DRAFT_POST', 'SCHEDULED_POST']))),
);

/** Leaves of the changes of drafts and scheduled posts that a user made that they were made. */
export async function forgetPostsBy(writer: Writer, user_id: string): Promise<void> {
  await blankPostsBy.run(writer, { user_id });
}

/** Leaves of the changes of an entity that they were made. */
export async function forgetChanges(writer: Writer, entity: string, entity_id: string): Promise<void> {
  await blank.run(writer, { entity, entity_id });
}
