/** Output of a command's result: a table or names and values for people, JSON or bare ids for programs. */
import { stringifyJson } from '@broadside/core';
import { type Column, chooseColumns, type Entity, identityOf, isEntity, namedColumns, wholeCell } from './columns.ts';
import { UsageError } from './errors.ts';
import { type FlagSection, kebab } from './flag.ts';
import type { FlagValues } from './flags.ts';
import type { Io } from './io.ts';
import { prettyJson } from './json.ts';
import { type Paint, painter } from './paint.ts';
import { membersOf, type Schema } from './parameters.ts';
import { type Query, queryFlag, readQuery } from './query.ts';
import { didYouMean } from './suggest.ts';
import { headerLine, layOut, type PlacedColumn, pairs, rowLine } from './table.ts';
import { printable } from './text.ts';

/** The flags that choose the output. */
export function outputFlags(
  schema: Schema,
  { many, raw, json = 'the data exactly as the server sent it' }: { many: boolean; raw: boolean; json?: string },
): FlagSection {
  const members = membersOf(schema).map(([name]) => name);
  const columns = many && members.length > 0;
  return {
    title: 'Output',
    flags: [
      {
        name: 'json',
        kind: 'boolean',
        hint: '',
        description: `One JSON document: ${json}.`,
      },
      ...(raw
        ? [
            {
              name: 'raw',
              kind: 'boolean',
              hint: '',
              description: 'The whole answer as JSON, with "request" and cursor.',
            } as const,
          ]
        : []),
      queryFlag,
      { name: 'quiet', kind: 'boolean', hint: '', description: 'Ids only, one a line.' },
      ...(columns
        ? [
            {
              name: 'columns',
              kind: 'list',
              hint: 'name,...',
              description: 'The columns of the table, by the names that --json has.',
              values: members,
            } as const,
          ]
        : []),
    ],
  };
}

type Format = 'human' | 'json' | 'raw' | 'quiet';

/** Prints results of one schema. */
export class Output {
  readonly format: Format;
  readonly #io: Io;
  readonly #schema: Schema;
  readonly #columns: readonly string[] | undefined;
  readonly #paint: Paint;
  readonly #query: Query | undefined;

  private constructor(io: Io, flags: FlagValues, schema: Schema, query: Query | undefined) {
    this.#io = io;
    this.#schema = schema;
    this.#paint = painter(io.stdout, io.env);
    this.#query = query;
    const chosen = (['json', 'raw', 'quiet'] as const).filter((name) => flags.on(name));
    // --raw is JSON too, so both together say nothing contradictory.
    const [format = 'human', other] = chosen.filter((name) => name !== 'json' || !chosen.includes('raw'));
    if (other) throw new UsageError(`--${format} and --${other} cannot be used together`);
    if (query && format === 'quiet') throw new UsageError('--query and --quiet cannot be used together');
    // A query is about JSON, whether that is said or not.
    this.format = query && format === 'human' ? 'json' : format;
    this.#columns = flags
      .text('columns')
      ?.split(',')
      .map((name) => name.trim().replaceAll('-', '_'));
    this.#checkColumns();
  }

  /** Reads the flags. @throws UsageError */
  static async open(io: Io, flags: FlagValues, schema: Schema): Promise<Output> {
    return new Output(io, flags, schema, await readQuery(flags));
  }

