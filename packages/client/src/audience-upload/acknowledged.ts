/** The progress of an upload: requests are acknowledged in any order, and it can go on only after the rows of all before. */

/** Counts of rows from the first one on. */
export interface Counts {
  /** Rows, whether they were sent or not. */
  readonly rows: number;
  readonly sent: number;
  readonly refused: number;
  readonly requests: number;
}

interface Span {
  /** The counts after its last row. */
  readonly upTo: Counts;
  isDone: boolean;
}

/** The rows that need not be sent again. */
export class Acknowledged {
  /** Counts up to the last row before which every row is acknowledged or rejected. */
  counts: Counts;
  readonly #spans: Span[] = [];

  constructor(start: Counts) {
    this.counts = start;
  }

  /**
   * Announces the next rows, in order.
   * @param upTo the counts after the last of them
   * @returns called when they are acknowledged
   */
  begin(upTo: Counts): () => void {
    const span: Span = { upTo, isDone: false };
    this.#spans.push(span);
    return () => {
      span.isDone = true;
      while (this.#spans[0]?.isDone) {
        const [done] = this.#spans.splice(0, 1);
        if (done) this.counts = done.upTo;
      }
    };
  }
}
