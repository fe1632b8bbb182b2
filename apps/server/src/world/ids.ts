import { eq, sql } from 'drizzle-orm';
import { type Awaitable, chain } from '../awaitable.ts';
import type { Database, Writer } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { sequences } from '../db/sequence-table.ts';
import { statement } from '../db/statement.ts';
import { types } from '../db/value-types.ts';
import type { Clock } from './clock.ts';
import type { SequencePosition } from './id-position.ts';
import { type Random, randomText } from './random.ts';

/** An entity's id as it appears on the wire, and its number, which orders entities by creation. */
export interface EntityId {
  readonly id: string;
  readonly seq: bigint;
}

// Ids of the first entities then have four characters, as short as the reference shows them.
const FIRST = 46_656n;

const reserve = statement({ name: sequences.name, first: sequences.value, size: types.long }, ({ name, first, size }) =>
  query
    .insert(sequences)
    .values({ name, value: first })
    .onConflictDoUpdate({ target: sequences.name, set: { value: sql`${sequences.value} + ${size}` } })
    .returning({ value: sequences.value }),
);

const { name, value } = sequences;
const readSequence = statement({ name }, (args) =>
  query.select({ value }).from(sequences).where(eq(name, args.name)).limit(1),
);
/** Moves the sequence past a number, unless it is further. */
const moveTo = statement({ name, to: value }, (args) =>
  query
    .insert(sequences)
    .values({ name: args.name, value: args.to })
    .onConflictDoUpdate({ target: name, set: { value: sql`max(${value}, ${args.to})` } }),
);

/** Numbers that follow each other, of which none was handed out yet. */
class Block {
  #next: bigint;
  #left: number;

  constructor(next: bigint, left: number) {
    this.#next = next;
    this.#left = left;
  }

  get left(): number {
    return this.#left;
  }

  take(): bigint {
    this.#left--;
    return this.#next++;
  }
}

/** Takes numbers from the sequence of a store, in a transaction. */
function takeBlock(writer: Writer, size: number): Awaitable<Block> {
  const first = FIRST + BigInt(size - 1);
  return chain(reserve.first(writer, { name: 'entity', first, size: BigInt(size) }), (reserved) => {
    if (!reserved) throw new TypeError('the sequence gave no number');
    return new Block(reserved.value - BigInt(size - 1), size);
  });
}

const SMALLEST_RESERVE = 64;
const LARGEST_RESERVE = 1024;

/** A batch has up to 40 items. */
const MOST_OF_ONE_WRITE = 40;

/**
 * The numbers of the entities of a store that only this process writes: each is the one after that before, so that the same
 * writes have the same ids, whenever the process has been restarted in between. The store knows a number that is at least as high as
 * all that were handed out: it is moved ahead in advance, in writes of its own, or by the transaction that needs it. After a crash
 * numbers go on from there, and what was not used is a gap, as is what an undone transaction had.
 */
export class IdReserve {
  readonly #database: Database;
  readonly #start: SequencePosition | undefined;
  readonly #onUse: () => void;
  /** The number that comes next; unknown before the first one. */
  #next: bigint | undefined;
  /** The store is past all numbers up to this one. */
  #reserved = 0n;
  #size = SMALLEST_RESERVE;
  #filling = false;

  /**
   * @param start where an orderly end has left the numbers
   * @param onUse called before a number is handed out
   */
  constructor(database: Database, start?: SequencePosition, onUse: () => void = () => {}) {
    this.#database = database;
    this.#start = start;
    this.#onUse = onUse;
  }

  /** The number that comes next; `undefined` if none was handed out. */
  get next(): bigint | undefined {
    return this.#next;
  }

