/** Instructions for the way of an answer to its client, which the adapters follow. They concern bytes, and nothing that was done. */

/** Faults on the way of one answer. */
export interface Delivery {
  /** Seconds of the header `retry-after`. */
  readonly retry_after?: number | undefined;
  /** A proxy in front of the platform answers with this status instead. */
  readonly gateway?: number | undefined;
  /** The message is whole, but its body is not: half of it, or a text that is not JSON. */
  readonly body?: 'cut' | 'not_json' | undefined;
  readonly ends?: BrokenOff | undefined;
}

/** How a connection ends before the end of an answer: before its first byte, or in the middle of its body. */
export type BrokenOff = 'unanswered' | 'in_body';

/** What came of faults for one answer. */
export interface Faulted {
  /** Ids of the rules that fired, in the order of the rules. */
  readonly fired: readonly string[];
  readonly delivery: Delivery | undefined;
}
