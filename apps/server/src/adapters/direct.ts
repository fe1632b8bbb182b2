/** Answers to requests that do not reach the framework: what all direct routes share. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { Awaitable } from '../awaitable.ts';
import { Held } from '../pipeline/held.ts';
import { readSmallBody } from './limits/small-body.ts';
import type { Body } from './rest/encode.ts';
import type { RequestLog } from './rest/request-log.ts';

/** Answers a request; false when it is not one of those that are answered here. */
export type DirectRoute = (request: IncomingMessage, response: ServerResponse) => boolean;

/** How a listener responds and logs. */
export interface RespondOptions {
  readonly logger: FastifyBaseLogger;
  readonly log: RequestLog;
  /** The id of the next request. */
  readonly nextId: () => string;
  /** Called when a response is on its way. */
  readonly onFinish: () => void;
}

/** An answer. */
interface DirectAnswer {
  readonly status: number;
  /** Names in lower case, each followed by its value. Length and date are left to the server. */
  readonly headers: readonly string[];
  readonly body: Body;
  /** Reason for rejecting the request, for the log. */
  readonly rejected?: string | undefined;
}

/** How a request is answered. */
interface Answering {
  /**
   * Gives nothing where the request is answered elsewhere after all.
   * @param id that of the request, in the log
   * @param body what was read of it
   */
  readonly answer: (
    id: string,
    body: Buffer | undefined,
  ) => Awaitable<DirectAnswer | undefined> | Held<DirectAnswer | undefined>;
  /** The request has a small body, which is read first. */
  readonly reads?: boolean;
  /** The answer when that throws. */
  readonly failed: (error: unknown, id: string) => DirectAnswer;
}

/** Returns the function that answers a request of a listener, and logs it. */
export function responder({ log, nextId, onFinish }: RespondOptions) {
  return (
    request: IncomingMessage,
    response: ServerResponse,
    target: string,
    { answer, reads, failed }: Answering,
  ): void => {
    const began = performance.now();
    const id = nextId();
    const send = (done: DirectAnswer | undefined) => {
      if (done === undefined) return;
      response.on('finish', () => {
        onFinish();
        log(id, request.method ?? 'GET', target, done.status, performance.now() - began, done.rejected);
      });
      write(response, done);
    };
    const fail = (error: unknown) => send(failed(error, id));
    const run = (body: Buffer | undefined) => {
      let answered: ReturnType<typeof answer>;
      try {
        answered = answer(id, body);
      } catch (error) {
        fail(error);
        return;
      }
      if (answered instanceof Held) answered.open(send, fail);
      else if (answered instanceof Promise) void answered.then(send, fail);
      else send(answered);
    };
    if (reads) readSmallBody(request, run);
    else run(undefined);
  };
}

/** Returns whether a request has a body, or wants something else than an answer. */
export function hasBody(headers: IncomingMessage['headers']): boolean {
  return (
    headers['content-length'] !== undefined ||
    headers['transfer-encoding'] !== undefined ||
    headers.upgrade !== undefined ||
    headers.expect !== undefined
  );
}

function write(response: ServerResponse, { status, headers, body }: DirectAnswer): void {
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  response.writeHead(status, [...headers, 'content-length', `${length}`]);
  if (typeof body !== 'string') response.end(body);
  // A text of ASCII only has the same bytes in both encodings, and this one takes less to write.
  else response.end(body, length === body.length ? 'latin1' : 'utf8');
}
