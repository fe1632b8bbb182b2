import { rememberJson } from '@broadside/core';

/**
 * The shown forms of rows, remembered by the identity of the row and of all that it is made of besides. As long as the same
 * is shown it is the same object, so its JSON need not be written again.
 */
export class ShownRows<Row extends object, Shown extends object> {
  readonly #known = new WeakMap<Row, Known<Shown>>();

  /**
   * Returns what is shown of a row.
   * @param inputs all that `make` takes into account beside the row, compared by identity
   * @param make makes it anew; it may return the `last` one, which it must not change, where the same is to be shown
   */
  show(row: Row, inputs: readonly unknown[], make: (last: Shown | undefined) => Shown): Shown {
    const known = this.#known.get(row);
    if (!known) {
      const shown = make(undefined);
      this.#known.set(row, { inputs, shown, again: false });
      return shown;
    }
    if (!areSame(known.inputs, inputs)) {
      const shown = make(known.shown);
      known.inputs = inputs;
      if (shown !== known.shown) {
        known.shown = shown;
        known.again = false;
        return shown;
      }
    }
    if (!known.again) rememberJson(known.shown);
    known.again = true;
    return known.shown;
  }
}

interface Known<Shown> {
  inputs: readonly unknown[];
  shown: Shown;
  /** It was shown again. The JSON of what is shown once is not worth remembering. */
  again: boolean;
}

/** Compares lists by the identity of their members. */
export function areSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  for (let at = 0; at < others.length; at++) if (some[at] !== others[at]) return false;
  return some.length === others.length;
}
