/**
 * Processing of audiences: after new members have come, a durable job counts those that matched people of the platform, and
 * stores the count beside the entity. Custom audiences and do-not-reach lists are processed alike.
 *
 * The job is a row of the platform's store, `processing` is a column of an advertising store, and members are in a store of
 * their own. No transaction covers the three, so their order does: the job is durable first, then the column is set, then
 * members are appended. A crash in between leaves a job that counts what there is, which does no harm. Conversely the column
 * is cleared after the count, and the job is removed last.
 */
import type { Actor, KindName } from '../db/change-log.ts';
import type { Database, Writer } from '../db/database.ts';
import type { DescribedTypes, Entity, RowOf } from '../db/entity.ts';
import type { EntityRegistry } from '../db/entity-registry.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { AccountStore, AccountTypes } from '../world/account-store.ts';
import type { AdsStore } from '../world/ads-store.ts';
import type { Clock } from '../world/clock.ts';
import { type Environment, environments } from '../world/environment.ts';

/** How long members wait until they are processed. */
export const processingProfiles = ['fast', 'documented'] as const;
export type ProcessingProfile = (typeof processingProfiles)[number];

/** The documented delay is the batches' of 6 to 8 hours (reference, audiences section 3); a laptop does not wait for them. */
const DELAY_MS: Readonly<Record<ProcessingProfile, number>> = { fast: 1_000, documented: 6 * 3_600_000 };

const KIND = 'audience.process';
/** In the subject of a job, in place of an id: all audiences of the account that are to be processed and have no own job. */
const NEW = '*';
const SERVER: Actor = { user_id: null, platform: 'SERVER' };

/** An account of an environment. */
export interface AccountName {
  readonly environment: Environment;
  readonly account_id: string;
}

/** An entity that has members: a custom audience or a do-not-reach list. */
export interface AudienceName extends AccountName {
  readonly id: string;
}

/** Columns of an entity that has members. */
export interface ProcessedColumns {
  /** Whether members came that are not counted yet. */
  processing: boolean;
  /** Matched people who are active; null until they are counted for the first time. */
  matched_count: number | null;
}

interface ProcessedTypes extends AccountTypes {
  readonly row: AccountTypes['row'] & ProcessedColumns;
  readonly derived: ProcessedColumns;
}
type ProcessedEntity = Entity<KindName, ProcessedTypes & DescribedTypes>;
type ProcessedRow = RowOf<ProcessedEntity>;

/** An audience as it is counted. */
export interface AudienceToCount extends AudienceName {
  readonly row: ProcessedRow;
}

interface Services {
  readonly database: Database;
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly ads: Readonly<Record<Environment, AdsStore>>;
  readonly entities: EntityRegistry;
  readonly profile: ProcessingProfile;
  /** Counts the matched and active people, with everything that was acknowledged before the call. */
  readonly count: (audience: AudienceToCount) => Promise<number>;
}

/** Calls that may bring members or audiences, since the process started. */
interface Calls {
  begun: number;
  ended: number;
  /** Whether the job is known to be stored. */
  isQueued: boolean;
}

export class AudienceProcessing {
  readonly #services: Services;
  readonly #kinds: readonly ProcessedEntity[];
  /** By subject of a job; only those with a call in progress or a job. */
  readonly #calls = new Map<string, Calls>();

