/**
 * Records the nonces of accepted requests, so that a replayed request is rejected (RFC 5849 section 3.3), also after a
 * restart, a crash of the process, a loss of power and whatever the clock did, without waiting for the disk on each read.
 *
 * Used nonces are in memory in two generations, and on disk as lines of two files, written in turn. A generation is dropped
 * when the newer one is large, and nothing in it can be accepted at the present time of the clock, nor could be for a while.
 * The timestamps of what is dropped are kept as a few ranges, and are rejected from then on, also if the clock comes back to
 * them. So each accepted nonce is either known or of a rejected timestamp, and no step depends on a clock that is right.
 *
 * Each accepted nonce is one line, written with `write()` and no sync: once written it is in the kernel, and survives
 * the death of this process. Those that are accepted in one turn of the event loop share a call.
 *
 * Only a power loss can take written lines back. So a timestamp is reserved, synced to disk, before the first request with it
 * is accepted, many at a time. The log records in which boot of the kernel it was opened and whether it was closed; after
 * another boot and no close, what was reserved is rejected.
 *
 * On a full disk nonces stay in memory, and the log says before the first of them that it is not complete, which takes no
 * space. They are written when that is possible again; a process that ends before leaves what was reserved to be rejected.
 *
 * One process owns a log. Its threads can accept nonces together: see `nonce-sharing.ts`. Detecting replays across processes
 * needs a shared registry.
 */
import { readFileSync } from 'node:fs';
import { TIMESTAMP_WINDOW_SECONDS } from '@broadside/core/auth';
import { BUCKET_SECONDS } from '../threads/shared-nonces.ts';
import { wallClock } from '../world/clock.ts';
import { type NonceOwner, nonceDigest } from './nonce-digest.ts';
import type { NonceRecord } from './nonce-file.ts';
import { NonceLog } from './nonce-log.ts';
import { NonceSharing, type SharedNonceState, type WrittenNonces, writtenRecords } from './nonce-sharing.ts';
import { NonceTurn } from './nonce-turn.ts';
import { TimeRanges } from './time-ranges.ts';
import { UsedNonces } from './used-nonces.ts';

/** Options of a {@link NonceRegistry}. */
export interface NonceRegistryOptions {
  /** The clock by which timestamps are judged: wall time in seconds, since clients sign with theirs. */
  readonly nowSeconds: () => number;
  /** Milliseconds that have passed since some instant; never goes back, whatever is done to the clock. */
  readonly elapsed?: (() => number) | undefined;
  /** Directory of the log, created when missing. Without one, nothing survives the registry. */
  readonly directory?: string | undefined;
  /** Largest difference between a timestamp and the clock, in seconds. Default 300. */
  readonly windowSeconds?: number | undefined;
  /** Returns the id of the kernel's current boot; `undefined` where that is unknown, which counts as another boot each time. */
  readonly bootId?: (() => string | undefined) | undefined;
  /** A log file of this size is replaced by the other one, as soon as everything in the other one has expired. */
  readonly rotateBytes?: number | undefined;
  /** Makes the places of nonces in memory unpredictable, for those who could choose them. 0 by default. */
  readonly seed?: number | undefined;
  /** Memory in which other threads of the process use up nonces too. Only with a log. */
  readonly shared?: SharedNonceState | undefined;
}

