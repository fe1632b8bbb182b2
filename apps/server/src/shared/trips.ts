/**
 * The trips to Redis that requests wait for before anything else: one for all of a turn of the event loop, with the nonces that are
 * used up in it, and the generations of what the server remembers.
 */
import { type NonceOwner, nonceDigest } from '../auth/nonce-digest.ts';
import type { Database } from '../db/database.ts';
import { randomText, systemRandom } from '../world/random.ts';
import type { Freshness } from './freshness.ts';
import type { RedisLink } from './redis-link.ts';
import type { RedisMarks } from './redis-marks.ts';
import { BUCKET_SECONDS, nonceResults, reserveScript, settleScript, tripScript } from './redis-scripts.ts';
import { reservedUntil, reserveUntil } from './reserved-nonces.ts';
import { type CountWith, SharedStateError, type WindowOf } from './shared-state.ts';
import { readTrip, type Trip } from './trip-reply.ts';

/** Timestamps are reserved so far ahead: at most one write of the store in this time. */
const AHEAD_SECONDS = 30;
/** Trips of one turn; more than that many epochs do not begin in one. */
const MOST_TRIPS = 5;

/** A use of a nonce that waits for its answer. */
interface Use {
  readonly timestamp: number;
  readonly digest: string;
  readonly count: CountNow | undefined;
  readonly resolve: (isNew: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** Windows to count in, and the generations of what they follow from. */
interface CountNow extends CountWith {
  readonly generations: readonly [identities: string, subject: string];
}

interface Turn {
  readonly uses: Use[];
  readonly done: Promise<void>;
}

/** Things that trips are made with. */
interface TripServices {
  readonly link: RedisLink;
  /** Gives the name of a key of the platform. */
  readonly key: (name: string) => string;
  readonly database: Database;
  readonly nowSeconds: () => number;
  readonly freshness: Freshness;
  readonly marks: RedisMarks;
}

/** See the top of this file. */
export class Trips {
  readonly #services: TripServices;
  #turn: Turn | undefined;

  constructor(services: TripServices) {
    this.#services = services;
  }

  /** Uses up a nonce. @returns false when it was used before @throws SharedStateError when that is not known */
  use(owner: NonceOwner, timestamp: number, nonce: string, counting?: CountWith): Promise<boolean> {
    const digest = nonceDigest(owner, timestamp, nonce);
    const count = counting && this.#countNow(counting);
    return new Promise((resolve, reject) => {
      const turn = this.#join();
      turn.uses.push({ timestamp, digest, count, resolve, reject });
      turn.done.catch(reject);
    });
  }

  /** Makes a trip without a nonce. */
  freshen(): Promise<void> {
    return this.#join().done;
  }

  /** The generations are taken now, as the windows follow from what is remembered now. */
  #countNow(counting: CountWith): CountNow | undefined {
    const { freshness } = this.#services;
    const [identities, subject] = [freshness.of('identities'), freshness.of(counting.subject)];
    if (identities === undefined || subject === undefined || counting.windows.length === 0) return undefined;
    return { ...counting, generations: [identities, subject] };
  }

  #join(): Turn {
    if (this.#turn) return this.#turn;
    const uses: Use[] = [];
    const done = new Promise<void>((resolve, reject) => {
      // After the ready sockets have been read, before the loop waits again.
      setImmediate(() => {
        this.#turn = undefined;
        this.#travel(uses).then(resolve, reject);
      });
    });
    this.#turn = { uses, done };
    return this.#turn;
  }

  /** Makes trips until each use has an answer. */
  async #travel(uses: readonly Use[]): Promise<void> {
    let left = uses;
    for (let count = 0; count < MOST_TRIPS; count++) {
      const trip = await this.#trip(left);
      if (trip.kind === 'settle') {
        await this.#settle(trip.epoch);
        continue;
      }
      this.#services.freshness.note(trip);
      const results = trip.results.values();
      left = left.filter((use) => !answer(use, results, trip.now_ms));
      if (left.length === 0) return;
      await this.#reserve(trip.epoch, left);
    }
    throw new SharedStateError('The state that servers share loses its memory again and again.');
  }

  async #trip(uses: readonly Use[]): Promise<Trip> {
    const { link, key, marks } = this.#services;
    const keys = [key('epoch'), key('generations'), key('flux')];
    const args = [link.runId, randomText(systemRandom, 22)];
    for (const { timestamp, digest, count } of uses) {
      const windows = count?.windows ?? [];
      keys.push(key(`nonces ${Math.floor(timestamp / BUCKET_SECONDS)}`), ...windows.map((one) => key(limitName(one))));
      args.push(`${timestamp}`, digest, `${windows.length}`);
      if (count) args.push(count.subject, ...count.generations, ...windows.map(({ window_ms }) => `${window_ms}`));
    }
    // In the same round trip, where there are replicas.
    const written = marks.ask();
    const trip = readTrip(await link.evaluate(tripScript, keys, args));
    if (written !== undefined) await marks.learn(written);
    return trip;
  }

  /** The store is read after the epoch was begun, so it has all that was accepted before. */
  async #settle(epoch: string): Promise<void> {
    const { link, key, database } = this.#services;
    const floor = await reservedUntil(database);
    await link.evaluate(settleScript, [key('epoch')], [epoch, `${floor}`]);
  }

  async #reserve(epoch: string, uses: readonly Use[]): Promise<void> {
    const { link, key, database, nowSeconds } = this.#services;
    const until = Math.max(nowSeconds(), ...uses.map(({ timestamp }) => timestamp)) + AHEAD_SECONDS;
    await reserveUntil(database, until);
    await link.evaluate(reserveScript, [key('epoch')], [epoch, `${until}`]);
  }
}

/** The name of the key of a window. */
export function limitName({ key }: WindowOf): string {
  return `limit ${key}`;
}

/**
 * @param results those of the trip, from the use on
 * @returns false where there is no answer yet
 */
function answer({ resolve, reject, timestamp, count }: Use, results: Iterator<number>, now_ms: number): boolean {
  const next = (): number | undefined => results.next().value;
  const result = next();
  if (count && next() === 1) {
    count.counted(count.windows.map(() => ({ count: next() ?? 0, reset_ms: next() ?? 0, now_ms })));
  }
  if (result === nonceResults.unreserved) return false;
  if (result === nonceResults.new || result === nonceResults.used) resolve(result === nonceResults.new);
  else if (result === nonceResults.forgotten) reject(forgotten(timestamp));
  else reject(new SharedStateError('The clocks of this server and of Redis (BROADSIDE_SHARED_URL) are minutes apart.'));
  return true;
}

function forgotten(timestamp: number): SharedStateError {
  return new SharedStateError(
    `The memory of used nonces was lost, so a request of ${new Date(timestamp * 1000).toISOString()} may be a repetition.`,
    { said: 'Whether this request was received before is not known any more; sign it again in half a minute' },
  );
}
