/**
 * The statements of a list of account data, each in a form that reads rows in the order of an index. They name the index, so
 * that the plan does not depend on what the database knows about the data.
 */
import type { CursorValue } from '@broadside/core';
import { and, eq, getTableName, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { EntityTable } from './entity-table.ts';
import { prefixArguments } from './filters.ts';
import type { Order } from './keyset.ts';
import type { ListClasses } from './list-class.ts';
import { listCounts, listNames } from './list-count-table.ts';
import { type ListIndexNames, listIndexNames } from './list-indexes.ts';
import { isNullValue, type PlacedKey, placedKeys, rangesAfter } from './list-position.ts';

/** A condition of a list, with the column by which an index finds its rows. */
export interface ListCondition {
  /** The parameter. */
  readonly name: string;
  readonly where: SQL;
  readonly column: SQLiteColumn | undefined;
  /**
   * `one` and `several` values of a column, the `prefix` of a name, a `tie`: the value of a column that is ordered by, or a
   * condition of another kind.
   */
  readonly kind: 'one' | 'several' | 'prefix' | 'tie' | 'other';
}

/** The request of a page, without arguments. */
export interface PageForm {
  readonly order: Order;
  readonly classes: readonly number[];
  readonly conditions: readonly ListCondition[];
  /** The values of the cursor, of which only those count that decide on the form: see `formOfCursor`. */
  readonly after: readonly CursorValue[];
  /** A condition by one value, or a tie: its index is read, which has its rows in the order. By default that of the order is. */
  readonly within?: ListCondition | undefined;
}

/** The names of arguments that the statements have beside those of conditions and cursors. */
export const LIMIT = 'limit';
export const SIZE = 'size';
export const ROW_IDS = 'row_ids';
const WHOLE = sql.raw('"whole"');
const ROW = sql.raw('"row"');

/** Returns the changes that the values of a cursor make in the text of a statement. */
export function formOfCursor(order: Order, after: readonly CursorValue[]): string {
  if (after.length === 0) return '';
  return placedKeys(order)
    .map((key) =>
      key.column.name === 'deleted' ? (after[key.place] === 1n ? '1' : '0') : isNullValue(key, after) ? 'null' : '.',
    )
    .join('');
}

export class ListStatements {
  readonly #table: EntityTable;
  readonly #columns: readonly SQLiteColumn[];
  readonly #classes: ListClasses;
  readonly #indexes: ListIndexNames;
  readonly #withRowId: boolean;

  /** @param options.withRowId whether the row id follows the columns of each row */
  constructor(
    table: EntityTable,
    columns: readonly SQLiteColumn[],
    classes: ListClasses,
    { withRowId = false }: { readonly withRowId?: boolean } = {},
  ) {
    this.#withRowId = withRowId;
    this.#table = table;
    this.#columns = columns;
    this.#classes = classes;
    this.#indexes = listIndexNames(table);
  }

  /** Returns whether a row of an account is found by a value of the column alone. */
  isUnique(column: SQLiteColumn | undefined): boolean {
    return column !== undefined && this.#indexes.unique.has(column.name);
  }

  /** Returns whether an index leads to the rows of a condition. */
  leads({ kind, column }: ListCondition): boolean {
    if (column === undefined || kind === 'other') return false;
    const { orders, groups, unique } = this.#indexes;
    if (kind === 'prefix' || kind === 'tie') return orders.has(column.name);
    return groups.has(column.name) || unique.has(column.name);
  }

  /** Returns whether an index is in the order of its first key. */
  hasIndex(order: Order): boolean {
    return this.#orderIndex(order) !== undefined;
  }

  /**
   * Returns whether an index has all columns of conditions and of an order, so that no row is read before it is known to be wanted.
   * @param by the condition whose index it is; by default it is that of the order
   */
  isCovered(conditions: readonly ListCondition[], order: Order, by?: ListCondition): boolean {
    const columns = this.#indexes.columns.get(this.#indexRead({ order, within: by }) ?? '');
    const needed = [...conditions.map(({ column }) => column), ...order.keys.map(({ column }) => column)];
    return needed.every((column) => column !== undefined && columns?.has(column.name));
  }

  /** Returns whether the index on a condition is in the order: rows with each value are in the default order. */
  isInOrder(order: Order): boolean {
    return order.keys[0]?.column.name === 'created_at' && order.keys.length === 2;
  }

  /** The order in which the index on folded names has the rows of a prefix. @param order the default one */
  orderOfNames({ keys }: Order, { column }: ListCondition): Order {
    const ascending = keys.map((key) => ({ column: key.column, descending: false }));
    return { name: 'prefix', keys: column ? [{ column, descending: false }, ...ascending] : ascending };
  }

  /** Rows in the order of its index, each class apart and merged. */
  ordered(form: PageForm): SQL {
    return sql`${this.#selects(form, this.#all())} ORDER BY ${this.#terms(form.order)} LIMIT ${sql.placeholder(LIMIT)}`;
  }

  /** Those of the next `size` rows of an order that fulfil the conditions. */
  portion(form: PageForm): SQL {
    const passed = this.#passedColumns(form);
    const where = sql`WHERE ${and(...form.conditions.map((one) => one.where))} LIMIT ${sql.placeholder(LIMIT)}`;
    if (this.#columns.every(({ name }) => passed.has(name))) {
      return sql`SELECT ${listOf(this.#all(ROW))} FROM ${this.#nextRows(form)} ${where}`;
    }
    return sql`SELECT ${this.#wholeColumns()}
      FROM ${this.#nextRows(form)} CROSS JOIN ${this.#table} AS ${WHOLE} ON ${WHOLE}.rowid = ${this.#name()}.${ROW} ${where}`;
  }

  /** The number of those of the next `size` rows of an order that fulfil the conditions. */
  countOfPortion(form: PageForm): SQL {
    return sql`SELECT count(*) FROM ${this.#nextRows(form)} WHERE ${and(...form.conditions.map(({ where }) => where))}`;
  }

  /** The next `size` rows of an order, with the columns that it and conditions name. */
  #nextRows(form: PageForm): SQL {
    const columns = [...this.#passedColumns(form).values()].map((column) => sql`${column}`);
    const rows = this.#selects({ ...form, conditions: [] }, [sql`rowid AS ${ROW}`, ...columns]);
    return sql`(${rows} ORDER BY ${this.#terms(form.order)} LIMIT ${sql.placeholder(SIZE)}) AS ${this.#name()}`;
  }

  /** The columns that an order and conditions name: those that are read of a row that is passed over. */
  #passedColumns({ order, conditions }: PageForm): ReadonlyMap<string, SQLiteColumn> {
    const columns = [
      ...order.keys.map(({ column }) => column),
      // A condition without a column of its own may look at any. The database would read all that are here, of each row.
      ...conditions.flatMap(({ column }) => column ?? this.#columns),
    ];
    return new Map(columns.map((one) => [one.name, one]));
  }

  /** The keys of the row at which a portion ends; none when the order has no further row. */
  endOfPortion(form: PageForm): SQL {
    const keys = form.order.keys.map(({ column }) => sql`${column}`);
    return sql`${this.#selects({ ...form, conditions: [] }, keys)}
      ORDER BY ${this.#terms(form.order)} LIMIT 1 OFFSET ${sql.placeholder(SIZE)}`;
  }

  /** Rows that an index finds by a condition, sorted: for few. @param limited whether only a page of them is wanted */
  sorted({ order, classes, conditions, after }: PageForm, by: ListCondition, limited = true): SQL {
    const ranges = rangesAfter(placedKeys(order), after);
    const where = and(
      this.#scope(),
      by.where,
      this.#inClasses(classes),
      ...conditions.filter((one) => one !== by).map((one) => one.where),
      ranges.length > 0 ? sql`(${sql.join([...ranges], sql` OR `)})` : undefined,
    );
    // Only the keys are sorted, and rows read afterwards.
    return sql`SELECT ${this.#wholeColumns()} FROM (SELECT rowid AS ${ROW} FROM ${this.#from(this.#indexOf(by))}
      WHERE ${where} ORDER BY ${this.#terms(order)} ${limited ? sql`LIMIT ${sql.placeholder(LIMIT)}` : sql`LIMIT -1`}) AS ${this.#name()}
      CROSS JOIN ${this.#table} AS ${WHOLE} ON ${WHOLE}.rowid = ${this.#name()}.${ROW}`;
  }

  /** The rows with ids, in no order, that fulfil the conditions still. */
  withIds({ classes, conditions }: Pick<PageForm, 'classes' | 'conditions'>): SQL {
    const where = [this.#scope(), this.#inClasses(classes), ...conditions.map((one) => one.where)];
    return sql`SELECT ${listOf(this.#all())} FROM json_each(${sql.placeholder(ROW_IDS)}) AS "wanted"
      CROSS JOIN ${this.#table} ON ${this.#name()}.rowid = "wanted".value WHERE ${and(...where)}`;
  }

  /** All rows in the order of its index. */
  all(form: PageForm): SQL {
    return sql`${this.#selects(form, this.#all())} ORDER BY ${this.#terms(form.order)}`;
  }

  /**
   * The rows with several values in the default order: the index holds those of each value and class in it, and a queue takes
   * the first of all of them again and again.
   */
  merged({ order, classes, after }: PageForm, by: ListCondition): SQL {
    const [first, second] = order.keys;
    if (!first || !second || !by.column) throw new TypeError('rows are merged in the default order');
    const direction = sql.raw(first.descending ? 'DESC' : 'ASC');
    const next = (strand: SQL, range: SQL | undefined) => sql`(SELECT rowid FROM ${this.#from(this.#indexOf(by))}
        WHERE ${and(
          this.#scope(),
          sql`${by.column} = ${strand}."value"`,
          sql`${this.#classes.expression} = ${strand}."class"`,
          range,
        )} ORDER BY ${this.#terms(order)} LIMIT 1)`;
    const [begin] = rangesAfter(placedKeys(order), after);
    const beyond = sql.raw(first.descending ? '<' : '>');
    const head = sql.raw('"heads"');
    const strand = sql.raw('"strands"');
    const further = sql`(${first.column}, ${second.column}) ${beyond} (${head}."first", ${head}."second")`;
    const key = (column: SQLiteColumn) => sql`${WHOLE}.${sql.identifier(column.name)}`;
    const keys = sql`${key(first.column)}, ${key(second.column)}, ${WHOLE}.rowid`;
    return sql`WITH RECURSIVE ${strand}("value", "class") AS (
        SELECT "given".value, "shown".value FROM (SELECT DISTINCT value FROM json_each(${sql.placeholder(by.name)})) AS "given"
        CROSS JOIN json_each(${JSON.stringify(classes)}) AS "shown"),
      ${head}("value", "class", "first", "second", ${ROW}) AS (
        SELECT ${strand}."value", ${strand}."class", ${keys}
        FROM ${strand} CROSS JOIN ${this.#table} AS ${WHOLE} ON ${WHOLE}.rowid = ${next(strand, begin)}
        UNION ALL
        SELECT ${head}."value", ${head}."class", ${keys}
        FROM ${head} CROSS JOIN ${this.#table} AS ${WHOLE} ON ${WHOLE}.rowid = ${next(head, further)}
        ORDER BY 3 ${direction}, 4 ${direction} LIMIT ${sql.placeholder(LIMIT)})
      SELECT ${this.#wholeColumns()} FROM ${head} CROSS JOIN ${this.#table} AS ${WHOLE} ON ${WHOLE}.rowid = ${head}.${ROW}`;
  }

  /** Returns whether the number of rows that fulfil the conditions is kept. */
  isCounted([by, ...others]: readonly ListCondition[]): boolean {
    return others.length === 0 && (!by || (this.leads(by) && !this.isUnique(by.column)));
  }

  /** The number of all rows, or of those that fulfil one condition, as it is kept. */
  keptCount(classes: readonly number[], by: ListCondition | undefined): SQL {
    if (by?.kind === 'prefix' && by.column) return this.#countNames(classes, by.name, by.column);
    const values =
      by?.kind === 'several'
        ? sql`(SELECT CAST(value AS TEXT) FROM json_each(${sql.placeholder(by.name)}))`
        : by
          ? sql`(CAST(${sql.placeholder(onlyValue(by.name))} AS TEXT))`
          : sql`('')`;
    return sql`SELECT sum("count") FROM ${listCounts} WHERE ${this.#counted(listCounts)}
      AND ${eq(listCounts.of, by?.column?.name ?? '')} AND ${listCounts.value} IN ${values}
      AND ${listCounts.class} IN (${sql.raw(classes.join(', '))})`;
  }

  /** Names in whole ranges are counted already; the first and the last range are looked at. */
  #countNames(classes: readonly number[], name: string, column: SQLiteColumn): SQL {
    const [from, to] = prefixArguments(name).map((argument) => sql`${sql.placeholder(argument)}`);
    const { first, last, class: number, count } = listNames;
    // The class of the range is without the type of its column, which the index does not have.
    const inRange = sql`(SELECT count(*) FROM ${this.#from(this.#indexes.orders.get(column.name))} WHERE ${this.#scope()}
      AND ${this.#classes.expression} = +${number} AND ${column} >= max(${from}, ${first}) AND ${column} <= ${last}
      AND ${column} < ${to})`;
    return sql`SELECT sum(CASE WHEN ${first} >= ${from} AND ${last} < ${to} THEN ${count} ELSE ${inRange} END)
      FROM ${listNames} WHERE ${this.#counted(listNames)} AND ${number} IN (${sql.raw(classes.join(', '))})
      AND ${first} < ${to} AND ${last} >= ${from}`;
  }

  #counted(table: typeof listCounts | typeof listNames): SQL {
    return sql`${table.account_id} = ${sql.placeholder('scope')} AND ${eq(table.list, getTableName(this.#table))}`;
  }

  /** Counts the rows that an index finds by a condition. @param bounded up to `limit` of them, whatever the others say */
  count(
    classes: readonly number[],
    conditions: readonly ListCondition[],
    by: ListCondition | undefined,
    bounded: boolean,
  ): SQL {
    const index = by ? this.#indexOf(by) : this.#indexes.orders.get('created_at');
    const where = and(
      this.#scope(),
      by?.where,
      this.#inClasses(classes),
      ...(bounded ? [] : conditions.filter((one) => one !== by).map((one) => one.where)),
    );
    if (!bounded) return sql`SELECT count(*) FROM ${this.#from(index)} WHERE ${where}`;
    return sql`SELECT count(*) FROM (SELECT 1 FROM ${this.#from(index)} WHERE ${where} LIMIT ${sql.placeholder(LIMIT)})`;
  }

  /** Rows of each class, and of each range of the index after a cursor, apart. */
  #selects(form: PageForm, columns: SQL[]): SQL {
    const from = this.#from(this.#indexRead(form));
    const selects = this.#arms(form).map((where) => sql`SELECT ${listOf(columns)} FROM ${from} WHERE ${where}`);
    return sql.join(selects, sql` UNION ALL `);
  }

  /** Which rows a statement reads in order: a range of the index for each. */
  #arms({ order, classes, conditions, after, within }: PageForm): readonly SQL[] {
    const placed = placedKeys(order);
    const arms = classes.flatMap((number): readonly SQL[] => {
      const isDeleted = this.#classes.isDeleted(number);
      const where = (range: SQL | undefined): SQL =>
        sql`${and(
          this.#scope(),
          within && this.#isWithin(within, after),
          sql`${this.#classes.expression} = ${sql.raw(String(number))}`,
          // Within a class deletion is the same; the database orders by it only where it does not know that.
          placed.some(({ column }) => column.name === 'deleted')
            ? sql`${this.#table.deleted} = ${sql.raw(isDeleted ? '1' : '0')}`
            : undefined,
          range,
          ...conditions.filter((one) => one !== within).map((one) => one.where),
        )}`;
      if (after.length === 0) return [where(undefined)];
      return rangesInClass(placed, after, isDeleted).map(where);
    });
    return arms.length > 0 ? arms : [sql`0`];
  }

  #isWithin({ kind, name, column, where }: ListCondition, after: readonly CursorValue[]): SQL {
    if (!column || kind === 'tie') return where;
    if (kind === 'one') return sql`${column} = ${sql.placeholder(onlyValue(name))}`;
    // A cursor is where the range begins; a second beginning would be read from.
    const [, to] = prefixArguments(name);
    return after.length === 0 ? where : sql`${column} < ${sql.placeholder(to)}`;
  }

  #scope(): SQL {
    return sql`${this.#table.account_id} = ${sql.placeholder('scope')}`;
  }

  #inClasses(classes: readonly number[]): SQL {
    return sql`${this.#classes.expression} IN (${sql.raw(classes.join(', '))})`;
  }

  /** The table, to be read by an index. */
  #from(index: string | undefined): SQL {
    return index === undefined ? sql`${this.#table}` : sql`${this.#table} INDEXED BY ${sql.identifier(index)}`;
  }

  #indexRead({ order, within }: Pick<PageForm, 'order' | 'within'>): string | undefined {
    return within ? this.#indexOf(within) : this.#orderIndex(order);
  }

  #orderIndex({ keys }: Order): string | undefined {
    const lead = keys.find(({ column }) => column.name !== 'deleted');
    return this.#indexes.orders.get(lead?.column.name === 'seq' || !lead ? 'created_at' : lead.column.name);
  }

  #indexOf({ column, kind }: ListCondition): string | undefined {
    const { orders, groups, unique } = this.#indexes;
    const name = column?.name ?? '';
    if (kind === 'tie') return orders.get(name);
    return kind === 'prefix' ? orders.get(name) : (unique.get(name) ?? groups.get(name));
  }

  #terms(order: Order): SQL {
    return listOf(
      order.keys.map(
        ({ column, descending }) => sql`${sql.identifier(column.name)} ${sql.raw(descending ? 'DESC' : 'ASC')}`,
      ),
    );
  }

  #name(): SQL {
    return sql`${sql.identifier(getTableName(this.#table))}`;
  }

  #all(id: SQL = sql`rowid`): SQL[] {
    return [...this.#columns.map((column) => sql`${column}`), ...(this.#withRowId ? [id] : [])];
  }

  #wholeColumns(): SQL {
    const columns = this.#columns.map(({ name }) => sql`${WHOLE}.${sql.identifier(name)}`);
    return listOf([...columns, ...(this.#withRowId ? [sql`${WHOLE}.rowid`] : [])]);
  }
}

/** The argument for the only value of a condition. */
export function onlyValue(name: string): string {
  return `${name}_only`;
}

function rangesInClass(
  placed: readonly PlacedKey[],
  after: readonly CursorValue[],
  isDeleted: boolean,
): readonly (SQL | undefined)[] {
  const [lead, ...keys] = placed;
  if (lead?.column.name !== 'deleted') return rangesAfter(placed, after);
  const [own, cursor] = [isDeleted, after[lead.place] === 1n];
  if (own === cursor) return rangesAfter(keys, after);
  const isBehind = own !== lead.descending;
  return isBehind ? [undefined] : [];
}

function listOf(terms: SQL[]): SQL {
  return sql.join(terms, sql`, `);
}
