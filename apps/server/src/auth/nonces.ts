/**
 * Records the nonces of accepted requests, so that a replayed request is rejected (RFC 5849 section 3.3), also after a
 * restart, a crash of the process or a loss of power, without waiting for the disk on each read.
 *
 * In memory, nonces are in buckets by timestamp, and a bucket whose timestamps have all left the window is dropped as a whole.
 * On disk each accepted nonce is one line, written with `write()` and no sync: once written it is in the kernel, and survives
 * the death of this process. Those that are accepted in one turn of the event loop share a call. Two files are used in turn,
 * so the log holds minutes rather than months.
 *
 * Only a power loss can take written lines back. The log therefore records, synced to disk, in which boot of the kernel it
 * was opened and whether it was closed cleanly. When it finds another boot and no clean close, lines may be missing, and
 * every timestamp that could have been accepted before is rejected: those up to the instant of opening, and those ahead of
 * the clock up to a limit that is synced before the first of them is accepted.
 *
 * One process owns a log. Detecting replays across processes needs a shared registry.
 */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { TIMESTAMP_WINDOW_SECONDS } from '@broadside/core/auth';
import { NonceLog, type NonceRecord } from './nonce-log.ts';

/** Owner of the nonce: nonces are unique for a consumer and token together (RFC 5849 section 3.3). */
export interface NonceOwner {
  readonly consumerKey: string;
  readonly token: string | undefined;
}

/** Options of a {@link NonceRegistry}. */
export interface NonceRegistryOptions {
  /** The clock by which timestamps are judged: wall time in seconds, since clients sign with theirs. */
  readonly nowSeconds: () => number;
  /** Directory of the log, created when missing. Without one, nothing survives the registry. */
  readonly directory?: string | undefined;
  /** Largest difference between a timestamp and the clock, in seconds. Default 300. */
  readonly windowSeconds?: number | undefined;
  /** Returns the id of the kernel's current boot; `undefined` where that is unknown, which counts as another boot each time. */
  readonly bootId?: (() => string | undefined) | undefined;
  /** A log file of this size is replaced by the other one, as soon as everything in the other one has expired. */
  readonly rotateBytes?: number | undefined;
}

const BUCKET_SECONDS = 60;
const ROTATE_BYTES = 256 * 1024;
/** Seconds that a synced limit reserves ahead of the clock: at most one sync in this time. */
const AHEAD_SECONDS = 30;
/** The boot id of a Linux kernel; `undefined` on other systems. */
function linuxBootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim() || undefined;
  } catch {
    return undefined;
  }
}

/** See the top of this file. Created by {@link NonceRegistry.open}. */
export class NonceRegistry {
  readonly #now: () => number;
  readonly #window: number;
  readonly #buckets = new Map<number, Set<string>>();
  /** Timestamps up to here are rejected: their bucket was dropped, or lines about them may have been lost. */
  #notBefore = 0;
  /** Buckets below this one have been dropped. */
  #firstBucket = 0;
  /** If power is lost, timestamps up to here will be rejected: synced before any ahead of the clock is accepted. */
  #aheadLimit = 0;
  readonly #log: NonceLog | undefined;
  /** Uses accepted in this turn of the event loop and not written yet. */
  #turn: Turn | undefined;

  /**
   * Opens the registry, and reads its log if it has one.
   *
   * @throws the file system's error when the directory or a file cannot be created, read or written
   */
  static open(options: NonceRegistryOptions): NonceRegistry {
    return new NonceRegistry(options);
  }

