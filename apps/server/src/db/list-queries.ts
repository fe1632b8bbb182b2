/**
 * Pages and counts of account data that do not depend on how much of it there is: see ADR 0018. A page is read in the order of
 * an index; where filters leave out most rows, those that an index finds by a filter are sorted, if they are few.
 */
import type { CursorValue } from '@broadside/core';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { type Awaitable, chain } from '../awaitable.ts';
import type { Arg, Reader, Row } from './database.ts';
import type { EntityTable } from './entity-table.ts';
import type { Condition } from './filters.ts';
import { NEWEST_FIRST, type Order, orderOf } from './keyset.ts';
import { ListClasses } from './list-class.ts';
import { GroupLists, type GroupRequest } from './list-groups.ts';
import { at, formOfPosition, type ListBounds, ListReading, type ListRequest, type Position } from './list-request.ts';
import { ListSearch } from './list-search.ts';
import { type ListCondition, ListStatements, onlyValue } from './list-statements.ts';
import { isSimple, TiedLists } from './list-ties.ts';
import { RowOrder } from './row-order.ts';

const BOUNDS: ListBounds = { few: 1024, portion: 4096 };

/** The request of a list. */
export interface ListAsked {
  readonly reader: Reader;
  readonly scope: string;
  /** Its parameters by their names. */
  readonly params: object;
}

/** The request of a page. */
export interface PageAsked extends ListAsked {
  readonly order: Order;
  /** The values of the cursor; none on the first page. */
  readonly after: readonly CursorValue[];
  /** The most rows that it has. */
  readonly limit: number;
}

export class ListQueries {
  readonly #table: EntityTable;
  readonly #given: Readonly<Record<string, Condition<never>>>;
  readonly #statements: ListStatements;
  readonly #reading = new ListReading();
  readonly #search: ListSearch;
  readonly #tied: TiedLists;
  readonly #grouped: GroupLists;
  readonly #classes: ListClasses;
  readonly #conditions: readonly (readonly [name: string, condition: Condition<never>])[];
  readonly #drafts: string | undefined;
  readonly #bounds: ListBounds;

