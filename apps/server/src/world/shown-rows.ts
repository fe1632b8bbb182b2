import { rememberJson } from '@broadside/core';

/**
 * What is shown of rows: the row with what is derived of it and of others at the time. As long as a row is the same and the
 * same is derived, the same object is shown, so its JSON need not be written again. It is derived anew for each response in
 * which one of its inputs is another one.
 */
export class ShownRows<Row extends object, Derived extends object> {
  readonly #known = new WeakMap<Row, Known<Row, Derived>>();

  /**
   * Returns what is shown of a row.
   * @param inputs all that `derive` takes into account beside the row, compared by identity
   */
  show(row: Row, inputs: readonly unknown[], derive: () => Derived): Row & Derived {
    const known = this.#known.get(row);
    if (!known) {
      const derived = derive();
      const shown = { ...row, ...derived };
      this.#known.set(row, { inputs, derived, shown, again: false });
      return shown;
    }
    if (!areSame(known.inputs, inputs)) {
      const derived = derive();
      known.inputs = inputs;
      if (!areAlike(known.derived, derived)) {
        known.derived = derived;
        known.shown = { ...row, ...derived };
        known.again = false;
        return known.shown;
      }
    }
    if (!known.again) rememberJson(known.shown);
    known.again = true;
    return known.shown;
  }
}

interface Known<Row, Derived> {
  inputs: readonly unknown[];
  derived: Derived;
  shown: Row & Derived;
  /** It was shown again. What is shown once is not worth remembering its JSON. */
  again: boolean;
}

function areSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  for (let at = 0; at < others.length; at++) if (some[at] !== others[at]) return false;
  return some.length === others.length;
}

/** Compares values that were derived: members, and lists of scalars among them. */
function areAlike(some: object, others: object): boolean {
  const known: Readonly<Record<string, unknown>> = { ...some };
  const entries = Object.entries<unknown>({ ...others });
  if (entries.length !== Object.keys(known).length) return false;
  return entries.every(([name, other]) => {
    const value = known[name];
    return Array.isArray(value) && Array.isArray(other) ? areSame(value, other) : value === other;
  });
}
