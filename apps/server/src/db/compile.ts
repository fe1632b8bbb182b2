/**
 * Turns drizzle's queries into the text of a prepared statement, once, and rows of cells into objects. Shared by entity tables
 * and hand-written statements; drizzle does not run when a statement does.
 */
import { type Column, is, Param, Placeholder, type SQL, sql } from 'drizzle-orm';
import { SQLiteAsyncDialect, type SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Arg, Row, Value } from './database.ts';

/** The text of a statement, and the name of the argument at each of its places. */
export interface Compiled {
  readonly text: string;
  readonly places: readonly string[];
}

/**
 * Writes constants into the text, so that SQLite can plan with them (partial indexes, a literal `LIMIT 1`). What a
 * placeholder stands for is bound.
 */
class StatementDialect extends SQLiteAsyncDialect {
  // drizzle passes the parameter itself as a second argument (`BuildQueryConfig`).
  override escapeParam(_place: number, param?: unknown): string {
    return placeholderName(param) === undefined ? literal(param) : '?';
  }
}

export const dialect = new StatementDialect();

/** Compiles a query. @throws TypeError on a constant that cannot be written into a statement */
export function compile(query: SQL): Compiled {
  const { sql: text, params } = dialect.sqlToQuery(query);
  return { text, places: placesOf(params) };
}

/** The names of the arguments among the parameters of a query; constants are in the text already. */
export function placesOf(params: readonly unknown[]): string[] {
  return params.map(placeholderName).filter((name) => name !== undefined);
}

function placeholderName(param: unknown): string | undefined {
  const held = is(param, Param) ? param.value : param;
  return is(held, Placeholder) ? String(held.name) : undefined;
}

function literal(value: unknown): string {
  switch (typeof value) {
    case 'string':
      if (value.includes('\0')) break;
      return `'${value.replaceAll("'", "''")}'`;
    case 'bigint':
      return `${value}`;
    case 'number':
      if (!Number.isFinite(value)) break;
      return `${value}`;
    case 'boolean':
      return value ? '1' : '0';
    case 'object':
      if (value === null) return 'NULL';
  }
  throw new TypeError(`a statement cannot hold this constant: ${String(value)}`);
}

/** Reads a cell that is not null; `same` where the cell is the value. */
export type CellReader = (value: Value) => unknown;

const same: CellReader = (value) => value;

/** Reads the cells of a column. */
export function cellReader(column: Column): CellReader {
  switch (column.columnType) {
    // Text needs no mapping; calling the column's identity for each value of each row is measurable.
    case 'SQLiteText':
      return same;
    // drizzle takes the driver's numbers as they are, and ours are 64-bit.
    case 'SQLiteInteger':
      return Number;
    default:
      // A custom type without `fromDriver`, such as `long`, takes what the driver gives; one with it is called directly.
      if ('mapFrom' in column && column.mapFrom === undefined) return same;
      if ('mapFrom' in column && isCellReader(column.mapFrom)) return column.mapFrom;
      return (value) => column.mapFromDriverValue(value);
  }
}

function isCellReader(value: unknown): value is CellReader {
  return typeof value === 'function';
}

/** The argument that stores a value in a column. */
export function columnArg(column: Column, value: unknown): Arg {
  return value === null || value === undefined ? null : toArg(column.mapToDriverValue(value));
}

/** @throws TypeError when a column gave something that is no argument */
export function toArg(value: unknown): Arg {
  switch (typeof value) {
    case 'string':
    case 'bigint':
    case 'number':
    case 'boolean':
      return value;
    default:
      if (value === null || value instanceof Uint8Array) return value;
      throw new TypeError(`a column gave a value that the driver cannot store: ${typeof value}`);
  }
}

/** Rows whose column is one of a list. @param list a JSON array */
export function among(column: SQLiteColumn, list: SQL | Placeholder): SQL {
  return sql`${column} IN (SELECT value FROM json_each(${list}))`;
}

/** A member of the objects that rows become. */
export interface Member {
  /** One name, or two for a member inside a member. */
  readonly path: readonly string[];
  readonly read: CellReader;
}

/**
 * Makes objects of rows whose cells are in the order of the members. The function is generated with an object literal, which
 * takes a quarter of the time that a loop over names takes. Names and readers come from statements, never from requests.
 */
export function rowReader(members: readonly Member[]): (row: Row) => Record<string, unknown> {
  const readers = members.map(({ read }) => read);
  const value = (index: number) =>
    readers[index] === same ? `row[${index}]` : `row[${index}] === null ? null : read${index}(row[${index}])`;
  const groups = new Map<string, string[]>();
  const parts: string[] = [];
  for (const [index, { path }] of members.entries()) {
    const [name, inner] = path.map((part) => JSON.stringify(part));
    if (inner === undefined) {
      parts.push(`${name}: ${value(index)}`);
      continue;
    }
    const group = groups.get(`${name}`);
    if (group) group.push(`${inner}: ${value(index)}`);
    else groups.set(`${name}`, [`${inner}: ${value(index)}`]);
  }
  for (const [name, inner] of groups) parts.push(`${name}: { ${inner.join(', ')} }`);
  const generate: (readers: readonly CellReader[]) => (row: Row) => Record<string, unknown> = new Function(
    'readers',
    `${readers.map((_, i) => `const read${i} = readers[${i}];`).join(' ')}
    return (row) => ({ ${parts.join(', ')} });`,
  ) as never;
  return generate(readers);
}
