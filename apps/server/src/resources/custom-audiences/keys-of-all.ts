import { sql } from 'drizzle-orm';
import { rows, statement } from '../../db/statement.ts';
import { types } from '../../db/value-types.ts';
import { customAudiences } from './table.ts';

const { account_id, id, deleted } = customAudiences;

/** The audiences of all accounts of a store that are not deleted, by account and id, after one of them. */
export const listAllAudiences = statement({ after_account: types.text, after: types.text, count: types.int }, (args) =>
  rows(
    { account_id, id },
    (columns) => sql`SELECT ${columns} FROM ${customAudiences}
      WHERE (${account_id}, ${id}) > (${args.after_account}, ${args.after}) AND ${deleted} = 0
      ORDER BY ${account_id}, ${id} LIMIT ${args.count}`,
  ),
);
