/** What an update reads of the entity that it changes, and which members of it may come along. */
import * as z from 'zod';
import { allOperations } from '../families.ts';
import { pathParameters } from '../operation/fields.ts';
import type { AnyOperation, Operation } from '../operation/operation.ts';
import { isComputedMember } from '../operation/restated.ts';

/** The operation that reads the entity which another one changes. */
interface Reading {
  readonly operation: Operation;
  /** The schema of the entity. */
  readonly entity: z.ZodObject;
}

/**
 * Returns the operation that reads what an operation changes; `undefined` for one that changes no entity, or only a part that
 * has a path of its own.
 */
export function readingOf(operation: AnyOperation): Reading | undefined {
  const { data: entity } = operation;
  if (operation.kind !== 'ads' || !(entity instanceof z.ZodObject)) return undefined;
  if (operation.http.method !== 'PUT' && (operation.batch === undefined || operation.batch.users)) return undefined;
  const { http, batch } = operation;
  const given = { ...batch?.Update?.shape, ...batch?.Delete?.shape };
  const reads = (one: Operation) => {
    if (one.http.method !== 'GET' || one.envelope !== 'entity' || one.data !== entity) return false;
    if (!batch) return one.http.path === http.path;
    const names = pathParameters(one).filter((name) => name !== 'account_id');
    return names.length > 0 && names.every((name) => Object.hasOwn(given, name));
  };
  const reading = allOperations.find(reads);
  return reading && { operation: reading, entity };
}

/** The members of an entity that its update does not take, and that clients may send back with it. */
export interface RestatedMembers {
  /** Accepted where they are what the entity has. */
  readonly fixed: readonly string[];
  /** They change by themselves, and are passed over whatever they are. */
  readonly computed: readonly string[];
}

/** Returns the members that may come along with an update; `undefined` where none may. */
export function restatedMembers(operation: AnyOperation): RestatedMembers | undefined {
  const reading = readingOf(operation);
  const taken = operation.batch ? operation.batch.Update?.shape : operation.params.shape;
  if (!reading || !taken) return undefined;
  const { entity } = reading;
  const names = Object.keys(entity.shape).filter((name) => !Object.hasOwn(taken, name));
  const computed = names.filter((name) => isComputedMember(entity, name));
  return { fixed: names.filter((name) => !computed.includes(name)), computed };
}

/** Says in sentences which members may come along with an update, with names in backticks. */
export function restatedSentences({ fixed, computed }: RestatedMembers): readonly string[] {
  const list = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');
  return [
    'The entity can be sent back as it was loaded, with what is to change.',
    ...(fixed.length > 0
      ? [`Unchanged, ${list(fixed)} are accepted; another value is rejected, with the one that holds.`]
      : []),
    ...(computed.length > 0 ? [`Of ${list(computed)} any value is passed over, since they change by themselves.`] : []),
  ];
}
