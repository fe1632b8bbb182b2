/** Names for people and programs, made from the dotted ids of operations. */
import * as z from 'zod';
import { isAuthOperation } from '../contract.ts';
import type { AnyOperation, PageOperation } from '../operation/define.ts';

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
const TITLES: Readonly<Record<string, string>> = { oauth: 'OAuth 1.0a', oauth2: 'OAuth 2.0' };

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

/**
 * A name for each entity that operations give back: the resource in the singular, `LineItem`. Where a resource has several,
 * those that come later are named after their operation. What endpoints of authentication give back is no entity and always
 * named so. Schemas of single values have none.
 */
export function namesOf(operations: readonly AnyOperation[]): ReadonlyMap<z.ZodType, string> {
  const names = new Map<z.ZodType, string>();
  const taken = new Set<string>();
  for (const operation of operations) {
    const { id, data } = operation;
    if (!(data instanceof z.ZodObject) || names.has(data)) continue;
    const plain = pascalCase(words(resourceOf(operation)).map(singular).join('_'));
    const name = taken.has(plain) || isAuthOperation(operation) ? `${pascalCase(id)}Result` : plain;
    taken.add(name);
    names.set(data, name);
  }
  return names;
}
