/**
 * Merges the log into the runs of audiences, in rounds: reads the next frames, merges those of each audience, and lets
 * go of the segments that have been read. A round takes effect audience by audience, with its manifest; one that was cut off is
 * taken up by the number of the last frame that a manifest names.
 */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { nameOfDirectory } from '../audience-name.ts';
import { makeDurableDirectory } from '../durable-file.ts';
import type { Frame } from '../log/frame.ts';
import type { Appended } from '../log/member-log.ts';
import type { MemberFigures, PlatformPerson, VersionedMembers } from '../member-store.ts';
import { AudienceState } from './audience-state.ts';
import { Batch } from './batch.ts';
import { breather } from './breathe.ts';
import { Compactor } from './compactor.ts';
import { KeySorter } from './keys.ts';
import { Lock } from './lock.ts';
import { isDrop, LogReader } from './log-reader.ts';
import { MatchedColumns } from './matched-columns.ts';
import { readMatched } from './matched-reader.ts';
import { type MergeContext, mergeBatch } from './merge.ts';
import { PendingFrames } from './pending-frames.ts';
import type { FromWorker, WorkerStart } from './protocol.ts';
import { Rematcher } from './rematcher.ts';
import { bytesOf } from './run-format.ts';
import type { Written } from './slot-writer.ts';

/** Bytes of the log that are merged at once, about: a million records. */
const ROUND_BYTES = 32 << 20;
/** Merges wait for compaction while an audience has more runs than this. */
const MOST_RUNS = 32;

export class Engine {
  readonly #send: (message: FromWorker) => void;
  readonly #directory: string;
  readonly #log: LogReader;
  readonly #audiences = new Map<string, AudienceState>();
  readonly #pending = new PendingFrames();
  readonly #rematcher: Rematcher;
  readonly #compactor = new Compactor();
  readonly #sorter = new KeySorter();
  /** Work that makes versions of audiences, one piece at a time. */
  readonly #writing = new Lock();
  readonly #loaded = Promise.withResolvers<void>();
  #wake: () => void = () => {};
  #isClosed = false;

