/** The text that `/metrics` answers with. Loaded only where metrics are turned on. */
import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';
import { inTime } from '../in-time.ts';
import { addedUp, type Figure, gauge } from './figures.ts';

/** A part of the figures. What it cannot say is left out of the text. */
export interface Source {
  readonly name: string;
  readonly collect: () => Promise<readonly (readonly Figure[])[]> | readonly (readonly Figure[])[];
}

/** The time that a source has; Prometheus gives a scrape ten seconds. */
const DEADLINE_MS = 3000;

/** Each thread has its own measure of the event loop; the others are gauges with the names of counters. */
const LEFT_OUT = /^nodejs_(?:eventloop_lag|active_)/;
/** What is left out is measured all the same; this seldom. */
const UNUSED_PRECISION_MS = 1000;

/** See the top of this file. */
export class Exposition {
  readonly #process = new Registry();
  readonly #sources: readonly Source[];
  #running: Promise<string> | undefined;

  constructor(sources: readonly Source[]) {
    this.#sources = sources;
    collectDefaultMetrics({ register: this.#process, eventLoopMonitoringPrecision: UNUSED_PRECISION_MS });
    for (const { name } of this.#process.getMetricsAsArray()) {
      if (LEFT_OUT.test(name)) this.#process.removeSingleMetric(name);
    }
  }

  /** The media type of the text. */
  get contentType(): string {
    return this.#process.contentType;
  }

  /** Those who ask at the same time get the same text. */
  text(): Promise<string> {
    this.#running ??= this.#text().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #text(): Promise<string> {
    const parts = await Promise.all(this.#sources.map((source) => collected(source)));
    const up = gauge(
      { name: 'broadside_metrics_source_up', help: '1 where a part of the metrics could be collected, otherwise 0' },
      parts.map(({ name, figures }) => [{ source: name }, figures ? 1 : 0]),
    );
    const all = addedUp(...parts.flatMap(({ figures }) => figures ?? []), [up]);
    const shown = all.filter(({ values }) => values.length > 0);
    return `${await AggregatorRegistry.aggregate([[...shown]]).metrics()}\n${await this.#process.metrics()}`;
  }
}

async function collected({ name, collect }: Source) {
  const asked = async () => collect();
  try {
    return { name, figures: await inTime(asked(), DEADLINE_MS, () => undefined) };
  } catch {
    return { name, figures: undefined };
  }
}
