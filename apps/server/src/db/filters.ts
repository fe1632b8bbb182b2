/** Conditions of lists. An entity declares them by the names of the parameters that ask for them. */
import { eq, ne, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { among } from './compile.ts';
import type { Arg } from './database.ts';
import { foldName } from './fold-name.ts';

/** A condition for the values of one parameter. */
export interface Condition<Given> {
  readonly where: SQL;
  /** Returns whether a value of the parameter requires the condition. */
  applies(given: Given | undefined): boolean;
  /** The arguments of the condition. */
  bind(given: Given): Readonly<Record<string, Arg>>;
  /** The column that an index finds the rows by. Missing where none can. */
  readonly by?: IndexedBy | undefined;
  /** The values that the column may have, of a condition by values. */
  values?(given: Given): readonly Arg[];
}

/** A column by which an index finds the rows of a condition. */
interface IndexedBy {
  readonly column: SQLiteColumn;
  /** `values`: the column has one of some values. `prefix`: it begins with a text. `drafts`: the class of the row says it. */
  readonly way: 'values' | 'prefix' | 'drafts';
}

/** Makes the condition of a parameter. @param name that of the parameter, which also names its arguments */
export type Filter<Given> = (name: string) => Condition<Given>;

export type Filters = Readonly<Record<string, Filter<never>>>;

/** The parameters of a list with some filters. */
export type FilterParams<F extends Filters> = {
  readonly [Name in keyof F]?: (F[Name] extends Filter<infer Given> ? Given : never) | undefined;
};

const isGiven = (given: unknown) => given !== undefined;

/** Rows whose column has the value. */
export function equals(column: SQLiteColumn): Filter<string> {
  return (name) => ({
    where: eq(column, sql.placeholder(name)),
    applies: isGiven,
    bind: (value) => ({ [name]: value }),
    by: { column, way: 'values' },
    values: (value) => [value],
  });
}

/** Rows whose column, a boolean, has the value. */
export function isFlag(column: SQLiteColumn): Filter<boolean> {
  return (name) => ({
    where: sql`${column} = ${sql.placeholder(name)}`,
    applies: isGiven,
    bind: (value) => ({ [name]: value ? 1n : 0n }),
    by: { column, way: 'values' },
    values: (value) => [value ? 1n : 0n],
  });
}

/** Rows whose column is one of the values. */
export function isOneOf(column: SQLiteColumn): Filter<readonly string[]> {
  return (name) => ({
    where: among(column, sql.placeholder(name)),
    applies: isGiven,
    bind: (values) => ({ [name]: JSON.stringify(values) }),
    by: { column, way: 'values' },
    values: (values) => values,
  });
}

/** Rows whose column, a list of words, has one of the values. */
export function hasOneOf(column: SQLiteColumn): Filter<readonly string[]> {
  return (name) => ({
    where: sql`EXISTS (SELECT 1 FROM json_each(${column}) AS "held"
      WHERE "held".value IN (SELECT value FROM json_each(${sql.placeholder(name)})))`,
    applies: isGiven,
    bind: (values) => ({ [name]: JSON.stringify(values) }),
  });
}

/** The names of the arguments between which the folded names of a prefix are, the second one left out. */
export function prefixArguments(name: string): readonly [from: string, to: string] {
  return [`${name}_from`, `${name}_to`];
}

/** Matches rows whose folded name starts with a text. A range, so that an index serves it. */
export function beginsWith(column: SQLiteColumn): Filter<string> {
  return (name) => {
    const [from, to] = prefixArguments(name);
    return {
      where: sql`${column} >= ${sql.placeholder(from)} AND ${column} < ${sql.placeholder(to)}`,
      applies: isGiven,
      bind: (text) => {
        const folded = foldName(text);
        // U+10FFFF is the highest code point, so it sorts after every continuation of the prefix.
        return { [from]: folded, [to]: `${folded}\u{10ffff}` };
      },
      by: { column, way: 'prefix' },
    };
  };
}

/** Matches rows that satisfy a condition, unless the parameter is true: it selects all of them. */
export function unless(where: SQL): Filter<boolean> {
  return () => ({ where, applies: (given) => given !== true, bind: () => ({}) });
}

/** Rows that are no drafts, unless the parameter is true. The state is part of the class of a row. */
export function unlessDraft(entity_status: SQLiteColumn): Filter<boolean> {
  return (name) => ({
    ...unless(ne(entity_status, 'DRAFT'))(name),
    by: { column: entity_status, way: 'drafts' },
  });
}
