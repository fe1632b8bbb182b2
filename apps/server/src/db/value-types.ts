/** Types of values that are in no column, as arguments of statements and for `mapWith`. */
import { Column, is } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { cellReader, columnArg } from './compile.ts';
import type { Arg, Value } from './database.ts';

/** Encoder and decoder of a value. `null` is never passed to either. */
export interface ValueType<T> {
  mapToDriverValue(value: T): Arg;
  mapFromDriverValue(cell: Value): T;
}

function type<T>(mapToDriverValue: (value: T) => Arg, mapFromDriverValue: (cell: Value) => T): ValueType<T> {
  return { mapToDriverValue, mapFromDriverValue };
}

function argumentOnly(): never {
  throw new TypeError('a list is an argument only');
}

/** Types of values. */
export const types = {
  text: type<string>((value) => value, readText),
  /** A whole number that fits a double. */
  int: type<number>((value) => value, Number),
  /** A 64-bit whole number. */
  long: type<bigint>((value) => value, readLong),
  /** A boolean, 1 or 0. */
  flag: type<boolean>(
    (value) => value,
    (cell) => cell === 1n,
  ),
  /** Texts, as a JSON array for `json_each`. */
  texts: type<readonly string[]>((value) => JSON.stringify(value), argumentOnly),
  /** 64-bit whole numbers, as a JSON array for `json_each`: the numbers of SQLite's JSON are exact. */
  longs: type<readonly bigint[]>((value) => `[${value.join()}]`, argumentOnly),
};

/** The same as a column or type, where there may be no value. */
export function orNull<C extends SQLiteColumn>(type: C): ValueType<C['_']['data'] | null>;
export function orNull<T>(type: ValueType<T>): ValueType<T | null>;
export function orNull(type: SQLiteColumn | ValueType<unknown>): ValueType<unknown> {
  if (!is(type, Column)) return type;
  return { mapToDriverValue: (value) => columnArg(type, value), mapFromDriverValue: cellReader(type) };
}

function readText(cell: Value): string {
  if (typeof cell === 'string') return cell;
  throw new TypeError(`a statement gave ${typeof cell} where text was expected`);
}

function readLong(cell: Value): bigint {
  if (typeof cell === 'bigint') return cell;
  throw new TypeError(`a statement gave ${typeof cell} where a whole number was expected`);
}

export { among } from './compile.ts';
