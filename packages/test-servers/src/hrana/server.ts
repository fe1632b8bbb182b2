/**
 * A libSQL server for tests: the Hrana protocol over HTTP (versions 2 and 3) and WebSockets (version 3), in JSON, on a file, with the
 * native binding, for what the real one cannot be made to do: see `../sqld/server.ts`.
 * It behaves like `sqld` wherever clients can see a difference: batons, stream expiry, error codes without the extended
 * part, one statement per request, waiting for the write lock without blocking others. No Protobuf (clients fall back
 * to JSON), no cursors, no replication, no TLS.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { ProtocolError, StreamExpiredError } from './errors.ts';
import { array, type Json, object, parse } from './json.ts';
import type { HranaServerOptions } from './options.ts';
import { Streams } from './streams.ts';
import { Sockets, sqlOf } from './web-socket.ts';

export type { HranaFault, HranaServerOptions, SqlFacts } from './options.ts';

/** A running server. */
export interface HranaServer {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** Number of open streams, including those in transactions. */
  readonly openStreams: number;
  /** Expires every stream that is waiting for its next request; over WebSockets, the transaction of each. */
  expireStreams(): void;
  /** Ends all streams (open transactions are rolled back) and connections. */
  close(): Promise<void>;
}

/** Starts a server on a free port of the loopback interface. */
export async function startHranaServer(options: HranaServerOptions): Promise<HranaServer> {
  const streams = new Streams(options);
  const server = createServer((request, response) => {
    answer(streams, options, request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else reply(response, 500, 'text/plain', error instanceof Error ? (error.stack ?? error.message) : String(error));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const sockets = new Sockets(server, streams, options);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    get openStreams() {
      return streams.size;
    },
    expireStreams: () => {
      streams.expireIdle();
      sockets.expireIdle();
    },
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      sockets.close();
      server.closeAllConnections();
      await closed;
      streams.close();
    },
  };
}

async function answer(
  streams: Streams,
  options: HranaServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = (request.url ?? '/').replace(/\?.*/, '');
  if (request.method === 'GET') {
    if (['/', '/v2', '/v3'].includes(path)) return reply(response, 200, 'text/plain', 'Hrana over HTTP');
    return reply(response, 404, 'text/plain', `not found: ${path}`);
  }
  const version = path === '/v2/pipeline' ? 2 : path === '/v3/pipeline' ? 3 : undefined;
  if (request.method !== 'POST' || version === undefined) {
    return reply(response, 404, 'text/plain', `not found: ${request.method} ${path}`);
  }
  if (options.authToken !== undefined && request.headers.authorization !== `Bearer ${options.authToken}`) {
    return reply(response, 401, 'text/plain', 'Unauthorized');
  }
  try {
    const body = object(parse(await text(request)), 'request body');
    const requests = array(body.requests, 'requests').map((one) => object(one, 'request'));
    const fault = options.fault?.(requests.flatMap(sqlOf));
    if (fault === 'drop-request') {
      streams.lose(body.baton);
      return void response.destroy();
    }
    const stream = streams.acquire(body.baton);
    const results: Json[] = [];
    try {
      for (const one of requests) results.push(await stream.handle(one, version));
    } catch (error) {
      streams.drop(stream);
      throw error;
    }
    const baton = streams.release(stream);
    if (fault === 'drop-answer') {
      streams.lose(baton);
      return void response.destroy();
    }
    reply(response, 200, 'application/json', JSON.stringify({ baton, base_url: null, results }));
  } catch (error) {
    if (error instanceof ProtocolError) return reply(response, 400, 'text/plain', error.message);
    if (error instanceof StreamExpiredError) {
      const body = { message: 'The stream has expired due to inactivity', code: 'STREAM_EXPIRED' };
      return reply(response, 500, 'application/json', JSON.stringify(body));
    }
    throw error;
  }
}

function reply(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type });
  response.end(body);
}

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    if (chunk instanceof Buffer) chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
