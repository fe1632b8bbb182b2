/**
 * Pages in an order by several attributes. An index has the order of one attribute, and any number of rows may be equal in it.
 * So as many rows as are wanted are read in the order of the first attribute. All that are equal in it are among them, except
 * those like the last one: these are read as a list of their own, of the rows with that value in the order of the other
 * attributes, by the same means. Where an index tells which rows those are, its keys are read first, and of the rows only the
 * others. See ADR 0018.
 */
import type { CursorValue } from '@broadside/core';
import { isNull, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { type Awaitable, chain } from '../awaitable.ts';
import type { Row, Value } from './database.ts';
import { lowest, type Order } from './keyset.ts';
import type { ListClasses } from './list-class.ts';
import { cursorValue, type ListRequest, type Position } from './list-request.ts';
import type { ListSearch } from './list-search.ts';
import type { ListCondition } from './list-statements.ts';
import type { RowOrder } from './row-order.ts';

type Key = Order['keys'][number];

/** The rows before a tie, and the value that its rows share; `undefined` where no rows are left out. */
interface BeforeTie {
  readonly rows: readonly Row[];
  readonly tie: Value | undefined;
}

/** Returns whether an index has an order: one attribute and the order of creation, in one direction. */
export function isSimple({ keys }: Order): boolean {
  const indexed = keys[0]?.column.name === 'deleted' ? keys.slice(1) : keys;
  return indexed.length <= 2 && keys.every(({ descending }) => descending === keys[0]?.descending);
}

export class TiedLists {
  readonly #search: ListSearch;
  readonly #keysOf: (columns: readonly SQLiteColumn[]) => ListSearch;
  /** Searches that read nothing but an attribute, the number of creation and the row id, by the name of the attribute's column. */
  readonly #keys = new Map<string, ListSearch>();
  readonly #classes: ListClasses;
  readonly #rows: RowOrder;

  /** @param keysOf makes searches of the same list that read some columns and the row id */
  constructor(
    search: ListSearch,
    keysOf: (columns: readonly SQLiteColumn[]) => ListSearch,
    classes: ListClasses,
    rows: RowOrder,
  ) {
    this.#search = search;
    this.#keysOf = keysOf;
    this.#classes = classes;
    this.#rows = rows;
  }

  /** The rows of a page. */
  page(request: ListRequest, position: Position): Awaitable<readonly Row[]> {
    if (position.limit <= 0) return [];
    if (isSimple(position.order)) {
      // The index of an attribute has rows that are equal in it in the order of creation, those of each class for themselves.
      const last = request.form.conditions.at(-1);
      const isByCreation = position.order.keys.every(({ column: { name } }) => name === 'deleted' || name === 'seq');
      const within = isByCreation && last?.kind === 'tie' ? last : undefined;
      return this.#search.rows(request, { ...position, within });
    }
    return chain(this.#search.selective(request, position.order), (by) => {
      if (by) return this.#search.sorted(request, position, by);
      const [first, ...rest] = position.order.keys;
      if (!first) throw new TypeError('an order has keys');
      if (first.column.name === 'deleted') return this.#byDeletion(request, position, first, rest);
      return this.#byFirst(request, position, first, rest);
    });
  }

  /** Deletion is part of the class of a row, so rows that are equal in it are those of some classes. */
  #byDeletion(
    { form, ...request }: ListRequest,
    { after, limit }: Position,
    { descending }: Key,
    rest: readonly Key[],
  ): Awaitable<readonly Row[]> {
    const begin = after.length > 0 && after[0] === 1n;
    const order = orderOfKeys(rest);
    const part = (deleted: boolean, position: Position): Awaitable<readonly Row[]> => {
      const classes = form.classes.filter((number) => this.#classes.isDeleted(number) === deleted);
      if (classes.length === 0) return [];
      // Of fewer classes a condition may find few rows.
      const own = { ...request, form: { ...form, classes }, many: 0, name: `${request.name} of ${classes.join()}` };
      return this.page(own, position);
    };
    const second = !descending;
    if (after.length > 0 && begin === second) return part(second, { order, after: after.slice(1), limit });
    return chain(part(!second, { order, after: after.slice(1), limit }), (rows) =>
      rows.length < limit
        ? chain(part(second, { order, after: [], limit: limit - rows.length }), (more) => [...rows, ...more])
        : rows,
    );
  }

  #byFirst(request: ListRequest, position: Position, first: Key, rest: readonly Key[]): Awaitable<readonly Row[]> {
    const { after, limit } = position;
    const [value, ...within] = after;
    if (value === undefined) return this.#groups(request, position, first, rest);
    const cell = !first.column.notNull && value === lowest(first.column) ? null : value;
    return chain(this.#equal(request, first, cell, rest, { after: within, limit }), (rows) =>
      rows.length < limit
        ? chain(this.#groups(request, { ...position, limit: limit - rows.length }, first, rest, value), (more) => [
            ...rows,
            ...more,
          ])
        : rows,
    );
  }

  /** @param past the value of the first attribute after which they begin */
  #groups(
    request: ListRequest,
    { order, limit }: Position,
    first: Key,
    rest: readonly Key[],
    past?: CursorValue,
  ): Awaitable<readonly Row[]> {
    const seq = rest.at(-1);
    if (!seq) throw new TypeError('an order ends with that of creation');
    const { descending } = first;
    const position: Position = {
      order: orderOfKeys([first, { column: seq.column, descending }]),
      after: past === undefined ? [] : [past, descending ? BEFORE_ALL : AFTER_ALL],
      limit: limit + 1,
    };
    return chain(this.#beforeTie(request, position, first, seq), ({ rows, tie }) => {
      const whole = this.#rows.sort(rows, order.keys);
      if (tie === undefined) return whole;
      return chain(this.#equal(request, first, tie, rest, { after: [], limit: limit - whole.length }), (more) => [
        ...whole,
        ...more,
      ]);
    });
  }

  /**
   * The rows before those that are like the last one in the first attribute, and its value; `undefined` where all rows are wanted.
   * Where an index tells that value, only the rows before it are read.
   */
  #beforeTie(request: ListRequest, position: Position, first: Key, seq: Key): Awaitable<BeforeTie> {
    if (!this.#search.isCovered(request, position)) return this.#rowsBeforeTie(request, position, first);
    return chain(this.#keysSearch(first, seq).along(request, position), (keys) => {
      const tie = keys.length < position.limit ? undefined : (keys.at(-1)?.[0] ?? null);
      const before = keys.filter(([value]) => value !== tie);
      if (before.length === 0) return { rows: [], tie };
      const values = new Map(before.map(([value, creation]) => [creation, value]));
      const ids = before.map(([, , id]) => id ?? null);
      return chain(this.#search.withIds(request, ids), (rows) =>
        rows.length === ids.length &&
        rows.every((row) => values.get(this.#rows.cell(row, seq)) === this.#rows.cell(row, first))
          ? { rows, tie }
          : // Written to in between.
            this.#rowsBeforeTie(request, position, first),
      );
    });
  }

  #rowsBeforeTie(request: ListRequest, position: Position, first: Key): Awaitable<BeforeTie> {
    const cell = (row: Row | undefined) => this.#rows.cell(row, first);
    return chain(this.#search.along(request, position), (rows): BeforeTie => {
      if (rows.length < position.limit) return { rows, tie: undefined };
      const tie = cell(rows.at(-1));
      return { rows: rows.filter((row) => cell(row) !== tie), tie };
    });
  }

  #keysSearch({ column }: Key, seq: Key): ListSearch {
    const kept = this.#keys.get(column.name) ?? this.#keysOf([column, seq.column]);
    this.#keys.set(column.name, kept);
    return kept;
  }

  /** Rows with a value of the first attribute, in the order of the others. */
  #equal(
    request: ListRequest,
    { column }: Key,
    value: Value,
    rest: readonly Key[],
    { after, limit }: Pick<Position, 'after' | 'limit'>,
  ): Awaitable<readonly Row[]> {
    const name = `tie_${column.name}`;
    // An index finds NULL by this form only.
    const where = value === null ? isNull(column) : sql`${column} = ${sql.placeholder(name)}`;
    const tie: ListCondition = { name, where, column, kind: 'tie' };
    const own: ListRequest = {
      ...request,
      form: { ...request.form, conditions: [...request.form.conditions, tie] },
      many: request.form.conditions.length,
      name: `${request.name} ${name}${value === null ? ' null' : ''}`,
      args: { ...request.args, [name]: value === null ? null : cursorValue(column, value) },
    };
    return this.page(own, { order: orderOfKeys(rest), after, limit });
  }
}

/** Before and after each number of creation. */
const BEFORE_ALL = -(2n ** 63n);
const AFTER_ALL = 2n ** 63n - 1n;

function orderOfKeys(keys: readonly Key[]): Order {
  return { name: keys.map(({ column, descending }) => `${column.name}-${descending ? 'desc' : 'asc'}`).join(), keys };
}
