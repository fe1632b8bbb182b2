/** The listener of a worker, for the other servers of its platform. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { bodyHash, CallProof } from './call-proof.ts';
import { type CallName, callOfPath, headers, provedOfAnswer, provedOfCall } from './calls.ts';

/** Uploads have bodies of up to 5 MB, which are shorter here. */
const MOST_BYTES = 16 << 20;
/** Calls that were made longer ago, or later, are refused. */
const MOST_SKEW_MS = 300_000;
const HEADERS_MS = 10_000;
const REQUEST_MS = 60_000;
/** Longer than clients keep a connection that is not used. */
const KEEP_ALIVE_MS = 75_000;

/** Does what is asked. @returns JSON of the result */
type AnswerCall = (name: CallName, body: Buffer) => Promise<string>;

/** What answers a call that failed. */
export interface Refusal {
  readonly status: 421 | 500 | 503;
  readonly message: string;
}

interface Options {
  readonly host: string;
  readonly port: number;
  readonly platformKey: string;
  /** The id of the data directory that the work is that of. */
  readonly place: string;
  readonly now: () => number;
  readonly answer: AnswerCall;
  /** What to say of an error. */
  readonly refusalOf: (error: unknown) => Refusal;
  readonly logger: Logger;
}

/** Listens. @throws the error of the system where the address cannot be listened on */
export async function listenForCalls(options: Options): Promise<Server> {
  const proof = new CallProof(options.platformKey);
  const server = createServer(
    { headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS, keepAliveTimeout: KEEP_ALIVE_MS },
    (request, response) => {
      response.on('close', () => {
        // A connection that was busy when closing began is idle only now; keep-alive would delay the shutdown.
        if (!server.listening) setImmediate(() => server.closeIdleConnections());
      });
      void handle(request, response, proof, options);
    },
  );
  server.listen({ host: options.host, port: options.port });
  await once(server, 'listening');
  return server;
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  proof: CallProof,
  options: Options,
): Promise<void> {
  const { logger, now, place, answer, refusalOf } = options;
  const given = (name: string) => String(request.headers[name] ?? '');
  const call = {
    path: request.url ?? '',
    time: given(headers.time),
    id: given(headers.id),
    place: given(headers.place),
    body: given(headers.body),
  };
  const reply = (status: number, text: string) => {
    if (response.destroyed) return;
    response.writeHead(status, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      [headers.proof]: proof.of('answer', provedOfAnswer(call.id, status, bodyHash(Buffer.from(text)))),
    });
    response.end(text);
  };
  try {
    const name = request.method === 'POST' ? callOfPath(call.path) : undefined;
    if (name === undefined) return refuse(response, 404);
    // In the head, so that nothing is read for anybody else.
    if (!proof.holds(given(headers.proof), 'call', provedOfCall(call))) return refuse(response, 401);
    if (!(Math.abs(now() - Number(call.time)) < MOST_SKEW_MS)) {
      logger.warn({ call: name }, 'a call of another server was refused: its clock and this one differ by minutes');
      return refuse(response, 401);
    }
    if (call.place !== place) return reply(421, 'Another data directory is meant.');
    const body = await bodyOf(request);
    if (body === undefined || bodyHash(body) !== call.body) return refuse(response, 400);
    reply(200, await answer(name, body));
  } catch (error) {
    const { status, message } = refusalOf(error);
    if (status === 500) logger.error({ err: error, call: call.path }, 'a call of another server failed');
    reply(status, message);
  }
}

/** Without a proof: who asked is nobody. */
function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { connection: 'close', 'cache-control': 'no-store' });
  response.end();
}

/** @returns `undefined` if it is too long or was cut off */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of request) {
      length += part.length;
      if (length > MOST_BYTES) return undefined;
      parts.push(part);
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(parts, length);
}
