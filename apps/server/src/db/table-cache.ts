import QuickLRU from 'quick-lru';
import { type Generations, isStable, listSlot, type Slot, tableSlot } from './generations.ts';

/** The state of tables at the beginning of a read. */
export type TablesState = readonly number[];

/**
 * A cache of what is read of tables of the platform that are seldom written: a write of any of their rows outdates all of it, in
 * every thread and before the write is acknowledged. Bounded; what was used last stays.
 */
export class TableCache<Value> {
  readonly #generations: Generations;
  readonly #slots: readonly Slot[];
  readonly #kept: QuickLRU<string, Value>;
  /** The state of the tables when everything was read that is kept. */
  #keptIn: TablesState;

  /** @param tables their names */
  constructor(generations: Generations, tables: readonly string[], maxSize: number) {
    this.#generations = generations;
    this.#slots = tables.flatMap((table) => [tableSlot(table), listSlot(table, '')]);
    this.#kept = new QuickLRU({ maxSize });
    this.#keptIn = this.state();
  }

  /** The state of the tables. Note it before reading what is to be kept. */
  state(): TablesState {
    return this.#slots.map((slot) => this.#generations.read(slot));
  }

  get(key: string): Value | undefined {
    if (!this.#isCurrent(this.#keptIn)) this.#forget();
    return this.#kept.get(key);
  }

  /** Keeps a value, unless something was written since the state in which it was read. */
  set(key: string, value: Value, readIn: TablesState): void {
    if (!this.#isCurrent(readIn) || !readIn.every(isStable)) return;
    if (!this.#isCurrent(this.#keptIn)) this.#forget();
    this.#kept.set(key, value);
  }

  #forget(): void {
    this.#kept.clear();
    this.#keptIn = this.state();
  }

  #isCurrent(state: TablesState): boolean {
    for (let at = 0; at < this.#slots.length; at++) {
      const slot = this.#slots[at];
      if (slot === undefined || this.#generations.read(slot) !== state[at]) return false;
    }
    return true;
  }
}
