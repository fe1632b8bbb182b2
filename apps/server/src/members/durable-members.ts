/**
 * The store of members as the rest of the server uses it: writes the log itself and has everything else done by a thread,
 * which is started with the first use.
 */
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { threadFile } from '../thread-file.ts';
import { wallClock } from '../world/clock.ts';
import { WorldClosedError } from '../world/world-closed-error.ts';
import { isAudienceName } from './audience-name.ts';
import { makeDurableDirectory } from './durable-file.ts';
import { frameKinds } from './log/frame.ts';
import { type Appended, MemberLog } from './log/member-log.ts';
import type {
  MemberBacklog,
  MemberBatch,
  MemberFigures,
  MemberStore,
  PlatformPerson,
  VersionedMembers,
} from './member-store.ts';
import { MembersCopy } from './members-copy.ts';
import type { FromWorker, RequestName, Requests, ToWorker, WorkerStart } from './worker/protocol.ts';

/** Requests wait while more than this is logged and not merged, in bytes, unless told otherwise. */
const MOST_UNMERGED = 256 << 20;

export interface DurableMembersOptions {
  /** Created on first use. */
  readonly directory: string;
  readonly most_unmerged_bytes?: number;
}

type ChangeListener = (audience: string, changed: VersionedMembers) => void;

/** The thread ended before it answered, or will not answer. What was acknowledged is in the log, and the next use starts another. */
export class MemberWorkerError extends Error {
  override readonly name = 'MemberWorkerError';
}

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A request that the thread has not answered. */
interface PendingRequest extends Pending {
  readonly name: RequestName;
}

/** Requests that the thread answers once it has all people. */
const NEEDING_PEOPLE: ReadonlySet<RequestName> = new Set(['settle', 'matched', 'drop', 'sweep']);

/** A running thread. */
interface Running {
  readonly worker: Worker;
  readonly pending: Map<number, PendingRequest>;
  /** It has all people, or expects none. */
  hasPeople: boolean;
  /** Resolves with the log when the thread has read it. */
  readonly ready: Promise<MemberLog>;
  /** Bytes of the log that this thread has not merged, less those that were written since its start. */
  unmerged: number;
}

export class DurableMembers implements MemberStore {
  readonly #directory: string;
  readonly #mostUnmerged: number;
  readonly #changeListeners = new Set<ChangeListener>();
  readonly #startListeners = new Set<() => void>();
  readonly #errorListeners = new Set<(error: Error) => void>();
  readonly #copies = new Set<MembersCopy>();
  #running: Running | undefined;
  #log: MemberLog | undefined;
  #nextId = 0;
  #closed = false;
  #peopleEnded = false;
  #roomWaits: Pending[] = [];
  /** When something was merged, or began to wait, in elapsed time. */
  #progress_ms = wallClock.elapsed();

  constructor({ directory, most_unmerged_bytes = MOST_UNMERGED }: DurableMembersOptions) {
    this.#directory = directory;
    this.#mostUnmerged = most_unmerged_bytes;
  }