  /**
   * Takes a number, inside a write.
   * @returns the number, and whether the transaction has to move the store past it
   */
  take(writer: Writer): Awaitable<{ readonly seq: bigint; readonly isReserved: boolean }> {
    if (this.#next !== undefined) return this.#taken(this.#next);
    return chain(readSequence.first(writer, { name: 'entity' }), (found) => {
      this.#next ??= this.#first(found?.value);
      return this.#taken(this.#next);
    });
  }

  /** Moves the store ahead if that is needed soon. To be called before a write that may need some, not inside one. */
  fill(): void {
    if (this.#next === undefined || this.#filling) return;
    if (this.#reserved - this.#next >= SMALLEST_RESERVE / 2) return;
    this.#filling = true;
    // Without a reserve each write moves the store itself, and meets what was wrong here.
    this.#fill()
      .catch(() => {})
      .finally(() => {
        this.#filling = false;
      });
  }

  async #fill(): Promise<void> {
    const size = BigInt(this.#size);
    this.#size = Math.min(this.#size * 2, LARGEST_RESERVE);
    this.#reserved = await this.#database.write(
      (writer) => {
        const to = (this.#next ?? FIRST) + size - 1n;
        return chain(moveTo.run(writer, { name: 'entity', to }), () => to);
      },
      { repeatable: true },
    );
  }

  #first(stored: bigint | undefined): bigint {
    // The store can have been replaced by another state of it.
    if (this.#start !== undefined && BigInt(this.#start.ceiling) === stored) return BigInt(this.#start.next);
    return stored === undefined ? FIRST : stored + 1n;
  }

  #taken(seq: bigint): { readonly seq: bigint; readonly isReserved: boolean } {
    this.#onUse();
    this.#next = seq + 1n;
    return { seq, isReserved: seq <= this.#reserved };
  }
}

/**
 * Numbers of the entities of a store that other processes write too: blocks that were taken in writes of their own, before they are needed.
 * A transaction that needs one then neither waits for the sequence nor keeps others from it. What is left at the end of the process is a
 * gap, and numbers of several processes are not in the order of time.
 */
export class TakenIds {
  readonly #database: Database;
  readonly #isInside: boolean;
  #block: Block;
  #size = 2 * SMALLEST_RESERVE;
  #taking: Promise<void> | undefined;

  constructor(database: Database, inside?: Block) {
    this.#database = database;
    this.#isInside = inside !== undefined;
    this.#block = inside ?? new Block(FIRST, 0);
  }

  /** The same numbers for a write that the store takes part in: when they have run out, it takes more itself. @param database as seen from inside it */
  inside(database: Database): TakenIds {
    return new TakenIds(database, this.#block);
  }

  /** Takes a number; `undefined` where none is left, and the transaction has to take one from the store. */
  take(): bigint | undefined {
    return this.#block.left > 0 ? this.#block.take() : undefined;
  }

  /** Waits for numbers where few are left. To be called before a write that may need some, not inside one. */
  ready(): Promise<void> | undefined {
    if (this.#isInside || this.#block.left >= SMALLEST_RESERVE) return undefined;
    // What was wrong, the write that needs a number meets itself.
    this.#taking ??= this.#take()
      .catch(() => {})
      .finally(() => {
        this.#taking = undefined;
      });
    return this.#block.left < MOST_OF_ONE_WRITE ? this.#taking : undefined;
  }

  /** Takes numbers for a write that needs so many. @throws as `Database.write` does */
  async atLeast(count: number): Promise<void> {
    while (this.#block.left < count) {
      this.#size = Math.max(this.#size, count);
      await this.more();
    }
  }

  /** Takes more numbers, whatever is left. @throws as `Database.write` does */
  async more(): Promise<void> {
    this.#taking ??= this.#take().finally(() => {
      this.#taking = undefined;
    });
    await this.#taking;
  }

  async #take(): Promise<void> {
    const size = this.#size;
    this.#size = Math.min(this.#size * 2, LARGEST_RESERVE);
    // The few that were left are given up.
    this.#block = await this.#database.write((writer) => takeBlock(writer, size));
  }
}

/** What the store says of the sequence of its entities; `undefined` before the first. */
export function sequenceOf(database: Database): Awaitable<bigint | undefined> {
  return chain(readSequence.first(database, { name: 'entity' }), (found) => found?.value);
}

/** A transaction that creates many entities takes ids in growing blocks, up to this many at once. */
const LARGEST_BLOCK = 32;

/**
 * The entity ids that one transaction hands out: base36 and increasing (reference, conventions section 3), from the reserve of
 * the store. Without one they are taken in the transaction that uses them, so that ids are unique across restarts and
 * processes; one that is undone gives its ids back, one that took more than it used leaves a gap.
 */
export class EntityIds {
  readonly #writer: Writer;
  readonly #reserve: IdReserve | undefined;
  readonly #taken: TakenIds | undefined;
  readonly #isElsewhere: boolean;
  #block: Block | undefined;
  #size = 1;
  /** This transaction has moved the store past all numbers up to this one. */
  #moved = 0n;

  /** @param isElsewhere the numbers are those of another store than the one that is written, as those of shards are */
  constructor(writer: Writer, reserve?: IdReserve, taken?: TakenIds, isElsewhere = false) {
    this.#writer = writer;
    this.#reserve = reserve;
    this.#taken = taken;
    this.#isElsewhere = isElsewhere;
  }

  next(): Awaitable<EntityId> {
    if (this.#reserve === undefined)
      return this.#nextTaken() ?? (this.#isElsewhere ? this.#nextElsewhere() : this.#nextOfBlock());
    return chain(this.#reserve.take(this.#writer), ({ seq, isReserved }) => {
      if (isReserved || seq <= this.#moved) return entityId(seq);
      const to = seq + BigInt(this.#grown() - 1);
      return chain(moveTo.run(this.#writer, { name: 'entity', to }), () => {
        this.#moved = to;
        return entityId(seq);
      });
    });
  }

  #nextTaken(): EntityId | undefined {
    const taken = this.#taken;
    if (taken === undefined) return undefined;
    const { draws } = this.#writer;
    const seq = draws === undefined ? taken.take() : draws.sequence(() => taken.take());
    return seq === undefined ? undefined : entityId(seq);
  }

  async #nextElsewhere(): Promise<EntityId> {
    for (;;) {
      await this.#taken?.more();
      const taken = this.#nextTaken();
      if (taken !== undefined) return taken;
    }
  }

  #nextOfBlock(): Awaitable<EntityId> {
    if (this.#block !== undefined && this.#block.left > 0) return entityId(this.#block.take());
    return chain(takeBlock(this.#writer, this.#grown()), (block) => {
      this.#block = block;
      return entityId(block.take());
    });
  }

  #grown(): number {
    const size = this.#size;
    this.#size = Math.min(size * 4, LARGEST_BLOCK);
    return size;
  }
}

function entityId(seq: bigint): EntityId {
  return { id: seq.toString(36), seq };
}

const BASE36 = '0123456789abcdefghijklmnopqrstuvwxyz';

/** A new account's id: 11 base36 characters that cannot be guessed from another's. */
export function newAccountId(random: Random): string {
  return randomText(random, 1, BASE36.slice(1)) + randomText(random, 10, BASE36);
}

/** A new curated category's id: 12 base36 characters. */
export function newCuratedCategoryId(random: Random): string {
  return randomText(random, 1, BASE36.slice(1)) + randomText(random, 11, BASE36);
}

// Milliseconds are counted from here, so that ids stay below 2^63 until the year 2154.
const SNOWFLAKE_EPOCH_MS = Date.UTC(2015, 0, 1);

/** Returns the id of a time. @param low 22 bits that distinguish it from others of the same millisecond */
export function snowflakeAt(ms: number, low: bigint): bigint {
  return (BigInt(Math.max(0, ms - SNOWFLAKE_EPOCH_MS)) << 22n) | low;
}

/** Returns the time of an id, in milliseconds since the epoch. */
export function snowflakeMs(id: bigint): number {
  return Number(id >> 22n) + SNOWFLAKE_EPOCH_MS;
}

/** The number of a process among those that hand out ids of one platform. */
export interface WorkerNumber {
  /** 0 to 1023. */
  readonly worker: number;
  /** All ids of earlier processes with the number are of this millisecond at most. */
  readonly idsFrom_ms: number;
  /** Checks that an id of a millisecond may be handed out. @throws an error where the number is not held so long */
  check(ms: number): void;
}

const SEQUENCE_BITS = 12n;
const LOW_BITS = 22n;
const ALL_LOW = (1n << LOW_BITS) - 1n;

/**
 * 64-bit decimal ids for users, apps, media, posts, cards and posts to be: 42 bits of milliseconds, then 22 bits that distinguish ids of one
 * millisecond. Increasing. The 22 bits are 14 random ones where one process hands out the ids of a platform; where several do, the number of
 * the process (10) and a sequence (12).
 */
export class Snowflakes {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #onUse: () => void;
  readonly #worker: WorkerNumber | undefined;
  #last: bigint;

