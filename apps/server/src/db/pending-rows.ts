/** Rows of a transaction that are inserted together, later than they were given. */

import type { Arg } from './access.ts';
import { type BoundValue, boundValue } from './arguments.ts';
import type { Insertion } from './insertion.ts';

/** So many values wait at most. */
const MOST_VALUES = 4096;

/** Runs a statement. */
type Run = (sql: string, values: BoundValue[]) => void;

/**
 * A statement costs about as much as three rows of it, so rows wait for others of their table: until a statement that could see
 * them, the end of their savepoint, or COMMIT. When one of them fails, some of the others may have been stored, of other
 * bodies too: what the transaction did since its savepoint has to be undone.
 */
export class PendingRows {
  readonly #run: Run;
  readonly #waiting = new Map<Insertion, BoundValue[]>();
  /** The error of rows that could not be stored. */
  failure: { readonly error: unknown } | undefined;

  constructor(run: Run) {
    this.#run = run;
  }

  /** Takes a row. @throws TypeError or RangeError on values that cannot be stored */
  add(insertion: Insertion, row: readonly Arg[]): void {
    const bound = row.map((value, place) => boundValue(value, place + 1));
    const values = this.#waiting.get(insertion);
    if (values === undefined) this.#waiting.set(insertion, bound);
    else {
      for (const value of bound) values.push(value);
      if (values.length >= MOST_VALUES) this.flush();
    }
  }

  /** Stores the rows that a statement could see; without one, all. @throws LibsqlError */
  flush(sql?: string): void {
    for (const [insertion, values] of this.#waiting) {
      if (sql !== undefined && !insertion.isSeenBy(sql)) continue;
      this.#waiting.delete(insertion);
      try {
        insertion.run(values, this.#run);
      } catch (error) {
        this.failure ??= { error };
        throw error;
      }
    }
  }

  /** Drops them: what they belong to is undone. */
  drop(): void {
    this.#waiting.clear();
    this.failure = undefined;
  }
}
