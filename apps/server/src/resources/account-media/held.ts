import { sql } from 'drizzle-orm';
import { rows, statement } from '../../db/statement.ts';
import { types } from '../../db/value-types.ts';
import { accountMediaTable } from './table.ts';

/** Those of some media that any account has among its account media. It reads the whole table: there is no index by media. */
export const listAccountMedia = statement({ keys: types.texts }, ({ keys }) =>
  rows(
    { media_key: accountMediaTable.media_key },
    (columns) => sql`SELECT DISTINCT ${columns} FROM ${accountMediaTable}
      WHERE ${accountMediaTable.media_key} IN (SELECT value FROM json_each(${keys}))`,
  ),
);
