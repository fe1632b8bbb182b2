/**
 * Counters in shared memory by which readers know whether rows that they have kept are still those of the database, in
 * this thread and in others. The one writer makes the counters of all that a transaction touches odd before COMMIT, and
 * even again after it; a transaction that is rolled back changes nothing, so it touches nothing.
 *
 * A reader notes the counters, reads the database, and keeps what it has read only if the counters were even and are the
 * same afterwards; it uses what it keeps only while they still are. So nothing kept is ever older than an acknowledged
 * write, and no thread sees an older state after a newer one: see `docs/adr/0017-the-hot-path.md`.
 *
 * The subject of a counter is hashed to one of 2^18 slots, and a store has as many counters or, where a process has many stores, 2^9,
 * which many subjects share. Those that share a counter only cost a read too many. One more counter is of everything: it is added to each
 * that is read.
 *
 * Few counters are laid out by the lines of the processor's cache. In a server with many worlds those of each world are in none, so what
 * counts is how many lines a read looks at: one for everything and for tables, and one or two for a scope of a table with its rows.
 */

/** Slots: 1 MiB of counters where each has its own. */
const SLOT_BITS = 18;
const SLOTS = 2 ** SLOT_BITS;
/** Counters of one of many stores. */
const FEW_COUNTERS = 2 ** 9;
/** Counters in a line of the cache. */
const LINE = 16;
/** The first of few counters is that of everything; the rest of its line are tables. */
const CACHES_LINE = 1;
const FIRST_LINE = 2;
const LINES = FEW_COUNTERS / LINE - FIRST_LINE;
/** Rows of a table in a scope have so many lines. */
const ROW_LINES = 4;

/** What is counted of a store: the hash of it in the lowest 18 bits, and above them its place among few counters. */
export type Slot = number;

/** Counters of one store. */
export class Generations {
  #counters: Int32Array;
  readonly #isFew: boolean;
  /** The first of few counters. */
  #first: number;
  /** The place of the counter of everything. */
  #all: number;
  readonly #buffer: SharedArrayBuffer | undefined;

  /** @param memory that of the thread that writes the store, or a part of the memory for few counters; by default new memory */
  constructor(memory: SharedArrayBuffer | FewCounters = memoryOf(SLOTS + 1)) {
    const isShared = memory instanceof SharedArrayBuffer;
    const { counters, first } = isShared ? { counters: new Int32Array(memory), first: 0 } : memory;
    this.#isFew = !isShared;
    this.#buffer = isShared ? memory : undefined;
    this.#counters = counters;
    this.#first = first;
    this.#all = first + (isShared ? SLOTS : 0);
  }

  /** Counters in little memory, for one of many stores of a process, which one thread reads. {@link release} gives them back. */
  static few(): Generations {
    return new Generations(takeFew());
  }

