import type { ListQuery, Page } from '@broadside/core';
import type { EntityTable } from './entity-queries.ts';
import { comparer, cursorOf, NEWEST_FIRST, orderOf } from './keyset.ts';

/**
 * Makes one page of what several lists of a table hold together. Each of them answers the same query, so that their cursors,
 * which hold the values of a row, continue all of them.
 * @param pages the page of each list
 */
export function mergePages<Row extends Readonly<Record<string, unknown>>>(
  table: EntityTable,
  { sort_by = NEWEST_FIRST, count, with_total_count }: ListQuery,
  pages: readonly Page<Row>[],
): Page<Row> {
  const order = orderOf(table, sort_by);
  const rows = pages.flatMap(({ data }) => data).sort(comparer(order));
  const data = rows.slice(0, count);
  const last = rows.length > count || pages.some(({ next_cursor }) => next_cursor !== null) ? data.at(-1) : undefined;
  const total_count = pages.reduce((sum, page) => sum + (page.total_count ?? 0), 0);
  return { data, next_cursor: last ? cursorOf(order, last) : null, ...(with_total_count ? { total_count } : {}) };
}
