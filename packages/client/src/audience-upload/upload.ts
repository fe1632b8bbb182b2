/** Uploads people to an audience: reads rows as fast as requests are acknowledged, and no faster. */
import { hashNormalized } from '@broadside/core/identifiers';
import { AudienceUploadError, CallError } from '../errors.ts';
import type { RateLimits } from '../rate-limits.ts';
import type { CallOptions } from '../transport.ts';
import { Acknowledged, type Counts } from './acknowledged.ts';
import type { AudienceUploadOptions } from './options.ts';
import { Pacer, type Waiting } from './pacer.ts';
import { type PackedRequest, type PackLimits, RequestPacker } from './pack.ts';
import { rejectedRows } from './rejected-rows.ts';
import type { AudienceUploadReport } from './report.ts';
import { type Resumption, readToken, writeToken } from './resume-token.ts';
import {
  type BadRow,
  finishRow,
  normalizeRow,
  type OperationType,
  type Reading,
  type ReadyRow,
  type RowProblem,
} from './rows.ts';
import { RowSource } from './source.ts';
import { fixTimes } from './times.ts';

/** The list that people are uploaded to, and the way to it. */
export interface UploadTarget extends Waiting {
  /** The operation and the ids of its path. */
  readonly name: string;
  readonly shape: Reading['shape'];
  readonly limits: PackLimits;
  /**
   * Sends a body, repeating it like a read.
   * @param users the number of users that the server has to count
   */
  readonly send: (body: string, users: number, options: CallOptions) => Promise<RateLimits>;
}

const DEFAULT_CONCURRENCY = 2;
const MAX_CONCURRENCY = 16;
/** Problems that a report holds. All of them go to `onProblem`, so that memory does not grow with the rows. */
const REPORTED_PROBLEMS = 1_000;
const ROWS_BETWEEN_PROGRESS = 5_000;

/** Uploads rows. @throws as the client's methods document */
export async function uploadRows(
  target: UploadTarget,
  rows: unknown,
  options: AudienceUploadOptions,
): Promise<AudienceUploadReport> {
  return new Upload(target, options).run(rows);
}

class Upload {
  readonly #target: UploadTarget;
  readonly #options: AudienceUploadOptions;
  readonly #call: CallOptions;
  readonly #reading: Reading;
  readonly #start: Counts;
  readonly #acknowledged: Acknowledged;
  readonly #packer: RequestPacker;
  readonly #pacer: Pacer;
  readonly #concurrency: number;
  readonly #began: number;
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  readonly #flights = new Set<Promise<void>>();
  /** The types of the operations that are under way. */
  #types: ReadonlySet<OperationType> = new Set();
  #failure: { readonly cause: unknown } | undefined;
  #counts: Counts;
  #toldAt = 0;
  readonly #problems: RowProblem[] = [];
  /** Rows that the server rejected, and with them their request. */
  readonly #rejected: RowProblem[] = [];

