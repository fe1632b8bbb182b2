/** The people whose identifiers the doctor knows. */
import { count, desc } from 'drizzle-orm';
import { rowid } from '../audience/rows.ts';
import type { Awaitable } from '../awaitable.ts';
import type { Reader } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { types } from '../db/value-types.ts';
import type { IdentifiedUser } from '../identity/identifiers.ts';
import { users } from '../identity/platform-table.ts';
import { identifyingColumns } from '../identity/user-columns.ts';

const listNewest = statement({ count: types.int }, (args) =>
  query.select(identifyingColumns).from(users).orderBy(desc(rowid)).limit(args.count.placeholder),
);

/** Returns the people who came last, with their identifiers. */
export function newestIdentified(reader: Reader, limit: number): Awaitable<IdentifiedUser[]> {
  return listNewest.all(reader, { count: limit });
}

const countAll = statement({}, () => query.select({ n: count() }).from(users).limit(1));

/** Returns how many people the platform has. */
export async function countPeople(reader: Reader): Promise<number> {
  return (await countAll.first(reader))?.n ?? 0;
}
