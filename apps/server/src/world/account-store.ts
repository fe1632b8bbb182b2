/**
 * All data of one advertising account. This is the only way to it: the handle fixes `account_id` in every statement, so a
 * handler cannot reach another account, and accounts can be spread over several databases without a handler knowing. It
 * knows no kind of entity: families bring theirs, and their statements.
 */
import { ApiError, type Issue, type Quotas } from '@broadside/core';
import { type Awaitable, chain } from '../awaitable.ts';
import type { AheadReads } from '../db/ahead-reads.ts';
import { type Actor, type Change, type KindName, type LoggedChange, recordChange } from '../db/change-log.ts';
import type { Reader, Writer } from '../db/database.ts';
import type { DescribedTypes, Entity } from '../db/entity.ts';
import type { EntityRegistry } from '../db/entity-registry.ts';
import { ScopedWriter } from '../db/scoped-writer.ts';
import type { Given, ReadStatement, WriteStatement } from '../db/statement.ts';
import { type AccountRow, advertisingAccount, rejectDeletedAccount } from './account-directory.ts';
import { type AudienceGrant, type GrantLookup, grantsIn, SharedAudiences } from './audience-grants.ts';
import { EntityReader, EntityWriter, type WriteContext } from './entity-store.ts';
import { EntityIds, type IdReserve, type TakenIds } from './ids.ts';
import { checkScope } from './scope.ts';
import type { AccountDatabase } from './shards/routed-database.ts';

/** The types of a kind of entity that belongs to an account. */
export interface AccountTypes extends DescribedTypes {
  readonly row: DescribedTypes['row'] & { account_id: string };
}

/** The argument of a statement that the handle gives. */
interface OfAccount {
  readonly account_id: string;
}

/** Arguments of a statement beside the account, which the handle gives. */
type Arguments<A> = Given<Omit<A, 'account_id'>>;

/** The way from an account to others that can be in other stores. */
export interface OtherStores {
  /**
   * Looks up grants to an account.
   * @param reader of the account, or of a write of it
   * @param written the account whose store is written, where that is another one
   */
  grantsOver(reader: Reader, account_id: string, written?: string): GrantLookup;
  /** The handle of an account, wherever it is. */
  accountOf(account_id: string): AccountStore;
  /** Reads of an account, wherever it is. */
  readerOf(account_id: string): Reader;
  /** Has grants to an account found from now on. */
  announceSharing(owner_account_id: string, granted_account_id: string): Promise<void>;
}

/** Reads of one account. */
export class AccountReader {
  readonly account_id: string;
  /** The kinds of entity that the store knows. */
  readonly entities: EntityRegistry;
  /** Audiences of other accounts that the account may use. */
  readonly shared: SharedAudiences<AccountReader>;
  readonly #reader: Reader;
  /** Reads of kinds of entity, by their place in the registry. They find what is kept of the account without looking it up. */
  readonly #readers: unknown[] = [];

  /**
   * @param others where accounts are in several stores
   * @param whole reads of what belongs to other accounts, where the reader is for this one only
   */
  constructor(
    reader: Reader,
    account_id: string,
    entities: EntityRegistry,
    others?: OtherStores,
    whole: Reader = reader,
  ) {
    this.#reader = reader;
    this.account_id = account_id;
    this.entities = entities;
    const grants = others === undefined ? grantsIn(whole, account_id) : others.grantsOver(reader, account_id);
    this.shared = new SharedAudiences(
      grants,
      account_id,
      (owner) => new AccountReader(others?.readerOf(owner) ?? whole, owner, entities, others),
    );
  }

  /** The account's own record. */
  record(): Awaitable<AccountRow | undefined> {
    return advertisingAccount.queries.get(this.#reader, '', this.account_id);
  }

