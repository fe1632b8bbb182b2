/** The request of a list as its statements see it, and the statements by their forms. */
import type { CursorValue } from '@broadside/core';
import type { SQL } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { type Awaitable, chain } from '../awaitable.ts';
import type { Arg, Reader, Row, Value } from './database.ts';
import { KeptStatements } from './kept-statements.ts';
import { cursorArgument, lowest, type Order } from './keyset.ts';
import { formOfCursor, LIMIT, type ListCondition, type PageForm } from './list-statements.ts';

/** The bounds of the work that a statement does. */
export interface ListBounds {
  /** Up to how many rows are sorted without trying the order first; twice as many where an index has all that is looked at. */
  readonly few: number;
  /** The number of rows that one statement passes over at most; it holds the process while it runs. It sorts up to twice as many. */
  readonly portion: number;
}

/** The request of a list, without its order. */
export interface ListRequest {
  readonly reader: Reader;
  readonly form: Pick<PageForm, 'classes' | 'conditions'>;
  /** How many of the conditions, from the first one on, are known to find more than a few rows. */
  readonly many?: number;
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

/** Statements, compiled on first use and kept by their form. */
export class ListReading {
  readonly #statements = new KeptStatements();

  /** The rows of the statement that `make` makes. @param way names it, with the name of the request */
  rows({ reader, name, args }: ListRequest, way: string, make: () => SQL): Awaitable<readonly Row[]> {
    const { text, bind } = this.#statements.of(`${way} ${name}`, make);
    return reader.read(text, bind(args));
  }

  /** The number that a statement gives. */
  number(request: ListRequest, way: string, make: () => SQL): Awaitable<number> {
    return chain(this.rows(request, way, make), ([row]) => Number(row?.[0] ?? 0));
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
