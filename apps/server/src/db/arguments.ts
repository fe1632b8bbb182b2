/**
 * Checks and converts arguments before they reach a driver. The native binding aborts the process on a boolean, binds
 * `undefined` and NaN as NULL, a missing argument as NULL, every number as REAL, and cuts a text at its first NUL; over
 * HTTP a number arrives as REAL as well. Both ways of access therefore take what these functions return, and nothing else.
 */
import type { SqlFacts } from './sql-text.ts';

/** Arguments for a driver: integers are always bigint, booleans are 1n and 0n. */
export type BoundValue = string | number | bigint | null | Uint8Array;

const smallest = -(2n ** 63n);
const largest = 2n ** 63n - 1n;

function reject(position: number | string, what: string): TypeError {
  return new TypeError(`SQL argument ${position} ${what}`);
}

/**
 * The value to bind for `value`.
 * @param position Names the argument in errors: its number, counted from 1, or its name.
 * @throws TypeError on undefined, a number that is not finite, a text that the database would change (a NUL, half a
 * surrogate pair), a Date or any other object; RangeError on an integer that does not fit into 64 bits, or a number
 * beyond 2^53 that may have lost digits already.
 */
export function boundValue(value: unknown, position: number | string): BoundValue {
  switch (typeof value) {
    case 'string':
      if (value.includes('\0')) throw reject(position, 'contains a NUL character, which the database would cut off');
      if (!value.isWellFormed()) throw reject(position, 'contains half a surrogate pair, which cannot be stored');
      return value;
    case 'bigint':
      if (value < smallest || value > largest) {
        throw new RangeError(`SQL argument ${position} does not fit into 64 bits: ${value}`);
      }
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw reject(position, `is not a finite number: ${value}`);
      if (!Number.isInteger(value)) return value;
      if (!Number.isSafeInteger(value)) {
        throw new RangeError(`SQL argument ${position} is a number beyond 2^53, pass a bigint: ${value}`);
      }
      return BigInt(value);
    case 'boolean':
      return value ? 1n : 0n;
    case 'object':
      if (value === null) return null;
      if (value instanceof Uint8Array) return value;
      if (value instanceof ArrayBuffer) return new Uint8Array(value);
      throw reject(position, `is ${value instanceof Date ? 'a Date, pass its text or number' : 'an object'}`);
    default:
      throw reject(position, `is of type ${typeof value}`);
  }
}

function wrongCount(sql: string, facts: SqlFacts, given: number): TypeError {
  const shown = sql.length > 200 ? `${sql.slice(0, 200)}...` : sql;
  return new TypeError(`SQL statement takes ${facts.parameterCount} arguments, ${given} given: ${shown}`);
}

const none: BoundValue[] = [];

/**
 * The values to bind for `args`, in the order of the statement's parameters.
 * @throws TypeError when the number of arguments is not the statement's, and as {@link boundValue}.
 */
export function boundArguments(sql: string, facts: SqlFacts, args: readonly unknown[] | undefined): BoundValue[] {
  const given = args === undefined ? 0 : args.length;
  if (given !== facts.parameterCount) throw wrongCount(sql, facts, given);
  if (args === undefined || given === 0) return none;
  const values: BoundValue[] = [];
  for (let i = 0; i < given; i++) values.push(boundValue(args[i], i + 1));
  return values;
}

/**
 * The same for arguments by name. A name may be given with or without its prefix, as in `@libsql/client`.
 * @throws TypeError when a parameter has no argument, an argument has no parameter, or the statement also has
 * parameters without a name; and as {@link boundValue}.
 */
export function boundByName(sql: string, facts: SqlFacts, args: Readonly<Record<string, unknown>>): BoundValue[] {
  if (facts.named.size !== facts.parameterCount) throw wrongCount(sql, facts, facts.named.size);
  const used = new Set<string>();
  const values: BoundValue[] = [];
  for (const parameter of facts.named.keys()) {
    const name = Object.hasOwn(args, parameter) ? parameter : parameter.slice(1);
    if (!Object.hasOwn(args, name)) throw reject(parameter, 'is missing');
    used.add(name);
    values.push(boundValue(args[name], parameter));
  }
  for (const name of Object.keys(args)) {
    if (!used.has(name)) throw reject(name, 'is not a parameter of the statement');
  }
  return values;
}
