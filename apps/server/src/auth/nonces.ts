/**
 * Remembers the nonces of accepted requests, so that a copied request is refused (RFC 5849 section 3.3), also after a
 * restart, a crash of the process or a loss of power, without waiting for the disk on each read.
 *
 * In memory nonces lie in buckets by timestamp, and a bucket whose timestamps have all left the window is dropped whole.
 * On disk each accepted nonce is one line, written with `write()` and no sync: once written it is the kernel's, and
 * the death of this process does not touch it. Those that are accepted in one turn of the event loop share a call. Two files take turns, so the log holds minutes and not months.
 *
 * Only a loss of power can take written lines back. The log therefore says, synced to disk, in which boot of the kernel it
 * was opened and whether it was closed in order. When it finds another boot and no orderly close, lines may be missing, and
 * every timestamp that could have been accepted before is refused: those up to the instant of opening, and those ahead of
 * the clock up to a limit that is put on disk before the first of them is accepted.
 *
 * One process owns a log. Replays between several processes need a registry that they share.
 */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { TIMESTAMP_WINDOW_SECONDS } from '@broadside/core/auth';
import { NonceLog, type NonceRecord } from './nonce-log.ts';

/** Whose nonce it is: nonces are unique for a consumer and token together (RFC 5849 section 3.3). */
export interface NonceOwner {
  readonly consumerKey: string;
  readonly token: string | undefined;
}

/** What a {@link NonceRegistry} is made of. */
export interface NonceRegistryOptions {
  /** The clock by which timestamps are judged: wall time in seconds, since clients sign with theirs. */
  readonly nowSeconds: () => number;
  /** Folder of the log, made when it is missing. Without one nothing outlives the registry. */
  readonly directory?: string | undefined;
  /** How far a timestamp may lie from the clock. Default 300. */
  readonly windowSeconds?: number | undefined;
  /** Names the kernel's present boot; `undefined` where that cannot be known, which counts as another boot each time. */
  readonly bootId?: (() => string | undefined) | undefined;
  /** A log file of this size is left for the other one, as soon as all that the other one holds has expired. */
  readonly rotateBytes?: number | undefined;
}

const BUCKET_SECONDS = 60;
const ROTATE_BYTES = 256 * 1024;
/** How much room a synced limit on timestamps ahead of the clock gives: at most one sync in so many seconds. */
const AHEAD_SECONDS = 30;
/** The boot id of a Linux kernel; `undefined` on other systems. */
function linuxBootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim() || undefined;
  } catch {
    return undefined;
  }
}

/** See the top of this file. Make one with {@link NonceRegistry.open}. */
export class NonceRegistry {
  readonly #now: () => number;
  readonly #window: number;
  readonly #buckets = new Map<number, Set<string>>();
  /** Timestamps up to here are refused: their bucket has been dropped, or lines about them may have been lost. */
  #notBefore = 0;
  /** Buckets below this one have been dropped. */
  #firstBucket = 0;
  /** If power is lost, timestamps up to here will be refused: on disk before any ahead of the clock is accepted. */
  #aheadLimit = 0;
  readonly #log: NonceLog | undefined;
  /** What was accepted in this turn of the event loop and is not written yet. */
  #turn: Turn | undefined;

  /**
   * Opens the registry, and reads its log if it has one.
   *
   * @throws the file system's error when the folder or a file cannot be made, read or written
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
    // The lines were read; what matters of them is in the buckets now.
    log.contents.records.length = 0;
    log.begin(this.#notBefore, this.#aheadLimit);
  }

  /** How many nonces are remembered. */
  get size(): number {
    let size = 0;
    for (const bucket of this.#buckets.values()) size += bucket.size;
    return size;
  }

  /** The latest timestamp that is refused whatever its nonce. */
  get notBefore(): number {
    return this.#notBefore;
  }

  /**
   * Uses up a nonce. Synchronous, so that of copies of a request that arrive together one wins. Call it only after the
   * signature was verified, or strangers could use up the nonces of others.
   *
   * @param owner consumer key and token, decoded
   * @param timestamp `oauth_timestamp`
   * @param nonce `oauth_nonce`, decoded
   * @returns true once; false when it was used before, and when that can no longer be known because the timestamp lies
   *   outside the window or not after {@link notBefore}
   * @throws the file system's error when the nonce cannot be written down (disk full): then it is not used up, and the
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
   * Uses up a nonce like {@link consume}, for servers that answer many requests at once: what arrives in one turn of the event
   * loop is written down together. Of copies one wins, whether they arrive in one turn or in several.
   *
   * @returns resolves once the nonce is written down; until then the request must not be served
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
      // After the sockets that are ready have been read, before anything waits again.
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
      // None of them is served, so each may come again.
      for (const [timestamp, digest] of records) this.#bucket(timestamp).delete(digest);
      throw error;
    }
  }

  /** The name of a use that is still possible, room ahead of the clock made for it; `undefined` when it is not. */
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
   * Marks the log as complete and closes it; nothing may be consumed afterwards. Does nothing when called again.
   *
   * @throws the file system's error when the log cannot be brought to disk
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
   * Drops buckets that have left the window. What is dropped stays refused, also if the clock is set back; but when it is
   * set back so far that nothing could be accepted any more, the refused range is cut to what could have been accepted
   * before under the clock as it is now.
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
 * Names a use of a nonce by 128 bits of SHA-256. Each part goes in with its length, so that no choice of consumer key,
 * token and nonce gives the text of another.
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
