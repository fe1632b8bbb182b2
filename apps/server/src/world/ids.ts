import { sql } from 'drizzle-orm';
import { type Awaitable, chain } from '../awaitable.ts';
import type { Writer } from '../db/database.ts';
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

/** A transaction that creates many entities takes ids in growing blocks, up to this many at once. */
const LARGEST_BLOCK = 32n;

/**
 * The entity ids that one transaction hands out: base36 and increasing (reference, conventions section 3). They are taken
 * in the transaction that uses them, so ids are unique across restarts and processes; one that is undone gives its ids
 * back, one that reserved more than it used leaves a gap.
 */
export class EntityIds {
  readonly #writer: Writer;
  #next = 0n;
  #left = 0n;
  #block = 1n;

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  next(): Awaitable<EntityId> {
    return this.#left === 0n ? chain(this.#reserve(), () => this.#take()) : this.#take();
  }

  #take(): EntityId {
    const seq = this.#next++;
    this.#left--;
    return { id: seq.toString(36), seq };
  }

  #reserve(): Awaitable<void> {
    const size = this.#block;
    return chain(reserve.first(this.#writer, { name: 'entity', first: FIRST + size - 1n, size }), (reserved) => {
      if (!reserved) throw new TypeError('the sequence gave no number');
      this.#next = reserved.value - size + 1n;
      this.#left = size;
      this.#block = size * 4n > LARGEST_BLOCK ? LARGEST_BLOCK : size * 4n;
    });
  }
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
