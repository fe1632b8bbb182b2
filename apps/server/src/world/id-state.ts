/**
 * How far the ids of a world have got, so that they go on after a restart and in copies exactly as they would have. What is exact is written
 * when a world is closed or copied in an orderly way. Before the first id of a process the file is marked as in use; a start that finds
 * it so was preceded by a crash, and passes over everything that may have been handed out.
 */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { writeWhole } from '../copies/copy-file.ts';
import { dataNames } from '../data-names.ts';
import { SlotFile } from '../db/slot-file.ts';
import type { Clock } from './clock.ts';
import type { Environment } from './environment.ts';
import type { IdPosition, SequencePosition } from './id-position.ts';
import { snowflakeAt } from './ids.ts';
import { type Random, SeededRandom } from './random.ts';

const KIND = 'broadside-ids-1';

/**
 * Numeric ids that are passed over after a crash: those of two milliseconds. A process hands out fewer beyond the milliseconds of its
 * clock: with a clock that stands still, four million.
 */
const SKIPPED = 1n << 23n;

const NOTHING: IdPosition = { isInUse: false, generation: 0, last: '0', streams: {}, sequences: {} };

/** Writes the position of a copy into its directory. It is not on disk yet. */
export function writeIdPosition(directory: string, position: IdPosition): Promise<void> {
  return writeWhole(path.join(directory, dataNames.idState), SlotFile.text(KIND, position));
}

/**
 * Marks the position in the directory of a restored world as one after a crash, so that ids which may have been handed out after the instant of
 * its backup are passed over. It is not on disk yet.
 */
export async function passOverIds(directory: string): Promise<void> {
  const file = path.join(directory, dataNames.idState);
  const held = SlotFile.read(file, KIND, readPosition) ?? NOTHING;
  const position = held === 'damaged' ? NOTHING : held;
  await rm(file, { force: true });
  await writeIdPosition(directory, { ...position, isInUse: true, sequences: {} });
}

/** The position of the ids of an open world. */
export class IdState {
  readonly #path: string;
  readonly #begun: IdPosition;
  readonly #seed: string | undefined;
  readonly #streams = new Map<string, SeededRandom>();
  #file: SlotFile<IdPosition> | undefined;

  /** @param seed of the world; without one, nothing is drawn from streams */
  constructor(dataDirectory: string, clock: Clock, seed: string | undefined) {
    this.#path = path.join(dataDirectory, dataNames.idState);
    this.#seed = seed;
    const held = SlotFile.read(this.#path, KIND, readPosition) ?? NOTHING;
    // A file that cannot be read is as good as one after a crash.
    const known = held === 'damaged' ? { ...NOTHING, isInUse: true } : held;
    this.#begun = known.isInUse ? afterCrash(known, clock) : known;
  }

  /** The numeric id that was handed out last, or a higher one. */
  get last(): bigint {
    return BigInt(this.#begun.last);
  }

  /** Where the ids of entities in a store go on; `undefined` where only the store knows. */
  sequence(environment: Environment): SequencePosition | undefined {
    return this.#begun.sequences[environment];
  }

  /** A source of bytes that follow from the seed, each purpose with its own; `otherwise` in a world without a seed. */
  stream(name: string, otherwise: Random): Random {
    if (this.#seed === undefined) return otherwise;
    const known = this.#streams.get(name);
    if (known !== undefined) return new Noticed(known, () => this.use());
    const { generation, streams } = this.#begun;
    const made = new SeededRandom(`${this.#seed}\n${name}\n${generation}`, streams[name]);
    this.#streams.set(name, made);
    return new Noticed(made, () => this.use());
  }

  /** To be called before anything is handed out. */
  use(): void {
    this.#file ??= SlotFile.begin(this.#path, KIND, { ...this.#begun, isInUse: true, sequences: {} });
  }

  /** The position at this moment. */
  position(last: bigint, sequences: IdPosition['sequences']): IdPosition {
    const taken = Object.fromEntries(Array.from(this.#streams, ([name, random]) => [name, random.position]));
    const { generation, streams } = this.#begun;
    return { isInUse: false, generation, last: String(last), streams: { ...streams, ...taken }, sequences };
  }

  /** Writes the position, if it has changed. The world hands out nothing more. */
  close(position: IdPosition): void {
    if (this.#file === undefined) return;
    try {
      this.#file.write(position);
    } catch {
      // As after a crash then.
    }
    this.#file.close();
    this.#file = undefined;
  }
}

/** Tells when bytes are taken. */
class Noticed implements Random {
  readonly #random: Random;
  readonly #notice: () => void;

  constructor(random: Random, notice: () => void) {
    this.#random = random;
    this.#notice = notice;
  }

  bytes(length: number): Uint8Array {
    this.#notice();
    return this.#random.bytes(length);
  }
}

function afterCrash({ generation, last }: IdPosition, clock: Clock): IdPosition {
  const now = snowflakeAt(clock.now(), 0n);
  const reached = BigInt(last) > now ? BigInt(last) : now;
  return { ...NOTHING, generation: generation + 1, last: String(reached + SKIPPED) };
}

function readPosition(value: unknown): IdPosition | undefined {
  if (!isRecord(value) || !isRecord(value['streams']) || !isRecord(value['sequences'])) return undefined;
  const { isInUse, generation, last, streams, sequences } = value;
  if (typeof isInUse !== 'boolean' || typeof generation !== 'number' || typeof last !== 'string') return undefined;
  const { production, sandbox } = sequences;
  return {
    isInUse,
    generation,
    last,
    streams: Object.fromEntries(Object.entries(streams).map(([name, bytes]) => [name, Number(bytes)])),
    sequences: {
      ...(isSequence(production) ? { production } : {}),
      ...(isSequence(sandbox) ? { sandbox } : {}),
    },
  };
}

function isSequence(value: unknown): value is SequencePosition {
  return isRecord(value) && typeof value['next'] === 'string' && typeof value['ceiling'] === 'string';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
