/** Queries of the derived adapters about the fields of a schema. */
import * as z from 'zod';
import { innerType } from '../wire/types.ts';
import { variantsOf } from '../wire/variants.ts';
import type { AnyOperation } from './operation.ts';

/** A field by its name on the wire. */
export type Field = readonly [name: string, schema: z.ZodType];

/** Returns the fields of an object's schema, in its order. */
export function fieldsOf(schema: z.ZodObject): readonly Field[] {
  return Object.entries(schema.shape).filter((entry): entry is [string, z.ZodType] => entry[1] instanceof z.ZodType);
}

/** Returns the fields of all kinds of a union, each name once. */
export function fieldsOfAny(schemas: readonly z.ZodObject[]): readonly Field[] {
  const fields = new Map<string, z.ZodType>();
  for (const [name, schema] of schemas.flatMap(fieldsOf)) if (!fields.has(name)) fields.set(name, schema);
  return [...fields];
}

/** Returns the members of a field that is an object or a list of objects, of any kind; `undefined` when it is neither. */
export function membersOf(
  schema: z.ZodType,
): { readonly isList: boolean; readonly fields: readonly Field[] } | undefined {
  const fields = objectFields(schema);
  if (fields) return { isList: false, fields };
  if (schema instanceof z.ZodArray) {
    const elements = schema.element instanceof z.ZodType ? objectFields(schema.element) : undefined;
    return elements && { isList: true, fields: elements };
  }
  const inner = innerType(schema);
  return inner && membersOf(inner);
}

function objectFields(schema: z.ZodType): readonly Field[] | undefined {
  if (schema instanceof z.ZodObject) return fieldsOf(schema);
  const variants = variantsOf(schema);
  return variants && fieldsOfAny(variants.schemas);
}

/** Returns whether a field is required. */
export function isRequired(schema: z.ZodType): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return false;
  const inner = innerType(schema);
  return inner === undefined || isRequired(inner);
}

/** Returns whether a field may be null. */
export function isNullable(schema: z.ZodType): boolean {
  if (schema instanceof z.ZodNullable) return true;
  const inner = innerType(schema);
  return inner !== undefined && isNullable(inner);
}

/** Returns the default of a field; `undefined` when it has none. */
export function defaultOf(schema: z.ZodType): unknown {
  if (schema instanceof z.ZodDefault) return schema.def.defaultValue;
  const inner = innerType(schema);
  return inner && defaultOf(inner);
}

const PATH_PARAMETER = /:(\w+)/g;

/** Returns the names of an operation's path parameters, in order. */
export function pathParameters({ http }: AnyOperation): readonly string[] {
  return [...(http?.path ?? '').matchAll(PATH_PARAMETER)].flatMap(([, name]) => name ?? []);
}
