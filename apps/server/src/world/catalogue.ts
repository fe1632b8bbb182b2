/**
 * Entities of an environment that belong to no account: the operator writes them, everybody reads them. As the store of an
 * account, the catalogue knows no kind of entity.
 */
import type { Quotas } from '@broadside/core';
import type { Awaitable } from '../awaitable.ts';
import type { Actor, KindName } from '../db/change-log.ts';
import type { Database, Reader, Writer } from '../db/database.ts';
import type { DescribedTypes, Entity } from '../db/entity.ts';
import type { EntityRegistry } from '../db/entity-registry.ts';
import { EntityReader, EntityWriter } from './entity-store.ts';
import { EntityIds, type IdReserve } from './ids.ts';
import type { Random } from './random.ts';

/** The types of a kind of entity that belongs to no account. */
interface CatalogueTypes extends DescribedTypes {
  readonly row: DescribedTypes['row'] & { account_id?: never };
}

// All of the catalogue is in one scope.
const ALL = '';

/** Reads of the catalogue. */
export class CatalogueReader {
  readonly #reader: Reader;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** The entities of one kind. */
  of<Types extends CatalogueTypes>(entity: Entity<KindName, Types>): EntityReader<Types> {
    return new EntityReader(entity, this.#reader, ALL);
  }
}

interface WriteContext {
  readonly writer: Writer;
  readonly entities: EntityRegistry;
  readonly actor: Actor;
  /** The world's time of the change, as a timestamp. */
  readonly at: string;
  readonly random: Random;
  readonly quotas: Quotas;
  readonly entityIds: EntityIds;
}

/** Reads and writes of the catalogue inside a transaction. Each write records itself in the change log. */
export class CatalogueWriter extends CatalogueReader {
  /** The world's randomness, for ids that are not to be guessed. */
  readonly random: Random;
  readonly #context: WriteContext;
  readonly #ids: EntityIds;

  constructor(context: WriteContext) {
    super(context.writer);
    this.random = context.random;
    this.#context = context;
    this.#ids = context.entityIds;
  }

  override of<Types extends CatalogueTypes>(entity: Entity<KindName, Types>): EntityWriter<Types> {
    return new EntityWriter(entity, { ...this.#context, ids: this.#ids, account_id: null });
  }
}

interface Services {
  readonly database: Database;
  readonly entities: EntityRegistry;
  readonly random: Random;
  /** The world's time as a timestamp. */
  readonly now: () => string;
  readonly quotas: Quotas;
  /** Ids in reserve, where there are any. */
  readonly reserve: IdReserve | undefined;
}

/** The catalogue of an environment: reads anywhere, writes in a transaction. */
export class Catalogue extends CatalogueReader {
  readonly #services: Services;

  constructor(services: Services) {
    super(services.database);
    this.#services = services;
  }

  /** Runs `body` in one transaction: all of its writes are durable when the promise resolves, or none happened. */
  write<Result>(actor: Actor, body: (catalogue: CatalogueWriter) => Awaitable<Result>): Promise<Result> {
    const { database, entities, random, now, quotas, reserve } = this.#services;
    reserve?.fill();
    return database.write((writer) => {
      const entityIds = new EntityIds(writer, reserve);
      return body(new CatalogueWriter({ writer, entities, actor, at: now(), random, quotas, entityIds }));
    });
  }
}
