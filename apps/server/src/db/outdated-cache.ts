/**
 * Answers kept in memory that are all outdated with the next write of what they were read from, in whichever thread they
 * are kept. The thread that writes calls {@link OutdatedCache.forget} after the COMMIT and before the write is acknowledged.
 */
import QuickLRU from 'quick-lru';
import { cacheSlot, type Generations, type Slot } from './generations.ts';

export class OutdatedCache<Value extends object> {
  readonly #generations: Generations;
  readonly #slot: Slot;
  readonly #kept: QuickLRU<string, Value>;
  /** The generation of what is kept. */
  #keptIn: number;
  /** What was asked for last: many caches are of one app, token or account. Found without looking into a map, which is in no cache of the processor. */
  #last: readonly [key: string, value: Value] | undefined;

  /** @param name that of what is read, the same in all threads */
  constructor(generations: Generations, name: string, maxSize: number) {
    this.#generations = generations;
    this.#slot = cacheSlot(name);
    this.#kept = new QuickLRU({ maxSize });
    this.#keptIn = this.generation;
  }

  /** Counts writes. Note it before reading what is to be kept. */
  get generation(): number {
    return this.#generations.read(this.#slot);
  }

  get(key: string): Value | undefined {
    this.#dropOutdated();
    if (this.#last?.[0] === key) return this.#last[1];
    const value = this.#kept.get(key);
    if (value !== undefined) this.#last = [key, value];
    return value;
  }

  /** Keeps a value, unless there was a write since the generation in which it was read. */
  set(key: string, value: Value, generation: number): void {
    this.#dropOutdated();
    if (generation !== this.#keptIn) return;
    this.#kept.set(key, value);
    this.#last = undefined;
  }

  /** Forgets everything, in all threads. Only in the thread that writes. */
  forget(): void {
    this.#generations.begin([this.#slot]);
    this.#generations.end([this.#slot]);
    this.#clear();
  }

  #dropOutdated(): void {
    const { generation } = this;
    if (generation === this.#keptIn) return;
    this.#clear();
    this.#keptIn = generation;
  }

  #clear(): void {
    this.#kept.clear();
    this.#last = undefined;
  }
}
