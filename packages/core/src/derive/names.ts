/** Names for people and programs, derived from the dotted ids of operations. */
import * as z from 'zod';
import { fieldsOf } from '../operation/fields.ts';
import type { AnyOperation, CallableKind, PageOperation } from '../operation/operation.ts';
import { innerType } from '../wire/types.ts';

function words(id: string): string[] {
  return id.split(/[._]/);
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Converts `line_items.create` to `LineItemsCreate`. */
export function pascalCase(id: string): string {
  return words(id).map(capital).join('');
}

/** Resources whose names are not words. */
const TITLES: Readonly<Record<string, string>> = {
  oauth: 'OAuth 1.0a',
  oauth2: 'OAuth 2.0',
  media: 'Media upload',
  media_v1: 'Media upload 1.1',
};

/** Converts `line_items` to `Line items`. */
export function titleOf(resource: string): string {
  return TITLES[resource] ?? capital(words(resource).join(' '));
}

/** Returns the resource of an operation: `line_items` for `line_items.create`. */
export function resourceOf({ id }: AnyOperation | PageOperation): string {
  return id.slice(0, Math.max(0, id.lastIndexOf('.'))) || id;
}

function singular(word: string): string {
  return word.replace(/ies$/, 'y').replace(/(?<!s)s$/, '');
}

/** By kind: whether operations return entities, which have names, or results of their own. */
const givesEntities: Readonly<Record<CallableKind, boolean>> = {
  ads: true,
  operator: true,
  control: true,
  auth: false,
  data: true,
  upload: false,
};

/**
 * Assigns a name to each entity that operations return: the resource in the singular, `LineItem`. Where a resource has
 * several, later ones are named after their operation. Results of authentication endpoints and uploads are not entities
 * and are always named so. An entity included in a lookup is named after its list. Schemas of single values have no
 * names.
 */
export function namesOf(operations: readonly AnyOperation[]): ReadonlyMap<z.ZodType, string> {
  const names = new Map<z.ZodType, string>();
  const taken = new Set<string>();
  for (const operation of operations) {
    const { id, data } = operation;
    if (!(data instanceof z.ZodObject) || names.has(data)) continue;
    const plain = pascalCase(words(resourceOf(operation)).map(singular).join('_'));
    const name = taken.has(plain) || !givesEntities[operation.kind] ? `${pascalCase(id)}Result` : plain;
    taken.add(name);
    names.set(data, name);
    for (const [key, entity] of includedEntities(operation)) {
      if (!names.has(entity)) names.set(entity, pascalCase(singular(key)));
    }
  }
  return names;
}

/** Returns the entities that a lookup can include, by the name of their list. */
export function includedEntities(operation: AnyOperation): (readonly [key: string, entity: z.ZodType])[] {
  if (operation.kind !== 'data') return [];
  return fieldsOf(operation.includes).flatMap(([key, field]) => {
    const element = elementOf(field);
    return element ? [[key, element] as const] : [];
  });
}

/** Returns the schema of an array's elements. */
export function elementOf(schema: z.ZodType): z.ZodType | undefined {
  const inner = innerType(schema);
  if (inner) return elementOf(inner);
  const element: unknown = schema instanceof z.ZodArray ? schema.def.element : undefined;
  return element instanceof z.ZodType ? element : undefined;
}
