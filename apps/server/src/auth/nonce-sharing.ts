/**
 * The main thread's side of nonces that other threads use up too. It opens buckets in the shared memory with all that is known
 * of them, and grants the other threads what they may accept by themselves.
 */
import type { NonceGrant } from '../threads/nonce-grant.ts';
import { BUCKET_SECONDS, type SharedNonces } from '../threads/shared-nonces.ts';
import { DIGEST_LENGTH } from './nonce-digest.ts';
import type { NonceRecord } from './nonce-file.ts';
import { type TimeRange, TimeRanges } from './time-ranges.ts';
import type { UsedNonces } from './used-nonces.ts';

/** Memory that the threads of a server share for nonces. */
export interface SharedNonceState {
  readonly nonces: SharedNonces;
  readonly grant: NonceGrant;
}

/**
 * Nonces that a thread has written to the log, for the main thread to know them too. They are two values, since copying an object
 * for each from thread to thread would cost more than the rest.
 */
export interface WrittenNonces {
  /** The number of the log file. */
  readonly sequence: number;
  readonly timestamps: readonly number[];
  /** One after the other. */
  readonly digests: string;
  readonly bytes: number;
}

/** Nonces in the form in which one thread hands them to another. */
export function packedRecords(records: readonly NonceRecord[]): Pick<WrittenNonces, 'timestamps' | 'digests'> {
  return {
    timestamps: records.map(([timestamp]) => timestamp),
    digests: records.map(([, digest]) => digest).join(''),
  };
}

/** The nonces that a thread has written, one by one. */
export function* writtenRecords({ timestamps, digests }: WrittenNonces): Generator<NonceRecord> {
  for (const [index, timestamp] of timestamps.entries()) {
    yield [timestamp, digests.slice(index * DIGEST_LENGTH, (index + 1) * DIGEST_LENGTH)];
  }
}

/** The timestamps that the log of a registry allows. */
export interface Grantable {
  /** The window around the clock, in seconds. */
  readonly from: number;
  readonly to: number;
  readonly now: number;
  readonly reserved: TimeRanges;
  readonly expired: TimeRanges;
  /** The number of the log's file; `undefined` while it cannot be written. */
  readonly sequence: number | undefined;
}

/** Time for which a bucket that was closed takes nothing: what was used in it may still be on its way to this thread. */
const SETTLING_MS = 15_000;

export class NonceSharing {
  readonly #nonces: SharedNonces;
  readonly #grant: NonceGrant;
  readonly #used: UsedNonces;
  readonly #elapsed: () => number;
  /** When buckets were closed lately, in elapsed milliseconds. */
  readonly #closed = new Map<number, number>();
  /** Timestamps of nonces that a thread may have used without this thread knowing, because it ended. */
  #uncertain = new TimeRanges();

  constructor({ nonces, grant }: SharedNonceState, used: UsedNonces, elapsed: () => number) {
    this.#nonces = nonces;
    this.#grant = grant;
    this.#used = used;
    this.#elapsed = elapsed;
  }

  /** Uses up a nonce that this thread does not know. @returns false when another thread has used it, or may have */
  claim(timestamp: number, digest: string): boolean {
    const bucket = Math.floor(timestamp / BUCKET_SECONDS);
    if (!this.#nonces.isOpen(bucket)) {
      if (this.#isSettling(bucket)) return false;
      this.#open(bucket);
    }
    // Where no place is left for it no other thread finds one, and those of this thread are known.
    return this.#nonces.claim(timestamp, digest) !== 'used';
  }

  /** Returns whether a thread has used a nonce. */
  isUsed(timestamp: number, digest: string): boolean {
    return this.#nonces.isUsed(timestamp, digest);
  }

  giveBack(timestamp: number, digest: string): void {
    this.#nonces.giveBack(timestamp, digest);
  }

  /** Returns whether other threads accept a timestamp by themselves. */
  covers(timestamp: number): boolean {
    return this.#grant.covers(timestamp);
  }

  /** Grants other threads what the log allows at present. */
  publish(grantable: Grantable): void {
    const { sequence } = grantable;
    const range = sequence === undefined ? undefined : this.#grantableRange(grantable);
    if (range === undefined || sequence === undefined) this.#grant.withdraw();
    else this.#grant.publish(...range, sequence);
  }

  #grantableRange({ from, to, now, reserved, expired }: Grantable): TimeRange | undefined {
    const range = reserved.ranges.find(([first, last]) => first <= now && now <= last);
    if (range === undefined || expired.has(now)) return undefined;
    let [first, last] = [Math.max(from, range[0]), Math.min(to, range[1])];
    for (const [begin, end] of expired.ranges) {
      if (end < now) first = Math.max(first, end + 1);
      else if (begin > now) last = Math.min(last, begin - 1);
    }
    for (let bucket = Math.floor(first / BUCKET_SECONDS); bucket <= Math.floor(last / BUCKET_SECONDS); bucket++) {
      if (this.#nonces.isOpen(bucket)) continue;
      if (this.#isSettling(bucket)) return undefined;
      this.#open(bucket);
    }
    return [first, last];
  }

  /** A thread ended, and with it perhaps what it had not reported. */
  lost(from: number, to: number): void {
    this.#uncertain.add(from, to);
  }

  /** The timestamps up to a time of which nonces may be unknown: these have to be rejected from now on. */
  takeUncertain(until: number): TimeRanges {
    const taken = new TimeRanges();
    const kept = new TimeRanges();
    for (const [from, to] of this.#uncertain.ranges) {
      if (from <= until) taken.add(from, Math.min(to, until));
      if (to > until) kept.add(Math.max(from, until + 1), to);
    }
    this.#uncertain = kept;
    return taken;
  }

  close(): void {
    this.#grant.withdraw();
  }

  #open(bucket: number): void {
    const from = bucket * BUCKET_SECONDS;
    const before = this.#nonces.open(bucket, this.#used.digestsOf(from, from + BUCKET_SECONDS - 1));
    // Nobody asks again for most of them: their timestamps have passed.
    for (const closed of this.#closed.keys()) if (!this.#isSettling(closed)) this.#closed.delete(closed);
    if (before !== undefined) this.#closed.set(before, this.#elapsed());
  }

  /** The number of closed buckets whose time is kept. For tests. */
  get closed(): number {
    return this.#closed.size;
  }

  #isSettling(bucket: number): boolean {
    const at = this.#closed.get(bucket);
    return at !== undefined && this.#elapsed() - at < SETTLING_MS;
  }
}
