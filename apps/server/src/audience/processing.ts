/**
 * Processing of audiences: after new members have come, a durable job counts those that matched people of the platform, and
 * stores the count beside the entity. Custom audiences and do-not-reach lists are processed alike; flexible audiences after
 * each of the audiences that they consist of. A count is made again when it may have become another one by itself, as members
 * take effect, expire, or are not active any more.
 *
 * The job is a row of the platform's store, `processing` is a column of an advertising store, and members are in a store of
 * their own. No transaction covers the three, so their order does: the job is durable first, then the column is set, then
 * members are appended. A crash in between leaves a job that counts what there is, which does no harm. Conversely the column
 * is cleared after the count, and the job is removed last.
 */
import { blurOf } from '@broadside/core/resources/audience-estimate';
import { SMALLEST_TARGETABLE } from '@broadside/core/resources/custom-audiences';
import type { Actor } from '../db/change-log.ts';
import type { Database, Writer } from '../db/database.ts';
import type { EntityRegistry } from '../db/entity-registry.ts';
import type { LaterFaults } from '../faults/later-faults.ts';
import type { JobHandler } from '../jobs/job-queue.ts';
import type { Jobs, NewJob } from '../jobs/jobs.ts';
import { kindAt } from '../jobs/placed-kinds.ts';
import type { AudiencePlaces } from '../servers/audience-places.ts';
import type { AccountStore } from '../world/account-store.ts';
import type { AdsStore } from '../world/ads-store.ts';
import { leafIdsOf } from '../world/audience-leaves.ts';
import type { Clock } from '../world/clock.ts';
import type { Environment } from '../world/environment.ts';
import { type AccountName, type AudienceName, audienceOf, subjectOf } from './audience-names.ts';
import { shareOf } from './blur.ts';
import { guardedCall } from './guarded-call.ts';
import { JobPlaces } from './job-places.ts';
import { leavesOf, memberKey, memberTree } from './members/member-tree.ts';
import {
  isDeleted,
  isProcessed,
  type ProcessedColumns,
  type ProcessedEntity,
  type ProcessedMembers,
  type ProcessedRow,
} from './processed-entities.ts';
import type { ProcessingProfile } from './processing-profiles.ts';

/** The documented delay is the batches' of 6 to 8 hours (reference, audiences section 3); a laptop does not wait for them. */
const DELAY_MS: Readonly<Record<ProcessingProfile, number>> = { fast: 1_000, documented: 6 * 3_600_000 };

const PROCESS = 'audience.process';
const RECOUNT = 'audience.recount';
/** Members that take effect or expire are counted after this long at the latest (our choice). */
const RECOUNT_MS = 3_600_000;
/** In the subject of a job, in place of an id: all audiences of the account that are to be processed and have no own job. */
const NEW = '*';
const SERVER: Actor = { user_id: null, platform: 'SERVER' };

interface Services {
  readonly database: Database;
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly ads: Readonly<Record<Environment, AdsStore>>;
  readonly entities: EntityRegistry;
  readonly profile: ProcessingProfile;
  readonly members: ProcessedMembers;
  /** The platform's key. */
  readonly key: string;
  readonly faults: LaterFaults;
  /** Another process runs the jobs. */
  readonly isElsewhere?: boolean;
  /** Which one does, on a platform with workers: each those of the audiences that it keeps. */
  readonly places?: AudiencePlaces | undefined;
}

/** Calls that may bring members or audiences, since the process started. */
interface Calls {
  begun: number;
  ended: number;
  /** True where the job is known to be stored. */
  isQueued: boolean;
}

export class AudienceProcessing {
  readonly #services: Services;
  readonly #kinds: readonly ProcessedEntity[];
  readonly #places: JobPlaces;
  /** By subject of a job; only those with a call in progress or a job. */
  readonly #calls = new Map<string, Calls>();
  #turn: Promise<void> = Promise.resolve();

