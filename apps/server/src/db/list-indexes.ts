/**
 * The indexes that make the lists of a table flat: one for each order, which begins with the class of the row, and one for each
 * filter, in the default order. Lists of a million rows then read as many as lists of a thousand. See ADR 0018.
 */
import { getTableName } from 'drizzle-orm';
import { getTableConfig, index, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { type ClassColumns, ListClasses } from './list-class.ts';

/** The columns of a table whose lists are indexed, as its description of indexes sees them. */
interface ListedColumns extends ClassColumns {
  readonly account_id: SQLiteColumn;
  readonly created_at: SQLiteColumn;
  readonly seq: SQLiteColumn;
}

/** The orders and filters of the lists of a table. */
interface Lists {
  /** The attributes that they are sorted by. Deletion needs no index: it is in the class. */
  readonly sortable: readonly string[];
  /** Columns that identify none and that they are filtered by. */
  readonly groups?: readonly SQLiteColumn[];
  /** True if drafts are left out unless they are asked for. */
  readonly drafts?: boolean;
}

/**
 * Describes the indexes of the lists of a table.
 * @param name that of the table, which begins the names of the indexes
 * @throws TypeError on an attribute that is no column
 */
export function listIndexes(name: string, table: ListedColumns, { sortable, groups = [], drafts = false }: Lists) {
  const columns: Readonly<Record<string, unknown>> = { ...table };
  const { account_id, created_at, seq } = table;
  const { expression } = new ListClasses(table, drafts);
  const ordered = sortable
    .filter((attribute) => attribute !== 'deleted')
    .map((attribute) => {
      const column = orderColumn(columns, attribute);
      if (!isColumn(column)) throw new TypeError(`${name} has no column ${attribute}, by which its lists are sorted`);
      return { attribute, column };
    });
  const attributes = ordered.map(({ column }) => column);
  const numbers = attributes.filter(isNumber);
  // Each write of a row changes when it was updated, and would change all indexes that had it.
  const texts = attributes.filter((column) => !isNumber(column) && column.name !== 'updated_at');
  const orders = ordered.map(({ attribute, column }) => {
    // With what filters and orders by several attributes look at, so that a row is passed over without reading it. Many rows can
    // be equal in a number, and are sorted by any of the others; where few are equal, texts would rarely be read. They come last,
    // for a long one continues on another page.
    const others = [...groups, ...numbers, ...(isNumber(column) ? texts : [])].filter((one) => one !== column);
    return index(indexName(name, attribute)).on(account_id, expression, column, seq, ...others);
  });
  const { name_folded } = columns;
  const prefix = isColumn(name_folded)
    ? [index(`${name}_by_prefix`).on(account_id, expression, name_folded, created_at, seq)]
    : [];
  return [
    ...orders,
    ...prefix,
    ...groups.map((column) => index(`${name}_of_${column.name}`).on(account_id, column, expression, created_at, seq)),
  ];
}

/** The column that has the order of an attribute: names are ordered by their collated form, so that case does not matter. */
export function orderColumn<Column>(columns: Readonly<Record<string, Column>>, attribute: string): Column | undefined {
  return columns[`${attribute}_collated`] ?? columns[attribute];
}

function indexName(table: string, attribute: string): string {
  return attribute === 'created_at' ? `${table}_by_creation` : `${table}_by_${attribute}`;
}

function isNumber(column: SQLiteColumn): boolean {
  return column.getSQLType() === 'integer';
}

function isColumn(column: unknown): column is SQLiteColumn {
  return typeof column === 'object' && column !== null && 'notNull' in column;
}

/** The names of the indexes of a table that serve its lists. */
export interface ListIndexNames {
  /** By the column of the order. */
  readonly orders: ReadonlyMap<string, string>;
  /** By the column of the filter. */
  readonly groups: ReadonlyMap<string, string>;
  /** Columns of which a value is in one row of an account at most, with their index. */
  readonly unique: ReadonlyMap<string, string>;
  /** The columns that each index has, by its name. */
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Finds the indexes of a table that serve its lists. */
export function listIndexNames(table: SQLiteTable): ListIndexNames {
  const orders = new Map<string, string>();
  const groups = new Map<string, string>();
  const unique = new Map<string, string>([['id', `sqlite_autoindex_${getTableName(table)}_1`]]);
  const columns = new Map<string, ReadonlySet<string>>();
  for (const { config } of getTableConfig(table).indexes) {
    const names = config.columns.map((column) => ('name' in column ? column.name : ''));
    columns.set(config.name, new Set(names));
    const [account, second, third, ...more] = names;
    if (account !== 'account_id' || config.where !== undefined || second === undefined) continue;
    if (config.unique && third === undefined) unique.set(second, config.name);
    else if (more.length > 0 && (second === '' || second === 'deleted') && third) orders.set(third, config.name);
    else if (more.length > 0 && (third === '' || third === 'deleted')) groups.set(second, config.name);
  }
  return { orders, groups, unique, columns };
}
