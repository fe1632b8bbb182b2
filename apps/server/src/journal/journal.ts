/**
 * The last calls of one world, in memory. The newest push out the oldest, by number and by bytes. What is kept of a call is what
 * the pipeline had in its hands anyway; it is put into words when somebody asks. Threads that serve the world keep their own calls,
 * which are fetched from them then. While the world is closed, a file has them.
 */
import type { Forgotten, JournalCall } from '@broadside/core/resources/control/journal';
import { type Clock, type WallClock, wallClock } from '../world/clock.ts';
import { forgottenBy, joined } from './forgotten.ts';
import type { JournalFile, StoredJournal } from './journal-file.ts';
import { type PackedText, PackedTexts, textOf } from './packed-texts.ts';
import type { Answered, JournalLimits, RecordedRequest, Recording } from './records.ts';
import { arrivedMs, shownCalls } from './shown-calls.ts';

interface Clocks {
  /** That of the world. */
  readonly clock: Clock;
  readonly wallClock: WallClock;
}

/** A request as another thread hands it over: in words, since it shares no objects. */
export interface HandedRequest {
  readonly elapsed_ms: number;
  readonly bytes: number;
  readonly calls: readonly JournalCall[];
}

/** Requests that another thread has kept. */
export interface Handed {
  readonly requests: readonly HandedRequest[];
  /** Those that it has pushed out. */
  readonly forgotten: Forgotten | undefined;
}

/** Fetches what another thread has kept, which it then forgets. */
type JournalSource = () => Promise<Handed>;

interface Kept {
  readonly elapsed_ms: number;
  /** Orders requests that were answered at the same time. */
  readonly seq: number;
  readonly bytes: number;
  readonly request: Answered | undefined;
  /** That of its answer. */
  readonly body?: PackedText | undefined;
  readonly calls: readonly JournalCall[] | undefined;
  /** The place among those of which it is known what became of their answers; a request that was recorded here has its own. */
  readonly told: number | undefined;
}

/** What the parts of an entry take beside its texts, about. */
const ENTRY_BYTES = 1000;
/** Entries that have been pushed out are removed together. */
const SWEPT = 500;
/** Requests that are put into words without letting others run. */
const SLICE = 50;
/** Positions within a millisecond: one after a crash is beyond all before it, unless there were more calls than this. */
const POSITIONS = 1000;

/** The journal of one world. */
export class Journal implements Recording {
  readonly limits: JournalLimits;
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly #sources = new Set<JournalSource>();
  readonly #waiting = new Set<() => void>();
  readonly #bodies = new PackedTexts();
  #kept: Kept[] = [];
  #fetching: Promise<unknown> = Promise.resolve();
  #first = 0;
  #bytes = 0;
  #seq = wallClock.now() * POSITIONS;
  #told = this.#seq;
  /** Positions before it are of the time before the world was opened. */
  readonly #begins = this.#told;
  #endings = 0;
  #forgotten: Forgotten | undefined;
  #began_ms = wallClock.now();
  readonly #opened_ms = wallClock.elapsed();
  #file: JournalFile | undefined;
  /** Opens what the file had, if nobody has asked for it yet. */
  #left: (() => Promise<StoredJournal | undefined>) | undefined;
  #isEnding = false;

  constructor(limits: JournalLimits, { clock, wallClock }: Clocks) {
    this.limits = limits;
    this.clock = clock;
    this.wallClock = wallClock;
  }

  /** Has it outlive the time for which the world is open: {@link keep} writes it into the file that it goes on from. */
  keepIn(file: JournalFile): void {
    this.#file = file;
    this.#left = file.take();
  }

  record(request: Answered, body: string | undefined): void {
    const kept: Kept = {
      elapsed_ms: request.elapsed_ms,
      seq: this.#seq++,
      bytes: bytesOf(request) + (body?.length ?? 0),
      request,
      body: body === undefined ? undefined : this.#bodies.add(body),
      calls: undefined,
      told: undefined,
    };
    this.#keep(kept);
  }

  settled(request: Answered): void {
    request.told = ++this.#told;
    this.#tell();
  }

  /** Adds threads that keep calls of this world. */
  addSource(source: JournalSource): void {
    this.#sources.add(source);
  }

  /** The number of requests that are kept here. */
  get size(): number {
    return this.#kept.length - this.#first;
  }

  /** Since when it has kept calls, in milliseconds of the machine: nothing is missing from there on but what was pushed out. */
  get began_ms(): number {
    return this.#began_ms;
  }

  /** What is kept here, in the order in which it was answered. */
  requests(): readonly RecordedRequest[] {
    return this.#kept.slice(this.#first).flatMap((kept) => recordedIn(kept) ?? []);
  }

