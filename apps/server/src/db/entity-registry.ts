/** The kinds of entity of a store, and their parents. */
import { and, eq, getTableName, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { type Awaitable, chain } from '../awaitable.ts';
import { type Compiled, compile } from './compile.ts';
import type { Writer } from './database.ts';
import type { Entity } from './entity.ts';

/** A kind of entity that is a descendant of another one. */
interface Below {
  readonly entity: Entity;
  /** The condition for the descendants of one entity, with the placeholders `account_id` and `id`. */
  readonly isBelow: SQL;
}

/** The kinds of entity that a store knows. */
export class EntityRegistry {
  /** All kinds, in the order of their registration. */
  readonly all: readonly Entity[];
  /** The place of each among all. */
  readonly #places: ReadonlyMap<unknown, number>;
  readonly #hiding = new Map<Entity, readonly Compiled[]>();

  /** @throws TypeError when two kinds share a name or a table, or a parent is not among them */
  constructor(entities: readonly Entity[]) {
    this.all = entities;
    this.#places = new Map(entities.map((entity, place) => [entity, place]));
    const taken = new Set<string>();
    for (const { name, table, parent } of entities) {
      for (const one of [`the name ${name}`, `the table ${getTableName(table)}`]) {
        if (taken.has(one)) throw new TypeError(`two kinds of entity have ${one}`);
        taken.add(one);
      }
      if (parent && !this.#places.has(parent.entity)) {
        throw new TypeError(`${name} hangs on ${parent.entity.name}, which is not registered`);
      }
    }
  }

  /** The place of a kind among all; `undefined` for one that the store does not know. */
  placeOf(entity: unknown): number | undefined {
    return this.#places.get(entity);
  }

  /** Returns the descendants of a kind, each after its parent. */
  below(entity: Entity): readonly Below[] {
    return this.#below(entity, (column) => eq(column, sql.placeholder('id')));
  }

  #below(entity: Entity, isOfParent: (column: SQLiteColumn) => SQL): readonly Below[] {
    return this.all.flatMap((child): readonly Below[] => {
      const { table, parent } = child;
      if (parent?.entity !== entity || !table.account_id) return [];
      const isBelow = sql`${eq(table.account_id, sql.placeholder('account_id'))} AND ${isOfParent(parent.column)}`;
      const isOfChild = (column: SQLiteColumn) => sql`${column} IN (SELECT ${table.id} FROM ${table} WHERE ${isBelow})`;
      return [{ entity: child, isBelow }, ...this.#below(child, isOfChild)];
    });
  }

  /** Hides the descendants of an entity; their own state does not change. */
  hideBelow(writer: Writer, account_id: string, entity: Entity, id: string): Awaitable<void> {
    let hidden: Awaitable<unknown>;
    for (const { text, places } of this.#hidingOf(entity)) {
      const args = places.map((place) => (place === 'id' ? id : account_id));
      hidden = chain(hidden, () => writer.change(text, args, { scope: account_id }));
    }
    return chain(hidden, () => {});
  }

  #hidingOf(entity: Entity): readonly Compiled[] {
    const known = this.#hiding.get(entity);
    if (known) return known;
    const made = this.below(entity).map(({ entity: { table }, isBelow }) =>
      compile(sql`UPDATE ${table} SET "parent_deleted" = 1 WHERE ${and(isBelow, eq(table.deleted, false))}`),
    );
    this.#hiding.set(entity, made);
    return made;
  }
}
