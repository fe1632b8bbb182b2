import { sql } from 'drizzle-orm';
import type { Reader } from '../../db/database.ts';
import { always, EntityQueries, type Filter } from '../../db/entity-table.ts';
import { curatedCategories } from './table.ts';

/** A curated category as stored. */
export type CuratedCategoryRow = typeof curatedCategories.$inferSelect;

const availableIn: Filter<readonly string[]> = {
  where: sql`EXISTS (SELECT 1 FROM json_each(${curatedCategories.country_codes}) AS "available"
    WHERE "available".value IN (SELECT value FROM json_each(${sql.placeholder('country_codes')})))`,
  bind: (country_codes) => ({ country_codes: JSON.stringify(country_codes) }),
};

/** All curated categories; the scope is the empty text. */
export const curatedCategoryQueries = new EntityQueries(curatedCategories, sql`${sql.placeholder('scope')} = ''`, {
  country_codes: availableIn,
  not_deleted: always(sql`${curatedCategories.deleted} = 0`),
});

const OF_PUBLISHER = `SELECT "id" FROM "curated_categories" WHERE "deleted" = 0
  AND EXISTS (SELECT 1 FROM json_each("publisher_user_ids") AS "named" WHERE "named".value = ?)`;

/** The ids of the categories that a publisher is in. */
export async function categoriesOfPublisher(reader: Reader, user_id: string): Promise<string[]> {
  const rows = await reader.query(OF_PUBLISHER, [user_id]);
  return rows.map(([id]) => String(id));
}
