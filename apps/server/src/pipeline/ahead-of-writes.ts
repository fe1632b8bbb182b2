/**
 * Reads that the draft of a write will ask for, begun while it is found out who calls: the account, the entities that parameters name, and what
 * those hang on and refer to. A draft may read what is a little older than its transaction: what it assumed in vain is not stored.
 */
import { isStorable } from '@broadside/core';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { AheadReads } from '../db/ahead-reads.ts';
import type { Entity } from '../db/entity.ts';
import { advertisingAccount } from '../world/account-directory.ts';

/** Reads of one call at most. */
const MOST_BEGUN = 128;

/** Entities of the same account that a row refers to. */
export interface Refers {
  readonly entity: Entity;
  /** The column of the row that holds the id of one. */
  readonly by: SQLiteColumn;
}

const referring = new WeakMap<Entity, Refers>();

/** Says what is read to show rows of a kind. */
export function refersTo(entity: Entity, refers: Refers): void {
  referring.set(entity, refers);
}

type Values = Readonly<Record<string, unknown>>;

type BeginnerOfWrites = (reads: AheadReads, account_id: string, values: Values) => void;

const beginners = new WeakMap<readonly Entity[], BeginnerOfWrites>();

/** Returns what begins the reads of writes, by the values of their parameters. @param entities the same list each time */
export function beginnerOfWrites(entities: readonly Entity[]): BeginnerOfWrites {
  const known = beginners.get(entities);
  if (known) return known;
  const made = makeBeginner(entities);
  beginners.set(entities, made);
  return made;
}

function makeBeginner(entities: readonly Entity[]): BeginnerOfWrites {
  const named = new Map<string, Entity[]>();
  for (const entity of entities) {
    const { parameter } = entity.missing;
    if (entity.table.account_id && parameter !== undefined) {
      named.set(parameter, [...(named.get(parameter) ?? []), entity]);
    }
  }
  return (reads, account_id, values) => {
    reads.begin((reader) => advertisingAccount.queries.get(reader, '', account_id));
    const begun = new Set<string>();
    for (const given of [values, ...itemsOf(values)]) {
      for (const [parameter, id] of Object.entries(given)) {
        const key = `${parameter} ${String(id)}`;
        if (typeof id !== 'string' || !isStorable(id) || begun.has(key) || begun.size >= MOST_BEGUN) continue;
        for (const entity of named.get(parameter) ?? []) {
          begun.add(key);
          beginOne(reads, account_id, entity, id);
        }
      }
    }
  };
}

/** Begins to read an entity, what it hangs on, and what it refers to. */
function beginOne(reads: AheadReads, account_id: string, entity: Entity, id: string): void {
  const { queries, table, parent } = entity;
  const refers = referring.get(entity);
  reads.begin((reader) => queries.get(reader, account_id, id));
  if (parent) parent.entity.queries.beginReferred(reads, account_id, { table, column: parent.column }, id);
  if (refers) refers.entity.queries.beginReferred(reads, account_id, { table, column: refers.by }, id);
}

/** The parameters of the items of a batch. */
function itemsOf({ operations }: Values): Values[] {
  if (!Array.isArray(operations)) return [];
  return operations.flatMap((item: unknown) => (isRecord(item) && isRecord(item['params']) ? [item['params']] : []));
}

function isRecord(value: unknown): value is Values {
  return typeof value === 'object' && value !== null;
}
