/** Lists of procedures, printed a page after the other. */
import { isEntity } from '../columns.ts';
import type { ListOutput, Output } from '../output.ts';
import type { Params } from './params.ts';

/**
 * Prints a list.
 * @param limit how many entities; the first page that has some when undefined
 * @param ask calls the operation
 * @param printed how
 */
export async function printPages(
  params: Params,
  output: Output,
  limit: number | undefined,
  ask: (params: Params) => Promise<unknown>,
  printed: ListOutput = output.many(),
): Promise<undefined> {
  let left = limit ?? Number.POSITIVE_INFINITY;
  let cursor = params['cursor'];
  let wantsMore: boolean;
  do {
    const page = await ask(cursor === undefined ? params : { ...params, cursor });
    if (!isEntity(page) || !Array.isArray(page['data'])) throw new TypeError('a list was answered with no page');
    const rows = page['data'].slice(0, left);
    await printed.page(rows);
    left -= rows.length;
    cursor = page['next_cursor'] ?? undefined;
    // A page can be empty though others follow: what is looked through for one is limited.
    wantsMore = limit === undefined ? rows.length === 0 : left > 0;
  } while (wantsMore && cursor !== undefined);
  await printed.end();
  if (limit === undefined && cursor !== undefined)
    await output.say(
      `More follow: --all lists everything, --limit so many. The next page:\n  --cursor ${String(cursor)}`,
    );
}
