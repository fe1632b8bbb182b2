import type { DestinationStream } from 'pino';
import { LineBytes } from '../line-bytes.ts';

/** Time after which lines are handed over, and their number at which they are handed over at once. */
const DELAY_MS = 50;
const MOST_LINES = 200;
/** Lines that have been handed over and not taken yet, at most: what is lost when the thread that writes them ends. */
const MOST_HANDED = 20 * MOST_LINES;
/** Bytes at which they are handed over at once, too: as many lines of most requests have fewer. Together they have room where they are written, or none has. */
const MOST_BYTES = MOST_LINES * 400;

/** Lines that are handed over together. */
export interface HandedLines {
  /** The lines, each whole, in memory of their own. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly count: number;
  /** The number of those that were dropped before them. */
  readonly lost: number;
}

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
  readonly #hand: (handed: HandedLines) => void;
  readonly #bytes = new LineBytes(MOST_BYTES);
  #count = 0;
  #handed = 0;
  #lost = 0;
  readonly #left: Int32Array;

  /**
   * @param hand takes lines, those that were dropped among them only by number
   * @param memory of {@link lineMemory}
   */
  constructor(hand: (handed: HandedLines) => void, memory: SharedArrayBuffer = lineMemory()) {
    this.#hand = hand;
    this.#left = new Int32Array(memory);
  }

  write(line: string): void {
    Atomics.add(this.#left, 0, 1);
    if (this.#handed >= MOST_HANDED) {
      this.#lost += 1;
      return;
    }
    if (this.#count === 0) setTimeout(() => this.flush(), DELAY_MS).unref();
    this.#bytes.add(line);
    this.#count += 1;
    if (this.#count >= MOST_LINES || this.#bytes.length >= MOST_BYTES) this.flush();
  }

  /** Hands over what there is. */
  flush(): void {
    const [count, lost] = [this.#count, this.#lost];
    if (count === 0 && lost === 0) return;
    this.#count = 0;
    this.#lost = 0;
    this.#handed += count;
    const taken = this.#bytes.take();
    // A copy, which can be transferred to another thread while the memory is used again.
    const bytes = new Uint8Array(taken);
    this.#bytes.giveBack(taken);
    this.#hand({ bytes, count, lost });
    // Afterwards: a thread that ends in between counts them twice, and not never.
    Atomics.store(this.#left, 0, 0);
  }

  /** Notes that lines have been taken. */
  taken(count: number): void {
    this.#handed -= count;
    if (this.#lost > 0) this.flush();
  }
}