  constructor({ directory, end, awaitsPeople }: WorkerStart, send: (message: FromWorker) => void) {
    this.#send = send;
    this.#directory = path.join(directory, 'audiences');
    makeDurableDirectory(this.#directory, directory);
    this.#rematcher = new Rematcher(directory, (audience, work) => this.#version(audience, work));
    this.#log = new LogReader(path.join(directory, 'log'), (error) => send({ name: 'failed', error }));
    const { seq, bytes } = this.#log.recover(end, (frame) => this.#pending.add(frame, isDrop(frame)));
    send({ name: 'ready', seq, unmerged: bytes });
    if (!awaitsPeople) this.#endLoading();
    // What nobody expected ends the thread; what was acknowledged is in the log.
    this.#run().catch((error: unknown) => setImmediate(() => fail(error)));
  }

  /** The log has grown. */
  appended({ frames, ...end }: Appended): void {
    for (const frame of frames) this.#pending.add(frame, false);
    this.#log.extend(end);
    this.#wake();
  }

  async settle(name: string): Promise<void> {
    await this.#loaded.promise;
    await this.#pending.settled(name);
    await this.#matchedAnew(name);
  }

  async matched(name: string): Promise<VersionedMembers> {
    await this.#loaded.promise;
    await this.#matchedAnew(name);
    const audience = this.#audience(name);
    return audience.read(async () => {
      const { version } = audience.manifest;
      const columns = new MatchedColumns();
      const runs = audience.openRuns();
      try {
        await readMatched(runs, breather(), (id, person) => columns.add(id, person));
      } finally {
        for (const run of runs) run.close();
      }
      return { ...columns.finish(), version };
    });
  }

  async figures(name: string): Promise<MemberFigures> {
    const { runs } = this.#audience(name).manifest;
    return {
      keys: runs.reduce((sum, { entries }) => sum + entries, 0),
      bytes: runs.reduce((sum, run) => sum + bytesOf(run), 0),
      pending: this.#pending.records(name),
    };
  }

  /** Removes an audience, as the frame of a number says, and waits until the log has no more of it. */
  async drop(name: string, seq: number, segment: number): Promise<void> {
    this.#pending.drop(name, seq);
    await this.#loaded.promise;
    await this.#pending.settled(name);
    await this.#reached(segment);
  }

  async sweep(now_s: number, segment: number): Promise<void> {
    await this.#loaded.promise;
    await this.#reached(segment);
    for (const name of this.#names()) {
      await this.#compactor.sweep(this.#audience(name), now_s);
    }
  }

  setPeople(people: readonly PlatformPerson[]): Promise<void> {
    return this.#writing.run(async () => {
      this.#rematcher.setPeople(people);
      this.#wake();
    });
  }

  async peopleLoaded(): Promise<void> {
    await this.#writing.run(async () => this.#endLoading());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wake();
  }

  #endLoading(): void {
    this.#rematcher.endLoading();
    this.#loaded.resolve();
  }

  async #run(): Promise<void> {
    await this.#loaded.promise;
    while (!this.#isClosed) {
      if (this.#log.hasMore) await this.#writing.run(() => this.#round());
      else if (
        !(await this.#rematcher.step(
          this.#writing,
          () => this.#names(),
          (name) => this.#audience(name),
        ))
      )
        await this.#more();
    }
  }

  async #more(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    if (!this.#log.hasMore && !this.#rematcher.hasWork && !this.#isClosed) await promise;
  }

  async #round(): Promise<void> {
    const frames = this.#log.read(ROUND_BYTES);
    const ofAudiences = Map.groupBy(frames, ({ audience }) => audience);
    for (const [name, own] of ofAudiences) {
      await this.#merge(this.#audience(name), own);
      this.#pending.done(name, own);
    }
    this.#log.removeRead();
    this.#pending.reached(this.#log.segment);
    this.#send({ name: 'merged', bytes: frames.reduce((sum, { size }) => sum + size, 0) });
  }

  async #merge(audience: AudienceState, frames: readonly Frame[]): Promise<void> {
    const { manifest, name } = audience;
    const applied = frames.at(-1)?.seq ?? 0;
    if (manifest.dropped || applied <= manifest.applied) return;
    if (frames.some(isDrop)) {
      await audience.unread();
      audience.publish({ applied, runs: [], dropped: true });
      return;
    }
    const fresh = frames.filter(({ seq }) => seq > manifest.applied && !this.#pending.isDropped(name, seq));
    if (fresh.length === 0) return;
    await this.#rematcher.bringUpToDate(audience);
    while (audience.manifest.runs.length > MOST_RUNS) await this.#compactor.settle();
    const batch = new Batch(fresh, audience.manifest.at_s);
    await this.#version(audience, (context) => mergeBatch(batch, context), { applied, at_s: batch.now_s });
  }

  /** Has some work make the next version of an audience from its runs. */
  async #version(
    audience: AudienceState,
    work: (context: MergeContext) => Promise<Written>,
    facts: { readonly applied?: number; readonly at_s?: number } = {},
  ): Promise<void> {
    const runs = audience.openRuns();
    let written: Written;
    try {
      written = await work({
        people: this.#rematcher.people,
        sorter: this.#sorter,
        runs,
        at_s: audience.manifest.at_s,
        create: () => audience.createRun(),
        breathe: breather(),
      });
    } finally {
      for (const run of runs) run.close();
    }
    await audience.unread();
    const { manifest } = audience;
    const at_s = Math.max(manifest.at_s, facts.at_s ?? 0);
    const { run, changed } = written;
    if (run) {
      const version = manifest.version + 1;
      audience.publish({ ...facts, at_s, version, runs: [...manifest.runs, run] });
      this.#send({ name: 'changed', audience: audience.name, changed: { ...changed, version } });
      this.#compactor.consider(audience);
    } else if (facts.applied !== undefined) {
      audience.publish({ ...facts, at_s });
    }
  }

  async #matchedAnew(name: string): Promise<void> {
    const audience = this.#audience(name);
    if (!this.#rematcher.isUpToDate(audience)) await this.#writing.run(() => this.#rematcher.bringUpToDate(audience));
  }

  async #reached(segment: number): Promise<void> {
    this.#wake();
    await this.#pending.segmentReached(segment, this.#log.segment);
  }

  #audience(name: string): AudienceState {
    const known = this.#audiences.get(name);
    if (known) return known;
    const opened = new AudienceState(this.#directory, name, this.#rematcher.matchedAtStart);
    this.#audiences.set(name, opened);
    return opened;
  }

  #names(): string[] {
    return existsSync(this.#directory) ? readdirSync(this.#directory).map(nameOfDirectory) : [];
  }
}

function fail(error: unknown): never {
  throw error instanceof Error ? error : new Error(String(error));
}
