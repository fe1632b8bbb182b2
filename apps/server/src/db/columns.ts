/** Column types that keep wire values exact: what a field holds on the wire is what its column gives back. */
import { customType } from 'drizzle-orm/sqlite-core';

/** A 64-bit whole number; `bigint` in code. */
export const long = customType<{ data: bigint; driverData: bigint }>({
  dataType: () => 'integer',
});

/** A whole number that fits a double. */
export const int = customType<{ data: number; driverData: bigint }>({
  dataType: () => 'integer',
  toDriver: (value) => BigInt(value),
  fromDriver: (value) => Number(value),
});

/** A boolean, stored as 1 and 0. */
export const flag = customType<{ data: boolean; driverData: bigint }>({
  dataType: () => 'integer',
  toDriver: (value) => (value ? 1n : 0n),
  fromDriver: (value) => Number(value) === 1,
});

/** A list of words, stored as JSON text. The words themselves are the contract's business. */
export const words = <Word extends string>(name: string) =>
  customType<{ data: Word[]; driverData: string }>({
    dataType: () => 'text',
    toDriver: (value) => JSON.stringify(value),
    fromDriver: (value) => JSON.parse(value),
  })(name);
