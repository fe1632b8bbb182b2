/** Names for people and programs, made from the dotted ids of operations. */
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

/** `line_items.create` as `LineItemsCreate`. */
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

/** `line_items` as `Line items`. */
export function titleOf(resource: string): string {
  return TITLES[resource] ?? capital(words(resource).join(' '));
}

/** The resource of an operation: `line_items` for `line_items.create`. */
export function resourceOf({ id }: AnyOperation | PageOperation): string {
  return id.slice(0, Math.max(0, id.lastIndexOf('.'))) || id;
}

function singular(word: string): string {
  return word.replace(/ies$/, 'y').replace(/(?<!s)s$/, '');
}

/** Whether operations of a kind give back entities, which have names, or results of their own. */
const givesEntities: Readonly<Record<CallableKind, boolean>> = {
  ads: true,
  operator: true,
  auth: false,
  data: true,
  upload: false,
};

/**
 * A name for each entity that operations give back: the resource in the singular, `LineItem`. Where a resource has several,
 * those that come later are named after their operation. What endpoints of authentication and uploads give back is no
 * entity and always named so. What a lookup includes is named after its list. Schemas of single values have none.
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

/** What a lookup can include, by the list that it stands in. */
export function includedEntities(operation: AnyOperation): (readonly [key: string, entity: z.ZodType])[] {
  if (operation.kind !== 'data') return [];
  return fieldsOf(operation.includes).flatMap(([key, field]) => {
    const element = elementOf(field);
    return element ? [[key, element] as const] : [];
  });
}

/** The schema of the elements of an array. */
export function elementOf(schema: z.ZodType): z.ZodType | undefined {
  const inner = innerType(schema);
  if (inner) return elementOf(inner);
  const element: unknown = schema instanceof z.ZodArray ? schema.def.element : undefined;
  return element instanceof z.ZodType ? element : undefined;
}
