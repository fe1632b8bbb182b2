/** Queries of the contract about its words: what can be translated, and where. */
import * as z from 'zod';
import { fieldsOf, fieldsOfAny } from '../operation/fields.ts';
import type { OperationKind, OperationOfKind } from '../operation/operation.ts';
import { innerType, type JsonSchema, wireTypeOf } from '../wire/types.ts';
import { variantsOf } from '../wire/variants.ts';

/** An operation with a path. */
export type PathOperation = OperationOfKind<Exclude<OperationKind, 'operator'>>;

/** Called with each member of an object, and the words of its enumeration if it is one. */
type Visit = (name: string, values: readonly string[]) => void;

/** Visits the names of a schema, at any depth, each with the values that it can have. */
function visitNames(schema: z.ZodType, visit: Visit): void {
  const inner = innerType(schema);
  const variants = variantsOf(schema);
  const type = wireTypeOf(schema);
  if (inner) visitNames(inner, visit);
  else if (schema instanceof z.ZodObject) visitFields(fieldsOf(schema), visit);
  else if (variants) visitFields(fieldsOfAny(variants.schemas), visit);
  else if (schema instanceof z.ZodArray && schema.element instanceof z.ZodType) visitNames(schema.element, visit);
  else if (type?.kind === 'members' || type?.kind === 'items') visitJson(type.json, visit);
}

function visitFields(fields: Iterable<readonly [string, z.ZodType]>, visit: Visit): void {
  for (const [name, schema] of fields) {
    visit(name, wireTypeOf(schema)?.values ?? []);
    visitNames(schema, visit);
  }
}

/** The same for a value that is described by its JSON Schema. */
function visitJson(schema: unknown, visit: Visit): void {
  if (Array.isArray(schema)) for (const each of schema) visitJson(each, visit);
  if (!isSchema(schema)) return;
  const { properties, items, anyOf, oneOf, additionalProperties } = schema;
  for (const each of [items, anyOf, oneOf, additionalProperties]) visitJson(each, visit);
  if (!isSchema(properties)) return;
  for (const [name, member] of Object.entries(properties)) {
    const values: unknown = isSchema(member) ? member['enum'] : undefined;
    visit(name, Array.isArray(values) ? values.filter((value) => typeof value === 'string') : []);
    visitJson(member, visit);
  }
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The schemas of the parameters of an operation: its own, and those of the items of its batch. */
export function paramSchemas(operation: PathOperation): readonly z.ZodObject[] {
  const { params, batch } = 'batch' in operation ? operation : { params: operation.params, batch: undefined };
  return [params, batch?.Create, batch?.Update, batch?.Delete].filter((schema) => schema !== undefined);
}

/** Visits the names of the parameters and of the results of an operation, and those of the parts of an upload. */
export function visitOperation(operation: PathOperation, visit: Visit): void {
  for (const schema of paramSchemas(operation)) visitNames(schema, visit);
  if ('data' in operation) visitNames(operation.data, visit);
  if ('includes' in operation) visitNames(operation.includes, visit);
  if (operation.kind !== 'upload') return;
  const { bytes, http } = operation;
  for (const part of [bytes?.part, bytes?.base64]) if (part !== undefined) visit(part, []);
  if (http.command !== undefined) visit('command', [http.command]);
}

/** The paths of an operation. */
export function templatesOf({ http }: PathOperation): readonly string[] {
  return [http.path, ...(http.aliases ?? [])];
}
