/**
 * Reduces the results of operations to the members in the contract, as values. The adapter does the same while it writes text; tests
 * hold that text to what the transformer of tRPC makes of these values.
 */
import {
  type AnyOperation,
  innerType,
  isLookupResult,
  JsonText,
  parseJson,
  type Variants,
  variantsOf,
  wireProblem,
} from '@broadside/core';
import * as z from 'zod';

/** Copies the members of a value that its schema names. */
type Projector = (value: unknown) => unknown;

const compiled = new WeakMap<z.ZodType, Projector>();

/** Returns the projector of a schema, compiled once. */
function projectorOf(schema: z.ZodType): Projector {
  const known = compiled.get(schema);
  if (known) return known;
  const made = compile(schema);
  compiled.set(schema, made);
  return made;
}

function compile(schema: z.ZodType): Projector {
  const inner = innerType(schema);
  if (inner) return projectorOf(inner);
  if (schema instanceof z.ZodObject) return compileObject(schema);
  const variants = variantsOf(schema);
  if (variants) return compileVariants(variants);
  const element: unknown = schema instanceof z.ZodArray ? schema.def.element : undefined;
  return element instanceof z.ZodType ? compileArray(projectorOf(element)) : same;
}

/** Wire types are scalars and lists of scalars: there is nothing to project. */
function same(value: unknown): unknown {
  return value;
}

/** Parses a value that is stored as JSON text. */
function plain(value: unknown): unknown {
  return value instanceof JsonText ? parseJson(value.text) : value;
}

function compileArray(project: Projector): Projector {
  return (stored) => {
    const value = plain(stored);
    return Array.isArray(value) && project !== same ? value.map(project) : value;
  };
}

function compileObject(schema: z.ZodObject): Projector {
  const members = Object.entries(schema.shape).flatMap(([name, member]) =>
    member instanceof z.ZodType ? [{ name, project: projectorOf(member) }] : [],
  );
  return (stored) => {
    const value = plain(stored);
    if (!isRecord(value)) return value;
    const cut: Record<string, unknown> = {};
    for (const { name, project } of members) {
      const member = value[name];
      if (member !== undefined) cut[name] = project === same ? member : project(member);
    }
    return cut;
  };
}

/** Every kind is projected by its own schema. @throws TypeError (the projector) for an object of none: a bug in the handler */
function compileVariants({ discriminator, of }: Variants): Projector {
  return (stored) => {
    const value = plain(stored);
    const schema = isRecord(value) ? of(value) : undefined;
    if (schema) return projectorOf(schema)(value);
    throw new TypeError(`a value has no ${discriminator} of its schema`);
  };
}

/**
 * Returns the projector for the result of an operation: an entity, a page of them or an array.
 *
 * @throws TypeError (the projector) when a list returned no page, or values or a batch no array: a bug in the handler
 */
export function outcomeProjectorOf(operation: AnyOperation): Projector {
  const one = projectorOf(operation.data);
  const many = (values: unknown): unknown[] => {
    if (!Array.isArray(values)) throw new TypeError(`${operation.id} returned no array`);
    return values.map(one);
  };
  switch (operation.envelope) {
    case 'entity':
    case 'message':
    case 'form':
    case 'object':
    case 'bare':
    case 'data':
    case 'nothing':
      return one;
    case 'lookup':
      return lookupProjector(one, projectorOf(operation.includes));
    case 'values':
    case 'batch':
      return many;
    case 'list':
      return (page) => {
        if (!isRecord(page)) throw new TypeError(`${operation.id} returned no page`);
        const { data, next_cursor, total_count } = page;
        return { data: many(data), next_cursor, ...(total_count === undefined ? {} : { total_count }) };
      };
  }
}

function lookupProjector(one: Projector, includes: Projector): Projector {
  return (result) => {
    if (!isLookupResult(result)) throw new TypeError('a lookup returns data, includes and problems');
    const { data, problems, baseUrl } = result;
    const along = includes(result.includes);
    const lookup: Record<string, unknown> = {};
    if (data.length > 0) lookup['data'] = data.map(one);
    if (isRecord(along) && Object.keys(along).length > 0) lookup['includes'] = along;
    if (problems.length > 0) lookup['errors'] = problems.map((problem) => wireProblem(problem, baseUrl));
    return lookup;
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
