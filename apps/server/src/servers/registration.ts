/**
 * The place of a process among the servers of a platform: a number from 0 to 1023 under a lease, which no other process has at the same time.
 * The number is part of the ids that the process hands out. See ADR 0027.
 *
 * The lease ends by the clock of the store, and is prolonged long before. A process that could not prolong it knows that from the time that
 * has passed since it last tried with success, so it has stopped to write before the store would give its number to another one.
 */
import { hostname } from 'node:os';
import type { Database, Writer } from '../db/database.ts';
import { type Clock, type WallClock, wallClock } from '../world/clock.ts';
import { randomText, systemRandom } from '../world/random.ts';
import { LeaseEndedError, SeveralServersError } from './errors.ts';
import { LEASE_MS, Leases } from './leases.ts';
import { endLeasesOf, endServer, listServers, putServer, renewServer } from './store.ts';

/** Numbers that there are: ten bits of an id. */
const WORKERS = 1024;

/** A lease is prolonged after this time, and a failed attempt is repeated sooner. */
const RENEW_MS = LEASE_MS / 3;
const RETRY_MS = 1_000;

/** Ids are of a time that is this much ahead at most, until which the lease has to be prolonged. */
const IDS_AHEAD_MS = LEASE_MS + 5_000;
/** So much is there at least after the last id, where the clock was set back: some 20 million ids. */
const SPARE_MS = 5_000;

/** How a process takes part. */
interface Participation {
  /** It answers clients; otherwise it is a command that works in the stores. */
  readonly serves: boolean;
  /** It has state in common with other servers. */
  readonly shares: boolean;
}

interface Options extends Participation {
  readonly database: Database;
  /** The place of its data directory. */
  readonly place: string;
  readonly wall?: WallClock | undefined;
}

type Known = Awaited<ReturnType<(typeof listServers)['all']>>[number];

export class Registration {
  /** Of this process. */
  readonly id = randomText(systemRandom, 22);
  readonly leases: Leases;
  readonly #options: Options;
  readonly #wall: WallClock;
  /** The clock of ids. */
  #clock: Clock;
  #worker = -1;
  #idsFrom_ms = 0;
  #idsUntil_ms = 0;
  #lastId_ms = 0;
  /** When the lease was last prolonged, by both clocks of the machine: either may be the one that goes wrong. */
  #renewed: { readonly now_ms: number; readonly elapsed_ms: number } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #renewing: Promise<void> | undefined;
  #cause: unknown;
  #ended = false;
  #isReported = false;
  #onProblem: ((problem: LeaseEndedError | undefined) => void) | undefined;

  private constructor(options: Options) {
    this.#options = options;
    this.#wall = options.wall ?? wallClock;
    this.#clock = this.#wall;
    this.leases = new Leases(options.database, this.id);
  }

  /**
   * Takes the lowest free number.
   * @throws SeveralServersError where it would serve beside another server without knowing of it; nothing is changed then
   */
  static async take(options: Options): Promise<Registration> {
    const registration = new Registration(options);
    await registration.#hold((writer, until_ms) => registration.#take(writer, until_ms));
    registration.#schedule(RENEW_MS);
    return registration;
  }

  /** The number. */
  get worker(): number {
    return this.#worker;
  }

  /** All ids of earlier processes with the number are of this millisecond at most. */
  get idsFrom_ms(): number {
    return this.#idsFrom_ms;
  }

