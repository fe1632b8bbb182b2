/**
 * Rows of a list in an order that an index has. Where filters leave out most rows, those that an index finds by a filter are
 * sorted, if they are few. No statement passes over more rows than its bounds say; between two of them others have their turn.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CursorValue } from '@broadside/core';
import type { SQL } from 'drizzle-orm';
import { type Awaitable, chain } from '../awaitable.ts';
import type { Row, Value } from './database.ts';
import type { Order } from './keyset.ts';
import {
  at,
  cursorValue,
  formOfPosition,
  type ListBounds,
  type ListReading,
  type ListRequest,
  type Position,
} from './list-request.ts';
import { LIMIT, type ListCondition, type ListStatements, type PageForm, ROW_IDS, SIZE } from './list-statements.ts';

export class ListSearch {
  readonly #statements: ListStatements;
  readonly #reading: ListReading;
  readonly #bounds: ListBounds;
  readonly #rows: string;
  /**
   * Ties that were found to have so many rows at least, as the next page has the same ones. What is remembered of one that has lost
   * most of its rows since costs passing over a few more of them.
   */
  readonly #ties = new Map<string, number>();

  /** @param rows names the columns that the statements read, among those of all searches of the list */
  constructor(statements: ListStatements, reading: ListReading, bounds: ListBounds, rows = '') {
    this.#rows = rows;
    this.#statements = statements;
    this.#reading = reading;
    this.#bounds = bounds;
  }

  /** The most rows that one statement sorts. */
  get #mostSorted(): number {
    return 2 * this.#bounds.portion;
  }

  /** The next rows of an order that an index has. */
  rows(request: ListRequest, position: Position): Awaitable<readonly Row[]> {
    if (isUnfiltered(request, position)) return this.ordered(request, position);
    return this.#search(request, position, this.#bounds.few);
  }

  /** The same, where it is known that no condition finds few rows: see {@link selective}. */
  along(request: ListRequest, position: Position): Awaitable<readonly Row[]> {
    if (isUnfiltered(request, position)) return this.ordered(request, position);
    return this.#follow(request, position, this.#bounds.few);
  }

  /** Returns whether the index of the order has all that it and the conditions name: passing over a row reads nothing else. */
  isCovered({ form: { conditions } }: ListRequest, { order, within }: Position): boolean {
    return this.#statements.isCovered(conditions, order, within);
  }

  /** The rows with these ids, in no order; those of them that fulfil the conditions still. */
  withIds(request: ListRequest, ids: readonly Value[]): Awaitable<readonly Row[]> {
    const asked = { ...request, args: { ...request.args, [ROW_IDS]: `[${ids.join()}]` } };
    return this.#reading.rows(asked, 'with ids', () => this.#statements.withIds(request.form));
  }

  /** All of them that a statement finds in the order of its index. */
  ordered(request: ListRequest, position: Position): Awaitable<readonly Row[]> {
    return this.#read(request, position, 'ordered', (page) => this.#statements.ordered(page));
  }

  /** Rows that an index finds by a condition, sorted. */
  sorted(request: ListRequest, position: Position, by: ListCondition): Awaitable<readonly Row[]> {
    return this.#read(request, position, `sorted ${by.name}`, (page) => this.#statements.sorted(page, by));
  }

  /**
   * The condition whose rows take the least to sort, if they are no more than a few, or twice as many where its index has all that is
   * looked at; `undefined` where there is none.
   * @param order the one that is wanted; the default one where rows are only counted
   */
  selective(request: ListRequest, order: Order, few = this.#bounds.few): Awaitable<ListCondition | undefined> {
    const {
      form: { conditions },
      many = 0,
    } = request;
    const leads = conditions
      .slice(few === this.#bounds.few ? many : 0)
      .filter((condition) => this.#statements.leads(condition))
      .map((by) => ({ by, cost: this.#statements.isCovered(conditions, order, by) ? KEY_SORTED : ROW_READ }));
    const compare = (index: number, budget: number, found: ListCondition | undefined): Awaitable<typeof found> => {
      const lead = leads[index];
      if (!lead) return found;
      const { by, cost } = lead;
      if (budget < cost) return compare(index + 1, budget, found);
      const most = Math.min(Math.floor(budget / cost), this.#mostSorted);
      return chain(this.#sizeUpTo(request, by, most + 1), (size) =>
        size > most ? compare(index + 1, budget, found) : compare(index + 1, size * cost - 1, by),
      );
    };
    return compare(0, few * ROW_READ, undefined);
  }

  /** Returns whether the account has a few rows at most, of those that the list shows. */
  hasFew(request: ListRequest): Awaitable<boolean> {
    const count = () => this.#statements.keptCount(request.form.classes, undefined);
    const asked = { ...request, name: request.form.classes.join() };
    return chain(this.#reading.number(asked, 'all', count), (found) => found <= this.#bounds.few);
  }

  /**
   * The number of rows that fulfil two conditions or more. Those that an index finds by one of them are counted if they are few;
   * otherwise the fewest that one finds, or all rows, are passed over in portions. @param order the default one
   */
  count(request: ListRequest, order: Order): Awaitable<number> {
    const { classes, conditions } = request.form;
    return chain(this.selective(request, order), (by) =>
      by
        ? this.#reading.number(request, `count ${by.name}`, () =>
            this.#statements.count(classes, conditions, by, false),
          )
        : chain(this.#shortest(request, order), (within) => this.countAlong(request, order, within)),
    );
  }

  /** The condition by one value or by a prefix that finds the fewest rows, where reading these takes less than all keys. */
  #shortest(request: ListRequest, order: Order): Awaitable<ListCondition | undefined> {
    const { conditions } = request.form;
    const leads = conditions.filter(({ kind }) => kind === 'one' || kind === 'prefix');
    const isCovered = this.#statements.isCovered(conditions, order);
    const compare = (index: number, least: number, found: ListCondition | undefined): Awaitable<typeof found> => {
      const by = leads[index];
      if (!by) return found;
      return chain(this.#keptSize(request, by), (size) =>
        size * (isCovered ? ROW_READ : 1) < least ? compare(index + 1, size, by) : compare(index + 1, least, found),
      );
    };
    return chain(this.#keptSize(request), (all) => compare(0, all, undefined));
  }

  /** Counts the rows of an order, or within a condition, in portions. */
  async countAlong(request: ListRequest, order: Order, within: ListCondition | undefined): Promise<number> {
    const size = this.#bounds.portion;
    const along = within?.kind === 'prefix' ? this.#statements.orderOfNames(order, within) : order;
    let total = 0;
    for (let after: readonly CursorValue[] | undefined = []; after; await nextTurn()) {
      const position: Position = { order: along, after, limit: 1, within };
      const next = sized(request, size);
      total += await this.#reading.number(at(next, position), `count portion ${formOfPosition(position)}`, () =>
        this.#statements.countOfPortion({ ...request.form, ...position }),
      );
      after = await this.#endOf(request, position, size);
    }
    return total;
  }

  /**
   * The rows that fulfil conditions: those that an index finds by one of them are sorted if they are few, otherwise the order
   * is followed past as many rows. If it is not about to end then, more are accepted for sorting, and so on. Whichever way ends first has cost a
   * small multiple of what the other would have, up to the number of rows that one statement may sort.
   */
  #search(request: ListRequest, position: Position, few: number): Awaitable<readonly Row[]> {
    if (few > this.#mostSorted) return this.#follow(request, position, Number.POSITIVE_INFINITY);
    return chain(this.selective(request, position.order, few), (by) =>
      by ? this.sorted(request, position, by) : this.#follow(request, position, few),
    );
  }

  /** Follows the order past as many rows as would have been sorted, in portions, and past more where its index has all that is looked at. */
  #follow(request: ListRequest, start: Position, few: number): Awaitable<readonly Row[]> {
    const most = this.isCovered(request, start) ? few * ROW_READ : few;
    const walk = (position: Position, found: readonly Row[], passed: number): Awaitable<readonly Row[]> => {
      const size = Math.min(this.#bounds.portion, most - passed);
      const portion = this.#read(sized(request, size), position, 'portion', (page) => this.#statements.portion(page));
      return chain(portion, (more) => {
        const all = found.length === 0 ? more : [...found, ...more];
        if (more.length >= position.limit) return all;
        return chain(this.#endOf(request, position, size), (after) => {
          if (!after) return all;
          const rest = { ...position, after, limit: position.limit - more.length };
          return chain(nextTurn(), () => {
            if (passed + size < most) return walk(rest, all, passed + size);
            const isAboutToEnd = rest.limit <= all.length;
            const further = isAboutToEnd ? this.#follow(request, rest, few) : this.#search(request, rest, MORE * few);
            return chain(further, (others) => [...all, ...others]);
          });
        });
      });
    };
    return walk(start, [], 0);
  }

  /** The cursor at the end of the next rows of an order; `undefined` when these are the last ones. */
  #endOf(request: ListRequest, position: Position, size: number): Awaitable<readonly CursorValue[] | undefined> {
    const { keys } = position.order;
    const read = this.#read(sized(request, size - 1), position, 'end', (page) => this.#statements.endOfPortion(page));
    return chain(read, ([end]) => end && keys.map(({ column }, place) => cursorValue(column, end[place])));
  }

  /** The number of rows that fulfil a condition, or of all, as it is kept. */
  #keptSize(request: ListRequest, by?: ListCondition): Awaitable<number> {
    return this.#reading.number(request, `kept ${by?.name ?? ''}`, () =>
      this.#statements.keptCount(request.form.classes, by),
    );
  }

  /** The number of rows that an index finds by a condition; of more than `most`, that many at least. */
  #sizeUpTo(request: ListRequest, by: ListCondition, most: number): Awaitable<number> {
    const { classes, conditions } = request.form;
    if (by.kind === 'one' && this.#statements.isCounted([by])) return this.#keptSize(request, by);
    const bounded = { ...request, args: { ...request.args, [LIMIT]: BigInt(most) } };
    const count = () =>
      this.#reading.number(bounded, `look ${by.name}`, () => this.#statements.count(classes, conditions, by, true));
    if (by.kind !== 'tie') return count();
    const { scope, [by.name]: value } = request.args;
    const tie = `${scope} ${classes.join()} ${by.name} ${typeof value} ${value}`;
    if ((this.#ties.get(tie) ?? 0) >= most) return most;
    return chain(count(), (size) => {
      if (this.#ties.size >= MOST_TIES) this.#ties.clear();
      if (size >= most) this.#ties.set(tie, size);
      else this.#ties.delete(tie);
      return size;
    });
  }

  #read(
    request: ListRequest,
    position: Position,
    way: string,
    make: (form: PageForm) => SQL,
  ): Awaitable<readonly Row[]> {
    return this.#reading.rows(at(request, position), `${this.#rows}${way} ${formOfPosition(position)}`, () =>
      make({ ...request.form, ...position }),
    );
  }
}

/** Where neither way has led to the rows yet, so many times as many are accepted for sorting. */
const MORE = 4;

/** What reading a row costs, by passing over one in an index: some thirteen times as much, and less where its page is read anyway. */
const ROW_READ = 4;

/** The same for sorting one of which the index has all that is looked at. */
const KEY_SORTED = 2;

/** So many ties are remembered. */
const MOST_TIES = 1000;

/** Returns whether no condition is left but the one by which the index is read. */
function isUnfiltered({ form: { conditions } }: ListRequest, { within }: Position): boolean {
  return conditions.length === 0 || (conditions.length === 1 && conditions[0] === within);
}

function sized(request: ListRequest, rows: number): ListRequest {
  return { ...request, args: { ...request.args, [SIZE]: BigInt(rows) } };
}