  /** @param conditions those of the filters of the entity, by their parameters */
  constructor(
    table: EntityTable,
    columns: readonly SQLiteColumn[],
    conditions: Readonly<Record<string, Condition<never>>>,
    bounds = BOUNDS,
  ) {
    this.#table = table;
    this.#given = conditions;
    this.#bounds = bounds;
    const all = Object.entries(conditions);
    this.#drafts = all.find(([, { by }]) => by?.way === 'drafts')?.[0];
    this.#conditions = all.filter(([name]) => name !== this.#drafts);
    this.#classes = new ListClasses(table, this.#drafts !== undefined);
    this.#statements = new ListStatements(table, columns, this.#classes);
    this.#search = new ListSearch(this.#statements, this.#reading, bounds);
    const rows = new RowOrder(columns);
    const keysOf = (some: readonly SQLiteColumn[]) => {
      const statements = new ListStatements(table, some, this.#classes, { withRowId: true });
      return new ListSearch(statements, this.#reading, bounds, `keys ${some.map(({ name }) => name).join()} `);
    };
    this.#tied = new TiedLists(this.#search, keysOf, this.#classes, rows);
    this.#grouped = new GroupLists(this.#search, rows, orderOf(table, NEWEST_FIRST), bounds.few);
  }

  /** The same lists, of other columns of their rows: those of the order are among them. Not for filtered ones. */
  of(columns: readonly SQLiteColumn[]): ListQueries {
    const distinct = [...new Set(columns)];
    return new ListQueries(this.#table, distinct, this.#given, this.#bounds);
  }

  /** Returns whether parameters ask for rows that fulfil conditions, other than to be drafts or deleted or not. */
  isFiltered(params: object): boolean {
    const given: Readonly<Record<string, never>> = { ...params };
    return this.#conditions.some(([name, condition]) => given[name] !== undefined && condition.applies(given[name]));
  }

  /** The rows of a page, in its order. */
  page({ order, after, limit, ...asked }: PageAsked): Awaitable<readonly Row[]> {
    const request = this.#request(asked);
    const { conditions } = request.form;
    const position: Position = { order, after, limit };
    const unique = conditions.find(({ column }) => this.#statements.isUnique(column));
    if (unique) return this.#search.sorted(request, position, unique);
    const [first, ...others] = conditions;
    if (first && others.length === 0 && this.#statements.isInOrder(order) && this.#statements.leads(first)) {
      if (first.kind === 'one') return this.#search.ordered(request, { ...position, within: first });
      if (first.kind === 'several') {
        return this.#reading.rows(at(request, position), `merged ${formOfPosition(position)}`, () =>
          this.#statements.merged({ ...request.form, ...position }, first),
        );
      }
    }
    const lead = conditions.find((condition) => this.#statements.leads(condition));
    if (lead && !this.#statements.hasIndex(order)) {
      return chain(this.#search.selective(request, order, 2 * this.#bounds.portion), (by) =>
        by
          ? this.#search.sorted(request, position, by)
          : this.#grouped.page(this.#groups(asked, request, lead), position),
      );
    }
    if (isSimple(order)) return this.#search.rows(request, position);
    const tied = () => this.#tied.page(request, position);
    if (first) return tied();
    return chain(this.#search.hasFew(request), (few) => (few ? this.#search.ordered(request, position) : tied()));
  }

  /** All rows, in the order. */
  every(asked: ListAsked, order: Order): Awaitable<readonly Row[]> {
    const request = this.#request(asked);
    const page = { ...request.form, order, after: [] };
    const { conditions } = request.form;
    const by =
      conditions.find(({ column }) => this.#statements.isUnique(column)) ??
      conditions.find((condition) => this.#statements.leads(condition));
    return this.#reading.rows(request, `every ${order.name}`, () =>
      by ? this.#statements.sorted(page, by, false) : this.#statements.all(page),
    );
  }

  /** The number of rows on all pages: the one that is kept, or else that of the rows found. @param order the default one */
  count(asked: ListAsked, order: Order): Awaitable<number> {
    const request = this.#request(asked);
    const { classes, conditions } = request.form;
    if (this.#statements.isCounted(conditions)) {
      return this.#reading.number(request, 'kept', () => this.#statements.keptCount(classes, conditions[0]));
    }
    const unique = conditions.find(({ column }) => this.#statements.isUnique(column));
    if (!unique && this.#statements.hasIndex(order)) return this.#search.count(request, order);
    const count = (by: ListCondition | undefined) =>
      this.#reading.number(request, `count ${by?.name ?? ''}`, () =>
        this.#statements.count(classes, conditions, by, false),
      );
    const lead = conditions.find((condition) => this.#statements.leads(condition));
    if (unique || !lead) return count(unique);
    return chain(this.#search.selective(request, order, 2 * this.#bounds.portion), (by) =>
      by ? count(by) : this.#grouped.count(this.#groups(asked, request, lead)),
    );
  }

  /** The same for each of the values of a condition. */
  #groups({ params, ...asked }: ListAsked, request: ListRequest, lead: ListCondition): readonly GroupRequest[] {
    if (lead.kind === 'one') return [{ request, within: lead }];
    const given: Readonly<Record<string, never>> = { ...params };
    const value = given[lead.name];
    const values = value === undefined ? [] : (this.#given[lead.name]?.values?.(value) ?? []);
    return [...new Set(values)].flatMap((one) => {
      const own = this.#request({ ...asked, params: { ...params, [lead.name]: [one] } });
      const within = own.form.conditions.find(({ name }) => name === lead.name);
      return within ? [{ request: own, within }] : [];
    });
  }

  #request({ reader, scope, params }: ListAsked): ListRequest {
    const given: Readonly<Record<string, never>> = { ...params };
    const args: Record<string, Arg> = { scope };
    const conditions: ListCondition[] = [];
    for (const [name, condition] of this.#conditions) {
      const value = given[name];
      if (value === undefined || !condition.applies(value)) continue;
      Object.assign(args, condition.bind(value));
      const { by, where } = condition;
      const [only, ...others] = condition.values?.(value) ?? [];
      const kind =
        by?.way === 'values'
          ? only !== undefined && others.length === 0
            ? 'one'
            : 'several'
          : by?.way === 'prefix'
            ? 'prefix'
            : 'other';
      if (kind === 'one' && only !== undefined) args[onlyValue(name)] = only;
      conditions.push({ name, where, column: by?.column, kind });
    }
    const deleted = given['with_deleted'] === true;
    const drafts = this.#drafts !== undefined && given[this.#drafts] === true;
    const classes = this.#classes.shown({ deleted, drafts });
    const name = `${classes.join()} ${conditions.map((one) => `${one.name} ${one.kind}`).join()}`;
    return { reader, form: { classes, conditions }, name, args };
  }
}
