import { eq, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';

/** The condition that keeps a statement inside one account. */
export function accountScope(column: SQLiteColumn): SQL {
  return eq(column, sql.placeholder('scope'));
}
