/** The order of people and apps, the newest first: by their creation, and then by their ids, which are numbers in text. */
import { desc, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';

/** Something that was made, by which its place in the order is known. */
export interface Made {
  readonly id: string;
  readonly created_at: string;
}

/** Where the order begins. */
export const NEWEST: Made = { created_at: '~', id: '' };

type Keys = Readonly<Record<keyof Made, SQLiteColumn>>;

/** The terms of ORDER BY. */
export function newestFirst({ created_at, id }: Keys): SQL[] {
  return [desc(created_at), sql`length(${id}) DESC`, desc(id)];
}

/** The rows after one in the order. */
export function olderThan({ created_at, id }: Keys, one: Readonly<Record<keyof Made, unknown>>): SQL {
  return sql`(${created_at}, length(${id}), ${id}) < (${one.created_at}, length(${one.id}), ${one.id})`;
}
