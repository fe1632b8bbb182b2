// A module of its own: names of a CommonJS package that is imported when it is needed are lost in the bundle.
export { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
