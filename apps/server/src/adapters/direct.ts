/** Answers to requests that do not reach the framework: what all direct routes share. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { Awaitable } from '../awaitable.ts';
import type { Recorder } from '../journal/recorder.ts';
import { Held } from '../pipeline/held.ts';
import type { CrossOrigin } from './cross-origin.ts';
import { breakOff } from './deliver.ts';
import { readSmallBody } from './limits/small-body.ts';
import type { RequestSpans } from './request-spans.ts';
import { REQUEST_ID, type RequestLog } from './rest/request-log.ts';
import type { SentAnswer } from './sent-answer.ts';
import type { Stages } from './stages.ts';

/** Answers a request; false when it is not one of those that are answered here. */
export type DirectRoute = (request: IncomingMessage, response: ServerResponse) => boolean;

/** The ways in which a listener responds and logs. */
export interface RespondOptions {
  readonly logger: FastifyBaseLogger;
  readonly log: RequestLog;
  /** The id of the next request. */
  readonly nextId: () => string;
  /** Those of the listener. */
  readonly stages: Stages;
  /** Pages of other origins that may read the answers. */
  readonly cross?: CrossOrigin | undefined;
  /** Their spans, where requests are traced. */
  readonly spans?: RequestSpans | undefined;
  /** Writes requests into journals. */
  readonly recorder?: Recorder | undefined;
  /** Called when a response is on its way. */
  readonly onFinish: () => void;
}

/** The steps of answering a request. */
interface Answering {
  /**
   * Gives nothing where the request is answered elsewhere after all.
   * @param id that of the request, in the log
   * @param body what was read of it
   */
  readonly answer: (
    id: string,
    body: Buffer | undefined,
  ) => Awaitable<SentAnswer | undefined> | Held<SentAnswer | undefined>;
  /** The request has a small body, which is read first. */
  readonly reads?: boolean;
  /** The answer when that throws. */
  readonly failed: (error: unknown, id: string) => SentAnswer;
}

/** Returns the function that answers a request of a listener, and logs it. */
export function responder({ log, nextId, stages, onFinish, cross, recorder, spans }: RespondOptions) {
  return (
    request: IncomingMessage,
    response: ServerResponse,
    target: string,
    { answer, reads, failed }: Answering,
  ): void => {
    const began = performance.now();
    const id = nextId();
    spans?.begin(request);
    const send = (done: SentAnswer | undefined) => {
      if (done === undefined) return;
      response.on(done.ends === undefined ? 'finish' : 'close', () => {
        onFinish();
        const logged = spans ? spans.answered(request, id, target, done) : done;
        log(id, request.method ?? 'GET', target, logged, performance.now() - began, request.headers[REQUEST_ID]);
      });
      recorder?.record(request, response, id, target, done, performance.now() - began);
      const { origin } = request.headers;
      write(response, done, id, origin === undefined ? undefined : cross?.fields(origin));
    };
    const sendInTurn = (done: SentAnswer | undefined) => stages.send(() => send(done));
    const fail = (error: unknown) => send(failed(error, id));
    const run = (body: Buffer | undefined) => {
      let answered: ReturnType<typeof answer>;
      try {
        answered = spans ? spans.within(request, () => answer(id, body)) : answer(id, body);
      } catch (error) {
        fail(error);
        return;
      }
      if (answered instanceof Held) answered.open(sendInTurn, fail);
      else if (answered instanceof Promise) void answered.then(send, fail);
      else sendInTurn(answered);
    };
    if (reads) readSmallBody(request, run);
    else if (isReading(request.method)) stages.answer(request.socket, () => run(undefined));
    else run(undefined);
  };
}

/** Returns whether a method only reads, and so has its input in the query. HEAD is answered as GET, without a body. */
export function isReading(method: string | undefined): boolean {
  return method === 'GET' || method === 'HEAD';
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

const NONE: readonly string[] = [];

function write(
  response: ServerResponse,
  { status, headers, body, ends }: SentAnswer,
  id: string,
  more: readonly string[] = NONE,
): void {
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  // In a quarter of the time of `concat`, which looks at each of its arguments.
  const all = [...headers, ...more, REQUEST_ID, id, 'content-length', `${length}`];
  if (ends !== undefined) {
    breakOff(response, ends, { status, headers: all, body });
    return;
  }
  response.writeHead(status, all);
  if (typeof body !== 'string') response.end(body);
  // A text of ASCII only has the same bytes in both encodings, and this one takes less to write.
  else response.end(body, length === body.length ? 'latin1' : 'utf8');
}