  /** The memory of the counters, for other threads. @throws TypeError where there are few */
  get buffer(): SharedArrayBuffer {
    if (this.#buffer === undefined) throw new TypeError('few counters are those of one thread');
    return this.#buffer;
  }

  /** The counters as they are now, by which it is seen whether anything was written since. */
  get state(): Int32Array {
    return this.#isFew ? this.#counters.slice(this.#first, this.#first + FEW_COUNTERS) : this.#counters.slice();
  }

  /** Gives few counters back, as the store is closed: whatever is asked from now on is in flux. */
  release(): void {
    if (!this.#isFew || this.#counters === RELEASED) return;
    giveBack({ counters: this.#counters, first: this.#first });
    this.#counters = RELEASED;
    this.#first = 0;
    this.#all = 0;
  }

  /** The state of a slot, which never comes again before 2^31 changes. It counts on over the range of 32 bits. */
  read(slot: Slot): number {
    return (Atomics.load(this.#counters, this.#placeOf(slot)) + Atomics.load(this.#counters, this.#all)) | 0;
  }

  /** Marks slots as in flux, before COMMIT. Each slot once; only the thread that writes, and {@link end} follows. */
  begin(slots: Iterable<Slot>): void {
    this.#advance(slots);
  }

  /** Ends what {@link begin} began, after COMMIT or ROLLBACK. */
  end(slots: Iterable<Slot>): void {
    this.#advance(slots);
  }

  /** Makes everything outdated that was kept until now. Slots in flux stay so. */
  advanceAll(): void {
    Atomics.add(this.#counters, this.#all, 2);
  }

  #advance(slots: Iterable<Slot>): void {
    for (const place of this.#placesOf(slots)) Atomics.add(this.#counters, place, 1);
  }

  /** The places of counters, each once: one that was advanced twice would be stable while what it stands for is in flux. */
  #placesOf(slots: Iterable<Slot>): Iterable<number> {
    const places = new Set<number>();
    for (const slot of slots) places.add(this.#placeOf(slot));
    return places;
  }

  #placeOf(slot: Slot): number {
    return this.#isFew ? this.#first + (slot >>> SLOT_BITS) : slot & (SLOTS - 1);
  }
}

/** Counters of a store that is closed: that of everything is in flux. */
const RELEASED = new Int32Array(FEW_COUNTERS);
RELEASED[0] = 1;

/** Stores whose counters are in one piece of memory. */
const STORES = 128;

/** The part of a piece of memory that one store has. In one piece they take few pages, whose addresses the processor remembers. */
interface FewCounters {
  readonly counters: Int32Array;
  readonly first: number;
}

const unused: FewCounters[] = [];

function takeFew(): FewCounters {
  const known = unused.pop();
  if (known) return known;
  const counters = new Int32Array(STORES * FEW_COUNTERS);
  for (let store = STORES - 1; store > 0; store--) unused.push({ counters, first: store * FEW_COUNTERS });
  return { counters, first: 0 };
}

function giveBack({ counters, first }: FewCounters): void {
  counters.fill(0, first, first + FEW_COUNTERS);
  unused.push({ counters, first });
}

function memoryOf(counters: number): SharedArrayBuffer {
  return new SharedArrayBuffer(counters * Int32Array.BYTES_PER_ELEMENT);
}

/** Returns whether a counter is of a state that can be kept: no transaction that touches it is about to be committed. */
export function isStable(generation: number): boolean {
  return (generation & 1) === 0;
}

/** The slot of all rows of a table: of writes that do not say more. */
export function tableSlot(table: string): Slot {
  const value = mixed(hash(table, hash('table', BASIS)));
  return slotOf(value, 0, 1 + (value % (LINE - 1)));
}

/** The slot of all rows of a table in a scope (for account data: the account): of writes to more than one of them. */
export function scopeSlot(table: string, scope: string): Slot {
  return slotOf(mixed(hash(scope, hash(table, hash('scope', BASIS)))), lineOf(table, scope), 0);
}

/** The slot of the lists of a table in a scope: of every write to a row in it. */
export function listSlot(table: string, scope: string): Slot {
  return slotOf(mixed(hash(scope, hash(table, hash('list', BASIS)))), lineOf(table, scope), 1);
}

/** The slot of one row. */
export function rowSlot(table: string, scope: string, id: string): Slot {
  return rowSlots(table, scope)(id);
}

/** Returns the function that gives the slots of rows of a table in a scope. */
export function rowSlots(table: string, scope: string): (id: string) => Slot {
  const begun = hash(scope, hash(table, hash('row', BASIS)));
  const first = lineOf(table, scope) - FIRST_LINE;
  return (id) => {
    const value = mixed(hash(id, begun));
    const line = FIRST_LINE + ((first + (value % ROW_LINES)) % LINES);
    // The first two places are of scopes and lists: those of lists change with every write.
    return slotOf(value, line, 2 + (Math.floor(value / ROW_LINES) % (LINE - 2)));
  };
}

/** The slot of answers that are kept under a name, which do not follow the rows of one table. */
export function cacheSlot(name: string): Slot {
  const value = mixed(hash(name, hash('cache', BASIS)));
  return slotOf(value, CACHES_LINE, value % LINE);
}

/** The line of few counters that has those of a table in a scope. */
function lineOf(table: string, scope: string): number {
  return FIRST_LINE + (mixed(hash(scope, hash(table, hash('line', BASIS)))) % LINES);
}

// FNV-1a over 16-bit units, with a separator.
const BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

function hash(text: string, seed: number): number {
  let value = seed;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), PRIME);
  return Math.imul(value ^ 0x1f, PRIME);
}

/** Folds the upper bits in: the lowest ones of FNV depend on the lowest of its input only. */
function mixed(value: number): number {
  const folded = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (folded ^ (folded >>> 13)) >>> 0;
}

/** @param line of few counters, and the place in it */
function slotOf(value: number, line: number, place: number): Slot {
  return ((line * LINE + place) << SLOT_BITS) | (value & (SLOTS - 1));
}
