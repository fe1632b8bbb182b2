/** The contract's schemas as the client sees them, without loading the schema library itself. */
import type { AnyOperation } from '@broadside/core';

/** The schema of any value. */
export type Schema = AnyOperation['data'];
/** The schema of an object. */
export type ObjectSchema = AnyOperation['params'];

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && 'safeParse' in value;
}

/** Whether a schema is that of an object with members of its own. */
export function isObjectSchema(schema: Schema): schema is ObjectSchema {
  return 'shape' in schema;
}

/** The schema of the elements, where a schema is that of an array; wire lists are none. */
export function elementOf(schema: Schema): Schema | undefined {
  const element: unknown = 'element' in schema ? schema.element : undefined;
  return isSchema(element) ? element : undefined;
}

/** The members of an object's schema. */
export function membersOf(schema: ObjectSchema): (readonly [name: string, schema: Schema])[] {
  const shape: Readonly<Record<string, unknown>> = schema.shape;
  return Object.entries(shape).flatMap(([name, member]) => (isSchema(member) ? [[name, member] as const] : []));
}

/** The schema of one member; `undefined` when there is none of that name. */
export function memberSchema(schema: ObjectSchema, name: string): Schema | undefined {
  const shape: Readonly<Record<string, unknown>> = schema.shape;
  const member = Object.hasOwn(shape, name) ? shape[name] : undefined;
  return isSchema(member) ? member : undefined;
}
