/**
 * Members of an entity that an update restates: clients send back all of an entity that they loaded, with what they changed.
 * What the operation does not take, or would not take, is accepted as long as it is what the entity has.
 */
import * as z from 'zod';
import { isComputed } from '../wire/computed.ts';
import type { Issue } from '../wire/issues.ts';
import { readJson } from '../wire/json-bounds.ts';
import { show } from '../wire/show.ts';

/** A member of the entity that was sent with an update, beside what can be changed. */
export interface Restated {
  readonly name: string;
  /** As an adapter received it. */
  readonly sent: unknown;
  /** The fault of the value unless it is what the entity has; none where the operation does not take it at all. */
  readonly issues: readonly Issue[];
}

/**
 * Returns a name that is no parameter as a member that is restated; `undefined` where the entity has none of that name.
 * Our choice: members that change by themselves are passed over whatever their value is, since a client has an old one as soon
 * as it has saved once.
 */
export function restatedMember(entity: z.ZodObject, name: string, sent: unknown): Restated | 'computed' | undefined {
  const schema = memberOf(entity, name);
  if (!schema) return undefined;
  return isComputed(schema) ? 'computed' : { name, sent, issues: [] };
}

/** Returns whether an entity has a member of this name that changes by itself. */
export function isComputedMember(entity: z.ZodObject, name: string): boolean {
  const schema = memberOf(entity, name);
  return schema !== undefined && isComputed(schema);
}

/** Returns whether an entity has a member of this name. */
export function hasMember(entity: z.ZodObject, name: string): boolean {
  return memberOf(entity, name) !== undefined;
}

function memberOf({ shape }: z.ZodObject, name: string): z.ZodType | undefined {
  const schema: unknown = Object.hasOwn(shape, name) ? shape[name] : undefined;
  return schema instanceof z.ZodType ? schema : undefined;
}

/**
 * Returns the issues of members that are not what the entity has.
 * @param entity the schema of the entity
 * @param shown the entity as its caller reads it
 */
export function changedIssues(
  entity: z.ZodObject,
  restated: readonly Restated[],
  shown: Readonly<Record<string, unknown>>,
): readonly Issue[] {
  return restated.flatMap(({ name, sent, issues }) => {
    const schema = memberOf(entity, name);
    const current = shown[name];
    if (schema && isSame(schema, sent, current)) return [];
    return issues.length > 0 ? issues : [unchangeable(name, sent, current)];
  });
}

function unchangeable(name: string, sent: unknown, current: unknown): Issue {
  const is = current === undefined || current === null ? 'it is not set' : `it is ${show(current)}`;
  return {
    error: 'INVALID_PARAMETER',
    parameter: name,
    value: sent,
    message: `"${name}" cannot be changed; ${is}`,
    details: 'read-only member',
  };
}

/** Returns whether a value, as any adapter receives it, is the one that an entity has. */
function isSame(schema: z.ZodType, sent: unknown, current: unknown): boolean {
  // A query cannot express null, and leaves the values of an empty list out.
  if (isNothing(current)) return isNothing(sent) || sent === '';
  if (Array.isArray(current) && current.length === 0 && sent === '') return true;
  const known = typed(schema, current) ?? current;
  const read = typed(schema, sent);
  if (read !== undefined) return areEqual(read, known);
  // Of an object, a query has the JSON.
  const json = typeof sent === 'string' && /^[[{]/.test(sent) ? readJson(sent) : undefined;
  if (json?.ok) return areEqual(typed(schema, json.value) ?? json.value, known);
  if (typeof known === 'string' && (typeof sent === 'number' || typeof sent === 'bigint')) return `${sent}` === known;
  return areEqual(sent, known);
}

function typed(schema: z.ZodType, value: unknown): unknown {
  const read = schema.safeParse(value);
  return read.success ? (read.data ?? undefined) : undefined;
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}

/** Compares values member by member. One that is null is as one that is absent. */
function areEqual(one: unknown, other: unknown): boolean {
  if (isNothing(one) || isNothing(other)) return isNothing(one) && isNothing(other);
  if (isWhole(one) && isWhole(other)) return BigInt(one) === BigInt(other);
  if (typeof one !== 'object' || typeof other !== 'object') return one === other;
  if (one === null || other === null || Array.isArray(one) !== Array.isArray(other)) return false;
  if (Array.isArray(one) && Array.isArray(other) && one.length !== other.length) return false;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => areEqual(ownOf(one, name), ownOf(other, name)));
}

function ownOf(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}

function isWhole(value: unknown): value is bigint | number {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}
