import type * as z from 'zod';

const known = new WeakMap<z.ZodObject, ReadonlyMap<string, string>>();

/**
 * The contract's own string for each name of a parameter. A string that was cut out of a request is not interned, so each use as a key
 * of an object looks it up in the engine's table of strings.
 */
export function namesOf(params: z.ZodObject): ReadonlyMap<string, string> {
  let names = known.get(params);
  if (names === undefined) {
    names = new Map(Object.keys(params.shape).map((name) => [name, name]));
    known.set(params, names);
  }
  return names;
}