  /** Has ids follow another clock from now on than the machine's. */
  async follow(clock: Clock): Promise<void> {
    this.#clock = clock;
    if (clock.now() + LEASE_MS > this.#idsUntil_ms) await this.renew();
  }

  /** Why nothing may be written at the moment. */
  get problem(): LeaseEndedError | undefined {
    const renewed = this.#renewed;
    const isHeld =
      renewed !== undefined &&
      this.#wall.now() - renewed.now_ms < LEASE_MS &&
      this.#wall.elapsed() - renewed.elapsed_ms < LEASE_MS;
    if (isHeld) return undefined;
    void this.renew();
    const problem = new LeaseEndedError(this.#cause);
    if (!this.#isReported) this.#onProblem?.(problem);
    this.#isReported = true;
    return problem;
  }

  /**
   * Checks that an id may be handed out.
   * @param ms its time
   * @throws LeaseEndedError
   */
  check(ms: number): void {
    const { problem } = this;
    if (problem !== undefined) throw problem;
    // The clock of the world was set, or very many ids were used.
    if (ms > this.#idsUntil_ms - SPARE_MS / 2) void this.renew();
    if (ms > this.#idsUntil_ms) throw new LeaseEndedError();
    this.#lastId_ms = ms;
  }

  /** Reports when writes begin to be rejected, and `undefined` when they are taken again. */
  onProblem(report: (problem: LeaseEndedError | undefined) => void): void {
    this.#onProblem = report;
  }

  /** Prolongs the lease, or takes a number again if it ended. Never rejects: it is tried again. */
  renew(): Promise<void> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  /** Gives the number back. Nothing is written afterwards. */
  async leave(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#timer);
    await this.#renewing;
    const { id, worker } = this;
    const ids_until_ms = Math.max(this.#idsFrom_ms, this.#lastId_ms);
    this.#renewed = undefined;
    await this.#options.database
      .write(
        async (writer) => {
          await endServer.run(writer, { id, worker, ids_until_ms });
          await endLeasesOf.run(writer, { owner: id });
        },
        { unguarded: true },
      )
      // The lease ends by itself.
      .catch(() => {});
  }

  async #renew(): Promise<void> {
    if (this.#ended) return;
    try {
      await this.#hold((writer, until_ms) => this.#prolong(writer, until_ms));
      this.#schedule(RENEW_MS);
    } catch (error) {
      this.#cause = error;
      this.#schedule(RETRY_MS);
    }
  }

  /** Runs a write after which the lease goes on from now. */
  async #hold(write: (writer: Writer, until_ms: number) => Promise<number>): Promise<void> {
    const began = { now_ms: this.#wall.now(), elapsed_ms: this.#wall.elapsed() };
    const until_ms = Math.max(this.#clock.now() + IDS_AHEAD_MS, this.#lastId_ms + SPARE_MS);
    this.#idsUntil_ms = await this.#options.database.write((writer) => write(writer, until_ms), { unguarded: true });
    this.#renewed = began;
    if (this.#isReported) this.#onProblem?.(undefined);
    this.#isReported = false;
  }

  /** @returns the time until which ids may be handed out */
  async #prolong(writer: Writer, until_ms: number): Promise<number> {
    const { id, worker } = this;
    const ids_until_ms = Math.max(until_ms, this.#idsUntil_ms);
    const prolonged = await renewServer.run(writer, { id, worker, lease_ms: LEASE_MS, ids_until_ms });
    await this.leases.renew(writer);
    return prolonged > 0 ? ids_until_ms : this.#take(writer, until_ms);
  }

  /** @returns the time until which ids may be handed out */
  async #take(writer: Writer, until_ms: number): Promise<number> {
    const { place, serves, shares } = this.#options;
    const known = await listServers.all(writer);
    const live = known.filter((server) => server.isLive && server.place !== place);
    // Those of an earlier process of the place are nobody's by now.
    for (const gone of known) {
      if (gone.place === place && gone.id !== this.id) await endLeasesOf.run(writer, { owner: gone.id });
    }
    if (serves) refuseBeside(live, shares);
    const taken = new Set(live.map(({ worker }) => worker));
    const worker = Array.from({ length: WORKERS }, (_, number) => number).find((number) => !taken.has(number));
    if (worker === undefined)
      throw new SeveralServersError(`The platform has ${WORKERS} servers, which is all that it can have.`);
    const before = known.find((server) => server.worker === worker)?.ids_until_ms ?? 0;
    const ids_until_ms = Math.max(before + SPARE_MS, until_ms);
    await putServer.run(writer, {
      worker,
      id: this.id,
      place,
      host: hostname(),
      pid: process.pid,
      started_at: new Date(this.#wall.now()).toISOString(),
      serves,
      shares,
      lease_ms: LEASE_MS,
      ids_until_ms,
    });
    this.#worker = worker;
    this.#idsFrom_ms = before;
    return ids_until_ms;
  }

  #schedule(ms: number): void {
    if (this.#ended) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.renew(), ms).unref();
  }
}

/** @throws SeveralServersError if one of the servers and this one do not share their state */
function refuseBeside(live: readonly Known[], shares: boolean): void {
  const alone = live.find((server) => server.serves && !(shares && server.shares));
  if (alone === undefined) return;
  const who = `Another server (number ${alone.worker}, process ${alone.pid} on ${alone.host}) has this platform`;
  throw new SeveralServersError(
    shares
      ? `${who} and shares nothing with others: start it again with the same BROADSIDE_SHARED_URL first.`
      : `${who}: give both the same BROADSIDE_SHARED_URL, by which they count requests together, or stop it.`,
  );
}
