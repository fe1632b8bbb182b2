import { sql } from 'drizzle-orm';
import { type Awaitable, chain } from '../awaitable.ts';
import type { Database, Writer } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { sequences } from '../db/sequence-table.ts';
import { statement } from '../db/statement.ts';
import { types } from '../db/value-types.ts';
import type { Clock } from './clock.ts';
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

/**
 * Numbers that a write of its own takes from the sequence of a store in advance, so that one which creates something need not.
 * Bodies of writes have them in the order of the sequence, in the transaction that took them or later ones; if that is undone,
 * so is all that had one of them. After a crash the sequence is past all that was handed out, and what was not used is a gap,
 * as is what an undone write had. Only for a store that one process writes: the numbers of several would not be in the order
 * of creation.
 */
export class IdReserve {
  readonly #database: Database;
  /** In their order. */
  #blocks: readonly Block[] = [];
  /** The block of a transaction that has not ended. */
  #uncertain: Block | undefined;
  #size = SMALLEST_RESERVE;
  /** Something was created. A process that creates nothing takes nothing. */
  #wanted = false;
  #filling = false;

  constructor(database: Database) {
    this.#database = database;
  }

  /** A number that is higher than those before it; `undefined` when there is none in reserve. Inside a write. */
  take(): bigint | undefined {
    this.#wanted = true;
    const [first] = this.#blocks;
    if (first === undefined) return undefined;
    if (first.left === 1) this.#blocks = this.#blocks.slice(1);
    return first.take();
  }

  /** Takes further numbers if few are left. To be called before a write that may need some, not inside one. */
  fill(): void {
    if (!this.#wanted || this.#filling) return;
    const [first, second] = this.#blocks;
    if (second !== undefined || (first !== undefined && first.left > SMALLEST_RESERVE / 2)) return;
    this.#filling = true;
    // Without a reserve each write takes its own numbers, and meets what was wrong here.
    this.#fill().catch(() => this.#drop());
  }

  async #fill(): Promise<void> {
    const size = this.#size;
    this.#size = Math.min(size * 2, LARGEST_RESERVE);
    try {
      await this.#database.write(
        (writer) => {
          // It may run again after its transaction was undone.
          this.#drop();
          return chain(takeBlock(writer, size), (block) => {
            this.#uncertain = block;
            this.#blocks = [...this.#blocks, block];
          });
        },
        { repeatable: true },
      );
      this.#uncertain = undefined;
    } finally {
      this.#filling = false;
    }
  }

  #drop(): void {
    this.#blocks = this.#blocks.filter((block) => block !== this.#uncertain);
    this.#uncertain = undefined;
  }
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
  #block: Block | undefined;
  #size = 1;

  constructor(writer: Writer, reserve?: IdReserve) {
    this.#writer = writer;
    this.#reserve = reserve;
  }

  next(): Awaitable<EntityId> {
    const seq = this.#block === undefined || this.#block.left === 0 ? this.#reserve?.take() : this.#block.take();
    if (seq !== undefined) return entityId(seq);
    return chain(takeBlock(this.#writer, this.#size), (block) => {
      this.#block = block;
      this.#size = Math.min(this.#size * 4, LARGEST_BLOCK);
      return entityId(block.take());
    });
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

/**
 * 64-bit decimal ids for users, apps, media, posts, cards and posts to be: 42 bits of milliseconds, then 22 bits that distinguish ids of one
 * millisecond. Increasing within a process.
 */
export class Snowflakes {
  readonly #clock: Clock;
  readonly #random: Random;
  #last = 0n;

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  next(): string {
    const [a = 0, b = 0] = this.#random.bytes(2);
    const low = BigInt(((a & 0x3f) << 8) | b);
    const fresh = snowflakeAt(this.#clock.now(), low);
    this.#last = fresh > this.#last ? fresh : this.#last + 1n;
    return this.#last.toString();
  }
}
