/**
 * Uses up nonces in a thread beside the main thread: of all threads that are sent the same one, exactly one accepts it, and
 * it is in the log before its request is served. What the main thread has not granted is left to it.
 */
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { type NonceOwner, nonceDigest } from '../auth/nonce-digest.ts';
import type { NonceRecord } from '../auth/nonce-file.ts';
import { nonceFilePath } from '../auth/nonce-log.ts';
import { packedRecords, type WrittenNonces } from '../auth/nonce-sharing.ts';
import { NonceTurn } from '../auth/nonce-turn.ts';
import { wallClock } from '../world/clock.ts';
import { MainThreadError } from './main-thread-error.ts';
import type { NonceGrant } from './nonce-grant.ts';
import type { SharedNonces } from './shared-nonces.ts';

export interface ReaderNoncesOptions {
  /** Directory of the log. */
  readonly directory: string;
  readonly shared: SharedNonces;
  readonly grant: NonceGrant;
  /** Hands nonces to the main thread, some time after they were written. */
  readonly report: (written: WrittenNonces) => void;
}

/** The nonces that were written to a log file together. */
interface WrittenTurn {
  readonly sequence: number;
  readonly records: readonly NonceRecord[];
  readonly bytes: number;
}

/** The longest time that a nonce may wait to be written, in milliseconds; far below the time that a log file is kept. */
const MOST_WAIT_MS = 10_000;
/** Time after which written nonces are reported. */
const REPORT_MS = 100;
const MOST_UNREPORTED = 1000;

export class ReaderNonces {
  readonly #options: ReaderNoncesOptions;
  #turn: NonceTurn | undefined;
  #file: { readonly sequence: number; readonly descriptor: number } | undefined;
  #unreported: WrittenTurn[] = [];
  #unreportedRecords = 0;

  constructor(options: ReaderNoncesOptions) {
    this.#options = options;
  }

  /**
   * Uses up a nonce, like `NonceRegistry.accept`.
   * @throws MainThreadError, at once or later, where the main thread has to decide; the nonce is not used up then
   */
  accept(owner: NonceOwner, timestamp: number, nonce: string): boolean | NonceTurn {
    const { grant, shared } = this.#options;
    if (!grant.covers(timestamp)) throw new MainThreadError('the timestamp is not granted');
    const digest = nonceDigest(owner, timestamp, nonce);
    const claim = shared.claim(timestamp, digest);
    if (claim === 'used') return false;
    if (claim !== 'claimed') throw new MainThreadError(`the nonces are ${claim}`);
    this.#turn ??= this.#beginTurn();
    this.#turn.records.push([timestamp, digest]);
    return this.#turn;
  }

  /** Returns whether a nonce that was rejected is known to have been used: one of which that is not known is left to the main thread. */
  isUsed(): boolean {
    return true;
  }

  #beginTurn(): NonceTurn {
    const began_ms = wallClock.elapsed();
    return new NonceTurn((records) => {
      this.#turn = undefined;
      try {
        this.#write(records, began_ms);
      } catch (error) {
        // None of them is served here, so the main thread may.
        for (const record of records) this.#options.shared.giveBack(...record);
        throw new MainThreadError('the nonces could not be logged', { cause: error });
      }
    });
  }

  /** Appends to the log, to which other threads append too. @throws Error when not all was written */
  #write(records: readonly NonceRecord[], began_ms: number): void {
    const { grant } = this.#options;
    if (wallClock.elapsed() - began_ms > MOST_WAIT_MS) throw new Error('the thread was held up');
    if (records.some(([timestamp]) => !grant.covers(timestamp))) throw new Error('the grant was withdrawn');
    const { sequence, descriptor } = this.#open(grant.sequence);
    // Another thread may have left a partial line.
    let lines = '\n';
    for (const [timestamp, digest] of records) lines += `${timestamp} ${digest}\n`;
    const bytes = writeSync(descriptor, lines, null, 'latin1');
    if (bytes !== lines.length) throw new Error(`the nonce log took ${bytes} of ${lines.length} bytes`);
    this.#report({ sequence, records, bytes });
  }

  #open(sequence: number): { readonly sequence: number; readonly descriptor: number } {
    if (this.#file?.sequence === sequence) return this.#file;
    this.#closeFile();
    const path = nonceFilePath(this.#options.directory, sequence);
    const descriptor = openSync(path, constants.O_WRONLY | constants.O_APPEND);
    this.#file = { sequence, descriptor };
    return this.#file;
  }

  #closeFile(): void {
    if (this.#file) closeSync(this.#file.descriptor);
    this.#file = undefined;
  }

  #report(written: WrittenTurn): void {
    if (this.#unreported.length === 0) setTimeout(() => this.flush(), REPORT_MS).unref();
    this.#unreported.push(written);
    this.#unreportedRecords += written.records.length;
    if (this.#unreportedRecords >= MOST_UNREPORTED) this.flush();
  }

  /** Reports all that was written. */
  flush(): void {
    const unreported = this.#unreported;
    this.#unreported = [];
    this.#unreportedRecords = 0;
    for (const [sequence, parts] of Map.groupBy(unreported, (written) => written.sequence)) {
      this.#options.report({
        sequence,
        ...packedRecords(parts.flatMap(({ records }) => records)),
        bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
      });
    }
  }

  close(): void {
    this.flush();
    this.#closeFile();
  }
}
