/** Reads the text format of Prometheus strictly: what its own parser or its linter would not take is an error here. */

/** One value of a metric. */
export interface Sample {
  /** With the suffix of the part of a histogram or summary. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric, with its values in the order of the text. */
export interface Family {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** The metrics of a scrape. */
export class Scrape {
  readonly families: ReadonlyMap<string, Family>;

  constructor(families: ReadonlyMap<string, Family>) {
    this.families = families;
  }

  /** The sum of the samples of a name that have these labels. */
  sum(name: string, labels: Readonly<Record<string, string>> = {}): number {
    return this.samples(name)
      .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
      .reduce((sum, { value }) => sum + value, 0);
  }

  /** The different values of a label of a metric. */
  values(name: string, label: string): Set<string> {
    return new Set(this.samples(name).flatMap((sample) => sample.labels[label] ?? []));
  }

  samples(name: string): readonly Sample[] {
    return [...this.families.values()].flatMap(({ samples }) => samples.filter((sample) => sample.name === name));
  }
}

const COMMENT = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/;
const SAMPLE =
  /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\n"])*",?)*)\})? ([+-]?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Inf)|NaN)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\[\\n"])*)"/g;
const TYPES = new Set(['counter', 'gauge', 'histogram', 'summary']);
/** Suffixes of the parts of some types. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
};

interface Growing {
  readonly name: string;
  help: string;
  type: string;
  readonly samples: Sample[];
}

/** @throws Error with the line that is wrong */
export function readScrape(text: string): Scrape {
  if (!text.endsWith('\n')) throw new Error('the last line does not end');
  const families = new Map<string, Growing>();
  let current: Growing | undefined;
  for (const line of text.slice(0, -1).split('\n')) {
    if (line === '') continue;
    const [, kind, name = '', rest = ''] = COMMENT.exec(line) ?? [];
    if (kind === 'HELP') {
      if (families.has(name)) throw new Error(`a second family of this name: ${line}`);
      current = { name, help: rest, type: '', samples: [] };
      families.set(name, current);
    } else if (kind === 'TYPE') {
      if (current?.name !== name || current.type !== '' || !TYPES.has(rest)) throw new Error(`not expected: ${line}`);
      current.type = rest;
    } else addSample(current, line);
  }
  for (const family of families.values()) checkFamily(family);
  return new Scrape(families);
}

function addSample(family: Growing | undefined, line: string): void {
  const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? [];
  if (name === '') throw new Error(`not a sample: ${line}`);
  const isPart = (PARTS[family?.type ?? ''] ?? ['']).some((suffix) => name === `${family?.name}${suffix}`);
  if (!family || !isPart) throw new Error(`a sample outside of its family: ${line}`);
  const pairs = Array.from(labels.matchAll(LABEL), ([, label = '', text = '']) => [label, text] as const);
  if (new Set(pairs.map(([label]) => label)).size < pairs.length) throw new Error(`a label twice: ${line}`);
  family.samples.push({ name, labels: Object.fromEntries(pairs), value: Number(value.replace('Inf', 'Infinity')) });
}

function checkFamily({ name, type, help, samples }: Family): void {
  const wrong = (why: string) => new Error(`${name}: ${why}`);
  if (type === '' || help === '') throw wrong('has no type or no help');
  if ((type === 'counter') !== name.endsWith('_total')) throw wrong('counters, and they alone, end in _total');
  if (type !== 'summary' && samples.some(({ labels }) => 'quantile' in labels)) throw wrong('is no summary');
  const keys = samples.map((sample) => `${sample.name}${JSON.stringify(Object.entries(sample.labels).sort())}`);
  if (new Set(keys).size < keys.length) throw wrong('has a sample twice');
  if (type === 'counter' && samples.some(({ value }) => !(value >= 0))) throw wrong('counts below zero');
  if (type === 'histogram') checkHistogram(name, samples);
}

/** Buckets of each set of labels increase, and the last one has all values. */
function checkHistogram(name: string, samples: readonly Sample[]): void {
  const parts = Map.groupBy(samples, ({ labels: { le: _le, ...labels } }) =>
    JSON.stringify(Object.entries(labels).sort()),
  );
  for (const own of parts.values()) {
    const buckets = own.filter((sample) => sample.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels }) => Number(labels['le']?.replace('Inf', 'Infinity')));
    const isSorted = buckets.every(
      ({ value }, at) =>
        at === 0 || ((bounds[at - 1] ?? 0) < (bounds[at] ?? 0) && (buckets[at - 1]?.value ?? 0) <= value),
    );
    const count = own.find((sample) => sample.name === `${name}_count`)?.value;
    const hasSum = own.some((sample) => sample.name === `${name}_sum`);
    if (!isSorted || bounds.at(-1) !== Number.POSITIVE_INFINITY || buckets.at(-1)?.value !== count || !hasSum) {
      throw new Error(`${name}: a histogram is not whole`);
    }
  }
}