  /** The account's entities of one kind. */
  of<Types extends AccountTypes>(entity: Entity<KindName, Types>): EntityReader<Types> {
    const place = this.placeOf(entity);
    const known = this.#readers[place];
    if (EntityReader.isOf(known, entity)) return known;
    const made = new EntityReader(entity, this.#reader, this.account_id);
    this.#readers[place] = made;
    return made;
  }

  /** The rows that a statement reads in this account. Its argument `account_id` is given. */
  all<A extends OfAccount, R>(statement: ReadStatement<A, R>, ...given: Arguments<A>): Awaitable<R[]>;
  all(statement: ReadStatement<OfAccount, unknown>, args: object = {}): Awaitable<unknown[]> {
    checkScope(statement);
    return statement.all(this.#reader, { ...args, account_id: this.account_id });
  }

  /** The first row that a statement reads in this account; it ends with `limit(1)`. */
  first<A extends OfAccount, R>(statement: ReadStatement<A, R>, ...given: Arguments<A>): Awaitable<R | undefined>;
  first(statement: ReadStatement<OfAccount, unknown>, args: object = {}): Awaitable<unknown> {
    checkScope(statement);
    return statement.first(this.#reader, { ...args, account_id: this.account_id });
  }

  /** The place of a kind of entity in the registry. @throws TypeError where it has none */
  protected placeOf(entity: Entity): number {
    const place = this.entities.placeOf(entity);
    if (place !== undefined) return place;
    throw new TypeError(`${entity.name} is not registered: the index.ts of its family exports it in \`entities\``);
  }
}

interface AccountWriteContext extends WriteContext {
  readonly account_id: string;
  readonly others: OtherStores | undefined;
}

/** Reads and writes of one account inside a transaction. */
export class AccountWriter extends AccountReader {
  readonly #context: AccountWriteContext;
  readonly #scoped: ScopedWriter;
  /** The world's time of the transaction, as a timestamp. */
  readonly now: string;

  constructor(context: AccountWriteContext) {
    super(context.writer, context.account_id, context.entities, context.others);
    this.#context = context;
    this.#scoped = new ScopedWriter(context.writer, context.account_id);
    this.now = context.at;
  }

  /** Quotas of the account. */
  get quotas(): Quotas {
    return this.#context.quotas;
  }

  override record(): Awaitable<AccountRow | undefined> {
    return advertisingAccount.queries.getIn(this.#context.writer, '', this.account_id);
  }

  override of<Types extends AccountTypes>(entity: Entity<KindName, Types>): EntityWriter<Types> {
    // It throws for a kind that is not registered.
    this.placeOf(entity);
    return new EntityWriter(entity, this.#context);
  }

  /** Runs a statement that writes in this account, and gives the number of its rows. It records nothing. */
  run<A extends OfAccount>(statement: WriteStatement<A, ScopedWriter>, ...given: Arguments<A>): Awaitable<number>;
  run(statement: WriteStatement<OfAccount, ScopedWriter>, args: object = {}): Awaitable<number> {
    checkScope(statement);
    return statement.run(this.#scoped, { ...args, account_id: this.account_id });
  }

  /**
   * Writes of the account that owns an audience, in the same transaction. Only a grant leads to another account.
   * @throws TypeError when the grant is to another account, or is not READ_WRITE
   * @throws ApiError ACTION_NOT_ALLOWED when the owner is on another shard
   */
  writerOf(grant: AudienceGrant): AccountWriter {
    const { account_id } = this.shared.ownerOf(grant);
    if (grant.isHere === false) throw new ApiError(onAnotherShard(grant));
    if (grant.permission_level === 'READ_WRITE') return new AccountWriter({ ...this.#context, account_id });
    throw new TypeError(`the grant of the audience ${grant.custom_audience_id} is not READ_WRITE`);
  }

  /**
   * The account that an audience of this one is shared with, in the same transaction: that of the store that has the audience and the grant.
   * @throws TypeError when the grant is of another account
   */
  onBehalfOf({ owner_account_id, granted_account_id }: AudienceGrant): AccountWriter {
    if (owner_account_id !== this.account_id) throw new TypeError(`the grant is of ${owner_account_id}`);
    const { others } = this.#context;
    const grantsOver: OtherStores['grantsOver'] | undefined =
      others && ((reader, account) => others.grantsOver(reader, account, owner_account_id));
    return new AccountWriter({
      ...this.#context,
      account_id: granted_account_id,
      others: others && grantsOver && { ...others, grantsOver },
    });
  }

  /** Records a change of something that is not an entity. */
  recordChange(change: Omit<Change, 'account_id'>): Awaitable<unknown> {
    const { writer, actor, at } = this.#context;
    return recordChange(writer, actor, at, { ...change, account_id: this.account_id });
  }
}

/** Our choice: what two accounts share is written by a transaction of one store. */
function onAnotherShard({ custom_audience_id: value }: AudienceGrant): Issue {
  const message =
    'The account that owns the audience is stored elsewhere; change it by a request of its own, and not in a batch';
  return { error: 'ACTION_NOT_ALLOWED', parameter: 'custom_audience_id', value, message };
}

interface Services {
  readonly database: AccountDatabase;
  readonly entities: EntityRegistry;
  /** The world's time as a timestamp. */
  readonly now: () => string;
  /** Ids in reserve, where there are any. */
  readonly reserve: IdReserve | undefined;
  /** Ids that were taken from a store that others write too. */
  readonly taken: TakenIds | undefined;
  readonly quotas: Quotas;
  /** Where accounts are in several stores; the ids that were taken are then those of all. */
  readonly others?: OtherStores | undefined;
}

/** Begins the writes of an account in a transaction. */
export function accountWriter(
  { entities, now, quotas, others }: Omit<Services, 'database' | 'reserve' | 'taken'>,
  writer: Writer,
  actor: Actor,
  account_id: string,
  ids: EntityIds,
): AccountWriter {
  const at = writer.draws === undefined ? now() : writer.draws.time(now);
  return new AccountWriter({ writer, entities, ids, actor, at, account_id, quotas, others });
}

/** Ends a transaction that was only tried. */
export class Rehearsed extends Error {
  override readonly name = 'Rehearsed';
}

/** The handle of one account: reads anywhere, writes in a transaction. */
export class AccountStore extends AccountReader {
  readonly #services: Services;
  readonly #rehearses: boolean;
  /** What the draft of the next write reads. */
  #begun: Reader | undefined;

  /** @param reader what its reads are made of, where that is not the database itself */
  constructor(services: Services, account_id: string, rehearses = false, reader: Reader = services.database) {
    super(reader, account_id, services.entities, services.others, services.database);
    this.#services = services;
    this.#rehearses = rehearses;
  }

  /** The same handle, with which nothing is kept: where a transaction would succeed, it is undone and fails with {@link Rehearsed}. */
  rehearsal(): AccountStore {
    return new AccountStore(this.#services, this.account_id, true);
  }

  /** The same handle for a call that has begun some of its reads. */
  over(reads: AheadReads): AccountStore {
    return new AccountStore(this.#services, this.account_id, this.#rehearses, reads);
  }

  /** The same handle for a call that has begun reads of its first write. Another one may follow on what that changes. */
  drafting(reads: AheadReads): AccountStore {
    const own = new AccountStore(this.#services, this.account_id, this.#rehearses);
    own.#begun = reads;
    return own;
  }

  /** Has grants to another account found from now on. To be waited for before the first one is written; nothing to wait for where all accounts are in one store. */
  announceSharing(granted_account_id: string): Promise<void> | undefined {
    return this.#services.others?.announceSharing(this.account_id, granted_account_id);
  }

  /**
   * Runs `body` in one transaction: all of its writes are durable when the promise resolves, or none happened. It can run a
   * second time, after its changes have been undone, so it leaves nothing else behind.
   * @throws ApiError ACCOUNT_DELETED when the account was deleted since it was looked up
   */
  write<Result>(actor: Actor, body: (account: AccountWriter) => Awaitable<Result>): Promise<Result> {
    this.#services.reserve?.fill();
    const ready = this.#services.taken?.ready();
    return ready === undefined ? this.#begin(actor, body) : ready.then(() => this.#begin(actor, body));
  }

  /** Whether accounts are in several stores. */
  get isSpread(): boolean {
    return this.#services.others !== undefined;
  }

  /**
   * Runs `body` as {@link write} does, in a transaction of the account that shares an audience with this one. Where accounts are in several stores, one
   * transaction has the audience and the grant, and nothing of this account.
   */
  writeShared<Result>(
    actor: Actor,
    grant: AudienceGrant,
    body: (account: AccountWriter) => Awaitable<Result>,
  ): Promise<Result> {
    const { others } = this.#services;
    if (others === undefined) return this.write(actor, body);
    const owner = others.accountOf(this.shared.ownerOf(grant).account_id);
    const store = this.#rehearses ? owner.rehearsal() : owner;
    return store.write(actor, (writer) => body(writer.onBehalfOf(grant)));
  }

  #begin<Result>(actor: Actor, body: (account: AccountWriter) => Awaitable<Result>): Promise<Result> {
    const { logged } = actor;
    if (logged === undefined) return this.#write(() => actor, body);
    let own: LoggedChange[] = [];
    const written = this.#write(() => {
      // Another run begins anew.
      own = [];
      return { ...actor, logged: own };
    }, body);
    return written.then((result) => {
      logged.push(...own);
      return result;
    });
  }

  /** @param author given with each run of the body */
  #write<Result>(author: () => Actor, body: (account: AccountWriter) => Awaitable<Result>): Promise<Result> {
    const begun = this.#begun;
    this.#begun = undefined;
    return this.#services.database.write(
      (writer, isElsewhere?: boolean) => {
        const { reserve, taken } = this.#services;
        const ids = new EntityIds(writer, reserve, taken, isElsewhere);
        const account = accountWriter(this.#services, writer, author(), this.account_id, ids);
        return chain(account.record(), (record) => {
          if (record) rejectDeletedAccount(record);
          const result = body(account);
          if (!this.#rehearses) return result;
          return chain(result, () => {
            throw new Rehearsed();
          });
        });
      },
      { repeatable: true, begun },
    );
  }
}
