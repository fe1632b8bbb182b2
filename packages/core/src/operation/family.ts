/**
 * The operations that families of an account's entities have in common. A family states its facts once; each operation
 * adds its id, its path and its texts, which are written in full so that a text search finds them.
 */
import type * as z from 'zod';
import type { ErrorName } from '../errors/error-name.ts';
import { object } from '../wire/object.ts';
import type { Capability } from './access.ts';
import { account_id, type ListParams, listExclusive, listParams, with_deleted } from './list.ts';
import { type AccountOperation, defineAccountRead, defineAccountWrite, type Path } from './on-account.ts';
import type { BatchItems, Exclusive, NamedValues, Operation } from './operation.ts';
import type { RateBucketName } from './rate-limits.ts';

type Shape = Readonly<Record<string, z.ZodType>>;
type NoShape = Readonly<Record<never, never>>;

type Sortable = readonly [string, ...string[]];

/** Facts that the operations of a family share. */
export interface EntityFamily<
  Key extends Shape = Shape,
  Data extends z.ZodObject = z.ZodObject,
  Missing extends ErrorName = ErrorName,
  Sort extends Sortable = Sortable,
> {
  /** The schema of an entity. */
  readonly data: Data;
  /** The parameter that identifies an entity: one member. */
  readonly key: Key;
  /** Error for an id that does not belong to an entity of the account. */
  readonly missing: Missing;
  /** The capability that reading requires. */
  readonly read: Capability;
  /** The capability that all other operations require. */
  readonly write: Capability;
  /** The bucket that counts reads. Defaults to `ads.core_read`. */
  readonly rateLimit?: RateBucketName;
  /** The bucket that counts all other operations. Defaults to `ads.write`. */
  readonly writeRateLimit?: RateBucketName;
  /** Attributes by which lists can be sorted. */
  readonly sortable: Sort;
  /** An entity, for the examples of all operations. */
  readonly example: z.input<Data>;
}

/** Declares a family; the literal types of the argument reach its operations. */
export function defineFamily<
  Key extends Shape,
  Data extends z.ZodObject,
  const Missing extends ErrorName,
  const Sort extends Sortable,
>(family: EntityFamily<Key, Data, Missing, Sort>): EntityFamily<Key, Data, Missing, Sort> {
  return family;
}

/** Facts of every operation of a family beside its id and its path. */
interface Texts<Declared extends ErrorName = ErrorName> {
  readonly summary: string;
  readonly description?: string;
  readonly sandboxOnly?: true;
  /** Parameters outside the path are in a JSON body only. */
  readonly body?: 'json';
  readonly exclusive?: readonly Exclusive[];
  /** Builds `request.params` where it is irregular. */
  readonly echo?: (sent: NamedValues) => NamedValues;
  /** Errors that access and parameters do not imply. Defaults to the family's error for a missing entity where there is an id. */
  readonly errors?: readonly Declared[];
}

type AccountShape = { readonly account_id: typeof account_id };
type DeletedShape = { readonly with_deleted: typeof with_deleted };

/** Returns the path parameter that identifies the example of a family: its id, or the member that stands for one. */
function exampleKey({ key, example }: EntityFamily): Record<string, unknown> {
  return Object.fromEntries(Object.keys(key).map((name) => [name, example['id'] ?? example[name]]));
}

/** Declares the list of an account's entities. `filters` are its parameters beside those of every list. */
export function listOf<
  const Id extends string,
  const At extends Path,
  Data extends z.ZodObject,
  Sort extends Sortable,
  Filters extends Shape = NoShape,
  const Declared extends ErrorName = never,