  constructor(services: Services) {
    this.#services = services;
    this.#kinds = services.entities.all.filter(isProcessed);
    this.#places = new JobPlaces(services.places, services.isElsewhere ?? false);
    for (const kind of [PROCESS, RECOUNT] as const) {
      services.jobs.handle(kindAt(kind, this.#places.own), (subject, _failures, report) =>
        this.#inTurn(() => this.#unlessCancelled(kind, subject, report)),
      );
    }
  }

  /**
   * Marks an audience as being processed, then runs the body, which appends members to it. They are counted after the delay,
   * even if the process ends in between. While a job is pending, calls add no other.
   */
  intake<Result>(audience: AudienceName, append: () => Promise<Result>): Promise<Result> {
    return this.#duringAt(this.#places.of(audience), audience, async () => {
      await this.#mark(audience);
      return append();
    });
  }

  /**
   * Runs a write that creates audiences in an account. They are processed after the delay, even if the process ends.
   * @param idsOf the ids of the audiences that were created
   */
  async creation<Result>(
    account: AccountName,
    create: () => Promise<Result>,
    idsOf: (result: Result) => readonly string[],
  ): Promise<Result> {
    const place = await this.#places.forNew();
    return this.#duringAt(place, { ...account, id: NEW }, async () => {
      const result = await create();
      await this.#places.decide(
        idsOf(result).map((id) => ({ ...account, id })),
        place,
      );
      return result;
    });
  }

  /** Runs a write that deletes audiences. Their members are removed at once, even if the process ends in between. */
  deletion<Result>(account: AccountName, ids: readonly string[], remove: () => Promise<Result>): Promise<Result> {
    const [id, ...others] = ids;
    if (id === undefined) return remove();
    // What does not exist gets no place.
    return this.#duringAt(this.#places.look({ ...account, id }), { ...account, id }, async () => {
      const result = await this.deletion(account, others, remove);
      // They are deleted, which is not to be told as a failure. A job that was there before does it otherwise, after the delay.
      await this.#processNow({ ...account, id }).catch(() => {});
      return result;
    });
  }

  /** Runs a write that deletes an account. The members of all its audiences are removed at once, likewise. */
  accountDeletion<Result>(account: AccountName, remove: () => Promise<Result>): Promise<Result> {
    return this.deletion(account, [NEW], remove);
  }

  /**
   * Processes an audience now, in place of the job that would.
   * @param matched_count counted in place of its members, until it is processed the next time
   * @returns whether there is such an audience
   */
  settle(audience: AudienceName, matched_count?: number): Promise<boolean> {
    return this.#inTurn(async () => {
      const account = this.#account(audience);
      const found = await this.#find(account, audience.id);
      if (!found || found.row.deleted) return false;
      const subject = subjectOf(audience, audience.id);
      const calls = this.#callsOf(subject);
      const { begun } = calls;
      const isMore = () => calls.begun !== begun || calls.begun !== calls.ended;
      let recount: NewJob | undefined;
      if (matched_count === undefined) recount = await this.#process(audience, isMore, () => {});
      else await this.#set(account, found, () => ({ processing: isMore(), matched_count }));
      const { database, jobs } = this.#services;
      await database.write(async (writer) => {
        await jobs.cancelAll(writer, kindAt(RECOUNT, this.#places.own), subject);
        if (recount) await jobs.add(writer, recount);
        // A call that has begun meanwhile relies on the job.
        if (isMore()) return;
        await jobs.cancelAll(writer, kindAt(PROCESS, this.#places.own), subject);
        calls.isQueued = false;
      });
      this.#forget(subject, calls);
      return true;
    });
  }

  /** Runs one body after the other, so that none writes a count that is older than another's. */
  #inTurn<Result>(body: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(body);
    this.#turn = result.then(
      () => {},
      () => {},
    );
    return result;
  }

  /** A job may have been cancelled while it waited for its turn. */
  async #unlessCancelled(
    kind: typeof PROCESS | typeof RECOUNT,
    subject: string,
    report: Report,
  ): Promise<((writer: Writer) => Promise<void>) | undefined> {
    if (!(await this.#services.jobs.has(kindAt(kind, this.#places.own), subject))) return undefined;
    return kind === PROCESS ? this.#run(subject, report) : this.#recount(subject, report);
  }

  async #duringAt<Result>(
    place: string | Promise<string>,
    audience: AudienceName,
    body: () => Promise<Result>,
  ): Promise<Result> {
    const at = await place;
    const subject = subjectOf(audience, audience.id);
    if (this.#places.isElsewhere(at)) return guardedCall(this.#services, () => this.#job(subject, at), body);
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
    const { database, faults, jobs } = this.#services;
    const about = audienceOf(subject);
    const late = about && faults.armed ? await faults.later('audience_processing', about) : undefined;
    const delay_ms = late?.delay_ms ?? 0;
    const job = this.#job(subject, this.#places.own);
    await database.write((writer) => jobs.addOnce(writer, { ...job, due_ms: job.due_ms + delay_ms }));
    calls.isQueued = true;
    jobs.wake();
  }

  async #processNow(audience: AudienceName): Promise<void> {
    const { clock, database, jobs } = this.#services;
    const place = await (audience.id === NEW ? this.#places.forNew() : this.#places.of(audience));
    const job = { ...this.#job(subjectOf(audience, audience.id), place), due_ms: clock.now() };
    await database.write((writer) => jobs.put(writer, job));
    jobs.wake();
  }

  get #delay_ms(): number {
    return DELAY_MS[this.#services.profile];
  }

  #job(subject: string, place: string) {
    return { kind: kindAt(PROCESS, place), subject, due_ms: this.#services.clock.now() + this.#delay_ms };
  }

  /** Read after the call was counted: a job that ends meanwhile sees the call, and leaves the column as it is. */
  async #mark(audience: AudienceName): Promise<void> {
    const account = this.#account(audience);
    const found = await this.#find(account, audience.id);
    if (found && !found.row.processing) await this.#set(account, found, () => ({ processing: true }));
  }

  async #recount(subject: string, report: Report): Promise<((writer: Writer) => Promise<void>) | undefined> {
    const audience = audienceOf(subject);
    if (!audience) return undefined;
    const again = await this.#count(audience, () => this.#calls.has(subject), 'as before', report);
    return again && (async (writer) => this.#services.jobs.put(writer, again));
  }

  async #run(subject: string, report: Report): Promise<((writer: Writer) => Promise<void>) | undefined> {
    const audience = audienceOf(subject);
    if (!audience) return undefined;
    if (audience.id !== NEW && this.#places.isElsewhere(await this.#places.look(audience))) {
      await this.#processNow(audience);
      return undefined;
    }
    const calls = this.#callsOf(subject);
    calls.isQueued = true;
    const isQuiet = calls.begun === calls.ended;
    const { begun } = calls;
    const isMore = () => !isQuiet || calls.begun !== begun;
    const recounts = await (audience.id === NEW
      ? this.#processNew(audience, report)
      : this.#process(audience, isMore, report));
    return async (writer) => {
      for (const job of [recounts ?? []].flat()) await this.#services.jobs.put(writer, job);
      if (isMore()) {
        await this.#services.jobs.addOnce(writer, this.#job(subject, this.#places.own));
      } else {
        calls.isQueued = false;
        this.#forget(subject, calls);
      }
    };
  }

  async #processNew(account: AccountName, report: Report): Promise<NewJob[]> {
    const { jobs } = this.#services;
    const recounts: NewJob[] = [];
    const store = this.#account(account);
    const isGone = await isDeleted(store);
    for (const entity of this.#kinds) {
      for (const row of await store.of(entity).every({ with_deleted: isGone })) {
        const subject = subjectOf(account, row.id);
        if (!isGone && !row.processing) continue;
        const place = await this.#places.of({ ...account, id: row.id });
        if (!isGone && (await jobs.has(kindAt(PROCESS, place), subject))) continue;
        if (this.#places.isElsewhere(place)) {
          await this.#processNow({ ...account, id: row.id });
          continue;
        }
        const recount = await this.#process({ ...account, id: row.id }, () => this.#calls.has(subject), report);
        if (recount) recounts.push(recount);
      }
    }
    return recounts;
  }

  /** Counts an audience, and has those processed that consist of it. @returns a job that counts it again later */
  async #process(audience: AudienceName, isMore: () => boolean, report: Report): Promise<NewJob | undefined> {
    const recount = await this.#count(audience, isMore, 'anew', report);
    // Flexible audiences over it may be in accounts that it is shared with.
    for (const follower of await this.#services.ads[audience.environment].audiencesOver(
      audience.id,
      audience.account_id,
    )) {
      const name = { environment: audience.environment, ...follower };
      await this.intake(name, () => this.#processNow(name));
    }
    return recount;
  }

  /**
   * Counts an audience, or removes the members of one that was deleted, by itself or with its account.
   * @param blur whether what other accounts see is blurred anew: if that followed from the members, an upload that changed
   *   nothing would be seen to have changed nothing
   */
  async #count(
    audience: AudienceName,
    isMore: () => boolean,
    blur: 'anew' | 'as before',
    report: Report,
  ): Promise<NewJob | undefined> {
    const { clock, key, members } = this.#services;
    const account = this.#account(audience);
    const found = await this.#find(account, audience.id);
    if (!found) return undefined;
    const { row } = found;
    if (row.deleted || (await isDeleted(account))) {
      if (!row.segments) await members.drop(memberKey(audience.environment, row.id));
      return undefined;
    }
    const tree = memberTree(audience.environment, row);
    for (const { audience: leaf } of leavesOf(tree)) await members.settle(leaf);
    const { count, until_s } = await members.countActive(tree);
    const share = shareOf(key, [subjectOf(audience, row.id), `${clock.now()}`]);
    const offset = blur === 'anew' ? blurOf(count, share, SMALLEST_TARGETABLE) : (row.size_offset ?? 0);
    // Not even the owner of a flexible audience learns exactly how many people of somebody else's audience are in it.
    const matched_count = (await this.#isOver(account, row)) ? Math.max(0, count + offset) : count;
    const shared = row.size_offset === undefined ? {} : { size_offset: offset };
    await this.#set(account, found, () => ({ processing: isMore(), matched_count, ...shared }));
    const { environment, account_id, id } = audience;
    const what = blur === 'anew' ? 'AUDIENCE_PROCESSED' : 'AUDIENCE_RECOUNTED';
    report({ what, id, account_id, environment });
    return until_s === undefined ? undefined : this.#recountJob(audience, until_s * 1000);
  }

  /** Returns whether an audience consists of audiences of other accounts. */
  async #isOver(account: AccountStore, row: ProcessedRow): Promise<boolean> {
    for (const id of leafIdsOf(row)) if (!(await this.#find(account, id))) return true;
    return false;
  }

  #recountJob(audience: AudienceName, until_ms: number): NewJob {
    const due_ms = Math.max(until_ms, this.#services.clock.now() + Math.max(RECOUNT_MS, this.#delay_ms));
    return { kind: kindAt(RECOUNT, this.#places.own), subject: subjectOf(audience, audience.id), due_ms };
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

type Report = Parameters<JobHandler>[2];

interface Found {
  readonly entity: ProcessedEntity;
  readonly row: ProcessedRow;
}
