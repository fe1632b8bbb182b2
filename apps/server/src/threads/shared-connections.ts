/**
 * Counts of open connections of all threads together. Each thread counts in words of its own, so that those of a thread that
 * ended can be dropped; a count is the sum over all threads. Addresses that share a hash are counted together (one in 8,192).
 */
import { hash } from 'node:crypto';
import type { ConnectionCounts } from '../adapters/limits/connection-counts.ts';

const PLACES = 8192;
/** Words of a thread: all of its connections, and those by address. */
const WORDS = 1 + PLACES;

export class SharedConnections implements ConnectionCounts {
  readonly memory: SharedArrayBuffer;
  readonly #words: Int32Array;
  readonly #own: number;

  /** Takes part in memory that another thread made. @param thread the number of this thread */
  constructor(memory: SharedArrayBuffer, thread: number) {
    this.memory = memory;
    this.#words = new Int32Array(memory);
    this.#own = thread * WORDS;
  }

  /** @param threads the number of threads */
  static create(threads: number): SharedConnections {
    return new SharedConnections(new SharedArrayBuffer(threads * WORDS * Int32Array.BYTES_PER_ELEMENT), 0);
  }

  add(address: string): { readonly open: number; readonly own: number } {
    const place = placeOf(address);
    Atomics.add(this.#words, this.#own, 1);
    Atomics.add(this.#words, this.#own + place, 1);
    return { open: this.#sum(0), own: this.#sum(place) };
  }

  remove(address: string): void {
    Atomics.sub(this.#words, this.#own, 1);
    Atomics.sub(this.#words, this.#own + placeOf(address), 1);
  }

  /** Drops the connections of a thread that has ended. */
  ended(thread: number): void {
    this.#words.fill(0, thread * WORDS, (thread + 1) * WORDS);
  }

  #sum(place: number): number {
    let sum = 0;
    for (let at = place; at < this.#words.length; at += WORDS) sum += Atomics.load(this.#words, at);
    return sum;
  }
}

/** From 1: word 0 counts all. */
function placeOf(address: string): number {
  return 1 + (hash('sha256', address, 'buffer').readUInt32LE() % PLACES);
}
