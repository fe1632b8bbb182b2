/** `list` and `get` of a kind of entity of an account, without a promise where the store is embedded. */
import type { ListQuery, Page } from '@broadside/core';
import { type Awaitable, chain } from '../awaitable.ts';
import type { KindName } from '../db/change-log.ts';
import type { Entity } from '../db/entity.ts';
import type { AccountTypes } from '../world/account-store.ts';
import type { DeclaredParams } from '../world/entity-store.ts';
import { beginsWith } from './ahead.ts';
import { type Refers, refersTo } from './ahead-of-writes.ts';
import type { AccountContext, Rejecting } from './context.ts';

/** Returns rows as responses show them, in their order. */
type Show<Row, Shown> = (context: AccountContext, rows: readonly Row[]) => Awaitable<readonly Shown[]>;

/** Returns a single row as responses show it, where that takes less than to show one of several. */
type ShowOne<Row, Shown> = (context: AccountContext, row: Row) => Awaitable<Shown>;

/** The parameters of `get`. `Id` is the name of the id. */
type GetParams<Id extends string> = Readonly<Record<Id, string>> & { readonly with_deleted?: boolean | undefined };

/** Handlers of the reads of a family. */
export interface ReadHandlers<Types extends AccountTypes, Id extends string, Shown> {
  /** A page of the entities that the parameters ask for; each parameter has a filter that the entity declares. */
  list<Params extends ListQuery & Types['params']>(
    context: AccountContext,
    params: Params & DeclaredParams<Params, Types>,
  ): Awaitable<Page<Shown>>;
  /** The entity with an id, or the rejection that its kind declares for a missing one. */
  get(context: AccountContext & Rejecting<Types['missing']>, params: GetParams<Id>): Awaitable<Shown>;
}

/**
 * Makes the handlers of reads.
 * @param id the parameter with the id
 * @param show what responses show of rows; by default the rows
 * @param one what they show of one; by default that of `show`
 * @param refers what is read to show them, which is begun together with them
 */
export function readHandlers<Types extends AccountTypes, Id extends string>(
  entity: Entity<KindName, Types>,
  id: Id,
): ReadHandlers<Types, Id, Types['row']>;
export function readHandlers<Types extends AccountTypes, Id extends string, Shown>(
  entity: Entity<KindName, Types>,
  id: Id,
  show: Show<Types['row'], Shown>,
  one?: ShowOne<Types['row'], Shown>,
  refers?: Refers,
): ReadHandlers<Types, Id, Shown>;
export function readHandlers<Types extends AccountTypes, Id extends string>(
  entity: Entity<KindName, Types>,
  id: Id,
  show?: Show<Types['row'], unknown>,
  one: ShowOne<Types['row'], unknown> | undefined = show &&
    ((context, row) => chain(show(context, [row]), only<unknown>)),
  refers?: Refers,
): ReadHandlers<Types, Id, unknown> {
  const handlers: ReadHandlers<Types, Id, unknown> = {
    list: (context, params) => {
      const found = context.account.of(entity).list(params);
      return show
        ? chain(found, (page) => chain(show(context, page.data), (data) => ({ ...page, data: [...data] })))
        : found;
    },
    get: (context, params) => {
      const found = context.account.of(entity).find(context.reject, params[id], params.with_deleted);
      return one ? chain(found, (row) => one(context, row)) : found;
    },
  };
  const { queries, table } = entity;
  if (refers) refersTo(entity, refers);
  beginsWith(handlers.list, {
    begin(reads, account_id, params: ListQuery & Types['params']) {
      reads.begin((reader) => queries.page(reader, account_id, params));
      refers?.entity.queries.beginSome(reads, account_id);
    },
  });
  beginsWith(handlers.get, {
    begin(reads, account_id, params: GetParams<Id>) {
      reads.begin((reader) => queries.get(reader, account_id, params[id]));
      refers?.entity.queries.beginReferred(reads, account_id, { table, column: refers.by }, params[id]);
    },
  });
  return handlers;
}

/** The one entity that is shown of one row. */
export function only<Shown>([shown]: readonly Shown[]): Shown {
  if (shown === undefined) throw new TypeError('as many entities are shown as were read');
  return shown;
}
