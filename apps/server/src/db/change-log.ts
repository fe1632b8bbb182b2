import { stringifyJson } from '@broadside/core';
import { getTableColumns, getTableName } from 'drizzle-orm';
import type { Awaitable } from '../awaitable.ts';
import { type ChangePlatform, changeLog } from './change-log-table.ts';
import type { Arg, Writer } from './database.ts';
import { insertRow } from './insert-row.ts';
import { Insertion } from './insertion.ts';

/** Author of a change. */
export interface Actor {
  /** Null when the operator or the server itself makes it. */
  readonly user_id: string | null;
  /** The kind of client. */
  readonly platform: ChangePlatform;
  /** Takes the changes that are made on behalf of one call, for its journal. */
  readonly logged?: LoggedChange[] | undefined;
}

/** A change as it was recorded. */
export interface LoggedChange {
  readonly account_id: string | null;
  readonly entity: KindName;
  readonly entity_id: string;
  readonly change_type: 'CREATE' | 'UPDATE' | 'DELETE';
  /** JSON: of a new entity all of it, of others the fields that changed, each with `before` and `after`. */
  readonly text: string;
}

/** The name of a kind of entity in the change log. `resources/registry.ts` lists those of families. */
export type KindName = Uppercase<string>;

/** One change of one entity. */
export interface Change {
  readonly account_id: string | null;
  readonly entity: KindName;
  readonly entity_id: string;
  readonly before: Readonly<Record<string, unknown>> | undefined;
  readonly after: Readonly<Record<string, unknown>>;
}

const { seq, ...columns } = getTableColumns(changeLog);
const table = getTableName(changeLog);
const names = Object.keys(columns);
const insertion = new Insertion(table, names, (sql) => sql.includes(table));

/**
 * Records a change in the transaction that makes it (account history and audit read the record).
 * @param at the world's time, as a timestamp
 */
export function recordChange(writer: Writer, actor: Actor, at: string, change: Change): Awaitable<unknown> {
  const { account_id, entity, entity_id, before, after } = change;
  const type = !before ? 'CREATE' : after.deleted === true && before.deleted === false ? 'DELETE' : 'UPDATE';
  const changes = before ? stringifyJson(differences(before, after)) : '{}';
  const entity_data = stringifyJson(after);
  actor.logged?.push({ account_id, entity, entity_id, change_type: type, text: before ? changes : entity_data });
  const row: Readonly<Record<string, Arg>> & { readonly [Name in keyof typeof columns]: Arg } = {
    account_id,
    entity,
    entity_id,
    change_type: type,
    change_time: at,
    change_by_user_id: actor.user_id,
    change_by_platform: actor.platform,
    changes,
    entity_data,
  };
  return insertRow(
    writer,
    insertion,
    names.map((name) => row[name] ?? null),
    account_id === null ? undefined : { scope: account_id, isUnkept: true },
  );
}

function differences(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>) {
  const changes: Record<string, { before: unknown; after: unknown }> = {};
  for (const [name, value] of Object.entries(after)) {
    if (name !== 'updated_at' && !equal(before[name], value)) changes[name] = { before: before[name], after: value };
  }
  return changes;
}

/** Returns whether all fields have the values that they had before. */
export function isUnchanged(before: Readonly<Record<string, unknown>>, fields: object): boolean {
  return Object.entries(fields).every(([name, value]) => equal(before[name], value));
}

function equal(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && stringifyJson(a) === stringifyJson(b));
}
