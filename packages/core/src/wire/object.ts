/**
 * Schemas of objects whose members are made when they are first read. The contract has some thousand members, and a process reads
 * those of the operations that it is asked for: to make all of them as modules are loaded takes a part of each start.
 */
import * as z from 'zod';
import { once } from '../once.ts';

/** Schemas by the names of members. */
type Members = Readonly<Record<string, z.ZodType>>;

/** Makes the schema of an object. Members that the schema does not have are left out. */
export function object<Shape extends Members>(
  members: () => Shape,
): z.ZodObject<z.core.util.Writeable<Shape>, z.core.$strip>;
export function object(members: () => Members): z.ZodObject {
  return new z.ZodObject(definition(members));
}

/** Makes the schema of an object that rejects members that the schema does not have. */
export function strictObject<Shape extends Members>(
  members: () => Shape,
): z.ZodObject<z.core.util.Writeable<Shape>, z.core.$strict>;
export function strictObject(members: () => Members): z.ZodObject {
  return new z.ZodObject(Object.assign(definition(members), { catchall: z.never() }));
}

/** Makes the schema of an object with the members of another one and more. */
export function extended<Base extends Members, More extends Members>(
  base: z.ZodObject<Base, z.core.$strip>,
  more: () => More,
): z.ZodObject<z.core.util.Extend<Base, z.core.util.Writeable<More>>, z.core.$strip>;
export function extended(base: z.ZodObject, more: () => Members): z.ZodObject {
  return object(() => ({ ...base.shape, ...more() }));
}

/** What zod makes a schema of. It reads `shape` when something needs the members, and copies of the schema share them. */
function definition(members: () => Members) {
  const made = once(members);
  return {
    type: 'object' as const,
    get shape() {
      return made();
    },
  };
}