  /**
   * Calls in words, with their places.
   * @param newestFirst otherwise the oldest
   * @param before those that were answered before this place only
   */
  async *calls({
    newestFirst = false,
    before,
  }: {
    newestFirst?: boolean;
    before?: Place;
  } = {}): AsyncGenerator<PlacedCall> {
    await this.#fetch();
    const all = this.#kept.slice(this.#first);
    if (newestFirst) all.reverse();
    yield* inWords(before ? all.filter((kept) => isBefore(kept, before)) : all, newestFirst);
  }

  /** Calls in words, the oldest first, with what had been pushed out when they were all that was kept. */
  async whole(): Promise<{ readonly calls: AsyncGenerator<PlacedCall>; readonly forgotten: Forgotten | undefined }> {
    await this.#fetch();
    return { calls: inWords(this.#kept.slice(this.#first), false), forgotten: this.#forgotten };
  }

  /**
   * Calls of which it became known after a position what became of their answers, the earliest first. Waits for the first of them, unless
   * the position is of a time before the world was opened.
   * @param after 0 for all that are kept, `undefined` for those to come. One that is beyond all that were given is of a time before, so it
   * counts as 0.
   */
  async following(
    after: number | undefined,
    most: number,
    wait_ms: number,
  ): Promise<{ readonly calls: readonly JournalCall[]; readonly position: number }> {
    await this.#fetch();
    const given = after ?? this.#told;
    const from = given > this.#told ? 0 : given;
    const ends = wallClock.elapsed() + wait_ms;
    const endings = this.#endings;
    for (;;) {
      const found = this.#toldAfter(from).slice(0, most);
      const last = found.at(-1);
      if (last) return { calls: found.flatMap(callsOf), position: toldOf(last) ?? from };
      // Who has followed before learns at once what has become of the journal.
      if (given > 0 && given < this.#begins) return { calls: [], position: this.#told };
      const left = ends - wallClock.elapsed();
      if (left <= 0 || this.#endings > endings || this.#isEnding) return { calls: [], position: from };
      // Other threads say nothing by themselves.
      await this.#news(this.#sources.size === 0 ? left : Math.min(left, FETCH_MS));
      await this.#fetch();
    }
  }

  /** Answers those who wait for calls now: the world is about to be closed. */
  endWaits(): void {
    this.#endings++;
    this.#tell();
  }

  /** Hands over what is kept here of requests whose answers have been taken, in words, at most so many; forgets them. */
  hand(most: number): Handed {
    const all = this.#kept.slice(this.#first);
    const handed = all.filter((kept) => toldOf(kept) !== undefined).slice(0, most);
    const left = new Set(handed);
    this.#kept = all.filter((kept) => !left.has(kept));
    this.#first = 0;
    for (const { bytes } of handed) this.#bytes -= bytes;
    const forgotten = this.#forgotten;
    this.#forgotten = undefined;
    const requests = handed.map((kept) => ({
      elapsed_ms: kept.elapsed_ms,
      bytes: kept.bytes,
      calls: callsOf(kept),
    }));
    return { requests, forgotten };
  }

  /** Forgets everything. @returns the number of requests */
  async clear(): Promise<number> {
    await this.#fetch();
    const { size } = this;
    this.#kept = [];
    this.#first = 0;
    this.#bytes = 0;
    this.#forgotten = undefined;
    this.#began_ms = wallClock.now();
    return size;
  }

  /** Answers those who wait for calls now, and those who come later too: the server is about to end. */
  end(): void {
    this.#isEnding = true;
    this.#tell();
  }

  /** Writes it into its file, as the world is about to be closed. */
  async keep(): Promise<void> {
    const file = this.#file;
    if (file === undefined) return;
    // Answers that are made already are recorded by now.
    await new Promise((resolve) => setImmediate(resolve));
    await this.#fetch();
    const requests = this.#kept.slice(this.#first).map((kept) => {
      const { elapsed_ms, seq, bytes } = kept;
      return { elapsed_ms, seq, bytes, told: toldOf(kept) ?? ++this.#told, calls: [...callsOf(kept)] };
    });
    const { requests: forgotten = 0, arrived_ms: forgotten_until_ms } = this.#forgotten ?? {};
    await file.write({ began_ms: this.#began_ms, forgotten, forgotten_until_ms, requests });
  }

  /** Fetches what other threads have, one after the other for those who ask at the same time. */
  #fetch(): Promise<void> {
    if (this.#sources.size === 0 && this.#left === undefined) return Promise.resolve();
    const fetched = this.#fetching.then(() => this.#goOn()).then(() => this.#fetchAll());
    this.#fetching = fetched.catch(() => undefined);
    return fetched;
  }

  /** Takes what the file had before what was recorded since. */
  async #goOn(): Promise<void> {
    const stored = await this.#left?.();
    this.#left = undefined;
    if (stored === undefined) return;
    const { began_ms, forgotten, forgotten_until_ms, requests } = stored;
    this.#began_ms = began_ms;
    // All of them had been answered when the world was closed.
    const until = { arrived_ms: forgotten_until_ms ?? wallClock.now(), answered_ms: this.#opened_ms };
    this.#forgotten = joined(forgottenBy(forgotten, until), this.#forgotten);
    // The machine may have been started again, which begins its elapsed time anew.
    const late = Math.max(0, (requests.at(-1)?.elapsed_ms ?? 0) - this.#opened_ms);
    const before = requests.map((kept): Kept => ({ ...kept, elapsed_ms: kept.elapsed_ms - late, request: undefined }));
    this.#kept = [...before, ...this.#kept.slice(this.#first)];
    this.#first = 0;
    for (const { bytes } of before) this.#bytes += bytes;
    this.#trim();
  }

  /** Brings it into the order in which all was answered. */
  async #fetchAll(): Promise<void> {
    const all = await Promise.all([...this.#sources].map((source) => source()));
    for (const { forgotten } of all) this.#forgotten = joined(this.#forgotten, forgotten);
    const fetched = all.flatMap(({ requests }) => requests);
    if (fetched.length === 0) return;
    fetched.sort((one, other) => one.elapsed_ms - other.elapsed_ms);
    for (const { elapsed_ms, bytes, calls } of fetched) {
      this.#kept.push({ elapsed_ms, seq: this.#seq++, bytes, request: undefined, calls, told: ++this.#told });
      this.#bytes += bytes;
    }
    this.#kept = this.#kept.slice(this.#first).sort((one, other) => (isBefore(one, other) ? -1 : 1));
    this.#first = 0;
    this.#trim();
    this.#tell();
  }

  #keep(kept: Kept): void {
    this.#kept.push(kept);
    this.#bytes += kept.bytes;
    this.#trim();
  }

  #trim(): void {
    while (this.size > this.limits.calls || this.#bytes > this.limits.bytes) {
      const oldest = this.#kept[this.#first];
      if (oldest === undefined) break;
      this.#bytes -= oldest.bytes;
      this.#first++;
      const { elapsed_ms: answered_ms } = oldest;
      this.#forgotten = joined(this.#forgotten, { requests: 1, arrived_ms: arrivedAt(oldest), answered_ms });
    }
    if (this.#first < SWEPT) return;
    this.#kept.splice(0, this.#first);
    this.#first = 0;
  }

  #toldAfter(position: number): Kept[] {
    const found = this.#kept.slice(this.#first).filter((kept) => (toldOf(kept) ?? 0) > position);
    return found.sort((one, other) => (toldOf(one) ?? 0) - (toldOf(other) ?? 0));
  }

  #tell(): void {
    if (this.#waiting.size > 0) this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  /** Resolves when there is something new, or after some time. */
  #news(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      timer.unref();
      this.#waiting.add(wake);
    });
  }
}

/** The time between two looks at other threads. */
const FETCH_MS = 200;

/** A place in the order in which requests were answered. */
export interface Place {
  readonly elapsed_ms: number;
  readonly seq: number;
}

function isBefore(one: Place, other: Place): boolean {
  return one.elapsed_ms < other.elapsed_ms || (one.elapsed_ms === other.elapsed_ms && one.seq < other.seq);
}

function toldOf({ request, told }: Kept): number | undefined {
  return request ? request.told : told;
}

/** The request that was recorded here. */
function recordedIn({ request, body }: Kept): RecordedRequest | undefined {
  return request && { ...request, body: body && textOf(body) };
}

/** A call in words, and its place. */
type PlacedCall = readonly [call: JournalCall, place: Place];

/** Others run in between. */
async function* inWords(all: readonly Kept[], newestFirst: boolean): AsyncGenerator<PlacedCall> {
  for (const [at, kept] of all.entries()) {
    const calls = callsOf(kept);
    for (const call of newestFirst ? calls.toReversed() : calls) yield [call, kept];
    if ((at + 1) % SLICE === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

/** When a request arrived, as its calls say it. */
function arrivedAt({ request, calls = [] }: Kept): number {
  return request ? arrivedMs(request) : Math.max(0, ...calls.map(({ time }) => Date.parse(time)));
}

function callsOf(kept: Kept): readonly JournalCall[] {
  const request = recordedIn(kept);
  return kept.calls ?? (request ? shownCalls(request) : []);
}

function bytesOf({ target, calls }: Answered): number {
  let bytes = ENTRY_BYTES + target.length;
  for (const call of calls) {
    // The text of the body, and what was read of it.
    bytes += 3 * (call.body?.length ?? 0);
    for (const { text } of call.changes) bytes += text.length;
  }
  return bytes;
}
