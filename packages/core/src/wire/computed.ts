/** Members of entities that the server computes, and that change without anybody changing the entity. */
import type * as z from 'zod';
import { innerType } from './types.ts';

const computedSchemas = new WeakSet<z.ZodType>();

/**
 * Marks the schema of a member that changes by itself: with time, with other entities, or with any change of this one. Callers
 * may send any value of it back. The schema is another one, since those of wire types are shared.
 */
export function computed<Schema extends z.ZodType>(schema: Schema): Schema {
  const marked = schema.clone();
  computedSchemas.add(marked);
  return marked;
}

/** Returns whether a member changes by itself. */
export function isComputed(schema: z.ZodType): boolean {
  if (computedSchemas.has(schema)) return true;
  const inner = innerType(schema);
  return inner !== undefined && isComputed(inner);
}
