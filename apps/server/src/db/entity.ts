/**
 * Kinds of entity. Each is described once, in the folder of its family: its name in the change log, its table, what it
 * hangs on and what its lists are asked for. Queries, writes, the change log, hiding and the errors of missing ones
 * follow from the description.
 */
import type { ErrorName, Issue, QuotaName } from '@broadside/core';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { KindName } from './change-log.ts';
import { EntityQueries, type EntityTable, type EntityTypes, type StoredRow } from './entity-queries.ts';
import type { FilterParams, Filters } from './filters.ts';

/** The types of one kind of entity, as it is described. */
export interface DescribedTypes extends EntityTypes {
  /** Values that a new one receives. */
  readonly fields: object;
  /** Columns that follow from other entities, kept in step by the writes of those. */
  readonly derived: object;
  /** The error for one that is missing. */
  readonly missing: ErrorName;
}

/** A parent kind: its children are hidden with it, and with its own parent. */
interface Parent {
  readonly entity: Entity;
  /** The column that holds its id. */
  readonly column: SQLiteColumn;
}

/** The error for an entity that is missing. */
interface Missing<Name extends ErrorName = ErrorName> {
  readonly error: Name;
  /** The parameter that holds its id. */
  readonly parameter: string;
  /** The message for an id; by default that of the error. */
  message?(id: string): string;
}

/** Returns the issue of an id for which there is no entity. */
export function missingIssue<Name extends ErrorName>(
  { missing: { error, parameter, message } }: { readonly missing: Missing<Name> },
  id: string,
): Issue<Name> {
  return { error, parameter, value: id, ...(message ? { message: message(id) } : {}) };
}

/** A row that may still lack what follows from the kind of entity. */
type Completable = Omit<StoredRow, 'deleted' | 'parent_deleted'> &
  Partial<StoredRow> & { readonly [column: string]: unknown };

/** A kind of entity. */
export interface Entity<Name extends KindName = KindName, Types extends DescribedTypes = DescribedTypes> {
  /** The name of the kind in the change log. */
  readonly name: Name;
  readonly table: EntityTable;
  readonly queries: EntityQueries<Types>;
  /** Conditions of its lists, by the parameters that ask for them. */
  readonly filters: Filters;
  readonly parent: Parent | undefined;
  readonly missing: Missing<Types['missing']>;
  /** Limits how many of them an account has; the kind then has no drafts. */
  readonly quota: QuotaName | undefined;
  /** A whole row, from what a new entity is given or from a changed row: with initial and computed values. */
  complete(fields: Completable): Types['row'];
  /** The types; there is no value. */
  readonly types?: Types;
}

/** The row of a kind of entity as stored. */
export type RowOf<E extends Entity> = NonNullable<E['types']>['row'];

type SystemColumn = 'account_id' | 'id' | 'seq' | 'created_at' | 'updated_at' | 'deleted' | 'parent_deleted';

/** Values to which a row can be changed. */
export type Changes<Types extends EntityTypes> = Partial<Omit<Types['row'], SystemColumn>>;

/** The types of a description. An interface, so that declarations print the row once. */
export interface TypesOf<
  Row extends StoredRow,
  F extends Filters,
  Computed extends keyof Row,
  Derived extends keyof Row,
  Key extends keyof Row,
  Failure extends ErrorName,
> extends DescribedTypes {
  readonly row: Row;
  readonly fields: Omit<Row, SystemColumn | Computed | Derived>;
  readonly derived: Pick<Row, Derived>;
  readonly params: FilterParams<F>;
  readonly key: Pick<Row, Key>;
  readonly missing: Failure;
}

interface Description<
  Name extends KindName,
  T extends EntityTable,
  F extends Filters,
  Computed extends keyof T['$inferSelect'],
  Derived extends keyof T['$inferSelect'],
  Internal extends keyof T['$inferSelect'],
  Key extends keyof T['$inferSelect'],
  Failure extends ErrorName,
> {
  /** The name of the kind in the change log. */
  readonly name: Name;
  readonly table: T;
  /** The parent. The table then has `childColumns`. */
  readonly parent?: T extends { readonly parent_deleted: SQLiteColumn } ? Parent : never;
  readonly missing: Missing<Failure>;
  /** Limits how many of them an account has. Operations that create them list QUOTA_EXCEEDED. */
  readonly quota?: QuotaName;
  /** Conditions of its lists, by the parameters that ask for them. */
  readonly filters?: F;
  /** Columns that follow from the entity itself and only serve queries. */
  readonly computed?: { readonly [Column in Computed]: (row: T['$inferSelect']) => T['$inferSelect'][Column] };
  /** Columns that follow from other entities, with the values of a new one. They are no part of the entity. */
  readonly derived?: { readonly [Column in Derived]: T['$inferSelect'][Column] };
  /** Further columns that are no part of the entity. */
  readonly internal?: readonly Internal[];
  /** Columns that identify an entity among all others that are not deleted; a unique index of the table enforces it. */
  readonly key?: readonly Key[];
}

/** Describes a kind of entity. @throws TypeError on a parent without the column that hides, or the other way round */
export function defineEntity<
  const Name extends KindName,
  T extends EntityTable,
  const Failure extends ErrorName,
  const F extends Filters = Record<never, never>,
  Computed extends keyof T['$inferSelect'] & string = never,
  Derived extends keyof T['$inferSelect'] & string = never,
  Internal extends keyof T['$inferSelect'] & string = never,
  Key extends keyof T['$inferSelect'] & string = never,
>(
  description: Description<Name, T, F, Computed, Derived, Internal, Key, Failure>,
): Entity<Name, TypesOf<T['$inferSelect'], F, Computed, Derived, Key, Failure>>;
export function defineEntity(
  description: Description<KindName, EntityTable, Filters, string, string, string, string, ErrorName>,
): Entity {
  const {
    name,
    table,
    parent,
    missing,
    quota,
    filters = {},
    computed = {},
    derived = {},
    internal = [],
    key = [],
  } = description;
  if ((parent === undefined) !== (table.parent_deleted === undefined)) {
    throw new TypeError(`${name} has a parent and no column parent_deleted, or the other way round`);
  }
  const initial = { ...derived, deleted: false, ...(parent ? { parent_deleted: false } : {}) };
  const hidden = [...Object.keys(computed), ...Object.keys(derived), ...internal];
  let queries: EntityQueries<DescribedTypes> | undefined;
  return {
    name,
    table,
    parent,
    missing,
    quota,
    filters,
    // Made with the first one: a start defines all kinds and reads few.
    get queries() {
      queries ??= new EntityQueries({ table, filters, internal: hidden, key });
      return queries;
    },
    complete(fields) {
      const row = { ...initial, ...fields };
      for (const [column, compute] of Object.entries(computed)) Object.assign(row, { [column]: compute(row) });
      return row;
    },
  };
}
