/** Sends spans to a collector, and says once that it is away. Spans that cannot be sent are dropped. */
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { TraceSettings } from '../config/trace-settings.ts';

/** Hears why spans cannot be sent, and `undefined` when they can be sent again. */
export type Report = (problem: string | undefined) => void;

/** Requests to the collector that are under way at most. */
const MOST_REQUESTS = 4;

/** Makes the exporter of the protocol that is set. */
export async function reportingExporter(settings: TraceSettings, report: Report): Promise<SpanExporter> {
  const { url, headers, timeout_ms: timeoutMillis, compression, protocol } = settings;
  const { OTLPTraceExporter } =
    protocol === 'http/json' ? await import('./json-exporter.ts') : await import('./protobuf-exporter.ts');
  const options: NonNullable<ConstructorParameters<typeof OTLPTraceExporter>[0]> = {
    url,
    headers: { ...headers },
    timeoutMillis,
    concurrencyLimit: MOST_REQUESTS,
  };
  // The name of the type is not exported; the variable of the specification has the same words.
  const inner = new OTLPTraceExporter(compression === 'gzip' ? Object.assign(options, { compression }) : options);
  let isAway = false;
  return {
    export(spans: ReadableSpan[], done: (result: ExportResult) => void) {
      inner.export(spans, ({ code, error }) => {
        const hasFailed = code !== ExportResultCode.SUCCESS;
        if (hasFailed !== isAway) report(hasFailed ? (error?.message ?? 'the collector rejects them') : undefined);
        isAway = hasFailed;
        // It has been reported; the library would write it to the console, each time.
        done({ code: ExportResultCode.SUCCESS });
      });
    },
    forceFlush: () => inner.forceFlush(),
    shutdown: () => inner.shutdown(),
  };
}