const ROTATE_BYTES = 256 * 1024;
/** Bytes of a line: without a log, memory is turned over as if there were one. */
const LINE_BYTES = 34;
/** Seconds that are reserved ahead: at most one sync in this time. */
const AHEAD_SECONDS = 30;
/** Nonces far ahead of the clock that survive the file they were in: left by a clock that was ahead for a while. */
const MAX_KEPT = 10_000;

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
  readonly #elapsed: () => number;
  readonly #window: number;
  readonly #rotateBytes: number;
  readonly #used: UsedNonces;
  /** Timestamps that are rejected: nonces of theirs were dropped, or may have been lost. */
  #expired = new TimeRanges();
  /** Timestamps that may have been accepted, synced before the first of them was. */
  #reserved = new TimeRanges();
  readonly #log: NonceLog | undefined;
  readonly #sharing: NonceSharing | undefined;
  /** Uses accepted in this turn of the event loop and not written yet. */
  #turn: NonceTurn | undefined;
  /** When that turn began, in elapsed milliseconds. */
  #turnBegan = 0;
  #closed = false;

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
    this.#elapsed = options.elapsed ?? wallClock.elapsed;
    this.#window = options.windowSeconds ?? TIMESTAMP_WINDOW_SECONDS;
    this.#rotateBytes = options.rotateBytes ?? ROTATE_BYTES;
    this.#used = new UsedNonces(options.seed ?? 0);
    const { directory, shared } = options;
    if (directory === undefined) return;
    const log = new NonceLog({
      directory,
      boot: (options.bootId ?? linuxBootId)(),
      elapsed: this.#elapsed,
      shared: shared !== undefined,
    });
    this.#log = log;
    const now = Math.floor(this.#now());
    const { reserved, expired, missing, isFormer, files } = log.contents;
    this.#reserved = reserved;
    this.#expired = expired;
    if (missing === 'lost') expired.addAll(reserved.ranges);
    // Nothing is known of what was accepted: everything that a clock like this one could have let through.
    if (missing === 'all') expired.add(0, Math.max(now, ...reserved.ranges.map(([, to]) => to)));
    if (isFormer) reserved.add(0, now);
    for (const [index, records] of files.entries()) {
      for (const record of records) this.#readBack(record, now, index === 0);
    }
    reserved.add(now - this.#window, now + AHEAD_SECONDS);
    log.begin(reserved, expired);
    if (shared) this.#sharing = new NonceSharing(shared, this.#used, this.#elapsed);
    this.#publish();
  }

  /** After a restart it is not known how long ago a nonce was used; its timestamp is the best guess. */
  #readBack([timestamp, digest]: NonceRecord, now: number, isOlder: boolean): void {
    const age_ms = Math.max(0, now - timestamp) * 1000;
    this.#used.add(timestamp, digest, this.#elapsed() - age_ms, isOlder);
  }

  /** The number of nonces in memory. */
  get size(): number {
    return this.#used.size;
  }

  /** Why nonces are in memory only at the moment; `undefined` when they are logged. */
  get problem(): string | undefined {
    return this.#log?.problem;
  }

  /** Returns whether requests with this timestamp can be accepted at all, now or at another time of the clock. */
  isOpen(timestamp: number): boolean {
    return !this.#expired.has(timestamp);
  }

  /** Returns whether a nonce that was rejected is known to have been used, and not of a time of which that is not known any more. */
  isUsed(owner: NonceOwner, timestamp: number, nonce: string): boolean {
    const digest = nonceDigest(owner, timestamp, nonce);
    return this.#used.has(digest) || (this.#sharing?.isUsed(timestamp, digest) ?? false);
  }

  /**
   * Uses up a nonce. Synchronous, so that exactly one of several simultaneous copies of a request wins. Call it only after the
   * signature was verified, or attackers could use up the nonces of others.
   *
   * @param owner consumer key and token, decoded
   * @param timestamp `oauth_timestamp`
   * @param nonce `oauth_nonce`, decoded
   * @returns true once; false when it was used before, and when that is no longer known because the timestamp is
   *   outside the window or not {@link isOpen}
   * @throws the file system's error when the state of the log cannot be written: then the nonce is not used up, and the
   *   request must not be served
   */
  consume(owner: NonceOwner, timestamp: number, nonce: string): boolean {
    const digest = this.#unused(owner, timestamp, nonce);
    if (digest === undefined) return false;
    try {
      this.#write([[timestamp, digest]]);
    } catch (error) {
      this.#sharing?.giveBack(timestamp, digest);
      throw error;
    }
    this.#used.add(timestamp, digest, this.#elapsed());
    return true;
  }

  /**
   * Uses up a nonce like {@link consume}, for servers with many simultaneous requests: the uses of one turn of the event
   * loop are logged together. Exactly one of several copies wins, whether they arrive in one turn or in several.
   *
   * @returns false when {@link consume} would return it; a turn when the nonce is used up and will be logged, before which
   *   nobody may learn anything of what was asked for, and nothing may be done
   */
  accept(owner: NonceOwner, timestamp: number, nonce: string): boolean | NonceTurn {
    if (this.#log === undefined) return this.consume(owner, timestamp, nonce);
    const digest = this.#unused(owner, timestamp, nonce);
    if (digest === undefined) return false;
    if (this.#turn === undefined) {
      this.#turn = new NonceTurn((records) => this.#writeTurn(records));
      this.#turnBegan = this.#elapsed();
    }
    this.#used.add(timestamp, digest, this.#turnBegan);
    this.#turn.records.push([timestamp, digest]);
    return this.#turn;
  }

  #writeTurn(records: readonly NonceRecord[]): void {
    this.#turn = undefined;
    try {
      this.#write(records);
    } catch (error) {
      // None of them is served, so each may be retried.
      for (const [timestamp, digest] of records) {
        this.#used.delete(digest);
        this.#sharing?.giveBack(timestamp, digest);
      }
      throw error;
    }
  }

  /** Logs uses; before that, the other generation is begun if this one is large and the other one of no use any more. */
  #write(records: readonly NonceRecord[]): void {
    const log = this.#log;
    const bytes = log?.size ?? this.#used.newerSize * LINE_BYTES;
    if (bytes >= this.#rotateBytes) this.#turnOver();
    log?.record(records, this.#reserved, this.#expired);
    if (log?.problem !== undefined) this.#publish();
  }

  /** Notes nonces that another thread has used up and logged. */
  absorb(written: WrittenNonces): void {
    const { sequence, bytes } = written;
    const log = this.#log;
    // What arrives after the end is in the log.
    if (log === undefined || this.#closed) return;
    const isCurrent = sequence === log.sequence;
    const elapsed = this.#elapsed();
    for (const [timestamp, digest] of writtenRecords(written)) this.#used.add(timestamp, digest, elapsed, !isCurrent);
    if (isCurrent) log.appended(bytes);
    // The file that they were written to is gone, if the thread was held up for minutes.
    this.#write(sequence < log.sequence - 1 ? [...writtenRecords(written)] : []);
  }

  /** Another thread has ended, perhaps before it reported what it has used up. That is in the log, and in the shared memory. */
  lostThread(): void {
    const now = Math.floor(this.#now());
    this.#sharing?.lost(now - this.#window, now + this.#window);
  }

  /** Grants other threads what they may accept by themselves. */
  #publish(): void {
    const sharing = this.#sharing;
    const log = this.#log;
    if (sharing === undefined || log === undefined) return;
    const now = Math.floor(this.#now());
    const [from, to] = [now - this.#window, now + this.#window];
    this.#expired.addAll(sharing.takeUncertain(from - BUCKET_SECONDS * 2).ranges);
    const sequence = log.problem === undefined ? log.sequence : undefined;
    sharing.publish({ from, to, now, reserved: this.#reserved, expired: this.#expired, sequence });
  }

  #turnOver(): void {
    const now = Math.floor(this.#now());
    const elapsed = this.#elapsed();
    const [from, to] = [now - this.#window, now + this.#window];
    // Of the last minutes nothing is dropped, so a clock that is wrong for less costs nobody a request when it is right again.
    if (!this.#used.isOlderPast(from, to, elapsed - this.#window * 1000)) return;
    const { kept, dropped } = this.#used.split(to, MAX_KEPT);
    this.#expired.addAll(dropped.ranges);
    this.#log?.turn(kept, this.#reserved, this.#expired);
    this.#used.turn(kept, elapsed);
    this.#publish();
  }

  /** Returns the key of a use that is still possible, having reserved its timestamp; `undefined` otherwise. */
  #unused(owner: NonceOwner, timestamp: number, nonce: string): string | undefined {
    const now = Math.floor(this.#now());
    if (Math.abs(timestamp - now) > this.#window || this.#expired.has(timestamp)) return undefined;
    const digest = nonceDigest(owner, timestamp, nonce);
    if (this.#used.has(digest)) return undefined;
    // Other threads are granted only what is reserved, around the clock.
    const isReserved = this.#reserved.has(timestamp) && (this.#sharing === undefined || this.#reserved.has(now));
    if (this.#log !== undefined && !isReserved) {
      const reserved = new TimeRanges(this.#reserved.ranges);
      reserved.add(Math.min(timestamp, now), Math.max(timestamp, now) + AHEAD_SECONDS);
      this.#log.reserve(reserved, this.#expired);
      this.#reserved = reserved;
    }
    if (this.#sharing === undefined) return digest;
    if (!this.#sharing.covers(timestamp)) this.#publish();
    return this.#sharing.claim(timestamp, digest) ? digest : undefined;
  }

  /** Marks the log as complete and closes it; nothing may be consumed afterwards. Idempotent. */
  close(): void {
    const failure = this.#turn?.write();
    if (failure) throw failure.error;
    this.#closed = true;
    this.#sharing?.close();
    this.#log?.close(this.#reserved, this.#expired);
  }
}
