/** The nonces of a registry on disk: two files of lines, written in turn, and a state. See `nonces.ts` for the guarantees. */
import { closeSync, fsyncSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { ShortWriteError, type SlotFile } from '../db/slot-file.ts';
import { errorCode, errorText } from '../error-text.ts';
import { syncDirectory } from '../members/durable-file.ts';
import { type NonceRecord, readNonceFile } from './nonce-file.ts';
import { beginNonceState, type NonceState, readNonceState } from './nonce-state.ts';
import { TimeRanges } from './time-ranges.ts';

const FILES = ['nonces.0.log', 'nonces.1.log'] as const;
const HEADER = 'broadside-nonces-2';
/** While the log cannot be written, it is tried again after this time. */
const RETRY_MS = 1000;
/** Lines that wait for the disk at most; more would take longer to write than a request may hold the event loop. */
const MAX_WAITING = 100_000;

/** The content of a log when it was opened. */
export interface LogContents {
  /** The nonces of the older and of the newer file. */
  readonly files: readonly [readonly NonceRecord[], readonly NonceRecord[]];
  readonly reserved: TimeRanges;
  readonly expired: TimeRanges;
  /** `lost` when nonces may have been accepted that are in neither file; `all` when not even their times are known. */
  readonly missing: 'none' | 'lost' | 'all';
  /** Of the format that did not reserve timestamps behind the clock. */
  readonly isFormer: boolean;
}

/** Options of a {@link NonceLog}. */
export interface NonceLogOptions {
  readonly directory: string;
  /** The id of the kernel's current boot; without one each start counts as another boot. */
  readonly boot: string | undefined;
  /** Milliseconds that have passed; never goes back. */
  readonly elapsed: () => number;
  /** Other threads append to the newer file too; false by default. */
  readonly shared?: boolean;
}

/** The two files and the state. */
export class NonceLog {
  readonly contents: LogContents;
  readonly #directory: string;
  readonly #boot: string;
  readonly #elapsed: () => number;
  /** Each write begins with it: the end of a partial line that another thread may have left. */
  readonly #separator: '' | '\n';
  #sequence: number;
  #state: SlotFile<NonceState> | undefined;
  #complete = true;
  /** The newer file; `undefined` before {@link begin}, after {@link close}, and while it cannot be opened. */
  #file: number | undefined;
  #size = 0;
  /** The file has to begin with it: its header, or the end of a line that may be torn. */
  #before = '';
  /** Lines that could not be written yet. */
  #waiting: NonceRecord[] = [];
  /** Lines beyond {@link MAX_WAITING} that were given up. */
  #givenUp = false;
  #retryAt = 0;
  #problem: string | undefined;

  /** @throws the file system's error when the directory cannot be made or a file cannot be read */
  constructor({ directory, boot, elapsed, shared = false }: NonceLogOptions) {
    this.#directory = directory;
    this.#boot = boot ?? 'unknown';
    this.#elapsed = elapsed;
    this.#separator = shared ? '\n' : '';
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const state = readNonceState(this.#path('state'));
    const files = FILES.map((name) => readNonceFile(this.#path(name)));
    const known = typeof state === 'object' ? state : undefined;
    const newest = Math.max(0, ...files.map((file) => file.sequence));
    this.#sequence = known?.sequence ?? newest;
    // Killed when the state had the next number, and the file to be replaced was still there.
    if (newest > 1 && this.#sequence === newest + 1 && this.#filesOf(newest, files)) this.#sequence = newest;
    const older = files[fileIndex(this.#sequence - 1)];
    const newer = files[fileIndex(this.#sequence)];
    const reserved = new TimeRanges(known?.reserved);
    const expired = new TimeRanges(known?.expired);
    // Before there was a state, its facts were lines of the files.
    for (const file of known === undefined ? files : []) {
      if (file.floor > 0) expired.add(0, file.floor);
      if (file.aheadLimit > 0) reserved.add(0, file.aheadLimit);
    }
    const isUsed = state !== undefined || files.some((file) => file.bytes > 0);
    const isFormer = state === undefined && newest > 0 && newer !== undefined;
    const facts = known ?? (isFormer ? { ...newer, complete: true } : undefined);
    const sameBoot = facts !== undefined && boot !== undefined && facts.boot === boot;
    const whole =
      facts?.complete === true &&
      (facts.closed || sameBoot) &&
      (known === undefined || this.#filesOf(this.#sequence, files));
    this.contents = {
      files: [older?.records ?? [], newer?.records ?? []],
      reserved,
      expired,
      // The former log did not note timestamps behind the clock, so what it lost may be anything before this start.
      missing: !isUsed || whole ? 'none' : known === undefined ? 'all' : 'lost',
      isFormer,
    };
  }

  /** The size of the newer file in bytes. */
  get size(): number {
    return this.#size;
  }

  /** The number of the newer file. */
  get sequence(): number {
    return this.#sequence;
  }

  /** Notes that another thread has appended to the newer file. */
  appended(bytes: number): void {
    this.#size += bytes;
  }

  /** Why nonces cannot be logged at the moment; `undefined` when they are. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Opens the log for writing, with a state that is synced. @throws the file system's error */
  begin(reserved: TimeRanges, expired: TimeRanges): void {
    const isNew = this.#sequence === 0;
    if (isNew) this.#sequence = 1;
    this.#openFile(false);
    // The files before the state that names them: a state without its files is one of lost files.
    this.#write('');
    this.#state = beginNonceState(this.#path('state'), this.#stateOf(reserved, expired, false));
    syncDirectory(this.#directory);
  }

  /** Writes and syncs the ranges. @throws the file system's error: then nothing may be accepted that relies on them */
  reserve(reserved: TimeRanges, expired: TimeRanges): void {
    const state = this.#openState();
    state.write(this.#stateOf(reserved, expired, false));
    state.sync();
  }

  /**
   * Logs nonces. Where that fails, they wait in memory, and the state has it first that the log is not complete.
   * @throws the file system's error when not even that can be recorded: then none of them may be accepted
   */
  record(records: readonly NonceRecord[], reserved: TimeRanges, expired: TimeRanges): void {
    const state = this.#openState();
    const isWaiting = !this.#complete;
    if (!isWaiting || this.#elapsed() >= this.#retryAt) {
      try {
        if (this.#file === undefined) this.#openFile(false);
        this.#write(linesOf(this.#waiting) + linesOf(records));
        this.#waiting = [];
        this.#problem = undefined;
        if (isWaiting && !this.#givenUp) {
          this.#complete = true;
          state.write(this.#stateOf(reserved, expired, false));
        }
        return;
      } catch (error) {
        this.#problem = errorText(error);
        this.#retryAt = this.#elapsed() + RETRY_MS;
      }
    }
    if (this.#complete) {
      this.#complete = false;
      try {
        state.write(this.#stateOf(reserved, expired, false));
      } catch (error) {
        this.#complete = true;
        throw error;
      }
    }
    if (this.#waiting.length + records.length <= MAX_WAITING) this.#waiting.push(...records);
    else this.#givenUp = true;
  }

  /**
   * Starts the older file anew, which then is the newer one, with nonces that were in it and are still known.
   * @throws the file system's error when the state cannot be written: then nothing has changed
   */
  turn(kept: readonly NonceRecord[], reserved: TimeRanges, expired: TimeRanges): void {
    this.#sequence += 1;
    try {
      // First, so that the times of what is dropped are known before it is gone.
      this.#openState().write(this.#stateOf(reserved, expired, false));
    } catch (error) {
      this.#sequence -= 1;
      throw error;
    }
    const former = this.#file;
    this.#file = undefined;
    if (former !== undefined) closeSync(former);
    try {
      this.#openFile(true);
    } catch {
      // The next record opens it, and says so if it cannot.
    }
    this.record(kept, reserved, expired);
  }

  /** Syncs both files and marks the log as closed. What fails here is not lost: the next start knows that it is missing. */
  close(reserved: TimeRanges, expired: TimeRanges): void {
    const state = this.#state;
    if (state === undefined) return;
    this.#retryAt = 0;
    try {
      if (!this.#complete) this.record([], reserved, expired);
      for (const name of FILES) syncIfThere(this.#path(name));
      state.write(this.#stateOf(reserved, expired, this.#complete));
      state.sync();
    } catch (error) {
      this.#problem = errorText(error);
    }
    state.close();
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    this.#state = undefined;
  }

  #path(name: string): string {
    return join(this.#directory, name);
  }

  #openState(): SlotFile<NonceState> {
    if (this.#state === undefined) throw new Error('The nonce log is closed.');
    return this.#state;
  }

  #stateOf(reserved: TimeRanges, expired: TimeRanges, closed: boolean): NonceState {
    return {
      boot: this.#boot,
      closed,
      complete: this.#complete,
      sequence: this.#sequence,
      reserved: reserved.ranges,
      expired: expired.ranges,
    };
  }

  /** Returns whether the files are the one of this number and the one before. */
  #filesOf(sequence: number, files: readonly { readonly sequence: number }[]): boolean {
    const [newer, older] = [files[fileIndex(sequence)], files[fileIndex(sequence - 1)]];
    return newer?.sequence === sequence && (sequence === 1 || older?.sequence === sequence - 1);
  }

  /** Opens the newer file, emptied or at its end, where a line may be torn. */
  #openFile(anew: boolean): void {
    const path = nonceFilePath(this.#directory, this.#sequence);
    const present = anew ? undefined : readNonceFile(path);
    const continues = present?.sequence === this.#sequence;
    const file = openSync(path, 'a', 0o600);
    try {
      if (!continues) ftruncateSync(file);
    } catch (error) {
      closeSync(file);
      throw error;
    }
    this.#file = file;
    this.#size = continues ? present.bytes : 0;
    this.#before = continues ? '\n' : `${HEADER} ${this.#sequence}\n`;
  }

  /** One `write()`: all of the lines or an error. */
  #write(lines: string): void {
    if (this.#file === undefined) throw new Error('The nonce log is closed.');
    const text = this.#before + lines;
    const written = text === '' ? 0 : writeSync(this.#file, text, null, 'latin1');
    this.#size += written;
    if (written !== text.length) {
      // The start of the file may be torn too: lines are found again after a new one.
      if (written > 0) this.#before = `\n${this.#before.trimStart()}`;
      throw new ShortWriteError(written, text.length);
    }
    this.#before = this.#separator;
  }
}

/** The path of the file with a number. */
export function nonceFilePath(directory: string, sequence: number): string {
  return join(directory, FILES[fileIndex(sequence)]);
}

/** Odd numbers are in the first file. */
function fileIndex(sequence: number): 0 | 1 {
  return sequence % 2 === 1 ? 0 : 1;
}

function linesOf(records: readonly NonceRecord[]): string {
  let lines = '';
  for (const [timestamp, digest] of records) lines += `${timestamp} ${digest}\n`;
  return lines;
}

function syncIfThere(path: string): void {
  let file: number;
  try {
    file = openSync(path, 'r+');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
