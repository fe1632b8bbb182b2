/** The states of the contract: the values that its entities can be in, and those that answers have shown. */
import {
  type AnyOperation,
  allDataOperations,
  allOperations,
  allUploadOperations,
  innerType,
  wireTypeOf,
} from '@broadside/core';
import type { CreateWorldOptions } from '@broadside/testkit';
import * as z from 'zod';

type Seen = Parameters<NonNullable<CreateWorldOptions['onAnswer']>>[0];

/** Members that say in which state something is: those of a few names, whichever entity has them. */
const isState = (name: string) =>
  /(?:^|_)(?:state|status)$|^reasons_not_|^(?:servable|targetable|able_to_fund)$/.test(name);

const operations: readonly AnyOperation[] = [...allOperations, ...allDataOperations, ...allUploadOperations];

function unwrapped(schema: z.ZodType): z.ZodType {
  const inner = innerType(schema);
  return inner ? unwrapped(inner) : schema;
}

/** The values of the states that a schema has, as `member: value`. */
function* statesIn(schema: z.ZodType): Generator<string> {
  const plain = unwrapped(schema);
  if (plain instanceof z.ZodArray) yield* statesIn(z.instanceof(z.ZodType).parse(plain.element));
  if (!(plain instanceof z.ZodObject)) return;
  for (const [name, member] of Object.entries(plain.shape)) {
    const type = wireTypeOf(unwrapped(z.instanceof(z.ZodType).parse(member)));
    const values = type?.kind === 'boolean' ? ['true', 'false'] : (type?.values ?? []);
    if (isState(name)) for (const value of values) yield `${name}: ${value}`;
    yield* statesIn(z.instanceof(z.ZodType).parse(member));
  }
}

const familyOf = ({ id }: AnyOperation) => id.split('.', 1)[0] ?? id;

/** All values of states that answers can show, as `family.member: value`. */
export function statesOfContract(): ReadonlySet<string> {
  const found = new Set<string>();
  for (const operation of operations) {
    const includes = operation.kind === 'data' ? [operation.includes] : [];
    for (const schema of [operation.data, ...includes]) {
      for (const state of statesIn(schema)) found.add(`${familyOf(operation)}.${state}`);
    }
  }
  return found;
}

function operationAt(method: string, path: string): AnyOperation | undefined {
  const parameters = (pattern: string) => pattern.split(':').length;
  return operations
    .flatMap((operation) => (operation.http ? [{ operation, http: operation.http }] : []))
    .filter(({ http }) => http.method === method && new RegExp(`^${http.path.replace(/:\w+/g, '[^/]+')}$`).test(path))
    .sort((one, other) => parameters(one.http.path) - parameters(other.http.path))[0]?.operation;
}

function* shownIn(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const element of value) yield* shownIn(element);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  for (const [name, member] of Object.entries(value)) {
    if (isState(name)) for (const one of [member].flat()) yield `${name}: ${String(one)}`;
    yield* shownIn(member);
  }
}

/** Adds the states that an answer shows. */
export function noteStates(found: Set<string>, { method, path, answer }: Seen): void {
  const operation = answer.status < 300 ? operationAt(method, path) : undefined;
  if (!operation) return;
  for (const state of shownIn(answer.body)) found.add(`${familyOf(operation)}.${state}`);
}
