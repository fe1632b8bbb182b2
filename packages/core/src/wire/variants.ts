/** Objects of several kinds in one place, which one of their members tells apart. */
import * as z from 'zod';
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
 * Makes a union of objects.
 * @param discriminator the member by whose value an object is of one of the kinds: a word of an enumeration in each schema
 * @throws TypeError when a value of it is of two kinds, or of none
 */
export function anyOf<const Schemas extends readonly [z.ZodObject, z.ZodObject, ...z.ZodObject[]]>(
  discriminator: string,
  schemas: Schemas,
): z.ZodUnion<Schemas> {
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
  const union = z.union(schemas);
  known.set(union, { discriminator, schemas, of: (value) => byValue.get(value[discriminator]) });
  return union;
}

/** Returns the kinds of a union; `undefined` for another schema. */
export function variantsOf(schema: z.ZodType): Variants | undefined {
  return known.get(schema);
}
