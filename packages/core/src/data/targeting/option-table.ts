/** Tables of targeting options: written as compact text, parsed into rows on first use. */
import { once } from '../../once.ts';

/** A row of a lookup: a value that can be targeted, by name. */
export interface TargetingOption {
  readonly name: string;
  readonly targeting_type: string;
  readonly targeting_value: string | bigint;
}

/** Rows in a fixed order, looked up by value. Costs nothing until first read. */
export class OptionTable<Row extends TargetingOption> {
  readonly #rows: () => readonly Row[];
  readonly #byValue: () => ReadonlyMap<string, number>;

  constructor(make: () => readonly Row[]) {
    this.#rows = once(make);
    this.#byValue = once(() => new Map(this.rows.map((row, index) => [`${row.targeting_value}`, index])));
  }

  get rows(): readonly Row[] {
    return this.#rows();
  }

  /** Returns the index of the row with a value; `undefined` when there is none. */
  indexOf(value: string): number | undefined {
    return this.#byValue().get(value);
  }

  /** Returns the row with a value; `undefined` when there is none. */
  find(value: string): Row | undefined {
    const index = this.indexOf(value);
    return index === undefined ? undefined : this.rows[index];
  }
}

/** Splits a compact text into entries: one per line, or several separated by bars. Blank ones are skipped. */
export function entriesOf(text: string): string[] {
  return text
    .split(/[\n|]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** Splits a text at its first colon. */
export function headAndRest(entry: string): [head: string, rest: string] {
  const cut = entry.indexOf(':');
  if (cut < 0) throw new TypeError(`"${entry}" has no colon`);
  return [entry.slice(0, cut).trim(), entry.slice(cut + 1).trim()];
}

/** Splits a list at its commas. */
export function itemsOf(list: string): string[] {
  return list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
