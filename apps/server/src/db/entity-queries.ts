/**
 * Reads and writes of one table of entities, compiled once from its drizzle description: statements are built on first
 * use and kept by their form. Every statement is fixed to a scope (for account data: the account), so a caller cannot
 * reach past it.
 */
import type { ListQuery, Page } from '@broadside/core';
import { and, eq, getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { type Awaitable, chain } from '../awaitable.ts';
import type { AheadReads } from './ahead-reads.ts';
import { among, cellReader, columnArg, rowReader } from './compile.ts';
import type { Arg, Reader, Row, Writer } from './database.ts';
import type { EntityTable, StoredRow } from './entity-table.ts';
import { type Condition, type Filters, unless } from './filters.ts';
import { type KeptRows, type KeptScope, KeptTable, type PageByIds } from './kept-rows.ts';
import { type KeptStatement, KeptStatements } from './kept-statements.ts';
import {
  afterCursor,
  cursorArgument,
  cursorOf,
  NEWEST_FIRST,
  type Order,
  orderBy,
  orderOf,
  readCursor,
} from './keyset.ts';
import { ListQueries } from './list-queries.ts';
import type { ListBounds } from './list-request.ts';
import { RowWrites } from './row-writes.ts';

export type { EntityTable, StoredRow } from './entity-table.ts';

/** The types of one kind of entity. */
export interface EntityTypes {
  readonly row: StoredRow;
  /** Parameters of its lists, besides those that all lists have. */
  readonly params: object;
  /** Columns that identify an entity among all others that are not deleted. */
  readonly key: Readonly<Record<string, unknown>>;
}

/** Description from which the statements of a table are made. */
export interface TableDescription {
  readonly table: EntityTable;
  /** The condition of every read, with the placeholder `scope`; by default the column `account_id`, if there is one. */
  readonly scope?: SQL | undefined;
  readonly filters: Filters;
  /** Columns beside the system's that are no part of the entity and only serve queries. */
  readonly internal: readonly string[];
  /** Columns that identify an entity among all others that are not deleted. */
  readonly key: readonly string[];
  /** The work that statements of lists do, where that is not left to them. */
  readonly bounds?: ListBounds | undefined;
}

/** A column that holds the id of a row of another kind in the same scope. */
export interface Reference {
  readonly table: EntityTable;
  readonly column: SQLiteColumn;
}

/** Rows that are read in advance where it is not known which are wanted. Most accounts have fewer of what others refer to. */
const SOME = 20;

/** Columns of the system that the entity in the change log does not have. */
const unrecorded = ['seq', 'parent_deleted'];

/** Condition for entities that are neither deleted nor hidden with a parent. */
function isShown({ deleted, parent_deleted }: EntityTable): SQL {
  const own = eq(deleted, false);
  return parent_deleted ? sql`${own} AND ${eq(parent_deleted, false)}` : own;
}

/** Parameters that choose all entities to which they apply. */
export type EveryParams<Types extends EntityTypes> = Types['params'] & { readonly with_deleted?: boolean };

export class EntityQueries<Types extends EntityTypes> {
  readonly #table: EntityTable;
  readonly #scope: SQL | undefined;
  readonly #conditions: Readonly<Record<string, Condition<never>>>;
  readonly #key: readonly SQLiteColumn[];
  readonly #columns: readonly (readonly [name: string, column: SQLiteColumn])[];
  /** The names of the columns that the change log records. */
  readonly #recorded: readonly string[];
  readonly #read: (row: Row) => Types['row'];
  readonly #orders = new Map<string, Order>();
  readonly #statements = new KeptStatements();
  /** Lists of account data. Missing where the scope is another one, of tables of the operator's making. */
  readonly #lists: ListQueries | undefined;
  readonly #kept = new WeakMap<KeptRows, KeptTable<Types['row']>>();
  /** Lists that read the ids of rows only, by their order. */
  readonly #idLists = new Map<string, ListQueries>();
  readonly #writes: RowWrites;

  constructor({ table, scope, filters, internal, key, bounds }: TableDescription) {
    this.#table = table;
    this.#scope = scope ?? (table.account_id && eq(table.account_id, sql.placeholder('scope')));
    const all: Filters = { ...filters, with_deleted: unless(isShown(table)) };
    this.#conditions = Object.fromEntries(Object.entries(all).map(([name, filter]) => [name, filter(name)]));
    const columns: Readonly<Record<string, SQLiteColumn>> = getTableColumns<SQLiteTable>(table);
    this.#columns = Object.entries(columns);
    const own = Object.entries(filters).map(([name, filter]) => [name, filter(name)] as const);
    this.#lists =
      scope || !table.account_id
        ? undefined
        : new ListQueries(table, Object.values(columns), Object.fromEntries(own), bounds);
    const names = this.#columns.map(([name]) => name);
    const hidden = new Set([...unrecorded, ...internal]);
    this.#recorded = names.filter((name) => !hidden.has(name));
    this.#key = key.flatMap((name) => columns[name] ?? []);
    // The columns are the table's own, so the object has the shape that drizzle derives from them.
    this.#read = rowReader(this.#columns.map(([name, column]) => ({ path: [name], read: cellReader(column) }))) as (
      row: Row,
    ) => Types['row'];
    this.#writes = new RowWrites(table, this.#columns);
  }

  /** Returns the rows that are kept of a scope of this table. */
  keptIn(kept: KeptRows, scope: string): KeptScope<Types['row']> {
    let table = this.#kept.get(kept);
    if (!table) {
      table = new KeptTable(kept, { table: getTableName(this.#table), keyOf: ({ id }) => id });
      this.#kept.set(kept, table);
    }
    return table.scope(scope);
  }

  /** The entity with an id in the scope, deleted or not. */
  get(reader: Reader, scope: string, id: string): Awaitable<Types['row'] | undefined> {
    const { text, bind } = this.#byId();
    return chain(reader.read(text, bind({ scope, id })), ([row]) => row && this.#read(row));
  }

  /** Begins to read the row that a column of another row in the scope refers to, for {@link get}. @param id that of the other row */
  beginReferred(ahead: AheadReads, scope: string, { table, column }: Reference, id: string): void {
    const referred = this.#statements.of(`referred ${getTableName(table)} ${column.name}`, () => {
      const other = and(
        table.account_id && eq(table.account_id, sql.placeholder('scope')),
        eq(table.id, sql.placeholder('id')),
      );
      const wanted = eq(this.#table.id, sql`(SELECT ${column} FROM ${table} WHERE ${other})`);
      return sql`${this.#select()} WHERE ${and(this.#scope, wanted)} LIMIT 1`;
    });
    this.#beginFor(ahead, scope, { sql: referred.text, args: referred.bind({ scope, id }) });
  }

  /** Begins to read rows in the scope, as many as most scopes have, for {@link get}. */
  beginSome(ahead: AheadReads, scope: string): void {
    const some = this.#statements.of('some', () => sql`${this.#select()} WHERE ${and(this.#scope)} LIMIT ${SOME}`);
    this.#beginFor(ahead, scope, { sql: some.text, args: some.bind({ scope }) });
  }

  #beginFor(ahead: AheadReads, scope: string, other: { readonly sql: string; readonly args: readonly Arg[] }): void {
    const { text, bind } = this.#byId();
    ahead.beginFor(text, other, (row) => bind({ scope, id: this.#read(row).id }));
  }

  /** The same in a transaction, which need not read what it has not written and a reader has kept. */
  getIn(writer: Writer, scope: string, id: string): Awaitable<Types['row'] | undefined> {
    const { touched } = writer;
    const read = () => this.get(writer, scope, id);
    return touched?.kept === undefined ? read() : this.keptIn(touched.kept, scope).rowIn(touched, id, read);
  }

  /** The entity with a key that is not deleted; it may be hidden. */
  existing(reader: Reader, scope: string, key: Types['key']): Awaitable<Types['row'] | undefined> {
    const args: Record<string, Arg> = { scope };
    for (const column of this.#key) args[column.name] = columnArg(column, key[column.name]);
    const condition = () =>
      and(...this.#key.map((column) => eq(column, sql.placeholder(column.name))), eq(this.#table.deleted, false));
    return this.#first(reader, 'existing', condition, args);
  }

  /**
   * A page of the entities in the scope.
   * @returns `undefined` when the cursor is not one of this list in this order.
   */
  page(reader: Reader, scope: string, query: ListQuery & Types['params']): Awaitable<Page<Types['row']> | undefined> {
    const order = this.#order(query.sort_by ?? NEWEST_FIRST);
    const after = query.cursor === undefined ? [] : readCursor(order, query.cursor);
    if (!after) return undefined;
    if (this.#lists) {
      const asked = { reader, scope, params: query };
      const counted = query.with_total_count ? this.#lists.count(asked, this.#order(NEWEST_FIRST)) : undefined;
      const rows = this.#lists.page({ ...asked, order, after, limit: query.count + 1 });
      return chain(counted, (total_count) => chain(rows, (found) => this.#pageOf(found, order, query, total_count)));
    }
    const { form, args } = this.#asked(scope, query);
    for (const [place, value] of after.entries()) args[cursorArgument(place)] = value;
    const counted = query.with_total_count ? this.#count(reader, form, query, args) : undefined;
    // One row more than the page holds shows whether there is a further one.
    args['limit'] = BigInt(query.count + 1);
    const continued = query.cursor !== undefined;
    const { text, bind } = this.#statements.of(`page ${order.name} ${continued ? 'after' : 'first'} ${form}`, () => {
      const where = this.#where(query, continued ? afterCursor(order) : undefined);
      return sql`${this.#select()} ${where} ORDER BY ${listOf(orderBy(order))} LIMIT ${sql.placeholder('limit')}`;
    });
    return chain(counted, (total_count) =>
      chain(reader.read(text, bind(args)), (rows) => this.#pageOf(rows, order, query, total_count)),
    );
  }

  /**
   * The ways to read a page by the ids of its rows, where most of these are kept: `undefined` where its rows have to be looked
   * at to find it.
   */
  byIds(reader: Reader, scope: string, query: ListQuery & Types['params']): PageByIds<Types['row']> | undefined {
    const order = this.#order(query.sort_by ?? NEWEST_FIRST);
    const after = query.cursor === undefined ? [] : readCursor(order, query.cursor);
    const lists = this.#lists;
    if (!lists || !after || query.with_total_count || lists.isFiltered(query)) return undefined;
    return {
      ids: () => {
        const key = `ids ${order.name}`;
        const ids = this.#idLists.get(key) ?? lists.of([this.#table.id, ...order.keys.map(({ column }) => column)]);
        this.#idLists.set(key, ids);
        const rows = ids.page({ reader, scope, params: query, order, after, limit: query.count + 1 });
        return chain(rows, (found) => ({
          ids: found.slice(0, query.count).map(([id]) => String(id)),
          isLast: found.length <= query.count,
        }));
      },
      rows: (missing) => this.#withIds(reader, scope, missing),
      cursorAfter: (row) => cursorOf(order, row),
    };
  }

  #withIds(reader: Reader, scope: string, ids: readonly string[]): Awaitable<Types['row'][]> {
    const { text, bind } = this.#statements.of('with ids', () => {
      const isWanted = among(this.#table.id, sql.placeholder('ids'));
      return sql`${this.#select()} WHERE ${and(this.#scope, isWanted)}`;
    });
    const read = reader.read(text, bind({ scope, ids: JSON.stringify(ids) }));
    return chain(read, (rows) => rows.map(this.#read));
  }

  /** @param rows those of the page, and one more where there is a further one */
  #pageOf(
    rows: readonly Row[],
    order: Order,
    { count }: ListQuery,
    total_count: number | undefined,
  ): Page<Types['row']> {
    const data = (rows.length > count ? rows.slice(0, count) : rows).map(this.#read);
    const last = rows.length > count ? data.at(-1) : undefined;
    const next_cursor = last ? cursorOf(order, last) : null;
    return total_count === undefined ? { data, next_cursor } : { data, next_cursor, total_count };
  }

  /** All entities in the scope that the filters let through, in the order of their creation. */
  every(reader: Reader, scope: string, params: EveryParams<Types>): Awaitable<Types['row'][]> {
    const order = this.#order(['created_at-asc']);
    if (this.#lists) {
      return chain(this.#lists.every({ reader, scope, params }, order), (rows) => rows.map(this.#read));
    }
    const { form, args } = this.#asked(scope, params);
    const { text, bind } = this.#statements.of(
      `every ${form}`,
      () => sql`${this.#select()} ${this.#where(params)} ORDER BY ${listOf(orderBy(order))}`,
    );
    return chain(reader.read(text, bind(args)), (rows) => rows.map(this.#read));
  }

  /** Returns the entity in a row, as recorded in the change log: without the columns that only serve queries. */
  recorded(row: Types['row']): Readonly<Record<string, unknown>> {
    const all: Readonly<Record<string, unknown>> = row;
    const entity: Record<string, unknown> = {};
    for (const name of this.#recorded) entity[name] = all[name];
    return entity;
  }

  /** Stores a row. @param given whether its id was chosen by the caller, so that it may be taken */
  insert(writer: Writer, row: Types['row'], given = true): Awaitable<unknown> {
    return this.#writes.insert(writer, row, given);
  }

  /** Replaces the row of the same primary key. @param before the row that is stored, where it is known */
  update(writer: Writer, row: Types['row'], before?: Types['row']): Awaitable<number> {
    return this.#writes.update(writer, row, before);
  }

  /** Removes the row of the same primary key. */
  remove(writer: Writer, row: Types['row']): Awaitable<number> {
    return this.#writes.remove(writer, row);
  }

  /** Sets some columns of the row with an id. */
  set(writer: Writer, scope: string, id: string, fields: Readonly<Record<string, unknown>>): Awaitable<number> {
    const columns = this.#columns.filter(([name]) => fields[name] !== undefined);
    const { text, bind } = this.#statements.of(`set ${columns.map(([name]) => name).join()}`, () => {
      const values = columns.map(([name]) => sql`${sql.identifier(name)} = ${sql.placeholder(`set_${name}`)}`);
      const where = and(this.#scope, eq(this.#table.id, sql.placeholder('id')));
      return sql`UPDATE ${this.#table} SET ${listOf(values)} WHERE ${where}`;
    });
    const args: Record<string, Arg> = { scope, id };
    for (const [name, column] of columns) args[`set_${name}`] = columnArg(column, fields[name]);
    return writer.change(text, bind(args), { scope, id });
  }

  #first(
    reader: Reader,
    form: string,
    condition: () => SQL | undefined,
    args: Readonly<Record<string, Arg>>,
  ): Awaitable<Types['row'] | undefined> {
    const { text, bind } = this.#single(form, condition);
    return chain(reader.read(text, bind(args)), ([row]) => row && this.#read(row));
  }

  #byId(): KeptStatement {
    return this.#single('get', () => eq(this.#table.id, sql.placeholder('id')));
  }

  #single(form: string, condition: () => SQL | undefined): KeptStatement {
    return this.#statements.of(
      form,
      // With a literal limit the driver knows that there is only one row.
      () => sql`${this.#select()} WHERE ${and(this.#scope, condition())} LIMIT 1`,
    );
  }

  #count(reader: Reader, form: string, params: object, args: Readonly<Record<string, Arg>>): Awaitable<number> {
    const { text, bind } = this.#statements.of(
      `count ${form}`,
      () => sql`SELECT count(*) FROM ${this.#table} ${this.#where(params)}`,
    );
    return chain(reader.read(text, bind(args)), ([row]) => Number(row?.[0] ?? 0));
  }

  /** The form of the conditions that parameters ask for, and their arguments. */
  #asked(scope: string, params: object): { readonly form: string; readonly args: Record<string, Arg> } {
    const given: Readonly<Record<string, never>> = { ...params };
    const args: Record<string, Arg> = { scope };
    let form = '';
    for (const name in this.#conditions) {
      const value = given[name];
      const condition = this.#conditions[name];
      if (!condition?.applies(value)) continue;
      form += `${name} `;
      if (value !== undefined) Object.assign(args, condition.bind(value));
    }
    return { form, args };
  }

  #where(params: object, after?: SQL): SQL {
    const given: Readonly<Record<string, never>> = { ...params };
    const asked = Object.entries(this.#conditions).flatMap(([name, condition]) =>
      condition.applies(given[name]) ? condition.where : [],
    );
    const conditions = and(this.#scope, ...asked, after);
    return conditions ? sql`WHERE ${conditions}` : sql``;
  }

  #select(): SQL {
    const columns = this.#columns.map(([, column]) => sql`${column}`);
    return sql`SELECT ${listOf(columns)} FROM ${this.#table}`;
  }

  #order(sort_by: readonly string[]): Order {
    const name = sort_by.join();
    const known = this.#orders.get(name);
    if (known) return known;
    const order = orderOf(this.#table, sort_by);
    this.#orders.set(name, order);
    return order;
  }
}

function listOf(terms: SQL[]): SQL {
  return sql.join(terms, sql`, `);
}
