/** Traces, as the rest of the server sees them. What sends them is loaded only where they are turned on. */
import type { IncomingMessage } from 'node:http';
import type { LoggedAnswer } from '../adapters/rest/request-log.ts';

/** A span that is open. */
export interface OpenSpan {
  /** Runs a work whose spans are children of this one. */
  within<T>(work: () => T): T;
  end(failure?: { readonly error: unknown }): void;
}

/** The span of a request. */
export interface RequestSpan {
  within<T>(work: () => T): T;
  /**
   * Ends it.
   * @param id that of the request in the log
   * @returns the answer with the id of its trace
   */
  answered<Answer extends LoggedAnswer>(id: string, target: string, answer: Answer): Answer;
}

/** Makes spans. */
export interface Tracing {
  /** Begins the span of a request, which continues the trace of its caller if it names one. */
  request(listener: string, request: IncomingMessage): RequestSpan;
  /** Begins a span below the one that the work is in; `undefined` where it is in none. */
  child(name: string, attributes?: Readonly<Record<string, string>>): OpenSpan | undefined;
  /** Begins a trace. */
  root(name: string, attributes?: Readonly<Record<string, string>>): OpenSpan;
  /** Sends what is left. */
  close(): Promise<void>;
}
