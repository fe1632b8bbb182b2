/**
 * Counters in shared memory by which readers know whether rows that they have kept are still those of the database, in
 * this thread and in others. The one writer makes the counters of all that a transaction touches odd before COMMIT, and
 * even again after it; a transaction that is rolled back changes nothing, so it touches nothing.
 *
 * A reader notes the counters, reads the database, and keeps what it has read only if the counters were even and are the
 * same afterwards; it uses what it keeps only while they still are. So nothing kept is ever older than an acknowledged
 * write, and no thread sees an older state after a newer one: see `docs/adr/0017-the-hot-path.md`.
 *
 * The subject of a counter is hashed to one of 2^18 slots, and a store has as many counters or, where a process has many stores, fewer,
 * which several slots share. Those that share a counter only cost a read too many. One more counter is of everything: it is added to each
 * that is read.
 */

/** Slots: 1 MiB of counters where each has its own. */
const SLOTS = 2 ** 18;
/** Counters of one of many stores: 16 KiB. */
const FEW_COUNTERS = 2 ** 12;

/** What is counted of a store: the hash of it. */
export type Slot = number;

/** Counters of one store. */
export class Generations {
  /** The memory of the counters, for other threads. */
  readonly buffer: SharedArrayBuffer;
  readonly #counters: Int32Array;
  /** The place of the counter of everything, behind those of slots, whose number is a power of two. */
  readonly #all: number;

  /** @param buffer that of the thread that writes the store; by default new memory */
  constructor(buffer = memoryOf(SLOTS)) {
    this.buffer = buffer;
    this.#counters = new Int32Array(buffer);
    this.#all = this.#counters.length - 1;
  }

  /** Counters in little memory, for one of many stores of a process. */
  static few(): Generations {
    return new Generations(memoryOf(FEW_COUNTERS));
  }

  /** The state of a slot, which never comes again before 2^31 changes. It counts on over the range of 32 bits. */
  read(slot: Slot): number {
    return (Atomics.load(this.#counters, slot & (this.#all - 1)) + Atomics.load(this.#counters, this.#all)) | 0;
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
    if (this.#all === SLOTS) return slots;
    const places = new Set<number>();
    for (const slot of slots) places.add(slot & (this.#all - 1));
    return places;
  }
}

function memoryOf(counters: number): SharedArrayBuffer {
  return new SharedArrayBuffer((counters + 1) * Int32Array.BYTES_PER_ELEMENT);
}

/** Returns whether a counter is of a state that can be kept: no transaction that touches it is about to be committed. */
export function isStable(generation: number): boolean {
  return (generation & 1) === 0;
}

/** The slot of all rows of a table: of writes that do not say more. */
export function tableSlot(table: string): Slot {
  return slotOf(hash(table, hash('table', BASIS)));
}

/** The slot of all rows of a table in a scope (for account data: the account): of writes to more than one of them. */
export function scopeSlot(table: string, scope: string): Slot {
  return slotOf(hash(scope, hash(table, hash('scope', BASIS))));
}

/** The slot of the lists of a table in a scope: of every write to a row in it. */
export function listSlot(table: string, scope: string): Slot {
  return slotOf(hash(scope, hash(table, hash('list', BASIS))));
}

/** The slot of one row. */
export function rowSlot(table: string, scope: string, id: string): Slot {
  return rowSlots(table, scope)(id);
}

/** Returns the function that gives the slots of rows of a table in a scope. */
export function rowSlots(table: string, scope: string): (id: string) => Slot {
  const begun = hash(scope, hash(table, hash('row', BASIS)));
  return (id) => slotOf(hash(id, begun));
}

/** The slot of answers that are kept under a name, which do not follow the rows of one table. */
export function cacheSlot(name: string): Slot {
  return slotOf(hash(name, hash('cache', BASIS)));
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
function slotOf(value: number): Slot {
  const mixed = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) & (SLOTS - 1);
}