>(
  family: EntityFamily<Shape, Data, ErrorName, Sort>,
  id: Id,
  path: At,
  facts: Texts<Declared> & {
    readonly filters?: () => Filters;
    /** Parameters of the example. Defaults to none. */
    readonly example?: Partial<z.input<z.ZodObject<Filters & ListParams<Sort>>>>;
  },
): AccountOperation<Id, z.ZodObject<Filters & ListParams<Sort>>, Data, 'list', 'GET', At, Declared>;
export function listOf(
  { read, rateLimit = 'ads.core_read', sortable, data, example }: EntityFamily,
  id: string,
  path: Path,
  { filters, example: params = {}, ...facts }: Texts & { readonly filters?: () => Shape; readonly example?: object },
): Operation {
  return defineAccountRead(id, path, {
    ...facts,
    capability: read,
    rateLimit,
    envelope: 'list',
    params: object(() => ({ ...filters?.(), ...listParams(sortable) })),
    exclusive: listExclusive,
    data,
    example: { params, data: example },
  });
}

/** Declares the read of one entity by its id. `params` are its parameters beside the id and `with_deleted`. */
export function getOf<
  const Id extends string,
  const At extends Path,
  Key extends Shape,
  Data extends z.ZodObject,
  Missing extends ErrorName,
  Own extends Shape = NoShape,
>(
  family: EntityFamily<Key, Data, Missing>,
  id: Id,
  path: At,
  facts: Texts<never> & { readonly params?: Own },
): AccountOperation<Id, z.ZodObject<AccountShape & Key & Own & DeletedShape>, Data, 'entity', 'GET', At, Missing>;
export function getOf(
  family: EntityFamily,
  id: string,
  path: Path,
  { params, ...facts }: Texts & { readonly params?: Shape },
): Operation {
  const { key, missing, read, rateLimit = 'ads.core_read', data, example } = family;
  return defineAccountRead(id, path, {
    ...facts,
    capability: read,
    rateLimit,
    envelope: 'entity',
    params: object(() => ({ account_id, ...key, ...params, with_deleted })),
    data,
    errors: [missing],
    example: { params: exampleKey(family), data: example },
  });
}

/** Declares the creation of one entity. `params` are all its parameters. */
export function createOf<
  const Id extends string,
  const At extends Path,
  Data extends z.ZodObject,
  Params extends z.ZodObject,
  const Declared extends ErrorName = never,
>(
  family: EntityFamily<Shape, Data>,
  id: Id,
  path: At,
  facts: Texts<Declared> & { readonly params: Params; readonly example: Omit<z.input<Params>, 'account_id'> },
): AccountOperation<Id, Params, Data, 'entity', 'POST', At, Declared>;
export function createOf(
  { write, writeRateLimit: rateLimit, data, example }: EntityFamily,
  id: string,
  path: Path,
  {
    example: params,
    ...facts
  }: Texts & { readonly params: z.ZodObject; readonly example: Readonly<Record<string, unknown>> },
): Operation {
  return defineAccountWrite(id, 'POST', path, {
    ...facts,
    capability: write,
    rateLimit,
    envelope: 'entity',
    data,
    example: { params, data: example },
  });
}

/**
 * Declares the update of one entity. `params` are all its parameters; the example contains those that change, and shows
 * them in its response too.
 */
export function updateOf<
  const Id extends string,
  const At extends Path,
  Key extends Shape,
  Data extends z.ZodObject,
  Missing extends ErrorName,
  Params extends z.ZodObject,
  const Declared extends ErrorName = Missing,
>(
  family: EntityFamily<Key, Data, Missing>,
  id: Id,
  path: At,
  facts: Texts<Declared> & {
    readonly params: Params;
    readonly example: Omit<z.input<Params>, keyof Key | 'account_id'> & Partial<z.input<Data>>;
  },
): AccountOperation<Id, Params, Data, 'entity', 'PUT', At, Declared>;
export function updateOf(
  family: EntityFamily,
  id: string,
  path: Path,
  {
    errors,
    example: changes,
    ...facts
  }: Texts & { readonly params: z.ZodObject; readonly example: Readonly<Record<string, unknown>> },
): Operation {
  const { missing, write, writeRateLimit: rateLimit, data, example } = family;
  return defineAccountWrite(id, 'PUT', path, {
    ...facts,
    capability: write,
    rateLimit,
    envelope: 'entity',
    data,
    errors: errors ?? [missing],
    example: { params: { ...exampleKey(family), ...changes }, data: { ...example, ...changes } },
  });
}

