/**
 * Hand-written statements. One is written once from drizzle's tables, with its arguments by name, and compiled at its first
 * use; what it reads are typed objects.
 *
 *     const findApp = statement({ key: apps.consumer_key }, ({ key }) =>
 *       query.select({ id: apps.id, name: apps.name }).from(apps).where(eq(apps.consumer_key, key)).limit(1),
 *     );
 *     const app = await findApp.first(reader, { key });
 *
 * For what the query builder cannot say, {@link rows} makes a SELECT of a template, and a template by itself is an INSERT,
 * UPDATE or DELETE. Constants are part of the text.
 */
import { Column, type GetColumnData, is, noopDecoder, Placeholder, SQL, sql } from 'drizzle-orm';
import type { SelectedFieldsOrdered, SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { type Awaitable, chain } from '../awaitable.ts';
import {
  type CellReader,
  type Compiled,
  cellReader,
  compile,
  type Member,
  placesOf,
  rowReader,
  toArg,
} from './compile.ts';
import type { Arg, Reader, Row, Writer } from './database.ts';
import { PreparedQuery } from './query-builder.ts';
import type { ScopedWriter } from './scoped-writer.ts';
import { sqlFacts } from './sql-text.ts';
import type { ValueType } from './value-types.ts';

/** Declares an argument: its column, or a type. */
type Parameter = SQLiteColumn | ValueType<unknown>;
type Parameters = Readonly<Record<string, Parameter>>;

/** The values for declared arguments, by name. */
export type ArgumentsOf<P extends Parameters> = {
  readonly [Name in keyof P]: P[Name] extends SQLiteColumn
    ? GetColumnData<P[Name], 'query'>
    : P[Name] extends { readonly mapFromDriverValue: (cell: never) => infer T }
      ? T
      : never;
};

/** An argument inside a statement. `limit()` and `offset()` of the query builder take its placeholder. */
class Argument<T> extends SQL<T> {
  readonly placeholder: Placeholder;

  constructor(name: string) {
    const placeholder = new Placeholder(name);
    super([placeholder]);
    this.placeholder = placeholder;
  }
}

/** The arguments of a statement, as its query places them. */
export type ArgumentsIn<P extends Parameters> = { readonly [Name in keyof P]: Argument<ArgumentsOf<P>[Name]> };

/** Arguments of a call; none where the statement declares none. */
export type Given<A> = keyof A extends never ? [] : [args: A];

/** Any statement. */
export interface AnyStatement {
  /** Its text, and the names of its arguments at their places. */
  readonly compiled: Compiled;
}

/** A statement that reads. */
export interface ReadStatement<A, R> extends AnyStatement {
  /** All rows. Rejects as {@link Reader.query}. */
  all(reader: Reader, ...given: Given<A>): Awaitable<R[]>;
  /** The row of a statement that ends with `limit(1)`, which makes it the cheapest read. @throws TypeError without it */
  first(reader: Reader, ...given: Given<A>): Awaitable<R | undefined>;
}

/** A statement that writes, with writers of a kind. */
export interface WriteStatement<A, W extends Writer = Writer> extends AnyStatement {
  /** Gives the number of rows that it inserted, updated or deleted. Rejects as {@link Writer.run}. */
  readonly run: (writer: W, ...given: Given<A>) => Awaitable<number>;
}

/** A statement that writes and has a RETURNING. */
interface ReturningStatement<A, R, W extends Writer> extends WriteStatement<A, W> {
  /** The rows that it inserted, updated or deleted. */
  all(writer: Writer, ...given: Given<A>): Awaitable<R[]>;
  /** The first of them. */
  first(writer: Writer, ...given: Given<A>): Awaitable<R | undefined>;
}

/** A writer that is not limited to a scope. */
type PlatformWriter = Writer & { readonly scoped?: never };

/**
 * The writers of a statement that says which row it touches: what readers keep of the row is found by its scope too, which is the account
 * where the table, or an argument, has an `account_id`.
 */
type TouchingWriter<A, Q> = 'account_id' extends keyof A
  ? ScopedWriter
  : Q extends { readonly _: { readonly table: { readonly $inferSelect: { readonly account_id: unknown } } } }
    ? ScopedWriter
    : PlatformWriter;

/** The statement that a query of drizzle's makes. */
type StatementOf<A, Q, W extends Writer> =
  Q extends Rows<infer R>
    ? ReadStatement<A, R>
    : Q extends SQL
      ? WriteStatement<A, W>
      : Q extends { readonly _: { readonly returning: infer R } }
        ? [R] extends [undefined]
          ? WriteStatement<A, W>
          : ReturningStatement<A, R, W>
        : Q extends { readonly _: { readonly result: readonly (infer R)[] } }
          ? ReadStatement<A, R>
          : never;

/**
 * Declares a statement.
 * @param parameters its arguments by name, each as its column or as one of `types`
 * @param write makes the query; called once, at the first use
 * @param touches for a statement that writes one row, of the platform or of the account whose handle runs it: the id of the row,
 * so that what readers keep of other rows stays valid
 */
export function statement<P extends Parameters, Q extends Written>(
  parameters: P,
  write: (args: ArgumentsIn<P>) => Q,
): StatementOf<ArgumentsOf<P>, Q, Writer>;
export function statement<P extends Parameters, Q extends Written>(
  parameters: P,
  write: (args: ArgumentsIn<P>) => Q,
  touches: (args: ArgumentsOf<P>) => string,
): StatementOf<ArgumentsOf<P>, Q, TouchingWriter<ArgumentsOf<P>, Q>>;
export function statement(parameters: Parameters, write: Write, touches?: Touches): Statement {
  return new Statement(parameters, write, touches);
}

type Touches = (args: Values) => string;

type Write = (args: Readonly<Record<string, Argument<never>>>) => Written;

class Statement {
  readonly #parameters: Parameters;
  readonly #write: Write;
  readonly #touches: Touches | undefined;
  #ready: Ready | undefined;

  constructor(parameters: Parameters, write: Write, touches: Touches | undefined) {
    this.#parameters = parameters;
    this.#write = write;
    this.#touches = touches;
  }

  get compiled(): Compiled {
    const { text, places } = this.#compiled();
    return { text, places: places.map(({ name }) => name) };
  }

  all(reader: Reader, args: Values = none): Awaitable<unknown[]> {
    const { text, places, read } = this.#compiled();
    return chain(reader.read(text, bind(places, args)), (rows) => {
      const objects: unknown[] = [];
      for (const row of rows) objects.push(read(row));
      return objects;
    });
  }

  first(reader: Reader, args: Values = none): Awaitable<unknown> {
    const { text, places, read, firstOnly } = this.#compiled();
    if (!firstOnly) throw new TypeError(`a statement read for its first row ends with a literal LIMIT 1: ${text}`);
    return chain(reader.read(text, bind(places, args)), (rows) => {
      const [row] = rows;
      return row && read(row);
    });
  }

  run(writer: Writer, args: Values = none): Awaitable<number> {
    const { text, places } = this.#compiled();
    const touched = this.#touches === undefined ? undefined : { scope: '', id: this.#touches(args) };
    return writer.change(text, bind(places, args), touched);
  }

  #compiled(): Ready {
    this.#ready ??= this.#compile();
    return this.#ready;
  }

  #compile(): Ready {
    const args: Record<string, Argument<never>> = {};
    for (const name of Object.keys(this.#parameters)) args[name] = new Argument(name);
    const { text, names, fields } = partsOf(this.#write(args));
    const unused = Object.keys(this.#parameters).find((name) => !names.includes(name));
    if (unused !== undefined) throw new TypeError(`the argument ${unused} is not in the statement: ${text}`);
    const places = names.map((name) => {
      const parameter = this.#parameters[name];
      if (!parameter) throw new TypeError(`the statement has no argument ${name}: ${text}`);
      return { name, encode: encoderOf(parameter) };
    });
    const { kind, singleRow } = sqlFacts(text);
    return { text, places, read: rowReader(fields.map(memberOf)), firstOnly: kind === 'write' || singleRow };
  }
}

type Values = Readonly<Record<string, unknown>>;

const none: Values = {};

interface Place {
  readonly name: string;
  readonly encode: (value: unknown) => Arg;
}

interface Ready {
  readonly text: string;
  readonly places: readonly Place[];
  readonly read: (row: Row) => unknown;
  readonly firstOnly: boolean;
}

function bind(places: readonly Place[], args: Values): Arg[] {
  const bound: Arg[] = [];
  for (const { name, encode } of places) bound.push(encode(args[name]));
  return bound;
}

type Field = SQLiteColumn | SQL | SQL.Aliased;
type Fields = Readonly<Record<string, Field | Readonly<Record<string, Field>>>>;

type ResultOf<F extends Fields> = {
  [Name in keyof F]: F[Name] extends SQLiteColumn
    ? GetColumnData<F[Name], 'query'>
    : F[Name] extends SQL<infer T> | SQL.Aliased<infer T>
      ? T
      : F[Name] extends Fields
        ? ResultOf<F[Name]>
        : never;
};

/** A SELECT of a template, with the members of its rows. */
export class Rows<R> {
  readonly fields: SelectedFieldsOrdered;
  readonly query: SQL;
  /** The type of a row, without a value at run time. */
  declare readonly row: R;

  constructor(fields: SelectedFieldsOrdered, query: SQL) {
    this.fields = fields;
    this.query = query;
  }
}

/**
 * A SELECT that the query builder cannot express.
 * @param fields the members of its rows, which may be grouped: columns, and expressions with `mapWith`
 * @param template makes the query; it puts `columns`, the list of the fields, after SELECT
 */
export function rows<F extends Fields>(fields: F, template: (columns: SQL) => SQL): Rows<ResultOf<F>> {
  const ordered = Object.entries(fields).flatMap(([name, field]) =>
    isField(field)
      ? [{ path: [name], field }]
      : Object.entries(field).map(([inner, grouped]) => ({ path: [name, inner], field: grouped })),
  );
  const columns = ordered.map(({ field }) => sql`${is(field, SQL.Aliased) ? field.sql : field}`);
  return new Rows(ordered, template(sql.join(columns, sql`, `)));
}

function isField(field: Fields[string]): field is Field {
  return is(field, Column) || is(field, SQL) || is(field, SQL.Aliased);
}

/** A query of drizzle's builder. */
interface Preparable {
  prepare(): unknown;
}

/** A query as it was written. */
type Written = Rows<unknown> | SQL | Preparable;

interface Parts {
  readonly text: string;
  readonly names: readonly string[];
  readonly fields: SelectedFieldsOrdered;
}

function partsOf(written: Written): Parts {
  if (written instanceof Rows) {
    const { text, places } = compile(written.query);
    return { text, names: places, fields: written.fields };
  }
  if (is(written, SQL)) {
    const { text, places } = compile(written);
    return { text, names: places, fields: [] };
  }
  const prepared = written.prepare();
  if (!(prepared instanceof PreparedQuery)) throw new TypeError('a statement is written with `query` or `sql`');
  const { sql: text, params } = prepared.getQuery();
  return { text, names: placesOf(params), fields: prepared.fields ?? [] };
}

function memberOf({ path, field }: SelectedFieldsOrdered[number]): Member {
  if (path.length > 2) throw new TypeError(`members nest once: ${path.join('.')}`);
  return { path, read: readerOf(path, field) };
}

function readerOf(path: readonly string[], field: SelectedFieldsOrdered[number]['field']): CellReader {
  if (is(field, Column)) return cellReader(field);
  const expression = is(field, SQL.Aliased) ? field.sql : field;
  const decoder = 'decoder' in expression ? expression.decoder : undefined;
  if (is(decoder, Column)) return cellReader(decoder);
  // The driver's own values are 64-bit integers, whatever the type of a template says.
  if (decoder === noopDecoder || !isDecoder(decoder)) {
    throw new TypeError(`the expression ${path.join('.')} does not say how it is read: add mapWith`);
  }
  return (value) => decoder.mapFromDriverValue(value);
}

function isDecoder(decoder: unknown): decoder is { mapFromDriverValue(value: unknown): unknown } {
  return typeof decoder === 'object' && decoder !== null && 'mapFromDriverValue' in decoder;
}

function encoderOf(parameter: Parameter): (value: unknown) => Arg {
  return (value) => (value === null ? null : toArg(parameter.mapToDriverValue(value)));
}
