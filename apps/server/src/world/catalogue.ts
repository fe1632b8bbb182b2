/**
 * What an environment knows of publishers and of the curated categories that they make up. Belongs to no account: the
 * operator says it, everybody reads it.
 */
import type { Page } from '@broadside/core';
import { type Actor, type ChangedEntity, recordChange } from '../db/change-log.ts';
import type { Database, Reader, Writer } from '../db/database.ts';
import {
  type CuratedCategoryRow,
  categoriesOfPublisher,
  curatedCategoryQueries,
} from '../resources/curated-categories/store.ts';
import { type PublisherRow, publisherQueries, publishersAmong } from '../resources/publishers/store.ts';
import { EntityIds, newCuratedCategoryId } from './ids.ts';
import type { Random } from './random.ts';

/** What is said of a publisher. */
export type PublisherTerms = Omit<PublisherRow, 'id' | 'seq' | 'created_at' | 'updated_at' | 'deleted'>;

/** What is said of a curated category. */
export type CuratedCategoryTerms = Omit<CuratedCategoryRow, 'id' | 'seq' | 'created_at' | 'updated_at' | 'deleted'>;

interface PageQuery {
  readonly count: number;
  readonly cursor?: string | undefined;
}

// Everything here is in one scope.
const ALL = '';

/** How many curated categories a page holds: their list has no `count`. */
const CATEGORIES_ON_A_PAGE = 200;

/** Reads of the catalogue. */
export class CatalogueReader {
  readonly #reader: Reader;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** A page of publishers, the first to become one first; `undefined` when the cursor is of another list. */
  publishers(query: PageQuery): Promise<Page<PublisherRow> | undefined> {
    const paging = { count: query.count, cursor: query.cursor, sort_by: ['created_at-asc'], with_total_count: false };
    return publisherQueries.page(this.#reader, ALL, paging, { not_deleted: true });
  }

  /** Which of some users are publishers. */
  publishersAmong(user_ids: readonly string[]): Promise<ReadonlySet<string>> {
    return publishersAmong(this.#reader, user_ids);
  }

  /** A page of curated categories with the number of all that match; `undefined` when the cursor is of another list. */
  curatedCategories(query: {
    readonly country_codes?: readonly string[] | undefined;
    readonly cursor?: string | undefined;
  }): Promise<Page<CuratedCategoryRow> | undefined> {
    const paging = { count: CATEGORIES_ON_A_PAGE, cursor: query.cursor, with_total_count: true };
    const filters = { country_codes: query.country_codes, not_deleted: true as const };
    return curatedCategoryQueries.page(this.#reader, ALL, paging, filters);
  }

  /** The curated category with an id; `undefined` when there is none, or none any more. */
  async curatedCategory(id: string): Promise<CuratedCategoryRow | undefined> {
    const row = await curatedCategoryQueries.get(this.#reader, ALL, id);
    return row?.deleted ? undefined : row;
  }
}

interface WriteContext {
  readonly writer: Writer;
  readonly actor: Actor;
  /** The world's time of the change, as a timestamp. */
  readonly at: string;
  readonly random: Random;
}

/** Reads and writes of the catalogue inside a transaction. Each write records itself in the change log. */
export class CatalogueWriter extends CatalogueReader {
  readonly #context: WriteContext;

  constructor(context: WriteContext) {
    super(context.writer);
    this.#context = context;
  }

  /** Makes a user a publisher, or says anew what holds for one. */
  async setPublisher(user_id: string, terms: PublisherTerms): Promise<PublisherRow> {
    const { writer, at } = this.#context;
    const before = await publisherQueries.get(writer, ALL, user_id);
    const since = before && !before.deleted ? before : { seq: await this.#nextSeq(), created_at: at };
    const { seq, created_at } = since;
    const row: PublisherRow = { id: user_id, seq, ...terms, created_at, updated_at: at, deleted: false };
    await writer.run(...(before ? publisherQueries.update(row) : publisherQueries.insert(row)));
    await this.#record('PUBLISHER', user_id, before && publisherQueries.entity(before), publisherQueries.entity(row));
    return row;
  }

  /** Ends that a user is a publisher, in curated categories too. @returns what held; `undefined` when nothing did */
  async removePublisher(user_id: string): Promise<PublisherRow | undefined> {
    const { writer, at } = this.#context;
    const before = await publisherQueries.get(writer, ALL, user_id);
    if (!before || before.deleted) return undefined;
    for (const id of await categoriesOfPublisher(writer, user_id)) {
      const category = await this.curatedCategory(id);
      const publisher_user_ids = category?.publisher_user_ids.filter((other) => other !== user_id);
      if (category && publisher_user_ids) await this.updateCuratedCategory(category, { publisher_user_ids });
    }
    const row: PublisherRow = { ...before, updated_at: at, deleted: true };
    await writer.run(...publisherQueries.update(row));
    await this.#record('PUBLISHER', user_id, publisherQueries.entity(before), publisherQueries.entity(row));
    return row;
  }

  /** Makes a curated category. @param known the id that it has elsewhere already; a new one when left out */
  async createCuratedCategory(terms: CuratedCategoryTerms, known?: string): Promise<CuratedCategoryRow> {
    const { writer, at, random } = this.#context;
    const id = known ?? newCuratedCategoryId(random);
    const row = { id, seq: await this.#nextSeq(), ...terms, created_at: at, updated_at: at, deleted: false };
    await writer.run(...curatedCategoryQueries.insert(row));
    await this.#record('CURATED_CATEGORY', id, undefined, curatedCategoryQueries.entity(row));
    return row;
  }

  async updateCuratedCategory(
    before: CuratedCategoryRow,
    changes: Partial<CuratedCategoryTerms> & { readonly deleted?: true },
  ): Promise<CuratedCategoryRow> {
    const { writer, at } = this.#context;
    const row: CuratedCategoryRow = { ...before, ...changes, updated_at: at };
    await writer.run(...curatedCategoryQueries.update(row));
    const [was, is] = [curatedCategoryQueries.entity(before), curatedCategoryQueries.entity(row)];
    await this.#record('CURATED_CATEGORY', before.id, was, is);
    return row;
  }

  async #nextSeq(): Promise<bigint> {
    return (await new EntityIds(this.#context.writer).next()).seq;
  }

  #record(
    entity: ChangedEntity,
    entity_id: string,
    before: Readonly<Record<string, unknown>> | undefined,
    after: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const { writer, actor, at } = this.#context;
    return recordChange(writer, actor, at, { account_id: null, entity, entity_id, before, after });
  }
}

/** The catalogue of an environment: reads anywhere, writes in a transaction. */
export class Catalogue extends CatalogueReader {
  readonly #database: Database;
  readonly #random: Random;
  readonly #now: () => string;

  constructor(database: Database, random: Random, now: () => string) {
    super(database);
    this.#database = database;
    this.#random = random;
    this.#now = now;
  }

  /** Runs `body` in one transaction: all of its writes are durable when the promise resolves, or none happened. */
  write<Result>(actor: Actor, body: (catalogue: CatalogueWriter) => Promise<Result>): Promise<Result> {
    return this.#database.write((writer) =>
      body(new CatalogueWriter({ writer, actor, at: this.#now(), random: this.#random })),
    );
  }
}
