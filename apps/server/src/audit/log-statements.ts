/** Statements that read a change log, the newest change first, by one index each. */
import { and, eq, gte, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { changeLog } from '../db/change-log-table.ts';
import { type ArgumentsIn, rows, statement } from '../db/statement.ts';
import { orNull, types } from '../db/value-types.ts';

const { seq, account_id, entity, entity_id, change_type, change_time, change_by_user_id, change_by_platform } =
  changeLog;

/** Numbers of changes: those from `from` on, before `before`. */
const span = { from: types.long, before: types.long };

/** What is compared with each change that an index has found. */
const compared = {
  log_account: orNull(account_id),
  log_entity: orNull(entity),
  log_user: orNull(change_by_user_id),
  log_platform: orNull(change_by_platform),
  log_type: orNull(change_type),
  start_time: orNull(change_time),
  end_time: orNull(change_time),
};

const fields = {
  seq: sql`${seq}`.mapWith(types.long),
  account_id,
  entity,
  entity_id,
  change_type,
  change_time,
  change_by_user_id,
  change_by_platform,
  changes: changeLog.changes,
  entity_data: changeLog.entity_data,
};

const within = (args: ArgumentsIn<typeof span>) => and(gte(seq, args.from), lt(seq, args.before));

/** The changes among those that an index has which are asked for. The other comparisons are such that no index is chosen for them. */
function select(
  args: ArgumentsIn<typeof span & typeof compared & { limit: typeof types.int }>,
  found: SQL | undefined,
) {
  return rows(
    fields,
    (columns) => sql`SELECT ${columns} FROM ${changeLog} WHERE ${and(found, within(args))}
      AND (${args.log_account} IS NULL OR ${account_id} = ${args.log_account})
      AND (${args.log_entity} IS NULL OR ${entity} = ${args.log_entity})
      AND (${args.log_user} IS NULL OR ${change_by_user_id} = ${args.log_user})
      AND (${args.log_platform} IS NULL OR ${change_by_platform} = ${args.log_platform})
      AND (${args.log_type} IS NULL OR ${change_type} = ${args.log_type})
      AND (${args.start_time} IS NULL OR ${change_time} >= ${args.start_time})
      AND (${args.end_time} IS NULL OR ${change_time} < ${args.end_time})
    ORDER BY ${seq} DESC LIMIT ${args.limit}`,
  );
}

/** The number of the last of `scan` changes that an index has; none where there are fewer. */
function selectEnd(args: ArgumentsIn<typeof span & { scan: typeof types.int }>, found: SQL | undefined) {
  return rows(
    { seq: fields.seq },
    (columns) => sql`SELECT ${columns} FROM ${changeLog} WHERE ${and(found, within(args))}
      ORDER BY ${seq} DESC LIMIT 1 OFFSET ${args.scan} - 1`,
  );
}

const parameters = { ...span, ...compared, limit: types.int };
const endParameters = { ...span, scan: types.int };
const key = { entity, entity_id };
const ofEntity = (args: ArgumentsIn<typeof key>) => and(eq(entity, args.entity), eq(entity_id, args.entity_id));
const user = { user_id: types.text };
const ofUser = (args: ArgumentsIn<typeof user>) => eq(change_by_user_id, args.user_id);
const account = { of_account: types.text };
const ofAccount = (args: ArgumentsIn<typeof account>) => eq(account_id, args.of_account);
const platform = { by_platform: change_by_platform };
const ofPlatform = (args: ArgumentsIn<typeof platform>) =>
  and(eq(change_by_platform, args.by_platform), isNull(change_by_user_id));

/** The ways through a log: each finds changes by an index, in their order. */
export const ways = {
  entity: {
    list: statement({ ...parameters, ...key }, (args) => select(args, ofEntity(args))),
    end: statement({ ...endParameters, ...key }, (args) => selectEnd(args, ofEntity(args))),
  },
  user: {
    list: statement({ ...parameters, ...user }, (args) => select(args, ofUser(args))),
    end: statement({ ...endParameters, ...user }, (args) => selectEnd(args, ofUser(args))),
  },
  account: {
    list: statement({ ...parameters, ...account }, (args) => select(args, ofAccount(args))),
    end: statement({ ...endParameters, ...account }, (args) => selectEnd(args, ofAccount(args))),
  },
  platform: {
    list: statement({ ...parameters, ...platform }, (args) => select(args, ofPlatform(args))),
    end: statement({ ...endParameters, ...platform }, (args) => selectEnd(args, ofPlatform(args))),
  },
  all: {
    list: statement(parameters, (args) => select(args, undefined)),
    end: statement(endParameters, (args) => selectEnd(args, undefined)),
  },
};

/**
 * The number of the first change at a time or later, by halving: changes are numbered in the order of their times, since the clock of a world
 * never goes back. Of changes that were made at once, the order can be another. Those up to `above` are left out; it is the result where all others are later.
 */
export const findSeqAt = statement({ time: change_time, above: types.long }, ({ time, above }) => {
  const middle = sql`((low + high) / 2)`;
  const later = sql`coalesce((SELECT ${change_time} FROM ${changeLog} WHERE ${seq} >= ${middle} ORDER BY ${seq} LIMIT 1) >= ${time}, 1)`;
  return rows(
    { seq: sql`low`.mapWith(types.long) },
    (columns) => sql`WITH RECURSIVE halves(low, high) AS (
        SELECT ${above}, max(coalesce((SELECT max(${seq}) FROM ${changeLog}), 0), ${above}) + 1
        UNION ALL
        SELECT iif(${later}, low, ${middle} + 1), iif(${later}, ${middle}, high) FROM halves WHERE low < high
      )
      SELECT ${columns} FROM halves WHERE low >= high LIMIT 1`,
  );
});
