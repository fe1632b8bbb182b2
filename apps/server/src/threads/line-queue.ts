import type { DestinationStream } from 'pino';

/** Time after which lines are handed over, and their number at which they are handed over at once. */
const DELAY_MS = 50;
const MOST_LINES = 200;
/** Lines that have been handed over and not taken yet, at most: what is lost when the thread that writes them ends. */
const MOST_HANDED = 20 * MOST_LINES;

/** Memory in which a {@link LineQueue} counts what it has not handed over. */
export function lineMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
}

/** Returns the number of lines that a thread had not handed over when it ended: they are lost. */
export function linesLeft(memory: SharedArrayBuffer): number {
  return Atomics.load(new Int32Array(memory), 0);
}

/**
 * Collects the lines of a log and hands them over together, each whole. While those handed over are not taken, further ones are
 * dropped and counted. Memory shared with another thread holds the number of both until they are handed over, for a thread that
 * is ended without notice.
 */
export class LineQueue implements DestinationStream {
  readonly #hand: (lines: readonly string[], lost: number) => void;
  #lines: string[] = [];
  #handed = 0;
  #lost = 0;
  readonly #left: Int32Array;

  /**
   * @param hand takes lines, and the number of those that were dropped before them
   * @param memory of {@link lineMemory}
   */
  constructor(hand: (lines: readonly string[], lost: number) => void, memory: SharedArrayBuffer = lineMemory()) {
    this.#hand = hand;
    this.#left = new Int32Array(memory);
  }

  write(line: string): void {
    Atomics.add(this.#left, 0, 1);
    if (this.#handed >= MOST_HANDED) {
      this.#lost += 1;
      return;
    }
    if (this.#lines.length === 0) setTimeout(() => this.flush(), DELAY_MS).unref();
    this.#lines.push(line);
    if (this.#lines.length >= MOST_LINES) this.flush();
  }

  /** Hands over what there is. */
  flush(): void {
    if (this.#lines.length === 0 && this.#lost === 0) return;
    const [lines, lost] = [this.#lines, this.#lost];
    this.#lines = [];
    this.#lost = 0;
    this.#handed += lines.length;
    this.#hand(lines, lost);
    // Afterwards: a thread that ends in between counts them twice, and not never.
    Atomics.store(this.#left, 0, 0);
  }

  /** Notes that lines have been taken. */
  taken(count: number): void {
    this.#handed -= count;
    if (this.#lost > 0) this.flush();
  }
}
