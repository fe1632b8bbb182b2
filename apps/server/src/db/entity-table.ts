/**
 * Reads and writes of one table of entities, compiled once from its drizzle description: statements are built on first
 * use and kept by their text, rows are mapped by position. Every statement is fixed to a scope (for account data: the
 * account), so a caller cannot reach past it.
 */
import { type CursorValue, decodeCursor, encodeCursor, type ListQuery, type Page } from '@broadside/core';
import { and, asc, desc, eq, getTableColumns, getTableName, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { QueryBuilder, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { among, type Compiled, cellReader, columnArg, compile, rowReader, toArg } from './compile.ts';
import type { Arg, Reader, Row } from './database.ts';

const builder = new QueryBuilder();

/** A table whose rows are entities: found by id, ordered by time and sequence, soft-deleted. */
export type EntityTable = SQLiteTable & {
  readonly id: SQLiteColumn;
  readonly seq: SQLiteColumn;
  readonly created_at: SQLiteColumn;
  readonly deleted: SQLiteColumn;
};

/** A condition of a list, and the statement's arguments for a value of the caller. */
export interface Filter<Given = never> {
  readonly where: SQL;
  readonly bind: (given: Given) => Readonly<Record<string, Arg>>;
}

/** Rows whose column is one of the ids given. */
export function amongIds(name: string, column: SQLiteColumn): Filter<readonly string[]> {
  return {
    where: among(column, sql.placeholder(name)),
    bind: (ids) => ({ [name]: JSON.stringify(ids) }),
  };
}

/**
 * The form in which names are compared: case does not matter. Upper case first, because several letters have no single
 * lower-case form there ("ß" is "SS"); and one sigma, because the one at the end of a word is no longer at the end once the
 * name goes on.
 */
export function foldName(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}

/** Rows whose folded name begins with a text. A range, so that an index serves it. */
export function beginsWith(column: SQLiteColumn): Filter<string> {
  return {
    where: sql`${column} >= ${sql.placeholder('q_from')} AND ${column} < ${sql.placeholder('q_to')}`,
    // U+10FFFF is the highest code point, so it sorts after every continuation of the prefix.
    bind: (q) => ({ q_from: foldName(q), q_to: `${foldName(q)}\u{10ffff}` }),
  };
}

/** A condition without a value of the caller. */
export function always(where: SQL): Filter<true> {
  return { where, bind: () => ({}) };
}

type Filters = Readonly<Record<string, Filter<never>>>;

/** The values given for some of a list's filters. */
export type FilterValues<F extends Filters> = {
  readonly [Name in keyof F]?: Parameters<F[Name]['bind']>[0] | undefined;
};

/** How the wire names an order, and the columns behind it. */
interface Order {
  readonly name: string;
  readonly keys: readonly { readonly column: SQLiteColumn; readonly descending: boolean }[];
}

export class EntityQueries<T extends EntityTable, F extends Filters> {
  readonly #table: T;
  readonly #filters: F;
  readonly #derived: ReadonlySet<string>;
  readonly #scope: SQL;
  readonly #columns: readonly (readonly [name: string, column: SQLiteColumn])[];
  readonly #read: (row: Row) => Record<string, unknown>;
  readonly #orders = new Map<string, Order>();
  readonly #kept = new Map<string, Compiled>();
  /** The columns of the primary key. */
  readonly #key: readonly string[];
  readonly #insertText: string;
  readonly #updateText: string;

  /**
   * @param table the drizzle table
   * @param scope the condition of every read, with the placeholder `scope`; by default the column `account_id`
   * @param filters the conditions that a list may ask for
   * @param derived columns beside `seq` that only serve queries and are no part of the entity
   */
  constructor(table: T, scope: SQL, filters: F, derived: readonly (keyof T['$inferSelect'] & string)[] = []) {
    this.#table = table;
    this.#derived = new Set(['seq', ...derived]);
    this.#filters = filters;
    this.#scope = scope;
    this.#columns = Object.entries(getTableColumns<SQLiteTable>(table));
    this.#read = rowReader(this.#columns.map(([name, column]) => ({ path: [name], read: cellReader(column) })));
    this.#key = this.#columns.map(([name]) => name).filter((name) => name === 'account_id' || name === 'id');
    const tableName = quote(getTableName(table));
    const names = this.#columns.map(([name]) => quote(name));
    this.#insertText = `INSERT INTO ${tableName} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
    const key = this.#key.map((name) => `${quote(name)} = ?`).join(' AND ');
    this.#updateText = `UPDATE ${tableName} SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE ${key}`;
  }

  /** The entity with an id in the scope, deleted or not. */
  async get(reader: Reader, scope: string, id: string): Promise<T['$inferSelect'] | undefined> {
    const { text, places } = this.#keep('get', () =>
      builder
        .select()
        .from(this.#table)
        // A literal limit tells the driver that one row is all there is.
        .where(sql`${and(this.#scope, eq(this.#table.id, sql.placeholder('id')))} LIMIT 1`),
    );
    const [row] = await reader.query(text, bind(places, { scope, id }));
    return row && this.#map(row);
  }

  /**
   * A page of the entities in the scope.
   * @param given values for the filters that apply
   * @returns `undefined` when the cursor is not one of this list in this order.
   */
  async page(
    reader: Reader,
    scope: string,
    query: Omit<ListQuery, 'with_deleted'>,
    given: FilterValues<F>,
  ): Promise<Page<T['$inferSelect']> | undefined> {
    const order = this.#order(query.sort_by);
    const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor);
    if (query.cursor !== undefined && (after?.order !== order.name || after.after.length !== order.keys.length)) {
      return undefined;
    }
    const args = this.#arguments(scope, given);
    after?.after.forEach((value, i) => {
      args[`after_${i}`] = value;
    });
    const total = query.with_total_count ? { total_count: await this.#count(reader, given, args) } : {};
    // One row more than the page holds tells whether there is a further one.
    args.limit = BigInt(query.count + 1);
    const { text, places } = this.#keep(`page ${order.name} ${after ? 'after' : 'first'} ${shape(given)}`, () => {
      const conditions = [this.#scope, ...this.#conditions(given), ...(after ? [afterKey(order)] : [])];
      return builder
        .select()
        .from(this.#table)
        .where(and(...conditions))
        .orderBy(
          ...order.keys.map(({ column, descending }) => (descending ? desc(sortKey(column)) : asc(sortKey(column)))),
        )
        .limit(sql.placeholder('limit'));
    });
    const rows = await reader.query(text, bind(places, args));
    const data = (rows.length > query.count ? rows.slice(0, query.count) : rows).map((row) => this.#map(row));
    const last = rows.length > query.count ? data.at(-1) : undefined;
    return { data, next_cursor: last ? this.#cursor(order, last) : null, ...total };
  }

  /** The number of entities in the scope that the filters let through. */
  count(reader: Reader, scope: string, given: FilterValues<F>): Promise<number> {
    return this.#count(reader, given, this.#arguments(scope, given));
  }

  /** The entity in a row, without what only serves queries: what the change log keeps of it. */
  entity(row: T['$inferSelect']): Readonly<Record<string, unknown>> {
    const entity: Record<string, unknown> = {};
    for (const [name] of this.#columns) if (!this.#derived.has(name)) entity[name] = row[name];
    return entity;
  }

  /** The statement that inserts a row, with its arguments. */
  insert(row: T['$inferSelect']): readonly [text: string, args: Arg[]] {
    return [this.#insertText, this.#values(row)];
  }

  /** The statement that replaces the row of the same key, with its arguments. */
  update(row: T['$inferSelect']): readonly [text: string, args: Arg[]] {
    const values: Readonly<Record<string, unknown>> = row;
    return [this.#updateText, [...this.#values(row), ...this.#key.map((name) => toArg(values[name]))]];
  }

  async #count(reader: Reader, given: FilterValues<F>, args: Record<string, Arg>): Promise<number> {
    const { text, places } = this.#keep(`count ${shape(given)}`, () =>
      builder
        .select({ count: sql`count(*)` })
        .from(this.#table)
        .where(and(this.#scope, ...this.#conditions(given))),
    );
    const [row] = await reader.query(text, bind(places, args));
    return Number(row?.[0] ?? 0);
  }

  #conditions(given: FilterValues<F>): SQL[] {
    return Object.entries(this.#filters).flatMap(([name, filter]) => (given[name] === undefined ? [] : [filter.where]));
  }

  #arguments(scope: string, given: FilterValues<F>): Record<string, Arg> {
    const args: Record<string, Arg> = { scope };
    for (const name in this.#filters) {
      const value = given[name];
      if (value !== undefined) Object.assign(args, this.#filters[name]?.bind(value));
    }
    return args;
  }

  #values(row: Readonly<Record<string, unknown>>): Arg[] {
    return this.#columns.map(([name, column]) => columnArg(column, row[name]));
  }

  #keep(key: string, make: () => SQLWrapper): Compiled {
    const known = this.#kept.get(key);
    if (known) return known;
    const made = compile(make().getSQL());
    this.#kept.set(key, made);
    return made;
  }

  #map(row: Row): T['$inferSelect'] {
    // The columns are the table's own, so the object has the shape that drizzle derives from them.
    return this.#read(row) as T['$inferSelect'];
  }

  #order(sortBy: readonly string[] | undefined): Order {
    const name = (sortBy ?? ['created_at-desc']).join(',');
    const known = this.#orders.get(name);
    if (known) return known;
    const columns: Readonly<Record<string, SQLiteColumn>> = getTableColumns<SQLiteTable>(this.#table);
    const keys = name.split(',').map((part) => {
      const cut = part.lastIndexOf('-');
      const column = columns[part.slice(0, cut)];
      if (!column) throw new TypeError(`the contract sorts by ${part}, which is no column`);
      return { column, descending: part.endsWith('-desc') };
    });
    // Equal values keep the order of creation, which makes the whole order strict.
    const order = { name, keys: [...keys, { column: this.#table.seq, descending: keys[0]?.descending ?? false }] };
    this.#orders.set(name, order);
    return order;
  }

  #cursor(order: Order, last: Readonly<Record<string, unknown>>): string {
    const after = order.keys.map(({ column }): CursorValue => {
      const value = last[column.name];
      const driver = value === null ? lowest(column) : toArg(column.mapToDriverValue(value));
      return typeof driver === 'bigint' ? driver : String(driver);
    });
    return encodeCursor({ order: order.name, after });
  }
}

function shape(given: Readonly<Record<string, unknown>>): string {
  let names = '';
  for (const name in given) if (given[name] !== undefined) names += `${name} `;
  return names;
}

function bind(places: readonly string[], args: Readonly<Record<string, Arg>>): Arg[] {
  return places.map((place) => args[place] ?? null);
}

/** NULL sorts before every value, so that a nullable column still gives a strict order. */
function sortKey(column: SQLiteColumn): SQL {
  return column.notNull ? sql`${column}` : sql`ifnull(${column}, ${sql.raw(literal(lowest(column)))})`;
}

function lowest(column: SQLiteColumn): CursorValue {
  return column.getSQLType() === 'text' ? '' : -(2n ** 63n) + 1n;
}

function literal(value: CursorValue): string {
  return typeof value === 'bigint' ? value.toString() : "''";
}

/** The rows after the cursor's. A row value where the directions agree, because an index can serve only that form. */
function afterKey(order: Order): SQL {
  const [lead] = order.keys;
  if (lead && order.keys.every((key) => key.descending === lead.descending)) {
    const keys = sql.join(
      order.keys.map(({ column }) => sortKey(column)),
      sql`, `,
    );
    const values = sql.join(
      order.keys.map((_, i) => sql`${sql.placeholder(`after_${i}`)}`),
      sql`, `,
    );
    return lead.descending ? sql`(${keys}) < (${values})` : sql`(${keys}) > (${values})`;
  }
  const [first, ...rest] = order.keys.map(({ column, descending }, i) => ({
    beyond: descending
      ? sql`${sortKey(column)} < ${sql.placeholder(`after_${i}`)}`
      : sql`${sortKey(column)} > ${sql.placeholder(`after_${i}`)}`,
    level: sql`${sortKey(column)} = ${sql.placeholder(`after_${i}`)}`,
  }));
  if (!first) throw new TypeError('an order has keys');
  const nest = (key: { beyond: SQL; level: SQL }, others: typeof rest): SQL => {
    const [next, ...further] = others;
    return next ? sql`(${key.beyond} OR (${key.level} AND ${nest(next, further)}))` : key.beyond;
  };
  return nest(first, rest);
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
