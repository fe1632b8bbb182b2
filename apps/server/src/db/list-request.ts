/** What a list is asked for, as its statements see it, and the statements by their forms. */
import type { CursorValue } from '@broadside/core';
import type { SQL } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import QuickLRU from 'quick-lru';
import { type Awaitable, chain } from '../awaitable.ts';
import { type Compiled, compile } from './compile.ts';
import type { Arg, Reader, Row, Value } from './database.ts';
import { cursorArgument, lowest, type Order } from './keyset.ts';
import { formOfCursor, LIMIT, type ListCondition, type PageForm } from './list-statements.ts';

/** How much work a statement does. */
export interface ListBounds {
  /** Up to how many rows are sorted without trying the order first. */
  readonly few: number;
  /** How many rows one statement passes over at most; it holds the process while it runs. It sorts up to twice as many. */
  readonly portion: number;
}

/** What a list is asked for, without its order. */
export interface ListRequest {
  readonly reader: Reader;
  readonly form: Pick<PageForm, 'classes' | 'conditions'>;
  /** Names the classes and conditions. */
  readonly name: string;
  readonly args: Readonly<Record<string, Arg>>;
}

/** A range of an order, and the most rows that are wanted of it. */
export interface Position {
  readonly order: Order;
  /** The values of the cursor; none at the beginning. */
  readonly after: readonly CursorValue[];
  readonly limit: number;
  /** See {@link PageForm.within}. */
  readonly within?: ListCondition | undefined;
}

/** Number of forms of statements that are kept; temporarily up to twice as many. */
const MAX_FORMS = 500;

/** Statements, compiled on first use and kept by their form. */
export class ListReading {
  readonly #compiled = new QuickLRU<string, Compiled>({ maxSize: MAX_FORMS });

  /** The rows of the statement that `make` makes. @param way names it, with the name of the request */
  rows({ reader, name, args }: ListRequest, way: string, make: () => SQL): Awaitable<readonly Row[]> {
    const { text, places } = this.#keep(`${way} ${name}`, make);
    return reader.read(
      text,
      places.map((place) => args[place] ?? null),
    );
  }

  /** The number that a statement gives. */
  number(request: ListRequest, way: string, make: () => SQL): Awaitable<number> {
    return chain(this.rows(request, way, make), ([row]) => Number(row?.[0] ?? 0));
  }

  #keep(form: string, make: () => SQL): Compiled {
    const known = this.#compiled.get(form);
    if (known) return known;
    const made = compile(make());
    this.#compiled.set(form, made);
    return made;
  }
}

/** The request with the arguments of a position. */
export function at(request: ListRequest, { after, limit }: Position): ListRequest {
  const places = after.map((value, place) => [cursorArgument(place), value] as const);
  return { ...request, args: { ...request.args, [LIMIT]: BigInt(limit), ...Object.fromEntries(places) } };
}

/** Names what a position changes in the text of a statement. */
export function formOfPosition({ order, after, within }: Position): string {
  return `${order.name} ${formOfCursor(order, after)} ${within?.name ?? ''}`;
}

/** A cell as a cursor holds it. */
export function cursorValue(column: SQLiteColumn, cell: Value | undefined): CursorValue {
  if (cell === null || cell === undefined) return lowest(column);
  return typeof cell === 'bigint' ? cell : String(cell);
}
