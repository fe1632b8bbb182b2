/**
 * Writes lines to standard output, which can be a file on a full disk, a pipe that nobody reads or one that was closed. The
 * server does not depend on it: lines wait in a bounded buffer, are dropped when that is full, and are counted; as soon as
 * lines can be written again, one says how many were dropped.
 */
import { fstatSync, write, writeSync } from 'node:fs';
import { LineBytes } from './line-bytes.ts';

/** Writes bytes and calls back with the number that were written, also beside an error. Their memory is used again afterwards. */
export type Sink = (bytes: Buffer, done: (error: Error | null, written: number) => void) => void;

/** Options of a {@link LogOutput}. */
export interface LogOutputOptions {
  readonly sink: Sink;
  /** The line that says how many were dropped. */
  readonly lossLine: (lost: number) => string;
  /** Bytes that wait at most; text that is not encoded yet counts as one for each unit of a string. */
  readonly limit?: number | undefined;
  /** Milliseconds until a failed write is tried again. */
  readonly retry_ms?: number | undefined;
}

/**
 * Bytes that are written at once, and the longest wait of a line when there are fewer. Handing a write to the pool of threads
 * takes as long as writing some of the lines, so a busy server does it for hundreds of them.
 */
const BATCH_BYTES = 131_072;
const BATCH_MS = 500;
const LIMIT_BYTES = 1 << 20;
const RETRY_MS = 1000;
/** A full pipe has room again as soon as its reader reads on. */
const BUSY_MS = 20;
/** Errors of a reader that is gone for good. */
const GONE = new Set(['EPIPE', 'EBADF', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END']);

/** See the top of this file. */
export class LogOutput {
  readonly #sink: Sink;
  readonly #lossLine: (lost: number) => string;
  readonly #limit: number;
  readonly #retry_ms: number;
  /** Lines that wait, one after the other. */
  readonly #waiting = new LineBytes(BATCH_BYTES);
  /** The bytes that are being written; they stay here until all of them were. */
  #writing: Buffer | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Lines dropped since that was last said. */
  #dropped = 0;
  #lost = 0;
  #problem: string | undefined;
  #gone = false;
  #whenIdle: (() => void)[] = [];

  constructor({ sink, lossLine, limit = LIMIT_BYTES, retry_ms = RETRY_MS }: LogOutputOptions) {
    this.#sink = sink;
    this.#lossLine = lossLine;
    this.#limit = limit;
    this.#retry_ms = retry_ms;
  }

  /** The number of lines that were dropped since the start. */
  get lost(): number {
    return this.#lost;
  }

  /** Why nothing can be written at the moment; `undefined` when it can. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Takes a line with its end. It is written soon; never throws and never waits. */
  write(line: string): void {
    if (!this.#takes(line.length, 1)) return;
    this.#waiting.add(line);
    this.#added();
  }

  /** The same for lines that are encoded already. All of them are dropped, or none. @param count the number of lines */
  writeBytes(lines: Uint8Array, count: number): void {
    if (!this.#takes(lines.length, count)) return;
    this.#waiting.addBytes(lines);
    this.#added();
  }

  /** Returns whether lines have room. Those that have none are counted, and the next ones come after a line that says so. */
  #takes(length: number, count: number): boolean {
    if (this.#gone || this.#waiting.length + length > this.#limit) {
      this.#lost += count;
      this.#dropped += count;
      return false;
    }
    if (this.#dropped > 0) this.#sayDropped();
    return true;
  }

  #added(): void {
    if (this.#writing !== undefined) return;
    if (this.#waiting.length >= BATCH_BYTES) this.#next();
    else this.#wait(BATCH_MS);
  }

  /** Writes what waits; gives up after `ms`. Resolves when all is written, or when that is not possible. */
  async flush(ms: number): Promise<void> {
    if (this.#gone) return;
    this.#next();
    if (this.#writing === undefined) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#whenIdle.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Takes what waits and is not being written, for a process that ends at once. */
  take(): Buffer {
    return this.#waiting.take();
  }

  #wait(ms: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.#writing === undefined) this.#next();
      else this.#attempt(this.#writing);
    }, ms).unref();
  }

  #next(): void {
    if (this.#writing !== undefined) return;
    if (this.#waiting.length === 0) {
      for (const resolve of this.#whenIdle.splice(0)) resolve();
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.take();
    this.#attempt(this.#writing);
  }

  #attempt(bytes: Buffer): void {
    this.#sink(bytes, (error, written) => {
      const rest = bytes.subarray(written);
      const code = error !== null && 'code' in error ? error.code : undefined;
      if (error !== null && GONE.has(String(code))) return this.#giveUp(error, rest);
      if (error !== null && code !== 'EAGAIN') this.#problem = error.message;
      if (error === null && written > 0) this.#problem = undefined;
      if (rest.length === 0) {
        this.#writing = undefined;
        this.#waiting.giveBack(bytes);
        if (this.#dropped > 0) this.#sayDropped();
        return this.#afterwards();
      }
      this.#writing = rest;
      if (error === null && written > 0) return this.#attempt(rest);
      return this.#wait(code === 'EAGAIN' ? BUSY_MS : this.#retry_ms);
    });
  }

  /** Lines that came meanwhile wait for more of them, as all do: a write for each few would cost more than the requests. */
  #afterwards(): void {
    const { length } = this.#waiting;
    const isFew = length > 0 && length < BATCH_BYTES;
    if (isFew && this.#whenIdle.length === 0) this.#wait(BATCH_MS);
    else this.#next();
  }

  #sayDropped(): void {
    this.#waiting.add(this.#lossLine(this.#dropped));
    this.#dropped = 0;
  }

  #giveUp(error: Error, rest: Buffer): void {
    this.#gone = true;
    this.#problem = error.message;
    this.#lost += linesIn(rest) + linesIn(this.take());
    this.#writing = undefined;
    this.#next();
  }
}

function linesIn(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf('\n'); at !== -1; at = bytes.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/**
 * The sink of standard output. Files are written by the pool of threads. Pipes, sockets and terminals are written by Node's
 * stream, which does not wait for a reader; one write at a time, so that nothing piles up in it.
 */
export function standardOutput(): Sink {
  if (isFile()) {
    return (bytes, done) => write(1, bytes, 0, bytes.length, null, (error, written) => done(error, written ?? 0));
  }
  const { stdout } = process;
  // Once, however many logs a process opens.
  if (!stdout.listeners('error').includes(leaveToWrites)) stdout.on('error', leaveToWrites);
  return (bytes, done) => {
    stdout.write(bytes, (error) => done(error ?? null, error ? 0 : bytes.length));
  };
}

/** Errors reach the callback of the write; without a listener they would end the process. */
function leaveToWrites(): void {}

/** Writes the rest of a log when the process ends, if that is possible at once. */
export function writeAtExit(lines: Buffer): void {
  if (lines.length === 0 || !isFile()) return;
  try {
    writeSync(1, lines);
  } catch {
    // Nobody is left who could be told.
  }
}

/** A file or a device such as /dev/null, where a write ends by itself. */
function isFile(): boolean {
  if (process.stdout.isTTY) return false;
  try {
    const status = fstatSync(1);
    return status.isFile() || status.isCharacterDevice();
  } catch {
    return false;
  }
}
