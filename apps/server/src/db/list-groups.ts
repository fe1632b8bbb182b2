/**
 * Lists that are always of some groups, such as the criteria of line items, and have an index on the group only: it has the rows of a group
 * in the order of creation. In another order a page is selected from them in portions, of which the best so far are kept; between
 * two of them others have their turn. For groups of more rows than one statement may sort. See ADR 0018.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CursorValue } from '@broadside/core';
import type { Row } from './database.ts';
import type { Order } from './keyset.ts';
import type { ListRequest, Position } from './list-request.ts';
import type { ListSearch } from './list-search.ts';
import type { ListCondition } from './list-statements.ts';
import { compareInOrder, type RowOrder } from './row-order.ts';

/** The request of a list, of one group. */
export interface GroupRequest {
  readonly request: ListRequest;
  /** The condition by the group. */
  readonly within: ListCondition;
}

interface Found {
  readonly row: Row;
  /** The values that it is ordered by. */
  readonly values: readonly CursorValue[];
}

export class GroupLists {
  readonly #search: ListSearch;
  readonly #rows: RowOrder;
  readonly #creation: Order;
  readonly #portion: number;

  /**
   * @param creation the order that the index has
   * @param portion how many rows are read at once
   */
  constructor(search: ListSearch, rows: RowOrder, creation: Order, portion: number) {
    this.#search = search;
    this.#rows = rows;
    this.#creation = creation;
    this.#portion = portion;
  }

  /** The rows of a page. */
  async page(groups: readonly GroupRequest[], { order: { keys }, after, limit }: Position): Promise<readonly Row[]> {
    let best: readonly Found[] = [];
    for (const group of groups) {
      for await (const rows of this.#portions(group)) {
        const last = best.length < limit ? undefined : best.at(-1);
        const better = rows
          .map((row) => ({ row, values: this.#rows.values(row, keys) }))
          .filter(({ values }) => after.length === 0 || compareInOrder(values, after, keys) > 0)
          .filter(({ values }) => last === undefined || compareInOrder(values, last.values, keys) < 0);
        if (better.length === 0) continue;
        best = [...best, ...better]
          .sort((one, other) => compareInOrder(one.values, other.values, keys))
          .slice(0, limit);
      }
    }
    return best.map(({ row }) => row);
  }

  /** The number of rows. */
  async count(groups: readonly GroupRequest[]): Promise<number> {
    let total = 0;
    for (const { request, within } of groups) total += await this.#search.countAlong(request, this.#creation, within);
    return total;
  }

  async *#portions({ request, within }: GroupRequest): AsyncGenerator<readonly Row[]> {
    const limit = this.#portion;
    for (let after: readonly CursorValue[] | undefined = []; after; await nextTurn()) {
      const rows: readonly Row[] = await this.#search.rows(request, { order: this.#creation, after, limit, within });
      yield rows;
      const end = rows.at(-1);
      after = end && rows.length === limit ? this.#rows.values(end, this.#creation.keys) : undefined;
    }
  }
}