  #checkColumns(): void {
    if (!this.#columns) return;
    const other = this.#query ? 'query' : this.format;
    if (this.format !== 'human') throw new UsageError(`--columns is for tables; leave out --${other}`);
    const names = membersOf(this.#schema).map(([name]) => name);
    for (const name of this.#columns) {
      if (names.includes(name)) continue;
      const hint = didYouMean(name, names) ?? `there are ${names.join(', ')}`;
      throw new UsageError(`There is no column "${name}"; ${hint}`);
    }
  }

  /** The query over the JSON, if there is one. */
  get query(): Query | undefined {
    return this.#query;
  }

  /** Returns whether the usual columns of a table are shown. */
  get isUsual(): boolean {
    return this.format === 'human' && this.#columns === undefined;
  }

  /** Words for the user, beside the data. */
  async say(text: string): Promise<void> {
    await this.#io.stderr.write(`${text}\n`);
  }

  /** Prints JSON data as they are, or what a query selects of them. */
  async json(value: unknown): Promise<void> {
    if (this.#query) return this.#query.print(this.#io, value);
    await this.#io.stdout.write(`${prettyJson(value)}\n`);
  }

  /** Prints one entity. */
  async one(value: unknown): Promise<void> {
    if (this.format === 'json') return this.json(value);
    if (!isEntity(value) || this.format === 'quiet') return this.#line(this.#id(value));
    const names = new Set([...membersOf(this.#schema).map(([name]) => name), ...Object.keys(value)]);
    const entries = [...names].filter((name) => name in value).map((name) => [name, wholeCell(name, value)] as const);
    const { isTTY, columns = 80 } = this.#io.stdout;
    await this.#io.stdout.write(pairs(entries, this.#paint, isTTY ? columns : undefined));
  }

  /**
   * Starts printing a list whose entities come one after the other.
   * @param usual the columns of a table, unless others are asked for; chosen by the schema when left out
   */
  many(usual?: readonly Column[]): ListOutput {
    if (this.#query) return new QueriedList(this.#io, this.#query);
    if (this.format === 'json') return new JsonList(this.#io);
    if (this.format === 'quiet' || membersOf(this.#schema).length === 0)
      return new Lines(this.#io, (value) => this.#id(value));
    return new Table(this.#io, this.#paint, (rows) => this.#layOut(rows, usual));
  }

  /** A table of entities that are a part of one, each with a line of its own. @param schema theirs */
  table(schema: Schema): ListOutput {
    return new Table(this.#io, this.#paint, (rows) => this.#layOut(rows, chooseColumns(schema, rows)));
  }

  #layOut(rows: readonly Entity[], usual: readonly Column[] | undefined): PlacedColumn[] {
    const { isTTY, columns = 80 } = this.#io.stdout;
    const named = this.#columns && namedColumns(this.#schema, this.#columns);
    const chosen = named ?? usual ?? chooseColumns(this.#schema, rows);
    // Columns requested by name are shown, however wide. A pipe has no width to respect.
    return layOut(chosen, rows, isTTY && !named ? columns : undefined, named ? named.length : undefined);
  }

  #id(value: unknown): string {
    if (!isEntity(value)) return printable(String(value));
    const name = identityOf(this.#schema);
    const shown = name === undefined ? value : value[name];
    return isEntity(shown) ? stringifyJson(shown) : printable(String(shown));
  }

  async #line(text: string): Promise<void> {
    await this.#io.stdout.write(`${text}\n`);
  }
}

/** Prints a list page by page. */
export interface ListOutput {
  page(values: readonly unknown[]): Promise<void>;
  end(): Promise<void>;
}

/** An expression is about the whole list. */
class QueriedList implements ListOutput {
  readonly #io: Io;
  readonly #query: Query;
  readonly #values: unknown[] = [];

  constructor(io: Io, query: Query) {
    this.#io = io;
    this.#query = query;
  }

  async page(values: readonly unknown[]): Promise<void> {
    this.#values.push(...values);
  }

  async end(): Promise<void> {
    await this.#query.print(this.#io, this.#values);
  }
}

class JsonList implements ListOutput {
  readonly #io: Io;
  #empty = true;

  constructor(io: Io) {
    this.#io = io;
  }

  async page(values: readonly unknown[]): Promise<void> {
    if (values.length === 0) return;
    const items = values.map((value) => `  ${prettyJson(value, '  ')}`).join(',\n');
    await this.#io.stdout.write(`${this.#empty ? '[\n' : ',\n'}${items}`);
    this.#empty = false;
  }

  async end(): Promise<void> {
    await this.#io.stdout.write(this.#empty ? '[]\n' : '\n]\n');
  }
}

class Lines implements ListOutput {
  readonly #io: Io;
  readonly #text: (value: unknown) => string;

  constructor(io: Io, text: (value: unknown) => string) {
    this.#io = io;
    this.#text = text;
  }

  async page(values: readonly unknown[]): Promise<void> {
    if (values.length > 0) await this.#io.stdout.write(values.map((value) => `${this.#text(value)}\n`).join(''));
  }

  async end(): Promise<void> {}
}

/** The first page decides the columns and their widths; later pages keep to them. */
class Table implements ListOutput {
  readonly #io: Io;
  readonly #paint: Paint;
  readonly #layOut: (rows: readonly Entity[]) => PlacedColumn[];
  #columns: readonly PlacedColumn[] | undefined;

  constructor(io: Io, paint: Paint, layOutRows: (rows: readonly Entity[]) => PlacedColumn[]) {
    this.#io = io;
    this.#paint = paint;
    this.#layOut = layOutRows;
  }

  async page(values: readonly unknown[]): Promise<void> {
    const rows = values.filter(isEntity);
    if (rows.length === 0) return;
    let text = '';
    if (!this.#columns) {
      this.#columns = this.#layOut(rows);
      text += `${headerLine(this.#columns, this.#paint)}\n`;
    }
    const columns = this.#columns;
    for (const row of rows) text += `${rowLine(columns, row, this.#paint)}\n`;
    await this.#io.stdout.write(text);
  }

  async end(): Promise<void> {
    // Nothing on stdout for an empty list: a program that counts lines counts none.
    if (!this.#columns) await this.#io.stderr.write('Nothing found.\n');
  }
}

/** A flag as it is written. */
export function flagName(parameter: string): string {
  return `--${kebab(parameter)}`;
}
