/**
 * The advertising data of one environment. The directory (which accounts exist, who may use them) is read here; account
 * data only through `account(id)`.
 */
import { isStorable, type ListQuery, type Page, type Permission, quotas as usualQuotas } from '@broadside/core';
import { DEFAULT_ACTIVE_CAMPAIGNS } from '@broadside/core/resources/campaigns';
import type { AccountAccess } from '@broadside/core/resources/user-access';
import QuickLRU from 'quick-lru';
import { type Awaitable, chain, together } from '../awaitable.ts';
import { AheadReads } from '../db/ahead-reads.ts';
import { type Actor, isUnchanged } from '../db/change-log.ts';
import type { Database, Writer } from '../db/database.ts';
import type { Entity } from '../db/entity.ts';
import { OutdatedCache } from '../db/outdated-cache.ts';
import { pageOf } from '../db/page.ts';
import {
  type AccountParams,
  type AccountRow,
  accessGuard,
  accessOf,
  accountsOfUser,
  advertisingAccount,
  listOfBusiness,
  membersOf,
} from './account-directory.ts';
import { AccountStore, accountWriter, type OtherStores } from './account-store.ts';
import type { AdsServices, NewAccount, OpenedAccount } from './ads-services.ts';
import { listOver } from './audience-leaves.ts';
import { Catalogue } from './catalogue.ts';
import { timestamp } from './clock.ts';
import { giveAccess, recordAccount, takeAccess } from './directory-changes.ts';
import { EntityIds, IdReserve, newAccountId, TakenIds } from './ids.ts';
import { randomText, systemRandom } from './random.ts';
import { changeRecord, createOn, endLeftRecords } from './shards/account-records.ts';
import { listLeft } from './shards/account-work.ts';
import { DIRECTORY } from './shards/places.ts';
import { RoutedDatabase } from './shards/routed-database.ts';
import { audiencesOver, otherStores } from './shards/shard-grants.ts';
import type { AccountStores, AccountsStore, Shards } from './shards/shards.ts';

export class AdsStore {
  /** Publishers and curated categories, which belong to no account. */
  readonly catalogue: Catalogue;
  /** Whether reads of it are round trips to a server. */
  readonly isRemote: boolean;
  readonly #services: AdsServices;
  readonly #opened: OutdatedCache<OpenedAccount>;
  /** Handles of accounts. They hold no data. */
  readonly #handles = new QuickLRU<string, AccountStore>({ maxSize: 10_000 });
  /** The one that was asked for last. */
  #handle: AccountStore | undefined;
  readonly #reserve: IdReserve | undefined;
  readonly #taken: TakenIds | undefined;
  /** Undefined where all accounts are in one store. */
  readonly #others: OtherStores | undefined;

  /** @param reserve the ids of the store, which it has in common with itself outside of a write */
  constructor(services: AdsServices, reserve?: IdReserve, taken?: TakenIds) {
    this.#services = services;
    const { database, random, entities, cache, quotas = usualQuotas } = services;
    this.isRemote = database.isRemote;
    this.#opened = new OutdatedCache(database.generations, 'opened accounts', 10_000);
    this.#reserve = reserve ?? (cache ? new IdReserve(database) : undefined);
    this.#taken = taken ?? (cache || this.#reserve !== undefined ? undefined : new TakenIds(database));
    this.#others = this.#spread && otherStores(this.#spread, (account_id) => this.account(account_id));
    this.catalogue = new Catalogue({
      database,
      random,
      entities,
      now: () => this.now(),
      quotas,
      reserve: this.#reserve,
    });
  }

  get database(): Database {
    return this.#services.database;
  }

  /** The kinds of entity in accounts and in the catalogue. */
  get entities(): readonly Entity[] {
    return this.#services.entities.all;
  }

  /** The stores that accounts are spread over, where there are several; undefined inside of a write. */
  get shards(): Shards | undefined {
    return this.#services.shards;
  }

