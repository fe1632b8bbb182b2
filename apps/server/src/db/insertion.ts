/** Inserts of single rows that can share a statement. */
/** Rows of one statement, largest first. */
const sizes = [32, 8, 2, 1] as const;

/** An INSERT into some columns of a table, for one row or several. */
export class Insertion {
  readonly table: string;
  readonly #head: string;
  readonly #row: string;
  readonly #width: number;
  readonly #texts = new Map<number, string>();
  readonly #seenBy: (sql: string) => boolean;

  /**
   * @param columns names of the columns
   * @param seenBy returns whether a statement could see the rows, so that they have to be there before it; by default each could
   */
  constructor(table: string, columns: readonly string[], seenBy: (sql: string) => boolean = () => true) {
    this.table = table;
    this.#width = columns.length;
    this.#seenBy = seenBy;
    // OR FAIL: see `row-writes.ts`. Of several rows those before the one that fails stay, so the caller undoes its transaction.
    this.#head = `INSERT OR FAIL INTO ${quote(table)} (${columns.map(quote).join(', ')}) VALUES `;
    this.#row = `(${columns.map(() => '?').join(', ')})`;
  }

  /** The statement for so many rows. */
  text(rows: number): string {
    let text = this.#texts.get(rows);
    if (text === undefined) {
      text = this.#head + Array.from({ length: rows }, () => this.#row).join(', ');
      this.#texts.set(rows, text);
    }
    return text;
  }

  isSeenBy(sql: string): boolean {
    return this.#seenBy(sql);
  }

  /** Runs the fewest statements for rows, given as the values of all of them in their order. */
  run<Value>(values: readonly Value[], run: (text: string, values: Value[]) => void): void {
    let at = 0;
    for (const size of sizes) {
      const step = size * this.#width;
      for (; at + step <= values.length; at += step) run(this.text(size), values.slice(at, at + step));
    }
  }
}

/** A name in the text of a statement. */
export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
