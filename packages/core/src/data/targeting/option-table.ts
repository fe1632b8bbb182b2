/** Tables of what can be targeted: written as compact text, made into rows when they are first asked for. */

/** A row of a lookup: a value that can be targeted, by name. */
export interface TargetingOption {
  readonly name: string;
  readonly targeting_type: string;
  readonly targeting_value: string | bigint;
}

/** Makes a value when it is first asked for, and keeps it. */
export function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Rows in a fixed order, found by their value. Costs nothing until it is first read. */
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

  /** Where the row with a value stands; `undefined` when there is none. */
  indexOf(value: string): number | undefined {
    return this.#byValue().get(value);
  }

  /** The row with a value; `undefined` when there is none. */
  find(value: string): Row | undefined {
    const index = this.indexOf(value);
    return index === undefined ? undefined : this.rows[index];
  }
}

/** The entries of a compact text: one a line, or several between bars. Blank ones do not count. */
export function entriesOf(text: string): string[] {
  return text
    .split(/[\n|]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** A text before and after its first colon. */
export function headAndRest(entry: string): [head: string, rest: string] {
  const cut = entry.indexOf(':');
  if (cut < 0) throw new TypeError(`"${entry}" has no colon`);
  return [entry.slice(0, cut).trim(), entry.slice(cut + 1).trim()];
}

/** The items of a list between commas. */
export function itemsOf(list: string): string[] {
  return list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