  /**
   * @param last the id that was handed out last, or a higher one
   * @param onUse called before one is handed out
   * @param worker where other processes hand out ids too
   */
  constructor(clock: Clock, random: Random, last = 0n, onUse: () => void = () => {}, worker?: WorkerNumber) {
    this.#clock = clock;
    this.#random = random;
    this.#last = last;
    this.#onUse = onUse;
    this.#worker = worker;
  }

  /** The id that was handed out last, or a higher one. */
  get last(): bigint {
    return this.#last;
  }

  /** @throws what {@link WorkerNumber.check} does */
  next(): string {
    this.#onUse();
    if (this.#worker !== undefined) return this.#nextOf(this.#worker);
    const [a = 0, b = 0] = this.#random.bytes(2);
    const low = BigInt(((a & 0x3f) << 8) | b);
    const fresh = snowflakeAt(this.#clock.now(), low);
    this.#last = fresh > this.#last ? fresh : this.#last + 1n;
    return this.#last.toString();
  }

  /** A clock that was set back stands still for the ids: they go on after the last one. */
  #nextOf(number: WorkerNumber): string {
    const own = BigInt(number.worker) << SEQUENCE_BITS;
    let last = snowflakeAt(number.idsFrom_ms, ALL_LOW);
    if (last < this.#last) last = this.#last;
    let id = snowflakeAt(this.#clock.now(), own);
    if (id <= last) {
      const following = last + 1n;
      const isOwn = (following & ALL_LOW) >> SEQUENCE_BITS === BigInt(number.worker);
      id = isOwn ? following : snowflakeAt(snowflakeMs(last) + 1, own);
    }
    number.check(snowflakeMs(id));
    this.#last = id;
    return id.toString();
  }
}
