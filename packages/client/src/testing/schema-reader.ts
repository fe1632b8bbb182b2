/** Decodes values of responses by the schemas of the whole contract: the reference for decoding by the thin contract. */
import { type AnyOperation, innerType, variantsOf, wireTypeOf } from '@broadside/core';
import { isMembers, type Members, ShapeError } from '../shape.ts';

/** The schema of any value. */
export type Schema = AnyOperation['data'];
type Kind = NonNullable<ReturnType<typeof wireTypeOf>>['kind'];
type ObjectSchema = AnyOperation['params'];

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && 'safeParse' in value;
}

function isObjectSchema(schema: Schema): schema is ObjectSchema {
  return 'shape' in schema;
}

/** Returns the schema inside optional and nullable ones. */
export function unwrapped(schema: Schema): Schema {
  const inner = innerType(schema);
  return inner ? unwrapped(inner) : schema;
}

/** Returns the schema of an array's elements. */
export function elementOf(schema: Schema): Schema | undefined {
  const element: unknown = 'element' in schema ? schema.element : undefined;
  return isSchema(element) ? element : undefined;
}

/** Returns the members of an object; `undefined` for another schema. */
export function membersOf(schema: Schema): (readonly [name: string, schema: Schema])[] | undefined {
  if (!isObjectSchema(schema)) return undefined;
  const shape: Readonly<Record<string, unknown>> = schema.shape;
  return Object.entries(shape).flatMap(([name, member]) => (isSchema(member) ? [[name, member] as const] : []));
}

/** Decodes a value by its schema. @throws ShapeError */
export function readBySchema(schema: Schema, value: unknown, at: string): unknown {
  const bare = unwrapped(schema);
  const fields = membersOf(bare);
  if (fields && isMembers(value)) return readMembers(fields, value, at);
  // Objects of several kinds have no member that is converted: a newer server may send a kind that is not known yet.
  if (variantsOf(bare) && isMembers(value)) return { ...value };
  const element = elementOf(bare);
  if (element && Array.isArray(value)) {
    return value.map((item: unknown, index) => readBySchema(element, item, `${at}[${index}]`));
  }
  const kind = wireTypeOf(schema)?.kind;
  const given = typeof value === 'string' ? readText(kind, value) : value;
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  const tolerated = tolerate(kind, given);
  if (tolerated !== undefined) return tolerated;
  throw new ShapeError(value === undefined ? `"${at}" is missing` : `"${at}" is not what the contract says`);
}

function readMembers(fields: NonNullable<ReturnType<typeof membersOf>>, value: Members, at: string): Members {
  const decoded: Record<string, unknown> = { ...value };
  for (const [name, member] of fields) {
    const result = readBySchema(member, value[name], at === '' ? name : `${at}.${name}`);
    if (result !== undefined) decoded[name] = result;
  }
  return decoded;
}

/** Text is read as a number, whose bounds are then irrelevant. As a list it is read in requests only. */
function readText(kind: Kind | undefined, value: string): unknown {
  if (kind === 'list') return {};
  const isNumber = kind === 'int' || kind === 'long' || kind === 'decimal';
  return isNumber && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}

/** Returns the value, if it has the right type although this version of the contract does not know it. */
function tolerate(kind: Kind | undefined, value: unknown): unknown {
  switch (kind) {
    case 'text':
    case 'enum':
    case 'time':
    case 'instant':
      return typeof value === 'string' ? value : undefined;
    case 'decimal':
      return typeof value === 'number' ? value : undefined;
    case 'int':
      return Number.isSafeInteger(value) ? value : undefined;
    case 'long':
      if (typeof value === 'bigint') return value;
      return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : undefined;
    case 'members':
      return isMembers(value) ? { ...value } : undefined;
    case 'items':
      return Array.isArray(value) ? [...value] : undefined;
    case 'list':
      return Array.isArray(value) && value.every((item) => typeof item === 'string') ? [...new Set(value)] : undefined;
    default:
      return undefined;
  }
}