/**
 * Declares the deletion of one entity, which `with_deleted` still shows. `deleted` are the other changes in the
 * example.
 */
export function deleteOf<
  const Id extends string,
  const At extends Path,
  Key extends Shape,
  Data extends z.ZodObject,
  Missing extends ErrorName,
  const Declared extends ErrorName = Missing,
>(
  family: EntityFamily<Key, Data, Missing>,
  id: Id,
  path: At,
  facts: Texts<Declared> & { readonly deleted?: Partial<z.input<Data>> },
): AccountOperation<Id, z.ZodObject<AccountShape & Key>, Data, 'entity', 'DELETE', At, Declared>;
export function deleteOf(
  family: EntityFamily,
  id: string,
  path: Path,
  { errors, deleted, ...facts }: Texts & { readonly deleted?: object },
): Operation {
  const { key, missing, write, writeRateLimit: rateLimit, data, example } = family;
  return defineAccountWrite(id, 'DELETE', path, {
    ...facts,
    capability: write,
    rateLimit,
    envelope: 'entity',
    params: object(() => ({ account_id, ...key })),
    data,
    errors: errors ?? [missing],
    example: { params: exampleKey(family), data: { ...example, ...deleted, deleted: true } },
  });
}

/**
 * Declares the deletion of one entity for good, after which no read finds it, `with_deleted` or not. `data` has the members
 * that its response still shows.
 */
export function purgeOf<
  const Id extends string,
  const At extends Path,
  Key extends Shape,
  Gone extends z.ZodObject,
  Missing extends ErrorName,
>(
  family: EntityFamily<Key, z.ZodObject, Missing>,
  id: Id,
  path: At,
  facts: Texts<never> & { readonly data: Gone },
): AccountOperation<Id, z.ZodObject<AccountShape & Key>, Gone, 'entity', 'DELETE', At, Missing>;
export function purgeOf(
  family: EntityFamily,
  id: string,
  path: Path,
  { data, ...facts }: Texts & { readonly data: z.ZodObject },
): Operation {
  const { key, missing, write, writeRateLimit: rateLimit, example } = family;
  return defineAccountWrite(id, 'DELETE', path, {
    ...facts,
    capability: write,
    rateLimit,
    envelope: 'entity',
    params: object(() => ({ account_id, ...key })),
    data,
    errors: [missing],
    example: {
      params: exampleKey(family),
      // When it is read, since it needs the members of the schema.
      get data() {
        const left = Object.keys(data.shape).map((name) => [name, example[name]]);
        return { ...Object.fromEntries(left), deleted: true };
      },
    },
  });
}

/**
 * Declares a batch of creations, updates and deletions, all or none. `operations` is the schema of `batch` for typed
 * callers.
 */
export function batchOf<
  const Id extends string,
  const At extends Path,
  Data extends z.ZodObject,
  Missing extends ErrorName,
  Operations extends z.ZodType,
  const Declared extends ErrorName = Missing,
>(
  family: EntityFamily<Shape, Data, Missing>,
  id: Id,
  path: At,
  facts: Texts<Declared> & {
    readonly batch: BatchItems;
    readonly operations: () => Operations;
    readonly example: z.input<Operations>;
  },
): AccountOperation<
  Id,
  z.ZodObject<AccountShape & { readonly operations: Operations }>,
  Data,
  'batch',
  'POST',
  At,
  Declared
>;
export function batchOf(
  { missing, write, writeRateLimit: rateLimit, data, example }: EntityFamily,
  id: string,
  path: Path,
  {
    operations,
    errors,
    example: items,
    ...facts
  }: Texts & { readonly batch: BatchItems; readonly operations: () => z.ZodType; readonly example: unknown },
): Operation {
  return defineAccountWrite(id, 'POST', path, {
    ...facts,
    capability: write,
    rateLimit,
    envelope: 'batch',
    params: object(() => ({ account_id, operations: operations() })),
    data,
    errors: errors ?? [missing],
    example: { params: { operations: items }, data: example },
  });
}
