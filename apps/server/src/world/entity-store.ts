/** Reads and writes of one kind of entity, within one account or the catalogue. */
import { ApiError, checkQuota, type ListQuery, type Page, type Quotas, type Reject } from '@broadside/core';
import { getTableName } from 'drizzle-orm';
import { type Awaitable, chain } from '../awaitable.ts';
import { type Actor, isUnchanged, type KindName, recordChange } from '../db/change-log.ts';
import type { Reader, Writer } from '../db/database.ts';
import { type Changes, type DescribedTypes, type Entity, missingIssue } from '../db/entity.ts';
import type { EveryParams } from '../db/entity-queries.ts';
import type { EntityRegistry } from '../db/entity-registry.ts';
import { heldCount } from '../db/held-count.ts';
import type { KeptScope } from '../db/kept-rows.ts';
import { pageOf } from '../db/page.ts';
import type { EntityIds } from './ids.ts';

/** Fails where a parameter has no filter that the entity declares: a list would pass over it in silence. */
export type DeclaredParams<Params, Types extends DescribedTypes> = {
  readonly [Name in Exclude<keyof Params, keyof ListQuery | keyof Types['params'] | 'account_id'>]: never;
};

/** Reads of one kind of entity. */
export class EntityReader<Types extends DescribedTypes> {
  protected readonly entity: Entity<KindName, Types>;
  readonly #reader: Reader;
  readonly #scope: string;
  /** The rows that are kept of the scope, where some are. */
  #kept: KeptScope<Types['row']> | undefined;

  constructor(entity: Entity<KindName, Types>, reader: Reader, scope: string) {
    this.entity = entity;
    this.#reader = reader;
    this.#scope = scope;
  }

  /** Returns whether something reads this kind of entity. */
  static isOf<Types extends DescribedTypes>(
    reader: unknown,
    entity: Entity<KindName, Types>,
  ): reader is EntityReader<Types> {
    return reader instanceof EntityReader && reader.entity === entity;
  }