  constructor(services: Services) {
    this.#services = services;
    this.#kinds = services.entities.all.filter(isProcessed);
    services.jobs.handle(KIND, (subject) => this.#run(subject));
  }

  /**
   * Marks an audience as being processed, then runs the body, which appends members to it. They are counted after the delay,
   * even if the process ends in between. While a job is pending, calls add no other.
   */
  intake<Result>(audience: AudienceName, append: () => Promise<Result>): Promise<Result> {
    return this.#during(audience, audience.id, async () => {
      await this.#mark(audience);
      return append();
    });
  }

  /** Runs a write that creates audiences in an account. They are processed after the delay, even if the process ends. */
  creation<Result>(account: AccountName, create: () => Promise<Result>): Promise<Result> {
    return this.#during(account, NEW, create);
  }

  /** Has an audience processed again, as after a change of those that it is made of. */
  again(audience: AudienceName): Promise<void> {
    return this.intake(audience, async () => {});
  }

  async #during<Result>(account: AccountName, id: string, body: () => Promise<Result>): Promise<Result> {
    const subject = subjectOf(account, id);
    const calls = this.#callsOf(subject);
    calls.begun++;
    try {
      if (!calls.isQueued) await this.#queue(subject, calls);
      return await body();
    } finally {
      calls.ended++;
      this.#forget(subject, calls);
    }
  }

  async #queue(subject: string, calls: Calls): Promise<void> {
    const { database, jobs } = this.#services;
    await database.write(async (writer) => {
      await jobs.addOnce(writer, this.#job(subject));
    });
    calls.isQueued = true;
    jobs.wake();
  }

  #job(subject: string) {
    const { clock, profile } = this.#services;
    return { kind: KIND, subject, due_ms: clock.now() + DELAY_MS[profile] };
  }

  /** Read after the call was counted: a job that ends meanwhile sees the call, and leaves the column as it is. */
  async #mark(audience: AudienceName): Promise<void> {
    const account = this.#account(audience);
    const found = await this.#find(account, audience.id);
    if (found && !found.row.processing) await this.#set(account, found, () => ({ processing: true }));
  }

  async #run(subject: string): Promise<((writer: Writer) => Promise<void>) | undefined> {
    const [environment, account_id, id] = subject.split('/');
    if (!isEnvironment(environment) || account_id === undefined || id === undefined) return undefined;
    const calls = this.#callsOf(subject);
    calls.isQueued = true;
    const isQuiet = calls.begun === calls.ended;
    const { begun } = calls;
    const isMore = () => !isQuiet || calls.begun !== begun;
    const name = { environment, account_id };
    if (id === NEW) await this.#processNew(name);
    else await this.#process({ ...name, id }, isMore);
    return async (writer) => {
      if (isMore()) {
        await this.#services.jobs.addOnce(writer, this.#job(subject));
      } else {
        calls.isQueued = false;
        this.#forget(subject, calls);
      }
    };
  }

  async #processNew(account: AccountName): Promise<void> {
    const { jobs } = this.#services;
    for (const entity of this.#kinds) {
      for (const row of await this.#account(account).of(entity).every({})) {
        const subject = subjectOf(account, row.id);
        if (!row.processing || (await jobs.has(KIND, subject))) continue;
        await this.#process({ ...account, id: row.id }, () => this.#calls.has(subject));
      }
    }
  }

  async #process(audience: AudienceName, isMore: () => boolean): Promise<void> {
    const account = this.#account(audience);
    const found = await this.#find(account, audience.id);
    // Deleted audiences, and those of deleted accounts, keep no members that could be counted.
    if (!found || found.row.deleted || (await account.record())?.deleted !== false) return;
    const matched_count = await this.#services.count({ ...audience, row: found.row });
    await this.#set(account, found, () => ({ processing: isMore(), matched_count }));
  }

  #account({ environment, account_id }: AccountName): AccountStore {
    return this.#services.ads[environment].account(account_id);
  }

  async #find(account: AccountStore, id: string): Promise<Found | undefined> {
    for (const entity of this.#kinds) {
      const row = await account.of(entity).get(id);
      if (row) return { entity, row };
    }
    return undefined;
  }

  /** Sets columns. @param fields called in the transaction, where no call can come between it and the write */
  #set(account: AccountStore, { entity, row }: Found, fields: () => Partial<ProcessedColumns>): Promise<void> {
    return account.write(SERVER, (writer) => writer.of(entity).derive(row.id, fields()));
  }

  #callsOf(subject: string): Calls {
    const calls = this.#calls.get(subject) ?? { begun: 0, ended: 0, isQueued: false };
    this.#calls.set(subject, calls);
    return calls;
  }

  /** Keeps the record of a subject while it is needed. */
  #forget(subject: string, calls: Calls): void {
    if (calls.begun === calls.ended && !calls.isQueued) this.#calls.delete(subject);
  }
}

interface Found {
  readonly entity: ProcessedEntity;
  readonly row: ProcessedRow;
}

function subjectOf({ environment, account_id }: AccountName, id: string): string {
  return `${environment}/${account_id}/${id}`;
}

function isProcessed(entity: Entity): entity is ProcessedEntity {
  return 'processing' in entity.table && 'matched_count' in entity.table;
}

function isEnvironment(name: string | undefined): name is Environment {
  return environments.some((environment) => environment === name);
}
