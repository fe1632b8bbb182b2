/**
 * All data of one advertising account. This is the only way to it: the handle fixes `account_id` in every statement, so a
 * handler cannot reach another account, and accounts can be spread over several databases without a handler knowing.
 */
import type { FeatureKey, ListQuery, Page } from '@broadside/core';
import { type Actor, type ChangedEntity, recordChange } from '../db/change-log.ts';
import type { Database, Reader, Writer } from '../db/database.ts';
import type { EntityQueries, EntityTable, Filter, FilterValues } from '../db/entity-table.ts';
import { accountAppOf, accountAppQueries } from '../resources/account-apps/store.ts';
import { changesOf, type HistoryQuery, type LoggedChange } from '../resources/account-history/store.ts';
import { accountMediaOf, accountMediaQueries } from '../resources/account-media/store.ts';
import { refuseDeletedAccount } from '../resources/accounts/deleted.ts';
import { type AccountRow, allAccounts } from '../resources/accounts/store.ts';
import { setContentReview } from '../resources/campaigns/content-review.ts';
import { campaignQueries, countActiveCampaigns, setFlights } from '../resources/campaigns/store.ts';
import { addFeatures, featuresOf, removeFeatures } from '../resources/features/store.ts';
import { fundingInstrumentQueries } from '../resources/funding-instruments/store.ts';
import { curatedCategoryOf, lineItemCuratedCategoryQueries } from '../resources/line-item-curated-categories/store.ts';
import {
  countActiveLineItems,
  type Flights,
  hideLineItems,
  lineItemQueries,
  siblingOf,
  sumUpLineItems,
} from '../resources/line-items/store.ts';
import { mediaCreativeOf, mediaCreativeQueries } from '../resources/media-creatives/store.ts';
import { fullPromotableUser, promotableAmong, promotableUserQueries } from '../resources/promotable-users/store.ts';
import { promotedAccountOf, promotedAccountQueries } from '../resources/promoted-accounts/store.ts';
import { promotedPostOf, promotedPostQueries } from '../resources/promoted-posts/store.ts';
import { criteriaOf, targetingCriterionQueries } from '../resources/targeting-criteria/store.ts';
import { EntityIds } from './ids.ts';

/** The tables of what hangs on a line item: hidden while the line item or its campaign is deleted. */
const childTables = [
  'promoted_posts',
  'promoted_accounts',
  'media_creatives',
  'line_item_curated_categories',
  'targeting_criteria',
] as const;

type Filters = Readonly<Record<string, Filter<never>>>;

/** Reads of one kind of entity in one account. */
class EntityReader<T extends EntityTable, F extends Filters> {
  protected readonly queries: EntityQueries<T, F>;
  protected readonly account_id: string;
  readonly #reader: Reader;

  constructor(queries: EntityQueries<T, F>, reader: Reader, account_id: string) {
    this.queries = queries;
    this.account_id = account_id;
    this.#reader = reader;
  }