  /** The entity with an id, deleted or not; `undefined` when there is none. */
  get(id: string): Awaitable<Types['row'] | undefined> {
    const read = () => this.entity.queries.get(this.#reader, this.#scope, id);
    const kept = this.#keptRows();
    return kept ? kept.row(id, read) : read();
  }

  /**
   * The entity with an id. One that is deleted, or hangs on something that is, is found among deleted records only
   * (specification C, States).
   * @param reject rejects with the error that the entity declares for a missing one
   */
  find(reject: Reject<Types['missing']>, id: string, with_deleted = false): Awaitable<Types['row']> {
    return chain(this.get(id), (row) => {
      if (row && (with_deleted || !(row.deleted || row.parent_deleted))) return row;
      throw reject.error(missingIssue(this.entity, id));
    });
  }

  /** The entity with a key that is not deleted. */
  existing(key: Types['key']): Awaitable<Types['row'] | undefined> {
    return this.entity.queries.existing(this.#reader, this.#scope, key);
  }

  /**
   * A page of the entities that the parameters ask for.
   * @throws ApiError INVALID_PARAMETER when the cursor is of another list
   */
  list<Params extends ListQuery & Types['params']>(
    params: Params & DeclaredParams<Params, Types>,
  ): Awaitable<Page<Types['row']>> {
    const read = () => this.entity.queries.page(this.#reader, this.#scope, params);
    const kept = this.#keptRows();
    const byIds = () => this.entity.queries.byIds(this.#reader, this.#scope, params);
    const found = kept ? kept.page(params, read, byIds) : read();
    return chain(found, (page) => pageOf(page, params.cursor));
  }

  /** All entities that the parameters ask for, in the order of their creation. */
  every(params: EveryParams<Types>): Awaitable<Types['row'][]> {
    return this.entity.queries.every(this.#reader, this.#scope, params);
  }

  #keptRows(): KeptScope<Types['row']> | undefined {
    if (this.#kept?.isKept) return this.#kept;
    const { kept } = this.#reader;
    this.#kept = kept && this.entity.queries.keptIn(kept, this.#scope);
    return this.#kept;
  }
}

/** A transaction, and what is recorded of its writes. */
export interface WriteContext {
  readonly writer: Writer;
  readonly entities: EntityRegistry;
  readonly ids: EntityIds;
  readonly actor: Actor;
  /** The world's time of the change, as a timestamp. */
  readonly at: string;
  /** The account; null for the catalogue, which belongs to none. */
  readonly account_id: string | null;
  readonly quotas: Quotas;
}

/** Reads and writes of one kind of entity inside a transaction. Each write records itself in the change log. */
export class EntityWriter<Types extends DescribedTypes> extends EntityReader<Types> {
  readonly #context: WriteContext;

  constructor(entity: Entity<KindName, Types>, context: WriteContext) {
    super(entity, context.writer, context.account_id ?? '');
    this.#context = context;
  }

  override get(id: string): Awaitable<Types['row'] | undefined> {
    const { writer, account_id } = this.#context;
    return this.entity.queries.getIn(writer, account_id ?? '', id);
  }

  /**
   * Stores a new entity.
   * @param given its id, where that is not the next one of the store
   * @throws ApiError QUOTA_EXCEEDED when the account has as many as it may have
   */
  insert(fields: Types['fields'], given?: string): Awaitable<Types['row']> {
    const { writer, ids, at, account_id } = this.#context;
    return chain(
      chain(this.#verifyQuota(), () => ids.next()),
      ({ id, seq }) => {
        const row = this.entity.complete({
          ...fields,
          ...(account_id === null ? {} : { account_id }),
          id: given ?? id,
          seq,
          created_at: at,
          updated_at: at,
        });
        return chain(this.entity.queries.insert(writer, row, given !== undefined), () =>
          this.#recorded(undefined, row),
        );
      },
    );
  }

  /**
   * Changes a stored entity; `updated_at` advances. Our choice: where all fields are what they were, nothing is written, so that
   * a client can send back what it loaded.
   */
  update(before: Types['row'], fields: Changes<Types>): Awaitable<Types['row']> {
    return this.#replace(before, fields);
  }

  /**
   * Deletes a stored entity, and hides its descendants.
   * @param fields what else changes with that
   */
  delete(before: Types['row'], fields: Changes<Types> = {}): Awaitable<Types['row']> {
    return chain(this.#hideBelow(before), () => this.#replace(before, { ...fields, deleted: true }));
  }

  /** Deletes the entity with an id. @param reject rejects with the error for a missing one */
  remove(reject: Reject<Types['missing']>, id: string): Awaitable<Types['row']> {
    return chain(this.find(reject, id), (row) => this.delete(row));
  }

  /**
   * Deletes a stored entity for good: no read finds it any more, with deleted records or without. The change log keeps the
   * record of it, and its descendants are hidden.
   * @param fields what else changes with that
   * @returns the entity as it was, deleted
   */
  async purge(before: Types['row'], fields: Changes<Types> = {}): Promise<Types['row']> {
    const { writer, at } = this.#context;
    await this.#hideBelow(before);
    await this.entity.queries.remove(writer, before);
    return this.#recorded(before, this.entity.complete({ ...before, ...fields, deleted: true, updated_at: at }));
  }

  /** Restores a deleted entity as a new one, under the same id. @throws ApiError QUOTA_EXCEEDED as `insert` does */
  async restore(before: Types['row'], fields: Changes<Types>): Promise<Types['row']> {
    const { ids, at } = this.#context;
    await this.#verifyQuota();
    const { seq } = await ids.next();
    return this.#replace(before, { ...fields, seq, created_at: at, deleted: false });
  }

  /** Sets derived columns. They are not part of the entity, so this is not a change of it. */
  async derive(id: string, fields: Partial<Types['derived']>): Promise<void> {
    const { writer, account_id } = this.#context;
    await this.entity.queries.set(writer, account_id ?? '', id, { ...fields });
  }

  #verifyQuota(): Awaitable<void> {
    const { quota, table } = this.entity;
    const { writer, account_id, quotas } = this.#context;
    if (quota === undefined || account_id === null) return undefined;
    return chain(heldCount(writer, account_id, getTableName(table)), (held) => {
      const [issue] = checkQuota(quota, held, quotas[quota]);
      if (issue) throw new ApiError(issue);
    });
  }

  #replace(before: Types['row'], fields: object): Awaitable<Types['row']> {
    if (isUnchanged(before, fields)) return before;
    const { writer, at } = this.#context;
    const row = this.entity.complete({ ...before, ...fields, updated_at: at });
    return chain(this.entity.queries.update(writer, row, before), () => this.#recorded(before, row));
  }

  #hideBelow({ id }: Types['row']): Awaitable<void> {
    const { writer, entities, account_id } = this.#context;
    return account_id === null ? undefined : entities.hideBelow(writer, account_id, this.entity, id);
  }

  /** Records a change, and gives the row after it. */
  #recorded(before: Types['row'] | undefined, after: Types['row']): Awaitable<Types['row']> {
    const { writer, actor, at, account_id } = this.#context;
    const { name, queries } = this.entity;
    const recording = recordChange(writer, actor, at, {
      account_id,
      entity: name,
      entity_id: after.id,
      before: before && queries.recorded(before),
      after: queries.recorded(after),
    });
    return chain(recording, () => after);
  }
}
