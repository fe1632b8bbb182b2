import type { DestinationStream } from 'pino';

/** Time after which lines are handed over, and their number at which they are handed over at once. */
const DELAY_MS = 50;
const MOST_LINES = 200;
/** Lines that have been handed over and not taken yet, at most: what is lost when the thread that writes them ends. */
const MOST_HANDED = 20 * MOST_LINES;

/**
 * Collects the lines of a log and hands them over together, each whole. While those handed over are not taken, further ones are
 * dropped and counted.
 */
export class LineQueue implements DestinationStream {
  readonly #hand: (lines: readonly string[], lost: number) => void;
  #lines: string[] = [];
  #handed = 0;
  #lost = 0;

  /** @param hand takes lines, and the number of those that were dropped before them */
  constructor(hand: (lines: readonly string[], lost: number) => void) {
    this.#hand = hand;
  }

  write(line: string): void {
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
  }

  /** Notes that lines have been taken. */
  taken(count: number): void {
    this.#handed -= count;
    if (this.#lost > 0) this.flush();
  }
}
