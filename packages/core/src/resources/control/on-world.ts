/**
 * Operations on the world that `world_id` in their path identifies. Each states its id, its path, its texts and its own parameters;
 * the world is added here.
 */
import type * as z from 'zod';
import type { ErrorName } from '../../errors/error-name.ts';
import { defineHostOperation } from '../../operation/define.ts';
import type { ControlAccess, ControlOperation, Envelope, HttpMethod, HttpRoute } from '../../operation/operation.ts';
import { object } from '../../wire/object.ts';
import { DEFAULT_WORLD, world_id } from './entity.ts';

/** Parameters by name. */
export type Shape = Readonly<Record<string, z.ZodType>>;
type NoShape = Readonly<Record<never, never>>;

/** The world that examples about worlds as a whole are about. */
export const EXAMPLE_WORLD_ID = 'w4k2m9xq';

type Path = `/worlds/:world_id${string}`;

/** Facts of an operation on a world beside its id, its path and `world_id`. */
export type WorldFacts<
  Own extends Shape = Shape,
  Data extends z.ZodType = z.ZodType,
  Wrap extends Envelope = Envelope,
  Declared extends ErrorName = ErrorName,
> = Omit<
  ControlOperation<string, z.ZodObject, Data, Wrap, ControlAccess, HttpRoute, Declared>,
  'kind' | 'id' | 'http' | 'access' | 'rateLimit' | 'params' | 'errors' | 'example'
> & {
  /** Its parameters beside `world_id`. Defaults to none. */
  readonly params?: () => Own;
  /** Errors that access and parameters do not imply. Defaults to none. */
  readonly errors?: readonly Declared[];
  /** A call for the world of all examples, and an element of its response. */
  readonly example: { readonly params?: z.input<z.ZodObject<Own>>; readonly data: z.input<Data> };
};

type OnWorld<
  Id extends string,
  Own extends Shape,
  Data extends z.ZodType,
  Wrap extends Envelope,
  Who extends ControlAccess,
  Method extends HttpMethod,
  At extends Path,
  Declared extends ErrorName,
> = ControlOperation<
  Id,
  z.ZodObject<{ world_id: typeof world_id } & Own>,
  Data,
  Wrap,
  Who,
  HttpRoute<Method, At>,
  Declared
>;

/** Declares an operation on a world as a whole, which need not be open. Its example is about a world that somebody made. */
export function onWorld<
  const Id extends string,
  const Method extends HttpMethod,
  const At extends Path,
  Data extends z.ZodType,
  const Wrap extends Envelope,
  Own extends Shape = NoShape,
  const Declared extends ErrorName = never,
>(
  id: Id,
  method: Method,
  path: At,
  facts: WorldFacts<Own, Data, Wrap, Declared>,
): OnWorld<Id, Own, Data, Wrap, { readonly auth: 'operator' }, Method, At, Declared>;
export function onWorld(id: string, method: HttpMethod, path: Path, facts: WorldFacts): ControlOperation {
  return defineHostOperation({ ...withWorld(EXAMPLE_WORLD_ID, facts), id, http: { method, path } });
}

/** Declares an operation in a world, which is opened for it. Its example is about the default world, so that it can be sent as it is. */
export function inWorld<
  const Id extends string,
  const Method extends HttpMethod,
  const At extends `/worlds/:world_id/${string}`,
  Data extends z.ZodType,
  const Wrap extends Envelope,
  Own extends Shape = NoShape,
  const Declared extends ErrorName = never,
>(
  id: Id,
  method: Method,
  path: At,
  facts: WorldFacts<Own, Data, Wrap, Declared>,
): OnWorld<Id, Own, Data, Wrap, { readonly auth: 'operator'; readonly world: 'open' }, Method, At, Declared>;
export function inWorld(
  id: string,
  method: HttpMethod,
  path: `/worlds/:world_id/${string}`,
  facts: WorldFacts,
): ControlOperation {
  const access = { auth: 'operator', world: 'open' } as const;
  return { ...withWorld(DEFAULT_WORLD, facts), kind: 'control', id, http: { method, path }, access, rateLimit: null };
}

function withWorld(id: string, { params, errors = [], example, ...facts }: WorldFacts) {
  return {
    ...facts,
    params: object(() => ({ world_id, ...params?.() })),
    errors,
    example: { params: { world_id: id, ...example.params }, data: example.data },
  };
}
