import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { replaceFile, syncDirectory } from '../durable-file.ts';
import type { PlatformPerson } from '../member-store.ts';
import type { AudienceState } from './audience-state.ts';
import { compareKeys, copyKey, KEY_WORDS, KeySorter, kindOf } from './keys.ts';
import type { Lock } from './lock.ts';
import { readMatched } from './matched-reader.ts';
import { type MergeContext, rematch } from './merge.ts';
import { type Digest, PeopleTable } from './people-table.ts';
import type { Written } from './slot-writer.ts';

/** Keys that are matched anew at once. */
const CHUNK_KEYS = 1 << 18;
/** Changed keys that are remembered; an audience that missed more is matched as a whole. */
const REMEMBERED_KEYS = 1 << 16;

/** Has some work make the next version of an audience. */
type MakeVersion = (audience: AudienceState, work: (context: MergeContext) => Promise<Written>) => Promise<void>;

/** Keeps members matched with the people of the platform, who change. */
export class Rematcher {
  readonly people = new PeopleTable();
  /** The people that all audiences had been matched with when the thread started, if it is known. */
  readonly matchedAtStart: Digest | undefined;
  readonly #file: string;
  readonly #version: MakeVersion;
  readonly #sorter = new KeySorter();
  #changes: { readonly before: Digest; readonly keys: Uint32Array }[] = [];
  #isLoaded = false;
  #queue: string[] | undefined;
  hasWork = false;

  constructor(directory: string, version: MakeVersion) {
    this.#file = path.join(directory, 'matched.json');
    this.#version = version;
    this.matchedAtStart = readDigest(this.#file);
  }

  /** Replaces identifiers of people. After the first feed, audiences are matched anew in the background. */
  setPeople(people: readonly PlatformPerson[]): void {
    for (const person of people) {
      const before = this.people.digest;
      const keys = this.people.set(person);
      if (!this.#isLoaded || keys.length === 0) continue;
      this.#changes.push({ before, keys });
      this.#begin();
    }
    let remembered = this.#changes.reduce((sum, { keys }) => sum + keys.length / KEY_WORDS, 0);
    while (remembered > REMEMBERED_KEYS) remembered -= (this.#changes.shift()?.keys.length ?? 0) / KEY_WORDS;
  }

  endLoading(): void {
    this.#isLoaded = true;
    if (!this.matchedAtStart || !equal(this.matchedAtStart, this.people.digest)) this.#begin();
  }

  isUpToDate(audience: AudienceState): boolean {
    return equal(audience.people, this.people.digest);
  }

  /** Matches an audience with the people as they are now. */
  async bringUpToDate(audience: AudienceState): Promise<void> {
    if (this.isUpToDate(audience)) return;
    if (audience.manifest.runs.length > 0) {
      const missed = this.#changes.findIndex(({ before }) => equal(before, audience.people));
      if (missed >= 0) await this.#matchChanged(audience, missed);
      else await this.#matchAll(audience);
    }
    audience.people = this.people.digest;
  }

  /** Matches one more audience in the background. @returns false when there is nothing to do */
  async step(lock: Lock, names: () => string[], open: (name: string) => AudienceState): Promise<boolean> {
    if (!this.hasWork) return false;
    this.#queue ??= names();
    const name = this.#queue.pop();
    await lock.run(async () => {
      if (name !== undefined) await this.bringUpToDate(open(name));
      else this.#finish(names().length > 0);
    });
    return true;
  }

  /** All audiences will be looked at, from the beginning. */
  #begin(): void {
    this.hasWork = true;
    this.#queue = undefined;
    if (!existsSync(this.#file)) return;
    rmSync(this.#file);
    syncDirectory(path.dirname(this.#file));
  }

  #finish(hasAudiences: boolean): void {
    if (this.#queue === undefined) return;
    this.hasWork = false;
    this.#queue = undefined;
    if (hasAudiences) replaceFile(this.#file, JSON.stringify(this.people.digest));
  }

  async #matchChanged(audience: AudienceState, from: number): Promise<void> {
    const all = new KeyList();
    for (const { keys } of this.#changes.slice(from)) all.add(keys);
    const keys = this.#distinct(all);
    await this.#version(audience, (context) => rematch(keys, { takes: true, adds: true }, context));
  }

  /** Takes what no longer holds from all matched people before anything is added, so that nobody is joined by it. */
  async #matchAll(audience: AudienceState): Promise<void> {
    const runs = audience.openRuns();
    const matched = new KeyList();
    try {
      await readMatched(
        runs,
        () => undefined,
        (_, { keys }) => {
          if (keys) matched.add(keys);
        },
      );
    } finally {
      for (const run of runs) run.close();
    }
    for (const chunk of this.#chunks(matched)) {
      await this.#version(audience, (context) => rematch(chunk, { takes: true, adds: false }, context));
    }
    const all = new KeyList();
    for (const key of this.people.keys()) all.add(key);
    for (const chunk of this.#chunks(all)) {
      await this.#version(audience, (context) => rematch(chunk, { takes: false, adds: true }, context));
    }
  }

  *#chunks(list: KeyList): Generator<Uint32Array> {
    const keys = this.#distinct(list);
    for (let at = 0; at < keys.length; at += CHUNK_KEYS * KEY_WORDS)
      yield keys.subarray(at, at + CHUNK_KEYS * KEY_WORDS);
  }

  /** Sorts identifiers, each once; keys of people of the platform are left out. */
  #distinct({ keys, length }: KeyList): Uint32Array {
    const order = this.#sorter.order(keys, length / KEY_WORDS);
    const distinct = new Uint32Array(length);
    let end = 0;
    for (const key of order) {
      const at = key * KEY_WORDS;
      if (kindOf(keys[at] ?? 0) === 0) continue;
      if (end > 0 && compareKeys(distinct, end - KEY_WORDS, keys, at) === 0) continue;
      copyKey(keys, at, distinct, end);
      end += KEY_WORDS;
    }
    return distinct.subarray(0, end);
  }
}

/** A list of keys that grows. */
class KeyList {
  keys = new Uint32Array(KEY_WORDS * 64);
  length = 0;

  add(more: Uint32Array): void {
    if (this.length + more.length > this.keys.length) {
      const larger = new Uint32Array((this.length + more.length) * 2);
      larger.set(this.keys);
      this.keys = larger;
    }
    this.keys.set(more, this.length);
    this.length += more.length;
  }
}

function equal(one: Digest, other: Digest): boolean {
  return one[0] === other[0] && one[1] === other[1];
}

function readDigest(file: string): Digest | undefined {
  if (!existsSync(file)) return undefined;
  const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!Array.isArray(parsed)) return undefined;
  const [low, high] = parsed;
  return typeof low === 'number' && typeof high === 'number' ? [low, high] : undefined;
}