  get backlog(): MemberBacklog {
    const bytes = this.#log === undefined ? 0 : Math.max(0, this.#unmerged(this.#log));
    return { bytes, lag_ms: bytes === 0 ? 0 : wallClock.elapsed() - this.#progress_ms };
  }

  async append(audience: string, batch: MemberBatch, now_s: number): Promise<void> {
    if (!isAudienceName(audience)) throw new TypeError('an audience is named by its environment and its id');
    const log = await this.#start().ready;
    await this.#room(log);
    if (this.#unmerged(log) <= 0) this.#progress_ms = wallClock.elapsed();
    await log.append({ kind: frameKinds.batch, audience, at_s: now_s, batch });
  }

  async settle(audience: string): Promise<void> {
    await this.#request('settle', { audience });
  }

  matched(audience: string): Promise<VersionedMembers> {
    return this.#request('matched', { audience });
  }

  figures(audience: string): Promise<MemberFigures> {
    return this.#request('figures', { audience });
  }

  async drop(audience: string): Promise<void> {
    const log = await this.#start().ready;
    const batch = { operations: [], users: new Uint8Array() };
    const seq = await log.append({ kind: frameKinds.drop, audience, at_s: 0, batch });
    // The data in the log goes with the segments that have been merged.
    await log.endSegment();
    await this.#request('drop', { audience, seq, segment: log.end.segment });
  }

  async sweep(now_s: number): Promise<void> {
    const log = await this.#start().ready;
    await log.endSegment();
    await this.#request('sweep', { now_s, segment: log.end.segment });
  }

  async setPeople(people: readonly PlatformPerson[]): Promise<void> {
    await this.#feed('people', { people });
  }

  async peopleLoaded(): Promise<void> {
    const running = this.#running;
    await this.#feed('peopleLoaded', {});
    if (running) running.hasPeople = true;
  }

  endPeople(): void {
    this.#peopleEnded = true;
    const { pending, hasPeople } = this.#running ?? {};
    if (pending === undefined || hasPeople) return;
    for (const [id, { name, reject }] of pending) {
      if (!NEEDING_PEOPLE.has(name)) continue;
      pending.delete(id);
      reject(withoutPeople());
    }
    this.#hold();
  }

  onChange(listener: ChangeListener): () => void {
    this.#changeListeners.add(listener);
    return () => this.#changeListeners.delete(listener);
  }

  onStart(listener: () => void): () => void {
    this.#startListeners.add(listener);
    return () => this.#startListeners.delete(listener);
  }

  onError(listener: (error: Error) => void): () => void {
    this.#errorListeners.add(listener);
    return () => this.#errorListeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const running = this.#running;
    if (!running) return;
    const log = await running.ready.catch(() => undefined);
    await log?.close();
    if (this.#running) await this.#request('close', {}).catch(() => {});
    await running.worker.terminate();
  }

  /** Begins a copy of the members into a directory. */
  beginCopy(target: string): MembersCopy {
    const end = () => this.#log?.end;
    const isIdle = () => this.#running === undefined && this.#log === undefined;
    const copy = new MembersCopy(this.#directory, target, {
      get end() {
        return end();
      },
      get isIdle() {
        return isIdle();
      },
      ended: (ended) => this.#copies.delete(ended),
    });
    this.#copies.add(copy);
    return copy;
  }

  /** Callers that feed people need not know when the store is closed. */
  async #feed<Name extends 'people' | 'peopleLoaded'>(name: Name, parameters: Requests[Name]['arguments']) {
    if (this.#closed) return;
    try {
      await this.#request(name, parameters);
    } catch (error) {
      if (!this.#closed) throw error;
    }
  }

  /** Waits until so much is merged that there is room for more. */
  async #room(log: MemberLog): Promise<void> {
    while (this.#unmerged(log) > this.#mostUnmerged) {
      this.#start();
      await new Promise((resolve, reject) => {
        this.#roomWaits.push({ resolve, reject });
        this.#hold();
      });
    }
  }

  #unmerged(log: MemberLog): number {
    return this.#running ? this.#running.unmerged + log.bytes : 0;
  }

  #request<Name extends RequestName>(name: Name, parameters: Requests[Name]['arguments']) {
    const { worker, pending, hasPeople } = this.#start(name === 'close');
    if (this.#peopleEnded && !hasPeople && NEEDING_PEOPLE.has(name)) return Promise.reject(withoutPeople());
    const id = this.#nextId++;
    return new Promise<Requests[Name]['result']>((resolve, reject) => {
      // The thread answers each request with the result of its kind.
      pending.set(id, { name, resolve: (result) => resolve(result as Requests[Name]['result']), reject });
      this.#hold();
      worker.postMessage({ id, name, ...parameters });
    });
  }

  #start(isClosing = false): Running {
    if (this.#closed && !isClosing) throw new MemberWorkerError('The store of members is closed.');
    if (this.#running) return this.#running;
    makeDurableDirectory(path.join(this.#directory, 'log'), path.dirname(this.#directory));
    const log = this.#log;
    const awaitsPeople = this.#startListeners.size > 0;
    const workerData: WorkerStart = { directory: this.#directory, end: log?.end, awaitsPeople };
    const source = new URL('./worker/main.ts', import.meta.url);
    const { url, execArgv } = threadFile(source, 'dist/member-worker.js');
    const worker = new Worker(url, { workerData, execArgv, name: 'members' });
    const ready = Promise.withResolvers<MemberLog>();
    const running: Running = {
      worker,
      pending: new Map(),
      hasPeople: !awaitsPeople,
      ready: ready.promise,
      unmerged: -(log?.bytes ?? 0),
    };
    this.#running = running;
    running.ready.catch(() => {});
    worker.on('message', (message: FromWorker) => this.#onMessage(running, message, ready.resolve));
    worker.on('error', (error: unknown) => this.#onEnd(running, error, ready.reject));
    worker.on('exit', (code) => this.#onEnd(running, `exit code ${code}`, ready.reject));
    for (const listener of this.#startListeners) listener();
    return running;
  }

  #onMessage(running: Running, message: FromWorker, ready: (log: MemberLog) => void): void {
    const { pending } = running;
    if (message.name === 'ready') {
      running.unmerged += message.unmerged;
      this.#log ??= new MemberLog(
        path.join(this.#directory, 'log'),
        message.seq,
        (appended) => this.#onAppended(appended),
        (segment) => {
          for (const copy of this.#copies) copy.hold(segment);
        },
      );
      ready(this.#log);
      this.#hold();
    } else if (message.name === 'merged') {
      running.unmerged -= message.bytes;
      this.#progress_ms = wallClock.elapsed();
      for (const { resolve } of this.#roomWaits.splice(0)) resolve(undefined);
      this.#hold();
    } else if (message.name === 'changed') {
      for (const listener of this.#changeListeners) listener(message.audience, message.changed);
    } else if (message.name === 'failed') {
      for (const listener of this.#errorListeners) listener(message.error);
    } else {
      const waiting = pending.get(message.id);
      pending.delete(message.id);
      if (message.name === 'result') waiting?.resolve(message.result);
      else waiting?.reject(message.error);
      this.#hold();
    }
  }

  /** The thread keeps the process alive while somebody waits for it, and no longer. */
  #hold(): void {
    const { worker, pending } = this.#running ?? {};
    if ((pending?.size ?? 0) + this.#roomWaits.length > 0) worker?.ref();
    else worker?.unref();
  }

  #onAppended(appended: Appended): void {
    const message: ToWorker = { name: 'appended', ...appended };
    this.#running?.worker.postMessage(message);
  }

  #onEnd(running: Running, cause: unknown, failed: (error: Error) => void): void {
    if (this.#running !== running) return;
    this.#running = undefined;
    const error = new MemberWorkerError('The thread that merges members has ended.', { cause });
    failed(error);
    for (const { reject } of [...running.pending.values(), ...this.#roomWaits.splice(0)]) reject(error);
    if (!this.#closed) for (const listener of this.#errorListeners) listener(error);
  }
}

function withoutPeople(): WorldClosedError {
  return new WorldClosedError('The world was closed before the store of members had all people.');
}