  private constructor(options: NonceRegistryOptions) {
    this.#now = options.nowSeconds;
    this.#window = options.windowSeconds ?? TIMESTAMP_WINDOW_SECONDS;
    if (options.directory === undefined) return;
    const bootId = (options.bootId ?? linuxBootId)();
    const now = Math.floor(this.#now());
    const latest = now + this.#window + AHEAD_SECONDS;
    const log = new NonceLog(options.directory, bootId, options.rotateBytes ?? ROTATE_BYTES, latest);
    this.#log = log;
    const oldest = now - this.#window;
    this.#aheadLimit = log.contents.aheadLimit;
    this.#notBefore = log.contents.floor;
    if (log.contents.linesMayBeLost) this.#notBefore = Math.max(this.#notBefore, now, this.#aheadLimit);
    for (const [timestamp, digest] of log.contents.records) {
      if (timestamp >= oldest) this.#bucket(timestamp).add(digest);
    }
    this.#forgetExpired(now);
    // The lines were read; those that matter are in the buckets now.
    log.contents.records.length = 0;
    log.begin(this.#notBefore, this.#aheadLimit);
  }

  /** The number of nonces in memory. */
  get size(): number {
    let size = 0;
    for (const bucket of this.#buckets.values()) size += bucket.size;
    return size;
  }

  /** The latest timestamp that is rejected regardless of the nonce. */
  get notBefore(): number {
    return this.#notBefore;
  }

  /**
   * Uses up a nonce. Synchronous, so that exactly one of several simultaneous copies of a request wins. Call it only after the
   * signature was verified, or attackers could use up the nonces of others.
   *
   * @param owner consumer key and token, decoded
   * @param timestamp `oauth_timestamp`
   * @param nonce `oauth_nonce`, decoded
   * @returns true once; false when it was used before, and when that is no longer known because the timestamp is
   *   outside the window or not after {@link notBefore}
   * @throws the file system's error when the nonce cannot be logged (disk full): then it is not used up, and the
   *   request must not be served
   */
  consume(owner: NonceOwner, timestamp: number, nonce: string): boolean {
    const now = Math.floor(this.#now());
    const digest = this.#unused(owner, timestamp, nonce, now);
    if (digest === undefined) return false;
    this.#log?.record([[timestamp, digest]], now - this.#window, this.#notBefore, this.#aheadLimit);
    this.#bucket(timestamp).add(digest);
    return true;
  }

  /**
   * Uses up a nonce like {@link consume}, for servers with many simultaneous requests: the uses of one turn of the event
   * loop are logged together. Exactly one of several copies wins, whether they arrive in one turn or in several.
   *
   * @returns resolves once the nonce is logged; until then the request must not be served
   */
  accept(owner: NonceOwner, timestamp: number, nonce: string): boolean | Promise<boolean> {
    const log = this.#log;
    if (log === undefined) return this.consume(owner, timestamp, nonce);
    const now = Math.floor(this.#now());
    const digest = this.#unused(owner, timestamp, nonce, now);
    if (digest === undefined) return false;
    this.#bucket(timestamp).add(digest);
    this.#turn ??= this.#beginTurn();
    this.#turn.records.push([timestamp, digest]);
    return this.#turn.written;
  }

  #beginTurn(): Turn {
    const records: NonceRecord[] = [];
    const written = new Promise<boolean>((resolve, reject) => {
      // After the ready sockets have been read, before the loop waits again.
      setImmediate(() => {
        try {
          this.#writeTurn();
          resolve(true);
        } catch (error) {
          reject(error);
        }
      });
    });
    return { records, written };
  }

  #writeTurn(): void {
    const records = this.#turn?.records ?? [];
    this.#turn = undefined;
    if (records.length === 0) return;
    const oldest = Math.floor(this.#now()) - this.#window;
    try {
      this.#log?.record(records, oldest, this.#notBefore, this.#aheadLimit);
    } catch (error) {
      // None of them is served, so each may be retried.
      for (const [timestamp, digest] of records) this.#bucket(timestamp).delete(digest);
      throw error;
    }
  }

  /** Returns the key of a use that is still possible, having reserved room ahead of the clock; `undefined` otherwise. */
  #unused(owner: NonceOwner, timestamp: number, nonce: string, now: number): string | undefined {
    this.#forgetExpired(now);
    if (Math.abs(timestamp - now) > this.#window || timestamp <= this.#notBefore) return undefined;
    const digest = nonceDigest(owner, timestamp, nonce);
    if (this.#bucket(timestamp).has(digest)) return undefined;
    if (this.#log !== undefined && timestamp > now && timestamp > this.#aheadLimit) {
      const limit = timestamp + AHEAD_SECONDS;
      this.#log.limitAhead(limit);
      this.#aheadLimit = limit;
    }
    return digest;
  }

  /**
   * Marks the log as complete and closes it; nothing may be consumed afterwards. Idempotent.
   *
   * @throws the file system's error when the log cannot be synced
   */
  close(): void {
    this.#writeTurn();
    this.#log?.close();
  }

  #bucket(timestamp: number): Set<string> {
    const index = Math.floor(timestamp / BUCKET_SECONDS);
    let bucket = this.#buckets.get(index);
    if (bucket === undefined) {
      bucket = new Set();
      this.#buckets.set(index, bucket);
    }
    return bucket;
  }

  /**
   * Drops buckets that have left the window. Dropped timestamps stay rejected, even if the clock is set back; but when it is
   * set back so far that nothing could be accepted any more, the rejected range is cut to what could have been accepted
   * before under the current clock.
   */
  #forgetExpired(now: number): void {
    const first = Math.floor((now - this.#window) / BUCKET_SECONDS);
    if (first > this.#firstBucket) {
      this.#firstBucket = first;
      for (const index of this.#buckets.keys()) if (index < first) this.#buckets.delete(index);
      this.#notBefore = Math.max(this.#notBefore, first * BUCKET_SECONDS - 1);
    } else if (this.#notBefore > now + this.#window) {
      this.#notBefore = now + this.#window;
      this.#firstBucket = first;
    }
  }
}

/**
 * Identifies a use of a nonce by 128 bits of SHA-256. Each part is hashed with its length, so that different consumer keys,
 * tokens and nonces never concatenate to the same text.
 */
function nonceDigest(owner: NonceOwner, timestamp: number, nonce: string): string {
  const { consumerKey, token = '' } = owner;
  const use = `${timestamp} ${consumerKey.length} ${consumerKey} ${token.length} ${token} ${nonce}`;
  return hash('sha256', use, 'base64url').slice(0, 22);
}

/** The uses of one turn of the event loop. */
interface Turn {
  readonly records: NonceRecord[];
  readonly written: Promise<boolean>;
}
