import { type HistoryEntity, stringifyJson } from '@broadside/core';
import type { Writer } from './database.ts';

/** Who makes a change. */
export interface Actor {
  /** Null when the operator or the server itself makes it. */
  readonly user_id: string | null;
  /** The kind of client (reference, conventions section 12). */
  readonly platform: 'API_OTHER' | 'OPERATOR' | 'SERVER' | 'WEB';
}

/** The kinds of entity whose changes are recorded: those of account history, and what audit alone reads. */
export type ChangedEntity =
  | HistoryEntity
  | 'ACCESS_TOKEN'
  | 'ACCOUNT'
  | 'ACCOUNT_ACCESS'
  | 'ACCOUNT_APP'
  | 'ACCOUNT_FEATURES'
  | 'ACCOUNT_MEDIA'
  | 'APP'
  | 'BEARER_TOKEN'
  | 'CURATED_CATEGORY'
  | 'FUNDING_INSTRUMENT'
  | 'LINE_ITEM_CURATED_CATEGORY'
  | 'MEDIA_CREATIVE'
  | 'POST'
  | 'PROMOTABLE_USER'
  | 'PUBLISHER'
  | 'SEED'
  | 'USER';

/** One change of one entity. */
export interface Change {
  readonly account_id: string | null;
  readonly entity: ChangedEntity;
  readonly entity_id: string;
  readonly before: Readonly<Record<string, unknown>> | undefined;
  readonly after: Readonly<Record<string, unknown>>;
}

const INSERT = `INSERT INTO "change_log" ("account_id", "entity", "entity_id", "change_type", "change_time",
  "change_by_user_id", "change_by_platform", "changes", "entity_data") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/**
 * Records a change in the transaction that makes it (account history and audit read the record).
 * @param at the world's time, as a timestamp
 */
export async function recordChange(writer: Writer, actor: Actor, at: string, change: Change): Promise<void> {
  const { account_id, entity, entity_id, before, after } = change;
  const type = !before ? 'CREATE' : after.deleted === true && before.deleted === false ? 'DELETE' : 'UPDATE';
  await writer.run(INSERT, [
    account_id,
    entity,
    entity_id,
    type,
    at,
    actor.user_id,
    actor.platform,
    stringifyJson(before ? differences(before, after) : {}),
    stringifyJson(after),
  ]);
}

function differences(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>) {
  const changes: Record<string, { before: unknown; after: unknown }> = {};
  for (const [name, value] of Object.entries(after)) {
    if (name !== 'updated_at' && !equal(before[name], value)) changes[name] = { before: before[name], after: value };
  }
  return changes;
}

function equal(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && stringifyJson(a) === stringifyJson(b));
}
