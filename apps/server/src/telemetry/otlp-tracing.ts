/** Traces by the packages of OpenTelemetry, sent to a collector as OTLP over HTTP. Loaded only where traces are turned on. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import { ApiError } from '@broadside/core';
import {
  type Attributes,
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { type LoggedAnswer, pathOf } from '../adapters/rest/request-log.ts';
import type { TraceSettings } from '../config/trace-settings.ts';
import { inTime } from '../in-time.ts';
import { packageVersion } from '../package-file.ts';
import { type Report, reportingExporter } from './reporting-exporter.ts';
import type { OpenSpan, RequestSpan, Tracing } from './tracing.ts';

/** The end of a server waits so long for what is left to be sent. */
const CLOSE_MS = 2000;

/** Methods that are attributes; the convention has a word for others. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']);

/** Opens the way to the collector. @param report hears once that it is away, and once that it is back */
export async function otlpTracing(settings: TraceSettings, thread: number, report: Report): Promise<Tracing> {
  const exporter = await reportingExporter(settings, report);
  const provider = new TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({ ...settings.resource, 'service.version': packageVersion() }),
    ),
    sampler: samplerOf(settings),
    spanProcessors: [new BatchSpanProcessor({ exporter, ...settings.batch })],
  });
  return new OtlpTracing(provider, settings.continues, thread);
}

class OtlpTracing implements Tracing {
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;
  readonly #continues: boolean;
  readonly #thread: number;
  readonly #propagator = new W3CTraceContextPropagator();
  /** The span that the work is in. */
  readonly #current = new AsyncLocalStorage<Context>();

  constructor(provider: TracerProvider, continues: boolean, thread: number) {
    this.#provider = provider;
    this.#tracer = provider.getTracer('broadside', packageVersion());
    this.#continues = continues;
    this.#thread = thread;
  }

  request(listener: string, request: IncomingMessage): RequestSpan {
    const { method = 'GET', headers, httpVersion } = request;
    const verb = methods.has(method) ? method : '_OTHER';
    const parent = this.#continues
      ? this.#propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)
      : ROOT_CONTEXT;
    const attributes: Attributes = {
      'http.request.method': verb,
      'network.protocol.version': httpVersion,
      'broadside.listener': listener,
      'thread.id': this.#thread,
    };
    const span = this.#tracer.startSpan(verb, { kind: SpanKind.SERVER, attributes }, parent);
    const context = trace.setSpan(parent, span);
    return {
      within: (work) => this.#current.run(context, work),
      answered: (id, target, answer) => {
        describe(span, verb, id, target, answer);
        span.end();
        return { ...answer, trace: span.spanContext().traceId };
      },
    };
  }

  child(name: string, attributes: Attributes = {}): OpenSpan | undefined {
    const parent = this.#current.getStore();
    return parent && this.#open(name, SpanKind.INTERNAL, attributes, parent);
  }

  root(name: string, attributes: Attributes = {}): OpenSpan {
    return this.#open(name, SpanKind.INTERNAL, attributes, ROOT_CONTEXT);
  }

  async close(): Promise<void> {
    const shutdown = this.#provider.shutdown().catch(() => {});
    await inTime(shutdown, CLOSE_MS, () => undefined);
  }

  #open(name: string, kind: SpanKind, attributes: Attributes, parent: Context): OpenSpan {
    const span = this.#tracer.startSpan(name, { kind, attributes }, parent);
    const context = trace.setSpan(parent, span);
    return {
      within: (work) => this.#current.run(context, work),
      end(failure) {
        if (failure) fail(span, failure.error);
        span.end();
      },
    };
  }
}

/** Says what became of a request, by the conventions of OpenTelemetry for HTTP. The query can carry credentials, and is left out. */
function describe(span: Span, method: string, id: string, target: string, answer: LoggedAnswer): void {
  const { status, operation, route, rejected, caller, account_id } = answer;
  span.updateName(operation ?? (route === undefined || route === '/*' ? method : `${method} ${route}`));
  span.setAttributes({
    'url.path': pathOf(target),
    'http.response.status_code': status,
    'broadside.request_id': id,
    ...(operation === undefined ? {} : { 'broadside.operation': operation }),
    ...(route === undefined || route === '/*' ? {} : { 'http.route': route }),
    ...(rejected === undefined ? {} : { 'broadside.rejected': rejected }),
    ...(caller?.user_id === undefined ? {} : { 'user.id': caller.user_id }),
    ...(caller?.app_id === undefined ? {} : { 'broadside.app_id': caller.app_id }),
    ...(account_id === undefined ? {} : { 'broadside.account_id': account_id }),
  });
  // What a client did wrong is no error of the server.
  if (status >= 500) {
    span.setAttribute('error.type', `${status}`);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
}

/** Messages of errors can name what others own, so their kind alone is sent. */
function fail(span: Span, error: unknown): void {
  if (error instanceof ApiError) {
    span.setAttribute('error.type', error.issues[0].error);
    return;
  }
  span.setAttribute('error.type', error instanceof Error ? error.name : 'Error');
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function samplerOf({ sampler, ratio }: TraceSettings): Sampler {
  switch (sampler) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratio);
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() });
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() });
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) });
  }
}