  /** The entity with an id, deleted or not; `undefined` when the account has none. */
  get(id: string): Promise<T['$inferSelect'] | undefined> {
    return this.queries.get(this.#reader, this.account_id, id);
  }

  /** A page of entities; `undefined` when the cursor does not belong to this list. */
  page(query: Omit<ListQuery, 'with_deleted'>, given: FilterValues<F>): Promise<Page<T['$inferSelect']> | undefined> {
    return this.queries.page(this.#reader, this.account_id, query, given);
  }
}

interface WriteContext {
  readonly writer: Writer;
  readonly ids: EntityIds;
  readonly actor: Actor;
  /** The world's time of the change, as a timestamp. */
  readonly at: string;
}

/** Reads and writes of one kind of entity in one account, inside a transaction. Each write records itself in the change log. */
class EntityWriter<T extends EntityTable, F extends Filters> extends EntityReader<T, F> {
  readonly #entity: ChangedEntity;
  readonly #context: WriteContext;

  constructor(entity: ChangedEntity, queries: EntityQueries<T, F>, context: WriteContext, account_id: string) {
    super(queries, context.writer, account_id);
    this.#entity = entity;
    this.#context = context;
  }

  /** Stores a new entity under the next id. */
  async insert(fields: Omit<T['$inferSelect'], 'account_id' | 'id' | 'seq' | 'created_at' | 'updated_at'>) {
    const { writer, ids, actor, at } = this.#context;
    const { id, seq } = await ids.next();
    const row: T['$inferSelect'] = { ...fields, account_id: this.account_id, id, seq, created_at: at, updated_at: at };
    await writer.run(...this.queries.insert(row));
    await recordChange(writer, actor, at, {
      account_id: this.account_id,
      entity: this.#entity,
      entity_id: id,
      before: undefined,
      after: this.queries.entity(row),
    });
    return row;
  }

  /** Replaces a stored entity; `updated_at` advances. */
  async update(before: T['$inferSelect'], fields: Partial<T['$inferSelect']>): Promise<T['$inferSelect']> {
    const { writer, actor, at } = this.#context;
    const row: T['$inferSelect'] = { ...before, ...fields, updated_at: at };
    await writer.run(...this.queries.update(row));
    const { id }: Readonly<Record<string, unknown>> = row;
    await recordChange(writer, actor, at, {
      account_id: this.account_id,
      entity: this.#entity,
      entity_id: String(id),
      before: this.queries.entity(before),
      after: this.queries.entity(row),
    });
    return row;
  }
}

/** Reads of one account. */
export class AccountReader {
  protected readonly account_id: string;
  readonly #reader: Reader;

  constructor(reader: Reader, account_id: string) {
    this.#reader = reader;
    this.account_id = account_id;
  }

  /** The account's own record. */
  record(): Promise<AccountRow | undefined> {
    return allAccounts.get(this.#reader, '', this.account_id);
  }

  get campaigns() {
    return new EntityReader(campaignQueries, this.#reader, this.account_id);
  }

  get line_items() {
    return new EntityReader(lineItemQueries, this.#reader, this.account_id);
  }

  get funding_instruments() {
    return new EntityReader(fundingInstrumentQueries, this.#reader, this.account_id);
  }

  get targeting_criteria() {
    return new EntityReader(targetingCriterionQueries, this.#reader, this.account_id);
  }

  get promotable_users() {
    return new EntityReader(promotableUserQueries, this.#reader, this.account_id);
  }

  /** A page of the changes of one entity, the newest first; `undefined` when the cursor is of another list. */
  changes(query: HistoryQuery): Promise<Page<LoggedChange> | undefined> {
    return changesOf(this.#reader, this.account_id, query);
  }

  get promoted_posts() {
    return new EntityReader(promotedPostQueries, this.#reader, this.account_id);
  }

  get promoted_accounts() {
    return new EntityReader(promotedAccountQueries, this.#reader, this.account_id);
  }

  get account_media() {
    return new EntityReader(accountMediaQueries, this.#reader, this.account_id);
  }

  get media_creatives() {
    return new EntityReader(mediaCreativeQueries, this.#reader, this.account_id);
  }

  get account_apps() {
    return new EntityReader(accountAppQueries, this.#reader, this.account_id);
  }

  get line_item_curated_categories() {
    return new EntityReader(lineItemCuratedCategoryQueries, this.#reader, this.account_id);
  }

  features(): Promise<FeatureKey[]> {
    return featuresOf(this.#reader, this.account_id);
  }

  /** The user in whose name advertisements appear unless another is named. */
  fullPromotableUser(): Promise<string | null> {
    return fullPromotableUser(this.#reader, this.account_id);
  }

  /** Which of some users are promotable. */
  promotableAmong(user_ids: readonly string[]) {
    return promotableAmong(this.#reader, this.account_id, user_ids);
  }

  /** What promotes a post on a line item now. */
  promotedPostOf(line_item_id: string, post_id: string) {
    return promotedPostOf(this.#reader, this.account_id, line_item_id, post_id);
  }

  /** What promotes a user on a line item now. */
  promotedAccountOf(line_item_id: string, user_id: string) {
    return promotedAccountOf(this.#reader, this.account_id, line_item_id, user_id);
  }

  /** The id of the account media that stand for media of the platform. */
  accountMediaOf(media_key: string) {
    return accountMediaOf(this.#reader, this.account_id, media_key);
  }

  /** The id of the media creative that shows account media on a line item now. */
  mediaCreativeOf(line_item_id: string, account_media_id: string) {
    return mediaCreativeOf(this.#reader, this.account_id, line_item_id, account_media_id);
  }

  /** The id under which the account has an app of a store. */
  accountAppOf(os_type: string, app_store_identifier: string) {
    return accountAppOf(this.#reader, this.account_id, os_type, app_store_identifier);
  }

  /** The id of what gives a line item its curated category now. */
  curatedCategoryOf(line_item_id: string) {
    return curatedCategoryOf(this.#reader, this.account_id, line_item_id);
  }

  activeCampaigns(now: string): Promise<number> {
    return countActiveCampaigns(this.#reader, this.account_id, now);
  }

  activeLineItems(now: string): Promise<number> {
    return countActiveLineItems(this.#reader, this.account_id, now);
  }

  /** What the line items of a campaign add up to. */
  flights(campaign_id: string): Promise<Flights> {
    return sumUpLineItems(this.#reader, this.account_id, campaign_id);
  }

  /** The targeting criteria of a line item that are not deleted. */
  criteriaOf(line_item_id: string) {
    return criteriaOf(this.#reader, this.account_id, line_item_id);
  }

  /** Another line item of the campaign than the one with an id. */
  sibling(campaign_id: string, id: string) {
    return siblingOf(this.#reader, this.account_id, campaign_id, id);
  }
}

/** Reads and writes of one account inside a transaction. */
export class AccountWriter extends AccountReader {
  readonly #context: WriteContext;
  /** The world's time of the transaction, as a timestamp. */
  readonly now: string;

  constructor(context: WriteContext, account_id: string) {
    super(context.writer, account_id);
    this.#context = context;
    this.now = context.at;
  }

  override get campaigns() {
    return new EntityWriter('CAMPAIGN', campaignQueries, this.#context, this.account_id);
  }

  override get line_items() {
    return new EntityWriter('LINE_ITEM', lineItemQueries, this.#context, this.account_id);
  }

  override get funding_instruments() {
    return new EntityWriter('FUNDING_INSTRUMENT', fundingInstrumentQueries, this.#context, this.account_id);
  }

  override get targeting_criteria() {
    return new EntityWriter('TARGETING_CRITERIA', targetingCriterionQueries, this.#context, this.account_id);
  }

  override get promotable_users() {
    return new EntityWriter('PROMOTABLE_USER', promotableUserQueries, this.#context, this.account_id);
  }

  override get promoted_posts() {
    return new EntityWriter('PROMOTED_POST', promotedPostQueries, this.#context, this.account_id);
  }

  override get promoted_accounts() {
    return new EntityWriter('PROMOTED_ACCOUNT', promotedAccountQueries, this.#context, this.account_id);
  }

  override get account_media() {
    return new EntityWriter('ACCOUNT_MEDIA', accountMediaQueries, this.#context, this.account_id);
  }

  override get media_creatives() {
    return new EntityWriter('MEDIA_CREATIVE', mediaCreativeQueries, this.#context, this.account_id);
  }

  override get account_apps() {
    return new EntityWriter('ACCOUNT_APP', accountAppQueries, this.#context, this.account_id);
  }

  override get line_item_curated_categories() {
    return new EntityWriter(
      'LINE_ITEM_CURATED_CATEGORY',
      lineItemCuratedCategoryQueries,
      this.#context,
      this.account_id,
    );
  }

  /** Changes the account's own record. */
  async updateRecord(before: AccountRow, fields: Partial<AccountRow>): Promise<AccountRow> {
    const { writer, actor, at } = this.#context;
    const row = { ...before, ...fields, updated_at: at };
    await writer.run(...allAccounts.update(row));
    await recordChange(writer, actor, at, {
      account_id: this.account_id,
      entity: 'ACCOUNT',
      entity_id: this.account_id,
      before: allAccounts.entity(before),
      after: allAccounts.entity(row),
    });
    return row;
  }

  addFeatures(keys: readonly FeatureKey[]): Promise<FeatureKey[]> {
    return this.#changeFeatures((writer) => addFeatures(writer, this.account_id, keys));
  }

  removeFeatures(keys: readonly FeatureKey[]): Promise<FeatureKey[]> {
    return this.#changeFeatures((writer) => removeFeatures(writer, this.account_id, keys));
  }

  /** Hides the line items of a campaign that is being deleted, and what hangs on them. */
  async hideLineItems(campaign_id: string): Promise<void> {
    const { writer } = this.#context;
    const of = '"line_item_id" IN (SELECT "id" FROM "line_items" WHERE "account_id" = ? AND "campaign_id" = ?)';
    for (const table of childTables) {
      await writer.run(
        `UPDATE "${table}" SET "parent_deleted" = 1 WHERE "account_id" = ? AND "deleted" = 0 AND ${of}`,
        [this.account_id, this.account_id, campaign_id],
      );
    }
    await hideLineItems(writer, this.account_id, campaign_id);
  }

  /** Hides what hangs on a line item that is being deleted; its own state stays as it is. */
  async hideChildren(line_item_id: string): Promise<void> {
    for (const table of childTables) {
      await this.#context.writer.run(
        `UPDATE "${table}" SET "parent_deleted" = 1 WHERE "account_id" = ? AND "line_item_id" = ? AND "deleted" = 0`,
        [this.account_id, line_item_id],
      );
    }
    await this.reviewContent(line_item_id);
  }

  /** Brings what the campaign of a line item says of its reviews up to date; to be called after each change of a creative. */
  async reviewContent(line_item_id: string): Promise<void> {
    const lineItem = await this.line_items.get(line_item_id);
    if (lineItem) await setContentReview(this.#context.writer, this.account_id, lineItem.campaign_id);
  }

  /** Brings what a campaign says of its line items up to date; to be called after each change of one. */
  async sumUp(campaign_id: string): Promise<Flights> {
    const flights = await this.flights(campaign_id);
    await setFlights(this.#context.writer, this.account_id, campaign_id, flights);
    return flights;
  }

  async #changeFeatures(change: (writer: Writer) => Promise<void>): Promise<FeatureKey[]> {
    const { writer, actor, at } = this.#context;
    const before = await this.features();
    await change(writer);
    const after = await this.features();
    if (after.join() === before.join()) return after;
    await recordChange(writer, actor, at, {
      account_id: this.account_id,
      entity: 'ACCOUNT_FEATURES',
      entity_id: this.account_id,
      before: { feature_keys: before },
      after: { feature_keys: after },
    });
    return after;
  }
}

/** The handle of one account: reads anywhere, writes in a transaction. */
export class AccountStore extends AccountReader {
  readonly #database: Database;
  readonly #now: () => string;

  constructor(database: Database, account_id: string, now: () => string) {
    super(database, account_id);
    this.#database = database;
    this.#now = now;
  }

  /**
   * Runs `body` in one transaction: all of its writes are durable when the promise resolves, or none happened.
   * @throws ApiError ACCOUNT_DELETED when the account was deleted since it was looked up
   */
  write<Result>(actor: Actor, body: (account: AccountWriter) => Promise<Result>): Promise<Result> {
    return this.#database.write(async (writer) => {
      const ids = new EntityIds(writer);
      const account = new AccountWriter({ writer, ids, actor, at: this.#now() }, this.account_id);
      const record = await account.record();
      if (record) refuseDeletedAccount(record);
      return body(account);
    });
  }
}