  constructor(target: UploadTarget, options: AudienceUploadOptions) {
    const { signal, timeoutMs, retry, headers, resume, concurrency = DEFAULT_CONCURRENCY } = options;
    if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > MAX_CONCURRENCY)
      throw new CallError(`"concurrency" must be a whole number from 1 to ${MAX_CONCURRENCY}`, 'concurrency');
    this.#target = target;
    this.#options = options;
    this.#began = target.now();
    const from = resume === undefined ? undefined : readToken(resume);
    this.#reading = readingOf(target, options, from);
    const { rows, sent, refused, requests } = from ?? { rows: 0, sent: 0, refused: 0, requests: 0 };
    this.#start = { rows, sent, refused, requests };
    this.#counts = this.#start;
    this.#acknowledged = new Acknowledged(this.#start);
    this.#packer = new RequestPacker(target.limits);
    this.#pacer = new Pacer(target);
    this.#concurrency = concurrency;
    this.#signal = signal ? AbortSignal.any([signal, this.#stop.signal]) : this.#stop.signal;
    this.#call = { timeoutMs, retry, headers, signal: this.#signal };
  }

  async run(rows: unknown): Promise<AudienceUploadReport> {
    this.#signal.throwIfAborted();
    const source = new RowSource(rows, this.#signal);
    try {
      await this.#read(source);
      await this.#flush();
      // Rows at the end that are not sent belong to no request.
      this.#acknowledged.begin(this.#counts)();
      while (this.#flights.size > 0) await this.#landing();
    } catch (error) {
      this.#failure ??= { cause: error };
    } finally {
      source.close();
    }
    if (this.#failure) await this.#fail(this.#failure.cause);
    this.#tell();
    return this.#report();
  }

  async #read(source: RowSource): Promise<void> {
    let row = 0;
    for (let batch = await source.next(); batch.length > 0; batch = await source.next()) {
      const first = row + 1;
      row += batch.length;
      const numbered = batch.map((given, index) => [given, first + index] as const);
      for (const read of await this.#finish(numbered.filter(([, own]) => own > this.#start.rows))) {
        if ('problems' in read) this.#reject(read);
        else await this.#add(read);
      }
      if (this.#counts.rows - this.#toldAt >= ROWS_BETWEEN_PROGRESS) this.#tell();
    }
  }

  async #finish(rows: readonly (readonly [given: unknown, row: number])[]): Promise<(ReadyRow | BadRow)[]> {
    const finished = rows.map(([given, row]) => {
      const read = normalizeRow(given, row, this.#reading);
      return 'problems' in read ? read : finishRow(read, this.#reading);
    });
    const isThere = (row: (typeof finished)[number]): row is ReadyRow | BadRow => !('then' in row);
    return finished.every(isThere) ? finished : Promise.all(finished);
  }

  async #add(ready: ReadyRow): Promise<void> {
    if (!this.#packer.add(ready)) {
      await this.#flush();
      if (!this.#packer.add(ready)) {
        const message = `The row is larger than a request may be (${this.#target.limits.bytes} bytes)`;
        this.#reject({ row: ready.row, problems: [{ row: ready.row, message }] });
        return;
      }
    }
    this.#counts = { ...this.#counts, rows: ready.row, sent: this.#counts.sent + 1 };
  }

  #reject({ row, problems }: BadRow): void {
    this.#counts = { ...this.#counts, rows: row, refused: this.#counts.refused + 1 };
    for (const problem of problems) {
      if (this.#problems.length < REPORTED_PROBLEMS) this.#problems.push(problem);
      this.#options.onProblem?.(problem);
    }
  }

  async #flush(): Promise<void> {
    const request = this.#packer.take();
    if (!request) return;
    this.#counts = { ...this.#counts, requests: this.#counts.requests + 1 };
    const done = this.#acknowledged.begin(this.#counts);
    if (this.#options.dryRun) {
      done();
      return;
    }
    // Requests of one type can be applied in any order with the same result; those of both must keep theirs.
    while (this.#flights.size >= this.#concurrency || (this.#flights.size > 0 && !this.#isOfOneType(request)))
      await this.#landing();
    await this.#pacer.next(this.#signal);
    this.#types = this.#flights.size > 0 ? new Set([...this.#types, ...request.types]) : request.types;
    const flight = this.#send(request, done).finally(() => this.#flights.delete(flight));
    this.#flights.add(flight);
  }

  #isOfOneType({ types }: PackedRequest): boolean {
    return new Set([...this.#types, ...types]).size === 1;
  }

  /** Sends a request. Never rejects: a failure is noted, and ends the upload. */
  async #send({ body, users, rows }: PackedRequest, done: () => void): Promise<void> {
    try {
      this.#pacer.answered(await this.#target.send(body, users, this.#call));
      done();
      this.#tell();
    } catch (cause) {
      if (!this.#failure) this.#rejected.push(...rejectedRows(cause, rows));
      this.#failure ??= { cause };
      this.#stop.abort(cause);
    }
  }

  /** Waits until one of the requests under way has ended. @throws when one of them failed */
  async #landing(): Promise<void> {
    await Promise.race(this.#flights);
    if (this.#failure) throw this.#failure.cause;
  }

  async #fail(cause: unknown): Promise<never> {
    this.#stop.abort(cause);
    await Promise.all(this.#flights);
    this.#tell();
    const { signal } = this.#options;
    if (signal?.aborted) throw signal.reason;
    throw new AudienceUploadError(this.#report(), this.#token(), cause);
  }

  #tell(): void {
    this.#toldAt = this.#counts.rows;
    this.#options.onProgress?.({
      rows: this.#counts.rows,
      refused: this.#counts.refused,
      acknowledged: this.#acknowledged.counts,
      token: this.#token(),
    });
  }

  #token(): string {
    const { hashed, terms } = this.#reading;
    return writeToken({ target: this.#target.name, hashed, ...terms, ...this.#acknowledged.counts });
  }

  #report(): AudienceUploadReport {
    const { counts } = this.#acknowledged;
    return {
      ...counts,
      resumedRows: this.#start.rows,
      // An upload that goes on reads the rows after these again.
      problems: [...this.#problems.filter(({ row }) => row <= counts.rows), ...this.#rejected],
      durationMs: this.#target.now() - this.#began,
    };
  }
}

/** The way in which rows are read: as the options say, or as the upload that is resumed began. @throws CallError */
function readingOf(target: UploadTarget, options: AudienceUploadOptions, from: Resumption | undefined): Reading {
  const { hashed = from?.hashed ?? false, operation_type = from?.operation_type ?? 'Update', sha256 } = options;
  if (operation_type !== 'Update' && operation_type !== 'Delete')
    throw new CallError('"operation_type" must be Update or Delete', 'operation_type');
  const given = { operation_type, effective_at: options.effective_at, expires_at: options.expires_at };
  const terms = fixTimes(given, target.shape.has_effective_at, target.now(), from);
  if (from) {
    const same = from.target === target.name && from.hashed === hashed && from.operation_type === operation_type;
    if (!same) throw new CallError('"resume" is the token of an upload to another list, or of other rows', 'resume');
  }
  // WebCrypto is on every platform, and slower for each value than a hash of the platform's own.
  return { hashed, terms, shape: target.shape, sha256: sha256 ?? hashNormalized };
}
