/** Requests in a reader thread. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { ListenerName } from './app.ts';
import type { Services } from './pipeline/execute.ts';

export interface ReaderRouteOptions {
  readonly services: Services;
  readonly listener: ListenerName;
  readonly baseUrl: string | undefined;
  readonly logger: FastifyBaseLogger;
  /** The number of this thread. */
  readonly thread: number;
  /** Passes a request on to the main thread. */
  readonly pass: (request: IncomingMessage, response: ServerResponse) => void;
}

/** Answers requests: those that this thread can serve here, all others by the main thread. */
export function readerRoute({
  pass,
}: ReaderRouteOptions): (request: IncomingMessage, response: ServerResponse) => void {
  return pass;
}
