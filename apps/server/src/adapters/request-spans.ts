/** The spans of the requests of a listener, by request. */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { RequestSpan, Tracing } from '../telemetry/tracing.ts';
import type { LoggedAnswer } from './rest/request-log.ts';

/** See the top of this file. */
export class RequestSpans {
  readonly #tracing: Tracing;
  readonly #listener: string;
  readonly #open = new WeakMap<IncomingMessage, RequestSpan>();

  constructor(tracing: Tracing, listener: string) {
    this.#tracing = tracing;
    this.#listener = listener;
  }

  /** Begins the span of a request, if it has not begun. */
  begin(request: IncomingMessage): RequestSpan {
    const known = this.#open.get(request);
    if (known) return known;
    const span = this.#tracing.request(this.#listener, request);
    this.#open.set(request, span);
    return span;
  }

  /** Runs the work that answers a request, in its span. */
  within<T>(request: IncomingMessage, work: () => T): T {
    return this.begin(request).within(work);
  }

  /** Ends the span of a request. @returns the answer, with the id of the trace */
  answered<Answer extends LoggedAnswer>(request: IncomingMessage, id: string, target: string, answer: Answer): Answer {
    const span = this.#open.get(request);
    this.#open.delete(request);
    return span ? span.answered(id, target, answer) : answer;
  }
}

/** The spans of a listener, where requests are traced. */
export function requestSpans(tracing: Tracing | undefined, listener: string): RequestSpans | undefined {
  return tracing && new RequestSpans(tracing, listener);
}

/** Has the requests that the framework answers in their spans. */
export function registerSpans(app: FastifyInstance, spans: RequestSpans | undefined): void {
  if (!spans) return;
  app.addHook('onRequest', (request, _reply, done) => spans.within(request.raw, done));
}
