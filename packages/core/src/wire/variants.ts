/** Objects of several kinds in one place, which one of their members tells apart. */
import * as z from 'zod';
import { once } from '../once.ts';
import { wireTypeOf } from './types.ts';

/** The kinds of a union. */
export interface Variants {
  /** The member that tells the kinds apart. */
  readonly discriminator: string;
  readonly schemas: readonly z.ZodObject[];
  /** Returns the schema of a value; `undefined` for a value of none of the kinds. */
  readonly of: (value: Readonly<Record<string, unknown>>) => z.ZodObject | undefined;
}

const known = new WeakMap<z.ZodType, Variants>();

/**
 * Makes a union of objects. The first value that is told apart throws a TypeError where a word is of two kinds, or a kind has none.
 * @param discriminator the member by whose value an object is of one of the kinds: a word of an enumeration in each schema
 */
export function anyOf<const Schemas extends readonly [z.ZodObject, z.ZodObject, ...z.ZodObject[]]>(
  discriminator: string,
  schemas: Schemas,
): z.ZodUnion<Schemas> {
  const union = z.union(schemas);
  // With the first value: the members of a schema are made when they are read.
  const byValue = once(() => schemasByValue(discriminator, schemas));
  known.set(union, { discriminator, schemas, of: (value) => byValue().get(value[discriminator]) });
  return union;
}

function schemasByValue(discriminator: string, schemas: readonly z.ZodObject[]): ReadonlyMap<unknown, z.ZodObject> {
  const byValue = new Map<unknown, z.ZodObject>();
  for (const schema of schemas) {
    const member: unknown = schema.shape[discriminator];
    const values = member instanceof z.ZodType ? wireTypeOf(member)?.values : undefined;
    if (!values) throw new TypeError(`${discriminator} is not an enumeration in each schema`);
    for (const value of values) {
      if (byValue.has(value)) throw new TypeError(`two schemas have ${discriminator} ${value}`);
      byValue.set(value, schema);
    }
  }
  return byValue;
}

/** Returns the kinds of a union; `undefined` for another schema. */
export function variantsOf(schema: z.ZodType): Variants | undefined {
  return known.get(schema);
}