  /** The same, inside of a write too. */
  get #spread(): AccountStores | undefined {
    return this.#services.shardsInside ?? this.#services.shards;
  }

  /** All stores that hold accounts, the one of the directory first. @throws StoreUnreachableError where one is away */
  get stores(): readonly AccountsStore[] {
    return this.#spread?.all() ?? [{ shard: DIRECTORY, database: this.database }];
  }

  /** Reads the store of an account, or all that hold accounts where none is named. @throws ShardAwayError */
  async readStores<Result>(
    account_id: string | undefined,
    read: (database: Database) => Promise<Result>,
  ): Promise<Result[]> {
    return this.#spread?.read(account_id, read) ?? [await read(this.database)];
  }

  /**
   * The same store as seen from inside a write.
   * @param database from inside it
   * @param shard returns a shard from inside it; `undefined` for one that is no part of the write
   */
  inside(database: Database, shard: (name: string) => Database | undefined): AdsStore {
    const services = {
      ...this.#services,
      database,
      cache: false,
      remember: false,
      shards: undefined,
      shardsInside: this.shards?.inside(database, shard),
      replicas: undefined,
    };
    return new AdsStore(services, this.#reserve, this.#taken?.inside(database));
  }

  /**
   * Takes numbers of entities for a write of several stores that needs so many, where other processes write the store too. Those that it takes
   * itself they could have as well, if the process ends before the store has its part.
   */
  async takeIds(count: number): Promise<void> {
    await this.#taken?.atLeast(count);
  }

  /** Dependencies of the store of an account. */
  get #account() {
    const { database, entities, quotas = usualQuotas } = this.#services;
    return {
      database,
      entities,
      now: () => this.now(),
      reserve: this.#reserve,
      taken: this.#taken,
      quotas,
      others: this.#others,
    };
  }

  #accountIn(account_id: string) {
    const shards = this.#spread;
    return shards ? { ...this.#account, database: new RoutedDatabase(shards, account_id) } : this.#account;
  }

  /** The world's time as a timestamp. */
  now(): string {
    return timestamp(this.#services.clock);
  }

  /** The handle of an account's data. Says nothing about who may use it: see `open`. */
  account(account_id: string): AccountStore {
    if (this.#handle?.account_id === account_id) return this.#handle;
    let handle = this.#handles.get(account_id);
    if (!handle) {
      handle = new AccountStore(this.#accountIn(account_id), account_id);
      this.#handles.set(account_id, handle);
    }
    this.#handle = handle;
    return handle;
  }

  /** The account as a user may see it; `undefined` alike when it does not exist and when the user has no part in it. */
  open(account_id: string, user_id: string): Awaitable<OpenedAccount | undefined> {
    if (!isStorable(account_id)) return undefined;
    const key = `${user_id} ${account_id}`;
    const known = this.#opened.get(key);
    if (known) return known;
    const { generation } = this.#opened;
    const { database } = this.#services;
    const read = together([
      accessOf(database, account_id, user_id),
      advertisingAccount.queries.get(database, '', account_id),
      // It is needed next, and is asked for in the same round trip.
      this.#spread?.places.of(account_id),
    ]);
    return chain(read, ([permissions, record]) => {
      if (!permissions || !record) return undefined;
      const opened = { record, permissions };
      const { cache, remember = cache } = this.#services;
      if (remember) this.#opened.set(key, opened, generation);
      return opened;
    });
  }

  /** The same, if it is remembered, and so as current as what this server was told last. */
  opened(account_id: string, user_id: string): OpenedAccount | undefined {
    return this.#opened.get(`${user_id} ${account_id}`);
  }

  /** Asks where an account is, for calls that may need it soon. Nothing is asked where all accounts are in one store. */
  locate(account_id: string): void {
    const place = this.shards?.places.of(account_id);
    if (place instanceof Promise) place.catch(() => {});
  }

  /** Whether some reads are answered by replicas of the store. */
  get hasReplicas(): boolean {
    return this.#services.replicas !== undefined;
  }

  /**
   * Reads of an account that a user's call can begin before it has opened the account. Where the account is in the store that knows who has
   * access, they are not made for a user who has no part in it; a shard is not waited for then. `undefined` where a call gains nothing by it.
   * @param isPrimary they are read from primaries only
   */
  ahead(account_id: string, user_id: string, isPrimary: boolean): AheadReads | undefined {
    const { database, shards } = this.#services;
    if (!database.isRemote) return undefined;
    const replicas = isPrimary ? undefined : this.#services.replicas;
    const routed = shards && new RoutedDatabase(shards, account_id, replicas);
    if (this.opened(account_id, user_id)) {
      return new AheadReads(routed ?? replicas?.get(DIRECTORY)?.readsOf(account_id) ?? database);
    }
    const store = shards === undefined ? database : new RoutedDatabase(shards, account_id);
    return new AheadReads(store, (reader) => accessGuard(reader, account_id, user_id));
  }

  /** An account's record, for the operator. */
  record(account_id: string): Awaitable<AccountRow | undefined> {
    if (!isStorable(account_id)) return undefined;
    return advertisingAccount.queries.get(this.#services.database, '', account_id);
  }

  /** A page of the accounts of a user, or of all. @throws ApiError INVALID_PARAMETER when the cursor is of another list */
  list(user_id: string | null, params: ListQuery & AccountParams): Awaitable<Page<AccountRow>> {
    const queries = user_id === null ? advertisingAccount.queries : accountsOfUser;
    const page = queries.page(this.#services.database, user_id ?? '', params);
    return chain(page, (found) => pageOf(found, params.cursor));
  }

  /** The flexible audiences, of any account, that have an audience as a leaf. */
  audiencesOver(
    custom_audience_id: string,
    owner_account_id: string,
  ): Awaitable<{ readonly account_id: string; readonly id: string }[]> {
    if (this.#spread) return audiencesOver(this.#spread, custom_audience_id, owner_account_id);
    return listOver.all(this.#services.database, { leaf_id: custom_audience_id });
  }

  async createAccount(actor: Actor, fields: NewAccount): Promise<AccountRow> {
    const shards = this.#spread;
    const shard = shards === undefined ? DIRECTORY : (fields.shard ?? (await shards.emptiest()));
    const id = shard === DIRECTORY ? undefined : newAccountId(this.#services.random);
    const access = (writer: Writer, row: AccountRow) =>
      giveAccess(writer, actor, this.now(), {
        account_id: row.id,
        user_id: fields.user_id,
        permissions: ['ACCOUNT_ADMIN'],
      });
    if (shards === undefined || id === undefined) {
      return this.#change(async (writer) => {
        const row = await this.#begin(writer, actor, newAccountId(this.#services.random), fields);
        await access(writer, row);
        return row;
      });
    }
    const contents = (writer: Writer) => this.#begin(writer, actor, id, fields, true);
    return this.#forgetting(createOn(shards, shard, id, this.#token(), { contents, access }));
  }

  /** Writes the record and the first contents of an account. */
  async #begin(writer: Writer, actor: Actor, id: string, fields: NewAccount, isElsewhere = false): Promise<AccountRow> {
    const ids = new EntityIds(writer, this.#reserve, isElsewhere ? this.#taken : undefined, isElsewhere);
    const account = accountWriter(this.#account, writer, actor, id, ids);
    const { now: at } = account;
    const row = advertisingAccount.complete({
      id,
      seq: (await ids.next()).seq,
      name: fields.name,
      business_name: fields.business_name,
      business_id: null,
      timezone: fields.timezone,
      timezone_switch_at: null,
      industry_type: null,
      approval_status: 'ACCEPTED',
      active_campaign_limit: DEFAULT_ACTIVE_CAMPAIGNS,
      suspended: false,
      created_at: at,
      updated_at: at,
    });
    await advertisingAccount.queries.insert(writer, row);
    await recordAccount(writer, actor, this.now(), undefined, row);
    await this.#services.furnish(account, fields);
    return row;
  }

  /** Changes an account's record. Goes through here rather than the account's store because the directory answers for it. */
  async updateAccount(
    actor: Actor,
    account_id: string,
    change: (record: AccountRow) => Partial<AccountRow>,
  ): Promise<AccountRow | undefined> {
    const update = async (writer: Writer) => {
      const before = await advertisingAccount.queries.get(writer, '', account_id);
      if (!before) return undefined;
      const fields = change(before);
      if (isUnchanged(before, fields)) return before;
      const row = advertisingAccount.complete({ ...before, ...fields, updated_at: this.now() });
      await advertisingAccount.queries.update(writer, row, before);
      await recordAccount(writer, actor, this.now(), before, row);
      return row;
    };
    const shards = this.#spread;
    if (shards === undefined) return this.#change(update);
    if (!(await this.record(account_id))) return undefined;
    return this.#forgetting(changeRecord(shards, account_id, this.#token(), update));
  }

  /** Ends what other processes have begun with accounts on shards, and have not ended. */
  async endLeftWork(): Promise<void> {
    const { shards } = this;
    if (shards === undefined) return;
    const left = await listLeft.all(shards.directory);
    if (left.length > 0) await this.#forgetting(endLeftRecords(shards, left, this.#token()));
    await shards.moves.endLeft();
  }

  /** Names whoever does work that several stores take part in. */
  #token(): string {
    return randomText(systemRandom, 22);
  }

  /** The ids of the accounts that belong to a business, in their order; deleted ones are left out. */
  async accountsOfBusiness(business_id: string): Promise<string[]> {
    const rows = await listOfBusiness.all(this.#services.database, { business_id });
    return rows.map(({ id }) => id);
  }

  /** The users who have a part in an account. */
  members(account_id: string): Awaitable<AccountAccess[]> {
    return membersOf(this.#services.database, account_id);
  }

  /**
   * Sets what a user may do on an account.
   * @param check throws when those who have a part in the account afterwards must not be all; nothing is changed then
   */
  grant(
    actor: Actor,
    account_id: string,
    user_id: string,
    permissions: readonly Permission[],
    check?: (after: readonly AccountAccess[]) => void,
  ): Promise<void> {
    return this.#change(async (writer) => {
      await giveAccess(writer, actor, this.now(), { account_id, user_id, permissions });
      check?.(await membersOf(writer, account_id));
    });
  }

  /** Takes all access from a user. @returns what the user could do before; `undefined` when there was nothing. */
  revoke(
    actor: Actor,
    account_id: string,
    user_id: string,
    check?: (after: readonly AccountAccess[]) => void,
  ): Promise<Permission[] | undefined> {
    return this.#change(async (writer) => {
      const before = await takeAccess(writer, actor, this.now(), { account_id, user_id });
      if (!before) return undefined;
      check?.(await membersOf(writer, account_id));
      return before;
    });
  }

  #change<Result>(body: (writer: Writer) => Promise<Result>): Promise<Result> {
    return this.#forgetting(this.#services.database.write(body));
  }

  async #forgetting<Result>(written: Promise<Result>): Promise<Result> {
    try {
      return await written;
    } finally {
      this.#opened.forget();
    }
  }
}
