/** Figures as threads hand them over: plain values, in the form in which `prom-client` adds up those of several threads. */

/** Names of labels with their values. */
export type Labels = Readonly<Record<string, string | number>>;

/** One value of a metric. */
interface Value {
  readonly value: number;
  readonly labels: Labels;
  /** For the parts of a histogram: its name and `_bucket`, `_sum` or `_count`. */
  readonly metricName?: string;
}

/** A metric with its values. */
export interface Figure {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly values: readonly Value[];
  /** Values with the same labels are added up. */
  readonly aggregator: 'sum';
}

/** What a metric is called, and what it says. */
export interface Described {
  readonly name: string;
  readonly help: string;
}

export function counter({ name, help }: Described, values: Iterable<readonly [labels: Labels, value: number]>): Figure {
  return { name, help, type: 'counter', values: valuesOf(values), aggregator: 'sum' };
}

export function gauge({ name, help }: Described, values: Iterable<readonly [labels: Labels, value: number]>): Figure {
  return { name, help, type: 'gauge', values: valuesOf(values), aggregator: 'sum' };
}

export function histogram(
  { name, help }: Described,
  cells: Iterable<readonly [labels: Labels, cell: Distribution]>,
): Figure {
  const values = Array.from(cells, ([labels, cell]) => cell.values(name, labels)).flat();
  return { name, help, type: 'histogram', values, aggregator: 'sum' };
}

function valuesOf(pairs: Iterable<readonly [labels: Labels, value: number]>): Value[] {
  return Array.from(pairs, ([labels, value]) => ({ labels, value }));
}

/** How often values fell below each of some bounds. */
export class Distribution {
  readonly #bounds: readonly number[];
  /** Not cumulative; the last one is of values above all bounds. */
  readonly #counts: Float64Array;
  #sum = 0;

  /** @param bounds upper bounds, inclusive, in increasing order */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  add(value: number): void {
    const bounds = this.#bounds;
    let at = 0;
    while (at < bounds.length && value > (bounds[at] ?? 0)) at += 1;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#sum += value;
  }

  /** The values of a histogram with this name. */
  values(name: string, labels: Labels): Value[] {
    let count = 0;
    const buckets = Array.from(this.#counts, (own, at) => {
      count += own;
      const le = this.#bounds[at] ?? '+Inf';
      return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: this.#sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  }
}

/** Counts by the values of some labels. */
export class Counts<Label extends string> {
  readonly #labels: readonly Label[];
  readonly #counts = new Map<string, { readonly labels: Labels; count: number }>();

  constructor(...labels: readonly Label[]) {
    this.#labels = labels;
  }

  /** Counts by one label, from 0 for values that are known before: a rate is of what has been there before it grew. */
  static of<Label extends string>(label: Label, known: readonly string[]): Counts<Label> {
    const counts = new Counts(label);
    for (const value of known) counts.#counts.set(value, { labels: { [label]: value }, count: 0 });
    return counts;
  }

  /** @param labels their values. The number of different ones must have a bound */
  add(labels: Readonly<Record<Label, string>>, by = 1): void {
    const key = this.#labels.map((name) => labels[name]).join('\n');
    const known = this.#counts.get(key);
    if (known) known.count += by;
    else this.#counts.set(key, { labels: { ...labels }, count: by });
  }

  *[Symbol.iterator](): Generator<readonly [Labels, number]> {
    for (const { labels, count } of this.#counts.values()) yield [labels, count];
  }
}

/** Those figures that only grow: a gauge says nothing when its thread has ended. */
export function lasting(figures: readonly Figure[]): readonly Figure[] {
  return figures.filter(({ type }) => type !== 'gauge');
}

/** Adds up figures with the same names and labels. */
export function addedUp(...all: readonly (readonly Figure[])[]): readonly Figure[] {
  const sums = new Map<string, { readonly figure: Figure; readonly values: Map<string, Value> }>();
  for (const figure of all.flat()) {
    const sum = sums.get(figure.name) ?? { figure, values: new Map<string, Value>() };
    sums.set(figure.name, sum);
    for (const { value, ...known } of figure.values) {
      const key = JSON.stringify(known);
      sum.values.set(key, { ...known, value: (sum.values.get(key)?.value ?? 0) + value });
    }
  }
  return Array.from(sums.values(), ({ figure, values }) => ({ ...figure, values: [...values.values()] }));
}
