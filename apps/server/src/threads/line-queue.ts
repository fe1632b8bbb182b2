import type { DestinationStream } from 'pino';

/** Time after which lines are handed over, and their number at which they are handed over at once. */
const DELAY_MS = 50;
const MOST_LINES = 200;

/** Collects the lines of a log and hands them over together, each whole. */
export class LineQueue implements DestinationStream {
  readonly #hand: (lines: readonly string[]) => void;
  #lines: string[] = [];

  constructor(hand: (lines: readonly string[]) => void) {
    this.#hand = hand;
  }

  write(line: string): void {
    if (this.#lines.length === 0) setTimeout(() => this.flush(), DELAY_MS).unref();
    this.#lines.push(line);
    if (this.#lines.length >= MOST_LINES) this.flush();
  }

  flush(): void {
    if (this.#lines.length === 0) return;
    const lines = this.#lines;
    this.#lines = [];
    this.#hand(lines);
  }
}
