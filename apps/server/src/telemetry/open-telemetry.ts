import type { Config } from '../config/config.ts';
import type { Report } from './reporting-exporter.ts';
import type { Telemetry } from './telemetry.ts';
import { ThreadFigures } from './thread-figures.ts';

type Settings = Pick<Config, 'metrics' | 'traces'>;

/**
 * What a thread measures; nothing where nobody asked for it.
 * @param thread its number; the main thread has 0
 * @param report hears once that traces cannot be sent
 */
export async function openTelemetry(
  { metrics, traces }: Settings,
  thread: number,
  report: Report,
): Promise<Telemetry | undefined> {
  if (!metrics && !traces) return undefined;
  const figures = metrics && new ThreadFigures(thread);
  const tracing = traces && (await (await import('./otlp-tracing.ts')).otlpTracing(traces, thread, report));
  return {
    figures,
    tracing,
    closed: (code) => figures?.closedConnections.add({ code }),
    async close() {
      figures?.close();
      await tracing?.close();
    },
  };
}
