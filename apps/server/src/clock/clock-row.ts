/** The row of a clock that was set: what is on disk of it, so that nothing is seen that a start would not come back to. */
import type { Database, Writer } from '../db/database.ts';
import type { WallClock } from '../world/clock.ts';
import { putTime, type StoredTime } from './store.ts';

/** What is set of a clock beside its time. */
export type Settings = Pick<StoredTime, 'rate' | 'frozen' | 'limits'>;

/** A clock that goes as the machine's does. */
export const AS_MACHINE: Settings = { rate: 1, frozen: false, limits: 'wall' };

/** Difference from which on the machine's clock was set, rather than adjusted. */
const STEP_MS = 1_000;

export class ClockRow {
  readonly #database: Database;
  readonly #wall: WallClock;
  #stored: StoredTime | undefined;
  /** The machine's time less the elapsed time, when the clock was stored. */
  #offset_ms: number;

  constructor(database: Database, wall: WallClock) {
    this.#database = database;
    this.#wall = wall;
    this.#offset_ms = wall.now() - wall.elapsed();
  }

  /** Whether the machine's clock was set since the row was stored. */
  get isMachineSet(): boolean {
    return Math.abs(this.#wall.now() - this.#wall.elapsed() - this.#offset_ms) > STEP_MS;
  }

  /** Whether a clock that goes on from the row would not be before a time. */
  covers(world_ms: number): boolean {
    return this.#stored !== undefined && this.#stored.world_ms >= world_ms;
  }

  /** Whether a clock that goes on from the row would be after a time. */
  isAfter(world_ms: number): boolean {
    return this.#stored !== undefined && this.#stored.world_ms > world_ms;
  }

  /** Stores the clock as it is at this moment. */
  async store(world_ms: number, settings: Settings): Promise<void> {
    const { frozen, rate, limits } = settings;
    const isSame = this.#stored?.world_ms === world_ms && this.#stored.rate === rate && this.#stored.limits === limits;
    // A frozen clock is the same whenever it is stored.
    if (isSame && frozen && this.#stored?.frozen) return;
    this.stored(await this.#database.write((writer) => this.put(writer, world_ms, settings)));
  }

  /** Stores it in a write. @returns the row, to be given to {@link stored} once it is on disk */
  async put(writer: Writer, world_ms: number, { rate, frozen, limits }: Settings): Promise<StoredTime> {
    const row = { rate, frozen, limits, world_ms, wall_ms: this.#wall.now() };
    await putTime(writer, row);
    return row;
  }

  /** Takes note of a row that is on disk. */
  stored(row: StoredTime): void {
    this.#stored = row;
    this.#offset_ms = row.wall_ms - this.#wall.elapsed();
  }
}

/** The members that are given. */
export function givenOf(
  changes: Partial<Settings> | { readonly [Name in keyof Settings]?: Settings[Name] | undefined },
): Partial<Settings> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}
