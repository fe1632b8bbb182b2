import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { directoryOf } from '../audience-name.ts';
import { syncDirectory } from '../durable-file.ts';
import { emptyManifest, type Manifest, readManifest, writeManifest } from './manifest.ts';
import type { Digest } from './people-table.ts';
import { entriesFile, heapFile } from './run-format.ts';
import { OpenRun } from './run-reader.ts';
import { RunWriter } from './run-writer.ts';

/** An audience as the thread knows it: its manifest and its files. */
export class AudienceState {
  readonly name: string;
  readonly #directory: string;
  #manifest: Manifest;
  #nextRun: number;
  #readers: Promise<unknown> = Promise.resolve();
  /** The people that members have been matched with; ahead of the manifest if that changed nothing. */
  people: Digest;

  /** @param people the people that all audiences have been matched with, if that is known */
  constructor(parent: string, name: string, people: Digest | undefined) {
    this.name = name;
    this.#directory = path.join(parent, directoryOf(name));
    this.#manifest = (existsSync(this.#directory) ? readManifest(this.#directory) : undefined) ?? emptyManifest;
    this.#nextRun = this.#manifest.next_run;
    this.people = people ?? this.#manifest.people;
  }

  get manifest(): Manifest {
    return this.#manifest;
  }

  /** Has some work read the current state; no other version takes effect meanwhile. */
  read<Result>(work: () => Promise<Result>): Promise<Result> {
    const running = work();
    this.#readers = Promise.allSettled([this.#readers, running]);
    return running;
  }

  /** Resolves when nobody reads. */
  async unread(): Promise<void> {
    for (let readers: unknown; readers !== this.#readers; ) {
      readers = this.#readers;
      await this.#readers;
    }
  }

  /** Opens runs: the newest first, so many of them, or all. Close them. */
  openRuns(count = this.#manifest.runs.length): OpenRun[] {
    const { runs } = this.#manifest;
    const opened: OpenRun[] = [];
    try {
      for (const facts of runs.slice(runs.length - count).reverse()) opened.push(new OpenRun(this.#directory, facts));
    } catch (error) {
      for (const run of opened) run.close();
      throw error;
    }
    return opened;
  }

  /** Begins a run. */
  createRun(): RunWriter {
    this.#makeDirectory();
    return new RunWriter(this.#directory, this.#nextRun++);
  }

  /** Makes a state durable, and removes the runs that it no longer has. */
  publish(change: Partial<Manifest>): void {
    this.#makeDirectory();
    const before = this.#manifest.runs;
    const manifest = { ...this.#manifest, people: this.people, ...change, next_run: this.#nextRun };
    writeManifest(this.#directory, manifest);
    this.#manifest = manifest;
    const kept = new Set(manifest.runs.map(({ id }) => id));
    for (const { id } of before) if (!kept.has(id)) this.removeRun(id);
  }

  /** Removes the files of a run. */
  removeRun(id: number): void {
    for (const name of [entriesFile(id), heapFile(id)]) rmSync(path.join(this.#directory, name), { force: true });
  }

  #makeDirectory(): void {
    if (existsSync(this.#directory)) return;
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    syncDirectory(path.dirname(this.#directory));
  }
}
