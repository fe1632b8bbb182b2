import { sql } from 'drizzle-orm';
import { rows, statement } from '../../db/statement.ts';
import { types } from '../../db/value-types.ts';
import { libraryMediaTable } from './table.ts';

/** Records of some media in the libraries of all accounts, deleted ones too. It reads the whole table: there is no index by media. */
export const listHeld = statement({ keys: types.texts }, ({ keys }) =>
  rows(
    { account_id: libraryMediaTable.account_id, id: libraryMediaTable.id, deleted: libraryMediaTable.deleted },
    (columns) => sql`SELECT ${columns} FROM ${libraryMediaTable}
      WHERE ${libraryMediaTable.id} IN (SELECT value FROM json_each(${keys}))`,
  ),
);
