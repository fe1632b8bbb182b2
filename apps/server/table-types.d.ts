/**
 * The published declarations of tables and statements in place of drizzle's own types, which need the optional drivers of
 * drizzle to be checked. Nobody outside of this package writes statements: only what members of these types show counts.
 */

/** A part of a statement. */
export declare class SQL<T = unknown> {
  readonly _: { readonly type: T };
}
export declare namespace SQL {
  /** A part with a name of its own. */
  class Aliased<T = unknown> {
    readonly _: { readonly type: T };
  }
}
/** The place of an argument. */
export declare class Placeholder<Name extends string = string, Value = unknown> {
  readonly name: Name;
  readonly value: Value;
}
/** A column of any database. */
export interface Column {
  readonly name: string;
  readonly _: { readonly data: unknown };
}
/** A column. */
export interface SQLiteColumn<Config extends object = object> extends Column {
  readonly config?: Config;
}
/** A table. */
export interface SQLiteTable<Config extends object = object> {
  readonly config?: Config;
}
/** A table with its columns. */
export interface SQLiteTableWithColumns<Config extends object> extends SQLiteTable<Config> {
  /** A row; its values are nobody's matter outside of this package. */
  readonly $inferSelect: Readonly<Record<string, unknown>>;
}
/** The type of the values of a column. */
export type GetColumnData<C extends Column, Mode extends 'query' | 'raw' = 'query'> = Mode extends string
  ? C['_']['data']
  : never;
/** The fields of a selection. */
export type SelectedFieldsOrdered = readonly { readonly path: string[]; readonly field: unknown }[];
/** Writes the text of statements. */
export declare class SQLiteAsyncDialect {
  escapeParam(place: number): string;
}
