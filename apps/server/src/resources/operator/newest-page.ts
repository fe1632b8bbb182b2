/** Pages of what the platform store has, the newest first. */
import { decodeCursor, encodeCursor, type Page } from '@broadside/core';
import type { Awaitable } from '../../awaitable.ts';
import { pageOf } from '../../db/page.ts';
import type { Made } from '../../identity/newest-first.ts';

interface Asked {
  readonly count: number;
  readonly cursor?: string | undefined;
}

/**
 * Returns a page.
 * @param order names the list in its cursors
 * @param list reads so many rows, the newest first; those before one where it is given
 * @throws ApiError INVALID_PARAMETER when the cursor is of another list
 */
export async function newestPage<Row extends Made>(
  order: string,
  { count, cursor }: Asked,
  list: (count: number, before: Made | undefined) => Awaitable<readonly Row[]>,
): Promise<Page<Row>> {
  const before = cursor === undefined ? undefined : readCursor(order, cursor);
  if (cursor !== undefined && before === undefined) return pageOf<Row>(undefined, cursor);
  // One row more than the page holds shows whether there is a further one.
  const found = await list(count + 1, before);
  const data = found.slice(0, count);
  const last = found.length > count ? data.at(-1) : undefined;
  return { data, next_cursor: last ? encodeCursor({ order, after: [last.created_at, last.id] }) : null };
}

function readCursor(order: string, text: string): Made | undefined {
  const cursor = decodeCursor(text);
  const [created_at, id, ...more] = cursor?.order === order ? cursor.after : [];
  if (typeof created_at !== 'string' || typeof id !== 'string' || more.length > 0) return undefined;
  return { created_at, id };
}
